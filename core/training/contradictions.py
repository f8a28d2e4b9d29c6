"""The eleven-point scale of contradictions: where each place begins, fitted by folds of trials.

`python -m core.training contradictions` holds statements on the trials that are set apart for the top
(`core.training.reader.for_the_top`) against the library: with the direction that annotators gave, with each of the two
others, and with all three where the trial is kept out. What is under the scale is fitted to the other folds (eight), and the
places to all of them. It writes `core/claims/scale.json`, with the figures of each threshold. The trials for development,
which `bench contradetect/trials` asks about, give no example.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold

from core.answering.model import Told
from core.answering.reading import AnswerModel
from core.claims.contradictions import SCALE, PaperOnStatement, Scale, papers_on
from core.claims.model import THRESHOLD, Place
from core.claims.statements import Claimed
from core.library import LibraryPaper
from core.settings import load_settings
from core.training.answers import AnswerCase, answer_cases, fit_to, fit_wording

_NO_EVIDENCE, _PRECISION = 0.92, 0.84  # aims on folds that nothing was fitted to
_SURE = (0.9, 0.95)  # precision from which on a contradiction is strong, and explicit
_REPORTS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class HeldCase:
    """A statement held against the library by a model that was not fitted to its trial."""

    kind: str  # "contradicted", "supported" or "no evidence"
    weight: float  # of a question's statements, the kinds count alike
    papers: tuple[PaperOnStatement, ...]

    def strongest(self, reports: float) -> tuple[float, float]:
        """How sure the likeliest papers against it and for it are; 0: there is none."""
        of = [one for one in self.papers if one.reports >= reports]
        against = [one.reports * (1 - one.agrees) for one in of if one.agrees < 0.5]
        return max(against, default=0.0), max(
            (one.reports * one.agrees for one in of if one.agrees >= 0.5), default=0.0
        )


def fit_contradictions() -> int:
    """Hold statements by folds of trials, choose where places begin, and write them."""
    parser = argparse.ArgumentParser(description="Fit the scale of contradictions.")
    parser.add_argument("--data", type=Path, default=load_settings().data, help="the folder of data")
    parser.add_argument("--out", type=Path, default=SCALE)
    arguments = parser.parse_args()
    cases, papers = answer_cases(arguments.data)
    held = held_by_folds(cases, papers, fit_wording(arguments.data))
    scale = scale_of(held)
    figures = {str(least): figures_at(held, scale, least) for least in range(6, 11)}
    print(f"{len(held)} statements on {len({case.article for case in cases})} trials, by folds")
    for least, found in figures.items():
        print(least, found)
    content = {
        "reports": scale.reports,
        "against": scale.against,
        "agreeing": scale.agreeing,
        "figures": figures,
    }
    arguments.out.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return 0


def held_by_folds(cases: Sequence[AnswerCase], papers: dict[str, LibraryPaper], wording: Any) -> list[HeldCase]:
    """Every statement, held by a model that was fitted to the other folds."""
    held: list[HeldCase] = []
    for train, test in GroupKFold(8).split(cases, groups=[case.article for case in cases]):
        fitted = fit_to([cases[place] for place in train], papers, wording)
        held += [one for place in test for one in _held(cases[place], papers, fitted)]
    return held


def _held(case: AnswerCase, papers: dict[str, LibraryPaper], fitted: AnswerModel) -> Iterator[HeldCase]:
    for told in Told:
        one, two, three = (float(other is told) for other in Told)
        claimed = Claimed(case.reading.question, "", "", "", (one, two, three))
        kind = "no evidence" if case.missing else "supported" if told.value == case.label else "contradicted"
        weight = {"no evidence": 1 / 3, "supported": 1.0, "contradicted": 0.5}[kind]
        yield HeldCase(kind, weight, tuple(papers_on(claimed, case.reading, papers, fitted)))


def scale_of(held: Sequence[HeldCase]) -> Scale:
    """The places by which most statements are told as what they are, of those that keep to the aims."""
    best: tuple[float, Scale] | None = None
    grid = np.arange(0.2, 0.96, 0.02).round(2).tolist()
    for reports in _REPORTS:
        strongest = [(one.kind, one.weight, *one.strongest(reports)) for one in held]
        kinds = np.array([kind for kind, *_ in strongest])
        weights, against, agreeing = (
            np.array(column, dtype=np.float64) for column in list(zip(*strongest, strict=True))[1:]
        )
        ahead = against >= agreeing
        for least, other in product(grid, grid):
            called, agreed = ahead & (against >= least), ~ahead & (agreeing >= other)
            left = ~called & ~agreed
            precision = _share(weights, called, kinds == "contradicted")
            untold = _share(weights, kinds == "no evidence", left)
            right = (
                weights @ (called & (kinds == "contradicted"))
                + weights @ (agreed & (kinds == "supported"))
                + weights @ (left & (kinds == "no evidence"))
            ) / weights.sum()
            if precision >= _PRECISION and untold >= _NO_EVIDENCE and (best is None or right > best[0]):
                best = float(right), _scale(reports, least, other, weights, against, ahead, kinds)
    if best is None:
        raise ValueError("no places keep to the aims")
    return best[1]


def _scale(reports: float, least: float, other: float, weights: Any, against: Any, ahead: Any, kinds: Any) -> Scale:
    sure = []
    for aim in _SURE:
        cuts = [
            cut
            for cut in np.arange(least, 1.0, 0.01)
            if _share(weights, ahead & (against >= cut), kinds == "contradicted") >= aim
        ]
        sure.append(round(float(cuts[0]), 2) if cuts else 1.01)
    strong = max(least, sure[0])
    possibly, nuanced = least, least  # what is less sure is no evidence: few of such statements are contradicted
    agree = np.linspace(other, 1.0, 4).round(2).tolist()
    return Scale(
        reports,
        (possibly, nuanced, least, strong, max(strong, sure[1])),
        (other, other, other, agree[1], agree[2]),
    )


def figures_at(held: Sequence[HeldCase], scale: Scale, least: int) -> dict[str, float]:
    """Precision, recall and false positives of a threshold, by folds, in per cent."""
    places = [scale.place(*one.strongest(scale.reports)) for one in held]
    weights = np.array([one.weight for one in held])
    called = np.array([place >= least for place in places])
    contradicted = np.array([one.kind == "contradicted" for one in held])
    missing = np.array([one.kind == "no evidence" for one in held])
    at_five = np.array([place == Place.LACK_OF_EVIDENCE for place in places])
    found = {
        "precision": _share(weights, called, contradicted),
        "recall": _share(weights, contradicted, called),
        "false positives": _share(weights, ~contradicted, called),
        "no evidence right": _share(weights, missing, at_five),
    }
    return {name: round(100 * share, 1) for name, share in found.items()}


def _share(weights: Any, among: Any, those: Any) -> float:
    """Of some statements, the share that are also those."""
    total = float(weights @ among)
    return float(weights @ (among & those)) / total if total else 0.0


assert THRESHOLD == Place.CONTRADICTION  # noqa: S101 - what the places are fitted to
