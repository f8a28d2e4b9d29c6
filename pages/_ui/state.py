"""The state of a session, in one place. It survives reruns and changes of the page.

Streamlit forgets a widget's value when its page is left. So every choice is kept here, and `prime` restores widgets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, cast

import streamlit as st

from core.benchmarks.gold import Instance
from core.bias.engine import DomainOutcome
from core.bias.llm.cutting import CutResult
from core.engines import DEFAULT_ENGINE
from core.evidence import EvidenceQuery
from core.evidence.sensitivity import Rewording
from core.llm import Provider, ServedModel, Server, Speed
from core.paper import Paper
from core.store import Project
from pages._ui.bias.state import BiasChoices, CutRequest, SuggestionRequest
from pages._ui.jobs import BackgroundJob, JobSlot
from pages._ui.model_choice import FOR_EVIDENCE, Keys, ModelChoice, Tally, provider_of
from pages._ui.open_paper import Decided, Found, OpenPaper, Search, opened_as, same_sentences
from pages._ui.parts import P, Parts
from pages._ui.review.state import ReviewWork
from pages._ui.screening.state import ScreeningWork
from pages._ui.summary.state import CheckedSummary, SummaryChoices, SummaryRequest

_KEY = "vouch"
_MOST_OPEN = 8  # with more open papers, those without work are set down, oldest first


@dataclass(slots=True)
class Scan:
    """A PDF with pages that are pictures, whose text can be recognised (OCR)."""

    data: bytes
    name: str
    paper: str | None = None  # the id of the open paper with such pages; None: the file could not be opened
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Collection:
    """A benchmark file with many papers, some of which may be open."""

    name: str
    instances: tuple[Instance, ...]
    broken: int  # how many of its records are unreadable


@dataclass(slots=True)
class Session:
    """Everything that one reviewer has open."""

    papers: dict[str, OpenPaper] = field(default_factory=dict)
    current: str | None = None  # the id of the paper on the desk
    person: str | None = None  # the id of the person's own project; None: a new window
    own_project: Project | None = None  # the same project, as stored
    shelf: dict[str, str] = field(default_factory=dict)  # its papers not open in this window, id -> title
    closed: set[str] = field(default_factory=set)  # papers to be forgotten
    in_front: str | None = None  # the paper stored as the last on the desk
    collection: Collection | None = None
    engine: str = DEFAULT_ENGINE  # an engine or the provider of a language model
    k: int = 10
    tables: bool = True
    choice: ModelChoice = field(default_factory=ModelChoice)
    keys: Keys = field(default_factory=Keys, repr=False)
    servers_here: BackgroundJob[tuple[Server, ...]] | None = None  # the search for servers on this machine
    # The models of the server, with the key and address that it was asked with.
    server_models: tuple[tuple[str | None, ...], BackgroundJob[tuple[str, ...]]] | None = None
    # What a compatible server tells about a model, and its measured speed, by address, model and hash of the key.
    served: dict[tuple[str | None, str, int], BackgroundJob[ServedModel]] = field(default_factory=dict)
    speeds: dict[tuple[str | None, str, int], BackgroundJob[Speed]] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)
    bias: BiasChoices = field(default_factory=BiasChoices)
    summary: SummaryChoices = field(default_factory=SummaryChoices)
    review: ReviewWork = field(default_factory=ReviewWork)
    screening: ScreeningWork = field(default_factory=ScreeningWork)
    texts: dict[str, OpenPaper] = field(default_factory=dict)  # items being screened, by id, most recently used last
    searches: JobSlot[Search, Found] = field(default_factory=JobSlot)
    suggestions: JobSlot[SuggestionRequest, tuple[DomainOutcome, ...]] = field(default_factory=JobSlot)
    cuts: JobSlot[CutRequest, CutResult] = field(default_factory=JobSlot)
    summaries: JobSlot[SummaryRequest, CheckedSummary] = field(default_factory=JobSlot)
    parts: Parts = field(default_factory=Parts)  # what other pages keep
    scan: Scan | None = None
    problem: str | None = None  # the last error, until something else succeeds
    uploads: int = 0  # part of the uploaders' keys; a new value empties them
    page: str = ""  # the page that is drawn
    primed_on: dict[str, str] = field(default_factory=dict)  # a widget's key -> the last page that primed it

    def part(self, kind: type[P]) -> P:
        """What a page keeps, of the page's own class: the reviewer's choices and its `JobSlot`s."""
        return self.parts.of(kind)

    @property
    def open(self) -> OpenPaper | None:
        """The paper on the desk."""
        return self.papers.get(self.current) if self.current else None

    @property
    def provider(self) -> Provider | None:
        """The provider whose model is asked; None if the engine runs on this machine."""
        return provider_of(self.engine)

    @property
    def engine_name(self) -> str:
        """The engine's full name, such as `openai:MODEL@STRATEGY`; only the provider if no model is named yet."""
        name = self.choice.name(self.provider, FOR_EVIDENCE) if self.provider else None
        return str(name) if name else self.choice.full_name(self.engine)

    def put_on_desk(self, paper: Paper, data: bytes | None = None) -> OpenPaper:
        """Open a paper, or return to it with all work on it. `data` holds the bytes that it was read from."""
        opened = self.papers.setdefault(paper.id, opened_as(paper, data))
        self.return_to(paper.id)
        busy = {paper.id, *(slot.paper for slot in self.job_slots)}
        untouched = [key for key, other in self.papers.items() if key not in busy and not other.has_work]
        for key in untouched[: max(0, len(self.papers) - _MOST_OPEN)]:
            self.set_down(key)  # another window may have work on it: only a person forgets a paper
        return opened

    def exchange(self, opened: OpenPaper, paper: Paper, data: bytes | None = None) -> OpenPaper:
        """Replace an open paper outside projects by the same paper read differently. Questions and decisions move.

        A decision moves with its sentence. The evidence is dropped, because it was chosen among other sentences.
        """
        if paper.id in self.papers:  # it is open already, with its own work
            self.return_to(paper.id)
            return self.papers[paper.id]
        data = data or opened.original or opened.data
        other = opened_as(paper, data)
        other.original = data  # it may be read again, as at first
        other.ask(st.session_state.get(opened.field, opened.hypothesis))
        self._drop_work(opened.paper.id)
        places = same_sentences(opened.paper, paper)
        for question, decided in opened.decided_on.items():
            moved = {places[i]: decision for i, decision in decided.decisions.items() if i in places}
            other.decided_on[question] = Decided(moved, decided.number)
        other.bias = opened.bias.moved(places)
        other.summary.draft = opened.summary.draft  # it was checked against other sentences
        # A project's paper stays, and so do summaries with the sentences that they were checked by.
        if opened.home is None and not opened.summary.versions:
            self.closed.add(opened.paper.id)
        self.papers = {
            (paper.id if key == opened.paper.id else key): (other if key == opened.paper.id else value)
            for key, value in self.papers.items()
        }
        self.return_to(paper.id)
        return other

    def query(self, opened: OpenPaper) -> EvidenceQuery:
        """The paper's question with the current settings. Raises `QueryError`."""
        first = opened.asks_for_results_first(opened.hypothesis)
        return EvidenceQuery(opened.hypothesis, self.k, tables=self.tables, results_first=first)

    def search(self, opened: OpenPaper, query: EvidenceQuery) -> None:
        """Ask the chosen engine. The search starts with the next run of the page, in place of a running one."""
        budget = self.choice.budget if self.provider else None
        self._begin(Search(opened.paper.id, self.engine_name, query, budget))

    def search_again(self, search: Search, wordings: Mapping[Rewording, str] | None = None) -> None:
        """Repeat a search, for failed questions or for other wordings, with the current budget."""
        budget = self.choice.budget if search.budget is not None else None
        self._begin(replace(search, budget=budget, wordings=wordings))

    def _begin(self, search: Search) -> None:
        self.problem = None
        self.searches.ask(search)

    @property
    def job_slots(self) -> list[JobSlot[Any, Any]]:
        """The slots of all background jobs."""
        found = (getattr(holder, each.name) for holder in (self, *self.parts) for each in fields(holder))
        return [slot for slot in found if isinstance(slot, JobSlot)]

    def _drop_work(self, paper_id: str) -> None:
        """Stop all work on a paper that is closed."""
        for slot in self.job_slots:
            if slot.paper == paper_id:
                slot.cancel()

    def return_to(self, paper_id: str) -> None:
        """Put an open paper on the desk."""
        self.current = paper_id
        self.problem = None
        self.scan = None

    def keep_decisions(self, question_id: str, decided: Decided) -> None:
        """Keep a reviewer's decisions on a question, whether or not its paper is on the desk. Ignore closed papers."""
        opening, _, question = question_id.partition(":")
        for opened in self.papers.values():
            if opened.opening == opening:
                opened.decided_on[question] = decided

    def close(self, paper_id: str) -> None:
        """Close a paper. A paper outside projects is forgotten, with all work on it."""
        gone = self.papers.get(paper_id)
        if gone is not None and gone.home is None:
            self.closed.add(paper_id)
        self.set_down(paper_id)

    def set_down(self, paper_id: str) -> None:
        """Close a paper in this window only. What is stored of it stays."""
        self.papers.pop(paper_id, None)
        self._drop_work(paper_id)
        if self.current == paper_id:
            self.current = next(reversed(self.papers), None)


def current_session() -> Session:
    """The current session's state."""
    return cast(Session, st.session_state.setdefault(_KEY, Session()))


def prime(**widgets: Any) -> None:
    """Give widgets, by key, their remembered value if Streamlit has forgotten it, or would forget it now.

    A widget whose key another page has used is a new one to Streamlit, which would begin it with nothing. Setting what
    the key holds keeps it.
    """
    session = current_session()
    for key, value in widgets.items():
        if session.primed_on.get(key) != session.page:
            session.primed_on[key] = session.page
            st.session_state[key] = st.session_state.get(key, value)
        else:
            st.session_state.setdefault(key, value)


def widget(key: str) -> Mapping[str, Any]:
    """The state of a component, by its key."""
    return cast(Mapping[str, Any], st.session_state.get(key) or {})
