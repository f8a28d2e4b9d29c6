"""The opened runs in tabs: results, plots, pairs and items."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial

import streamlit as st

from core.benchmarks.model import CompleteRun
from core.benchmarks.published import NOTE, published
from core.benchmarks.run_comparison import Compared, compared, parts_of
from core.benchmarks.samples import is_sample
from core.benchmarks.side_by_side.comparisons import NO_MERIT
from core.errors import VouchError
from core.export.benchmark_runs import (
    COLUMNS,
    FEW_ITEMS,
    HERE,
    ResultTable,
    command,
    comparison_rows,
    in_words,
    result_table,
    results_csv,
    results_latex,
    results_markdown,
    run_document,
    with_unique_names,
)
from core.export.table import table_csv, table_latex, table_markdown
from core.runs import GOLD, Positions, saved_run
from core.text.words import counted
from pages._ui.benchmarks import items, plots
from pages._ui.benchmarks.state import BenchmarkWork
from pages._ui.downloads import download
from pages._ui.escape import plain
from pages._ui.model_choice import dollars
from pages._ui.page_jobs import show_job
from pages._ui.state import Session
from pages._ui.stored import the_store

# ---- results ----

_MOST_ROWS, _TALL = 14, 525  # rows without scrolling, and their height in pixels with the head


INVENTED = "These figures are of samples, invented by us: nothing published stands beside them."


def table_of(runs: Sequence[CompleteRun]) -> ResultTable:
    """Our runs beside the published figures of their task. Runs on samples stand alone."""
    return result_table(runs, () if _invented(runs) else published(runs[0].setup.task))


def _invented(runs: Sequence[CompleteRun]) -> bool:
    return any(is_sample(run.origin.file_sha256) for run in runs)


def show_results(runs: Sequence[CompleteRun]) -> None:
    """Draw the table with its notes, and the downloads."""
    table = table_of(runs)
    _, rows = in_words(table)
    st.caption("In brackets: 95% intervals, papers drawn with replacement. ±: the margin that the paper gives.")
    st.dataframe(rows, hide_index=True, key="bench-table", height="content" if len(rows) <= _MOST_ROWS else _TALL)
    if len(table.rows) > len(runs):
        st.caption(f":material/info: {plain(NOTE)}")
    if _invented(runs):
        st.caption(f":material/info: {INVENTED}")
    if table.has_few:
        st.caption(f":material/warning: {FEW_ITEMS}")
    for note in dict.fromkeys(note for run in runs for note in run.origin.notes):
        st.caption(f":material/warning: {plain(note)}")
    for run in runs:
        st.caption(plain(run_in_a_line(run)))
    _downloads(runs, table)


def run_in_a_line(complete: CompleteRun) -> str:
    """One line on a run: its items, failures, time and cost."""
    run = complete.run
    papers = len({item.group for item in run.items})
    cost = "cost unknown" if run.cost_usd is None else dollars(run.cost_usd)
    failed = f", {run.failed:,} failed and count as 0" if run.failed else ""
    return f"{run.engine}: {counted(len(run.items), 'item')} on {counted(papers, 'paper')}{failed}, {run.seconds:.1f} s, {cost}"


def _downloads(runs: Sequence[CompleteRun], table: ResultTable) -> None:
    name = table.task.replace("/", "-").replace("@", "-at-")
    files = (
        ("Table (CSV)", partial(results_csv, table), ".csv", "text/csv"),
        ("Table (Markdown)", partial(results_markdown, table, note=NOTE), ".md", "text/markdown"),
        ("Table (LaTeX)", partial(results_latex, table, note=NOTE), ".tex", "text/x-tex"),
        ("Runs (JSON)", partial(_document, runs), ".json", "application/json"),
    )
    with st.container(key="bench-downloads", horizontal=True, gap="small"):
        for label, make, ending, mime in files:
            about = "Every item, and all that is needed to repeat the runs" if ending == ".json" else ""
            download(label, partial(encoded, make), name=name + ending, mime=mime, about=about, keeps=False)
    with st.expander("Run it again from the command line", icon=":material/terminal:"):
        for run in runs:
            st.code(command(run.setup), language="bash", wrap_lines=True)


def encoded(make: Callable[[], str]) -> bytes:
    """The bytes of a file that `make` returns as text."""
    return make().encode()


def _document(runs: Sequence[CompleteRun]) -> str:
    documents = [run_document(run) for run in runs]
    return json.dumps(documents[0] if len(documents) == 1 else {"runs": documents}, ensure_ascii=False, indent=1)


# ---- pairs ----

CAPTION = (
    "Paired bootstrap over papers, two-sided; p is corrected for the number of pairs by Holm's method. "
    "McNemar's exact test where items are right or wrong."
)


def show_pairs(runs: Sequence[CompleteRun]) -> None:
    """Draw every pair of engines on the chosen measure, with the downloads."""
    if len(runs) < 2:
        st.caption("Run two engines or more on the same data, or tick several saved runs, to compare them.")
        return
    try:
        found = _compared(tuple(run.setup.id for run in runs), runs)
    except VouchError as error:
        st.caption(f":material/info: {plain(str(error))}")
        return
    metric = st.selectbox("Measure", list(dict.fromkeys(one.metric for one in found)), key="pairs-measure", width=340)
    st.altair_chart(plots.differences(found, metric), width="stretch")
    for one in found:
        if one.metric == metric:
            st.markdown(plain(pair_in_words(one)))
    rows = comparison_rows(found)
    st.dataframe(rows, hide_index=True, key="bench-pairs", height="content")
    st.caption(CAPTION)
    with st.container(horizontal=True, gap="small"):
        for label, make, ending, mime in (
            ("Pairs (CSV)", partial(table_csv, COLUMNS, rows), "csv", "text/csv"),
            ("Pairs (Markdown)", partial(table_markdown, COLUMNS, rows), "md", "text/markdown"),
            ("Pairs (LaTeX)", partial(table_latex, COLUMNS, rows, caption=CAPTION), "tex", "text/x-tex"),
        ):
            download(label, partial(encoded, make), name=f"comparison.{ending}", mime=mime, about="", keeps=False)


def pair_in_words(one: Compared) -> str:
    """A pair's comparison on a measure, as a sentence."""
    value = one.difference.value
    ahead = one.other if value > 0 else one.one
    sure = plots.is_sure(one)
    if value == 0:
        return f"{one.one} and {one.other} come to the same figure."
    verdict = "more than chance" if sure else "which may be chance"
    return f"{ahead} is ahead of {one.one if ahead == one.other else one.other}, {verdict} (p = {one.corrected_p:.3f})."


@st.cache_resource(max_entries=16, show_spinner="Drawing papers, to see what chance alone would do")
def _compared(ids: tuple[str, ...], _runs: Sequence[CompleteRun]) -> tuple[Compared, ...]:
    found = compared([run.run for run in _runs])
    return tuple(one for one in found if one.metric not in NO_MERIT)


# ---- plots ----

_PROJECTED = 107_461  # papers of EvidenceBench-100k


def measure_field(runs: Sequence[CompleteRun]) -> str:
    """Draw the choice of the measure for plots. Returns the name of its metric."""
    measures = list(dict.fromkeys(name for run in runs for name in run.run.metrics if name != "best_possible"))
    return st.selectbox("Measure", measures, key=f"measure-{runs[0].setup.task}", width=340)


def show_figures(runs: Sequence[CompleteRun]) -> None:
    """Draw every engine's figure beside the published ones."""
    metric = measure_field(runs)
    table = table_of(runs)
    _draw(plots.figures(table, metric))
    sources = dict.fromkeys(row.source for row in table.rows if row.source != HERE and metric in row.figures)
    told = f" Published: {'; '.join(sources)}, with the margin that the paper gives, if any. {NOTE}" if sources else ""
    st.caption(plain(f"This machine: 95% intervals.{told}"))


def show_parts(runs: Sequence[CompleteRun]) -> None:
    """Draw each measure that is split by part."""
    drawn = False
    for measure in dict.fromkeys(measure for run in runs for measure in parts_of(run.run.metrics)):
        own = {run.run.engine: parts_of(run.run.metrics).get(measure, {}) for run in runs}
        if max(map(len, own.values())) > 1:
            drawn = True
            _draw(plots.by_part(measure, own))
    if not drawn:
        st.caption("The figures of this task are not told by category.")


def show_price(runs: Sequence[CompleteRun]) -> None:
    """Draw what an item takes against the engine's quality, and how long a large data set would take."""
    metric = next(name for name in runs[0].run.metrics)
    rows = [_price_row(run) for run in runs]
    seconds = [
        plots.Priced(run.run.engine, run.run.metrics[metric], run.run.seconds / len(run.run.items))
        for run in runs
        if metric in run.run.metrics
    ]
    _draw(plots.price(metric, seconds, title="Seconds per item"))
    paid = [(run, run.run.cost_usd) for run in runs if metric in run.run.metrics]
    if any(cost for _, cost in paid):
        known = [
            plots.Priced(run.run.engine, run.run.metrics[metric], cost / len(run.run.items))
            for run, cost in paid
            if cost is not None
        ]
        _draw(plots.price(metric, known, title="Dollars per item"))
    st.dataframe(rows, hide_index=True, key="bench-price", height="content")
    if runs[0].setup.task.startswith("evidencebench/"):
        _projection(runs)


def _price_row(complete: CompleteRun) -> dict[str, str]:
    run = complete.run
    number = len(run.items)
    cost, usage = run.cost_usd, run.usage
    tokens = None if usage is None or usage.input_tokens is None or usage.output_tokens is None else usage
    return {
        "Engine": run.engine,
        "Items": f"{number:,}",
        "Seconds": f"{run.seconds:.1f}",
        "Seconds per item": f"{run.seconds / number:.3f}",
        "Cost": "unknown" if cost is None else dollars(cost),
        "Cost per item": "unknown" if cost is None else dollars(cost / number),
        "Tokens in": f"{tokens.input_tokens:,}" if tokens else "",
        "Tokens out": f"{tokens.output_tokens:,}" if tokens else "",
    }


def _projection(runs: Sequence[CompleteRun]) -> None:
    """Draw how long EvidenceBench-100k would take at this pace."""
    st.caption(
        f"At this pace, the {_PROJECTED:,} papers of EvidenceBench-100k would take (a projection, not measured):"
    )
    for complete in runs:
        run = complete.run
        each = run.seconds / len(run.items)
        one, ten = (_duration(each * _PROJECTED / machines) for machines in (1, 10))
        cost = "" if not run.cost_usd else f", {dollars(run.cost_usd / len(run.items) * _PROJECTED)}"
        st.caption(plain(f"{run.engine}: {one} on this machine, {ten} on ten{cost}"))


def _duration(seconds: float) -> str:
    return f"{seconds / 60:,.0f} min" if seconds < 5400 else f"{seconds / 3600:,.1f} h"


def show_places(session: Session, runs: Sequence[CompleteRun]) -> None:
    """Draw where in their papers the gold and the chosen sentences stand. Reading the data shows its progress."""
    bench = session.part(BenchmarkWork)
    key = tuple(run.setup.id for run in runs)
    looked = bench.looked_up
    if looked is None or looked[0] != key:
        items.look_up_places(session, runs)
        looked = bench.looked_up
    if looked is None:
        return
    running = looked[1]
    if not running.ended:
        show_job(running, key="placing", stop=running.stop)
    elif isinstance(running.error, VouchError):
        st.caption(f":material/info: {plain(str(running.error))}")
    elif running.error is not None:
        raise running.error
    elif running.result is not None:
        _draw_places(running.result)
    else:
        st.caption("Reading the data was cancelled.")
        st.button("Read the data", key="read-places", on_click=items.forget_places, args=(session,))


def _draw_places(found: Positions) -> None:
    most = max(max(plots.shares(places)) for places in found.of.values()) * 1.05
    for name, positions in found.of.items():
        title = "Gold: sentences that people marked" if name == GOLD else f"Chosen by {name}"
        st.markdown(f"**{plain(title)}** · {len(positions):,} sentences")
        _draw(plots.places(positions, most=most, colour=plots.THEIRS if name == GOLD else plots.OURS))
    st.caption(
        "An engine whose bars are low where gold's are high gets lost there (EvidenceBench, section 6 and figure 4)."
    )


def _draw(chart: plots.Plot) -> None:
    st.altair_chart(chart, width="stretch")


# ---- tabs ----


def show(session: Session) -> None:
    """Draw the results of the opened runs."""
    runs = shown(session)
    if not runs:
        return
    st.subheader(plain(runs[0].setup.task), anchor=False)
    draw: Mapping[str, Callable[[], None]] = {
        "Results": partial(show_results, runs),
        "Plot": partial(show_figures, runs),
        "By category": partial(show_parts, runs),
        "Place in the paper": partial(show_places, session, runs),
        "Price": partial(show_price, runs),
        "Pairs": partial(show_pairs, runs),
        "Items": partial(items.show_items, session, runs),
    }
    tabs = st.tabs(list(draw), key="bench-tabs", on_change="rerun")
    for tab, draw_tab in zip(tabs, draw.values(), strict=True):
        if tab.open:
            with tab:
                draw_tab()
    items.show_failures(runs)


def shown(session: Session) -> tuple[CompleteRun, ...]:
    """The finished runs that are open."""
    return complete_runs(session.part(BenchmarkWork).shown)


def complete_runs(ids: Sequence[str]) -> tuple[CompleteRun, ...]:
    """Finished runs from the store. A run that is no longer there is left out, with a message."""
    found = []
    for run in ids:
        try:
            finished = the_store().runs.one(run).finished
            if finished is not None:
                found.append(_complete(run, finished))
        except VouchError as error:
            st.error(plain(str(error)), icon=":material/error:")
    return with_unique_names(found)


@st.cache_resource(max_entries=16, show_spinner="Reading the run")
def _complete(run: str, finished: datetime) -> CompleteRun:
    """Read a run from the store. `finished` is part of the cache key: trying failed items again changes it."""
    return saved_run(run, the_store().runs)
