"""Train the offline models for support sentences and levels, cross-validate both by paper, and write the results."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from core.benchmarks.articles import Article
from core.benchmarks.bias_tasks import SUPPORT
from core.benchmarks.bootstrap import Interval
from core.benchmarks.consort_tm import DEPTHS, ITEMS_OF, LabelledPaper, hits, read_consort_tm, summary, support_items
from core.benchmarks.model import Response
from core.benchmarks.records import all_whole
from core.benchmarks.runner import here, run_task
from core.bias import bias_engine_named, levels
from core.bias.levels import COLUMNS, GIVEN, KINDS, LEVELS, PAPER, LevelModel, TopicText
from core.bias.model import HIGH, LOW, Level, Topic
from core.bias.ranker import model as ranker
from core.bias.ranker.features import Matrix, SentenceFeatures, sentence_features
from core.bias.ranker.model import Odds, SupportModel, odds_by, ranked_by
from core.bias.tools.rob1 import UNCLEAR
from core.paper import Paper, read_paper
from core.text.terms import Vocabulary
from core.training import parser_of
from core.training.data import READINGS, places_of
from core.training.data import rows as rows_of

# Fit the weights that find support sentences, and score them on unseen papers.

FOLDS = 5  # of whole trials; with fewer, the measured models would have learned much less than the shipped ones
_SPREAD = 3  # a term must be in at least so many papers, and in one of `_ONE_IN`; rarer terms are specific to a trial
_ONE_IN = 25
_INVERSE_REGULARISATION = 1.0
_OTHERS = 6  # one in so many of a read trial's non-deciding sentences is used, because using all would add little
# The scored domains, and other sources of bias (baseline data, early stopping, funding).
TOPICS: Mapping[str, frozenset[str]] = {**ITEMS_OF, "other": frozenset({"14b", "15", "25"})}
# Topic -> the domain of RoB 1 whose deciding sentences, from trials that were read, are its examples.
READ_TOPICS: Mapping[str, str] = {
    f"read {domain}": domain
    for domain in ("sequence", "concealment", "performance", "detection", "attrition", "reporting")
}


@dataclass(frozen=True, slots=True)
class SupportExample:
    """A paper's features, and for each topic a target of shape (sentences,), which is 1 for a sentence on it."""

    id: str
    paper: Paper
    described: SentenceFeatures
    targets: Mapping[str, Matrix]
    labelled: LabelledPaper | None = None  # if it is from CONSORT-TM

    @property
    def rows(self) -> list[int]:
        """The indices of the sentences to learn from."""
        if self.labelled is not None:
            return list(range(len(self.paper.pool)))
        decides = np.sum(list(self.targets.values()), axis=0) > 0
        return [index for index in range(len(self.paper.pool)) if decides[index] or index % _OTHERS == 0]

    @classmethod
    def of(cls, labelled: LabelledPaper) -> SupportExample:
        """An example from a paper of CONSORT-TM."""
        targets = {
            topic: np.array([bool(items & wanted) for items in labelled.items], dtype=np.float64)
            for topic, wanted in TOPICS.items()
        }
        return cls(labelled.id, labelled.paper, sentence_features(labelled.paper), targets, labelled)

    @classmethod
    def read(cls, id: str, paper: Paper, support: Mapping[str, Iterable[int]]) -> SupportExample:
        """An example from a paper whose deciding sentences a human reader named, by domain of RoB 1."""
        targets = {}
        for topic, domain in READ_TOPICS.items():
            targets[topic] = np.zeros(len(paper.sentences))
            targets[topic][list(support.get(domain, ()))] = 1
        return cls(id, paper, sentence_features(paper), targets)


def fit(examples: Sequence[SupportExample], *, sha256: Mapping[str, str] | None = None) -> SupportModel:
    """One logistic regression per topic, with balanced classes, on the features of the papers' sentences.

    All papers must be labelled with the same topics.
    """
    words = vocabulary_of([example.described.words for example in examples])
    headings = vocabulary_of([example.described.headings for example in examples])
    rows = sparse.vstack([_rows(example.described, words, headings, example.rows) for example in examples]).tocsr()
    topics = tuple(examples[0].targets)
    weights, intercepts = [], []
    for topic in topics:
        target = np.concatenate([example.targets[topic][example.rows] for example in examples])
        model = LogisticRegression(C=_INVERSE_REGULARISATION, class_weight="balanced", solver="liblinear", tol=1e-3)
        model.fit(rows, target)
        weights.append(model.coef_[0])
        intercepts.append(float(model.intercept_[0]))
    stacked = np.stack(weights, axis=1)
    word_end, heading_end = len(words.place), len(words.place) + len(headings.place)
    return SupportModel(
        topics=topics,
        words=words,
        word_weights=stacked[:word_end],
        headings=headings,
        heading_weights=stacked[word_end:heading_end],
        column_weights=stacked[heading_end:],
        intercepts=np.array(intercepts),
        sha256=sha256 or {},
    )


def cross_validated(examples: Sequence[SupportExample], count: int, *, seed: int) -> dict[str, dict[str, Matrix]]:
    """Each paper's log-odds by a model that has not seen it, from `count` folds: id -> topic -> (sentences,)."""
    fold_of = folds([example.paper for example in examples], count, seed)
    scores: dict[str, dict[str, Matrix]] = {}
    for fold in range(count):
        seen = [example for example in examples if fold_of[example.paper.id] != fold]
        unseen = [example for example in examples if fold_of[example.paper.id] == fold]
        check_apart(seen, unseen)
        model = fit(seen)
        scores |= {example.id: odds_by([model], example.described) for example in unseen}
    return scores


def folds(papers: Iterable[Paper], count: int, seed: int) -> dict[str, int]:
    """Paper id -> fold, at random."""
    ids = sorted({paper.id for paper in papers})
    np.random.default_rng(seed).shuffle(ids)
    return {id: number % count for number, id in enumerate(ids)}


def check_apart(seen: Sequence[SupportExample], unseen: Sequence[SupportExample]) -> None:
    """Raise `ValueError` if a paper is in both sets."""
    common = {example.paper.id for example in seen} & {example.paper.id for example in unseen}
    if common:
        raise ValueError(f"{len(common)} papers are in training and test at once")


def vocabulary_of(papers: Sequence[Sequence[Sequence[str]]]) -> Vocabulary:
    """The terms that are in several papers, in alphabetical order, and their inverse frequency among all sentences."""
    spread = Counter(term for paper in papers for term in {term for sentence in paper for term in sentence})
    fewest = max(_SPREAD, len(papers) // _ONE_IN)
    place = {term: number for number, term in enumerate(sorted(t for t in spread if spread[t] >= fewest))}
    sentences = Counter(term for paper in papers for sentence in paper for term in set(sentence))
    count = sum(map(len, papers))
    rarity = np.array([np.log((count + 1) / (sentences[term] + 1)) + 1 for term in place])
    return Vocabulary(place, rarity)


def _rows(
    described: SentenceFeatures, words: Vocabulary, headings: Vocabulary, rows: Sequence[int]
) -> sparse.csr_matrix:
    """Shape: (len(rows), terms + terms of headings + columns)."""
    return sparse.hstack(
        [
            weighed([described.words[row] for row in rows], words),
            weighed([described.headings[row] for row in rows], headings),
            sparse.csr_matrix(described.columns[list(rows)]),
        ]
    ).tocsr()


def weighed(texts: Sequence[Sequence[str]], vocabulary: Vocabulary) -> sparse.csr_matrix:
    """The weights of each text's terms. Shape: (texts, terms)."""
    places, weights, ends = [], [], [0]
    for terms in texts:
        found, values = vocabulary.weigh(terms)
        places += found
        weights += values.tolist()
        ends.append(len(places))
    return sparse.csr_matrix((weights, places, ends), shape=(len(texts), len(vocabulary.place)))


# Fit the model of levels, and score it on judgements of unseen papers.

WORDINGS = READINGS.parent / "bias_wordings.jsonl"  # invented support texts
_LEVEL_SPREAD = 12  # the least number of rows that use a term
_LEVEL_REGULARISATION = 2.0
_BESIDE = 0.3  # the weight of a row of the other kind
# The share of shown levels that should be right. It is higher for given sentences, because reviewers' words differ from
# the training data more than cross-validation on that data can show.
RIGHT = {PAPER: 0.85, GIVEN: 0.95}
_CHOICES = tuple(round(0.4 + 0.02 * step, 2) for step in range(30))


@dataclass(frozen=True, slots=True)
class TrainingJudgement:
    """A human reader's judgement of one domain of one trial; `support` holds the deciding sentences' indices."""

    paper: str
    domain: Topic  # of RoB 1, whose domains have the same names as the topics
    level: Level
    support: tuple[int, ...]
    words: str  # the support in the reader's own words
    careful: bool  # read sentence by sentence, by the instructions for the development set


@dataclass(frozen=True, slots=True)
class LevelRow:
    """One training example. Rows of the same group (a paper) are always in the same fold."""

    group: str
    level: Level
    read: TopicText
    careful: bool = False


def judgements(data: Path, papers: Mapping[str, Paper]) -> list[TrainingJudgement]:
    """The judgements in `rob1_papers/train.jsonl`, and those in the readings on other trials."""
    lines = (data / "rob1_papers" / "train.jsonl").read_text(encoding="utf-8").splitlines()
    articles = {name: Article(paper) for name, paper in papers.items()}
    found = [
        TrainingJudgement(
            one["paper"],
            Topic(one["domain"]),
            Level(one["level"]),
            tuple(sorted(frozenset().union(*(articles[one["paper"]].overlapping(text) for text in one["support"])))),
            one["reason"],
            careful=True,
        )
        for one in map(json.loads, lines)
    ]
    careful = {one.paper for one in found}
    for reading in rows_of(READINGS):
        if reading["paper"] not in careful and reading["bias"]:
            places = places_of(reading, papers[reading["paper"]])
            for one in reading["bias"]:
                level, support = Level(one["level"]), tuple(places(one["support"]))
                found.append(
                    TrainingJudgement(
                        reading["paper"], Topic(one["domain"]), level, support, one["words"], careful=False
                    )
                )
    return found


def papers_judged(data: Path) -> dict[str, Paper]:
    """The papers of all judgements, by name. Raises `ValueError` if one is in a development set."""
    lines = (data / "rob1_papers" / "train.jsonl").read_text(encoding="utf-8").splitlines()
    read = [reading for reading in rows_of(READINGS) if reading["bias"]]
    names = {one["paper"] for one in [*map(json.loads, lines), *read]}
    held = {json.loads(line).get("paper") for file in data.glob("*/dev.jsonl") for line in file.open(encoding="utf-8")}
    if common := names & held:
        raise ValueError(f"{len(common)} papers of development sets are among those to train on: {sorted(common)[:3]}")
    folder = data / "evidence_inference" / "xml"
    return {name: read_paper((folder / f"{name}.nxml").read_bytes(), name=f"{name}.nxml") for name in sorted(names)}


def wordings() -> list[LevelRow]:
    """Rows from invented support texts, which were written for training."""
    return [
        LevelRow(f"wording {number}", Level(one["level"]), TopicText(Topic(one["domain"]), (one["words"],)))
        for number, one in enumerate(rows_of(WORDINGS))
    ]


def given_rows(judged: Sequence[TrainingJudgement], papers: Mapping[str, Paper]) -> list[LevelRow]:
    """Rows from the support that readers gave: in their own words, and as the paper's sentences."""
    rows = [LevelRow(one.paper, one.level, TopicText(one.domain, (one.words,))) for one in judged]
    for one in judged:
        if one.support:
            texts = tuple(papers[one.paper].sentences[index].text for index in one.support[:5])
            rows.append(LevelRow(one.paper, one.level, TopicText(one.domain, texts)))
    return rows


def fit_levels(rows: Sequence[LevelRow], shown_from: Mapping[str, Mapping[Level, float]] | None = None) -> LevelModel:
    """One multinomial logistic regression per kind and topic. Rows of given sentences are also used for papers."""
    vocabulary = _level_vocabulary([row.read.terms for row in rows])
    terms = weighed([row.read.terms for row in rows], vocabulary)
    columns = sparse.csr_matrix(np.array([row.read.columns for row in rows]))
    features = sparse.hstack([terms, columns]).tocsr()
    target = np.array([LEVELS.index(row.level) for row in rows])
    weights = {}
    for kind in KINDS:
        for topic in levels.TOPICS:
            own = [
                number for number, row in enumerate(rows) if row.read.topic is topic and kind in {row.read.kind, PAPER}
            ]
            counts = [1.0 if rows[number].read.kind == kind else _BESIDE for number in own]
            # The usual frequency of levels is known for papers, but not for texts that a reviewer provides.
            balance = "balanced" if kind == GIVEN else None
            model = LogisticRegression(C=_LEVEL_REGULARISATION, class_weight=balance, max_iter=500, tol=1e-3)
            # The wordings were written in the style of trials. Reviewers' own words are judged better without the
            # columns.
            read = features[own] if kind == PAPER else terms[own]
            model.fit(read, target[own], sample_weight=counts)
            weights[kind, topic] = _table(model, len(vocabulary.place) + len(COLUMNS))
    return LevelModel(vocabulary, weights, shown_from or {}, {})


def _table(model: LogisticRegression, columns: int) -> Matrix:
    """The weights, of shape (columns + 1, levels). A level that no row has can never be the likeliest."""
    table = np.zeros((columns + 1, len(LEVELS)))
    table[-1] = -20.0
    table[: model.coef_.shape[1], model.classes_] = model.coef_.T
    table[-1, model.classes_] = model.intercept_
    return table


def _level_vocabulary(texts: Sequence[Sequence[str]]) -> Vocabulary:
    spread = Counter(term for text in texts for term in set(text))
    place = {term: number for number, term in enumerate(sorted(t for t in spread if spread[t] >= _LEVEL_SPREAD))}
    rarity = np.array([np.log((len(texts) + 1) / (spread[term] + 1)) + 1 for term in place])
    return Vocabulary(place, rarity)


def cross_validated_levels(rows: Sequence[LevelRow], *, seed: int = 0) -> list[Mapping[Level, float]]:
    """Each row's probabilities by a model that has not seen its group."""
    groups = sorted({row.group for row in rows})
    np.random.default_rng(seed).shuffle(groups)
    fold_of = {group: number % FOLDS for number, group in enumerate(groups)}
    found: dict[int, Mapping[Level, float]] = {}
    for fold in range(FOLDS):
        model = fit_levels([row for row in rows if fold_of[row.group] != fold])
        found |= {
            number: model.probabilities(row.read) for number, row in enumerate(rows) if fold_of[row.group] == fold
        }
    return [found[number] for number in range(len(rows))]


def threshold(judged: Sequence[tuple[Level, Mapping[Level, float]]], levels: Sequence[Level], right: float) -> float:
    """The least probability at which these levels, if they are the likeliest, are right in this share of cases."""
    best = [(max(found, key=found.__getitem__), max(found.values()), label) for label, found in judged]
    for least in _CHOICES:
        shown = [level == label for level, sure, label in best if level in levels and sure >= least]
        if shown and sum(shown) / len(shown) >= right:
            return least
    return 1.0


ROOT = Path(__file__).resolve().parents[2]
CARD = ROOT / "docs" / "bias.md"
BEGIN, END = "<!-- figures: written by core/training/bias.py -->", "<!-- end of figures -->"
CONSORT = Path("consort_tm") / "train30.json"
JUDGED = Path("rob1_papers") / "train.jsonl"
SEED = 0  # of the splits
_SPLITS = 8  # of CONSORT-TM into folds, to show how far a split moves a figure
READ = 5  # sentences that a level is predicted from


def train_bias() -> int:
    """Train the offline models for support sentences and levels, cross-validate both by paper, and write models and
    figures.

        python -m core.training bias            writes both models in core/bias and the figures in docs/bias.md
        python -m core.training bias --check    cross-validates only, and writes nothing

    Reads the data folder (VOUCH_DATA, or ../shared/data beside the repository) and the readings beside this file.
    Everything is seeded: the same data gives the same models. Takes some minutes.
    """
    parser = parser_of(train_bias)
    parser.add_argument("--check", action="store_true", help="cross-validate only, and write nothing")
    check = parser.parse_args().check
    data = Path(os.environ.get("VOUCH_DATA") or ROOT.parent / "shared" / "data")
    labelled = all_whole(read_consort_tm((data / CONSORT).read_bytes(), name=CONSORT.name))
    papers = papers_judged(data)
    judged = judgements(data, papers)
    consort, trials = [*map(SupportExample.of, labelled)], _examples(judged, papers)
    sha256 = {file.name: _checksum(file) for file in (data / CONSORT, data / JUDGED, READINGS, WORDINGS)}
    figures, models, told = trained(consort, trials, judged, sha256)
    print(figures)
    if not check:
        for file, model in zip((ranker.CONSORT, ranker.TRIALS), models, strict=True):
            file.write_text(ranker.to_json(model), encoding="utf-8")
        levels.FILE.write_text(levels.to_json(told), encoding="utf-8")
        card = CARD.read_text(encoding="utf-8")
        before, after = card.split(BEGIN)[0], card.split(END)[1]
        CARD.write_text(f"{before}{BEGIN}\n{figures}\n{END}{after}", encoding="utf-8")
    return 0


def trained(
    consort: Sequence[SupportExample],
    trials: Sequence[SupportExample],
    judged: Sequence[TrainingJudgement],
    sha256: Mapping[str, str],
) -> tuple[str, tuple[SupportModel, SupportModel], LevelModel]:
    """The figures of the card, the two rankers and the model of levels."""
    models = fit(consort, sha256=sha256), fit(trials, sha256=sha256)
    # The two sets have no paper in common, so one of the two models has not seen a given paper anyway.
    odds = {
        example.id: odds_by(models, example.described) | scores[example.id]
        for scores, examples in (
            # So few papers that a split into folds would decide the figures.
            (cross_validated(consort, len(consort), seed=SEED), consort),
            (cross_validated(trials, FOLDS, seed=SEED), trials),
        )
        for example in examples
    }
    papers = {example.id: example.paper for example in trials}
    rows = [*_paper_rows(judged, papers, odds), *given_rows(judged, papers), *wordings()]
    found = cross_validated_levels(rows, seed=SEED)
    shown_from = _shown_from(rows, found)
    figures = "\n\n".join(
        (_support_figures(consort, odds), _found_figures(judged, papers, odds), _level_figures(rows, found, shown_from))
    )
    return figures, models, replace(fit_levels(rows, shown_from), sha256=sha256)


def _checksum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _examples(judged: Sequence[TrainingJudgement], papers: Mapping[str, Paper]) -> list[SupportExample]:
    support: dict[str, dict[str, tuple[int, ...]]] = {}
    for one in judged:
        support.setdefault(one.paper, {})[one.domain] = one.support
    return [SupportExample.read(name, papers[name], support[name]) for name in support]


def _paper_rows(
    judged: Sequence[TrainingJudgement], papers: Mapping[str, Paper], odds: Mapping[str, Odds]
) -> list[LevelRow]:
    """The rows that the engine would make of each judged trial, with sentences from a ranker that has not seen it."""
    rows = []
    for one in judged:
        paper = papers[one.paper]
        best = ranked_by(odds[one.paper], [one.domain], paper, k=READ)
        texts = tuple(paper.sentences[sentence.index].text for sentence in best)
        read = TopicText(one.domain, texts, tuple(sentence.score for sentence in best), bool(paper.registrations))
        rows.append(LevelRow(one.paper, one.level, read, careful=one.careful))
    return rows


def _shown_from(rows: Sequence[LevelRow], found: Sequence[Mapping[Level, float]]) -> dict[str, dict[Level, float]]:
    """Thresholds by kind and level: for papers from careful readings only, with the same one for low and high."""
    pairs = list(zip(rows, found, strict=True))
    papers = [(row.level, one) for row, one in pairs if row.read.kind == PAPER and row.careful]
    given = [(row.level, one) for row, one in pairs if row.read.kind == GIVEN]
    firm = threshold(papers, (LOW, HIGH), RIGHT[PAPER])
    return {
        PAPER: {LOW: firm, UNCLEAR: threshold(papers, (UNCLEAR,), RIGHT[PAPER]), HIGH: firm},
        GIVEN: {level: threshold(given, (level,), RIGHT[GIVEN]) for level in LEVELS},
    }


def _level_figures(
    rows: Sequence[LevelRow],
    found: Sequence[Mapping[Level, float]],
    shown_from: Mapping[str, Mapping[Level, float]],
) -> str:
    """The number of levels shown at each probability, and the share that is right, on judgements of unseen papers."""
    lines = [
        f"Levels: {FOLDS} folds by paper, sentences found "
        f"by a ranker that has not seen the paper either. A level is shown from {shown_from[PAPER][LOW]:.2f} (low, high) "
        f"and {shown_from[PAPER][UNCLEAR]:.2f} (unclear); from given sentences, from "
        f"{', '.join(f'{value:.2f} ({level})' for level, value in shown_from[GIVEN].items())}.",
        "",
        "| Low and high levels, by the probability they are shown from | 0.5 | 0.6 | 0.7 | 0.8 |",
        "|---|---|---|---|---|",
    ]
    groups = {"read with care (`rob1_papers/train.jsonl`)": True, "read fast": False}
    for name, careful in groups.items():
        own = [
            (row.level, max(one, key=one.__getitem__), max(one.values()))
            for row, one in zip(rows, found, strict=True)
            if row.read.kind == PAPER and row.careful == careful
        ]
        cells = []
        for least in (0.5, 0.6, 0.7, 0.8):
            shown = [level == given for level, given, sure in own if given != UNCLEAR and sure >= least]
            firm = [given != UNCLEAR and sure >= least for level, given, sure in own if level != UNCLEAR]
            cells.append(f"{np.mean(shown):.0%} right, {np.mean(firm):.0%} shown" if shown else "none")
        lines.append(f"| {name}, {len(own)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _found_figures(judged: Sequence[TrainingJudgement], papers: Mapping[str, Paper], odds: Mapping[str, Odds]) -> str:
    """How often a deciding sentence is among the first three, on unseen trials."""
    hit: dict[bool, list[bool]] = {True: [], False: []}
    for one in judged:
        if one.support:
            best = ranked_by(odds[one.paper], [one.domain], papers[one.paper], k=max(DEPTHS))
            hit[one.careful].append(bool({sentence.index for sentence in best} & set(one.support)))
    return (
        f"{len(judged)} judgements on {len(papers)} trials: a deciding sentence is among the first three in "
        f"{np.mean(hit[True]):.1%} of the {len(hit[True])} read with care that rest on one, and in {np.mean(hit[False]):.1%} "
        f"of the {len(hit[False])} read fast."
    )


def _support_figures(consort: Sequence[SupportExample], odds: Mapping[str, Odds]) -> str:
    labelled = [example.labelled for example in consort if example.labelled is not None]
    items = [item for one in labelled for item in support_items(one)]
    rows = [
        ("**`offline`**, cross-validated", _offline(labelled, odds)),
        *(
            (f"`{name}`", run_task(SUPPORT, items, here(SUPPORT, bias_engine_named(name))).metrics)
            for name in ("bm25", "embedding")
        ),
    ]
    counts = {domain: sum(item.category == domain for item in items) for domain in ITEMS_OF}
    columns = [*ITEMS_OF, "average"]
    head = [f"{domain} ({counts[domain]})" if domain in counts else domain for domain in columns]
    lines = [
        f"{len(items)} items on {len(labelled)} papers (papers with such a sentence in brackets), each scored by a model of "
        "the others. "
        f"Each cell: {' / '.join(f'hit@{depth}' for depth in DEPTHS)} in per cent with the 95% interval, papers resampled.",
        "",
        f"| Support sentences | {' | '.join(head)} |",
        f"|---|{'---|' * len(columns)}",
    ]
    for name, metrics in rows:
        cells = (" / ".join(_cell(metrics[f"{column} hit@{depth}"]) for depth in DEPTHS) for column in columns)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    splits = [
        _offline(
            labelled, {id: {**odds[id], **scores} for id, scores in cross_validated(consort, FOLDS, seed=seed).items()}
        )
        for seed in range(_SPLITS)
    ]
    first = [100 * split[f"average hit@{DEPTHS[0]}"].value for split in splits]
    lines += [
        "",
        f"In {_SPLITS} random splits of these papers into {FOLDS} folds, the average hit@{DEPTHS[0]} of `offline` is "
        f"{np.mean(first):.1f} in the mean ({min(first):.1f} to {max(first):.1f}).",
    ]
    return "\n".join(lines)


def _offline(labelled: Sequence[LabelledPaper], odds: Mapping[str, Odds]) -> Mapping[str, Interval]:
    found = []
    for one in labelled:
        for item in support_items(one):
            chosen = ranked_by(odds[one.id], [Topic(item.category)], one.paper, k=max(DEPTHS))
            found.append((one.id, hits(item, Response(tuple(sentence.index for sentence in chosen)))))
    return summary(found)


def _cell(found: Interval) -> str:
    return f"{100 * found.value:.0f} ({100 * found.low:.0f}-{100 * found.high:.0f})"
