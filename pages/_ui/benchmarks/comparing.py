"""The tab of pairs: whether a difference between two engines is more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.benchmarks.model import CompleteRun
from core.benchmarks.run_comparison import Compared, compared
from core.errors import VouchError
from core.export.comparison import COLUMNS, comparison_rows
from core.export.table import table_csv, table_latex, table_markdown
from pages._ui.benchmarks import plots
from pages._ui.benchmarks.results import encoded
from pages._ui.downloads import download
from pages._ui.escape import plain

_NO_MERIT = ("best_possible", "gold")  # scores that are the same whatever an engine does
CAPTION = (
    "Paired bootstrap over papers, two-sided; p is corrected for the number of pairs by Holm's method. "
    "McNemar's exact test where items are right or wrong."
)


def show(runs: Sequence[CompleteRun]) -> None:
    """Draw every pair on every measure, with the downloads."""
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
            st.markdown(plain(in_words(one)))
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


def in_words(one: Compared) -> str:
    """A pair on a measure, in a sentence."""
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
    return tuple(one for one in found if one.metric not in _NO_MERIT)
