"""The tab of the evidence table: hypotheses, the table with its files, and a reviewer's own verdict on a cell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st

from core.bias import Tool
from core.errors import VouchError
from core.evidence.model import candidates
from core.export.evidence_table import MEANING, SIGNS, TableCell
from core.findings.model import Finding, Passage
from core.grounding.model import PaperVerdict
from core.review.intake import add_hypothesis, remove_hypothesis
from core.review.jobs import with_full_names
from core.review.outputs import TABLES, references_apart, table_file, table_rows
from core.store import (
    CellView,
    Project,
    QueueMode,
    ReviewerVerdict,
    StoredPaper,
    StoreReader,
    VerdictConsensus,
    question_key,
    tool_of,
)
from pages._ui import frame, standing_checks
from pages._ui.downloads import download, now_here, project_stem
from pages._ui.escape import plain, short
from pages._ui.review import arrivals, navigation, queues, tables
from pages._ui.review.board import ProjectSnapshot
from pages._ui.review.tables import evidence_payload
from pages._ui.state import Session
from pages._ui.stored import the_runner, the_store

# ---- hypotheses ----


def show_hypotheses(session: Session, snapshot: ProjectSnapshot) -> None:
    """Draw the line, if the reviewer is known."""
    project, reviewer = snapshot.project, snapshot.reviewer
    if reviewer is None:
        return
    with st.container(key="hypotheses", horizontal=True, vertical_alignment="bottom", gap="small"):
        with (
            st.form("add-hypothesis", border=False, clear_on_submit=True),
            st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
        ):
            text = st.text_input(
                "Add a hypothesis",
                placeholder="One claim that a paper may support or refute, such as: Walking improves sleep.",
                key="new-hypothesis",
            )
            if st.form_submit_button("Add", key="add-hypothesis-button"):
                _add(session, project.id, text, reviewer)
        if project.hypotheses:
            with st.popover(f"Hypotheses ({len(project.hypotheses)})", type="tertiary"):
                for number, hypothesis in enumerate(project.hypotheses):
                    _hypothesis(session, project.id, number, hypothesis, reviewer)
                st.caption("What was found for a hypothesis is kept when it is taken out, and comes back with it.")


def _hypothesis(session: Session, project: str, number: int, hypothesis: str, reviewer: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**H{number + 1}** {plain(hypothesis)}")
        st.button(
            "Take out",
            key=f"remove-hypothesis-{number}",
            type="tertiary",
            icon=":material/close:",
            on_click=_remove,
            args=(session, project, hypothesis, reviewer),
        )


def _add(session: Session, project: str, text: str, reviewer: str) -> None:
    """Add a hypothesis, and let the queue answer it for every paper. Language models are started only by hand."""
    session.problem = None
    try:
        added = add_hypothesis(the_store(), project, text, who=reviewer)
        session.review.to_hypothesis = session.review.to_hypothesis[0] + 1, added
        with the_store().reading() as store:
            rules, queue = store.project(project).record, store.queue.state(project)
        the_runner().start(project, reviewer, queues.workers_unasked(session, rules, queue))
    except VouchError as error:
        session.problem = str(error)
    st.rerun()


def _remove(session: Session, project: str, hypothesis: str, reviewer: str) -> None:
    session.problem = None
    try:
        remove_hypothesis(the_store(), project, hypothesis, who=reviewer)
    except VouchError as error:
        session.problem = str(error)


# ---- a reviewer's verdict on a cell ----

_LONGEST = 160  # letters of a sentence in the list of sentences


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell of a paper and a hypothesis, as one reviewer may see it."""

    paper: StoredPaper
    finding: Finding | None
    view: CellView
    sentences: dict[int, Passage]  # to choose from, by index, the engine's first

    @property
    def engines(self) -> tuple[str, ...]:
        """The engine whose finding is visible."""
        return (self.finding.engine,) if self.finding else ()


@dataclass(frozen=True, slots=True)
class _FormValues:
    """The values of a form when it is sent."""

    verdict: PaperVerdict | None = None
    sentence: Passage | None = None
    effect: str = ""
    words: str = ""


def offer_verdict(session: Session) -> None:
    """Draw a button beside a paper opened from the table, for reviewers."""
    there, project, reviewer = navigation.came_from(session), session.review.project, session.review.reviewer
    if there is None or not there.hypothesis or project is None or reviewer is None:
        return
    with st.sidebar:
        if st.button("Your verdict", key="own-verdict", icon=":material/gavel:", width="stretch"):
            ask_verdict(project, reviewer, there.paper, there.hypothesis, sentence=there.sentence)


@st.dialog("Your verdict", width="medium")
def ask_verdict(project: str, reviewer: str, paper: str, hypothesis: str, *, sentence: int | None = None) -> None:
    """Draw the dialog. `sentence` is the one that was opened, and is selected at first."""
    try:
        with the_store().reading() as store:
            cell = _look(store, project, reviewer, paper, hypothesis)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.markdown(f"**{plain(hypothesis, limit=400)}**")
    st.caption(plain(cell.paper.title or cell.paper.name, limit=200))
    _show_engine(cell.finding)
    own, view = cell.view.own, cell.view
    at = f"{paper}-{question_key(hypothesis)}"  # values typed for one cell must not appear in another
    looked_at = cell.sentences.get(sentence) if sentence is not None else None
    begun = _FormValues(own.verdict, own.sentence, own.effect, own.comment) if own else _FormValues(sentence=looked_at)
    # A verdict from another window has another version. The key then changes, so that the form overwrites nothing.
    said = _form(f"own-{at}-{view.own_version}", cell, begun, asks="Comment", label="Save")
    if said is not None:
        record = ReviewerVerdict(
            project, paper, hypothesis, reviewer, said.verdict, said.sentence, said.effect, said.words, cell.engines
        )
        _save(reviewer, record, view.own_version)
    _show_people(TableCell(cell.finding, people=view))
    if not (view.differ or view.consensus):
        return
    old = view.consensus
    begun = _FormValues(old.verdict, old.sentence, old.effect, old.why) if old else _FormValues()
    with st.container(border=True):
        st.markdown("**Settled**" if old else "**Settle it**")
        label = "Settle anew" if old else "Settle"
        said = _form(f"consensus-{at}-{view.consensus_version}", cell, begun, asks="Why, in a few words", label=label)
        if said is not None and said.verdict is not None:
            settled = VerdictConsensus(
                project, paper, hypothesis, said.verdict, said.words, view.by, said.sentence, said.effect
            )
            _save(reviewer, settled, view.consensus_version)


def _look(store: StoreReader, project: str, reviewer: str, paper: str, hypothesis: str) -> _Cell:
    question = question_key(hypothesis)
    found = [one for one in store.findings(project, questions=[question]) if one.record.paper == paper]
    engine = with_full_names(store.project(project).record.plan).evidence
    finding = navigation.finding_shown(found, engine) if found else None
    view = store.verdicts(project, reader=reviewer).get((paper, question), CellView())
    first = (finding.strongest_for, finding.strongest_against, *finding.nearest) if finding else ()
    sentences = {one.index: one for one in first if one is not None}
    if (text := store.text(project, paper)) is not None:
        for one in candidates(text):
            sentences.setdefault(one.index, Passage(one.index, one.text, one.page, text.section_of(one).title))
    for kept in (view.own, view.consensus):
        if kept is not None and kept.sentence is not None:
            sentences.setdefault(kept.sentence.index, kept.sentence)
    return _Cell(store.paper(project, paper).record, finding, view, sentences)


def _show_engine(finding: Finding | None) -> None:
    if finding is None:
        st.caption("No engine has read this paper for this hypothesis yet.")
        return
    verdict = f"{SIGNS[finding.verdict]} {finding.verdict}" if finding.verdict else "no verdict"
    sure = f" ({finding.sureness})" if finding.sureness else ""
    st.caption(plain(f"{finding.engine}: {verdict}{sure}. {finding.reason}", limit=400))


def _show_people(cell: TableCell) -> None:
    """Draw the others' verdicts, as far as the reviewer may see them."""
    view = cell.people
    for one in view.others:
        if one.verdict is not None:
            words = f"{one.reviewer}: {SIGNS[one.verdict]} {one.verdict}. {one.comment} {one.effect}"
            st.markdown(plain(words, limit=600))
            if one.sentence is not None:
                st.caption(plain(f"“{one.sentence.text}”", limit=400))
    if cell.whose:
        st.caption(plain(cell.whose))


def _form(key: str, cell: _Cell, given: _FormValues, *, asks: str, label: str) -> _FormValues | None:
    """Draw the fields of a verdict. Returns their values if the form was just sent."""
    verdicts: list[PaperVerdict] = list(PaperVerdict)
    options: list[int | None] = [None, *cell.sentences]
    with st.form(f"{key}-form", border=False):
        verdict = st.radio(
            "Verdict",
            verdicts,
            index=verdicts.index(given.verdict) if given.verdict else None,
            format_func=lambda one: f"{SIGNS[one]} {one}",
            horizontal=True,
            help="  \n".join(f"{SIGNS[one]} **{one}**: {MEANING[one]}" for one in verdicts),
            key=f"{key}-verdict",
        )
        chosen = st.selectbox(
            "Sentence that decides (optional; type to search)",
            options,
            index=options.index(given.sentence.index) if given.sentence else 0,
            format_func=partial(_in_words, cell.sentences),
            key=f"{key}-sentence",
        )
        effect = st.text_input("Effect as printed (optional)", given.effect, max_chars=300, key=f"{key}-effect")
        words = st.text_input(asks, given.words, max_chars=2000, key=f"{key}-words")
        with st.container(horizontal=True, gap="small"):
            sent = st.form_submit_button(label, type="primary", key=f"{key}-send")
            mine = label == "Save" and given.verdict is not None
            back = mine and st.form_submit_button("Take it back", key=f"{key}-back")
    if not (sent or back):
        return None
    if verdict is None and not back:
        st.caption(":material/info: Choose one of the five verdicts.")
        return None
    passage_chosen = cell.sentences[chosen] if chosen is not None else None
    return _FormValues(None if back else verdict, passage_chosen, effect.strip(), words.strip())


def _in_words(sentences: dict[int, Passage], index: int | None) -> str:
    if index is None:
        return "None"
    one = sentences[index]
    return short(f"p. {one.page} · {one.text}" if one.page else one.text, _LONGEST)


def _save(who: str, record: ReviewerVerdict | VerdictConsensus, seen: int) -> None:
    """Store a verdict and close the dialog. An error is shown in the dialog."""
    try:
        with the_store().writing(who) as change:
            change.save(record, seen=seen)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.rerun()


# ---- tab ----

_LOOK = 5.0  # seconds between two looks at the store while the queue fills the table
_MIMES = {
    ".csv": "text/csv",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".html": "text/html",
}
_ABOUT = {
    ".csv": "A line for each paper and hypothesis",
    ".xlsx": "A workbook: a line for each paper and hypothesis, and a sheet that says what the columns are",
    ".html": "One page that needs nothing beside it, to sort and to filter",
}


def show(session: Session, snapshot: ProjectSnapshot) -> None:
    """Draw the tab. While the queue is at work, the table is redrawn by itself."""
    show_hypotheses(session, snapshot)
    to_judge, session.review.to_judge = session.review.to_judge, None
    if to_judge is not None and snapshot.reviewer is not None:
        ask_verdict(snapshot.project.id, snapshot.reviewer, *to_judge)
    try:
        with the_store().reading() as store:
            at_work = store.queue.state(snapshot.project.id).mode is QueueMode.RUNNING
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.fragment(_table, run_every=_LOOK if at_work else None)(session, snapshot.project.id, snapshot.reviewer or "")


def _table(session: Session, project: str, reader: str) -> None:
    """Draw the table as it is now. This part of the page is redrawn without the rest."""
    try:
        with the_store().reading() as store:
            rules = store.project(project).record
            at_work = store.queue.state(project).mode is QueueMode.RUNNING
            data = _payload(store, rules, reader)
            apart = references_apart(store, project)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if not rules.hypotheses:
        st.caption(
            "The table has a row for each paper and says what it makes of a hypothesis. Add the first one above."
        )
        return
    if at_work:
        st.caption("The queue is at work: the table fills as answers come.")
    said = tables.draw_evidence(
        key=f"evidence-table-{project}", data=data | {"begin": session.review.to_hypothesis, "judges": bool(reader)}
    )
    _apart(session, apart)
    _files(rules, reader, said.shown)
    if said.opened is not None and said.opened.hypothesis < len(rules.hypotheses):
        hypothesis = rules.hypotheses[said.opened.hypothesis]
        if navigation.go_to_sentence(session, said.opened.paper, hypothesis, said.opened.sentence):
            st.switch_page(frame.EVIDENCE, query_params=navigation.paper_address(session))
        st.rerun()
    if said.judged is not None and said.judged[1] < len(rules.hypotheses):
        session.review.to_judge = said.judged[0], rules.hypotheses[said.judged[1]]
        st.rerun()  # rerun the whole page: a dialog opened in this fragment would end with it


def _apart(session: Session, references: int) -> None:
    """Draw how many references are not in the table, with a button to see them."""
    if not references:
        return
    said = "1 reference is" if references == 1 else f"{references:,} references are"
    with st.container(key="references-apart", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"{said} not in the table: without the paper there is nothing to read.", width="content")
        if st.button("Show under Papers", key="show-apart", type="tertiary", on_click=_to_references, args=(session,)):
            st.rerun()  # rerun the whole page, to change the tab


def _to_references(session: Session) -> None:
    st.session_state[arrivals.TABS] = arrivals.PAPERS
    session.review.to_references += 1


def _payload(store: StoreReader, rules: Project, reader: str) -> dict[str, object]:
    stamp = f"{the_store().name}|{reader}|{store.stamp(rules.id)}"
    return _made(rules.id, reader, stamp, store, tool_of(rules))


@st.cache_data(max_entries=16, show_spinner=False)
def _made(project: str, reader: str, stamp: str, _store: StoreReader, _tool: Tool) -> dict[str, object]:
    """The payload, computed once after each change of the project."""
    rows = table_rows(_store, project, reader=reader)
    hypotheses = _store.project(project).record.hypotheses
    return evidence_payload(rows, hypotheses, _tool, project=project, stamp=stamp)


def _files(rules: Project, reader: str, shown: tuple[str, ...] | None) -> None:
    with st.container(key="table-files", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("The whole table:", width="content")
        _downloads(rules, reader, None)
        if shown:
            papers = "1 paper" if len(shown) == 1 else f"{len(shown)} papers"
            st.caption(f"As it is shown ({papers}):", width="content")
            _downloads(rules, reader, shown)


def _downloads(rules: Project, reader: str, shown: tuple[str, ...] | None) -> None:
    for ending in TABLES:
        kind = ending.removeprefix(".").upper()
        download(
            kind if shown is None else f"{kind} as shown",
            partial(_file, rules.id, reader, ending, shown),
            name=f"{project_stem(rules.name)}-evidence{'' if shown is None else '-part'}{ending}",
            mime=_MIMES[ending],
            about=_ABOUT[ending],
            keeps=False,
        )


def _file(project: str, reader: str, ending: str, shown: tuple[str, ...] | None) -> bytes:
    standing_checks.before_export(project)
    with the_store().reading() as store:
        made = table_file(store, project, ending, reader=reader, made=now_here(), papers=shown)
    return made.encode() if isinstance(made, str) else made
