"""The tab of items: each question with what every engine made of it, its gold, and the way to its paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.benchmarks.model import CompleteRun, ItemResult
from core.errors import VouchError
from pages._ui.benchmarks import finding, opening_item
from pages._ui.benchmarks.item_view import show_item
from pages._ui.escape import plain
from pages._ui.state import Session

_ALL, _FAILED, _DIFFER = "All", "Failed", "Engines differ"
_NO_MERIT = ("best_possible", "gold")
_TALL = 390  # pixels: ten rows


def show(now: Session, runs: Sequence[CompleteRun]) -> None:
    """Draw the items, the one that is chosen, and what failed or is broken."""
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
        key=f"items-table-{way}-{hash(now.bench.shown)}",
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
    _show_chosen(now, runs, by_run, chosen[0])


def _show_chosen(
    now: Session, runs: Sequence[CompleteRun], by_run: Sequence[Mapping[str, ItemResult]], id: str
) -> None:
    run = next(run for run, items in zip(runs, by_run, strict=True) if id in items)
    try:
        with st.spinner("Reading the item"):
            item = finding.item(run.setup, id, now.bench)
    except VouchError as error:
        st.caption(f":material/info: {plain(str(error))}")
        return
    with st.container(border=True, key="bench-item"):
        answers = {one.run.engine: items[id] for one, items in zip(runs, by_run, strict=True) if id in items}
        opening_item.offer(now, run, item)
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
    row["Paper"] = first.group  # by its id in the data, which may be long
    return row


def answer_in_words(result: ItemResult) -> str:
    """What an engine made of it, in a cell."""
    if result.error:
        return "✕ failed"
    if result.labels:
        given = next(iter(result.response.labels), None) or "no answer"
        return f"{'✓' if (given,) == result.labels else '✕'} {given}"
    scores = {name: f"{value:.2g}" for name, value in result.scores.items() if name not in _NO_MERIT}
    return ", ".join(f"{name} {value}" if len(scores) > 1 else value for name, value in scores.items())


def show_failures(runs: Sequence[CompleteRun]) -> None:
    """What failed, and which records are broken, each with its reason."""
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
