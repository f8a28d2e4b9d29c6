"""How well the score tells the stress set's sentences apart, on papers that nothing was tuned on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.benchmarks.bootstrap import Statistic, estimate
from core.benchmarks.metrics.correlation import auroc
from core.training.summary_stress.items import Item, Wording, Wrong

Vector = NDArray[np.float64]
_SUPPORTED = {wording for wording in Wording if wording not in (Wording.CLAIM, Wording.INVENTED)}


def tables(items: Sequence[Item], probabilities: Vector, threshold: float) -> str:
    """The figures as Markdown."""
    scored = list(zip(items, (float(p) for p in probabilities), strict=True))
    right = [pair for pair in scored if pair[0].wrong is None and pair[0].wording in _SUPPORTED]
    wrong = [pair for pair in scored if pair[0].wrong not in (None, Wrong.CLAIM)]
    lines = ["| made wrong | sentences | AUROC (95% interval) | flagged |", "|---|---|---|---|"]
    in_point = [pair for pair in wrong if pair[0].wrong is not Wrong.ADDED]
    lines.append(_line("all six kinds", right, in_point, threshold))
    for kind in Wrong:
        if kind is not Wrong.CLAIM:
            lines.append(_line(kind.value, right, [pair for pair in wrong if pair[0].wrong is kind], threshold))
    claims = [pair for pair in scored if pair[0].wording is Wording.CLAIM]
    lines.append(
        _line(
            "claims made of experts' labels",
            [pair for pair in claims if pair[0].wrong is None],
            [pair for pair in claims if pair[0].wrong],
            threshold,
        )
    )
    lines += ["", "| right | sentences | flagged |", "|---|---|---|"]
    for wording in Wording:
        some = [p for item, p in scored if item.wrong is None and item.wording is wording]
        if some:
            lines.append(f"| {wording.value} | {len(some):,} | {_share(some, threshold)} |")
    lines += ["", *_by_wording(scored)]
    return "\n".join(lines)


def _by_wording(scored: Sequence[tuple[Item, float]]) -> list[str]:
    lines = ["| wording, right and wrong | AUROC |", "|---|---|"]
    for wording in (Wording.VERBATIM, Wording.COMPRESSED, Wording.PLAIN):
        some = [(item, p) for item, p in scored if item.wording is wording]
        lines.append(f"| {wording.value} | {_auroc_of_draws(some)(np.ones((1, len(some))))[0]:.3f} |")
    return lines


def _line(name: str, right: list[tuple[Item, float]], wrong: list[tuple[Item, float]], threshold: float) -> str:
    pairs = [*right, *wrong]
    found = estimate(_auroc_of_draws(pairs), [item.paper for item, _ in pairs])
    figure = f"{found.value:.3f} ({found.low:.3f} to {found.high:.3f})" if found else "-"
    return f"| {name} | {len(wrong):,} | {figure} | {_share([p for _, p in wrong], threshold)} |"


def _auroc_of_draws(pairs: Sequence[tuple[Item, float]]) -> Statistic:
    """The chance that a sentence that is right scores above one that is wrong; equal scores count half."""
    return auroc([item.wrong is None for item, _ in pairs], [score for _, score in pairs])


def _share(probabilities: Sequence[float], threshold: float) -> str:
    return f"{np.mean(np.array(probabilities) < threshold):.1%}"
