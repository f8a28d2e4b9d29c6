"""The results of the runs on show: figures with intervals beside published ones, and the files to take away."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from core.benchmarks.model import CompleteRun
from core.benchmarks.published import NOTE, published
from core.benchmarks.samples import is_sample
from core.export.benchmark_run import command, run_document
from core.export.run_table import (
    FEW_ITEMS,
    ResultTable,
    in_words,
    result_table,
    results_csv,
    results_latex,
    results_markdown,
)
from pages._ui.downloads import download
from pages._ui.escape import plain
from pages._ui.money import dollars

_MOST_ROWS, _TALL = 14, 525  # pixels: as many rows, with the head


INVENTED = "These figures are of samples, invented by us: nothing published stands beside them."


def table_of(runs: Sequence[CompleteRun]) -> ResultTable:
    """Our runs and the published figures of their task, beside which no invented sample stands."""
    return result_table(runs, () if _invented(runs) else published(runs[0].setup.task))


def _invented(runs: Sequence[CompleteRun]) -> bool:
    return any(is_sample(run.origin.file_sha256) for run in runs)


def show(runs: Sequence[CompleteRun]) -> None:
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
        st.caption(plain(in_a_line(run)))
    _downloads(runs, table)


def in_a_line(complete: CompleteRun) -> str:
    """What a run went through, in a line."""
    run = complete.run
    papers = len({item.group for item in run.items})
    cost = "cost unknown" if run.cost_usd is None else dollars(run.cost_usd)
    failed = f", {run.failed:,} failed and count as 0" if run.failed else ""
    return f"{run.engine}: {len(run.items):,} items on {papers:,} papers{failed}, {run.seconds:.1f} s, {cost}"


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
    """The file of a text."""
    return make().encode()


def _document(runs: Sequence[CompleteRun]) -> str:
    documents = [run_document(run) for run in runs]
    return json.dumps(documents[0] if len(documents) == 1 else {"runs": documents}, ensure_ascii=False, indent=1)
