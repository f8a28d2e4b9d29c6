"""Saved runs of one task compared: figures, agreement, paired tests, and the items on which they differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.benchmarks.model import CompleteRun, SavedRun
from core.benchmarks.side_by_side.comparisons import (
    ItemComparison,
    comparison_of_item,
    comparison_of_runs,
    item_comparisons,
)
from core.benchmarks.side_by_side.model import LETTERS, MOST_ENGINES
from core.benchmarks.tasks import paper_of, task_named
from core.engines import TaskKind
from core.errors import DatasetError, VouchError
from core.export.benchmark_runs import in_words, result_table
from pages._ui import frame
from pages._ui.benchmarks import items
from pages._ui.benchmarks.items import answer_in_words, question_in_words
from pages._ui.benchmarks.report import complete_runs, show_pairs
from pages._ui.benchmarks.state import BenchmarkWork
from pages._ui.compare import desk
from pages._ui.compare.desk import EVERYTHING, filters_of
from pages._ui.compare.state import CompareChoices, CompareWork
from pages._ui.open_paper import one_line
from pages._ui.state import Session, prime
from pages._ui.stored import the_store

_TALL = 390  # pixels; ten rows


def show(session: Session) -> None:
    """Draw the choice of runs, and their comparison."""
    saved = {run.setup.id: run for run in the_store().runs.all() if run.finished}
    tasks = [run.setup.task for run in saved.values()]
    several = [task for task in dict.fromkeys(tasks) if tasks.count(task) > 1]
    if not several:
        st.markdown("No task has two finished runs yet. Run two engines on the same data, then compare them here.")
        st.page_link(frame.BENCHMARKS, label="To the benchmarks", icon=":material/leaderboard:")
        return
    runs = complete_runs(_choose(session, saved, several))
    if len(runs) < 2:
        st.caption("Choose two runs at least.")
        return
    task = task_named(runs[0].setup.task).kind
    st.dataframe(in_words(result_table(runs))[1], hide_index=True, key="compare-runs-figures", height="content")
    desk.show_figures(comparison_of_runs([run.run for run in runs], task), None)
    with st.expander("Is a difference more than chance?", icon=":material/query_stats:"):
        show_pairs(runs)
    _items(session, runs, task)


def _choose(session: Session, saved: Mapping[str, SavedRun], tasks: Sequence[str]) -> tuple[str, ...]:
    """Draw the choice of a task and its runs. Returns the runs' ids."""
    choices = session.part(CompareChoices)
    before = [run for run in choices.runs if run in saved]
    here = saved[before[0]].setup.task if before else tasks[0]
    prime(**{"compare-runs-task": here if here in tasks else tasks[0]})
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        task = st.selectbox("Task", tasks, key="compare-runs-task", width=260)
        known = [run for run, one in saved.items() if one.setup.task == task]
        key = f"compare-runs-{task}"
        prime(**{key: [run for run in before if run in known] or known[:2]})
        chosen = st.multiselect(
            "Runs",
            known,
            key=key,
            max_selections=MOST_ENGINES,
            format_func=lambda run: _name(saved[run]),
            placeholder="Two to four",
            width="stretch",
        )
    choices.runs = tuple(chosen)
    return choices.runs


def _name(run: SavedRun) -> str:
    limit = "" if run.setup.limit is None else f", first {run.setup.limit:,}"
    seed = f", seed {run.setup.seed}" if run.setup.seed else ""
    begun = run.origin.started.astimezone().strftime("%Y-%m-%d %H:%M")
    return f"{run.setup.engine}{seed} on {run.origin.data}{limit} ({begun})"


def _items(session: Session, runs: Sequence[CompleteRun], task: TaskKind) -> None:
    """Draw every item with each engine's answer. The chosen item can be opened in its paper."""
    found = item_comparisons([run.run for run in runs])
    known = _ways(found, LETTERS[: len(runs)])
    counts = {name: sum(map(wanted, found)) for name, wanted in known.items()}
    key = "-".join(run.setup.id for run in runs)
    way = st.segmented_control(
        "Items", list(known), key=f"compare-items-{key}", default=EVERYTHING, required=True,
        format_func=lambda name: f"{name} {counts[name]:,}",
    )  # fmt: skip
    shown = [one for one in found if known[way or EVERYTHING](one)]
    if not shown:
        st.caption("There is no such item.")
        return
    picked = st.dataframe(
        [_row(one, runs) for one in shown],
        key=f"compare-items-table-{way}-{key}",
        on_select="rerun",
        selection_mode="single-row",
        hide_index=True,
        height="content" if len(shown) <= 10 else _TALL,
    )
    chosen = [shown[number] for number in picked.selection.rows if number < len(shown)]
    if chosen:
        st.button(
            "Lay the answers over its paper",
            key="open-compared",
            type="primary",
            icon=":material/compare:",
            on_click=open_item,
            args=(session, runs, chosen[0].id, task),
        )
    else:
        st.caption("Tick an item to see every engine's answer in its paper.")


def _ways(found: Sequence[ItemComparison], letters: str) -> Mapping[str, Callable[[ItemComparison], bool]]:
    """The filters by name. If scores are shares, no engine is right or wrong, but one may have a better score."""
    judged = all(one.wrong for one in found)
    ahead = {} if judged else {f"{letter} ahead": _ahead(place) for place, letter in enumerate(letters)}
    return {**filters_of(letters, judged=judged), **ahead}


def _ahead(place: int) -> Callable[[ItemComparison], bool]:
    return lambda one: one.ahead == place


def _row(one: ItemComparison, runs: Sequence[CompleteRun]) -> dict[str, Any]:
    first = one.results[0]
    row: dict[str, Any] = {"": "≠" if one.disputed else "=", "Item": one.id, "Paper": first.group}
    if first.labels:
        row["Gold"] = ", ".join(first.labels)
    for letter, run, result in zip(LETTERS, runs, one.results, strict=False):
        row[f"{letter} · {run.run.engine}"] = answer_in_words(result)
    return row


def open_item(session: Session, runs: Sequence[CompleteRun], id: str, task: TaskKind) -> None:
    """Put the item's paper on the desk, with every engine's answer."""
    choices = session.part(CompareChoices)
    session.problem = None
    try:
        item = items.find_item(runs[0].setup, id, session.part(BenchmarkWork))
        paper = paper_of(item)
        if paper is None:
            raise DatasetError("This task asks about sentences alone: there is no paper to open.")
    except VouchError as error:
        session.problem = str(error)
        return
    comparison = comparison_of_item([run.run for run in runs], item, task, question_in_words(item))
    opened = session.put_on_desk(paper)
    opened.part(CompareWork).keep(comparison)
    if task is TaskKind.EVIDENCE:
        opened.ask(comparison.question)
        if (gold := comparison.topics[0].gold) is not None:
            opened.golds[one_line(comparison.question)] = gold
    choices.over_runs, choices.task = False, task
    st.session_state["compare-task"] = task
    st.session_state["compare-over-runs"] = False
