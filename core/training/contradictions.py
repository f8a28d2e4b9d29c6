"""Fit the thresholds of the eleven-point scale of contradictions, by folds of trials.

`python -m core.training contradictions` compares statements on the trials that are set aside for the regressions
(`core.training.reader.for_the_top`) with the library: with the direction that annotators gave, with the two other
directions, and with all three if the trial is left out of the library. The regressions below the scale are fitted to
the other folds (of eight), but the thresholds to all folds. So the figures of each threshold, which are written to
`core/claims/scale.json` with the scale, are in-sample with regard to the thresholds. The development trials, which
`bench contradetect/trials` asks about, are not used.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from core.answering.model import ReportedChange
from core.answering.reading import AnswerModel
from core.claims.contradictions import PaperOnStatement, papers_on
from core.claims.model import THRESHOLD, Place, Way
from core.claims.scale import SCALE, Scale
from core.claims.statements import Claimed, comparison_in, stated
from core.entailment import Reader
from core.library import LibraryPaper
from core.training.answers import AnswerCase, answer_cases, fit_to
from core.training.data import data_folder
from core.training.remembering import RememberingReader

_NO_EVIDENCE, _PRECISION = 0.92, 0.84  # targets, in-sample: the thresholds are chosen on the same statements
_SURE = (0.9, 0.95)  # the precision from which on a contradiction is strong, and from which on it is explicit
_REPORTS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_SHIFTS = (0.0, 0.5, 1.0, 2.0, 3.0)
_GRID = tuple(np.arange(0.2, 0.96, 0.02).round(2).tolist())

Column = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class HeldCase:
    """A statement, compared with the library by a model that was not fitted to its trial."""

    kind: str  # "contradicted", "supported" or "no evidence"
    weight: float  # such that all kinds of a question's statements have the same total weight
    papers: tuple[PaperOnStatement, ...]

    def strongest(self, reports: float, shift: float) -> tuple[float, float]:
        """The probabilities of the likeliest papers against it and for it; 0 if there is none."""
        stands = [(one.reports, one.stand(shift)) for one in self.papers if one.reports >= reports]
        sure = [(stand.way, sure * stand.sure) for sure, stand in stands if stand is not None]
        against, agreeing = (
            max((share for own, share in sure if own is way), default=0.0) for way in (Way.CONTRADICTS, Way.AGREES)
        )
        return against, agreeing


def fit_contradictions() -> int:
    """Compare statements by folds of trials, choose the thresholds of the places, and write them."""
    parser = argparse.ArgumentParser(description="Fit the scale of contradictions.")
    parser.add_argument("--data", type=Path, help="the data folder (default: VOUCH_DATA)")
    parser.add_argument("--out", type=Path, default=SCALE)
    arguments = parser.parse_args()
    reader = RememberingReader.installed()
    cases, papers = answer_cases(arguments.data or data_folder(), reader)
    folds = held_by_folds(cases, papers, reader)
    reader.keep()
    print(f"places chosen on the other folds: {figures_by_folds(folds)}", flush=True)
    held = [one for fold in folds for one in fold]
    scale = scale_of(held)
    figures = {str(least): figures_at(held, scale, least) for least in range(6, 11)}
    print(f"{len(held)} statements on {len({case.article for case in cases})} trials, by folds")
    for least, found in figures.items():
        print(least, found)
    content = {
        "reports": scale.reports,
        "against": scale.against,
        "agreeing": scale.agreeing,
        "aligned": scale.aligned,
        "figures": figures,
    }
    arguments.out.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return 0


def held_by_folds(cases: Sequence[AnswerCase], papers: dict[str, LibraryPaper], reader: Reader) -> list[list[HeldCase]]:
    """Every statement by fold, compared by a model that was fitted to the other folds."""
    folds: list[list[HeldCase]] = []
    for train, test in GroupKFold(8).split(cases, groups=[case.article for case in cases]):
        fitted = fit_to([cases[place] for place in train], papers, reader)
        folds.append([one for place in test for one in _held(cases[place], papers, fitted, reader)])
    return folds


def figures_by_folds(folds: Sequence[Sequence[HeldCase]]) -> dict[str, float]:
    """Figures at the shipped threshold, in per cent, with places that were chosen on the other folds."""
    places: list[int] = []
    for left_out in range(len(folds)):
        scale = scale_of([one for number, fold in enumerate(folds) if number != left_out for one in fold])
        places += [scale.place(*one.strongest(scale.reports, scale.aligned)) for one in folds[left_out]]
    held = [one for fold in folds for one in fold]
    given, weights = np.array(places), np.array([one.weight for one in held])
    contradicted, supported, missing = (
        np.array([one.kind == kind for one in held]) for kind in ("contradicted", "supported", "no evidence")
    )
    right = np.select(
        [contradicted, supported], [given >= THRESHOLD, given < Place.LACK_OF_EVIDENCE], given == Place.LACK_OF_EVIDENCE
    )
    auc = roc_auc_score(contradicted[~missing], given[~missing], sample_weight=weights[~missing])
    found = {
        "auc": float(auc),
        "accuracy": _share(weights, contradicted | True, right),
        **_at(weights, given >= THRESHOLD, contradicted),
        "no evidence right": _share(weights, missing, right),
    }
    return _in_per_cent(found)


def _at(weights: Column, called: Mask, contradicted: Mask) -> dict[str, float]:
    return {
        "precision": _share(weights, called, contradicted),
        "recall": _share(weights, contradicted, called),
        "false positives": _share(weights, ~contradicted, called),
    }


def _in_per_cent(shares: dict[str, float]) -> dict[str, float]:
    return {name: round(100 * share, 1) for name, share in shares.items()}


def _held(case: AnswerCase, papers: dict[str, LibraryPaper], fitted: AnswerModel, reader: Reader) -> Iterator[HeldCase]:
    for told in ReportedChange:
        one, two, three = (float(other is told) for other in ReportedChange)
        parts = comparison_in(stated(*split_question(case.reading.question), told))
        claimed = Claimed(case.reading.question, (one, two, three), parts)
        kind = "no evidence" if case.missing else "supported" if told.value == case.label else "contradicted"
        weight = {"no evidence": 1 / 3, "supported": 1.0, "contradicted": 0.5}[kind]
        yield HeldCase(kind, weight, tuple(papers_on(claimed, case.reading, papers, fitted, reader)))


@dataclass(frozen=True, slots=True)
class _Held:
    """Statements as columns, with the probabilities of the likeliest papers against and for each."""

    weights: Column
    against: Column
    agreeing: Column
    contradicted: Mask
    supported: Mask
    missing: Mask

    @classmethod
    def of(cls, held: Sequence[HeldCase], reports: float, shift: float) -> _Held:
        pairs = np.array([one.strongest(reports, shift) for one in held])
        kinds = np.array([one.kind for one in held])
        weights = np.array([one.weight for one in held])
        masks = (kinds == kind for kind in ("contradicted", "supported", "no evidence"))
        return cls(weights, pairs[:, 0], pairs[:, 1], *masks)

    def called(self, least: float) -> Mask:
        return self.against >= least

    def agreed(self, least: float) -> Mask:
        return (self.against < self.agreeing) & (self.agreeing >= least)

    def precision(self, least: float) -> float:
        return _share(self.weights, self.called(least), self.contradicted)


def scale_of(held: Sequence[HeldCase]) -> Scale:
    """The thresholds that classify the most statements correctly, among those that reach the targets."""
    best: tuple[float, float, float, float, float] | None = None
    for reports, shift in product(_REPORTS, _SHIFTS):
        columns = _Held.of(held, reports, shift)
        for least, other in product(_GRID, _GRID):
            called = columns.called(least)
            agreed = columns.agreed(other) & ~called
            left = ~called & ~agreed
            if _share(columns.weights, columns.missing, left) < _NO_EVIDENCE or columns.precision(least) < _PRECISION:
                continue
            right = (called & columns.contradicted) | (agreed & columns.supported) | (left & columns.missing)
            share = float(columns.weights @ right / columns.weights.sum())
            if best is None or share > best[0]:
                best = share, reports, shift, least, other
    if best is None:
        raise ValueError("no places keep to the aims")
    _, reports, shift, least, other = best
    columns = _Held.of(held, reports, shift)
    strong, explicit = (_first_with(columns, least, aim) for aim in _SURE)
    # Below the threshold of a contradiction there is no evidence, because few such statements are contradicted.
    against = (least, least, least, strong, max(strong, explicit))
    agreeing = tuple(round(other + (1 - other) * part, 2) for part in (0.0, 0.0, 0.0, 0.35, 0.7))
    return Scale(reports, against, agreeing, shift, measured=True)


def _first_with(columns: _Held, least: float, aim: float) -> float:
    """The lowest threshold with this precision; 1.01, above all probabilities, if there is none."""
    cuts = np.arange(least, 1.0, 0.01)
    return next((round(float(cut), 2) for cut in cuts if columns.precision(float(cut)) >= aim), 1.01)


def figures_at(held: Sequence[HeldCase], scale: Scale, least: int) -> dict[str, float]:
    """Precision, recall and false positives at a threshold, in per cent, on the statements that chose the places."""
    places = [scale.place(*one.strongest(scale.reports, scale.aligned)) for one in held]
    weights = np.array([one.weight for one in held])
    called = np.array([place >= least for place in places])
    contradicted = np.array([one.kind == "contradicted" for one in held])
    missing = np.array([one.kind == "no evidence" for one in held])
    at_five = np.array([place == Place.LACK_OF_EVIDENCE for place in places])
    return _in_per_cent({**_at(weights, called, contradicted), "no evidence right": _share(weights, missing, at_five)})


def split_question(question: str) -> tuple[str, str, str]:
    """Intervention, comparator and outcome of a question of `core.benchmarks.library_tasks.in_words`."""
    intervention, _, rest = question.partition(" compared with ")
    comparator, _, outcome = rest.partition(": ")
    return intervention, comparator, outcome


def _share(weights: Column, among: Mask, those: Mask) -> float:
    """The weighted share of `those` among the statements in `among`."""
    total = float(weights @ among)
    return float(weights @ (among & those)) / total if total else 0.0


assert THRESHOLD == Place.CONTRADICTION  # noqa: S101 - the places are fitted to it
