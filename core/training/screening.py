"""Measure how much reading the learner saves, by simulated screening of labelled trials, and the time to order them."""

from __future__ import annotations

import html
import json
import math
import pickle
import random
import re
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import numpy as np
from pydantic import BaseModel, TypeAdapter, ValidationError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from core.benchmarks.bootstrap import interval
from core.benchmarks.evidence_tasks import TrialQuestion, read_evidence_inference
from core.benchmarks.evidencebench import stream_evidencebench
from core.benchmarks.gold import Instance
from core.benchmarks.screening_tasks import CRITERIA, OTHERS, asked_criteria
from core.errors import DatasetError, VouchError
from core.paper import Paper, read_paper
from core.screening.model import Criterion, CriterionKind, CriterionSuggestion, Fit, suggest
from core.screening.offline.criteria import parse_clause
from core.screening.offline.engine import OfflineScreeningEngine
from core.screening.offline.reading import ScreenedPaper, read_for_screening
from core.screening.offline.topics import CriterionVectors, TopicCoverage, covers_of, score
from core.screening.ordering import Corpus, may_stop, title_and_abstract
from core.settings import load_settings
from core.text.bm25 import bm25_scores
from core.text.similarity import Embedder
from core.training import parser_of
from core.training.data import data_folder

# Topics that are used as review questions (`screening_topics.toml` says how they were chosen).

FEWEST = 10  # relevant trials
SHARE = (0.03, 0.30)  # the least and the greatest share of relevant trials


@dataclass(frozen=True, slots=True)
class OutcomeTopic:
    """The topic of a simulated review."""

    name: str
    question: str  # what a reviewer would type; BM25 and the learner see nothing else of the topic
    pattern: str  # a case-insensitive regular expression for outcomes, used only for the labels

    def matches(self, outcomes: Sequence[str]) -> bool:
        """Whether a trial with these outcomes is relevant."""
        return any(re.search(self.pattern, outcome, re.IGNORECASE) for outcome in outcomes)


def topic_in_words(words: str) -> OutcomeTopic:
    """A topic from `NAME=PATTERN` or `NAME: QUESTION=PATTERN`.

    Without a question, the name and the words of the pattern are used. Raises `DatasetError` if it has another form.
    """
    head, _, pattern = words.partition("=")
    name, _, question = (part.strip() for part in head.partition(":"))
    if not name or not pattern.strip():
        raise DatasetError(f"“{words}” is no topic. Write it as NAME=PATTERN, such as “pain=pain|analges”.")
    try:
        re.compile(pattern)
    except re.error as error:
        raise DatasetError(f"The pattern “{pattern}” is no regular expression ({error}). Correct it.") from error
    plain = re.sub(r"\\.", " ", pattern)  # remove \b, \d and the like
    return OutcomeTopic(name, question or " ".join(dict.fromkeys([name, *re.findall(r"[^\W_]{2,}", plain)])), pattern)


TOPICS = tuple(
    OutcomeTopic(**topic)
    for topic in tomllib.loads(Path(__file__).with_name("screening_topics.toml").read_text(encoding="utf-8"))["topics"]
)
CHOSEN_ON, HELD_OUT = TOPICS[::2], TOPICS[1::2]


# The simulated screening of one review, and measures of its order.

RECALL = 0.95

# (corpus, texts, relevance, question) -> the order in which all texts are read.
Reader = Callable[[Corpus, Sequence[str], Sequence[bool], str], Sequence[int]]


def by_learner(corpus: Corpus, texts: Sequence[str], relevant: Sequence[bool], question: str) -> list[int]:
    """As in the app: the first paper in the order is read and decided, and then the rest is ordered again."""
    decisions: dict[int, bool | None] = {}
    while len(decisions) < len(texts):
        place = corpus.order(decisions, question=question)[0]
        decisions[place] = relevant[place]
    return list(decisions)


def by_learner_without_question(
    corpus: Corpus, texts: Sequence[str], relevant: Sequence[bool], _question: str
) -> list[int]:
    """The same without a question: in the order of the texts until a relevant and an irrelevant one were found."""
    return by_learner(corpus, texts, relevant, "")


def by_bm25(_corpus: Corpus, texts: Sequence[str], _relevant: Sequence[bool], question: str) -> list[int]:
    """One ranking by BM25 of the question; ties stay in the given order."""
    order: list[int] = np.argsort(-bm25_scores(texts, question), kind="stable").tolist()
    return order


def as_given(_corpus: Corpus, texts: Sequence[str], _relevant: Sequence[bool], _question: str) -> list[int]:
    """In the order of the texts, which is random if they were shuffled."""
    return list(range(len(texts)))


READERS: Mapping[str, Reader] = {
    "random": as_given,
    "bm25": by_bm25,
    "learner": by_learner,
    "learner, no question": by_learner_without_question,
}


@dataclass(frozen=True, slots=True)
class ScreeningRun:
    """All papers of a review in the order in which they were read."""

    topic: str
    reader: str
    start: int  # the seed that shuffled the papers
    found: tuple[bool, ...]  # whether each paper was relevant, in the order of reading

    def read_to(self, recall: float) -> int:
        """How many papers are read until this share of the relevant ones is found."""
        wanted, found = math.ceil(recall * sum(self.found) - 1e-9), 0
        for number, relevant in enumerate(self.found, 1):
            found += relevant
            if found >= wanted:
                return number
        raise ValueError("recall is a share, from 0 to 1")

    def work_saved(self, recall: float) -> float:
        """Work saved over sampling (Cohen et al. 2006): the share not read at this recall, minus (1 - recall)."""
        return 1 - self.read_to(recall) / len(self.found) - (1 - recall)

    @property
    def time_to_discovery(self) -> float:
        """The share of all papers that is read until a relevant one is found, on average (Ferdinands et al. 2023)."""
        places = [number for number, relevant in enumerate(self.found, 1) if relevant]
        return sum(places) / len(places) / len(self.found)

    @property
    def at_hint(self) -> tuple[float, float] | None:
        """The share read and the recall when the hint to stop first appears; None if it never does."""
        for number in range(1, len(self.found)):
            if may_stop(self.found[:number]):
                return number / len(self.found), sum(self.found[:number]) / sum(self.found)
        return None

    @property
    def figures(self) -> dict[str, float]:
        """All measures by name."""
        return {
            "WSS@95": self.work_saved(RECALL),
            "WSS@100": self.work_saved(1.0),
            "ATD": self.time_to_discovery,
        }


SETS = {"held-out": HELD_OUT, "chosen-on": CHOSEN_ON, "all": TOPICS}


class _Item(BaseModel):
    """The fields of a prompt in `items.json` that are used."""

    pmcid: str
    outcome: str


def simulate_screening() -> None:
    """Measure how much reading the learner saves, by simulating screening on labelled trials.

        python -m core.training screening --data FOLDER                        # the topics held out, some minutes
        python -m core.training screening --data FOLDER --topics all --json
        python -m core.training screening --data FOLDER --topic "pain=pain|analges"

    `FOLDER` holds Evidence Inference (`items.json` and `xml/`), or a folder `evidence_inference` that does. What is
    read is title and abstract of the articles; `items.json` gives the labels alone. A topic is `NAME=PATTERN` or
    `NAME: QUESTION=PATTERN`: the pattern is a regular expression for the outcomes of relevant trials.
    """
    parser = parser_of(simulate_screening)
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="default: VOUCH_DATA, or ../shared/data")
    parser.add_argument("--topics", choices=SETS, default="held-out", help="which of the built-in topics")
    parser.add_argument(
        "--topic", action="append", default=[], metavar="NAME=PATTERN", help="topics of your own instead"
    )
    parser.add_argument("--starts", type=int, default=3, help="how often the papers are shuffled before each run")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    try:
        topics = tuple(map(topic_in_words, options.topic)) or SETS[options.topics]
        trials = outcomes_by_trial(options.data or data_folder())
        labels = {topic.name: relevance(topic, trials) for topic in topics}
        runs = simulate(topics, labels, texts_of(options.data or data_folder(), trials), max(1, options.starts))
    except VouchError as error:
        sys.exit(str(error))
    document = report(topics, labels, runs)
    print(json.dumps(document, indent=2) if options.json else "\n".join(in_words(document)))


def outcomes_by_trial(folder: Path) -> dict[str, list[str]]:
    """Each trial's PMC number -> the outcomes of its prompts. Raises `DatasetError` if the file cannot be read."""
    path = _evidence_inference(folder) / "items.json"
    try:
        items = TypeAdapter(list[_Item]).validate_json(path.read_bytes())
    except OSError as error:
        raise DatasetError(f"“{path}” cannot be opened. Name the folder of Evidence Inference with --data.") from error
    except ValidationError as error:
        raise DatasetError(f"“{path}” does not have the layout of Evidence Inference. Download it again.") from error
    trials: dict[str, list[str]] = {}
    for item in items:
        trials.setdefault(item.pmcid, []).append(item.outcome)
    return dict(sorted(trials.items()))


def texts_of(folder: Path, trials: Mapping[str, object]) -> list[str]:
    """The title and abstract of each trial's article. Raises `VouchError` if one cannot be read."""
    texts = []
    for pmcid in trials:
        path = _evidence_inference(folder) / "xml" / f"{pmcid}.nxml"
        try:
            data = path.read_bytes()
        except OSError as error:
            raise DatasetError(f"“{path}” cannot be opened. Put the articles back beside items.json.") from error
        texts.append(title_and_abstract(read_paper(data, name=path.name)))
    return texts


def relevance(topic: OutcomeTopic, trials: Mapping[str, Sequence[str]]) -> list[bool]:
    """Whether each trial is relevant.

    Raises `DatasetError` if all or none are, because there is nothing to find then.
    """
    relevant = [topic.matches(outcomes) for outcomes in trials.values()]
    if all(relevant) or not any(relevant):
        which = "every trial" if any(relevant) else "no trial"
        raise DatasetError(f"The pattern of “{topic.name}” matches {which}. Write one that matches some of them.")
    return relevant


def simulate(
    topics: Sequence[OutcomeTopic], labels: Mapping[str, Sequence[bool]], texts: Sequence[str], starts: int
) -> list[ScreeningRun]:
    """Runs of every reader on every topic from each start, each of which shuffles the papers differently."""
    return list(_runs(topics, labels, texts, starts))


def _runs(
    topics: Sequence[OutcomeTopic], labels: Mapping[str, Sequence[bool]], texts: Sequence[str], starts: int
) -> Iterator[ScreeningRun]:
    for start in range(starts):
        if sys.stderr.isatty():
            print(
                f"\rstart {start + 1} of {starts}", end="\n" if start + 1 == starts else "", file=sys.stderr, flush=True
            )
        places = list(range(len(texts)))
        random.Random(start).shuffle(places)  # noqa: S311
        shuffled = [texts[place] for place in places]
        corpus = Corpus(shuffled)
        for topic in topics:
            relevant = [labels[topic.name][place] for place in places]
            for name, reader in READERS.items():
                order = reader(corpus, shuffled, relevant, topic.question)
                yield ScreeningRun(topic.name, name, start, tuple(relevant[place] for place in order))


def report(
    topics: Sequence[OutcomeTopic], labels: Mapping[str, Sequence[bool]], runs: Sequence[ScreeningRun]
) -> dict[str, Any]:
    """All figures as JSON.

    The 95% intervals resample topics, each with the runs from all its starts; for a single topic, they resample its
    starts.
    """
    papers = len(runs[0].found)
    return {
        "papers": papers,
        "starts": len({run.start for run in runs}),
        "resampled": "topics" if len(topics) > 1 else "starts",
        "topics": [
            {
                "name": topic.name,
                "question": topic.question,
                "pattern": topic.pattern,
                "relevant": sum(labels[topic.name]),
                "within_rule": _within_rule(sum(labels[topic.name]), papers),
                "figures": {name: _means(_of(runs, name, topic.name)) for name in READERS},
            }
            for topic in topics
        ],
        "mean": {name: _intervals(_of(runs, name)) for name in READERS},
        "learner_less_bm25": _differences(_of(runs, "learner"), _of(runs, "bm25")),
        "learner_less_random": _differences(_of(runs, "learner"), _of(runs, "random")),
        "stop_hint": _hints(_of(runs, "learner")),
    }


def in_words(document: Mapping[str, Any]) -> Iterator[str]:
    """The report as lines of Markdown."""
    names = list(READERS)
    yield (
        f"{document['papers']} trials, {len(document['topics'])} topics, {document['starts']} starts each. Work saved over "
        f"sampling at 95% recall, in per cent of all papers; in brackets the 95% interval, {document['resampled']} resampled."
    )
    yield "| topic | relevant | " + " | ".join(names) + " |"
    yield "|---|---|" + "---|" * len(names)
    for topic in document["topics"]:
        mark = "" if topic["within_rule"] else " *"
        shown = " | ".join(f"{100 * topic['figures'][name]['WSS@95']:.1f}" for name in names)
        yield f"| {topic['name']}{mark} | {topic['relevant']} | {shown} |"
    for measure in ("WSS@95", "WSS@100", "ATD"):
        shown = " | ".join(_shown(document["mean"][name][measure]) for name in names)
        yield f"| **mean {measure}** | | {shown} |"
    if not all(topic["within_rule"] for topic in document["topics"]):
        yield f"* fewer than {FEWEST} relevant trials, or not {SHARE[0]:.0%} to {SHARE[1]:.0%} of all: says little."
    for other in ("bm25", "random"):
        less = document[f"learner_less_{other}"]
        yield f"learner less {other}: WSS@95 {_shown(less['WSS@95'])}, WSS@100 {_shown(less['WSS@100'])}"
    hint = document["stop_hint"]
    if hint["shown"]:
        yield (
            f"hint to stop: shown in {hint['shown']:.0%} of runs, after {hint['read']:.0%} of the papers, at a recall of "
            f"{hint['recall']:.0%} on average and {hint['lowest_recall']:.0%} at worst"
        )


def _evidence_inference(folder: Path) -> Path:
    inner = folder / "evidence_inference"
    return inner if inner.is_dir() else folder


def _within_rule(relevant: int, papers: int) -> bool:
    return relevant >= FEWEST and SHARE[0] <= relevant / papers <= SHARE[1]


def _of(runs: Sequence[ScreeningRun], reader: str, topic: str | None = None) -> list[ScreeningRun]:
    return [run for run in runs if run.reader == reader and topic in (None, run.topic)]


def _means(runs: Sequence[ScreeningRun]) -> dict[str, float]:
    return {name: found["value"] for name, found in _intervals(runs).items()}


def _intervals(runs: Sequence[ScreeningRun]) -> dict[str, dict[str, float]]:
    return {name: _interval([run.figures[name] for run in runs], runs) for name in runs[0].figures}


def _differences(ours: Sequence[ScreeningRun], others: Sequence[ScreeningRun]) -> dict[str, dict[str, float]]:
    """The mean difference over the same topics and starts, with its interval."""
    pairs = [(one.figures, other.figures) for one, other in zip(ours, others, strict=True)]
    return {name: _interval([a[name] - b[name] for a, b in pairs], ours) for name in pairs[0][0]}


def _hints(runs: Sequence[ScreeningRun]) -> dict[str, float | None]:
    """The share of runs in which the hint was shown, and the mean share that was read, and recall, at that point."""
    hints = [hint for run in runs if (hint := run.at_hint)]
    read, recall = [hint[0] for hint in hints], [hint[1] for hint in hints]
    return {
        "shown": len(hints) / len(runs),
        "read": sum(read) / len(hints) if hints else None,
        "recall": sum(recall) / len(hints) if hints else None,
        "lowest_recall": min(recall, default=None),
    }


def _interval(values: Sequence[float], runs: Sequence[ScreeningRun]) -> dict[str, float]:
    topics = [run.topic for run in runs]
    found = interval(values, topics if len(set(topics)) > 1 else [str(run.start) for run in runs])
    return {"value": found.value, "low": found.low, "high": found.high}


def _shown(found: Mapping[str, float]) -> str:
    return f"{100 * found['value']:.1f} ({100 * found['low']:.1f} to {100 * found['high']:.1f})"


_SENTENCES = 10
_QUESTION = "Does exercise reduce pain and improve quality of life in adults, compared with usual care?"


def measure_ordering() -> None:
    """Measure how long ordering papers takes: `python -m core.training screening-order-time [--papers 500 5000]`.

    The papers are synthetic: shuffled sentences of the trials' abstracts, ten per paper. Half of them are decided, one
    in ten of those included. Processor seconds are printed with wall-clock seconds, which other work on the machine
    increases.
    """
    parser = parser_of(measure_ordering)
    parser.add_argument("--papers", type=int, nargs="+", default=[500, 5000])
    options = parser.parse_args()
    folder = data_folder()
    abstracts = texts_of(folder, outcomes_by_trial(folder))
    sentences = [line for abstract in abstracts for line in abstract.splitlines() if line]
    for papers in options.papers:
        _measure(made_up(sentences, papers))


def made_up(sentences: list[str], papers: int) -> list[str]:
    """Synthetic texts of ten sentences each."""
    chance = random.Random(0)  # noqa: S311
    return ["\n".join(chance.sample(sentences, _SENTENCES)) for _ in range(papers)]


def _measure(texts: list[str]) -> None:
    corpus = Corpus(texts)
    half = random.Random(0).sample(range(len(texts)), len(texts) // 2)  # noqa: S311
    decisions: dict[int, bool | None] = {place: number % 10 == 0 for number, place in enumerate(half)}
    print(f"{len(texts):,} papers")
    _timed("  first order, by the question", lambda: corpus.order({}, question=_QUESTION))
    _timed("  first order after decisions", lambda: corpus.order(decisions, question=_QUESTION))
    for _ in range(3):
        _timed("  order again", lambda: corpus.order(decisions, question=_QUESTION))
    print(f"  pickled: {len(pickle.dumps(corpus)) / 1e6:.1f} MB")


def _timed(name: str, work: Callable[[], object]) -> None:
    clock, processor = time.perf_counter(), time.process_time()
    work()
    print(f"{name}: {time.perf_counter() - clock:.3f} s, processor {time.process_time() - processor:.3f} s", flush=True)


# Screening by criteria.

_RANDOMISED = Criterion(CriterionKind.DESIGN, "Randomised controlled trial")
_KINDS = (CriterionKind.INTERVENTION, CriterionKind.COMPARATOR, CriterionKind.OUTCOME)


@dataclass(frozen=True, slots=True)
class AskedCriterion:
    """One criterion applied to one paper."""

    article: str
    kind: CriterionKind
    own: bool  # whether it was made from the paper's own prompt, so that the paper meets it
    suggestion: CriterionSuggestion
    cover: TopicCoverage | None
    seconds: float
    gold: frozenset[int]  # the sentences that answer the prompt; empty if they are unknown


class _Bench:
    """Applies criteria with the engine. The criteria of one paper must come one after another."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder, self._engine = embedder, OfflineScreeningEngine(embedder)
        self._meaning = CriterionVectors(embedder) if embedder is not None else None
        self._reading: ScreenedPaper | None = None

    def ask(
        self, paper: Paper, article: str, criterion: Criterion, *, own: bool, gold: frozenset[int] = frozenset()
    ) -> AskedCriterion:
        """Apply a criterion to a paper. The measured time is that of the suggestion only, without reading the paper."""
        if self._reading is None or self._reading.paper is not paper:
            self._reading = read_for_screening(paper, self._embedder)
            suggest(_RANDOMISED, paper, engine=self._engine)
        started = time.perf_counter()
        suggestion = suggest(criterion, paper, engine=self._engine)
        seconds = time.perf_counter() - started
        topic = parse_clause(criterion.text, criterion.kind).topic
        covers = covers_of(topic, criterion.kind, self._reading, self._meaning) if topic else []
        return AskedCriterion(article, criterion.kind, own, suggestion, covers[0] if covers else None, seconds, gold)


def measure_criteria() -> None:
    """Measure screening by criteria with `offline`: `python -m core.training criteria --data FOLDER`.

    Trials of Evidence Inference are divided into halves by a hash of their PMC number. The rules were made on one half,
    and figures are printed for both. A trial's own prompts give criteria that it meets. Those of three other trials of
    its half give criteria that it should not meet, although it meets some by chance: "placebo" fits half of them.
    `core/benchmarks/screening_criteria.toml` holds criteria by Vouch's authors in broader words. All of these papers
    are trials; the designs of EvidenceBench's papers are not labelled.
    """
    arguments = parser_of(measure_criteria)
    arguments.add_argument("--data", type=Path, required=True, help="the folder of real benchmark data")
    arguments.add_argument("--limit", type=int, help="at most so many trials of each half")
    arguments.add_argument("--fit", action="store_true", help="print the weights of `core.screening.offline.topics`")
    told = arguments.parse_args()
    bench = _Bench(Embedder.if_installed(load_settings().embeddings))
    found = [one for one in read_evidence_inference(told.data / "evidence_inference") if isinstance(one, TrialQuestion)]
    trials = {article: list(own) for article, own in groupby(found, key=lambda one: one.article)}
    for name, odd in (("developed on", 0), ("held out", 1)):
        half = [own for article, own in trials.items() if _half(article) == odd][: told.limit]
        print(f"\n{len(half)} trials, {name}")
        asked = list(_prompts(bench, half))
        _print_topics(asked)
        if told.fit and not odd:
            _print_fit(asked)
        _print_designs(
            "randomised controlled trial", [bench.ask(t[0].paper, t[0].article, _RANDOMISED, own=True) for t in half]
        )
        _print_seconds(asked)
    print("\nCriteria in a reviewer's broader words, for trials held out")
    _print_topics(list(_in_broader_words(bench, trials)))
    path = told.data / "evidencebench" / "evidencebench_train_set.json"
    instances = [one for one in stream_evidencebench(path) if isinstance(one, Instance)]
    papers = {one.paper.name: one.paper for one in instances}
    print("\nEvidenceBench, papers of any design")
    bench = _Bench(None)  # designs are determined by words only
    _print_designs(
        "randomised controlled trial", [bench.ask(one, name, _RANDOMISED, own=False) for name, one in papers.items()]
    )


def _half(article: str) -> int:
    return int(sha256(article.encode()).hexdigest(), 16) % 2


def _prompts(bench: _Bench, trials: Sequence[Sequence[TrialQuestion]]) -> Iterator[AskedCriterion]:
    """The first prompt of each trial as criteria, applied to it and to three other trials."""
    for place, own in enumerate(trials):
        for step in (0, *OTHERS):
            prompt = trials[(place + step) % len(trials)][0]
            if step and prompt.article == own[0].article:
                continue
            for kind in _KINDS:
                text = " ".join(html.unescape(getattr(prompt, kind.value)).split())
                gold = own[0].gold if not step else frozenset[int]()
                yield bench.ask(own[0].paper, own[0].article, Criterion(kind, text), own=not step, gold=gold)


def _in_broader_words(bench: _Bench, trials: Mapping[str, Sequence[TrialQuestion]]) -> Iterator[AskedCriterion]:
    listed = tomllib.loads(CRITERIA.read_text(encoding="utf-8"))
    for one in asked_criteria({article: own for article, own in listed.items() if article in trials}):
        yield bench.ask(trials[one.article][0].paper, one.article, one.criterion, own=one.own)


def _print_topics(asked: Sequence[AskedCriterion]) -> None:
    """Print the figures, with wrong exclusions first because they are the most costly."""
    print("  kind          criteria of   n     not met               unclear  met     AUROC")
    for kind in (None, *dict.fromkeys(one.kind for one in asked)):
        chosen = [one for one in asked if kind in (None, one.kind)]
        scored = [one for one in chosen if one.cover is not None]
        area = roc_auc_score([one.own for one in scored], [score(one.cover) for one in scored if one.cover])
        for own in (True, False):
            some = [one for one in chosen if one.own is own]
            print(
                f"  {kind or 'all':13} {'its own' if own else 'others':12} {len(some):4}  {_shares(some)}  {area if own else '':.6}"
            )
    own_outcomes = [one for one in asked if one.own and one.kind is CriterionKind.OUTCOME and one.gold]
    if own_outcomes:
        hit = [bool(one.gold & {s.index for s in one.suggestion.sentences}) for one in own_outcomes]
        print(
            f"  of {len(hit)} outcomes, a named sentence is one of those that answer the prompt: {sum(hit) / len(hit):.1%}"
        )
    best = [one.cover.best_share for one in asked if one.own and one.cover]
    print(f"  its own: one sentence has all of the criterion's words: {np.mean([share == 1 for share in best]):.1%}")


def _shares(asked: Sequence[AskedCriterion]) -> str:
    """The share not met with its interval, and the shares unclear and met.

    The interval resamples papers. If no criterion is not met, all resamples are the same, and the upper end is the
    exact one-sided bound for this number of papers: 1 - 0.05 ** (1 / n).
    """
    wrong = [float(one.suggestion.fit is Fit.NOT_MET) for one in asked]
    papers = [one.article for one in asked]
    around = interval(wrong, papers)
    high = around.high if any(wrong) else 1 - 0.05 ** (1 / len(set(papers)))
    rest = [sum(one.suggestion.fit is fit for one in asked) / len(asked) for fit in (Fit.UNCLEAR, Fit.MET)]
    return f"{around.value:5.1%} ({around.low:.1%} to {high:.1%})".ljust(22) + f"{rest[0]:6.1%}   {rest[1]:6.1%}"


def _print_designs(name: str, asked: Sequence[AskedCriterion]) -> None:
    print(f"  “{name}”, {len(asked)} papers: not met {_shares(asked)} (then unclear, met)")
    for one in asked:
        if one.suggestion.fit is Fit.NOT_MET:
            print(f"    {one.article}: {one.suggestion.reason}")


def _print_seconds(asked: Sequence[AskedCriterion]) -> None:
    times = [one.seconds * 1000 for one in asked]
    print(f"  a criterion takes {median(times):.0f} ms, 19 in 20 at most {quantiles(times, n=20)[-1]:.0f} ms")


def _print_fit(asked: Sequence[AskedCriterion]) -> None:
    """Print the weights of a logistic regression on best share, share, share anywhere and cosine."""
    covers = [(one.own, one.cover) for one in asked if one.cover is not None]
    seen = np.array([[c.best_share, c.share, c.share_anywhere, c.cosine] for _, c in covers])
    model = LogisticRegression().fit(seen, [own for own, _ in covers])
    print(f"  weights {model.coef_[0].round(1)}, constant {model.intercept_[0]:.1f}")
