"""What changed between two answers to one question, as when papers came in meanwhile."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import normalize

from core.answering.model import Answer, PaperAnswer, Statement


@dataclass(frozen=True, slots=True)
class AnswerChanges:
    """What changed. Where either answer has a `problem`, nothing is told of papers and statements: it has none to compare."""

    could_answer: bool  # before
    can_answer: bool  # now
    searched: int  # papers that are searched now, less those that were before
    new: tuple[PaperAnswer, ...] = ()  # report now and did not, likeliest first
    gone: tuple[PaperAnswer, ...] = ()  # reported and do not any more, as they were
    turned: tuple[
        tuple[PaperAnswer, PaperAnswer], ...
    ] = ()  # tell another direction, or one where none was told: then, now
    new_statements: tuple[Statement, ...] = ()  # of two written answers, in their order
    gone_statements: tuple[Statement, ...] = ()

    @property
    def none(self) -> bool:
        """Whether it says the same, of however many papers."""
        told = (self.new, self.gone, self.turned, self.new_statements, self.gone_statements)
        return self.could_answer == self.can_answer and not any(told)


def changes(before: Answer, after: Answer) -> AnswerChanges:
    """What is other in the answer `after`."""
    could, can = before.answered, after.answered
    searched = after.searched - before.searched
    if before.problem is not None or after.problem is not None:
        return AnswerChanges(could, can, searched)
    then, now = _reporting(before), _reporting(after)
    written = before.statements and after.statements  # of one by quotations nothing was written that could be gone
    return AnswerChanges(
        could,
        can,
        searched,
        new=tuple(one for id, one in now.items() if id not in then),
        gone=tuple(one for id, one in then.items() if id not in now),
        turned=tuple((then[id], one) for id, one in now.items() if id in then and then[id].told is not one.told),
        new_statements=_without(after.statements, before.statements) if written else (),
        gone_statements=_without(before.statements, after.statements) if written else (),
    )


def _reporting(answer: Answer) -> dict[str, PaperAnswer]:
    """The papers that report on the question, by id: without an answer those listed are only the nearest."""
    return {one.paper.id: one for one in answer.papers} if answer.answered else {}


def _without(statements: Iterable[Statement], others: Iterable[Statement]) -> tuple[Statement, ...]:
    """The statements that are not among the others."""
    known = {_compared(one.text) for one in others}
    return tuple(one for one in statements if _compared(one.text) not in known)


def _compared(text: str) -> str:
    """A text in whatever case, spacing and form of letters. Signs stay: “P < 0.05” is not “P > 0.05”."""
    return " ".join(normalize("NFKC", text).casefold().split()).rstrip(" .")
