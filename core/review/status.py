"""The state of a review's queue, read from the store alone, so that any window can show it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import product

from core.review.intake import REFERENCE
from core.review.jobs import with_full_names
from core.review.planning import READ, answered_tasks, bias_task, criterion_task, finding_task
from core.store import (
    IncomingFile,
    Plan,
    Project,
    QueueFailure,
    QueueState,
    Scope,
    StoreReader,
    doubles,
    question_key,
    scope_of,
    tool_of,
)


@dataclass(frozen=True, slots=True)
class QueueStatus:
    """What is done and what is not. A question is what an engine is asked: a criterion, a hypothesis or a domain."""

    state: QueueState
    papers: int
    references: int
    waiting: int  # files to be read
    to_fetch: int  # open full texts that are wanted
    unreadable: tuple[IncomingFile, ...]  # files that cannot be read, with why
    open_items: int  # papers and references with questions that are not answered
    open_questions: int
    answered: int
    failures: tuple[QueueFailure, ...]  # questions that failed
    wrong_entries: tuple[QueueFailure, ...]  # of files of references
    problem: str | None  # why the whole queue stopped
    to_index: int = 0  # papers to be indexed for questions

    @property
    def anything_to_do(self) -> bool:
        """Whether a run would do something."""
        return bool(self.waiting or self.open_items or self.to_fetch or self.to_index)


def queue_status(now: StoreReader, project: Project) -> QueueStatus:
    """The queue's state, counted in the database because it is asked for every second. Raises `NotStored`.

    It agrees with `core.review.planning.missing`, which names what is counted here; a test checks that.
    """
    asked = _Asked.of(project)
    settled = set(answered_tasks(now, project.id, asked.scope, of_failed=True))  # on a paper's page, after a failure
    failures = [one for one in now.queue.failures(project.id) if (one.item, one.task) not in settled]
    incoming = now.queue.incoming(project.id)
    papers, references = now.paper_ids(project.id), now.reference_papers(project.id)
    left_out = doubles(set(papers), references, [saved.record for saved in now.pairings(project.id)])
    answered = now.queue.answered(
        project.id, asked.plan, criteria_ids=asked.criteria, questions=asked.questions, scope=asked.scope
    )
    here = set(papers)
    items = {id: asked.of_paper(id) for id in papers}
    items |= {id: asked.of_reference for id, paper in references.items() if paper not in here}
    tasks = asked.tasks
    failed = Counter(one.item for one in failures if one.task in tasks and not asked.is_unreported(one))
    unreadable = {one.item for one in failures if one.task == READ}
    open_ = [
        max(0, questions - answered.get(item, 0) - failed[item])
        for item, questions in items.items()
        if item not in left_out and item not in unreadable
    ]
    return QueueStatus(
        state=now.queue.state(project.id),
        papers=len(papers),
        references=len(references),
        waiting=sum(one.error is None for one in incoming),
        to_fetch=now.retrievals.wanted_count(project.id),
        unreadable=tuple(one for one in incoming if one.error is not None),
        open_items=sum(map(bool, open_)),
        open_questions=sum(open_),
        answered=sum(number for item, number in answered.items() if item in items and item not in left_out),
        failures=tuple(one for one in failures if one.item and (one.task == READ or one.task in tasks)),
        wrong_entries=tuple(one for one in failures if one.task.startswith(REFERENCE)),
        problem=next((one.error for one in failures if not one.item), None),
        to_index=now.queue.to_index(project.id),
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a project's plan asks of its items."""

    plan: Plan  # with the engines' full names
    criteria: tuple[str, ...]
    questions: tuple[str, ...]  # hypotheses, as `question_key`s
    scope: Scope  # of judging

    @classmethod
    def of(cls, project: Project) -> _Asked:
        plan = with_full_names(project.plan)
        criteria = tuple(dict.fromkeys(one.id for one in project.criteria))
        questions = tuple(dict.fromkeys(map(question_key, project.hypotheses)))
        scope = scope_of(project, tool_of(project))
        return cls(
            plan,
            criteria if plan.criteria is not None else (),
            questions if plan.evidence is not None else (),
            scope if plan.bias is not None else replace(scope, domains=()),
        )

    def of_paper(self, id: str) -> int:
        """How many questions are asked about a paper, without results that it does not report."""
        results = len(self.scope.outcomes_of(id)) * len(self.scope.domains)
        return len(self.criteria) + len(self.questions) + results

    @property
    def of_reference(self) -> int:
        """How many questions are asked about a reference: only the criteria, because it has only an abstract."""
        return len(self.criteria)

    def is_unreported(self, failure: QueueFailure) -> bool:
        """Whether the failure is for a result that, as reviewers said since, the paper does not report."""
        gone = [outcome for paper, outcome in self.scope.unreported if paper == failure.item]
        named = (
            bias_task(self.plan.bias or "", self.scope.tool, *place) for place in product(gone, self.scope.domains)
        )
        return failure.task in named

    @property
    def tasks(self) -> set[str]:
        return {
            *(criterion_task(self.plan.criteria or "", one) for one in self.criteria),
            *(finding_task(self.plan.evidence or "", one) for one in self.questions),
            *(bias_task(self.plan.bias or "", self.scope.tool, *place) for place in self.scope.places),
        }
