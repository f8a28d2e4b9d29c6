"""Answers by language models: gather evidence, write, and check, with or without an agent that plans.

Up to three models share the work, as in PaperQA2 (section 8.1): one plans, one reads passages, one writes. All
strategies but the first are that paper's ablations.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Self

from core.answering.agent import AgentLimits, AgentPrompts, run_agent
from core.answering.beyond import Beyond, require_agreement_fits
from core.answering.checking import CitationChecker
from core.answering.gathering import HIGHEST, GatheringPrompts
from core.answering.model import Answer, Gathered, PaperAnswer, Question, ReportedChange, Tell, is_asked, untold
from core.answering.workspace import Gatherer, Workspace, as_found, by_model, by_reader, cost_of, nearest_passages
from core.answering.writing import Writing, WritingPrompts
from core.entailment import installed_reader
from core.errors import ModelError
from core.grounding.model import ModelRun
from core.grounding.questions import Asker, ModelEngine, Prompts
from core.library.index import Library
from core.library.model import LibraryPaper
from core.llm import CostEstimate, ModelName, Request, estimate
from core.paper import CitedWork
from core.progress import Progress, silent

OFFLINE = "offline"  # names the reader on this machine as the gatherer
_NAMED = 5  # the most works outside the library that a note names
_GATHERING = 0.8  # the share of gathering in the progress, without an agent
_GATHERED_BY, _PLANNED_BY = ", evidence by ", ", planned by "  # parts of the name of an engine that shares its work


class AnswerStrategy(StrEnum):
    """How an answer is produced (PaperQA2, section 8.1). The first is the default."""

    AGENT = "agent"  # a model plans searches, gathering and following citations
    FIXED = "fixed"  # search, gather, answer, once
    NO_SUMMARIES = "no-summaries"  # an agent; passages are passed on without summaries
    NO_CITATIONS = "no-citations"  # an agent that cannot follow citations


class ModelAnswerEngine(ModelEngine[AnswerStrategy]):
    """Answers by a language model. It gathers, plans and writes, unless other models are set for the first two."""

    strategies = AnswerStrategy
    task = "for answers from a library"

    def __init__(self, model: ModelName, runner: Asker) -> None:
        super().__init__(model, runner)
        self.gatherer: Asker | None = runner  # None: the reader on this machine
        self.planner: Asker = runner
        self.limits = AgentLimits()
        self.beyond: Beyond | None = None  # the services that a reviewer agreed to for the next question

    def sharing(self, *, gatherer: Asker | None, planner: Asker, limits: AgentLimits | None = None) -> Self:
        """Set what gathers (None: the reader on this machine) and what plans, and return this engine."""
        self.gatherer, self.planner, self.limits = gatherer, planner, limits or self.limits
        others = [
            f"{_GATHERED_BY}{gatherer.name if gatherer else OFFLINE}" if gatherer is not self.runner else "",
            f"{_PLANNED_BY}{planner.name}" if planner is not self.runner else "",
        ]
        self.name = "".join((f"{self.runner.name}@{self.strategy}", *others))
        return self

    def answer(
        self, question: Question, library: Library, *, progress: Progress = silent, tell: Tell = untold
    ) -> Answer:
        """The answer. If a model fails after evidence was gathered, it holds the evidence and the `problem`.

        Raises `NoAnswer`, with every question that was asked, if a model fails earlier. To retry, repeat the call: the
        steps that succeeded come from the cache and cost nothing.
        """
        started = time.perf_counter()
        if self.beyond is not None:
            require_agreement_fits(question, has_agent=self.has_agent)
        checker = CitationChecker(installed_reader(), library)
        work = Workspace(question, library, self._gatherer(), self.runner, checker, tell, self.beyond)
        try:
            writing = self._write(work, progress)
        except ModelError as error:
            if not work.gathered:
                self.run_of(self._prompts(question), work.asked, error=error)
            writing = Writing(None, problem=str(error))
        progress(1.0, "Done")
        run = self.run_of(self._prompts(question), work.asked, error=None)
        papers = _papers(work, writing)
        evidence = work.evidence
        return Answer(
            self.name,
            question,
            papers,
            writing.cannot_answer,
            evidence,
            tuple(work.papers[id] for id in dict.fromkeys(one.passage.paper for one in evidence)),
            sum(is_asked(question, paper) for paper in work.papers.values()),
            time.perf_counter() - started,
            cost_of(work.asked),
            statements=writing.statements,
            option=writing.option,
            steps=tuple(work.trail),
            run=run,
            notes=tuple(_notes(run, work.outside)),
            problem=writing.problem,
        )

    def _write(self, work: Workspace, progress: Progress) -> Writing:
        if not self.has_agent or work.question.passages is not None:
            work.read(lambda done, step: progress(done * _GATHERING, step))
            return work.write(lambda done, step: progress(_GATHERING + done * (1 - _GATHERING), step))
        follows = self.strategy is not AnswerStrategy.NO_CITATIONS
        return run_agent(work, self.planner, follows=follows, limits=self.limits, progress=progress)

    @property
    def has_agent(self) -> bool:
        """Whether a model plans the steps."""
        return self.strategy is not AnswerStrategy.FIXED

    def _gatherer(self) -> Gatherer:
        if self.strategy is AnswerStrategy.NO_SUMMARIES:
            return as_found
        return by_model(self.gatherer) if self.gatherer is not None else by_reader(installed_reader())

    def _prompts(self, question: Question) -> Prompts:
        used = [*WritingPrompts(question).hashes]
        if self.strategy is not AnswerStrategy.NO_SUMMARIES and self.gatherer is not None:
            used += GatheringPrompts(question).hashes
        if self.strategy is not AnswerStrategy.FIXED and question.passages is None:
            used += AgentPrompts(question).hashes
        return tuple(dict.fromkeys(used))


def sharers(name: str) -> tuple[str, str, str]:
    """The models that answer, gather and plan, from an engine's name. Empty: the one that answers does it too."""
    rest, _, plans = name.partition(_PLANNED_BY)
    answers, _, gathers = rest.partition(_GATHERED_BY)
    return answers, gathers, plans


def _papers(work: Workspace, writing: Writing) -> tuple[PaperAnswer, ...]:
    """What each paper says, for papers that are cited or report a result.

    Without an answer, the nearest three papers.
    """
    best: dict[str, Gathered] = {}
    for one in work.evidence:
        best.setdefault(one.passage.paper, one)
    told: Mapping[str, ReportedChange | None] = writing.told or {}
    cited = {citation.passage.rpartition("/")[0] for one in writing.statements for citation in one.citations}
    wanted = [id for id in best if id in told or id in cited] if writing.statements else list(best)[:3]
    return tuple(
        PaperAnswer(work.papers[id], round(best[id].score / HIGHEST, 4), told.get(id), None, best[id]) for id in wanted
    )


def _notes(run: ModelRun, outside: Collection[CitedWork]) -> list[str]:
    """Notes for the reviewer."""
    notes = [run.shortened] if run.shortened else []
    if outside:
        named = "; ".join(map(_named, list(outside)[:_NAMED]))
        more = f"; and {len(outside) - _NAMED} more" if len(outside) > _NAMED else ""
        notes.append(f"The best papers share citations of works that are not in the library: {named}{more}.")
    if run.from_cache:
        notes.append("Every reply was kept from an earlier run: this one cost nothing.")
    if run.not_read:
        notes.append(run.not_read)
    again = sum(bool(step.faults) for step in run.steps)
    if again:
        notes.append(f"{again} of {len(run.steps)} replies had faults and were asked for again.")
    return notes


def _named(work: CitedWork) -> str:
    """A work by title, year and DOI or PMID, as far as known."""
    title = " ".join((work.title or "").split())[:120].rstrip(" .")
    number = f"doi:{work.doi}" if work.doi else f"PMID {work.pmid}" if work.pmid else ""
    return ", ".join(filter(None, (title, str(work.year or ""), number)))


def estimate_answer(model: ModelName, questions: Iterable[Question], library: Library) -> CostEstimate:
    """What answers will use if no question is repeated and no reply is cached. Nothing is sent.

    An agent's steps are not included, because their number is unknown beforehand; each is about as long as one passage.
    """
    papers = {paper.id: paper for paper in library.papers()}
    requests = [request for one in questions for request in _expected(model, one, library, papers)]
    return estimate(requests, f"{model.provider}:{model.model}")


def _expected(
    model: ModelName, question: Question, library: Library, papers: dict[str, LibraryPaper]
) -> Iterator[Request]:
    near = nearest_passages(question, library)
    if ModelAnswerEngine.strategy_of(model) is not AnswerStrategy.NO_SUMMARIES:
        wording = GatheringPrompts(question)
        yield from (wording.request(one.passage, papers.get(one.passage.paper)) for one in near)
    passages = as_found(question, near, papers, silent).gathered[: question.sources]
    yield WritingPrompts(question).request(passages, papers)
