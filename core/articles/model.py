"""What an article is made of: sections, each an answer, and an overview that rests on them."""

from __future__ import annotations

from dataclasses import dataclass

from core.answering.model import Answer, Question, Statement
from core.grounding.model import ModelRun


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, and the answer to its question."""

    heading: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Overview:
    """What a model wrote from the sections' sentences, each sentence with the passages that these rest on."""

    statements: tuple[Statement, ...]
    run: ModelRun | None = None  # None: the sections have no sentence to write from
    problem: str | None = None  # why there is none

    @property
    def cost_usd(self) -> float | None:
        """In US dollars; None: unknown."""
        return 0.0 if self.run is None else self.run.cost_usd


@dataclass(frozen=True, slots=True)
class Article:
    """An article. Offline its sections quote papers, and it has no overview: no prose is invented."""

    title: str
    topic: str
    template: str  # its name
    template_hash: str
    engine: str
    sections: tuple[Section, ...]
    overview: Overview | None = None

    @property
    def cost_usd(self) -> float | None:
        """Of all questions to a model, in US dollars; None: unknown."""
        costs = [one.answer.cost_usd for one in self.sections]
        costs.append(0.0 if self.overview is None else self.overview.cost_usd)
        known = [cost for cost in costs if cost is not None]
        return sum(known) if len(known) == len(costs) else None

    @property
    def overview_as_answer(self) -> Answer | None:
        """The overview as an answer that rests on the passages that it cites; None: there is none, and nobody tried."""
        if self.overview is None:
            return None
        cited = {citation.passage for one in self.overview.statements for citation in one.citations}
        found = {one.passage.id: one for section in self.sections for one in section.answer.evidence}
        evidence = tuple(one for id, one in found.items() if id in cited)
        papers = {one.passage.paper for one in evidence}
        sources = {one.id: one for section in self.sections for one in section.answer.sources if one.id in papers}
        return Answer(
            self.engine,
            Question(self.topic),
            (),
            cannot_answer=not (self.overview.statements or self.overview.problem),
            evidence=evidence,
            sources=tuple(sources.values()),
            searched=0,
            cost_usd=self.overview.cost_usd,
            statements=self.overview.statements,
            run=self.overview.run,
            problem=self.overview.problem,
        )

    @property
    def problems(self) -> tuple[str, ...]:
        """Why sections, or the overview, could not be written; a section that papers cannot answer has none."""
        sections = [f"{one.heading}: {one.answer.problem}" for one in self.sections if one.answer.problem]
        overview = self.overview.problem if self.overview else None
        return (*sections, *([f"Overview: {overview}"] if overview else []))
