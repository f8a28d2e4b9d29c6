"""The task on criteria: whether a paper meets what a review asks of it, in words of a reviewer who has not read it.

Criteria are ours, broader than the trials they are for and mostly in other words (`screening_criteria.toml`; a file
`criteria.toml` beside the data takes its place). A trial meets its own; those of three others it should not meet, though
some fit by chance, so that `ruled out` has no certain ceiling. Figures, of which a failed item is in every denominator:

- `kept`: of a trial's own criteria, those that were not called *not met*, which would lose it to the review;
  `met`: those called *met*;
- `ruled out`: of the criteria of other trials, those called *not met*; `not taken`: those not called *met*.
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from core.benchmarks.articles import articles_of, files_of
from core.benchmarks.model import BrokenRecord, Item, Response, Scores
from core.benchmarks.task import EngineChoice, Stream, Task, data_file, means
from core.engines import TaskKind
from core.errors import DatasetError
from core.llm import CostEstimate, model_named
from core.paper import Paper
from core.progress import Progress
from core.screening import screening_engine_named
from core.screening.llm import estimate_run
from core.screening.model import Criterion, CriterionKind, Fit, ScreeningEngine, suggest

CRITERIA = Path(__file__).with_name("screening_criteria.toml")
OTHERS = (1, 7, 23)  # how far the other trials stand in the order of the criteria


@dataclass(frozen=True, slots=True)
class CriterionQuestion:
    """A criterion put to a paper."""

    paper: Paper
    criterion: Criterion

    @property
    def text(self) -> str:
        """The criterion, as a reviewer reads it."""
        return f"{self.criterion.kind.value.capitalize()}: {self.criterion.text}"


@dataclass(frozen=True, slots=True)
class AskedCriterion:
    """Which trial a criterion is put to, and whose it is."""

    article: str
    owner: str
    criterion: Criterion

    @property
    def own(self) -> bool:
        """Whether it is met."""
        return self.article == self.owner


def asked_criteria(listed: Mapping[str, Mapping[str, str]]) -> Iterator[AskedCriterion]:
    """Each trial's own criteria, then those of the others; `listed`: texts by kind, by the trial's PMC number."""
    articles = list(listed)
    for place, article in enumerate(articles):
        owners = (articles[(place + step) % len(articles)] for step in (0, *OTHERS))
        for owner in dict.fromkeys(owners):
            for kind, text in listed[owner].items():
                yield AskedCriterion(article, owner, Criterion(CriterionKind(kind), text))


def read_criteria(path: Path) -> dict[str, dict[str, str]]:
    """The criteria for the trials beside `path`, by kind, by PMC number. Raises `DatasetError` for a file that is none."""
    file = _criteria_file(path)
    try:
        listed = tomllib.loads(file.read_text(encoding="utf-8"))
        return {
            article: {CriterionKind(kind).value: str(text) for kind, text in own.items()}
            for article, own in listed.items()
        }
    except (OSError, ValueError, AttributeError) as error:
        raise DatasetError(
            f"“{file.name}” holds no criteria: {error}. Write a table for each trial, as in {CRITERIA.name}."
        ) from None


def _criteria_file(path: Path) -> Path:
    beside = path.with_name("criteria.toml")
    return beside if beside.is_file() else CRITERIA


CriterionItem = Item[CriterionQuestion, bool]


def _items(path: Path) -> Stream[CriterionItem | BrokenRecord]:
    """The criteria; a paper is read when its first one comes. A trial that is not there is one broken record."""
    asked = list(asked_criteria(read_criteria(path)))

    def read() -> Iterator[CriterionItem | BrokenRecord]:
        article_named, missing = articles_of(path), set[str]()
        for one in asked:
            article = article_named(one.article)
            if article is not None:
                id, fit = f"{one.article}/{one.owner}/{one.criterion.kind}", Fit.MET if one.own else Fit.NOT_MET
                question = CriterionQuestion(article.paper, one.criterion)
                yield Item(id, one.article, question, one.own, category=one.criterion.kind.value, labels=(fit.value,))
            elif one.article not in missing:
                missing.add(one.article)
                yield BrokenRecord(_criteria_file(path).name, one.article, "article", "it is missing or cannot be read")

    return Stream(len(asked), read)


def _files(path: Path) -> list[Path]:
    articles = files_of(path, read_criteria(path))[1:]
    return [_criteria_file(path), *articles]


def open_engine(choice: EngineChoice) -> ScreeningEngine:
    """The screening engine that was chosen."""
    return screening_engine_named(choice.name, key=choice.key, budget=choice.budget, seed=choice.seed)


def ask(engine: ScreeningEngine, question: CriterionQuestion, progress: Progress) -> Response:
    """The engine's word, with the sentences that it rests on."""
    started = time.perf_counter()
    found = suggest(question.criterion, question.paper, engine=engine, progress=progress)
    return Response(
        tuple(one.index for one in found.sentences),
        (found.fit.value if found.fit else None,),
        time.perf_counter() - started,
        found.cost_usd,
        prompts=found.prompts,
        error=None if found.fit else found.reason,
    )


def estimated(engine: str, question: CriterionQuestion) -> CostEstimate | None:
    """What a language model will use for a decision; None for an engine on this machine."""
    model = model_named(engine)
    return estimate_run(model, question.criterion, question.paper) if model else None


def score(item: CriterionItem, response: Response) -> Scores:
    """The figures of this module's docstring, of one criterion."""
    given = next(iter(response.answer.labels), None)
    if item.gold:
        return {"kept": float(given in (Fit.MET, Fit.UNCLEAR)), "met": float(given == Fit.MET)}
    return {"ruled out": float(given == Fit.NOT_MET), "not taken": float(given in (Fit.NOT_MET, Fit.UNCLEAR))}


SCREENING: Task[ScreeningEngine, CriterionQuestion, bool] = Task(
    name="screening/criteria",
    about="Whether a trial meets a criterion in a reviewer's own words: its own, and those of other trials.",
    kind=TaskKind.SCREENING,
    open=open_engine,
    source=partial(data_file, "evidence_inference", "items.json"),
    items=_items,
    ask=ask,
    score=score,
    metrics=means,
    files=_files,
    estimate=estimated,
)
