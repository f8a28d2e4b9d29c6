"""Train the models with which `offline` ranks sentences, and write the figures of its model card."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import lightgbm
import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from core.benchmarks.bootstrap import interval
from core.evidence import offline
from core.evidence.model import EvidenceQuery
from core.evidence.offline import SimpleOfflineEngine, features_of
from core.evidence.ranker.model import FOLDER, READ, Training
from core.evidence.selection import Redundancy
from core.settings import load_settings
from core.text.similarity import Embedder
from core.training import data, parser_of
from core.training.data import data_folder
from core.training.ranker import (
    CROSS_FOLDS,
    EVIDENCE,
    EVIDENCE_INFERENCE,
    EVIDENCEBENCH,
    FOLDS,
    RECIPES,
    RESULTS,
    SEED,
    TRIALS,
    AspectFeatures,
    HeldOutScores,
    Pick,
    QuestionFeatures,
    Scores,
    SpanFeatures,
    as_text,
    aspect_recalls,
    by_column,
    by_scores,
    cross_validated,
    fit,
    held_back_trials,
    hits,
    load_questions,
    read_alone,
    read_with,
    reworded,
    sample_features,
)

OFFLINE_FOLDS = 6
OFFLINE_SEED = 0
WEIGHTS_FILE = Path(offline.__file__).with_name("weights.py")
# How much each source counts in all. Evidence Inference has all the tables and captions, EvidenceBench all the variety.
SHARES = {
    False: {data.AspectQuestion: 10.0, data.SpanQuestion: 1.0},
    True: {data.AspectQuestion: 2.0, data.SpanQuestion: 1.0},
}
SAMPLES = 12_000.0  # the number of sentences that a share of 1 stands for
EVIDENCE_SHARE = 0.2  # the share of evidence among them, the same for both sources
C = 0.3  # inverse strength of the L2 penalty on standardised weights; between 0.03 and 1 it hardly matters
MODES = tuple((results_only, encoder) for results_only in (False, True) for encoder in (True, False))

Weights = Mapping[str, float]
Table = dict[tuple[bool, bool], Weights]
Columns = Mapping[str, NDArray[np.float64]]
Described = dict[bool, Columns]  # True: with an encoder; False: without


def fit_offline() -> None:
    """Fit the weights of the simple `offline` and write `core/evidence/weights.py`: `python -m core.training offline`.

    Prints figures that are cross-validated by paper. Needs scikit-learn, which comes with sentence-transformers.
    """
    arguments = parser_of(fit_offline)
    arguments.add_argument("--papers", type=int, help="articles of Evidence Inference to use (default: all)")
    questions: list[data.Question] = [*data.evidencebench(), *data.evidence_inference(arguments.parse_args().papers)]
    embedder = Embedder.installed(load_settings().embeddings)
    described = [_described(question, embedder) for question in questions]
    papers = sorted({question.paper.id for question in questions})
    shuffled = np.random.default_rng(OFFLINE_SEED).permutation(len(papers))
    fold = {papers[place]: number % OFFLINE_FOLDS for number, place in enumerate(shuffled)}
    scores: dict[bool, list[dict[str, float]]] = {True: [{}] * len(questions), False: [{}] * len(questions)}
    for held_out in range(OFFLINE_FOLDS):
        train = [n for n, question in enumerate(questions) if fold[question.paper.id] != held_out]
        table = _fit(questions, described, train)
        for n in set(range(len(questions))) - set(train):
            for encoder, of_questions in scores.items():
                of_questions[n] = _score(questions[n], table, embedder if encoder else None)
    for encoder, of_questions in scores.items():
        for source in (data.AspectQuestion, data.SpanQuestion):
            chosen = [n for n, question in enumerate(questions) if isinstance(question, source)]
            summary = data.mean_scores([questions[n] for n in chosen], [of_questions[n] for n in chosen])
            print("with encoder" if encoder else "without     ", data.as_line(summary))
    _write(_fit(questions, described, range(len(questions))))


def _described(question: data.Question, embedder: Embedder) -> Described:
    candidates = EvidenceQuery(question.hypothesis).candidates(question.paper)
    cosines = embedder.compare(question.paper, question.hypothesis).to_hypothesis.astype(np.float64)
    columns = features_of(question.paper, candidates, question.hypothesis, cosines)
    needs_encoder = columns.keys() - features_of(question.paper, candidates, question.hypothesis, None).keys()
    return {True: columns, False: {name: c for name, c in columns.items() if name not in needs_encoder}}


def _fit(questions: Sequence[data.Question], described: Sequence[Described], train: Sequence[int]) -> Table:
    table: Table = {}
    for results_only, encoder in MODES:
        names = list(described[0][encoder])
        rows, labels, weights = [], [], []
        sources: list[np.ndarray] = []
        for source, share in SHARES[results_only].items():
            own = [n for n in train if isinstance(questions[n], source)]
            x = np.concatenate([np.column_stack([described[n][encoder][name] for name in names]) for n in own])
            y = np.concatenate([_labels(questions[n], results_only=results_only) for n in own])
            rows.append(x)
            labels.append(y)
            weights.append(SAMPLES * share * np.where(y, EVIDENCE_SHARE / y.sum(), (1 - EVIDENCE_SHARE) / (~y).sum()))
            sources.append(np.full(len(y), 3.0 * len(sources)))
        x = np.concatenate(rows)
        mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-9
        model = LogisticRegression(C=C, max_iter=1000)
        # A column for each source takes up differences in difficulty between sources, and is dropped afterwards.
        model.fit(
            np.column_stack([(x - mean) / spread, np.concatenate(sources)]),
            np.concatenate(labels),
            sample_weight=np.concatenate(weights),
        )
        table[results_only, encoder] = dict(zip(names, model.coef_[0][:-1] / spread, strict=True))
    return table


def _labels(question: data.Question, *, results_only: bool) -> NDArray[np.bool_]:
    sources = question.sources(results_only=results_only)
    return np.array([s.index in sources for s in EvidenceQuery(question.hypothesis).candidates(question.paper)])


def _score(question: data.Question, table: Table, embedder: Embedder | None) -> dict[str, float]:
    with patch.object(offline, "WEIGHTS", table):
        return question.score(SimpleOfflineEngine(embedder))


def _write(table: Table) -> None:
    lines = [
        '"""The weights of the simple `offline`, fitted on EvidenceBench (CC BY-NC-SA) and Evidence Inference (MIT, CC BY).',
        "",
        "Written by core/training/evidence.py: do not edit by hand.",
        '"""',
        "",
        "# (results only, with encoder) -> each feature's weight in the log odds that a sentence is evidence",
        "WEIGHTS = {",
    ]
    for (results_only, encoder), weights in table.items():
        lines.append(f"    ({results_only}, {encoder}): {{")
        lines += [f'        "{name}": {weight:.2f},' for name, weight in weights.items()]
        lines.append("    },")
    WEIGHTS_FILE.write_text("\n".join([*lines, "}", ""]), encoding="utf-8")


# The figures of the ranker's card: trees, cross-encoder and both on unseen papers, and the contribution of each part.

SEEDS = (SEED, SEED + 1)  # of the splits of EvidenceBench; the trials, which are ten times as many, are split once
ASPECT_METRICS = ("@10", "@optimal", "result@5", "result@optimal")
SPAN_METRICS = ("hit@1", "hit@3", "hit@10")
NONE = Redundancy(free=0.0, penalty=0.0)
Row = tuple[str, Mapping[str, str]]


@dataclass(frozen=True)
class Ranked:
    """Scores for every question, if all evidence is asked for, and if only results are."""

    evidence: Scores
    results: Scores

    def alone(self, reading: Scores) -> Ranked:
        """The cross-encoder's scores of the sentences that these trees select for it."""
        return Ranked(
            read_alone(self.evidence, reading, results_only=False), read_alone(self.results, reading, results_only=True)
        )

    def with_(self, reading: Scores) -> Ranked:
        """The scores of trees and cross-encoder together, as shipped."""
        return Ranked(
            read_with(self.evidence, reading, results_only=False), read_with(self.results, reading, results_only=True)
        )

    def picks(self, redundancy: Redundancy | None = None) -> tuple[Pick, Pick]:
        return (
            by_scores(self.evidence, results_only=False, redundancy=redundancy),
            by_scores(self.results, results_only=True, redundancy=redundancy),
        )


def figures(aspects: Sequence[AspectFeatures], spans: Sequence[SpanFeatures], kept: HeldOutScores) -> str:
    """The tables in Markdown.

    The trees are cross-validated here; `kept` holds the cross-encoder's scores of unseen papers.
    """
    questions: list[QuestionFeatures] = [*aspects, *spans]
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
    aspects: Sequence[AspectFeatures], trees: Sequence[Ranked], trials: Ranked, read: Mapping[Training, Scores]
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


def _without_rows(aspects: Sequence[AspectFeatures], questions: Sequence[QuestionFeatures]) -> list[Row]:
    rows = []
    names = questions[0].features.names
    for group, drop in _groups(names).items():
        _say(f"without {group}")
        kept = np.array([column for column, name in enumerate(names) if name not in drop])
        without = Ranked(*(cross_validated(recipe, questions, columns=kept) for recipe in (EVIDENCE, RESULTS)))
        rows.append(_aspect_row(f"trees without {group} (seed {SEED})", aspects, [without.picks()]))
    return rows


def _span_rows(spans: Sequence[SpanFeatures], trees: Ranked, trials: Ranked) -> list[Row]:
    return [
        _span_row("`bm25`", spans, by_column("bm25")),
        _span_row("`embedding`", spans, by_column("cosine")),
        _span_row("trees, results only", spans, trees.picks()[1]),
        _span_row("the same, the question in other words", spans, _in_other_words(trees)),
        _span_row("trained on the trials alone: trees", spans, trials.picks()[1]),
    ]


def _held_back_rows(
    spans: Sequence[SpanFeatures], trees: Ranked, trials: Ranked, read: Mapping[Training, Scores]
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
    """The features by kind."""
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


def _aspect_row(name: str, aspects: Sequence[AspectFeatures], picks: Sequence[tuple[Pick, Pick]]) -> Row:
    """A row with means over the splits. Intervals resample these means, so that each paper counts only once."""
    found: dict[str, dict[str, list[float]]] = {}
    for question in aspects:
        for both in picks:
            for mode, pick in zip((False, True), both, strict=True):
                for metric, value in aspect_recalls(question, pick, results_only=mode).items():
                    found.setdefault(metric, {}).setdefault(question.id, []).append(value)
    group = {question.id: question.group for question in aspects}
    return name, {metric: _cell(values, group) for metric, values in found.items()}


def _span_row(name: str, spans: Sequence[SpanFeatures], pick: Pick) -> Row:
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


def _importance(questions: Sequence[QuestionFeatures]) -> list[str]:
    """Each feature's share of the total gain, in the models trained on everything."""
    shares = []
    for recipe in RECIPES:
        gain = fit(recipe, questions).feature_importance("gain")
        shares.append(dict(zip(questions[0].features.names, 100 * gain / gain.sum(), strict=True)))
    names = sorted(questions[0].features.names, key=lambda name: -sum(share[name] for share in shares))
    head = f"| Feature: share of the gain, per cent | {' | '.join(recipe.file for recipe in RECIPES)} |"
    rows = [f"| {name} | {' | '.join(f'{share[name]:.1f}' for share in shares)} |" for name in names]
    return [head, f"|---|{'---|' * len(RECIPES)}", *rows]


def _column(question: QuestionFeatures, name: str) -> np.ndarray:
    column: np.ndarray = question.features.values[:, question.features.names.index(name)]
    return column


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


CARD = Path(__file__).resolve().parents[2] / "docs" / "ranker.md"
BEGIN, END = "<!-- figures: written by core/training/evidence.py -->", "<!-- end of figures -->"


def train_ranker() -> int:
    """Train the ranker, cross-validate it by paper, and write its models and the figures of its card.

        python -m core.training ranker            writes core/evidence/ranker/models and the figures in docs/ranker.md
        python -m core.training ranker --check    cross-validates only, and writes nothing

    Run `python -m core.training cross-encoder` before it: the cross-encoder's scores of unseen papers are read from
    VOUCH_HOME. Reads the data folder (VOUCH_DATA, or ../shared/data beside the repository). Needs LightGBM, which
    Vouch itself does not. Everything is seeded: the same data gives the same models. Takes minutes; papers are
    encoded the first time.
    """
    parser = parser_of(train_ranker)
    parser.add_argument("--check", action="store_true", help="cross-validate only, and write nothing")
    arguments = parser.parse_args()
    settings, data = load_settings(), data_folder()
    aspects, spans = load_questions(data, Embedder.installed(settings.embeddings))
    tables = figures(aspects, spans, HeldOutScores.at(settings.home))
    print(tables)
    if not arguments.check:
        _write_models([*aspects, *spans], data)
        card = CARD.read_text(encoding="utf-8")
        before, after = card.split(BEGIN)[0], card.split(END)[1]
        CARD.write_text(f"{before}{BEGIN}\n{tables}\n{END}{after}", encoding="utf-8")
    return 0


def _write_models(questions: Sequence[QuestionFeatures], data: Path) -> None:
    FOLDER.mkdir(exist_ok=True)
    for recipe in RECIPES:
        (FOLDER / recipe.file).write_text(as_text(fit(recipe, questions)), encoding="ascii")
    record = {
        "lightgbm": lightgbm.__version__,
        "seed": SEED,
        "features": list(questions[0].features.names),
        "sample": sample_features(),
        "sha256": {
            path.name: hashlib.sha256((data / path).read_bytes()).hexdigest()
            for path in (EVIDENCEBENCH, EVIDENCE_INFERENCE / "items.json")
        },
    }
    (FOLDER / "training.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
