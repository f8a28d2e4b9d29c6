"""The items of a run: reading their data, showing a question with gold and answers, and opening its paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from core.benchmarks.farebio import read_farebio
from core.benchmarks.model import CompleteRun, Item, ItemResult, RunSetup
from core.benchmarks.samples import SAMPLE_DATA
from core.benchmarks.side_by_side.comparisons import NO_MERIT
from core.benchmarks.summary_tasks import SUMMARY_TASKS
from core.benchmarks.tasks import case_of, gold_of, gold_sentences, paper_of, task_named
from core.bias import Domain, tool_named
from core.engines import TaskKind
from core.errors import DatasetError, VouchError
from core.llm import model_named
from core.paper import Paper
from core.runs import Positions, checksum, item_of, positions
from core.settings import load_settings
from core.text.words import counted
from pages._ui import frame, jobs
from pages._ui.benchmarks.form import ENGINES
from pages._ui.benchmarks.state import BenchmarkWork
from pages._ui.escape import plain
from pages._ui.jobs import BackgroundJob
from pages._ui.open_paper import one_line
from pages._ui.state import Session

# ---- data of a run ----

_AT_ONCE = 0.5  # seconds; a result within them is drawn at once, without a progress board


def data_of(setup: RunSetup, bench: BenchmarkWork) -> Path:
    """The place of a run's data: what the fields say, the samples, or VOUCH_DATA. Raises `DatasetError`."""
    task = task_named(setup.task)
    for place in dict.fromkeys((bench.data, SAMPLE_DATA, load_settings().data)):
        if place is None:
            continue
        try:
            if checksum(task.files(task.source(place))) == setup.data_sha256:
                return place
        except DatasetError:  # not there; the next place may have it
            continue
    raise DatasetError("The data of this run is not where the fields say. Name its file or folder above, under “Data”.")


def find_item(setup: RunSetup, id: str, bench: BenchmarkWork) -> Item[Any, Any]:
    """An item of a run, with its question and gold. Raises `DatasetError`."""
    return item_of(setup, id, data_of(setup, bench))


def look_up_places(session: Session, runs: Sequence[CompleteRun]) -> None:
    """Start reading where in their papers the sentences of these runs stand."""
    forget_places(session)
    bench = session.part(BenchmarkWork)
    running: BackgroundJob[Positions] = BackgroundJob(
        partial(_places, tuple(runs), bench), watched=jobs.window_is_open()
    )
    bench.looked_up = tuple(run.setup.id for run in runs), running
    running.wait(_AT_ONCE)


def forget_places(session: Session) -> None:
    """Stop and discard what is being read."""
    bench = session.part(BenchmarkWork)
    if bench.looked_up is not None:
        bench.looked_up[1].stop()
        bench.looked_up = None


def _places(runs: Sequence[CompleteRun], bench: BenchmarkWork, running: BackgroundJob[Positions]) -> Positions:
    running(0.0, "Looking for the data")
    return positions(runs, data_of(runs[0].setup, bench), progress=running)


# ---- one item ----

_LONG = 320  # letters of a sentence that are shown


def show_item(item: Item[Any, Any], answers: Mapping[str, ItemResult]) -> None:
    """Draw an item; `answers` maps engines to their results."""
    paper, gold = paper_of(item), gold_sentences(item)
    st.markdown(f"**{plain(question_in_words(item), limit=600)}**")
    if paper is not None:
        st.caption(plain(paper.title or paper.name, limit=200))
    st.markdown(f"Gold: {_gold_in_words(item)}")
    if paper is not None and gold:
        _list([(index, "●") for index in sorted(gold)], paper)
    for engine, result in answers.items():
        st.markdown(f"**{plain(engine)}**: {_answer_in_words(result)}")
        if result.error is None and paper is not None:
            marks = [(i, "✓" if i in gold else "✕") if gold else (i, "·") for i in result.response.sentences]
            _list(marks, paper)
    if gold:
        st.caption("● gold · ✓ chosen, and gold · ✕ chosen, and not gold")


def question_in_words(item: Item[Any, Any]) -> str:
    """What the engines were asked, in words."""
    question, case = item.question, case_of(item)
    if case is not None:
        return f"{case.bias}. {case.study.objective}"
    if (query := getattr(question, "query", None)) is not None:
        return str(query.hypothesis)
    domain = getattr(question, "domain", item.category)
    return str(getattr(question, "text", None) or f"Domain: {domain.name if isinstance(domain, Domain) else domain}")


def _gold_in_words(item: Item[Any, Any]) -> str:
    if item.labels:
        return plain(", ".join(item.labels))
    gold = gold_of(item)
    if gold is not None:
        sentences, aspects = len(gold.by_sentence), len(gold.aspects)
        return counted(sentences, "sentence") + (f" on {aspects} aspects" if aspects > 1 else "")
    texts, right = getattr(item.gold, "texts", ()), getattr(item.gold, "right", None)
    return plain(texts[right], limit=_LONG) if right is not None else "none"


def _answer_in_words(result: ItemResult) -> str:
    if result.error is not None:
        return plain(f"failed, and counts as 0. {result.error}")
    given = [label or "no answer" for label in result.response.labels]
    scores = [f"{name} {value:.2g}" for name, value in result.scores.items()]
    return plain(", ".join([*given, *scores, f"{result.response.seconds:.2f} s"]))


def _list(marked: list[tuple[int, str]], paper: Paper) -> None:
    """Draw sentences by index, each with its mark. Gold or answers may name a sentence that the paper lacks."""
    lines = []
    for index, mark in marked:
        known = 0 <= index < len(paper.sentences)
        text = paper.sentences[index].text if known else "a sentence that is not in the paper"
        lines.append(f"- {mark} {plain(text, limit=_LONG)}")
    st.markdown("\n".join(lines))


# ---- the way to its paper ----

_PAGES = {
    TaskKind.EVIDENCE: (frame.EVIDENCE, "Open the paper, with this question and its gold"),
    TaskKind.BIAS: (frame.BIAS, "Open the paper at this domain"),
    TaskKind.SUMMARY: (frame.SUMMARY, "Open the paper, with this sentence and its gold"),
}


def offer_to_open(session: Session, run: CompleteRun, item: Item[Any, Any]) -> None:
    """Draw a button that opens the item's paper, if there is one."""
    paper = paper_of(item)
    if paper is None:
        st.caption("This task asks about sentences alone: there is no paper to open.")
        return
    kind = task_named(run.setup.task).kind
    if kind not in _PAGES:
        st.caption("Criteria are read on the desk of a review: there is no page for one by itself.")
        return
    page, label = _PAGES[kind]
    if st.button(label, key="open-item", type="primary", icon=":material/open_in_new:"):
        try:
            OPEN[kind](session, run, item, paper)
        except VouchError as error:
            session.problem = str(error)
            st.rerun()
        st.switch_page(page)


def _evidence(session: Session, run: CompleteRun, item: Item[Any, Any], paper: Paper) -> None:
    """Open the paper with its hypothesis and gold. An engine of this machine then answers at once; a model does not."""
    query, gold = item.question.query, gold_of(item)
    opened = session.put_on_desk(paper)
    if gold is not None:
        opened.golds[one_line(query.hypothesis)] = gold
        opened.show_gold = True
    if opened.question != one_line(query.hypothesis):
        opened.evidence = None
    opened.ask(query.hypothesis)
    session.k, session.tables = query.k, query.tables
    opened.say_results_first(query.results_only or query.results_first, query.hypothesis)
    engine = run.setup.engine
    if model_named(engine) is None and engine in ENGINES[TaskKind.EVIDENCE]:
        session.engine = engine
        session.search(opened, query)


def _bias(session: Session, run: CompleteRun, item: Item[Any, Any], paper: Paper) -> None:
    """Open the paper at the item's domain, with the review's question if the data include it."""
    case, tool = case_of(item), tool_named("rob1")
    session.put_on_desk(paper)
    if case is not None:
        session.bias.use(tool, case.study)
    asked = case.domain if case is not None else item.question.domain
    domain = asked.id if isinstance(asked, Domain) else str(asked)
    if domain in {one.id for one in tool.domains}:
        session.review.jump_to(domain)


def _summary(session: Session, run: CompleteRun, item: Item[Any, Any], paper: Paper) -> None:
    """Open the paper with the summary sentence in its field, and all summaries of it that people have labelled."""
    task = task_named(run.setup.task)
    source = task.source(data_of(run.setup, session.part(BenchmarkWork)))
    opened = session.put_on_desk(paper)
    if task in SUMMARY_TASKS:  # the other tasks' files hold no whole summaries
        labelled = read_farebio(source.read_bytes(), name=source.name).summaries
        opened.summary.golds = tuple(one for one in labelled if one.paper_id == item.group)
    opened.summary.draft = item.question.text
    st.session_state[f"summary-{paper.id}"] = item.question.text


OPEN = {TaskKind.EVIDENCE: _evidence, TaskKind.BIAS: _bias, TaskKind.SUMMARY: _summary}


# ---- tab ----

_ALL, _FAILED, _DIFFER = "All", "Failed", "Engines differ"
_TALL = 390  # pixels: ten rows


def show_items(session: Session, runs: Sequence[CompleteRun]) -> None:
    """Draw the table of items and the chosen item."""
    by_run = [{item.id: item for item in run.run.items} for run in runs]
    ids = list(dict.fromkeys(id for items in by_run for id in items))
    ways = [_ALL, *([_DIFFER] if len(runs) > 1 else []), *([_FAILED] if any(run.run.failed for run in runs) else [])]
    way: str | None = _ALL
    if len(ways) > 1:
        way = st.segmented_control("Items", ways, key=f"items-{len(ways)}", default=_ALL, required=True)
    wanted = [id for id in ids if _is_wanted(way, [items[id] for items in by_run if id in items])]
    if not wanted:
        st.caption("There is no such item.")
        return
    picked = st.dataframe(
        [_row(id, runs, by_run) for id in wanted],
        key=f"items-table-{way}-{hash(session.part(BenchmarkWork).shown)}",
        on_select="rerun",
        selection_mode="single-row",
        hide_index=True,
        column_config={"Paper": st.column_config.TextColumn(width="small")},
        height="content" if len(wanted) <= 10 else _TALL,
    )
    chosen = [wanted[number] for number in picked.selection.rows if number < len(wanted)]
    if not chosen:
        st.caption(
            f"{len(wanted):,} items, each engine with its score. Tick one to see its question and its gold, and to open its paper."
        )
        return
    _show_chosen(session, runs, by_run, chosen[0])


def _show_chosen(
    session: Session, runs: Sequence[CompleteRun], by_run: Sequence[Mapping[str, ItemResult]], id: str
) -> None:
    run = next(run for run, items in zip(runs, by_run, strict=True) if id in items)
    try:
        with st.spinner("Reading the item"):
            item = find_item(run.setup, id, session.part(BenchmarkWork))
    except VouchError as error:
        st.caption(f":material/info: {plain(str(error))}")
        return
    with st.container(border=True, key="bench-item"):
        answers = {one.run.engine: items[id] for one, items in zip(runs, by_run, strict=True) if id in items}
        offer_to_open(session, run, item)
        show_item(item, answers)


def _is_wanted(way: str | None, results: Sequence[ItemResult]) -> bool:
    if way == _FAILED:
        return any(result.error for result in results)
    if way == _DIFFER:
        return len({tuple(sorted(result.scores.items())) for result in results}) > 1
    return True


def _row(id: str, runs: Sequence[CompleteRun], by_run: Sequence[Mapping[str, ItemResult]]) -> dict[str, Any]:
    results = [items.get(id) for items in by_run]
    first = next(result for result in results if result is not None)
    row: dict[str, Any] = {"Item": id, "Category": first.category}
    if first.labels:
        row["Gold"] = ", ".join(first.labels)
    for run, result in zip(runs, results, strict=True):
        row[run.run.engine] = "" if result is None else answer_in_words(result)
    row["Paper"] = first.group  # its id in the data may be long
    return row


def answer_in_words(result: ItemResult) -> str:
    """An engine's answer, short enough for a cell."""
    if result.error:
        return "✕ failed"
    if result.labels:
        given = next(iter(result.response.labels), None) or "no answer"
        return f"{'✓' if (given,) == result.labels else '✕'} {given}"
    scores = {name: f"{value:.2g}" for name, value in result.scores.items() if name not in NO_MERIT}
    return ", ".join(f"{name} {value}" if len(scores) > 1 else value for name, value in scores.items())


def show_failures(runs: Sequence[CompleteRun]) -> None:
    """Draw the failed items and the broken records, each with its reason."""
    for complete in runs:
        run = complete.run
        failed = [item for item in run.items if item.error]
        if failed:
            with st.expander(
                f"{plain(run.engine)}: {len(failed):,} items failed, and count as 0", icon=":material/close:"
            ):
                st.dataframe([{"Item": item.id, "Reason": item.error} for item in failed], hide_index=True)
    broken = list(dict.fromkeys(record for run in runs for record in run.run.broken))
    if broken:
        with st.expander(f"{len(broken):,} records are broken, and were left out", icon=":material/warning:"):
            st.dataframe([{"Record": record} for record in broken], hide_index=True)
