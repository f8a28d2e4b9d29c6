"""What a session remembers, in one place: it survives reruns and a switch of the page.

Streamlit forgets a widget's value when its page is left, so every choice is kept here, and widgets are primed from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast
from uuid import uuid4

import streamlit as st

from core.benchmarks.gold import Gold, Instance
from core.evidence import DEFAULT_ENGINE, Evidence, EvidenceQuery, ModelRun
from core.evidence.model import Decision
from core.evidence.sensitivity import Change, Rewording
from core.llm import Provider
from core.paper import Format, Paper
from pages._ui.benchmarks.work import BenchmarkWork
from pages._ui.bias.work import BiasChoices, BiasWork
from pages._ui.compare.work import CompareChoices, CompareWork
from pages._ui.model_choice import FOR_EVIDENCE, Keys, ModelChoice, Tally
from pages._ui.paper_view.pdf_pages import Asked
from pages._ui.review.work import ReviewWork
from pages._ui.screening.work import ScreeningWork
from pages._ui.search import Search, Searches, Unanswered
from pages._ui.summary.work import SummaryChoices, SummaryWork
from pages._ui.underway import PaperWork

_KEY = "vouch"
_MOST_OPEN = 8  # beyond these, papers that nothing was done with are closed, those opened first to begin with


@dataclass(slots=True)
class Decided:
    """A reviewer's decisions on one question, by sentence index; `number` counts the browser's changes stored."""

    decisions: dict[int, Decision] = field(default_factory=dict)
    number: int = 0


@dataclass(slots=True)
class OpenPaper:
    """A paper on the desk: what was asked of it, what came back, and what the reviewer decided."""

    paper: Paper
    data: bytes | None = None  # the file itself, where it is a PDF: its pages are drawn from it
    original: bytes | None = None  # the file itself, where some of its text was set aside: it may be read again
    without: Paper | None = None  # where set-aside text is read as ordinary text: the paper without it
    hypothesis: str = ""
    golds: dict[str, Gold] = field(default_factory=dict)  # hypothesis -> its gold, where it is known
    show_gold: bool = False
    record: int | None = None  # its place in the session's collection, if it comes from there
    evidence: Evidence | None = None
    search: Search | None = None  # the search that brought the evidence
    unanswered: Unanswered | None = None  # the last search, where it came to no answer
    changes: tuple[Change, ...] = ()  # what other wordings of the question changed
    answers: int = 0  # how many searches have come back
    newest: str = "evidence"  # what the last one brought, by the name of its tab
    begin_at: tuple[int, int] = (0, 0)  # counts the jumps to a sentence, and the last one's
    decided_on: dict[str, Decided] = field(default_factory=dict)  # by question
    bias: BiasWork = field(default_factory=BiasWork)
    summary: SummaryWork = field(default_factory=SummaryWork)
    compared: CompareWork = field(default_factory=CompareWork)
    no_highlights: str | None = None  # why its PDF cannot be highlighted, once that was tried
    sent: bool = False  # whether the browser has been given the paper
    asked: Asked | None = None  # what the browser lacks, until it has been sent
    answered: int = 0  # the number of the browser's last question that was answered
    opening: str = field(default_factory=lambda: uuid4().hex)  # a paper that is closed and opened again starts afresh

    def ask(self, hypothesis: str) -> None:
        """Fill in the hypothesis, in its field too."""
        self.hypothesis = hypothesis
        st.session_state[self.field] = hypothesis

    @property
    def field(self) -> str:
        """The key of the field that the hypothesis is typed into."""
        return f"hypothesis-{self.paper.id}"

    @property
    def question(self) -> str:
        """The hypothesis that the desk is about: the one searched for, or else the one typed."""
        asked = self.evidence.query.hypothesis if self.evidence else self.hypothesis
        return one_line(asked)

    @property
    def decided(self) -> Decided:
        """The decisions on the present question. They belong to paper and hypothesis, whatever engine or k."""
        return self.decided_on.setdefault(self.question, Decided())

    @property
    def question_id(self) -> str:
        """Names the present question in the browser."""
        return f"{self.opening}:{self.question}"

    @property
    def has_work(self) -> bool:
        """Whether closing it would lose something that a reviewer typed, searched for or decided."""
        typed = bool(self.hypothesis.strip()) and one_line(self.hypothesis) not in self.golds
        begun = self.bias.begun or self.summary.begun or bool(self.compared.by_task)
        return typed or self.evidence is not None or self.decision_count > 0 or begun

    @property
    def decision_count(self) -> int:
        """How many decisions were made on it, on all questions together."""
        return sum(len(decided.decisions) for decided in self.decided_on.values())

    @property
    def run(self) -> ModelRun | None:
        """How a language model came to the last answer, or to none."""
        if self.unanswered is not None:
            return self.unanswered.run
        return self.evidence.run if self.evidence else None

    @property
    def to_retry(self) -> Search | None:
        """The last search, if some of its questions to a language model failed."""
        last = self.unanswered.search if self.unanswered else self.search
        return last if self.run is not None and self.run.failed else None

    @property
    def gold_here(self) -> Gold | None:
        """The gold of the present question, if there is any."""
        return self.golds.get(self.question)


@dataclass(slots=True)
class Scan:
    """A PDF with pages that are pictures, whose text may be recognised by machine."""

    data: bytes
    name: str
    paper: str | None = None  # the id of the open paper that has such pages; None: the file could not be opened
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Collection:
    """A benchmark file with many papers, of which some may be open."""

    name: str
    instances: tuple[Instance, ...]
    broken: int  # how many of its records could not be read


@dataclass(slots=True)
class Session:
    """Everything one reviewer has open."""

    papers: dict[str, OpenPaper] = field(default_factory=dict)
    current: str | None = None  # the id of the paper on the desk
    collection: Collection | None = None
    engine: str = DEFAULT_ENGINE  # or the provider of a language model
    k: int = 10
    results_only: bool = False
    tables: bool = True
    choice: ModelChoice = field(default_factory=ModelChoice)
    keys: Keys = field(default_factory=Keys, repr=False)
    tally: Tally = field(default_factory=Tally)
    bias: BiasChoices = field(default_factory=BiasChoices)
    summary: SummaryChoices = field(default_factory=SummaryChoices)
    review: ReviewWork = field(default_factory=ReviewWork)
    screening: ScreeningWork = field(default_factory=ScreeningWork)
    texts: dict[str, OpenPaper] = field(default_factory=dict)  # items being screened, by id; used last at the end
    bench: BenchmarkWork = field(default_factory=BenchmarkWork)
    compare: CompareChoices = field(default_factory=CompareChoices)
    searches: Searches = field(default_factory=Searches)
    scan: Scan | None = None
    problem: str | None = None  # the last mistake, until something else succeeds
    uploads: int = 0  # gives the upload field a new key, and so empties it

    @property
    def open(self) -> OpenPaper | None:
        """The paper on the desk."""
        return self.papers.get(self.current) if self.current else None

    @property
    def provider(self) -> Provider | None:
        """Whose language model is asked; None where the engine is one of this machine."""
        return Provider(self.engine) if self.engine in set(Provider) else None

    @property
    def engine_name(self) -> str:
        """The engine in full, as `openai:MODEL@STRATEGY`; the provider alone where no model is named yet."""
        name = self.choice.name(self.provider, FOR_EVIDENCE) if self.provider else None
        return str(name) if name else self.engine

    def put_on_desk(self, paper: Paper, data: bytes | None = None) -> OpenPaper:
        """Open a paper, or return to it with everything that was done on it. `data`: the bytes it was read from."""
        opened = self.papers.setdefault(paper.id, _opened(paper, data))
        self.return_to(paper.id)
        busy = {paper.id, *(work.busy_with for work in self._works)}
        untouched = [key for key, other in self.papers.items() if key not in busy and not other.has_work]
        for key in untouched[: max(0, len(self.papers) - _MOST_OPEN)]:
            del self.papers[key]
        return opened

    def exchange(self, opened: OpenPaper, paper: Paper, data: bytes | None = None) -> OpenPaper:
        """Put the same paper, read in another way, in the place of an open one: questions and decisions move with it.

        A decision goes with its sentence. The evidence does not: it was chosen among other sentences.
        """
        if paper.id in self.papers:  # it is open already, with work of its own
            self.return_to(paper.id)
            return self.papers[paper.id]
        data = data or opened.original or opened.data
        other = _opened(paper, data)
        other.original = data  # it may be read once more, in the first way
        other.ask(st.session_state.get(opened.field, opened.hypothesis))
        self._drop_work(opened.paper.id)
        places = _places(opened.paper, paper)
        for question, decided in opened.decided_on.items():
            moved = {places[i]: decision for i, decision in decided.decisions.items() if i in places}
            other.decided_on[question] = Decided(moved, decided.number)
        other.bias = opened.bias.moved(places)
        other.summary.draft = opened.summary.draft  # it was checked against other sentences
        self.papers = {
            (paper.id if key == opened.paper.id else key): (other if key == opened.paper.id else value)
            for key, value in self.papers.items()
        }
        self.return_to(paper.id)
        return other

    def search(self, opened: OpenPaper, query: EvidenceQuery) -> None:
        """Ask the chosen engine. The search begins with the next run of the page, in the place of one that runs."""
        budget = self.choice.budget if self.provider else None
        self._begin(Search(opened.paper.id, self.engine_name, query, budget))

    def search_again(self, search: Search, wordings: Mapping[Rewording, str] | None = None) -> None:
        """The same search once more, for what failed or for other wordings, with the budget as it is set now."""
        budget = self.choice.budget if search.budget is not None else None
        self._begin(replace(search, budget=budget, wordings=wordings))

    def _begin(self, search: Search) -> None:
        self.problem = None
        self.searches.begin(search)

    @property
    def _works(self) -> tuple[PaperWork[Any, Any], ...]:
        return self.searches, self.bias, self.compare, self.summary

    def _drop_work(self, paper_id: str) -> None:
        """Stop all work on a paper that is no longer there."""
        for work in self._works:
            if work.busy_with == paper_id:
                work.stop()

    def return_to(self, paper_id: str) -> None:
        """Put an open paper on the desk."""
        self.current = paper_id
        self.problem = None
        self.scan = None

    def keep_decisions(self, question_id: str, decided: Decided) -> None:
        """Store what a reviewer decided on a question, on the desk or not; nothing if its paper has been closed."""
        opening, _, question = question_id.partition(":")
        for opened in self.papers.values():
            if opened.opening == opening:
                opened.decided_on[question] = decided

    def close(self, paper_id: str) -> None:
        """Take a paper off the desk and forget what was done on it."""
        self.papers.pop(paper_id, None)
        self._drop_work(paper_id)
        if self.current == paper_id:
            self.current = next(reversed(self.papers), None)


def _opened(paper: Paper, data: bytes | None) -> OpenPaper:
    """A paper as it is opened, with as much of its file as will be needed."""
    return OpenPaper(paper, data if paper.format is Format.PDF else None, original=data if paper.set_aside else None)


def _places(paper: Paper, other: Paper) -> dict[int, int]:
    """Which sentence of `other` each sentence of `paper` is: the same words, and as many-th with them."""
    seen: dict[str, list[int]] = {}
    for sentence in other.sentences:
        seen.setdefault(sentence.text, []).append(sentence.index)
    taken: dict[str, int] = {}
    places: dict[int, int] = {}
    for sentence in paper.sentences:
        number = taken.get(sentence.text, 0)
        taken[sentence.text] = number + 1
        if number < len(seen.get(sentence.text, ())):
            places[sentence.index] = seen[sentence.text][number]
    return places


def session() -> Session:
    """The present session's memory."""
    return cast(Session, st.session_state.setdefault(_KEY, Session()))


def one_line(text: str) -> str:
    """`text` with its white space squeezed: two hypotheses that differ in nothing else are the same question."""
    return " ".join(text.split())


def prime(**widgets: Any) -> None:
    """Give widgets, by key, their remembered value where Streamlit has forgotten it."""
    for key, value in widgets.items():
        st.session_state.setdefault(key, value)


def widget(key: str) -> Mapping[str, Any]:
    """The state of a component, by its key."""
    return cast(Mapping[str, Any], st.session_state.get(key) or {})
