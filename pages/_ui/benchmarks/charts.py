"""The tabs with plots: figures, parts, places and price."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.benchmarks.metrics.parts import parts_of
from core.benchmarks.model import CompleteRun
from core.benchmarks.published import NOTE
from core.errors import VouchError
from core.export.run_table import HERE
from core.runs.positions import GOLD, Positions
from pages._ui import board
from pages._ui.benchmarks import finding, plots
from pages._ui.benchmarks.results import table_of
from pages._ui.escape import plain
from pages._ui.money import dollars
from pages._ui.state import Session

_PROJECTED = 107_461  # papers of EvidenceBench-100k


def measure_field(runs: Sequence[CompleteRun]) -> str:
    """The measure that plots show, by the name of its metric."""
    measures = list(dict.fromkeys(name for run in runs for name in run.run.metrics if name != "best_possible"))
    return st.selectbox("Measure", measures, key=f"measure-{runs[0].setup.task}", width=340)


def figures(runs: Sequence[CompleteRun]) -> None:
    """Every engine's figure beside the published ones."""
    metric = measure_field(runs)
    table = table_of(runs)
    _draw(plots.figures(table, metric))
    sources = dict.fromkeys(row.source for row in table.rows if row.source != HERE and metric in row.figures)
    told = f" Published: {'; '.join(sources)}, with the margin that the paper gives, if any. {NOTE}" if sources else ""
    st.caption(plain(f"This machine: 95% intervals.{told}"))


def parts(runs: Sequence[CompleteRun]) -> None:
    """Each measure that has parts."""
    drawn = False
    for measure in dict.fromkeys(measure for run in runs for measure in parts_of(run.run.metrics)):
        own = {run.run.engine: parts_of(run.run.metrics).get(measure, {}) for run in runs}
        if max(map(len, own.values())) > 1:
            drawn = True
            _draw(plots.by_part(measure, own))
    if not drawn:
        st.caption("The figures of this task are not told by category.")


def price(runs: Sequence[CompleteRun]) -> None:
    """What an item takes against how good the engine is, and how long a large data set would take."""
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
    """How long EvidenceBench-100k would take at this pace."""
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


def places(now: Session, runs: Sequence[CompleteRun]) -> None:
    """Where in their papers the gold and the chosen sentences stand. The data are read for it, with progress."""
    key = tuple(run.setup.id for run in runs)
    looked = now.bench.looked_up
    if looked is None or looked[0] != key:
        finding.look_up_places(now, runs)
        looked = now.bench.looked_up
    if looked is None:
        return
    running = looked[1]
    if not running.ended:
        board.show(running, key="placing", stop=running.stop)
    elif isinstance(running.error, VouchError):
        st.caption(f":material/info: {plain(str(running.error))}")
    elif running.error is not None:
        raise running.error
    elif running.result is not None:
        _draw_places(running.result)
    else:
        st.caption("Reading the data was cancelled.")
        st.button("Read the data", key="read-places", on_click=finding.forget_places, args=(now,))


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
