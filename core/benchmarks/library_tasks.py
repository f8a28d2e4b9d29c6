"""The task on a library: questions that name no paper, over all trials of Evidence Inference, with known answers.

A question names intervention, comparator and outcome. For a fifth of the questions, selected by a hash of their ids, the
trial is excluded from the search, and "insufficient information" is the right answer. A failed item counts as wrong, except
in `precision`, which leaves it out. Figures:

- Of the questions whose trial is searched: `paper@1`, `paper@5`: the trial is among the first papers, ordered by their best
  passages; `span@5`, `span@30`: a passage with an annotated span is among the first passages.
- `accuracy`: of all questions, how many have the right answer; `precision`: the same of those with an answer other than
  "insufficient"; `insufficient right`: of those whose trial is excluded, how many got "insufficient".

`@k1`, `@k10` and `@5-sources` are the same with fewer passages gathered, or with fewer that an answer may be based on
(PaperQA2, section 8.1, gathers 1, 10 or 30, and answers from 5 or 15).

Only trials that the reader has not seen are used: if it was trained on the file or on the annotations beside it, these are
the trials of the development sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from pathlib import Path

import numpy as np

from core.answering import Answer, AnswerEngine, Question, ReportedChange, answer_engine_named
from core.answering.model import GATHERED, MOST_WORDS, SOURCES
from core.benchmarks.bootstrap import Interval, Statistic, estimate, ratio
from core.benchmarks.evidence_tasks import (
    TrialQuestion,
    article_files,
    count_prompts,
    read_directions,
    read_evidence_inference,
)
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response, Scores
from core.benchmarks.seen import for_development
from core.benchmarks.task import EngineChoice, Stream, Task, data_file
from core.engines import TaskKind
from core.entailment import was_trained_on
from core.library import Library, open_library
from core.progress import Progress
from core.settings import Settings, load_settings
from core.text.similarity import Embedder

INSUFFICIENT = "insufficient information"
_MISSING = 5  # one in this many questions has its trial excluded
DIRECTIONS = {  # by the annotators' words
    "significantly increased": ReportedChange.INCREASED,
    "significantly decreased": ReportedChange.DECREASED,
    "no significant difference": ReportedChange.NO_DIFFERENCE,
}


@dataclass(frozen=True, slots=True)
class Passages:
    """How many passages are gathered for a question, and how many of them an answer may be based on."""

    k: int = GATHERED
    sources: int = SOURCES


ABLATIONS = {"": Passages(), "@k1": Passages(k=1), "@k10": Passages(k=10), "@5-sources": Passages(sources=5)}  # by name


@dataclass(frozen=True, slots=True)
class LibraryQuestion:
    """A question, and the name of the library to search."""

    library: str
    question: Question


@dataclass(frozen=True, slots=True)
class TrialGold:
    """Where the answer is."""

    paper: str  # `Paper.id`
    sentences: frozenset[int]
    missing: bool  # whether the trial is excluded from the search


LibraryItem = Item[LibraryQuestion, TrialGold]


def in_words(intervention: str, comparator: str, outcome: str) -> str:
    """The question about a trial, in the template that the reader was trained on."""
    return f"{intervention} compared with {comparator}: {outcome}"


def item_of(
    trial: TrialQuestion, direction: str | None, library: str, *, missing: bool, passages: Passages = ABLATIONS[""]
) -> LibraryItem | BrokenRecord:
    """A trial's question as an item; a `BrokenRecord` if the annotators do not agree on its answer."""
    told = DIRECTIONS.get(direction or "")
    if told is None:
        return BrokenRecord("items.json", trial.id, "annotations", "annotators give no direction, or several")
    words = in_words(trial.intervention, trial.comparator, trial.outcome).split()[:MOST_WORDS]
    without = frozenset({trial.paper.id}) if missing else frozenset[str]()
    options = tuple(told.value for told in ReportedChange)
    question = Question(" ".join(words), passages.k, without=without, sources=passages.sources, options=options)
    gold = TrialGold(trial.paper.id, trial.gold, missing)
    labels = (INSUFFICIENT if missing else told.value,)
    return Item(trial.id, trial.article, LibraryQuestion(library, question), gold, labels=labels)


def _items(passages: Passages, path: Path) -> Stream[LibraryItem | BrokenRecord]:
    """The questions. All articles are indexed before the first one; repeated runs do not index them again."""

    def read() -> Iterator[LibraryItem | BrokenRecord]:
        name, found = indexed_trials(path)
        directions = read_directions(path.parent)
        for one in found:
            if isinstance(one, BrokenRecord):
                yield one
            else:
                yield item_of(one, directions.get(one.id), name, missing=is_missing(one.id), passages=passages)

    return Stream(count_prompts(path.parent), read)


def indexed_trials(path: Path) -> tuple[str, list[TrialQuestion | BrokenRecord]]:
    """Index all trials of a file. Returns the library's name, and the questions on trials that the reader has not seen."""
    found = list(read_evidence_inference(path.parent))
    name, wanted = index(path, [one for one in found if isinstance(one, TrialQuestion)]), _unseen(path)
    return name, [one for one in found if isinstance(one, BrokenRecord) or wanted is None or one.article in wanted]


def is_missing(id: str) -> bool:
    """Whether the trial of this question is excluded from the search."""
    return int(sha256(id.encode()).hexdigest(), 16) % _MISSING == 0


def index(path: Path, trials: Iterable[TrialQuestion]) -> str:
    """Index the trials of a file, and return the library's name."""
    name = f"bench-{sha256(path.read_bytes()).hexdigest()[:16]}"
    papers = {one.paper.id: one.paper for one in trials}
    library_named(name).add(papers.values(), count=len(papers))
    return name


def _unseen(path: Path) -> frozenset[str] | None:
    """The articles that the reader has not seen; None means all.

    It was trained on the annotations beside the file, for trials that are in no development set.
    """
    files = [file for file in (path, path.with_name("annotations.jsonl")) if file.is_file()]
    if not any(was_trained_on(sha256(file.read_bytes()).hexdigest()) for file in files):
        return None
    return for_development(path.parent.parent)


def library_named(name: str) -> Library:
    """A library of a benchmark's papers, opened once per process."""
    return _opened(name, load_settings())


@cache  # a worker asks many questions of one library
def _opened(name: str, settings: Settings) -> Library:
    return open_library(name, Embedder.installed(settings.embeddings), settings)


def ask_library(engine: AnswerEngine, question: LibraryQuestion, progress: Progress) -> Response:
    """Ask an engine a question about an indexed library. Raises `VouchError`."""
    return response(engine.answer(question.question, library_named(question.library), progress=progress))


def response(answer: Answer) -> Response:
    """Convert an answer to a response: its option or "insufficient", and the passages that were gathered.

    If the answer has a problem, such as evidence without an answer, the response is a failure.
    """
    label = INSUFFICIENT if answer.option is None else answer.question.options[answer.option]
    passages = tuple(f"{one.passage.paper}/{one.passage.first}-{one.passage.last}" for one in answer.evidence)
    cited = {citation.passage.rpartition("/")[0] for one in answer.statements for citation in one.citations}
    reported = answer.papers[0].reports if answer.papers else None
    found = Response(
        labels=(label,),
        seconds=answer.seconds,
        reported=reported,
        passages=passages,
        error=answer.problem,
        papers=tuple(one.paper.id for one in answer.papers if not answer.statements or one.paper.id in cited),
    )
    return found.of_run(answer.run)


def score(item: LibraryItem, response: Response) -> Scores:
    """Whether the answer is right and, if the trial is searched, whether it and its spans are among the first."""
    given = response.answer
    scores = {"accuracy": float(given.labels == item.labels)}
    if item.gold.missing:
        return scores | {"insufficient right": scores["accuracy"]}
    passages = [_place(one) for one in given.passages]
    papers = list(dict.fromkeys(paper for paper, _, _ in passages))
    spans = [
        paper == item.gold.paper and any(first <= index <= last for index in item.gold.sentences)
        for paper, first, last in passages
    ]
    return scores | {
        **{f"paper@{depth}": float(item.gold.paper in papers[:depth]) for depth in (1, 5)},
        **{f"span@{depth}": float(any(spans[:depth])) for depth in (5, 30)},
    }


def _place(passage: str) -> tuple[str, int, int]:
    paper, _, sentences = passage.rpartition("/")
    first, _, last = sentences.partition("-")
    return paper, int(first), int(last)


def metrics(results: Sequence[ItemResult]) -> Mapping[str, Interval]:
    """The figures of this module's docstring, with intervals from resampling trials."""
    papers = [result.group for result in results]
    names = dict.fromkeys(name for result in results for name in result.scores)
    given = [result.label for result in results]
    told = [label not in (None, INSUFFICIENT) for label in given]
    statistics = {
        name: share_among([name in one.scores for one in results], [one.scores.get(name, 0.0) for one in results])
        for name in names
    }
    statistics["precision"] = share_among(told, [one.scores["accuracy"] for one in results])
    found = {name: estimate(statistic, papers) for name, statistic in statistics.items()}
    return {name: figure for name, figure in found.items() if figure is not None}


def share_among(among: Sequence[bool], values: Sequence[float]) -> Statistic:
    """The mean of the values among some of the items."""
    members, column = np.asarray(among, dtype=np.float64), np.asarray(values, dtype=np.float64)
    return lambda weights: ratio(weights @ (column * members), weights @ members)


def open_answers(choice: EngineChoice) -> AnswerEngine:
    """Open the engine that a run chose. Raises `EngineError` or `ModelError`."""
    return answer_engine_named(choice.name, budget=choice.budget, key=choice.key, seed=choice.seed)


def fewer(passages: Passages) -> str:
    """What an ablation reduces, in words for the list of tasks; empty if nothing."""
    gathered = f" {passages.k} passages gathered." if passages.k != GATHERED else ""
    return gathered + (f" {passages.sources} sources at most." if passages.sources != SOURCES else "")


LIBRARY_TASKS: tuple[Task[AnswerEngine, LibraryQuestion, TrialGold], ...] = tuple(
    Task(
        name=f"library/answer{name}",
        about="What trials in a library report on a question that names none of them, or that they cannot answer it."
        + fewer(passages),
        kind=TaskKind.ANSWERS,
        open=open_answers,
        source=partial(data_file, "evidence_inference", "items.json"),
        items=partial(_items, passages),
        ask=ask_library,
        score=score,
        metrics=metrics,
        files=article_files,
    )
    for name, passages in ABLATIONS.items()
)
