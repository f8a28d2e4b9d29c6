"""Answers from a library: what stands on top of the reader, fitted to trials that it was not trained on.

`python -m core.training answers` fits three regressions and two thresholds to the questions of the trials that are set
apart for the top (`core.training.reader.for_the_top`), each with its trial in the library and without it, and writes
`core/answering/answers.json`. The trials for development, which `bench library/answer` asks about, give no example.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from core.answering.model import Told
from core.answering.reading import (
    CANDIDATES,
    MODEL,
    ReadPassages,
    directions_of,
    of_direction,
    of_paper,
    of_passages,
    read_passages,
)
from core.benchmarks.evidence_tasks import TrialQuestion, read_evidence_inference
from core.benchmarks.library_tasks import index, questions_of
from core.benchmarks.model import BrokenRecord
from core.entailment import installed_reader
from core.entailment.regression import Features, Regression
from core.library import LibraryPaper, open_library
from core.settings import load_settings
from core.text.similarity import Embedder
from core.training.reader import for_the_top

_TOLD = (Told.INCREASED.value, Told.DECREASED.value, Told.NO_DIFFERENCE.value)
_INSUFFICIENT, _PRECISION = 0.85, 0.85  # aims for the thresholds, on folds that nothing was fitted to


@dataclass(frozen=True, slots=True)
class _Case:
    """A question put to the library, with its trial in it or not."""

    article: str
    paper: str  # the trial's id
    missing: bool
    label: str
    gold: frozenset[int]
    reading: ReadPassages

    def holds(self, place: int) -> bool:
        """Whether the passage at a place holds an annotated span."""
        passage = self.reading.found[place].passage
        return passage.paper == self.paper and any(passage.first <= one <= passage.last for one in self.gold)


@dataclass(frozen=True, slots=True)
class _Fitted:
    passage: Regression
    reports: Regression
    right: Regression


def fit_answers() -> int:
    """Fit, measure by folds of trials, and write the model."""
    parser = argparse.ArgumentParser(description="Fit what stands on top of the reader for answers from a library.")
    parser.add_argument("--data", type=Path, default=load_settings().data, help="the folder of data")
    parser.add_argument("--out", type=Path, default=MODEL)
    arguments = parser.parse_args()
    cases, papers = _cases(arguments.data)
    folds = GroupKFold(8).split(cases, groups=[case.article for case in cases])
    judged: list[
        tuple[_Case, float, str, float]
    ] = []  # with the best paper's probability, its direction, and that it is right
    found: list[bool] = []
    for train, test in folds:
        fitted = _fit([cases[place] for place in train], papers)
        for case in (cases[place] for place in test):
            judged.append((case, *_judge(case, fitted, papers)))
            if not case.missing:
                found.append(_among_five(case, fitted))
    answers, tells = _thresholds(judged)
    print(f"{len(cases)} cases of {len({case.article for case in cases})} trials; span@5 by folds {np.mean(found):.3f}")
    _print_figures(judged, answers, tells)
    fitted = _fit(cases, papers)
    content = {name: getattr(fitted, name).to_json() for name in ("passage", "reports", "right")}
    arguments.out.write_text(
        json.dumps(content | {"answers": answers, "tells": tells}, indent=1) + "\n", encoding="utf-8"
    )
    return 0


def _cases(data: Path) -> tuple[list[_Case], dict[str, LibraryPaper]]:
    path = data / "evidence_inference" / "items.json"
    trials = [one for one in read_evidence_inference(path.parent) if isinstance(one, TrialQuestion)]
    settings = load_settings()
    library = open_library(index(path, trials), Embedder.installed(settings.embeddings), settings)
    papers = {paper.id: paper for paper in library.papers()}
    reader, wanted, cases = installed_reader(), for_the_top(data), []
    for trial in (one for one in trials if one.article in wanted):
        for missing in (False, True):
            item = questions_of(trial, library.name, missing=missing)
            if isinstance(item, BrokenRecord):
                continue
            question = item.question.question
            found = library.search(question.text, depth=CANDIDATES, without=question.without)
            reading = read_passages(question.text, found, papers, reader)
            cases.append(_Case(trial.article, trial.paper.id, missing, item.labels[0], trial.gold, reading))
    return cases, papers


def _fit(cases: Sequence[_Case], papers: dict[str, LibraryPaper]) -> _Fitted:
    there = [case for case in cases if not case.missing]
    passage = _regression(
        np.concatenate([of_passages(case.reading) for case in there]),
        [case.holds(place) for case in there for place in range(len(case.reading.found))],
    )
    rows, labels, sure, right = [], [], [], []
    for case in cases:
        scores = [passage.probability(row) for row in of_passages(case.reading)]
        best = _likeliest(case, scores)
        for id in dict.fromkeys([*best[:2], *([] if case.missing else [case.paper])]):
            if id in case.reading.by_paper:
                rows.append(of_paper(case.reading, papers[id], scores))
                labels.append(id == case.paper)
    reports = _regression(np.array(rows), labels)
    for case in there:
        if case.paper in case.reading.by_paper and (read := case.reading.sentences_of(case.paper)):
            scores = [passage.probability(row) for row in of_passages(case.reading)]
            shares = directions_of(read)
            likely = reports.probability(of_paper(case.reading, papers[case.paper], scores))
            sure.append(of_direction(shares, likely))
            right.append(_TOLD[int(shares.argmax())] == case.label)
    return _Fitted(passage, reports, _regression(np.array(sure), right))


def _likeliest(case: _Case, scores: Sequence[float]) -> list[str]:
    """The papers by their best passage."""
    order = sorted(range(len(scores)), key=lambda place: -scores[place])
    return list(dict.fromkeys(case.reading.found[place].passage.paper for place in order))


def _judge(case: _Case, fitted: _Fitted, papers: dict[str, LibraryPaper]) -> tuple[float, str, float]:
    scores = [fitted.passage.probability(row) for row in of_passages(case.reading)]
    likely = {
        id: fitted.reports.probability(of_paper(case.reading, papers[id], scores)) for id in case.reading.by_paper
    }
    best = max(likely, key=likely.__getitem__)
    read = case.reading.sentences_of(best)
    if not read:
        return likely[best], "", 0.0
    shares = directions_of(read)
    return likely[best], _TOLD[int(shares.argmax())], fitted.right.probability(of_direction(shares, likely[best]))


def _among_five(case: _Case, fitted: _Fitted) -> bool:
    scores = [fitted.passage.probability(row) for row in of_passages(case.reading)]
    return any(case.holds(place) for place in sorted(range(len(scores)), key=lambda place: -scores[place])[:5])


def _thresholds(judged: Sequence[tuple[_Case, float, str, float]]) -> tuple[float, float]:
    """The least thresholds that leave enough missing trials unanswered, and then tell a direction rightly enough."""
    missing = [likely for case, likely, _, _ in judged if case.missing]
    answers = round(float(np.quantile(missing, _INSUFFICIENT)), 4)
    answered = [(sure, case.label == told, case.missing) for case, likely, told, sure in judged if likely >= answers]
    for tells in np.arange(0.3, 0.96, 0.01):
        kept = [(right, 1 if not missing else 1 / 4) for sure, right, missing in answered if sure >= tells]
        if kept and sum(right * weight for right, weight in kept) / sum(weight for _, weight in kept) >= _PRECISION:
            return answers, round(float(tells), 2)
    return answers, 0.95


def _print_figures(judged: Sequence[tuple[_Case, float, str, float]], answers: float, tells: float) -> None:
    """As the benchmark has them: one question in five without its trial."""
    told = [(case, label if likely >= answers and sure >= tells else "") for case, likely, label, sure in judged]
    missing = np.mean([not label for case, label in told if case.missing])
    right = np.mean([label == case.label for case, label in told if not case.missing])
    given = [label == case.label for case, label in told if not case.missing and label]
    print(f"by folds: answers from {answers}, tells from {tells}; insufficient right {missing:.3f}, right where the trial is "
          f"there {right:.3f}, of those told {np.mean(given):.3f} ({len(given)})")  # fmt: skip


def _regression(features: Features, labels: Sequence[bool]) -> Regression:
    mean, scale = features.mean(axis=0), features.std(axis=0) + 1e-6
    model = LogisticRegression(C=0.3, max_iter=2000).fit((features - mean) / scale, labels)
    return Regression(mean, scale, model.coef_[0], float(model.intercept_[0]))
