"""What each engine found, took and cost, and how far any two of them agree."""

from __future__ import annotations

from statistics import fmean

import streamlit as st

from core.benchmarks.side_by_side.agreement import DEPTHS
from core.benchmarks.side_by_side.figures import EngineFigures, PairFigures, engine_figures, pair_figures
from core.benchmarks.side_by_side.model import Comparison
from core.llm import model_named
from pages._ui.escape import plain
from pages._ui.money import dollars


def show(comparison: Comparison) -> None:
    """Draw both tables side by side, with what failed above them."""
    for side in comparison.sides:
        if side.error:
            st.caption(f":material/error: {side.letter} ({plain(side.engine)}) failed: {plain(side.error)}")
    engines, pairs = engine_figures(comparison), pair_figures(comparison)
    with st.container(key="compare-figures"):
        st.dataframe([_engine(one) for one in engines], hide_index=True, width="stretch")
        if pairs:
            with st.expander("Agreement between engines"):
                st.dataframe([_pair(pair) for pair in pairs], hide_index=True, width="stretch")
                st.caption(plain(_ABOUT))
        st.caption(plain(_on_stability(engines)))


_ABOUT = (
    "Jaccard: shared sentences over all that either chose. Overlap@k: the share of the first k that both have. Kappa and "
    "AC1 go over all sentences that could be chosen; AC1 stays meaningful where most are chosen by nobody."
)


def _engine(figures: EngineFigures) -> dict[str, object]:
    side = figures.side
    row: dict[str, object] = {"": side.letter, "Engine": side.engine, "Sentences": figures.sentences}
    row["By it alone"] = figures.alone
    if figures.recall is not None:
        row["Aspect recall"] = f"{figures.recall:.0%}"
    if figures.right is not None:
        row["Like gold"] = f"{figures.right} of {figures.labelled}"
    row["Seconds"] = f"{side.seconds:.2f}"
    row["Cost"] = "unknown" if side.cost_usd is None else dollars(side.cost_usd)
    return row


def _pair(pair: PairFigures) -> dict[str, object]:
    found, labels = pair.selections, pair.labels
    row: dict[str, object] = {"": f"{pair.one.letter} and {pair.other.letter}", "Shared": found.shared}
    row["Jaccard"] = _figure(found.jaccard)
    row |= {f"Overlap@{depth}": _figure(found.overlap[depth]) for depth in DEPTHS if depth in found.overlap}
    row |= {"Kappa": _figure(found.kappa), "AC1": _figure(found.ac1)}
    if labels is not None:
        row["Same label"] = f"{round((labels.agreed.value or 0) * labels.pairs)} of {labels.pairs}"
        row |= {"Kappa of labels": _figure(labels.kappa.value), "AC1 of labels": _figure(labels.ac1.value)}
    return row


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _on_stability(engines: tuple[EngineFigures, ...]) -> str:
    """How stable each engine is, in words."""
    parts = []
    for figures in engines:
        shares = [one.jaccard for one in figures.stability if one.jaccard is not None]
        if shares:
            times = figures.stability[0].times
            parts.append(
                f"{figures.side.letter}, asked {times} times: {fmean(shares):.0%} of its sentences stay (Jaccard)"
            )
    local = [figures.side.letter for figures in engines if not model_named(figures.side.engine)]
    if local:
        says = "says" if len(local) == 1 else "say"
        parts.append(f"{' and '.join(local)} {says} the same every time")
    return "Stability: " + ". ".join(parts) + "." if parts else "Ask models several times to see how stable they are."
