"""Statements checked against a library: contradicted, supported, or without evidence (PaperQA2, section 8.4).

There are two tasks. `contradetect/roc` reads statements from `contradetect*.jsonl`, one per line (`id`, `statement`, `label`:
contradicted, supported, no evidence; `sources`: links to DOIs, which may be missing), with the papers in the folder `papers`
beside it. `contradetect/trials` makes three statements from each question of `library/answer`, on the same trials: one with
the annotators' direction, one with another direction, and one with any direction whose trial is excluded from the search.
Directions are selected by a hash of the question's id.

Engines give each statement a place on a scale. A failed item, or a statement without a place, is treated as place 5, but its
label counts as wrong in `accuracy` and `no evidence right`. Figures:

- `auc`: how well the place separates contradicted from supported statements, without the third kind, as in PaperQA2.
  `auc exact`: the same with the probability, for engines that give one; places are steps of it.
- `accuracy`: of all statements, how many are classified correctly: contradicted from place 8 on, supported below 5, no
  evidence at 5; 6 and 7 are none of these.
- `precision`, `recall`, `false positives`: for contradicted statements against all others; false positives are a share of
  the others. `precision of two` leaves out the third kind, as the published figure does, and so does `accuracy of two`,
  which only distinguishes places from 8 on from lower ones.
- `no evidence right`: of the third kind, how many are at 5. `source there`: of the others, how many have the source among
  the papers of the engine's answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from hashlib import sha256
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from core.answering.model import ReportedChange
from core.benchmarks.bootstrap import Interval, Statistic, estimate
from core.benchmarks.evidence_tasks import TrialQuestion, article_files, count_prompts, read_directions
from core.benchmarks.label_metrics import auroc
from core.benchmarks.library_tasks import DIRECTIONS, indexed_trials, library_named, share_among
from core.benchmarks.litqa2 import files, papers_beside
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response, Scores
from core.benchmarks.records import Text, count_records, first_fault, opened, records
from core.benchmarks.task import EngineChoice, Stream, Task, data_file
from core.claims import THRESHOLD, ContradictionEngine, Place, Statement, contradiction_engine_named
from core.claims.statements import stated
from core.engines import TaskKind
from core.errors import QueryError
from core.paper.identifiers import bare_doi
from core.progress import Progress


class StatementKind(StrEnum):
    """What a library says about a statement."""

    CONTRADICTED = "contradicted"
    SUPPORTED = "supported"
    NO_EVIDENCE = "no evidence"


@dataclass(frozen=True, slots=True)
class StatementQuestion:
    """A statement, and the name of the library to check it against."""

    library: str
    statement: Statement


@dataclass(frozen=True, slots=True)
class StatementGold:
    """Where the evidence is."""

    papers: frozenset[str]  # ids; empty: there is none


StatementItem = Item[StatementQuestion, StatementGold]

# ---- statements on trials ----


def three_of(trial: TrialQuestion, told: ReportedChange, library: str) -> Iterator[StatementItem]:
    """The three statements on a trial's question; `told` is the annotators' direction."""
    drawn = int(sha256(trial.id.encode()).hexdigest(), 16)
    others = [one for one in ReportedChange if one is not told]
    for kind, claimed in (
        (StatementKind.SUPPORTED, told),
        (StatementKind.CONTRADICTED, others[drawn % 2]),
        (StatementKind.NO_EVIDENCE, tuple(ReportedChange)[drawn % 3]),
    ):
        text = " ".join(stated(trial.intervention, trial.comparator, trial.outcome, claimed).split())
        there = kind is not StatementKind.NO_EVIDENCE
        statement = Statement(text, without=frozenset() if there else frozenset({trial.paper.id}))
        gold = StatementGold(frozenset({trial.paper.id} if there else ()))
        yield Item(
            f"{trial.id}/{kind}", trial.article, StatementQuestion(library, statement), gold, labels=(kind.value,)
        )


def _trial_items(path: Path) -> Stream[StatementItem | BrokenRecord]:
    """Three statements per question in hashed order, so that the first ones are a sample of all questions.

    All articles are indexed before the first statement; repeated runs do not index them again.
    """

    def read() -> Iterator[StatementItem | BrokenRecord]:
        library, found = indexed_trials(path)
        directions = read_directions(path.parent)
        statements: list[StatementItem] = []
        broken: list[BrokenRecord] = []
        for one in found:
            if isinstance(one, BrokenRecord):
                broken.append(one)
            elif (told := DIRECTIONS.get(directions.get(one.id, ""))) is None:
                broken.append(
                    BrokenRecord("items.json", one.id, "annotations", "annotators give no direction, or several")
                )
            else:
                statements += three_of(one, told, library)
        yield from sorted(statements, key=lambda item: sha256(f"order {item.id}".encode()).digest())
        yield from broken

    return Stream(count_prompts(path.parent) * len(StatementKind), read)


# ---- statements of a file ----


class StatementRecord(BaseModel):
    """A line of the file; other fields are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: Text
    statement: Text
    label: StatementKind
    sources: tuple[str, ...] = ()


def _file_items(path: Path) -> Stream[StatementItem | BrokenRecord]:
    """The statements in the file's order. All papers are indexed before the first one."""

    def read() -> Iterator[StatementItem | BrokenRecord]:
        library, by_doi = papers_beside(path)
        with opened(path) as stream:
            for number, raw in records(stream, name=path.name, fields=StatementRecord.model_fields):
                try:
                    record = StatementRecord.model_validate(raw)
                    statement = Statement(record.statement)
                except ValidationError as error:
                    yield BrokenRecord(path.name, number, *first_fault(error))
                except QueryError as error:
                    yield BrokenRecord(path.name, number, "statement", str(error))
                else:
                    sources = filter(None, map(bare_doi, record.sources))
                    gold = StatementGold(frozenset(by_doi[doi] for doi in sources if doi in by_doi))
                    question = StatementQuestion(library, statement)
                    yield Item(record.id, record.id, question, gold, labels=(record.label.value,))

    return Stream(count_records(path, fields=StatementRecord.model_fields), read)


# ---- asking and scoring ----


def ask(engine: ContradictionEngine, question: StatementQuestion, progress: Progress) -> Response:
    """Ask an engine for a statement's place, which becomes the response's `score`. Raises `VouchError`."""
    found = engine.compare(question.statement, library_named(question.library), progress=progress)
    made = Response(
        labels=(kind_at(found.place),),
        seconds=found.seconds,
        score=float(found.place),
        probability=found.likely,
        papers=tuple(one.paper.id for one in found.sides),
        cost_usd=found.cost_usd if found.run is None else 0.0,
    )
    return made.of_run(found.run)


def kind_at(place: float, threshold: int = THRESHOLD) -> str | None:
    """The kind of statement at a place; None for places in between, such as "possibly contradicted"."""
    if place >= threshold:
        return StatementKind.CONTRADICTED.value
    if place < Place.LACK_OF_EVIDENCE:
        return StatementKind.SUPPORTED.value
    return StatementKind.NO_EVIDENCE.value if place == Place.LACK_OF_EVIDENCE else None


def score(item: StatementItem, response: Response) -> Scores:
    """Whether the statement is classified correctly and, if there is evidence, whether its paper was found."""
    scores = {"accuracy": float(response.answer.labels == item.labels)}
    if item.labels == (StatementKind.NO_EVIDENCE,):
        return scores | {"no evidence right": scores["accuracy"]}
    return scores | {"source there": float(bool(item.gold.papers & set(response.answer.papers)))}


def metrics(results: Sequence[ItemResult]) -> Mapping[str, Interval]:
    """The figures of this module's docstring, with intervals from resampling papers."""
    papers = [result.group for result in results]
    found = {name: estimate(statistic, papers) for name, statistic in _statistics(results).items()}
    return {name: figure for name, figure in found.items() if figure is not None}


def _statistics(results: Sequence[ItemResult]) -> Mapping[str, Statistic]:
    answers = [result.response.answer for result in results]
    kinds = [result.labels[0] for result in results]
    given = [Place.LACK_OF_EVIDENCE if one.score is None else one.score for one in answers]
    called = [one >= THRESHOLD for one in given]
    contradicted = [kind == StatementKind.CONTRADICTED for kind in kinds]
    two = [kind != StatementKind.NO_EVIDENCE for kind in kinds]
    every = [True] * len(results)
    right = [one == other for one, other in zip(called, contradicted, strict=True)]
    found = {
        "auc": _among(two, contradicted, given),
        "accuracy": share_among(every, [one.scores["accuracy"] for one in results]),
        "precision": share_among(called, contradicted),
        "recall": share_among(contradicted, called),
        "false positives": share_among([not one for one in contradicted], called),
        "no evidence right": share_among([not one for one in two], [one.scores["accuracy"] for one in results]),
        "accuracy of two": share_among(two, right),
        "precision of two": share_among([a and b for a, b in zip(two, called, strict=True)], contradicted),
        "source there": share_among(two, [one.scores.get("source there", 0.0) for one in results]),
    }
    if all(one.probability is not None for one in answers):
        found["auc exact"] = _among(two, contradicted, [one.probability or 0.0 for one in answers])
    return found


def _among(members: Collection[bool], positive: Sequence[bool], scores: Sequence[float]) -> Statistic:
    """The AUROC over the items of which `members` is true."""
    places = [place for place, member in enumerate(members) if member]
    statistic = auroc([positive[place] for place in places], [scores[place] for place in places])
    return lambda weights: statistic(weights[:, places])


def open_contradictions(choice: EngineChoice) -> ContradictionEngine:
    """Open the engine that a run chose. Raises `EngineError` or `ModelError`."""
    return contradiction_engine_named(choice.name, budget=choice.budget, key=choice.key, seed=choice.seed)


TRIALS: Task[ContradictionEngine, StatementQuestion, StatementGold] = Task(
    name="contradetect/trials",
    about="Statements on trials in a library: contradicted, supported, or without evidence as the trial is kept out.",
    kind=TaskKind.CONTRADICTIONS,
    open=open_contradictions,
    source=partial(data_file, "evidence_inference", "items.json"),
    items=_trial_items,
    ask=ask,
    score=score,
    metrics=metrics,
    files=article_files,
)
ROC: Task[ContradictionEngine, StatementQuestion, StatementGold] = Task(
    name="contradetect/roc",
    about="Statements held against the papers beside them: contradicted, supported, or without evidence.",
    kind=TaskKind.CONTRADICTIONS,
    open=open_contradictions,
    source=partial(data_file, "contradetect", "contradetect*.jsonl"),
    items=_file_items,
    ask=ask,
    score=score,
    metrics=metrics,
    files=files,
)
CONTRADETECT_TASKS = (TRIALS, ROC)
