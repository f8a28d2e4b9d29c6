"""What each engine found, took and cost, how far any two of them agree, and the files to take away."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.benchmarks.side_by_side.figures import engine_figures
from core.benchmarks.side_by_side.model import Comparison
from core.export.side_by_side import Table, figures_table, pairs_table
from core.llm import model_named
from core.paper import Paper
from pages._ui.compare import files
from pages._ui.escape import plain
from pages._ui.money import dollars

_COST = "cost in $"  # shown even where it is unknown for all
_ABOUT = (
    "Jaccard: shared sentences over all that either chose. Overlap@k: the share of the first k that both have. Kappa and "
    "AC1 go over all sentences that could be chosen; AC1 stays meaningful where most are chosen by nobody."
)


def show(comparison: Comparison, paper: Paper | None) -> None:
    """Draw the engines' figures, with what failed; the agreement is folded away. No paper: of saved runs."""
    for side in comparison.sides:
        if side.error:
            st.caption(f":material/error: {side.letter} ({plain(side.engine)}) failed: {plain(side.error)}")
    asked = any(side.again for side in comparison.sides)
    _draw(figures_table(comparison), leave_out=("failed",) if asked else ("failed", "asked"))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(plain(_on_stability(comparison)) if paper else "", width="stretch")
        if len(comparison.answered) > 1:
            with st.popover("Agreement", icon=":material/handshake:", width=150):
                _draw(pairs_table(comparison))
                st.caption(plain(_ABOUT))
        with st.popover("Files", icon=":material/download:", width=110):
            files.show(comparison, paper)


def _draw(table: Table, *, leave_out: Sequence[str] = ()) -> None:
    """Columns without a single value are left out; a cost that is not known says so."""
    wanted = [name for name in table.columns if name not in leave_out and name in {*table.filled, _COST}]
    st.dataframe(
        [
            {name.capitalize() if name.islower() else name: _cell(name, row[name]) for name in wanted}
            for row in table.rows
        ],
        hide_index=True,
        height="content",
        column_config={"": st.column_config.TextColumn(width=60)},
    )


def _cell(name: str, value: object) -> str:
    if name == _COST:
        return dollars(value) if isinstance(value, float | int) else "unknown"
    if value is None:
        return "–"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _on_stability(comparison: Comparison) -> str:
    """How stable the engines are, in words."""
    local = [side.letter for side in comparison.answered if not model_named(side.engine)]
    parts = []
    if local:
        says = "computes" if len(local) == 1 else "compute"
        names = " and ".join(filter(None, (", ".join(local[:-1]), local[-1])))
        parts.append(f"{names} {says} on this machine, and would say the same again.")
    again = [figures for figures in engine_figures(comparison) if figures.stability]
    for figures in again:
        always = sum(len(one.always) for one in figures.stability)
        sometimes = sum(len(one.sometimes) for one in figures.stability)
        times = figures.stability[0].times
        parts.append(
            f"{figures.side.letter}, asked {times} times: {always} sentences every time, {sometimes} not always."
        )
    if not again and len(local) < len(comparison.answered):
        parts.append("Ask models several times to see how stable they are.")
    return " ".join(parts)
