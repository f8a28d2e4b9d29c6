"""The form for a summary to check, labelled summaries, and a check from the click to its labels."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import PurePath

import streamlit as st

from core.benchmarks.farebio import FarebioFile, GoldOverlay, GoldSummary, gold_for_paper, gold_overlay, read_farebio
from core.benchmarks.samples import SUMMARIES
from core.engines import DEFAULT_ENGINE, TaskKind, names
from core.errors import VouchError
from core.grounding.questions import ReportingRunner
from core.llm import CostEstimate, ModelName, Provider, model_named
from core.paper import Paper
from core.progress import Progress
from core.summary import SummaryEngine, SummarySource, check_summary
from core.summary.llm import estimate_check
from core.summary.measures import measures
from core.summary.score import how_often_right
from core.summary.writing import ReadingLevel, estimate_writing, repair_summary, write_summary
from core.text.words import counted
from pages._ui import model_row
from pages._ui.escape import plain, short
from pages._ui.jobs import BackgroundJob, JobSlot, local_engine
from pages._ui.model_choice import FOR_SUMMARY, Keys, engine_title
from pages._ui.open_paper import OpenPaper
from pages._ui.opening import LARGEST_MB, open_file
from pages._ui.page_jobs import PaperJob, Work
from pages._ui.state import Session, prime
from pages._ui.summary.state import SOURCES, CheckedSummary, SummaryRequest, SummaryTask

# ---- summaries that people have labelled ----

Check = Callable[[Session, OpenPaper], None]


def gold_loader(session: Session) -> None:
    """Draw the field for a file of labelled summaries, folded, and apart from the field that opens papers."""
    key = f"summary-gold-{session.uploads}"
    with st.expander("Open summaries that people have labelled", icon=":material/verified:"):
        st.file_uploader(
            "Summaries with gold: CSV or JSON in FaReBio's layout",
            key=key,
            on_change=_open,
            args=(session, key),
            max_upload_size=LARGEST_MB,
            help="One row for each sentence of a summary, with the label that people gave it; docs/summary.md tells the columns",
        )


def offer_gold(session: Session, opened: OpenPaper, check: Check) -> None:
    """Draw a button for each labelled summary of the paper on the desk. A click calls `check`."""
    golds = opened.summary.golds = opened.summary.golds or gold_for_paper(_samples(), opened.paper)
    if not golds:
        return
    with st.container(key="summary-golds", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("With gold:", width="content")
        for number, gold in enumerate(golds):
            label = short(f"{gold.id.rpartition('/')[2]} · {len(gold.sentences)} sentences", 60)
            st.button(
                plain(label),
                key=f"gold-summary-{number}",
                on_click=_check_gold,
                args=(session, opened, gold, check),
                help="Check this summary",
            )


@cache
def _samples() -> FarebioFile:
    """The summaries of a sample paper, labelled by us."""
    return read_farebio(SUMMARIES.read_bytes(), name=SUMMARIES.name)


def _open(session: Session, key: str) -> None:
    """Attach the file's labels to the paper on the desk, or open the first paper in the file."""
    file = st.session_state[key]
    session.uploads += 1  # a new key empties the uploader
    if PurePath(file.name).suffix.lower() not in {".csv", ".json", ".jsonl"}:
        open_file(session, file.getvalue(), name=file.name)  # a paper in the wrong field
        return
    try:
        found = read_farebio(file.getvalue(), name=file.name)
    except VouchError as error:
        session.problem = str(error)
        return
    broken = f"{len(found.broken)} rows cannot be used. {found.broken[0]}" if found.broken else None
    here = session.open
    golds = gold_for_paper(found, here.paper) if here else ()
    if here is None or not golds:
        if not found.summaries:
            session.problem = broken
            return
        here = session.put_on_desk(found.summaries[0].paper)
        golds = tuple(one for one in found.summaries if one.paper_id == found.summaries[0].paper_id)
    session.problem = broken
    here.summary.golds = golds


def _check_gold(session: Session, opened: OpenPaper, gold: GoldSummary, check: Check) -> None:
    text = "\n".join(sentence.text for sentence in gold.sentences)
    opened.summary.draft = text
    st.session_state[f"summary-{opened.paper.id}"] = text
    check(session, opened)


def overlay_of(opened: OpenPaper, version: CheckedSummary) -> GoldOverlay | None:
    """The gold of a version, from the labelled summary that shares most sentences with it; None if none shares any."""
    laid = [gold_overlay(version.report, gold) for gold in opened.summary.golds]
    best = max(laid, key=_found, default=None)
    return best if best is not None and _found(best) else None


def _found(laid: GoldOverlay) -> int:
    return sum(one is not None for one in laid.gold)


def gold_in_words(laid: GoldOverlay) -> str:
    """How the engine's labels compare with the gold, in words."""
    parts = []
    if laid.agreement is not None:
        parts.append(f"agreement {laid.agreement:.0%}")
    if laid.kappa is not None:
        parts.append(f"kappa {laid.kappa:.2f}")
    parts += [f"{len(laid.missed)} missed", counted(len(laid.false_alarms), "false alarm")]
    if laid.unmatched:
        parts.append(f"{counted(len(laid.unmatched), 'sentence')} with gold not in this summary")
    return "Gold: " + ", ".join(parts)


# ---- what is to be checked ----

_LEVELS = {
    ReadingLevel.PLAIN: "anyone who left school at sixteen",
    ReadingLevel.EASY: "a reader of about twelve",
    ReadingLevel.DETAILED: "who finished school and wants the particulars",
}


def show(session: Session, opened: OpenPaper) -> None:
    """Draw the field and the settings. The buttons request a check or a new summary."""
    choices, work = session.summary, opened.summary
    field = f"summary-{opened.paper.id}"
    engine, source, level = choices.engine, choices.source, choices.level
    prime(**{field: work.draft, "summary-engine": engine, "summary-source": source, "summary-level": level})
    # Once there is a checked summary, the field is folded to make room for it.
    with st.expander(
        "The summary to check" if work.version is None else "Another summary, or another engine",
        expanded=work.version is None,
        key=f"ask-{opened.paper.id}-{work.version is None}",
    ):
        _fields(session, opened, field)
        offer_gold(session, opened, check)


def _fields(session: Session, opened: OpenPaper, field: str) -> None:
    choices, work = session.summary, opened.summary
    work.draft = st.text_area(
        "Summary",
        key=field,
        height=140,
        placeholder="Paste or write a summary of this paper in plain words. Each sentence is checked against the paper.",
    )
    with st.container(key="summary-settings", horizontal=True, vertical_alignment="bottom", gap="small"):
        choices.engine = st.selectbox(
            "Checked by",
            [*names(TaskKind.SUMMARY), *Provider],
            key="summary-engine",
            width=190,
            format_func=engine_title,
            help=f"{how_often_right()} `bm25` only finds the sentences that are most alike; "
            "a language model is sent the paper, or what it is held against.",
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
            on_click=_check_draft,
            args=(session, opened, field),
        )
    with st.container(gap="xsmall"):
        if choices.provider is not None:
            model_row.draw(session, choices.provider, FOR_SUMMARY, partial(_estimated, opened, choices.source))
            _offer_to_write(session, opened)


def _offer_to_write(session: Session, opened: OpenPaper) -> None:
    """Draw the choice of readers, and the button to let the model write a summary."""
    with st.container(key="write", horizontal=True, vertical_alignment="bottom", gap="small"):
        session.summary.level = st.selectbox(
            "Written for", list(_LEVELS), key="summary-level", width=370, format_func=_LEVELS.__getitem__
        )
        st.button(
            "Write a summary",
            key="write-summary",
            icon=":material/edit_note:",
            on_click=_write,
            args=(session, opened),
            help=f"The model writes it from what is chosen above, and `{DEFAULT_ENGINE}` checks it at once",
        )


def offer_repair(session: Session, opened: OpenPaper, version: CheckedSummary) -> None:
    """Draw a button that sends the wrong sentences to a model, if there are any and a model is chosen."""
    wrong = sum(label.flagged for label in version.report.standing(version.own))
    if not wrong or session.summary.provider is None:
        return
    if st.button(
        f"Repair {counted(wrong, 'sentence')}",
        key="repair-summary",
        icon=":material/build:",
        help="The model writes the sentences that are not right anew, or leaves them out; all others stay letter for letter",
    ):
        _ask_writer(session, opened, SummaryTask.REPAIR, version)
        st.rerun()  # rerun the whole page, as the button is in a fragment


def _estimated(opened: OpenPaper, source: SummarySource, name: ModelName) -> CostEstimate:
    """Estimate what the check would use or, with an empty draft, the writing."""
    if any(map(str.isalnum, opened.summary.draft)):
        return estimate_check(name, opened.summary.draft, opened.paper, source)
    return estimate_writing(name, opened.paper, source, ReadingLevel.PLAIN)


def _check_draft(session: Session, opened: OpenPaper, field: str) -> None:
    """Request a check of the field's current text."""
    opened.summary.draft = st.session_state[field]
    check(session, opened)


def check(session: Session, opened: OpenPaper) -> None:
    """Request a check of the draft with the current settings."""
    session.problem = None
    choices = session.summary
    engine, budget = choices.engine, None
    if choices.provider is not None:
        name = _model(session, choices.provider)
        if name is None:
            return
        engine, budget = str(name), session.choice.budget
    session.summaries.ask(
        SummaryRequest(
            opened.paper.id, SummaryTask.CHECK, choices.source, engine, summary=opened.summary.draft, budget=budget
        )
    )


def _write(session: Session, opened: OpenPaper) -> None:
    _ask_writer(session, opened, SummaryTask.WRITE)


def _ask_writer(session: Session, opened: OpenPaper, task: SummaryTask, version: CheckedSummary | None = None) -> None:
    session.problem = None
    choices = session.summary
    if choices.provider is None or (name := _model(session, choices.provider)) is None:
        return
    level = st.session_state.get("summary-level", choices.level)
    session.summaries.ask(
        SummaryRequest(
            paper=opened.paper.id,
            task=task,
            source=choices.source,
            checker=DEFAULT_ENGINE,
            version=version,
            writer=f"{name.provider}:{name.model}",
            level=level,
            budget=session.choice.budget,
        )
    )


def _model(session: Session, provider: Provider) -> ModelName | None:
    """The model as named now; None if it cannot be asked, which the session's problem explains."""
    try:
        return model_row.check_model(session, provider, FOR_SUMMARY)
    except VouchError as error:
        session.problem = str(error)
        return None


# ---- check ----


class _Checking(PaperJob[SummaryRequest, CheckedSummary]):
    """Checking a summary, or letting a model write or repair one, from the click to its labels."""

    key = "checking"
    at_once = 0.5  # seconds; a check on this machine takes longer than a search

    def slot(self, session: Session) -> JobSlot[SummaryRequest, CheckedSummary]:
        return session.summaries

    def work_on(self, session: Session, opened: OpenPaper, request: SummaryRequest) -> Work[CheckedSummary]:
        return partial(_carry_out, request, opened.paper, session.keys)

    def keep_with(self, session: Session, opened: OpenPaper, request: SummaryRequest, result: CheckedSummary) -> None:
        opened.summary.add(result)


CHECKING = _Checking()


def _carry_out(request: SummaryRequest, paper: Paper, keys: Keys, job: BackgroundJob[CheckedSummary]) -> CheckedSummary:
    """Do what was requested, in the job's thread."""
    if request.writer is not None and (writer := model_named(request.writer)):
        with job.asking(writer, keys, request.budget) as runner:
            return _written(request, paper, runner, job)
    with job.engine(TaskKind.SUMMARY, request.checker, keys, request.budget) as engine:
        return _checked(request, paper, engine, job)


def _checked(request: SummaryRequest, paper: Paper, engine: SummaryEngine, progress: Progress) -> CheckedSummary:
    report = check_summary(request.summary, paper, engine=engine, source=request.source, progress=progress)
    return CheckedSummary(report, measures(request.summary, paper, request.source))


def _written(request: SummaryRequest, paper: Paper, writer: ReportingRunner, progress: Progress) -> CheckedSummary:
    checker = local_engine(TaskKind.SUMMARY, request.checker)
    if request.version is None:
        made = write_summary(
            paper, writer=writer, checker=checker, source=request.source, level=request.level, progress=progress
        )
        return CheckedSummary(made.report, made.measures, made=f"written by {writer.name}", level=made.level)
    before = request.version
    made = repair_summary(before.reviewed, paper, writer=writer, checker=checker, level=before.level, progress=progress)
    return CheckedSummary(made.report, made.measures, made=f"repaired by {writer.name}", level=made.level)
