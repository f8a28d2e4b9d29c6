"""What a worker does with a job: it reads the paper, and puts each question to its engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from core.bias import bias_engine_named, tool_named
from core.bias.engine import BiasEngine, stops_everything, suggest_each
from core.bias.own import as_tool
from core.engines import TaskKind, full_name, models_among
from core.errors import DamagedFile, EngineError, PaperError, VouchError
from core.evidence import EvidenceEngine, NoAnswer, engine_named
from core.findings import find
from core.llm import Budget, BudgetGuard, ModelName
from core.paper import Format, Paper, read_paper
from core.progress import Progress, silent
from core.review.planning import Job, JobResult, WorkKind, WorkTime, bias_task, by_outcome, criterion_task, finding_task
from core.screening import screening_engine_named
from core.screening.model import Criterion, ScreeningEngine, suggest
from core.store import Plan, question_key
from core.work.pools import once_per_process

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ModelAccess:
    """What language models need. It never leaves this process."""

    key: str | None = field(default=None, repr=False)
    budget: Budget | BudgetGuard | None = None  # a guard is shared by all engines that are opened with this access

    def for_one_run(self) -> ModelAccess:
        """This access with a new guard of its budget, so that all engines of a run spend from one budget."""
        return replace(self, budget=BudgetGuard(self.budget)) if isinstance(self.budget, Budget) else self


@dataclass(frozen=True, slots=True)
class OpenEngines:
    """The engines of a plan, ready to use."""

    criteria: ScreeningEngine | None
    evidence: EvidenceEngine | None
    bias: BiasEngine | None

    @property
    def plan(self) -> Plan:
        """The plan with the engines' full names."""
        found = (self.criteria, self.evidence, self.bias)
        return Plan(*(engine.name if engine is not None else None for engine in found))


def open_engines(plan: Plan, access: ModelAccess = ModelAccess()) -> OpenEngines:
    """Open the engines. Raises `EngineError`, `EngineUnavailable` or `ModelError` as they do."""

    def opened(name: str | None, open_one: Callable[..., T]) -> T | None:
        return None if name is None else open_one(name, key=access.key, budget=access.budget)

    return OpenEngines(
        opened(plan.criteria, screening_engine_named),
        opened(plan.evidence, engine_named),
        opened(plan.bias, bias_engine_named),
    )


def models_of(plan: Plan) -> tuple[ModelName, ...]:
    """The language models that a plan asks, each once. Wrong names are reported when the queue starts."""
    return tuple(dict.fromkeys(models_among(filter(None, (plan.criteria, plan.evidence, plan.bias)))))


def with_full_names(plan: Plan) -> Plan:
    """The plan with the engines' full names. Opens no engine, so no key is needed. A wrong name stays as it is."""

    def full(task: TaskKind, name: str | None) -> str | None:
        with suppress(EngineError):
            return name and full_name(task, name)
        return name

    return Plan(
        full(TaskKind.SCREENING, plan.criteria),
        full(TaskKind.FINDINGS, plan.evidence),
        full(TaskKind.BIAS, plan.bias),
    )


_engines = once_per_process(open_engines)


def do_job(job: Job, progress: Progress = silent, *, engines: OpenEngines | None = None) -> JobResult:
    """Do all of a job. A failure does not stop the rest, unless everything else would fail in the same way.

    Without `engines`, as in another process, those of its plan are opened once in each process.
    """
    progress(0.0, job.name)
    paper, outcome = job.paper, JobResult()
    if paper is None:
        outcome = _read(job)
        if (paper := outcome.paper) is None:
            return outcome
    if job.only_reads:
        return outcome
    started = time.perf_counter()
    engines = engines or _engines(job.plan, ModelAccess())
    opening = WorkTime(WorkKind.OPENING, time.perf_counter() - started, pieces=0)
    outcome = replace(outcome, efforts=(*outcome.efforts, opening))
    for made in _each(job, paper, engines, progress):
        outcome = _joined(outcome, made)
        if made.hopeless is not None:
            break
    return outcome


def _read(job: Job) -> JobResult:
    started = time.perf_counter()
    try:
        outcome = JobResult(paper=_paper_of(job))
    except PaperError as error:
        outcome = JobResult(unreadable=str(error))
    seconds = time.perf_counter() - started
    effort = WorkTime(WorkKind.ABSTRACT, seconds, pieces=0) if job.of_reference else WorkTime(WorkKind.READING, seconds)
    return replace(outcome, efforts=(effort,))


def _paper_of(job: Job) -> Paper:
    """The paper in the file. If the job names one, the reading (texts set aside or put back) that gives its id."""
    data = job.data or b""
    paper = read_paper(data, name=job.name)
    if paper.format is Format.TEXT and job.name.lower().endswith(".pdf"):
        raise DamagedFile("It ends in .pdf but holds plain text. Download the PDF again, or let the name end in .txt.")
    if len(job.item) == len(paper.id) and job.item != paper.id:
        for put_back, keep_set_aside in ((False, True), (True, False), (True, True)):
            other = read_paper(data, name=job.name, keep_set_aside=keep_set_aside, put_back=put_back)
            if other.id == job.item:
                return other
    return paper


def _each(job: Job, paper: Paper, engines: OpenEngines, progress: Progress) -> Iterator[JobResult]:
    """The result of each task, in turn."""
    if (criteria := engines.criteria) is not None:
        kind = WorkKind.ABSTRACT if job.of_reference else WorkKind.CRITERION
        yield from _timed(kind, _criteria(job, paper, criteria, progress))
    if (evidence := engines.evidence) is not None:
        yield from _timed(WorkKind.HYPOTHESIS, _findings(job, paper, evidence, progress))
    if (bias := engines.bias) is not None and job.domains:
        yield from _timed(WorkKind.DOMAIN, _judgements(job, paper, bias, progress))


def _timed(kind: WorkKind, made: Iterable[JobResult]) -> Iterator[JobResult]:
    """Each result with the time it took."""
    started = time.perf_counter()
    for one in made:
        yield replace(one, efforts=(WorkTime(kind, time.perf_counter() - started, cost_usd=one.cost_usd),))
        started = time.perf_counter()


def _criteria(job: Job, paper: Paper, engine: ScreeningEngine, progress: Progress) -> Iterator[JobResult]:
    for criterion in job.criteria:
        task = criterion_task(engine.name, criterion.id)
        yield _tried(task, partial(_criterion, criterion, paper, engine, progress))


def _findings(job: Job, paper: Paper, engine: EvidenceEngine, progress: Progress) -> Iterator[JobResult]:
    for hypothesis in job.hypotheses:
        task = finding_task(engine.name, question_key(hypothesis))
        yield _tried(task, partial(_finding, hypothesis, paper, engine, progress))


def _judgements(job: Job, paper: Paper, engine: BiasEngine, progress: Progress) -> Iterator[JobResult]:
    tool = tool_named(job.tool, map(as_tool, job.own_tools))
    for outcome, domains in by_outcome(tool, job.domains):
        for made in suggest_each(domains, paper, job.study.for_outcome(outcome), engine=engine, progress=progress):
            if made.error is not None:
                yield _failure(bias_task(engine.name, tool.id, outcome, made.domain.id), made.error)
            elif made.suggestion is not None:
                yield JobResult(suggestions=((outcome, made.suggestion),), cost_usd=made.suggestion.cost_usd)


def _criterion(criterion: Criterion, paper: Paper, engine: ScreeningEngine, progress: Progress) -> JobResult:
    made = suggest(criterion, paper, engine=engine, progress=progress)
    return JobResult(criteria=(made,), cost_usd=made.cost_usd)


def _finding(hypothesis: str, paper: Paper, engine: EvidenceEngine, progress: Progress) -> JobResult:
    made = find(paper, hypothesis, engine=engine, progress=progress)
    return JobResult(findings=(made,), cost_usd=made.cost_usd)


def _tried(task: str, do: Callable[[], JobResult]) -> JobResult:
    try:
        return do()
    except VouchError as error:
        return _failure(task, error)


def _failure(task: str, error: VouchError) -> JobResult:
    hopeless = str(error) if stops_everything(error) else None
    cost = error.run.cost_usd if isinstance(error, NoAnswer) else 0.0  # a language model's failed request costs, too
    return JobResult(failures=((task, str(error)),), hopeless=hopeless, cost_usd=cost)


def _joined(first: JobResult, second: JobResult) -> JobResult:
    """Two parts of a job's result as one."""
    costs = (first.cost_usd, second.cost_usd)
    return replace(
        first,
        criteria=first.criteria + second.criteria,
        findings=first.findings + second.findings,
        suggestions=first.suggestions + second.suggestions,
        failures=first.failures + second.failures,
        hopeless=first.hopeless or second.hopeless,
        cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
        efforts=first.efforts + second.efforts,
    )
