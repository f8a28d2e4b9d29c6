"""The summary that is to be checked, labelled summaries, and a check from the click to its labels."""

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
from pages._ui import model_row
from pages._ui.escape import counted, plain, short
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
    """A field for their file, folded, and apart from where a paper is opened."""
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
    """A button for each labelled summary of the paper on the desk, to `check` it."""
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
    """Summaries of a sample paper, labelled by us."""
    return read_farebio(SUMMARIES.read_bytes(), name=SUMMARIES.name)


def _open(session: Session, key: str) -> None:
    """Lay the file's labels beside the paper on the desk, or open the first paper that it holds."""
    file = st.session_state[key]
    session.uploads += 1  # with a new key the field is empty again
    if PurePath(file.name).suffix.lower() not in {".csv", ".json", ".jsonl"}:
        open_file(session, file.getvalue(), name=file.name)  # a paper, put into the wrong field
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
    """The gold of a version: that of the labelled summary which has most of its sentences; None if none has any."""
    laid = [gold_overlay(version.report, gold) for gold in opened.summary.golds]
    best = max(laid, key=_found, default=None)
    return best if best is not None and _found(best) else None


def _found(laid: GoldOverlay) -> int:
    return sum(one is not None for one in laid.gold)


def gold_in_words(laid: GoldOverlay) -> str:
    """How the engine's labels compare with gold."""
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
    """Draw the field and the settings; the buttons ask for a check, or for a summary."""
    choices, work = session.summary, opened.summary
    field = f"summary-{opened.paper.id}"
    engine, source, level = choices.engine, choices.source, choices.level
    prime(**{field: work.draft, "summary-engine": engine, "summary-source": source, "summary-level": level})
    # Once there is something to look at, the field makes room for it.
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
    """Let the model write one: for whom, and a button."""
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
    """A button that sends the wrong sentences back to a model, where there are any and one is chosen."""
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
        st.rerun()  # the whole page: the button stands in a part of it


def _estimated(opened: OpenPaper, source: SummarySource, name: ModelName) -> CostEstimate:
    """What the check would use; or, while there is nothing to check, the writing."""
    if any(map(str.isalnum, opened.summary.draft)):
        return estimate_check(name, opened.summary.draft, opened.paper, source)
    return estimate_writing(name, opened.paper, source, ReadingLevel.PLAIN)


def _check_draft(session: Session, opened: OpenPaper, field: str) -> None:
    """Ask for a check of what the field holds now."""
    opened.summary.draft = st.session_state[field]
    check(session, opened)


def check(session: Session, opened: OpenPaper) -> None:
    """Ask for a check of the draft, as things are set."""
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
    """The model as it is named now; None, with the problem told, where none can be asked."""
    try:
        return model_row.check_model(session, provider, FOR_SUMMARY)
    except VouchError as error:
        session.problem = str(error)
        return None


# ---- check ----


class _Checking(PaperJob[SummaryRequest, CheckedSummary]):
    """A check, or a summary that a model writes or repairs, from the click to its labels."""

    key = "checking"
    at_once = 0.5  # a check on this machine takes a little longer than a search

    def slot(self, session: Session) -> JobSlot[SummaryRequest, CheckedSummary]:
        return session.summaries

    def work_on(self, session: Session, opened: OpenPaper, request: SummaryRequest) -> Work[CheckedSummary]:
        return partial(_carry_out, request, opened.paper, session.keys)

    def keep_with(self, session: Session, opened: OpenPaper, request: SummaryRequest, result: CheckedSummary) -> None:
        opened.summary.add(result)


CHECKING = _Checking()


def _carry_out(request: SummaryRequest, paper: Paper, keys: Keys, job: BackgroundJob[CheckedSummary]) -> CheckedSummary:
    """Do what was asked for, in the thread."""
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
