"""The frame of every page: its configuration and the sidebar. Each page draws it first."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from core.benchmarks.samples import samples
from core.text.words import counted
from pages._ui import assets, autosave
from pages._ui.escape import plain
from pages._ui.open_paper import OpenPaper
from pages._ui.opening import open_sample, upload_field
from pages._ui.state import Session, current_session

_ICON = Path(__file__).with_name("icon.svg")
EVIDENCE = "pages/evidence.py"
BIAS = "pages/bias.py"
SUMMARY = "pages/summary.py"
REVIEW = "pages/review.py"
ASK = "pages/ask.py"
CONTRADICTIONS = "pages/contradictions.py"
SCREENING = "pages/screening.py"
BENCHMARKS = "pages/benchmarks.py"
COMPARE = "pages/compare.py"
ENGINES = "pages/engines.py"


@dataclass(frozen=True, slots=True)
class PageEntry:
    """A page in the navigation."""

    title: str
    icon: str
    of_paper: bool = False  # whether it shows the paper on the desk: if another is chosen, the page stays


PAGES = {
    EVIDENCE: PageEntry("Evidence", ":material/ink_highlighter:", of_paper=True),
    BIAS: PageEntry("Risk of bias", ":material/balance:", of_paper=True),
    SUMMARY: PageEntry("Plain summary", ":material/notes:", of_paper=True),
    REVIEW: PageEntry("Review", ":material/library_books:"),
    ASK: PageEntry("Ask", ":material/question_answer:"),
    CONTRADICTIONS: PageEntry("Contradictions", ":material/call_split:"),
    SCREENING: PageEntry("Screening", ":material/checklist:"),
    BENCHMARKS: PageEntry("Benchmarks", ":material/leaderboard:"),
    COMPARE: PageEntry("Compare", ":material/compare:", of_paper=True),
    ENGINES: PageEntry("Engines & data", ":material/tune:"),
}


def draw(page: str) -> None:
    """Draw the frame of `page`, a key of `PAGES`. A page opened by its own address has the same frame."""
    # our own icon, because Streamlit fetches named icons from the network
    st.set_page_config(
        page_title=f"{PAGES[page].title} · Vouch", page_icon=_ICON, layout="wide", initial_sidebar_state=260
    )
    st.html(assets.FOLDER / "touch.css")
    session = current_session()
    session.page = page
    autosave.begin(session)
    with st.sidebar:
        st.markdown("### Vouch")
        for path, entry in PAGES.items():
            st.page_link(path, label=entry.title, icon=entry.icon)
        _papers(page)


def show_problem() -> None:
    """Draw the session's problem, in the words of its error."""
    slot = st.empty()  # always there, so that showing a message does not rebuild what follows
    if problem := current_session().problem:
        slot.error(plain(problem), icon=":material/error:")


def _papers(page: str) -> None:
    """Draw the list of papers. Choosing one puts it on the desk, on this page if it shows papers, else on another."""
    session = current_session()
    if not session.papers and not session.shelf:
        return
    chosen = False
    st.caption("Open papers")
    with st.container(gap="xxsmall"):
        for paper_id, opened in reversed(list(session.papers.items())):
            chosen |= _paper(session, paper_id, opened)
        for paper_id, title in reversed(list(session.shelf.items())):
            chosen |= _on_shelf(session, paper_id, title)
    # the key contains the current paper, so that the popover closes when another one is opened
    with st.popover("Open another", width="stretch", icon=":material/add:", key=f"open-another-{session.current}"):
        chosen |= upload_field("sidebar-upload", label="Drop a paper here")
        st.caption("Sample papers")
        for sample in samples():
            chosen |= st.button(
                plain(sample.title),
                key=f"sidebar-{sample.id}",
                type="tertiary",
                icon=":material/description:",
                help="A sample paper, invented by us",
                on_click=open_sample,
                args=(session, sample),
            )
    if chosen and not PAGES[page].of_paper:
        st.switch_page(BIAS if page in (REVIEW, SCREENING) else EVIDENCE)
    elif chosen:
        st.rerun()


def _paper(session: Session, paper_id: str, opened: OpenPaper) -> bool:
    """Draw one open paper. Returns whether it was chosen."""
    here = paper_id == session.current
    with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall"):
        chosen = st.button(
            plain(opened.title, limit=60),
            key=f"open-{paper_id}",
            type="secondary" if here else "tertiary",
            width=160,  # leaves room for the close button in the narrowest sidebar
            help="On the desk" if here else "Put on the desk",
            on_click=session.return_to,
            args=(paper_id,),
        )
        # the label is for screen readers; the button is so narrow that it shows only its icon
        closing = st.button(
            f"Close {plain(opened.title, limit=60)}",
            icon=":material/close:",
            key=f"close-{paper_id}",
            type="tertiary",
            width=16,
            wrap=False,
            help="Forget this paper" if opened.home is None else "Close: the project keeps it",
        )
    if closing and opened.home is None and autosave.has_work(opened):
        ask_before_forgetting(session, opened)
    elif closing:
        session.close(paper_id)
        st.rerun()
    return chosen


def _on_shelf(session: Session, paper_id: str, title: str) -> bool:
    """Draw a stored paper that is not open in this window. Returns whether it was chosen."""
    return st.button(
        plain(title, limit=60),
        key=f"open-{paper_id}",
        type="tertiary",
        width=160,
        wrap=False,
        help="Put on the desk",
        on_click=autosave.reopen,
        args=(session, paper_id),
    )


def done_on(opened: OpenPaper) -> list[str]:
    """The work that would be lost with a paper, in words."""
    count = opened.decision_count
    return [
        *[f"decided on {counted(count, 'sentence')}"] * bool(count),
        *opened.done_elsewhere,
        *["searched it"] * (opened.evidence is not None),
    ]


@st.dialog("Forget this paper?")
def ask_before_forgetting(session: Session, opened: OpenPaper) -> None:
    """Ask before a paper is forgotten."""
    st.markdown(f"**{plain(opened.title, limit=160)}**")
    done = f"You have {' and '.join(done_on(opened))}. " if done_on(opened) else ""
    st.markdown(f"{done}The paper and all that was done on it are erased, in every window. This cannot be undone.")
    with st.container(horizontal=True):
        if st.button("Keep it", key="keep-open", type="primary"):
            st.rerun()
        if st.button("Forget this paper", key="forget", on_click=session.close, args=(opened.paper.id,)):
            st.rerun()
