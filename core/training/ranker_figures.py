"""The figures of the ranker's card: trees, cross-encoder and both on papers that they have not seen, and what each part is worth."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.benchmarks.bootstrap import interval
from core.evidence.ranker.model import READ, Training
from core.evidence.selection import Redundancy
from core.training.cross_encoder_scores import CROSS_FOLDS, Kept, held_back_trials
from core.training.ranker_data import Aspects, Question, Spans
from core.training.ranker_training import (
    EVIDENCE,
    FOLDS,
    RECIPES,
    RESULTS,
    SEED,
    TRIALS,
    Pick,
    Scores,
    aspect_recalls,
    by_column,
    by_scores,
    cross_validated,
    fit,
    hits,
    read_alone,
    read_with,
    reworded,
)  # fmt: skip

SEEDS = (SEED, SEED + 1)  # of the splits of EvidenceBench; the trials, ten times as many, are split once
ASPECT_METRICS = ("@10", "@optimal", "result@5", "result@optimal")
SPAN_METRICS = ("hit@1", "hit@3", "hit@10")
NONE = Redundancy(free=0.0, penalty=0.0)
Row = tuple[str, Mapping[str, str]]


@dataclass(frozen=True)
class Ranked:
    """Scores of every question, when all evidence is asked for and when only results are."""

    evidence: Scores
    results: Scores

    def alone(self, reading: Scores) -> Ranked:
        """The cross-encoder's order of what these trees let it read."""
        return Ranked(
            read_alone(self.evidence, reading, results_only=False), read_alone(self.results, reading, results_only=True)
        )

    def with_(self, reading: Scores) -> Ranked:
        """Trees and cross-encoder together, as shipped."""
        return Ranked(
            read_with(self.evidence, reading, results_only=False), read_with(self.results, reading, results_only=True)
        )

    def picks(self, redundancy: Redundancy | None = None) -> tuple[Pick, Pick]:
        return (
            by_scores(self.evidence, results_only=False, redundancy=redundancy),
            by_scores(self.results, results_only=True, redundancy=redundancy),
        )


def figures(aspects: Sequence[Aspects], spans: Sequence[Spans], kept: Kept) -> str:
    """Tables in Markdown. Cross-validates the trees here; what the cross-encoder said of unseen papers is `kept`."""
    questions: list[Question] = [*aspects, *spans]
    read = {training: kept.unseen(training, questions) for training in Training}
    _say("cross-validating")
    trees = [
        Ranked(cross_validated(EVIDENCE, questions, seed=seed), cross_validated(RESULTS, questions, seed=seed))
        for seed in SEEDS
    ]
    one = cross_validated(TRIALS, questions)
    trials = Ranked(one, one)
    held_back = held_back_trials(questions)
    unseen = [question for question in spans if question.group in held_back]
    papers = len({question.group for question in questions})
    lines = [
        f"{len(aspects)} hypotheses of EvidenceBench and {len(spans)} prompts of Evidence Inference on {papers} papers."
        f" Trees: {FOLDS} folds by paper, seeds {', '.join(map(str, SEEDS))} for the aspects and {SEED} for the spans."
        f" Cross-encoder, on the trees' best {READ} sentences: {CROSS_FOLDS} folds of EvidenceBench by paper, seed {SEED};"
        f" of the trials {len(held_back)} papers are held back from it, and from the one that ships."
        " In brackets the 95% interval, papers resampled.",
        "",
        *_table(
            "EvidenceBench, aspect recall in per cent",
            ASPECT_METRICS,
            [*_aspect_rows(aspects, trees, trials, read), *_without_rows(aspects, questions)],
        ),
        "",
        *_table(
            f"Evidence Inference, all {len(spans)} prompts, hits in per cent",
            SPAN_METRICS,
            _span_rows(spans, trees[0], trials),
        ),
        "",
        *_table(
            f"The {len(unseen)} prompts held back from the cross-encoder",
            SPAN_METRICS,
            _held_back_rows(unseen, trees[0], trials, read),
        ),
        "",
        *_importance(questions),
    ]
    return "\n".join(lines)


def _aspect_rows(
    aspects: Sequence[Aspects], trees: Sequence[Ranked], trials: Ranked, read: Mapping[Training, Scores]
) -> list[Row]:
    everything, of_trials = read[Training.ALL], read[Training.TRIALS]
    both = [one.with_(everything) for one in trees]
    rows = [
        _aspect_row("`bm25`", aspects, [(by_column("bm25"), by_column("bm25"))]),
        _aspect_row("`embedding`", aspects, [(by_column("cosine"), by_column("cosine"))]),
        _aspect_row("trained on the trials alone: trees", aspects, [trials.picks()]),
        _aspect_row("trained on the trials alone: both", aspects, [trials.with_(of_trials).picks()]),
        _aspect_row("trees", aspects, [one.picks() for one in trees]),
        _aspect_row("cross-encoder", aspects, [one.alone(everything).picks() for one in trees]),
        _aspect_row("**`offline`**: both", aspects, [one.picks() for one in both]),
        _aspect_row("the same, without the choice: the k highest", aspects, [one.picks(NONE) for one in both]),
    ]
    for name, member in (("papers without an abstract", False), ("papers with one", True)):
        some = [question for question in aspects if bool(_column(question, "has_abstract")[0]) is member]
        rows.append(_aspect_row(f"`offline`, {len(some)} {name}", some, [one.picks() for one in both]))
    return rows


def _without_rows(aspects: Sequence[Aspects], questions: Sequence[Question]) -> list[Row]:
    rows = []
    names = questions[0].features.names
    for group, drop in _groups(names).items():
        _say(f"without {group}")
        kept = np.array([column for column, name in enumerate(names) if name not in drop])
        without = Ranked(*(cross_validated(recipe, questions, columns=kept) for recipe in (EVIDENCE, RESULTS)))
        rows.append(_aspect_row(f"trees without {group} (seed {SEED})", aspects, [without.picks()]))
    return rows


def _span_rows(spans: Sequence[Spans], trees: Ranked, trials: Ranked) -> list[Row]:
    return [
        _span_row("`bm25`", spans, by_column("bm25")),
        _span_row("`embedding`", spans, by_column("cosine")),
        _span_row("trees, results only", spans, trees.picks()[1]),
        _span_row("the same, the question in other words", spans, _in_other_words(trees)),
        _span_row("trained on the trials alone: trees", spans, trials.picks()[1]),
    ]


def _held_back_rows(
    spans: Sequence[Spans], trees: Ranked, trials: Ranked, read: Mapping[Training, Scores]
) -> list[Row]:
    everything, of_trials = read[Training.ALL], read[Training.TRIALS]
    both = trees.with_(everything)
    return [
        _span_row("`bm25`", spans, by_column("bm25")),
        _span_row("`embedding`", spans, by_column("cosine")),
        _span_row("trees, results only", spans, trees.picks()[1]),
        _span_row("cross-encoder", spans, trees.alone(everything).picks()[1]),
        _span_row("**`offline`**: both", spans, both.picks()[1]),
        _span_row("the same, the question in other words", spans, _in_other_words(both)),
        _span_row("trained on the trials alone: trees", spans, trials.picks()[1]),
        _span_row("trained on the trials alone: cross-encoder", spans, trials.alone(of_trials).picks()[1]),
        _span_row("trained on the trials alone: both", spans, trials.with_(of_trials).picks()[1]),
    ]


def _in_other_words(ranked: Ranked) -> Pick:
    return by_scores(ranked.results, results_only=True, name=reworded)


def _groups(names: Sequence[str]) -> dict[str, set[str]]:
    """The features by what they look at."""
    meaning = {name for name in names if "cosine" in name or name in {"centrality", "abstract_relevance"}}
    place = {n for n in names if n.startswith(("in_", "section_", "part_")) or n in {"position", "from_end", "caption",
             "table", "concluding_section", "pool", "has_abstract"}}  # fmt: skip
    words = {n for n in names if "words" in n or "coverage" in n or "bm25" in n} - {"words"}
    meaning, place = meaning - words, place - meaning
    return {
        "meaning": meaning,
        "place": place,
        "words in common": words,
        "wording": set(names) - meaning - place - words - {"query_clauses"},
    }


def _aspect_row(name: str, aspects: Sequence[Aspects], picks: Sequence[tuple[Pick, Pick]]) -> Row:
    """The mean over the splits; a split's intervals would count each paper once more, so the mean is resampled."""
    found: dict[str, dict[str, list[float]]] = {}
    for question in aspects:
        for both in picks:
            for mode, pick in zip((False, True), both, strict=True):
                for metric, value in aspect_recalls(question, pick, results_only=mode).items():
                    found.setdefault(metric, {}).setdefault(question.id, []).append(value)
    group = {question.id: question.group for question in aspects}
    return name, {metric: _cell(values, group) for metric, values in found.items()}


def _span_row(name: str, spans: Sequence[Spans], pick: Pick) -> Row:
    found: dict[str, dict[str, list[float]]] = {}
    for question in spans:
        for metric, value in hits(question, pick).items():
            found.setdefault(metric, {})[question.id] = [value]
    return name, {metric: _cell(values, {q.id: q.group for q in spans}) for metric, values in found.items()}


def _cell(values: Mapping[str, Sequence[float]], group: Mapping[str, str]) -> str:
    found = interval([float(np.mean(value)) for value in values.values()], [group[name] for name in values])
    return f"{100 * found.value:.1f} ({100 * found.low:.0f}-{100 * found.high:.0f})"


def _table(title: str, metrics: Sequence[str], rows: Sequence[Row]) -> list[str]:
    head = [f"| {title} | {' | '.join(metrics)} |", f"|---|{'---|' * len(metrics)}"]
    return head + [f"| {name} | {' | '.join(cells.get(metric, '-') for metric in metrics)} |" for name, cells in rows]


def _importance(questions: Sequence[Question]) -> list[str]:
    """Each feature's share of all that splits gained, in the models trained on everything."""
    shares = []
    for recipe in RECIPES:
        gain = fit(recipe, questions).feature_importance("gain")
        shares.append(dict(zip(questions[0].features.names, 100 * gain / gain.sum(), strict=True)))
    names = sorted(questions[0].features.names, key=lambda name: -sum(share[name] for share in shares))
    head = f"| Feature: share of the gain, per cent | {' | '.join(recipe.file for recipe in RECIPES)} |"
    rows = [f"| {name} | {' | '.join(f'{share[name]:.1f}' for share in shares)} |" for name in names]
    return [head, f"|---|{'---|' * len(RECIPES)}", *rows]


def _column(question: Question, name: str) -> np.ndarray:
    column: np.ndarray = question.features.values[:, question.features.names.index(name)]
    return column


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
