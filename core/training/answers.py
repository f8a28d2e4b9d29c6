"""Fit the regressions that use the reader's output for answers from a library, on trials that the reader did not see.

`python -m core.training answers` fits regressions and two thresholds to the questions of the trials that are set aside
for these regressions (`core.training.reader.for_the_top`), each with its trial in the library and without it, and
writes `core/answering/answers.json`. The development trials, which `bench library/answer` asks about, are not used.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from core.answering.model import CANDIDATES
from core.answering.reading import (
    ALONE,
    MODEL,
    AnswerModel,
    OwnSentences,
    ReadPassages,
    of_paper,
    of_passages,
    read_passages,
)
from core.benchmarks.evidence_tasks import TrialQuestion, read_directions, read_evidence_inference
from core.benchmarks.library_tasks import index, item_of
from core.benchmarks.model import BrokenRecord
from core.entailment import Reader
from core.entailment.regression import Features, Regression
from core.library import LibraryPaper, open_library
from core.settings import load_settings
from core.text.similarity import Embedder
from core.training.data import data_folder
from core.training.reader import for_the_top
from core.training.remembering import RememberingReader

_OF_FIGURES = 0.3  # inverse regularisation strength of the regressions
_INSUFFICIENT, _PRECISION = 0.8, 0.85  # targets for the thresholds, on folds that were not used for fitting


@dataclass(frozen=True, slots=True)
class AnswerCase:
    """A question to the library, with or without its trial in it."""

    article: str
    paper: str  # the trial's id
    missing: bool
    label: str
    gold: frozenset[int]
    reading: ReadPassages

    def holds(self, place: int) -> bool:
        """Whether the passage with this index contains an annotated span."""
        passage = self.reading.found[place].passage
        return passage.paper == self.paper and any(passage.first <= one <= passage.last for one in self.gold)


class _Judged(NamedTuple):
    """The predictions for a case, by a model that was not fitted to its trial."""

    case: AnswerCase
    reports: float  # the probability that the likeliest paper reports
    told: str  # that paper's likeliest direction
    sure: float  # the probability that it reports, and in this direction

    @property
    def right(self) -> bool:
        return self.told == self.case.label


def fit_answers() -> int:
    """Fit the model, measure it by folds of trials, and write it."""
    parser = argparse.ArgumentParser(description="Fit what stands on top of the reader for answers from a library.")
    parser.add_argument("--data", type=Path, help="the data folder (default: VOUCH_DATA)")
    parser.add_argument("--out", type=Path, default=MODEL)
    arguments = parser.parse_args()
    reader = RememberingReader.installed()
    cases, papers = answer_cases(arguments.data or data_folder(), reader)
    folds = GroupKFold(8).split(cases, groups=[case.article for case in cases])
    judged: list[_Judged] = []
    found: list[bool] = []
    for train, test in folds:
        fitted = fit_to([cases[place] for place in train], papers, reader)
        for case in (cases[place] for place in test):
            judged.append(_judge(case, fitted, papers, reader))
            if not case.missing:
                found.append(_among_five(case, fitted))
    answers, tells = _thresholds(judged)
    for least in np.arange(0.3, 0.75, 0.05):
        _print_figures(judged, answers, float(least))
    print(f"{len(cases)} cases of {len({case.article for case in cases})} trials; span@5 by folds {np.mean(found):.3f}")
    _print_figures(judged, answers, tells)
    fitted = fit_to(cases, papers, reader)
    content = replace(fitted, answers=answers, tells=tells).to_json()
    arguments.out.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    reader.keep()
    return 0


def answer_cases(data: Path, reader: Reader) -> tuple[list[AnswerCase], dict[str, LibraryPaper]]:
    path = data / "evidence_inference" / "items.json"
    trials = [one for one in read_evidence_inference(path.parent) if isinstance(one, TrialQuestion)]
    settings = load_settings()
    library = open_library(index(path, trials), Embedder.installed(settings.embeddings), settings)
    papers = {paper.id: paper for paper in library.papers()}
    wanted, directions = for_the_top(data), read_directions(path.parent)
    cases = []
    for trial in (one for one in trials if one.article in wanted):
        for missing in (False, True):
            item = item_of(trial, directions.get(trial.id), library.name, missing=missing)
            if isinstance(item, BrokenRecord):
                continue
            question = item.question.question
            found = library.search(question.text, depth=CANDIDATES, without=question.without)
            reading = read_passages(question.text, found, papers, reader)
            cases.append(AnswerCase(trial.article, trial.paper.id, missing, item.labels[0], trial.gold, reading))
    return cases, papers


def fit_to(cases: Sequence[AnswerCase], papers: dict[str, LibraryPaper], reader: Reader) -> AnswerModel:
    """A model without thresholds, fitted to these cases."""
    there = [case for case in cases if not case.missing]
    passage = _regression(
        np.concatenate([of_passages(case.reading) for case in there]),
        [case.holds(place) for case in there for place in range(len(case.reading.found))],
    )
    examples, labels = [], []
    for case in cases:
        scores = [passage.probability(row) for row in of_passages(case.reading)]
        best = _likeliest(case, scores)
        for id in dict.fromkeys([*best[:2], *([] if case.missing else [case.paper])]):
            if id in case.reading.by_paper:
                examples.append(of_paper(case.reading, papers[id], scores))
                labels.append(id == case.paper)
    read = [(case, case.reading.sentences_of(case.paper)) for case in there if case.paper in case.reading.by_paper]
    read = [(case, sentences) for case, sentences in read if sentences]
    own = [OwnSentences.of(case.reading.question, sentences, reader) for case, sentences in read]
    sentence = _regression(
        np.concatenate([one.features for one in own]),
        [one.index in case.gold for case, sentences in read for one in sentences[:ALONE]],
    )
    reports = _regression(np.array(examples), labels)
    return AnswerModel(passage, reports, sentence, answers=0.0, tells=0.0)


def _likeliest(case: AnswerCase, scores: Sequence[float]) -> list[str]:
    """The papers, ordered by their best passage."""
    order = sorted(range(len(scores)), key=lambda place: -scores[place])
    return list(dict.fromkeys(case.reading.found[place].passage.paper for place in order))


def _judge(case: AnswerCase, fitted: AnswerModel, papers: dict[str, LibraryPaper], reader: Reader) -> _Judged:
    scores = [fitted.passage.probability(row) for row in of_passages(case.reading)]
    likely = {
        id: fitted.reports.probability(of_paper(case.reading, papers[id], scores)) for id in case.reading.by_paper
    }
    best = max(likely, key=likely.__getitem__)
    read = case.reading.sentences_of(best)
    if not read:
        return _Judged(case, likely[best], "", 0.0)
    shares = fitted.shares(OwnSentences.of(case.reading.question, read, reader))
    told = max(shares, key=shares.__getitem__)
    return _Judged(case, likely[best], told.value, likely[best] * shares[told])


def _among_five(case: AnswerCase, fitted: AnswerModel) -> bool:
    scores = [fitted.passage.probability(row) for row in of_passages(case.reading)]
    return any(case.holds(place) for place in sorted(range(len(scores)), key=lambda place: -scores[place])[:5])


def _thresholds(judged: Sequence[_Judged]) -> tuple[float, float]:
    """The lowest thresholds at which enough missing trials stay unanswered, and enough directions are right."""
    answers = round(float(np.quantile([one.reports for one in judged if one.case.missing], _INSUFFICIENT)), 4)
    for tells in np.arange(0.2, 0.96, 0.01):
        given = [one for one in judged if one.reports >= answers and one.sure >= tells]
        # As in the benchmark, one question in five is asked without its trial.
        weights = [1 / 4 if one.case.missing else 1.0 for one in given]
        if given and np.average([one.right for one in given], weights=weights) >= _PRECISION:
            return answers, round(float(tells), 2)
    return answers, 0.95


def _print_figures(judged: Sequence[_Judged], answers: float, tells: float) -> None:
    given: dict[bool, list[bool]] = {
        True: [],
        False: [],
    }  # by whether the trial is missing: whether each given answer is right
    for one in judged:
        if one.reports >= answers and one.sure >= tells:
            given[one.case.missing].append(one.right)
    asked = Counter(one.case.missing for one in judged)
    print(
        f"by folds: answers from {answers}, tells from {tells:.2f}: told {len(given[False])} of {asked[False]} whose trial is "
        f"there, {sum(given[False])} rightly; of {asked[True]} without their trial {asked[True] - len(given[True])} not told"
    )


def _regression(features: Features, labels: Sequence[bool]) -> Regression:
    mean, scale = features.mean(axis=0), features.std(axis=0)
    scale[scale == 0] = 1.0  # for constant features, which predict nothing
    model = LogisticRegression(C=_OF_FIGURES, max_iter=2000).fit((features - mean) / scale, labels)
    return Regression(mean, scale, model.coef_[0], float(model.intercept_[0]))
