"""The words in which a strategy asks: templates chosen, filled and remembered by their hashes."""

from __future__ import annotations

from enum import StrEnum

from core.evidence.llm.answers import Choice, Selection
from core.evidence.llm.asking import asked_again
from core.evidence.llm.parts import Part
from core.evidence.model import EvidenceQuery
from core.llm import Request
from core.paper import Paper
from core.prompts import Prompt, load_prompt

_FRAME = ("system", "context", "plain", "everything", "results", "results-first")


class Strategy(StrEnum):
    """How a paper is put to a model (EvidenceBench, section 4.1). The first is the default."""

    SECTIONS = "sections"  # each section by itself, then a choice among what they gave
    WHOLE = "whole"  # the whole paper at once
    EXAMPLES = "examples"  # the same, after eight examples


class Wording:
    """Fills the templates for one paper and one query. Raises `PromptError` if a template is wrong."""

    def __init__(self, strategy: Strategy, paper: Paper, query: EvidenceQuery) -> None:
        self.query = query
        self.paper = paper
        # The whole paper is sent again for a repetition, another wording or the next hypothesis; a section seldom is.
        self.cache_context = strategy is not Strategy.SECTIONS
        self.frame = load_prompt("evidence-frame", variables=("title", "part", "sentences"), parts=_FRAME)
        self.judging = load_prompt("evidence-judging", variables=())
        self.again = load_prompt("evidence-again", variables=("task", "answer", "faults", "k"))
        if strategy is Strategy.SECTIONS:
            self.first = _task("evidence-section-results" if query.results_only else "evidence-section")
            self.last = _task("evidence-choice")
            self.numbering = load_prompt("evidence-numbering", variables=())
            extra = [self.first, self.numbering]
        else:
            self.last = _task(f"evidence-{strategy}")
            extra = []
        used = [self.frame, *extra, self.last, self.judging, self.again]
        self.hashes = tuple((prompt.name, prompt.hash) for prompt in used)

    def selection(self, part: Part) -> Request:
        """Ask for a choice from one section."""
        task = f"{self._task(self.first)}\n\n{self.numbering.fill('task')}"
        return self._request(part, task, Selection, label=part.title)

    def choice(self, part: Part, *, label: str) -> Request:
        """Ask for the final choice, with stances and a verdict."""
        return self._request(part, f"{self._task(self.last)}\n\n{self.judging.fill('task')}", Choice, label=label)

    def once_more(self, request: Request, said: Selection | Choice, faults: tuple[str, ...]) -> Request:
        """Ask again, naming the faults of the first answer."""
        numbers = str([pick.number for pick in said.decision])
        return asked_again(self.again, request, faults, answer=numbers, k=self.query.k)

    def _task(self, prompt: Prompt) -> str:
        query = self.query
        focus = self.frame.fill(
            "results" if query.results_only else "results-first" if query.results_first else "everything"
        )
        return prompt.fill("task", hypothesis=self.query.hypothesis, k=self.query.k, focus=focus)

    def _request(self, part: Part, task: str, schema: type[Selection] | type[Choice], *, label: str) -> Request:
        context = self.frame.fill(
            "context",
            part=part.title,
            title=self.paper.title or self.paper.name,
            sentences=part.listing,
        )
        return Request(
            system=self.frame.fill("system"),
            context=context,
            task=task,
            schema=schema,
            plain=self.frame.fill("plain"),
            cache_context=self.cache_context,
            label=label,
        )


def _task(name: str) -> Prompt:
    return load_prompt(name, variables=("hypothesis", "k", "focus"))
