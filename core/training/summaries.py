"""Fit the score of plain summaries, and measure it on LongSciVerify and on the stress set."""

from __future__ import annotations

import csv
import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from core.benchmarks.bootstrap import Statistic, estimate
from core.benchmarks.label_metrics import auroc, spearman
from core.entailment import Entailment, installed_reader
from core.entailment.regression import Features, Regression, log_odds
from core.paper import Format, Kind, Paper
from core.paper.draft import Block, PaperDraft
from core.paper.read import assemble
from core.settings import load_settings
from core.summary import check_summary, summary_engine_named
from core.summary.model import SummaryEngine, SummarySource
from core.summary.numbers import pair_numbers
from core.summary.offline import SourceReader
from core.summary.score import FEATURES, MODEL, features, shipped
from core.summary.splitting import split_summary
from core.text.encoder import Matrix
from core.text.similarity import Embedder
from core.training import data, parser_of
from core.training.changed import arms_by_trial, copied_from
from core.training.data import READINGS, REVIEWS, Trial, data_folder, readings, rows
from core.training.reader import for_the_top, trials_of
from core.training.summary_stress import (
    StressItem,
    StressTrial,
    StressWording,
    Wrong,
    make_items,
    read_trials,
    write_items,
)
from core.training.verdicts import FOLDS, fitted, fold_of

_ALARMS = 0.07  # the share of right sentences that may be flagged; on new papers it is higher than where it was chosen
_SEEM_CONTRADICTED = 0.01  # the share of right sentences that may count as contradicted by their features
_SUPPORTED_RIGHT = 0.9  # the least share of right sentences among those labelled as supported
_CONTRADICTED = FEATURES.index("best contradicted")
_OF_SET = 2.0  # weight of a sentence from the training set; those of the readings have weight 1
_OTHERS, _OF_EACH_OTHER = 4, 2  # the other trials most like each, and the sentences that are copied from each of them
_OF_OTHER = 0.25  # weight of a sentence of another trial
_COPIED = 12  # sentences of each trial that are copied
_OF_WRONG_COPY = 0.5  # weight of a wrong copy, of which there are up to two for each right one
_SEED = 1


class SentenceKind(StrEnum):
    """Where a labelled sentence comes from."""

    PLAIN = "plain"
    COPIED = "copied"  # of the paper, rightly or with one thing changed; measured, but not fitted to
    OTHER_TRIAL = "of another trial"  # copied from a trial of the same field: wrong of this one


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence, whether it is right, and its features."""

    paper: str
    right: bool
    error: str | None
    weight: float
    features: Features
    kind: SentenceKind


def fit_summaries() -> None:
    """Fit the score of plain summaries on top of the reader, and print how right it is on papers left out.

        python -m core.training summaries [--data FOLDER]

    Learns from papers that the reader was not trained on (`reader.for_the_top`): the plain sentences of the training
    set, those of the readings, and sentences of other trials of the same field. Copied sentences, right and with one
    thing changed, are measured as well. The threshold below which a sentence is flagged is chosen on predictions for
    held-out papers. No development set is used. Writes `core/summary/score.json`.
    """
    parser = parser_of(fit_summaries)
    parser.add_argument("--data", type=Path, help="the data folder (default: VOUCH_DATA)")
    sentences = list(sentences_of(parser.parse_args().data or data.data_folder()))
    right, weights = np.array([one.right for one in sentences]), np.array([one.weight for one in sentences])
    probabilities = _left_out(sentences)
    plain, of_copies = (
        np.array([one.kind is kind for one in sentences]) for kind in (SentenceKind.PLAIN, SentenceKind.COPIED)
    )
    for name, which in (("plain", plain), ("copied", of_copies)):
        auroc_of = roc_auc_score(right[which], probabilities[which], sample_weight=weights[which])
        print(f"{which.sum()} {name} sentences, AUROC {auroc_of:.3f}")
    for error in sorted({one.error for one in sentences if one.error}):
        some = plain & (right | np.array([one.error == error for one in sentences]))
        print(f"  {error}: {roc_auc_score(right[some], probabilities[some]):.2f}")
    wrong_below = float(np.quantile(probabilities[right & (weights > 1)], _ALARMS))
    flagged = probabilities < wrong_below
    supported_from = next(
        (
            float(least)
            for least in np.arange(0.5, 0.99, 0.01)
            if right[plain & (probabilities >= least)].mean() >= _SUPPORTED_RIGHT
        ),
        0.99,
    )
    contradicts_from = sure_contradiction([one for one in sentences if one.right and one.weight > 1])
    print(f"contradicts from {contradicts_from:.2f}")
    counts = [
        round(100 * float(np.average(flagged[which], weights=weights[which])))
        for which in (plain & right, plain & ~right)
    ]
    print(
        f"flagged below {wrong_below:.3f}: {counts[0]}% of right, {counts[1]}% of wrong; supported from {supported_from:.2f}"
    )
    model = _fitted(sentences)
    found = {
        "supported": model.to_json(),
        "supported_from": round(supported_from, 4),
        "wrong_below": round(wrong_below, 4),
        "contradicts_from": contradicts_from,
        "right_flagged": shipped().right_flagged,  # measured by `bench summary/sentences`, with every rule applied
        "wrong_found": shipped().wrong_found,
    }
    MODEL.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def sure_contradiction(right: Sequence[LabelledSentence]) -> float:
    """The least probability of a contradiction that is reached by few enough right sentences."""
    odds = np.array([one.features[_CONTRADICTED] for one in right])
    tried = [float(least) for least in np.arange(0.5, 1.0, 0.01).round(2)]
    return next((one for one in tried if (odds >= log_odds(one)).mean() <= _SEEM_CONTRADICTED), 1.0)


def sentences_of(folder: Path) -> Iterator[LabelledSentence]:
    """The labelled sentences on papers that are set aside for this regression, with features from their sources."""
    embedder, reader = Embedder.installed(load_settings().embeddings), installed_reader()
    kept = trials_of(folder, embedder, for_the_top(folder))
    sources = {name: SourceReader(embedder, reader, trial.paper, SummarySource.WHOLE) for name, trial in kept.items()}
    for asked in _asked(folder, kept, embedder):
        beside = sources[asked.paper].read(asked.text)
        if beside is not None:
            numbers = pair_numbers(asked.text, [(one.index, one.text) for one in beside.sentences])
            found = features(asked.text, beside.read, numbers)
            yield LabelledSentence(asked.paper, asked.right, asked.error, asked.weight, found, asked.kind)


class _Asked(NamedTuple):
    paper: str
    text: str
    right: bool
    error: str | None = None
    weight: float = 1.0
    kind: SentenceKind = SentenceKind.PLAIN


def _asked(folder: Path, trials: Mapping[str, Trial], embedder: Embedder) -> Iterator[_Asked]:
    for row in rows(folder / "plain_summaries" / "train.jsonl"):
        if row["paper"] in trials:
            yield _Asked(row["paper"], row["sentence"], row["label"] == "supported", row["error"], _OF_SET)
    for file in (READINGS, REVIEWS):
        for _, row, _ in readings(trials, file):
            for one in row["sentences"]:
                yield _Asked(row["paper"], one["right"], right=True)
                yield _Asked(row["paper"], one["wrong"], right=False, error=one["error"])
    draw, arms = random.Random(_SEED), arms_by_trial(folder)  # noqa: S311 - no secret
    for name, trial in trials.items():
        for _, copies in copied_from(trial, arms.get(name, ()), draw, most=_COPIED):
            for text, label in copies:
                right = label is Entailment.SUPPORTED
                yield _Asked(name, text, right, weight=1.0 if right else _OF_WRONG_COPY, kind=SentenceKind.COPIED)
    names = list(trials)
    titles: Matrix = embedder.encode([trials[name].paper.title or name for name in names])
    for place, name in enumerate(names):
        alike = [one for one in np.argsort(-(titles @ titles[place]), kind="stable") if one != place]
        for other in alike[:_OTHERS]:
            for _, copies in copied_from(trials[names[other]], (), draw, most=_OF_EACH_OTHER):
                yield _Asked(name, copies[0][0], right=False, weight=_OF_OTHER, kind=SentenceKind.OTHER_TRIAL)


def _fitted(sentences: Sequence[LabelledSentence]) -> Regression:
    known = [one for one in sentences if one.kind is not SentenceKind.COPIED]
    return fitted([one.features for one in known], [one.right for one in known], [one.weight for one in known])


def _left_out(sentences: Sequence[LabelledSentence]) -> Features:
    found = np.zeros(len(sentences))
    for fold in range(FOLDS):
        model = _fitted([one for one in sentences if fold_of(one.paper) != fold])
        for place, one in enumerate(sentences):
            if fold_of(one.paper) == fold:
                found[place] = model.probability(one.features)
    return found


_SYSTEMS = ("gencomparesumabs", "dancersum", "section_conditional")
_SENTENCES = (1, 2, 3)
_EXPERTS = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class RatedSummary:
    """A machine summary, its paper, the paper's abstract, and the experts' mean rating from 0 to 1."""

    paper: Paper
    abstract: str
    summary: str
    experts: float


def measure_summaries() -> int:
    """Measure how well the score of a summary agrees with experts' ratings, on LongSciVerify.

        python -m core.training longsciverify          Spearman's correlation for `offline`, ROUGE-L and embedding similarity

    LongSciVerify (Bishop, Xie and Ananiadou 2024; MIT) has 15 papers with three machine summaries each. Three experts
    said of three sentences of each summary whether they are factual; which sentences is not recorded, so that their
    mean is taken for the summary. Reads the data folder (VOUCH_DATA, or ../shared/data beside the repository).
    """
    parser_of(measure_summaries).parse_args()
    rated = read_longsciverify(data_folder() / "longsciverify")
    embedder = Embedder.installed(load_settings().embeddings)
    engine = summary_engine_named("offline")
    metrics: dict[str, Callable[[RatedSummary], float]] = {
        "`offline`, the summary's score": lambda one: _mean_score(engine, one),
        "ROUGE-L with the abstract": lambda one: rouge_l(one.summary, one.abstract),
        "embedding similarity": lambda one: _nearest(embedder, one),
    }
    print("| measure | Spearman (95% interval) |\n|---|---|")
    for name, metric in metrics.items():
        found = estimate(
            spearman([one.experts for one in rated], [metric(one) for one in rated]), [one.paper.id for one in rated]
        )
        figure = f"{found.value:.2f} ({found.low:.2f} to {found.high:.2f})" if found else "not defined"
        print(f"| {name} | {figure} |", flush=True)
    return 0


def read_longsciverify(folder: Path) -> list[RatedSummary]:
    """The 45 summaries, paper by paper."""
    ratings = [
        {row["id"]: row for row in csv.DictReader((folder / f"pubmed_reviewer_{n}.csv").open(encoding="utf-8-sig"))}
        for n in _EXPERTS
    ]
    rated = []
    for article in json.loads((folder / "pubmed_test.json").read_text(encoding="utf-8")):
        paper = _paper(article)
        abstract = " ".join(article["abstract_text"]).replace("<S>", "").replace("</S>", "")
        for number, system in enumerate(_SYSTEMS, start=1):
            given = [
                float(rows[article["article_id"]][f"model_{number}_sent_{sentence}_factuality"])
                for rows in ratings
                for sentence in _SENTENCES
            ]
            rated.append(RatedSummary(paper, abstract, ratings[0][article["article_id"]][system], mean(given)))
    return rated


def _paper(article: dict[str, Any]) -> Paper:
    """The article's sentences as in the file, under its section titles."""
    draft = PaperDraft()
    for title, sentences in zip(article["section_names"], article["sections"], strict=True):
        draft.blocks.append(Block(Kind.HEADING, title or "Section", 1))
        kept = tuple(sentence for sentence in sentences if sentence.strip())
        if kept:
            draft.blocks.append(Block(Kind.BODY, " ".join(kept), sentences=kept))
    data = json.dumps(article["sections"]).encode()
    return assemble(draft, data=data, name=article["article_id"], format=Format.TEXT)


def _mean_score(engine: SummaryEngine, one: RatedSummary) -> float:
    score = check_summary(one.summary, one.paper, engine=engine).mean_score
    if score is None:
        raise ValueError(f"no sentence of a summary of {one.paper.name} could be judged")
    return score


def _nearest(embedder: Embedder, one: RatedSummary) -> float:
    """The mean cosine of the summary's sentences to the nearest of the paper's."""
    vectors = embedder.encode([sentence.text for sentence in split_summary(one.summary)])
    return float((vectors @ embedder.compare(one.paper, "").vectors.T).max(axis=1).mean())


def rouge_l(summary: str, reference: str) -> float:
    """ROUGE-L's F1, from the longest common subsequence of words (Lin 2004, section 3.1)."""
    one, two = summary.lower().split(), reference.lower().split()
    row = [0] * (len(two) + 1)
    for word in one:
        above = 0
        for place, other in enumerate(two, start=1):
            kept = row[place]
            row[place] = above + 1 if word == other else max(row[place], row[place - 1])
            above = kept
    return 2 * row[-1] / (len(one) + len(two)) if one and two else 0.0


# How well the score separates right from wrong sentences of the stress set, on papers that were not used for tuning.


_SUPPORTED = {wording for wording in StressWording if wording not in (StressWording.CLAIM, StressWording.INVENTED)}


def tables(items: Sequence[StressItem], probabilities: NDArray[np.float64], threshold: float) -> str:
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
    claims = [pair for pair in scored if pair[0].wording is StressWording.CLAIM]
    lines.append(
        _line(
            "claims made of experts' labels",
            [pair for pair in claims if pair[0].wrong is None],
            [pair for pair in claims if pair[0].wrong],
            threshold,
        )
    )
    lines += ["", "| right | sentences | flagged |", "|---|---|---|"]
    for wording in StressWording:
        some = [p for item, p in scored if item.wrong is None and item.wording is wording]
        if some:
            lines.append(f"| {wording.value} | {len(some):,} | {_share(some, threshold)} |")
    lines += ["", *_by_wording(scored)]
    return "\n".join(lines)


def _by_wording(scored: Sequence[tuple[StressItem, float]]) -> list[str]:
    lines = ["| wording, right and wrong | AUROC |", "|---|---|"]
    for wording in (StressWording.VERBATIM, StressWording.COMPRESSED, StressWording.PLAIN):
        some = [(item, p) for item, p in scored if item.wording is wording]
        lines.append(f"| {wording.value} | {_auroc_of_draws(some)(np.ones((1, len(some))))[0]:.3f} |")
    return lines


def _line(
    name: str, right: list[tuple[StressItem, float]], wrong: list[tuple[StressItem, float]], threshold: float
) -> str:
    pairs = [*right, *wrong]
    found = estimate(_auroc_of_draws(pairs), [item.paper for item, _ in pairs])
    figure = f"{found.value:.3f} ({found.low:.3f} to {found.high:.3f})" if found else "-"
    return f"| {name} | {len(wrong):,} | {figure} | {_share([p for _, p in wrong], threshold)} |"


def _auroc_of_draws(pairs: Sequence[tuple[StressItem, float]]) -> Statistic:
    """The probability that a right sentence scores above a wrong one; ties count half."""
    return auroc([item.wrong is None for item, _ in pairs], [score for _, score in pairs])


def _share(probabilities: Sequence[float], threshold: float) -> str:
    return f"{np.mean(np.array(probabilities) < threshold):.1%}"


def make_or_measure_stress_set() -> int:
    """Make the stress set, sentences that are right or wrong by rule, and measure `offline` on those of its test papers.

        python -m core.training stress-set make --out FILE    writes the sentences, one JSON object a line
        python -m core.training stress-set measure            how well the score tells them apart

    This set and the product have the same authors, so its figures say little: they are reported, but nothing is
    fitted to them. Reads the CC BY papers of Evidence Inference in the data folder (VOUCH_DATA, or ../shared/data
    beside the repository).
    """
    parser = parser_of(make_or_measure_stress_set)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("make").add_argument("--out", type=Path, required=True)
    commands.add_parser("measure")
    arguments = parser.parse_args()
    trials = read_trials(data_folder() / "evidence_inference")
    items = list(make_items(trials))
    if arguments.command == "make":
        write_items(items, arguments.out)
        return 0
    test = [item for item in items if item.test]
    print(tables(test, probabilities_of(trials, test), shipped().wrong_below))
    return 0


def probabilities_of(trials: Sequence[StressTrial], items: Sequence[StressItem]) -> np.ndarray:
    """The probability that each sentence is supported. Shape: (len(items),)."""
    embedder, reader, model = Embedder.installed(load_settings().embeddings), installed_reader(), shipped()
    found = np.zeros(len(items))
    for number, trial in enumerate(trials, start=1):
        places = [place for place, item in enumerate(items) if item.paper == trial.name]
        sources = SourceReader(embedder, reader, trial.paper, SummarySource.WHOLE) if places else None
        for place in places:
            beside = sources.read(items[place].text) if sources else None
            if beside is not None:
                numbers = pair_numbers(items[place].text, [(one.index, one.text) for one in beside.sentences])
                found[place] = model.supported.probability(features(items[place].text, beside.read, numbers))
        print(f"\rpaper {number} of {len(trials)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found
