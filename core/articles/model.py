"""The types of an article: sections, each of which is an answer, and an overview written from them."""

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
    """What a model wrote from the sections' sentences. Each statement cites the passages that these sentences cite."""

    statements: tuple[Statement, ...]
    run: ModelRun | None = None  # None: the sections have no sentence to write from
    problem: str | None = None  # why there is no overview

    @property
    def cost_usd(self) -> float | None:
        """Its cost in US dollars; None if unknown."""
        return 0.0 if self.run is None else self.run.cost_usd


@dataclass(frozen=True, slots=True)
class Article:
    """An article. Offline, its sections quote papers, and it has no overview, because no prose is written."""

    title: str
    topic: str
    template: str  # the template's name
    template_hash: str
    engine: str
    sections: tuple[Section, ...]
    overview: Overview | None = None

    @property
    def cost_usd(self) -> float | None:
        """The cost of all questions to a model, in US dollars; None if unknown."""
        costs = [one.answer.cost_usd for one in self.sections]
        costs.append(0.0 if self.overview is None else self.overview.cost_usd)
        known = [cost for cost in costs if cost is not None]
        return sum(known) if len(known) == len(costs) else None

    @property
    def overview_as_answer(self) -> Answer | None:
        """The overview as an answer, with the passages that it cites as evidence; None if no overview was asked for."""
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
        """Why sections or the overview could not be written. That papers cannot answer is not a problem."""
        sections = [f"{one.heading}: {one.answer.problem}" for one in self.sections if one.answer.problem]
        overview = self.overview.problem if self.overview else None
        return (*sections, *([f"Overview: {overview}"] if overview else []))
