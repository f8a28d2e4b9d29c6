"""A choice of sentences from a part of a paper, held against that part."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from core.evidence.llm.answers import Choice, Pick, Selection
from core.evidence.llm.asking import Exchange, Outcome, Price, ask
from core.evidence.llm.checking import HeldPicks, check
from core.evidence.llm.parts import Part
from core.llm import Reply, Request
from core.llm.model import Form

Again = Callable[[Request, Selection | Choice, tuple[str, ...]], Request]  # the request, its answer, and its faults


class HeldChoice(HeldPicks[Selection | Choice, Pick]):
    """A choice of sentences, alone or with stances and a verdict."""

    __slots__ = ()


def choose(request: Request, part: Part, k: int, again: Again, price: Price) -> Exchange[Outcome[HeldChoice]]:
    """Ask for at most `k` sentences of a part, and once more if the answer has faults."""

    return ask(request, partial(_held, part, k), lambda answer: again(request, answer.said, answer.faults), price)


def _held(part: Part, k: int, reply: Reply) -> HeldChoice | None:
    said = reply.data
    if not isinstance(said, Selection | Choice):
        return None
    return HeldChoice(said, check(list(said.decision), part.shown, k, quoted=reply.form is Form.SCHEMA))
