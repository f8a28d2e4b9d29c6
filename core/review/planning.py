"""What is still missing in a review, as jobs: files to read, and questions that no engine has answered yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.bias.assessment import Suggestion
from core.bias.model import Domain, StudyContext, Tool
from core.bias.own import OwnTool
from core.findings.model import Finding
from core.paper import Paper
from core.references import as_file
from core.screening.model import Criterion, CriterionSuggestion
from core.store import (
    IncomingFile,
    Plan,
    Project,
    Scope,
    StoredPaper,
    StoredReference,
    StoreReader,
    question_key,
    scope_of,
    tool_of,
)
from core.store.items import items_of

# A job of the queue, and its result. Both are sent to other processes and back.

READ = "read"


class WorkKind(StrEnum):
    """The kinds of work, told apart because they take different times."""

    READING = "reading"  # a file
    CRITERION = "criterion"  # of a paper
    HYPOTHESIS = "hypothesis"
    DOMAIN = "domain"
    ABSTRACT = "abstract"  # a criterion of a reference, which has only an abstract
    OPENING = "opening"  # the engines, once in every worker, so not part of the time left


WorkCounts = Mapping[WorkKind, int]  # how many of each kind


def pieces_of(criteria: int, hypotheses: int, domains: int, *, of_reference: bool) -> Counter[WorkKind]:
    """The work that so many questions on an item are."""
    if of_reference:
        return Counter({WorkKind.ABSTRACT: criteria})
    return Counter({WorkKind.CRITERION: criteria, WorkKind.HYPOTHESIS: hypotheses, WorkKind.DOMAIN: domains})


def criterion_task(engine: str, criterion: str) -> str:
    """The name of the task to judge whether a criterion is met."""
    return f"criterion:{engine}:{criterion}"


def finding_task(engine: str, question: str) -> str:
    """The name of the task to find what a paper says on a hypothesis, given by its `question_key`."""
    return f"finding:{engine}:{question}"


def bias_task(engine: str, tool: str, outcome: str, domain: str) -> str:
    """The name of the task to judge a domain for an outcome."""
    return ":".join(("bias", engine, tool, domain, *filter(None, [outcome])))


@dataclass(frozen=True, slots=True)
class Job:
    """Work on one item: read it if needed, then do all that is missing. Contains no project and no key."""

    item: str  # a paper's or reference's id; for a waiting file, its SHA-256
    name: str  # the file's
    plan: Plan  # names the engines to ask
    tool: str
    study: StudyContext
    data: bytes | None = None  # the file, if it is to be read
    paper: Paper | None = None  # if it was read before
    criteria: tuple[Criterion, ...] = ()
    hypotheses: tuple[str, ...] = ()
    domains: tuple[tuple[str, str], ...] = ()  # (outcome, id of a domain of the tool)
    of_reference: bool = False  # whether the item is a reference; then the file holds its abstract
    own_tools: tuple[OwnTool, ...] = ()  # of which `tool` may be one

    @property
    def only_reads(self) -> bool:
        """Whether no engine is asked."""
        return not (self.criteria or self.hypotheses or self.domains)

    @property
    def pieces(self) -> Counter[WorkKind]:
        """How much there is to do of each kind of work."""
        reading = Counter({WorkKind.READING: int(self.data is not None and not self.of_reference)})
        numbers = len(self.criteria), len(self.hypotheses), len(self.domains)
        return reading + pieces_of(*numbers, of_reference=self.of_reference)


@dataclass(frozen=True, slots=True)
class WorkTime:
    """The time that so many pieces of work took, and their cost."""

    kind: WorkKind
    seconds: float
    pieces: int = 1
    cost_usd: float | None = 0.0  # None: unknown


@dataclass(frozen=True, slots=True)
class JobResult:
    """The result of a job. What an engine could not do is among the failures, by the task's name."""

    paper: Paper | None = None  # if the job read it
    unreadable: str | None = None  # why it could not be read
    criteria: tuple[CriterionSuggestion, ...] = ()
    findings: tuple[Finding, ...] = ()
    suggestions: tuple[tuple[str, Suggestion], ...] = ()  # (outcome, suggestion)
    failures: tuple[tuple[str, str], ...] = ()  # task and why
    hopeless: str | None = None  # why everything else would fail in the same way
    cost_usd: float | None = 0.0  # None: unknown
    efforts: tuple[WorkTime, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether anything of it failed."""
        return self.unreadable is not None or bool(self.failures)


# What is still missing in a review: the files to read, and the questions that no engine has answered yet.


@dataclass(frozen=True, slots=True)
class MissingAnswers:
    """What is missing for one item: names of criteria, hypotheses and domains. Kept small, without the paper itself."""

    of: StoredPaper | StoredReference
    criteria: tuple[str, ...]
    hypotheses: tuple[str, ...]
    domains: tuple[tuple[str, str], ...]  # (outcome, domain)

    @property
    def item(self) -> str:
        """The paper's or reference's id."""
        return self.of.id

    @property
    def questions(self) -> int:
        """How many questions are missing."""
        return len(self.criteria) + len(self.hypotheses) + len(self.domains)

    @property
    def of_reference(self) -> bool:
        """Whether the item is a reference whose paper is not in the project."""
        return isinstance(self.of, StoredReference)

    @property
    def pieces(self) -> Counter[WorkKind]:
        """How much there is to do of each kind of work."""
        numbers = len(self.criteria), len(self.hypotheses), len(self.domains)
        return pieces_of(*numbers, of_reference=self.of_reference)


def by_outcome(tool: Tool, wanted: Collection[tuple[str, str]]) -> Iterator[tuple[str, tuple[Domain, ...]]]:
    """The outcomes, each with the domains of the tool to judge for it."""
    for outcome in dict.fromkeys(outcome for outcome, _ in wanted):
        yield outcome, tuple(domain for domain in tool.domains if (outcome, domain.id) in wanted)


def unread(now: StoreReader, project: str) -> tuple[IncomingFile, ...]:
    """The files that wait to be read. Those that could not be read are not tried again automatically."""
    return tuple(one for one in now.queue.incoming(project) if one.error is None)


def reading_job(now: StoreReader, project: Project, waiting: IncomingFile) -> Job | None:
    """The job of reading a file; None if the file is gone."""
    data = now.file(project.id, waiting.sha256)
    if data is None:
        return None
    return Job(
        waiting.sha256, waiting.name, project.plan, project.tool, project.study, data=data, own_tools=project.own_tools
    )  # fmt: skip


def missing(now: StoreReader, project: Project, plan: Plan) -> tuple[MissingAnswers, ...]:
    """All that the plan's engines (by their full names) have not answered, in the order of the items.

    What failed before is left out until its failure is deleted.
    """
    failed = {(one.item, one.task) for one in now.queue.failures(project.id)}
    scope = scope_of(project, tool_of(project))
    done = {*answered_tasks(now, project.id, scope), *failed}
    papers = {saved.record.id: saved.record for saved in now.stored_papers(project.id)}
    references = {saved.record.id: saved.record for saved in now.references(project.id)}
    pairings = [saved.record for saved in now.pairings(project.id)]
    found = []
    for item in items_of(papers.values(), references.values(), pairings):
        of = papers[item.id] if item.is_paper else references[item.id]
        one = _of_item(of, project, scope, plan, done)
        if one.questions and (item.id, READ) not in failed:
            found.append(one)
    return tuple(found)


def next_in_turn(
    waiting: Sequence[IncomingFile], wanted: Sequence[MissingAnswers], *, few: int, known: Callable[[WorkCounts], bool]
) -> tuple[Sequence[IncomingFile], Sequence[MissingAnswers]]:
    """What to do next: files to read, or else items to ask about.

    All files are read first. Before them come a few pieces of each kind of work whose time is not `known` yet, so that
    the time left is known early and reviewers see first results. A reference may turn out to be of a waiting file, so
    references are asked about early only if there are more of them than waiting files.
    """
    papers = [one for one in wanted if not one.of_reference]
    references = [one for one in wanted if one.of_reference]
    if not waiting:
        return (), [*papers[:few], *references[:few], *papers[few:], *references[few:]]
    if not known({WorkKind.READING: 1}):
        return waiting[:few], ()
    sure = references if len(references) > len(waiting) else []
    first = [one for one in (*papers[:few], *sure[:few]) if not known(one.pieces)]
    return ((), first) if first else (waiting, ())


def pieces_left(
    project: Project, plan: Plan, waiting: Sequence[IncomingFile], wanted: Sequence[MissingAnswers]
) -> Counter[WorkKind]:
    """All that is still to be done. For waiting files this is everything that can be foreseen before they are read.

    Each of them may turn out to be the paper of a reference, so one reference per file is not counted.
    """
    papers = [one for one in wanted if not one.of_reference]
    references = [one for one in wanted if one.of_reference][len(waiting) :]
    left = sum((one.pieces for one in (*papers, *references)), Counter({WorkKind.READING: len(waiting)}))
    scope = scope_of(project, tool_of(project))
    new = _of_item(StoredPaper(project.id, "", ""), project, scope, plan, ())
    left.update({kind: number * len(waiting) for kind, number in new.pieces.items()})
    return +left  # drops the kinds with zero


def working_job(now: StoreReader, project: Project, plan: Plan, what: MissingAnswers) -> Job | None:
    """The job of answering what is missing, with the paper; None if there is neither its text nor its file."""
    of, data = what.of, None
    paper = now.text(project.id, of.id)
    if paper is None and isinstance(of, StoredReference):
        data = as_file(of.reference)
    elif paper is None and isinstance(of, StoredPaper) and of.file is not None:
        data = now.file(project.id, of.file)
    if paper is None and data is None:
        return None
    criteria = tuple(one for one in project.criteria if one.id in what.criteria)
    asked = (criteria, what.hypotheses, what.domains)
    return Job(
        of.id, _name(of), plan, project.tool, project.study, data, paper, *asked, what.of_reference, project.own_tools
    )


def _of_item(
    item: StoredPaper | StoredReference, project: Project, scope: Scope, plan: Plan, done: Collection[tuple[str, str]]
) -> MissingAnswers:
    """What is missing for a paper; for a reference only the criteria, because it has only an abstract."""

    def open_(engine: str | None, task: str) -> bool:
        return engine is not None and (item.id, task) not in done

    criteria = tuple(c.id for c in project.criteria if open_(plan.criteria, criterion_task(plan.criteria or "", c.id)))
    if isinstance(item, StoredReference):
        return MissingAnswers(item, criteria, (), ())
    hypotheses = tuple(
        h for h in project.hypotheses if open_(plan.evidence, finding_task(plan.evidence or "", question_key(h)))
    )
    reported = scope.outcomes_of(item.id)  # do not ask about results that the paper does not report
    judged = tuple(
        one
        for one in scope.places
        if one[0] in reported and open_(plan.bias, bias_task(plan.bias or "", scope.tool, *one))
    )
    return MissingAnswers(item, criteria, hypotheses, judged)


def _name(of: StoredPaper | StoredReference) -> str:
    return of.name if isinstance(of, StoredPaper) else of.source


def answered_tasks(
    now: StoreReader, project: str, scope: Scope, *, of_failed: bool = False
) -> Iterator[tuple[str, str]]:
    """Item and task of everything that engines have answered; with `of_failed`, only of items that have failures."""
    for item, criterion, engine in now.queue.criteria_done(project, of_failed=of_failed):
        yield item, criterion_task(engine, criterion)
    for paper, question, engine in now.queue.findings_done(project, of_failed=of_failed):
        yield paper, finding_task(engine, question)
    for paper, outcome, domain, engine in now.queue.suggestions_done(project, scope, of_failed=of_failed):
        yield paper, bias_task(engine, scope.tool, outcome, domain)
