"""The state of an answer in progress, and the tools that change it: search, gather evidence, follow citations, write.

These are the tools of PaperQA2 (section 8.1.1). An answer is made with them, with or without an agent. Each use of a
tool is a step, which is reported when it ends.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Protocol

from core.answering.beyond import Beyond, Brought, JoinedCitations, Wanted
from core.answering.checking import CitationChecker
from core.answering.citations import CitationGraph, LibraryCitations, Works, as_work, sources_of, traverse
from core.answering.gathering import HIGHEST, STRONG, GatheredEvidence, best_first, gather, likeliest_finding
from core.answering.model import CANDIDATES, Action, Gathered, Question, Tell, TrailStep, is_asked, is_within
from core.answering.reading import of_passages, read_passages, shipped
from core.answering.writing import Writing, write
from core.entailment import Reader
from core.grounding.model import Step
from core.grounding.questions import Asker
from core.library.index import ANY_YEAR, Library
from core.library.model import Found, LibraryPaper, Years
from core.library.spread import spread_over_papers
from core.paper import CitedWork
from core.progress import Progress
from core.references import Reference

FOUND_AT_ONCE = 12  # papers that a search returns (section 8.1.1)


class Gatherer(Protocol):
    """Reads passages for a question and scores them from 0 to 10."""

    def __call__(
        self, question: Question, found: list[Found], papers: dict[str, LibraryPaper], progress: Progress
    ) -> GatheredEvidence:
        """The passages, best first, or the `error` if no passage could be read."""
        ...


def by_model(asker: Asker) -> Gatherer:
    """A gatherer in which a model summarizes each passage."""
    return lambda question, found, papers, progress: gather(question, found, papers, asker, progress)


def by_reader(reader: Reader) -> Gatherer:
    """A gatherer in which the reader scores passages on this machine, without summaries."""

    def read(
        question: Question, found: list[Found], papers: dict[str, LibraryPaper], progress: Progress
    ) -> GatheredEvidence:
        reading = read_passages(question.text, found, papers, reader)
        rows = of_passages(reading)
        scores = [round(HIGHEST * shipped().passage.probability(row), 2) for row in rows]
        first = {id: some[0].index for id, some in reading.read.items()}
        return GatheredEvidence(
            best_first(
                Gathered(one.passage, score, first.get(one.passage.id, likeliest_finding(one.passage)))
                for one, score in zip(reading.found, scores, strict=True)
            )
        )

    return read


def as_found(
    question: Question, found: list[Found], papers: dict[str, LibraryPaper], progress: Progress
) -> GatheredEvidence:
    """A gatherer that scores passages by their rank in the search (the ablation "No RCS")."""
    return GatheredEvidence(
        tuple(
            Gathered(one.passage, round(HIGHEST * (1 - place / len(found)), 2), likeliest_finding(one.passage))
            for place, one in enumerate(found)
        )
    )


@dataclass(slots=True)
class Workspace:
    """The state of one question. It must not be shared between threads."""

    question: Question
    library: Library
    gatherer: Gatherer
    writer: Asker
    checker: CitationChecker
    tell: Tell
    beyond: Beyond | None = None  # the services that may be asked as well
    citations: LibraryCitations = field(init=False)
    papers: dict[str, LibraryPaper] = field(default_factory=dict)  # all papers of the library, by id
    found: dict[str, None] = field(default_factory=dict)  # ids of the papers that were found, in order
    gathered: dict[str, Gathered] = field(default_factory=dict)  # by passage id
    trail: list[TrailStep] = field(default_factory=list)
    asked: list[Step] = field(default_factory=list)  # every question to a model
    outside: dict[CitedWork, None] = field(default_factory=dict)  # works reached by citations and not in the library
    reason: str = ""  # the planner's reason for the next step

    def __post_init__(self) -> None:
        self._look_up_papers()

    def _look_up_papers(self) -> None:
        """Read the library's current papers and citations."""
        papers = self.library.papers()
        self.citations = LibraryCitations(papers, self.library.references())
        self.papers = {one.id: replace(one, cited=self.citations.times_cited(as_work(one))) for one in papers}

    @property
    def evidence(self) -> tuple[Gathered, ...]:
        """All passages that were gathered, best first."""
        return best_first(self.gathered.values())

    def strong_papers(self) -> tuple[LibraryPaper, ...]:
        """The papers whose citations are worth following, the best first."""
        return sources_of(self.evidence, self.papers.values())

    # ---- tools ----

    def search(self, words: str, years: Years = ANY_YEAR) -> None:
        """Find papers by the passages that are nearest to some words."""
        with _Stopwatch() as watch:
            near = self.library.search(
                words,
                only=self.question.only,
                without=self.question.without,
                years=_both(self.question.years, years),
                design=self.question.design,
            )
        papers = list(dict.fromkeys(one.passage.paper for one in near if one.passage.paper in self.papers))
        new = self._find(papers[:FOUND_AT_ONCE])
        came = f"{_counted(min(len(papers), FOUND_AT_ONCE), 'paper')} found, {new} of them new."
        self._note(Action.SEARCH, words + _between(years), came, watch.seconds)

    def search_services(self, words: str, years: Years, progress: Progress) -> None:
        """Search for papers outside the library, and add those that have an open text."""
        assert self.beyond is not None  # else the planner may not choose this action  # noqa: S101
        with _Stopwatch() as watch:
            within = _both(self.question.years, years)
            brought = self.beyond.search(words, within, self.papers.values(), progress)
            new, left_out = self._take_in(brought)
        failed = f" {_counted(brought.failed, 'service')} failed." if brought.failed else ""
        came = (
            f"{_counted(brought.candidates, 'candidate')} of {self.beyond.names}: {len(brought.held)} in the library already, "
            f"{len(brought.fetched)} fetched, {brought.refused} not available; {new} new.{left_out}{failed}"
        )
        self._note(Action.SEARCH_SERVICES, words + _between(within), came, watch.seconds, details=brought.details)

    def gather(self, words: str, progress: Progress) -> None:
        """In the papers found, read the passages nearest to some words that were not read before.

        Raises `ModelError` if no passage could be read.
        """
        near = self.library.search(words, depth=CANDIDATES, only=self.found, without=self.question.without)
        spread = spread_over_papers(near, self.question.spread)[: self.question.k]
        chosen = [one for one in spread if one.passage.id not in self.gathered]
        self._gather(words, chosen, progress)

    def read(self, progress: Progress) -> None:
        """Read the passages that the question names, or else the nearest of the whole library.

        Raises `ModelError` if no passage could be read.
        """
        chosen = nearest_passages(self.question, self.library)
        self._find(one.passage.paper for one in chosen)
        self._gather(self.question.text, chosen, progress)

    def follow(self, progress: Progress) -> None:
        """Add the papers that the best papers cite, or that cite them (Algorithm 1).

        These come from the library, and from services if they may be asked and there is an open text.
        """
        with _Stopwatch() as watch:
            graph: CitationGraph = self.citations
            details: tuple[str, ...] = ()
            if self.beyond is not None:
                links, details = self.beyond.links(self.strong_papers(), lambda done, step: progress(done / 3, step))
                graph = JoinedCitations(self.citations, links)
            works = traverse(self.strong_papers(), graph, self.papers.values())
        inside = [
            work.paper for work in works if work.paper is not None and is_asked(self.question, self.papers[work.paper])
        ]
        new = self._find(inside)
        outside = [one.work for one in works if one.paper is None]
        cited = f"{_counted(len(inside), 'paper')} of the library cited or citing, {new} of them new"
        came = f"{cited}; {_counted(len(outside), 'work')} not in the library."
        if self.beyond is not None and (followed := outside):
            with watch:
                # Works outside the question's years are not fetched. If the year is unknown, it is read from the text.
                asked = [work for work in outside if work.year is None or is_within(self.question.years, work.year)]
                wanted = [Wanted(_reference_of(work)) for work in asked]
                brought = self.beyond.bring(
                    wanted,
                    self.papers.values(),
                    lambda done, step: progress((1 + 2 * done) / 3, step),
                    most=len(wanted),
                )
                fetched, left_out = self._take_in(brought)
            outside = [work for work in outside if not self._holds(work)]
            too_far = len(followed) - len(asked)
            unasked = f", {too_far} of them outside the question's years" if too_far else ""
            came = f"{came[:-1]}{unasked}, {fetched} of them fetched.{left_out}"
            details += brought.details
        self.outside |= dict.fromkeys(outside)
        self._note(Action.FOLLOW, "", came, watch.seconds, details=details)

    def write(self, progress: Progress) -> Writing:
        """Write the answer from the best passages with a score above 0."""
        best = [one for one in self.evidence if one.score > 0][: self.question.sources]
        if not best:
            self._note(Action.ANSWER, self.question.text, "No passage helps: these papers cannot answer.", 0.0)
            return Writing(None, cannot_answer=True)
        with _Stopwatch() as watch:
            writing = write(
                self.question, best, self.papers, asker=self.writer, checker=self.checker, progress=progress
            )
        if writing.step is not None:
            self.asked.append(writing.step)
        came = writing.problem or (
            "These papers cannot answer it."
            if writing.cannot_answer
            else f"Written from {_counted(len(best), 'passage')}."
        )
        cost = writing.step.cost_usd if writing.step else 0.0
        self._note(Action.ANSWER, self.question.text, came, watch.seconds, cost_usd=cost)
        return writing

    def give_up(self) -> None:
        """Record that the papers cannot answer."""
        self._note(Action.GIVE_UP, "", "These papers cannot answer it.", 0.0)

    # ---- inside ----

    def _gather(self, words: str, chosen: list[Found], progress: Progress) -> None:
        if not chosen:
            self._note(Action.GATHER, words, "No passage that was not read before.", 0.0)
            return
        with _Stopwatch() as watch:
            read = self.gatherer(self.question, chosen, self.papers, progress)
        self.asked += read.steps
        if read.error is not None:
            raise read.error
        self.gathered |= {one.passage.id: one for one in read.gathered}
        strong = sum(one.score >= STRONG for one in read.gathered)
        unread = len(chosen) - len(read.gathered)
        came = f"{_counted(len(read.gathered), 'passage')} read, {strong} of them score {STRONG} or more."
        came += f" {unread} could not be read." if unread else ""
        self._note(Action.GATHER, words, came, watch.seconds, cost_usd=cost_of(read.steps))

    def _take_in(self, brought: Brought) -> tuple[int, str]:
        """Add papers within the question's limits; returns how many are new, and a text on those outside the limits."""
        if brought.fetched:
            self._look_up_papers()
        here = [id for id in (*brought.held, *brought.fetched) if id in self.papers]
        asked = [id for id in here if is_asked(self.question, self.papers[id])]
        unasked = len(here) - len(asked)
        left_out = f" {_counted(unasked, 'paper')} outside the question's limits." if unasked else ""
        return self._find(asked), left_out

    def _holds(self, work: CitedWork) -> bool:
        """Whether the library now has a work."""
        held = Works(map(as_work, self.papers.values()))
        return held.find(work) is not None

    def _find(self, papers: Iterable[str]) -> int:
        """Add papers, and return how many were new."""
        before = len(self.found)
        self.found |= dict.fromkeys(papers)
        return len(self.found) - before

    def _note(
        self,
        action: Action,
        words: str,
        came: str,
        seconds: float,
        *,
        cost_usd: float | None = 0.0,
        details: tuple[str, ...] = (),
    ) -> None:
        step = TrailStep(action, words, came, self.reason, round(seconds, 3), cost_usd, details)
        self.reason = ""
        self.trail.append(step)
        self.tell(step)


def nearest_passages(question: Question, library: Library) -> list[Found]:
    """The passages to read without an agent: those that the question names, or the nearest of the whole library."""
    near = library.search(
        question.text, depth=question.depth, only=question.only, without=question.without, years=question.years,
        design=question.design, passages=question.passages,
    )  # fmt: skip
    return spread_over_papers(near, question.spread)[: question.gathers]


def cost_of(steps: Iterable[Step]) -> float | None:
    """What questions to models cost; None if the cost of any is unknown."""
    costs = [step.cost_usd for step in steps]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def _between(years: Years) -> str:
    return f", {years.first or ''}–{years.last or ''}" if years != ANY_YEAR else ""


def _reference_of(work: CitedWork) -> Reference:
    return Reference(work.title or "", work.authors, work.year, work.journal or "", work.doi, work.pmid)


def _both(one: Years, other: Years) -> Years:
    """The intersection of two ranges of years."""
    firsts = [year for year in (one.first, other.first) if year is not None]
    lasts = [year for year in (one.last, other.last) if year is not None]
    return Years(max(firsts, default=None), min(lasts, default=None))


class _Stopwatch:
    """Measures the total time of its `with` blocks."""

    seconds = 0.0

    def __enter__(self) -> _Stopwatch:
        self._started = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds += time.perf_counter() - self._started
