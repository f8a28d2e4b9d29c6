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
from core.llm import Budget, CostEstimate, ModelName, Provider, model_named, open_runner
from core.paper import Paper
from core.summary import SummaryEngine, SummarySource, check_summary, summary_engine_named
from core.summary.llm import ModelSummaryEngine, estimate_check
from core.summary.measures import measures
from core.summary.writing import ReadingLevel, estimate_writing, repair_summary, write_summary
from pages._ui import jobs, model_row
from pages._ui.escape import plain, short
from pages._ui.jobs import BackgroundJob, RunningJob
from pages._ui.model_choice import FOR_SUMMARY, TITLES
from pages._ui.open_paper import OpenPaper
from pages._ui.opening import LARGEST_MB, open_file
from pages._ui.state import Session, prime
from pages._ui.summary.state import SOURCES, SummaryRequest, SummaryTask, SummaryVersion

# ---- gold ----
# Summaries that people have labelled: their file, a choice among them, and their labels beside the engine's.

Check = Callable[[Session, OpenPaper], None]


def gold_loader(now: Session) -> None:
    """A field for their file, folded, and apart from where a paper is opened."""
    key = f"summary-gold-{now.uploads}"
    with st.expander("Open summaries that people have labelled", icon=":material/verified:"):
        st.file_uploader(
            "Summaries with gold: CSV or JSON in FaReBio's layout",
            key=key,
            on_change=_open,
            args=(now, key),
            max_upload_size=LARGEST_MB,
            help="One row for each sentence of a summary, with the label that people gave it; docs/summary.md tells the columns",
        )


def offer_gold(now: Session, opened: OpenPaper, check: Check) -> None:
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
                args=(now, opened, gold, check),
                help="Check this summary",
            )


@cache
def _samples() -> FarebioFile:
    """Summaries of a sample paper, labelled by us."""
    return read_farebio(SUMMARIES.read_bytes(), name=SUMMARIES.name)


def _open(now: Session, key: str) -> None:
    """Lay the file's labels beside the paper on the desk, or open the first paper that it holds."""
    file = st.session_state[key]
    now.uploads += 1  # with a new key the field is empty again
    if PurePath(file.name).suffix.lower() not in {".csv", ".json", ".jsonl"}:
        open_file(now, file.getvalue(), name=file.name)  # a paper, put into the wrong field
        return
    try:
        found = read_farebio(file.getvalue(), name=file.name)
    except VouchError as error:
        now.problem = str(error)
        return
    broken = f"{len(found.broken)} rows cannot be used. {found.broken[0]}" if found.broken else None
    here = now.open
    golds = gold_for_paper(found, here.paper) if here else ()
    if here is None or not golds:
        if not found.summaries:
            now.problem = broken
            return
        here = now.put_on_desk(found.summaries[0].paper)
        golds = tuple(one for one in found.summaries if one.paper_id == found.summaries[0].paper_id)
    now.problem = broken
    here.summary.golds = golds


def _check_gold(now: Session, opened: OpenPaper, gold: GoldSummary, check: Check) -> None:
    text = "\n".join(sentence.text for sentence in gold.sentences)
    opened.summary.draft = text
    st.session_state[f"summary-{opened.paper.id}"] = text
    check(now, opened)


def overlay_of(opened: OpenPaper, version: SummaryVersion) -> GoldOverlay | None:
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
    parts += [f"{len(laid.missed)} missed", _count(len(laid.false_alarms), "false alarm")]
    if laid.unmatched:
        parts.append(f"{_count(len(laid.unmatched), 'sentence')} with gold not in this summary")
    return "Gold: " + ", ".join(parts)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


# ---- ask ----
# The summary that is to be checked: written or pasted, by which engine, against what; or one that a model writes.

_LEVELS = {
    ReadingLevel.PLAIN: "anyone who left school at sixteen",
    ReadingLevel.EASY: "a reader of about twelve",
    ReadingLevel.DETAILED: "who finished school and wants the particulars",
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
        offer_gold(now, opened, check)


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
            [*names(TaskKind.SUMMARY), *Provider],
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
            on_click=_check_draft,
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


def offer_repair(now: Session, opened: OpenPaper, version: SummaryVersion) -> None:
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
        _ask_writer(now, opened, SummaryTask.REPAIR, version)
        st.rerun()  # the whole page: the button stands in a part of it


def _estimated(opened: OpenPaper, source: SummarySource, name: ModelName) -> CostEstimate:
    """What the check would use; or, while there is nothing to check, the writing."""
    if any(map(str.isalnum, opened.summary.draft)):
        return estimate_check(name, opened.summary.draft, opened.paper, source)
    return estimate_writing(name, opened.paper, source, ReadingLevel.PLAIN)


def _check_draft(now: Session, opened: OpenPaper, field: str) -> None:
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
        SummaryRequest(
            opened.paper.id, SummaryTask.CHECK, choices.source, engine, summary=opened.summary.draft, budget=budget
        )
    )


def _write(now: Session, opened: OpenPaper) -> None:
    _ask_writer(now, opened, SummaryTask.WRITE)


def _ask_writer(now: Session, opened: OpenPaper, task: SummaryTask, version: SummaryVersion | None = None) -> None:
    now.problem = None
    choices = now.summary
    if choices.provider is None or (name := _model(now, choices.provider)) is None:
        return
    level = st.session_state.get("summary-level", choices.level)
    choices.begin(
        SummaryRequest(
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
        return model_row.check_model(now, provider, FOR_SUMMARY)
    except VouchError as error:
        now.problem = str(error)
        return None


# ---- checking ----
# A check from the click to its labels: begun in a thread, shown while it runs, and taken once.

_AT_ONCE = 0.5  # seconds: a check on this machine takes a little longer than a search


@cache
def _local_engine(name: str) -> SummaryEngine:
    """An engine of this machine. Those that ask a model know a key, and are never shared."""
    return summary_engine_named(name)


def go_on(now: Session) -> BaseException | None:
    """Take what a check has brought, and begin the one that was asked for.

    Returns a mistake of ours that a check met, to be raised when the page has been drawn; it is not met again.
    """
    mistake = _take(now)
    if (wanted := now.summary.due()) is None or (opened := now.papers.get(wanted.paper)) is None:
        return mistake
    work = partial(_carry_out, wanted, opened.paper, now.keys.of)
    now.summary.start(RunningJob(wanted, BackgroundJob(work, watched=jobs.window_is_open())), at_once=_AT_ONCE)
    return mistake or _take(now)


def show_progress(now: Session) -> None:
    """How the check stands, and a way to stop it, while one runs."""
    if (underway := now.summary.underway) is not None:
        jobs.show_job(underway.running, key="checking", stop=now.summary.stop)


def _take(now: Session) -> BaseException | None:
    if (ended := now.summary.ended()) is None:
        return None
    running = ended.running
    now.tally = now.tally.plus(running.spent)
    opened = now.papers.get(ended.wanted.paper)
    if isinstance(running.error, VouchError):
        if opened is not None and not running.stopped:
            now.problem = str(running.error)
        return None
    if opened is not None and running.result is not None:
        opened.summary.add(running.result)
    return running.error


def _carry_out(
    wanted: SummaryRequest,
    paper: Paper,
    key_of: Callable[[Provider], str | None],
    running: BackgroundJob[SummaryVersion],
) -> SummaryVersion:
    """Do what was asked for, in the thread."""
    name = model_named(wanted.writer or wanted.checker)
    if name is None:
        return _checked(wanted, paper, _local_engine(wanted.checker), running)
    with open_runner(name, key=key_of(name.provider), budget=wanted.budget or Budget()) as runner:
        running.count(runner)
        watched = ReportingRunner(runner, running.show)
        if wanted.writer is None:
            return _checked(wanted, paper, ModelSummaryEngine(name, watched), running)
        return _written(wanted, paper, watched, running)


def _checked(
    wanted: SummaryRequest, paper: Paper, engine: SummaryEngine, running: BackgroundJob[SummaryVersion]
) -> SummaryVersion:
    report = check_summary(wanted.summary, paper, engine=engine, source=wanted.source, progress=running)
    return SummaryVersion(report, measures(wanted.summary, paper, wanted.source))


def _written(
    wanted: SummaryRequest, paper: Paper, writer: ReportingRunner, running: BackgroundJob[SummaryVersion]
) -> SummaryVersion:
    checker = _local_engine(wanted.checker)
    if wanted.version is None:
        made = write_summary(
            paper, writer=writer, checker=checker, source=wanted.source, level=wanted.level, progress=running
        )
        return SummaryVersion(made.report, made.measures, made=f"written by {writer.name}", level=made.level)
    before = wanted.version
    made = repair_summary(before.reviewed, paper, writer=writer, checker=checker, level=before.level, progress=running)
    return SummaryVersion(made.report, made.measures, made=f"repaired by {writer.name}", level=made.level)
