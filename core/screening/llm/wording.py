"""The words in which a model is asked about a criterion: templates filled, and remembered by their hashes."""

from __future__ import annotations

from collections.abc import Iterable

from core.evidence.llm.asking import asked_again
from core.evidence.llm.parts import Part
from core.llm import ReplySchema, Request
from core.llm.wire import set_apart
from core.prompts import load_prompt
from core.screening.engine import CRITERION_SENTENCES
from core.screening.llm.answers import FITS, JudgedCriterion
from core.screening.model import Criterion


class Wording:
    """Fills the templates. System and context are the same for every criterion of a paper, for the provider's cache
    holds what requests begin with. Raises `PromptError` if a template is wrong.
    """

    def __init__(self) -> None:
        self._frame = load_prompt(
            "screening-frame", variables=("part", "title", "sentences"), parts=("system", "context")
        )
        self._task = load_prompt(
            "screening-criterion", variables=("kind", "criterion", "k", "fits"), parts=("task", "plain")
        )
        self._again = load_prompt("screening-again", variables=("task", "answer", "faults"))

    @property
    def hashes(self) -> tuple[tuple[str, str], ...]:
        """(name, hash) of every template."""
        return tuple((prompt.name, prompt.hash) for prompt in (self._frame, self._task, self._again))

    def question(self, criterion: Criterion, part: Part, title: str, *, cached: bool) -> Request:
        """Ask whether the paper meets a criterion. `cached`: what is shown will be sent again for the next one."""
        return Request(
            system=self._frame.fill("system"),
            context=self._frame.fill("context", part=part.title, title=_line(title), sentences=part.listing),
            task=self._task.fill(
                "task",
                kind=criterion.kind.value,
                criterion=set_apart(_line(criterion.text)),
                k=CRITERION_SENTENCES,
                fits=", ".join(FITS),
            ),
            schema=JudgedCriterion,
            plain=self._task.fill("plain"),
            cache_context=cached,
            label=_line(criterion.text)[:80],
        )

    def once_more(self, request: Request, said: ReplySchema, faults: Iterable[str]) -> Request:
        """Ask again, naming the faults of the first answer."""
        return asked_again(self._again, request, faults, answer=set_apart(said.model_dump_json()))


def _line(text: str) -> str:
    return " ".join(text.split())
