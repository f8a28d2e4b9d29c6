"""What changed between two answers to the same question, for example after papers were added."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import normalize

from core.answering.model import Answer, PaperAnswer, Statement


@dataclass(frozen=True, slots=True)
class AnswerChanges:
    """What changed. If either answer has a `problem`, papers and statements are not compared, because it has none."""

    could_answer: bool  # before
    can_answer: bool  # now
    searched: int  # the number of papers searched now, minus the number before
    new: tuple[PaperAnswer, ...] = ()  # papers that report only now, likeliest first
    gone: tuple[PaperAnswer, ...] = ()  # papers that reported only before, as they were then
    turned: tuple[
        tuple[PaperAnswer, PaperAnswer], ...
    ] = ()  # (before, now) of papers whose direction changed, also from or to none
    new_statements: tuple[Statement, ...] = ()  # only if both answers are written; in their order
    gone_statements: tuple[Statement, ...] = ()

    @property
    def none(self) -> bool:
        """Whether both answers say the same, even if the number of papers searched differs."""
        told = (self.new, self.gone, self.turned, self.new_statements, self.gone_statements)
        return self.could_answer == self.can_answer and not any(told)


def changes(before: Answer, after: Answer) -> AnswerChanges:
    """What changed from the answer `before` to the answer `after`."""
    could, can = before.answered, after.answered
    searched = after.searched - before.searched
    if before.problem is not None or after.problem is not None:
        return AnswerChanges(could, can, searched)
    then, now = _reporting(before), _reporting(after)
    written = before.statements and after.statements  # an answer of quotations has no statements to compare
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
    """The papers that report on the question, by id; none without an answer, which lists only the nearest papers."""
    return {one.paper.id: one for one in answer.papers} if answer.answered else {}


def _without(statements: Iterable[Statement], others: Iterable[Statement]) -> tuple[Statement, ...]:
    """The statements that are not among the others."""
    known = {_compared(one.text) for one in others}
    return tuple(one for one in statements if _compared(one.text) not in known)


def _compared(text: str) -> str:
    """A text without differences of case, spacing and Unicode form. Signs stay: “P < 0.05” is not “P > 0.05”."""
    return " ".join(normalize("NFKC", text).casefold().split()).rstrip(" .")
