"""A choice of sentences from a part of a paper, held against that part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from core.evidence.llm.answers import Choice, Pick, Selection
from core.evidence.llm.asking import Exchange, Outcome, Price, ask
from core.evidence.llm.checking import Checked, check
from core.evidence.llm.parts import Part
from core.llm import Reply, Request
from core.llm.model import Form

Again = Callable[[Request, Selection | Choice, tuple[str, ...]], Request]  # the request, its answer, and its faults


@dataclass(frozen=True, slots=True)
class HeldChoice:
    """An answer as the model gave it, and what of it is right."""

    said: Selection | Choice
    checked: Checked[Pick]

    @property
    def reasoning(self) -> str:
        return self.said.reason

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(pick.number for pick in self.checked.right)

    @property
    def faults(self) -> tuple[str, ...]:
        return self.checked.faults

    @property
    def not_in_paper(self) -> tuple[str, ...]:
        return self.checked.not_in_paper


def choose(request: Request, part: Part, k: int, again: Again, price: Price) -> Exchange[Outcome[HeldChoice]]:
    """Ask for at most `k` sentences of a part, and once more if the answer has faults."""

    return ask(request, partial(_held, part, k), lambda answer: again(request, answer.said, answer.faults), price)


def _held(part: Part, k: int, reply: Reply) -> HeldChoice | None:
    said = reply.data
    if not isinstance(said, Selection | Choice):
        return None
    return HeldChoice(said, check(list(said.decision), part.shown, k, quoted=reply.form is Form.SCHEMA))
