"""How far two reviewers agree, domain by domain, on the papers that both have judged."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import streamlit as st

from core.bias import Level
from core.bias.agreement import FEWEST_FOR_INTERVAL, Agreement, Estimate, agreement
from pages._ui.escape import plain
from pages._ui.review.board import Board

_NOT_DEFINED = "–"
_ABOUT = (
    "Papers that only one of the two has judged are left out, and counted. In brackets: 95% intervals, papers "
    f"resampled; a dash in them: fewer than {FEWEST_FOR_INTERVAL} papers, or the figure defined on too few samples. "
    "Kappa is Cohen's; the weighted one takes levels that are further apart for a stronger disagreement. AC1 "
    "is Gwet's, which stays meaningful where nearly all levels are alike. A dash alone: not defined, as where all levels are "
    "the same."
)


def show(board: Board) -> None:
    """Draw the table, for each two reviewers one."""
    pairs = list(combinations(board.project.reviewers, 2))
    if not pairs:
        st.caption("One reviewer alone: nothing to compare.")
        return
    if not any(len([level for level in one.levels.values() if level]) > 1 for one in board.levels):
        st.caption("Shown when two reviewers have judged the same domain of a paper, and you may see both.")
        return
    pair = pairs[0]
    if len(pairs) > 1:
        pair = st.selectbox("Reviewers", pairs, format_func=" and ".join, key="agreement-of", width=300)
    found = by_domain(board, *pair)
    st.table(
        {
            "Domain": [plain(name) for name in found],
            "Papers": [one.pairs for one in found.values()],
            "Only one": [one.unpaired for one in found.values()],
            "Agreed": [per_cent(one.agreed) for one in found.values()],
            "Kappa": [in_words(one.kappa) for one in found.values()],
            "Weighted kappa": [in_words(one.weighted_kappa) for one in found.values()],
            "AC1": [in_words(one.ac1) for one in found.values()],
        },
        border="horizontal",
        hide_index=True,
    )
    st.caption(_ABOUT)


def by_domain(board: Board, one: str, other: str) -> dict[str, Agreement]:
    """The agreement of two reviewers on each domain, by its name, as far as the reader may see their levels."""
    pairs: dict[str, list[tuple[Level | None, Level | None]]] = {domain.id: [] for domain in board.tool.domains}
    alone = dict.fromkeys(pairs, 0)  # judged by one of the two, hidden from the reader
    for place in board.levels:
        if place.hidden:
            alone[place.domain] += len({one, other} & set(place.by)) == 1
        else:
            pairs[place.domain].append((place.levels.get(one), place.levels.get(other)))
    found = {}
    for domain in board.tool.domains:
        seen = agreement(pairs[domain.id], board.tool.scale)
        found[domain.name] = replace(seen, unpaired=seen.unpaired + alone[domain.id])
    return found


def per_cent(estimate: Estimate) -> str:
    """A share with its interval, in per cent."""
    if estimate.value is None:
        return _NOT_DEFINED
    return f"{100 * estimate.value:.0f}%{_interval(estimate, 100, 0)}"


def in_words(estimate: Estimate) -> str:
    """A coefficient with its interval."""
    if estimate.value is None:
        return _NOT_DEFINED
    return f"{_rounded(estimate.value, 2)}{_interval(estimate, 1, 2)}"


def _interval(estimate: Estimate, unit: int, digits: int) -> str:
    if estimate.low is None or estimate.high is None:
        return f"\u00a0({_NOT_DEFINED})"
    interval = f" ({_rounded(unit * estimate.low, digits)} to {_rounded(unit * estimate.high, digits)})"
    return interval.replace(" ", "\u00a0")  # stays on one line


def _rounded(value: float, digits: int) -> str:
    """With a minus sign as it is printed, and none before zero."""
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")
