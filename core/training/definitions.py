"""Train the model that finds sentences for any definition, and measure it on held-out topics of held-out papers."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize
from sklearn.utils.extmath import randomized_svd

from core.benchmarks.bias_tasks import UNSEEN
from core.benchmarks.bootstrap import Interval
from core.benchmarks.consort_tm import (
    DEPTHS,
    ITEMS_OF,
    LabelledPaper,
    hits,
    read_consort_tm,
    summary,
    unseen_domains,
    unseen_items,
)
from core.benchmarks.model import Response
from core.benchmarks.records import all_whole
from core.benchmarks.runner import here, run_task
from core.bias import bias_engine_named
from core.bias.definitions import model as shipped
from core.bias.definitions.contrast import TrialSentences, load_trial_sentences, save_trial_sentences
from core.bias.definitions.features import (
    AskedVectors,
    Definition,
    DescribedPaper,
    Matrix,
    Topics,
    definition_vector,
    describe,
    features,
)
from core.bias.definitions.model import ALL, DefinitionModel, final
from core.bias.definitions.words import (
    TrialWords,
    Vectors,
    load_trial_words,
    of_length_1,
    save_trial_words,
    terms_of,
)
from core.bias.model import Domain
from core.evidence.ranker.sentence_features import Columns
from core.evidence.selection import best
from core.paper import Kind, Paper, SectionKind, read_paper
from core.settings import load_settings
from core.text.similarity import Embedder
from core.training import parser_of
from core.training.data import ROOT, data_folder

FILE = Path(__file__).parent / "definitions.toml"
CARD = ROOT / "docs" / "bias-definitions.md"
BEGIN, END = "<!-- figures: written by core/training/definitions.py -->", "<!-- end of figures -->"
CONSORT = Path("consort_tm") / "train30.json"

# ---- topics ----


@dataclass(frozen=True, slots=True)
class ConductTopic:
    """A topic on a trial's conduct, with definitions in several wordings, and the CONSORT items that answer it."""

    id: str
    family: str  # the topics of a family are held out together
    items: frozenset[str]
    wordings: tuple[Definition, ...]


def topics() -> list[ConductTopic]:
    """The topics in `definitions.toml`."""
    return [
        ConductTopic(
            one["id"],
            one.get("family", one["id"]),
            frozenset(one["items"]),
            tuple(Definition(name, text) for name, text in one["wordings"]),
        )
        for one in tomllib.loads(FILE.read_text(encoding="utf-8"))["topic"]
    ]


def telling_of(domain: str, known: Sequence[ConductTopic]) -> tuple[str, ...]:
    """The ids of all topics in families that share a labelled item with a scored domain."""
    families = {topic.family for topic in known if topic.items & ITEMS_OF[domain]}
    return tuple(topic.id for topic in known if topic.family in families)


# ---- words ----

_FEWEST = 5  # the least number of reports that use a word
_DIMENSIONS = 200
_SMOOTHED = 0.75  # exponent of a context word's frequency (Levy, Goldberg and Dagan 2015)
_KEPT = 10  # one sentence in so many is kept, as a vector, to expand questions
_KEPT_APART = 5  # one sentence in so many is kept to distinguish a definition's sentences from others
_LEAST_TERMS = 4  # the least number of terms in a sentence that is kept


def reports(folder: Path) -> list[Paper]:
    """The trial reports of Evidence Inference, without those in a development set."""
    held = {
        json.loads(line).get("paper") for file in folder.glob("*/dev.jsonl") for line in file.open(encoding="utf-8")
    }
    files = sorted((folder / "evidence_inference" / "xml").glob("*.nxml"))
    return [read_paper(file.read_bytes(), name=file.name) for file in files if file.stem not in held]


def trial_words(papers: Sequence[Paper]) -> TrialWords:
    """Word vectors from the co-occurrence of words in the sentences of reports. No labels are used."""
    by_paper = [[terms_of(one.text) for one in paper.pool if one.kind in _PROSE] for paper in papers]
    used = Counter(term for sentences in by_paper for term in {term for terms in sentences for term in terms})
    words = sorted(term for term in used if used[term] >= _FEWEST)
    place = {word: number for number, word in enumerate(words)}
    sentences = [terms for one in by_paper for terms in one]
    holds = _table(sentences, place)
    beside = sparse.csr_matrix(holds.T @ holds)
    beside.setdiag(0)
    beside.eliminate_zeros()
    often = np.asarray(beside.sum(axis=1)).ravel() + 1e-9
    share = often**_SMOOTHED / (often**_SMOOTHED).sum()
    pairs = beside.tocoo()
    told = np.maximum(np.log(pairs.data / (often[pairs.row] * share[pairs.col])), 0)
    left, strength, _ = randomized_svd(
        sparse.csr_matrix((told, (pairs.row, pairs.col)), shape=beside.shape), _DIMENSIONS, random_state=0
    )
    counts = np.asarray((holds > 0).sum(axis=0)).ravel()
    rarity = np.log((len(sentences) + 1) / (counts + 1)) + 1
    vectors = (left * np.sqrt(strength)).astype(np.float32)
    bare = TrialWords(tuple(words), rarity, vectors, np.zeros((0, _DIMENSIONS), dtype=np.float32))
    return TrialWords(bare.words, rarity, vectors, bare.vectors_of(_full(papers)[::_KEPT]))


def _full(papers: Sequence[Paper]) -> list[str]:
    """The sentences with at least `_LEAST_TERMS` terms."""
    texts = (one.text for paper in papers for one in paper.pool if one.kind in _PROSE)
    return [text for text in texts if len(set(terms_of(text))) >= _LEAST_TERMS]


def trial_sentences(papers: Sequence[Paper], words: TrialWords, embedder: Embedder) -> TrialSentences:
    """Sentences of reports with both kinds of vectors. No labels are used."""
    kept = _full(papers)[::_KEPT_APART]
    return TrialSentences.of(words.vectors_of(kept), embedder.encode(kept))


_PROSE = frozenset({Kind.ABSTRACT, Kind.BODY, Kind.CAPTION})


def _table(sentences: Sequence[Sequence[str]], place: Mapping[str, int]) -> sparse.csr_matrix:
    """1 if a sentence contains a word. Shape: (sentences, words)."""
    rows: list[int] = []
    columns: list[int] = []
    for number, terms in enumerate(sentences):
        found = {place[term] for term in terms if term in place}
        rows += [number] * len(found)
        columns += found
    return sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(sentences), len(place)))


# ---- examples ----


class Asker:
    """Encodes definitions, each of them once."""

    def __init__(self, embedder: Embedder, words: TrialWords, sentences: TrialSentences) -> None:
        self.words = words
        self.sentences = sentences
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}

    def of(self, definition: Definition) -> AskedVectors:
        return AskedVectors(self._vector(definition.name), self._vector(definition.whole))

    def _vector(self, text: str) -> Vectors:
        if text not in self._known:
            self._known[text] = self._embedder.encode([text])[0]
        return self._known[text]


@dataclass(frozen=True, slots=True)
class LabelledSentences:
    """A paper of CONSORT-TM with its features."""

    labelled: LabelledPaper
    described: DescribedPaper

    @property
    def body(self) -> NDArray[np.bool_]:
        """The candidates to learn from, without abstracts, in which little but registrations was labelled."""
        paper = self.labelled.paper
        roles = paper.section_roles
        return np.array([roles[one.section] is not SectionKind.ABSTRACT for one in self.described.sentences])

    def on(self, topic: ConductTopic) -> NDArray[np.bool_]:
        """The candidates that report on a topic."""
        items = self.labelled.items
        return np.array([bool(items[one.index] & topic.items) for one in self.described.sentences])


_RIDGE = 3.0


def known_topics(papers: Sequence[LabelledSentences], known: Sequence[ConductTopic], asker: Asker) -> Topics:
    """One ridge regression per topic, on the bodies of the papers."""
    rows = np.vstack([paper.described.rows[paper.body] for paper in papers])
    told = np.vstack([np.column_stack([paper.on(topic) for topic in known])[paper.body] for paper in papers])
    squares, sums = rows.T @ rows, rows.T @ told.astype(np.float64)
    weights = np.linalg.solve(squares + _RIDGE * np.eye(len(squares)), sums).astype(np.float64)
    found: Matrix = rows @ weights
    definitions = [
        of_length_1(np.mean([definition_vector(one, asker.of(one), asker.words) for one in topic.wordings], axis=0))
        for topic in known
    ]
    ids = tuple(topic.id for topic in known)
    return Topics(ids, np.stack(definitions).astype(np.float64), weights, found.mean(axis=0), found.std(axis=0))


@dataclass(frozen=True, slots=True)
class Example:
    """A wording of a topic and the body of a paper that reports on it, with one column per feature."""

    paper: str
    topic: ConductTopic
    values: Matrix  # (candidates of the body, names)
    told: NDArray[np.bool_]


_FOLDS = 5
_LEAST_SPREAD = 1e-3  # of a feature, because one that is constant here, as for tables, may vary elsewhere
_APART = 3  # a paper is used with one in so many wordings of a topic; more would add little


def fold_of(papers: Sequence[LabelledSentences]) -> dict[str, int]:
    """Paper id -> fold, assigned in the order of the file."""
    return {paper.labelled.id: number % _FOLDS for number, paper in enumerate(papers)}


def examples(
    papers: Sequence[LabelledSentences], known: Sequence[ConductTopic], asker: Asker, by_fold: Sequence[Topics]
) -> tuple[tuple[str, ...], list[Example]]:
    """The features' names, and examples from each paper that reports on a topic with some of the topic's wordings.

    The known topics among the features never come from the paper itself, nor from the family of the asked topic.
    """
    folds = fold_of(papers)
    found: list[Example] = []
    names: tuple[str, ...] = ()
    for topic in known:
        family = [other.id for other in known if other.family == topic.family]
        for paper in papers:
            told = paper.on(topic)[paper.body]
            if not told.any():
                continue
            others = by_fold[folds[paper.labelled.id]].without(family)
            for wording in topic.wordings[len(found) % _APART :: _APART]:
                columns = features(
                    paper.described, wording, asker.of(wording), asker.words, asker.sentences, topics=others
                )
                names = names or tuple(sorted(columns))
                values = np.stack([columns[name][paper.body] for name in names], axis=1)
                found.append(Example(paper.labelled.id, topic, values, told))
    return names, found


# ---- weights ----

_HELD_BACK = 0.1  # penalty on the distance of a weight from its start value
_START = {
    "told apart": 1.0,
    "widened, whole, among its paper's": 0.3,
    "words, whole, among its paper's": 0.3,
    "meaning, whole, among its paper's": 0.3,
}
_OFTEN = 0.7  # each example is weighted by the number of its topic's examples to the power of minus this
_STEPS = 40


def fit(
    names: Sequence[str], found: Sequence[Example], mean: Matrix, scale: Matrix, without: Collection[str] = ()
) -> Matrix:
    """The weights that maximise the share of labelled sentences (in a softmax over the paper).

    Shape: (names,). Examples on the topics in `without` are left out.
    """
    used = [one for one in found if one.topic.id not in without]
    rows = np.vstack([(one.values - mean) / scale for one in used])
    told = np.concatenate([one.told for one in used]).astype(np.float64)
    starts = np.cumsum([0, *(len(one.told) for one in used[:-1])])
    lengths = [len(one.told) for one in used]
    counts = Counter(one.topic.id for one in used)
    shares = np.array([counts[one.topic.id] ** -_OFTEN for one in used])
    shares /= shares.sum()
    start = np.array([_START.get(name, 0.0) for name in names])

    def cost(weights: Matrix) -> tuple[float, Matrix]:
        sums = rows @ weights
        sums -= np.repeat(np.maximum.reduceat(sums, starts), lengths)
        odds = np.exp(sums)
        whole, right = np.add.reduceat(odds, starts), np.add.reduceat(odds * told, starts)
        right = np.maximum(right, 1e-12)
        each = np.repeat(shares, lengths) * odds * (1 / np.repeat(whole, lengths) - told / np.repeat(right, lengths))
        away = weights - start
        value = float(shares @ np.log(whole / right) + _HELD_BACK * away @ away)
        return value, rows.T @ each + 2 * _HELD_BACK * away

    result: Any = minimize(cost, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
    weights: Matrix = result.x
    return weights


# ---- training ----


def train_definitions() -> int:
    """Train how a definition is followed, cross-validate it by topic and paper, and write models and figures.

        python -m core.training definitions            writes the models in core/bias/definitions and the figures of
                                                       docs/bias-definitions.md
        python -m core.training definitions --check    cross-validates only, and writes nothing
        python -m core.training definitions --words    makes the vectors of words and of other trials' sentences anew, too

    Reads the data folder (VOUCH_DATA, or ../shared/data beside the repository) and the definitions beside this file.
    Everything is seeded: the same data gives the same models. Takes some minutes.
    """
    parser = parser_of(train_definitions)
    parser.add_argument("--check", action="store_true", help="cross-validate only, and write nothing")
    parser.add_argument("--words", action="store_true", help="make the vectors of words and sentences anew, too")
    told = parser.parse_args()
    data = data_folder()
    if told.words:
        papers = reports(data)
        save_trial_words(trial_words(papers))
        load_trial_words.cache_clear()
        embedder = Embedder.installed(load_settings().embeddings)
        save_trial_sentences(trial_sentences(papers, load_trial_words(), embedder))
        load_trial_sentences.cache_clear()
    training = prepared(data / CONSORT)
    figures = _figures(data / CONSORT, training)
    print(figures)
    if not told.check:
        left_out = {domain: telling_of(domain, training.known) for domain in ITEMS_OF}
        weights = {part: training.fitted(training.found, left_out.get(part, ())) for part in (ALL, *ITEMS_OF)}
        sha256 = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in (data / CONSORT, FILE)}
        made = DefinitionModel(training.names, training.mean, training.scale, weights, left_out, sha256)
        shipped.WEIGHTS.write_text(shipped.to_json(made), encoding="utf-8")
        shipped.save_topics(known_topics(training.papers, training.known, training.asker))
        card = CARD.read_text(encoding="utf-8")
        before, after = card.split(BEGIN)[0], card.split(END)[1]
        CARD.write_text(f"{before}{BEGIN}\n{figures}\n{END}{after}", encoding="utf-8")
    return 0


@dataclass(frozen=True)
class Prepared:
    """The training data as arrays."""

    papers: tuple[LabelledSentences, ...]
    known: tuple[ConductTopic, ...]
    asker: Asker
    by_fold: tuple[Topics, ...]  # the known topics for each fold, fitted on the papers of the other folds
    names: tuple[str, ...]
    found: tuple[Example, ...]
    mean: Matrix
    scale: Matrix

    def fitted(self, found: Sequence[Example], without: Collection[str]) -> Matrix:
        """The weights fitted to these examples, except those on a topic in `without`."""
        return fit(self.names, found, self.mean, self.scale, without)


def prepared(file: Path) -> Prepared:
    """The training data from the papers of CONSORT-TM and the definitions of this folder."""
    embedder = Embedder.installed(load_settings().embeddings)
    asker, known = Asker(embedder, load_trial_words(), load_trial_sentences()), tuple(topics())
    papers = tuple(
        LabelledSentences(one, describe(one.paper, embedder.compare(one.paper, "trial").vectors, asker.words))
        for one in all_whole(read_consort_tm(file.read_bytes(), name=file.name))
    )
    folds = fold_of(papers)
    by_fold = tuple(
        known_topics([paper for paper in papers if folds[paper.labelled.id] != fold], known, asker)
        for fold in range(_FOLDS)
    )
    names, found = examples(papers, known, asker, by_fold)
    stacked = np.vstack([one.values for one in found])
    mean, spread = stacked.mean(axis=0), stacked.std(axis=0)
    scale = np.where(spread > _LEAST_SPREAD, spread, 1.0)
    return Prepared(papers, known, asker, by_fold, names, tuple(found), mean, scale)


def _figures(file: Path, training: Prepared) -> str:
    """The table of the card."""
    domains = unseen_domains(file)
    chosen = chosen_unseen(domains, training)
    items = [item for paper in training.papers for item in unseen_items(paper.labelled, domains)]
    ours = summary((item.group, hits(item, Response(chosen[item.group, item.category]))) for item in items)
    others = {
        name: run_task(UNSEEN, items, here(UNSEEN, bias_engine_named(name))).metrics for name in ("bm25", "embedding")
    }
    headings = [*ITEMS_OF, "average"]
    lines = [
        f"{len(items)} items on {len(training.papers)} papers. Each cell: {' / '.join(f'hit@{depth}' for depth in DEPTHS)} "
        "in per cent with the 95% interval, papers resampled.",
        "",
        f"| Definitions that nothing was trained for | {' | '.join(headings)} |",
        f"|---|{'---|' * len(headings)}",
    ]
    for name, metrics in {"**`offline`**, topic and paper left out": ours, **others}.items():
        cells = (" / ".join(_cell(metrics[f"{heading} hit@{depth}"]) for depth in DEPTHS) for heading in headings)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def chosen_unseen(domains: Mapping[str, Domain], training: Prepared) -> dict[tuple[str, str], tuple[int, ...]]:
    """The first sentences by (paper, domain), from models that have seen neither the domain's topics nor the paper."""
    folds = fold_of(training.papers)
    chosen: dict[tuple[str, str], tuple[int, ...]] = {}
    for id, domain in domains.items():
        definition = Definition(domain.name, domain.definition)
        left_out = telling_of(id, training.known)
        for fold in range(_FOLDS):
            weights = training.fitted([one for one in training.found if folds[one.paper] != fold], left_out)
            model = DefinitionModel(training.names, training.mean, training.scale, {ALL: weights}, {}, {})
            others = training.by_fold[fold].without(left_out)
            for paper in training.papers:
                if folds[paper.labelled.id] == fold:
                    asked = training.asker.of(definition)
                    asker = training.asker
                    columns = features(paper.described, definition, asked, asker.words, asker.sentences, topics=others)
                    chosen[paper.labelled.id, id] = _first(paper.described, model, columns)
    return chosen


def _first(paper: DescribedPaper, model: DefinitionModel, columns: Columns) -> tuple[int, ...]:
    scores = final(model.scores(columns), columns, paper)
    return tuple(paper.sentences[place].index for place in best(scores, max(DEPTHS)))


def _cell(found: Interval) -> str:
    return f"{100 * found.value:.0f} ({100 * found.low:.0f}-{100 * found.high:.0f})"
