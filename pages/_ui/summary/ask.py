"""The summary that is to be checked: written or pasted, by which engine, against what; or one that a model writes."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.errors import VouchError
from core.llm import Estimate, ModelName, Provider
from core.summary import SummarySource
from core.summary.engines import DEFAULT_ENGINE, ENGINES
from core.summary.llm.drafts import Level
from core.summary.llm.engine import estimate_check
from core.summary.writing import estimate_writing
from pages._ui import model_row
from pages._ui.model_choice import FOR_SUMMARY, TITLES
from pages._ui.open_paper import OpenPaper
from pages._ui.state import Session, prime
from pages._ui.summary import gold
from pages._ui.summary.work import SOURCES, Task, Version, Wanted

_LEVELS = {
    Level.PLAIN: "anyone who left school at sixteen",
    Level.EASY: "a reader of about twelve",
    Level.DETAILED: "who finished school and wants the particulars",
}


def show(now: Session, opened: OpenPaper) -> None:
    """Draw the field and the settings; the buttons ask for a check, or for a summary."""
    choices, work = now.summary, opened.summary
    field = f"summary-{opened.paper.id}"
    engine, source, level = choices.engine, choices.source, choices.level
    prime(**{field: work.draft, "summary-engine": engine, "summary-source": source, "summary-level": level})
    # Once there is something to look at, the field makes room for it.
    with st.expander(
        "The summary to check" if work.version is None else "Another summary, or another engine",
        expanded=work.version is None,
        key=f"ask-{opened.paper.id}-{work.version is None}",
    ):
        _fields(now, opened, field)
        gold.offer(now, opened, check)


def _fields(now: Session, opened: OpenPaper, field: str) -> None:
    choices, work = now.summary, opened.summary
    work.draft = st.text_area(
        "Summary",
        key=field,
        height=140,
        placeholder="Paste or write a summary of this paper in plain words. Each sentence is checked against the paper.",
    )
    with st.container(key="summary-settings", horizontal=True, vertical_alignment="bottom", gap="small"):
        choices.engine = st.selectbox(
            "Checked by",
            [*ENGINES, *Provider],
            key="summary-engine",
            width=190,
            format_func=lambda name: TITLES[Provider(name)] if name in set(Provider) else name,
            help="`offline` says what is wrong in words; `bm25` only finds the sentences that are most alike; "
            "a language model is sent the paper, or what it is held against",
        )
        choices.source = st.selectbox(
            "Against",
            list(SOURCES),
            key="summary-source",
            width=290,
            format_func=SOURCES.__getitem__,
            help="A summary made from the abstract and introduction alone is best held against these (as in FaReBio)",
        )
        st.space("stretch")
        st.button(
            "Check summary",
            key="check-summary",
            type="primary",
            shortcut="Mod+Enter",
            on_click=_check,
            args=(now, opened, field),
        )
    with st.container(gap="xsmall"):
        if choices.provider is not None:
            model_row.draw(now, choices.provider, FOR_SUMMARY, partial(_estimated, opened, choices.source))
            _offer_to_write(now, opened)


def _offer_to_write(now: Session, opened: OpenPaper) -> None:
    """Let the model write one: for whom, and a button."""
    with st.container(key="write", horizontal=True, vertical_alignment="bottom", gap="small"):
        now.summary.level = st.selectbox(
            "Written for", list(_LEVELS), key="summary-level", width=370, format_func=_LEVELS.__getitem__
        )
        st.button(
            "Write a summary",
            key="write-summary",
            icon=":material/edit_note:",
            on_click=_write,
            args=(now, opened),
            help=f"The model writes it from what is chosen above, and `{DEFAULT_ENGINE}` checks it at once",
        )


def offer_repair(now: Session, opened: OpenPaper, version: Version) -> None:
    """A button that sends the wrong sentences back to a model, where there are any and one is chosen."""
    wrong = sum(label.flagged for label in version.report.standing(version.own))
    if not wrong or now.summary.provider is None:
        return
    if st.button(
        f"Repair {wrong} sentence{'s' * (wrong != 1)}",
        key="repair-summary",
        icon=":material/build:",
        help="The model writes the sentences that are not right anew, or leaves them out; all others stay letter for letter",
    ):
        _ask_writer(now, opened, Task.REPAIR, version)
        st.rerun()  # the whole page: the button stands in a part of it


def _estimated(opened: OpenPaper, source: SummarySource, name: ModelName) -> Estimate:
    """What the check would use; or, while there is nothing to check, the writing."""
    if any(map(str.isalnum, opened.summary.draft)):
        return estimate_check(name, opened.summary.draft, opened.paper, source)
    return estimate_writing(name, opened.paper, source, Level.PLAIN)


def _check(now: Session, opened: OpenPaper, field: str) -> None:
    """Ask for a check of what the field holds now."""
    opened.summary.draft = st.session_state[field]
    check(now, opened)


def check(now: Session, opened: OpenPaper) -> None:
    """Ask for a check of the draft, as things are set."""
    now.problem = None
    choices = now.summary
    engine, budget = choices.engine, None
    if choices.provider is not None:
        name = _model(now, choices.provider)
        if name is None:
            return
        engine, budget = str(name), now.choice.budget
    choices.begin(
        Wanted(opened.paper.id, Task.CHECK, choices.source, engine, summary=opened.summary.draft, budget=budget)
    )


def _write(now: Session, opened: OpenPaper) -> None:
    _ask_writer(now, opened, Task.WRITE)


def _ask_writer(now: Session, opened: OpenPaper, task: Task, version: Version | None = None) -> None:
    now.problem = None
    choices = now.summary
    if choices.provider is None or (name := _model(now, choices.provider)) is None:
        return
    level = st.session_state.get("summary-level", choices.level)
    choices.begin(
        Wanted(
            paper=opened.paper.id,
            task=task,
            source=choices.source,
            checker=DEFAULT_ENGINE,
            version=version,
            writer=f"{name.provider}:{name.model}",
            level=level,
            budget=now.choice.budget,
        )
    )


def _model(now: Session, provider: Provider) -> ModelName | None:
    """The model as it is named now; None, with the problem told, where none can be asked."""
    try:
        return model_row.check(now, provider, FOR_SUMMARY)
    except VouchError as error:
        now.problem = str(error)
        return None
