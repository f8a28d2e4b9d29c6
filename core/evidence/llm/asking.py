"""Questions whose answers are checked, and asked once more where they have faults.

Nothing here sends anything: a plan yields the requests of a stage and is sent what became of them. The same plan runs
live, from batch files and from the cache.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from core.errors import ModelError, ModelTimeout
from core.evidence.llm.answers import Choice, Pick, Selection
from core.evidence.llm.checking import Checked, check
from core.evidence.llm.parts import Part
from core.evidence.llm.wording import Wording
from core.evidence.model import Match, Step
from core.llm import Reply, Request, Usage

Outcome = Reply | ModelError  # what became of a request
R = TypeVar("R")
Stages = Generator[tuple[Request, ...], Sequence[Outcome], R]  # yields stages, is sent their outcomes in order
Price = Callable[[Reply], float | None]  # what a reply cost, in US dollars; None: unknown


@dataclass(frozen=True, slots=True)
class Question:
    """A request for sentences of a part of the paper."""

    request: Request
    part: Part


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of a question. `picks` are right, best first; `said` is the answer as the model gave it."""

    step: Step
    picks: tuple[tuple[Pick, Match], ...] = ()
    said: Selection | Choice | None = None
    error: ModelError | None = None


def ask(questions: Sequence[Question], wording: Wording, price: Price) -> Stages[list[Answered]]:
    """Ask all questions at once, then those again whose answers have faults."""
    if not questions:
        return []
    outcomes = yield tuple(question.request for question in questions)
    tries = [_Try(question, outcome, wording.query.k) for question, outcome in zip(questions, outcomes, strict=True)]
    faulty = [first for first in tries if first.checked is not None and first.checked.faults]
    if faulty:
        seconds = yield tuple(first.once_more(wording) for first in faulty)
        for first, outcome in zip(faulty, seconds, strict=True):
            first.second = _Try(first.question, outcome, wording.query.k)
    return [one.answered(price) for one in tries]


class _Try:
    """One reply to a question, held against the sentences it was about."""

    def __init__(self, question: Question, outcome: Outcome, k: int) -> None:
        self.question = question
        self.outcome = outcome
        self.said: Selection | Choice | None = None
        self.checked: Checked[Pick] | None = None
        self.second: _Try | None = None
        if isinstance(outcome, Reply) and isinstance(outcome.data, Selection | Choice):
            self.said = outcome.data
            self.checked = check(outcome.data.decision, question.part.shown, k)

    def once_more(self, wording: Wording) -> Request:
        assert self.said is not None and self.checked is not None  # noqa: S101
        numbers = [pick.number for pick in self.said.decision]
        return wording.once_more(self.question.request, numbers, self.checked.faults)

    def answered(self, price: Price) -> Answered:
        """The second answer where there is one, else the first."""
        step = self._step(price)
        if self.checked is None:
            error = self._error()
            text = self.outcome.text if isinstance(self.outcome, Reply) else None
            return Answered(replace(step, error=str(error), text=text), error=error)
        last = self
        faults = self.checked.faults
        if self.second is not None:
            if self.second.checked is None:
                faults = (*faults, f"Asked again, it gave no answer: {self.second._error()}")
            else:
                last = self.second
        assert last.checked is not None and last.said is not None  # noqa: S101
        at_once = {pick.number for pick in self.checked.right}
        picks = tuple((pick, Match.EXACT if pick.number in at_once else Match.REPAIRED) for pick in last.checked.right)
        step = replace(
            step,
            reasoning=last.said.reason,
            chosen=tuple(pick.number for pick, _ in picks),
            faults=faults,
            not_in_paper=last.checked.not_in_paper,
        )
        return Answered(step, picks, last.said)

    def _error(self) -> ModelError:
        if isinstance(self.outcome, ModelError):
            return self.outcome
        assert self.outcome.problem is not None  # a reply is an answer or says why not  # noqa: S101
        return self.outcome.problem

    def _step(self, price: Price) -> Step:
        outcomes = [one.outcome for one in (self, self.second) if one is not None]
        replies = [outcome for outcome in outcomes if isinstance(outcome, Reply)]
        costs = [price(reply) for reply in replies]
        # A call that ran out of time may have been charged; other errors are not.
        unknown = None in costs or any(isinstance(outcome, ModelTimeout) for outcome in outcomes)
        return Step(
            label=self.question.request.label,
            reasoning="",
            chosen=(),
            usage=_sum([reply.usage for reply in replies]) if replies else None,
            cost_usd=None if unknown else sum(cost for cost in costs if cost is not None),
            from_cache=bool(replies) and all(reply.from_cache for reply in replies),
        )


def _sum(usages: Sequence[Usage]) -> Usage:
    """Tokens of several calls; unknown where one is unknown."""

    def total(counts: list[int | None]) -> int | None:
        return None if None in counts else sum(count for count in counts if count is not None)

    return Usage(
        input_tokens=total([usage.input_tokens for usage in usages]),
        output_tokens=total([usage.output_tokens for usage in usages]),
        cached_input_tokens=total([usage.cached_input_tokens for usage in usages]),
        written_input_tokens=total([usage.written_input_tokens for usage in usages]),
    )
