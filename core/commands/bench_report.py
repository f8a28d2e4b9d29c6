"""A run of a benchmark in words."""

from __future__ import annotations

from collections.abc import Sequence

from core.benchmarks.model import CompleteRun
from core.commands.terminal import printable

_SHOWN = 20  # failed items and broken records; the JSON document has all


def print_run(complete: CompleteRun) -> None:
    """The metrics with their intervals, and what failed."""
    run = complete.run
    papers = len({item.group for item in run.items})
    print(f"{run.task}, engine {run.engine}: {len(run.items):,} items on {papers:,} papers, {run.seconds:.1f} s")
    width = max(14, *map(len, run.metrics), 0)
    for name, found in run.metrics.items():
        print(f"{name:{width}} {found.value:6.1%}  (95% interval {found.low:.1%} to {found.high:.1%})")
    if run.cost_usd:
        print(f"cost           ${run.cost_usd:,.4f}")
    _list(f"{run.failed:,} items failed and count as 0", [f"{i.id}: {i.error}" for i in run.items if i.error])
    _list(f"{len(run.broken):,} broken records were left out", run.broken)


def _list(title: str, lines: Sequence[str]) -> None:
    if lines:
        print(f"{title}:")
    for line in lines[:_SHOWN]:
        print(printable(f"  {line}"))
    if len(lines) > _SHOWN:
        print(f"  ... and {len(lines) - _SHOWN:,} more, in the document of --json")
