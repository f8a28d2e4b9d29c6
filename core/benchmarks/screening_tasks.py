"""The task on screening criteria: whether a paper meets a criterion, worded by a reviewer who has not read the paper.

The criteria are ours, broader than the trials they are for and mostly in other words (`screening_criteria.toml`; a file
`criteria.toml` beside the data replaces it). A trial meets its own criteria. It should not meet those of three other
trials, but some fit by chance, so the best possible `ruled out` is unknown. Figures, in which a failed item counts as wrong:

- `kept`: of a trial's own criteria, those not called *not met*, which would exclude it from the review; `met`: those called
  *met*.
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
OTHERS = (1, 7, 23)  # offsets to the other trials, in the order of the criteria


@dataclass(frozen=True, slots=True)
class CriterionQuestion:
    """A criterion to check against a paper."""

    paper: Paper
    criterion: Criterion

    @property
    def text(self) -> str:
        """The criterion, as a reviewer reads it."""
        return f"{self.criterion.kind.value.capitalize()}: {self.criterion.text}"


@dataclass(frozen=True, slots=True)
class AskedCriterion:
    """A criterion, the trial to check against it, and the trial that it was written for."""

    article: str
    owner: str
    criterion: Criterion

    @property
    def own(self) -> bool:
        """Whether the trial is the criterion's own, and so meets it."""
        return self.article == self.owner


def asked_criteria(listed: Mapping[str, Mapping[str, str]]) -> Iterator[AskedCriterion]:
    """Yield each trial's own criteria, then those of others. `listed`: PMC number -> kind -> text."""
    articles = list(listed)
    for place, article in enumerate(articles):
        owners = (articles[(place + step) % len(articles)] for step in (0, *OTHERS))
        for owner in dict.fromkeys(owners):
            for kind, text in listed[owner].items():
                yield AskedCriterion(article, owner, Criterion(CriterionKind(kind), text))


def read_criteria(path: Path) -> dict[str, dict[str, str]]:
    """The criteria for the trials beside `path`: PMC number -> kind -> text. Raises `DatasetError` for an invalid file."""
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
    """The criteria as items. A paper is read at its first criterion; a missing one is a single broken record."""
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
    """Open the chosen screening engine."""
    return screening_engine_named(choice.name, key=choice.key, budget=choice.budget, seed=choice.seed)


def ask(engine: ScreeningEngine, question: CriterionQuestion, progress: Progress) -> Response:
    """The engine's decision, with the sentences that it is based on."""
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
    """Estimate a language model's cost for a decision; None for an engine on this machine."""
    model = model_named(engine)
    return estimate_run(model, question.criterion, question.paper) if model else None


def score(item: CriterionItem, response: Response) -> Scores:
    """The figures of this module's docstring, for one criterion."""
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
