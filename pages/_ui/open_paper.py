"""A paper on the desk: what was asked of it, what came back, and what the reviewer decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import uuid4

import streamlit as st

from core.benchmarks.gold import Gold
from core.evidence import Evidence, EvidenceQuery, ModelRun
from core.evidence.model import Decision
from core.evidence.results_first import is_about_an_effect
from core.evidence.sensitivity import Rewording, WordingEffect
from core.llm import Budget
from core.paper import Format, Paper
from core.store.private import PageState, Work
from pages._ui.bias.state import BiasWork
from pages._ui.compare.state import CompareWork
from pages._ui.paper_view.payload import BrowserRequest
from pages._ui.summary.state import SummaryWork

# ---- search ----

Found = Evidence | tuple[WordingEffect, ...]  # what other wordings changed


@dataclass(frozen=True, slots=True)
class Search:
    """A search that was asked for and has not come back yet."""

    paper: str  # the id of the paper it is for
    engine: str
    query: EvidenceQuery
    budget: Budget | None = None  # for language models
    wordings: Mapping[Rewording, str] | None = None  # search for these, and compare; None: for the hypothesis


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A search that came to no answer, and what a language model said until then."""

    search: Search
    run: ModelRun


# ---- open paper ----


@dataclass(slots=True)
class Decided:
    """A reviewer's decisions on one question, by sentence index; `number` counts the browser's changes stored."""

    decisions: dict[int, Decision] = field(default_factory=dict)
    number: int = 0


@dataclass(frozen=True, slots=True)
class Home:
    """Where what is done on a paper is kept: in this project, as this reviewer."""

    project: str
    reviewer: str
    own: bool = False  # whether the project is the person's own, of papers outside projects


@dataclass(slots=True)
class SavedState:
    """What is in the store of a paper, as this window has seen it last (see autosave.py)."""

    home: Home
    work: dict[tuple[str, ...], Work] = field(default_factory=dict)
    desk: PageState = field(default_factory=PageState)
    stamp: tuple[int, int] = (0, 0)  # of the project's changes


@dataclass(slots=True)
class OpenPaper:
    """A paper on the desk: what was asked of it, what came back, and what the reviewer decided."""

    paper: Paper
    data: bytes | None = None  # the file itself, where it is a PDF: its pages are drawn from it
    original: bytes | None = None  # the file itself, where it may be read again, with text that was set aside
    without: Paper | None = None  # where text that was set aside or left out is read too: the paper without it
    file: bytes | None = None  # as it was opened, until it is kept
    home: Home | None = None  # the project that it was opened from; None: it is the person's own
    kept: SavedState | None = None  # None: nothing yet
    not_kept: str = ""  # why what was done last is not in the store
    hypothesis: str = ""
    results_first: bool | None = None  # what the reviewer said; None: as the hypothesis asks
    golds: dict[str, Gold] = field(default_factory=dict)  # hypothesis -> its gold, where it is known
    show_gold: bool = False
    record: int | None = None  # its place in the session's collection, if it comes from there
    evidence: Evidence | None = None
    search: Search | None = None  # the search that brought the evidence
    unanswered: Unanswered | None = None  # the last search, where it came to no answer
    changes: tuple[WordingEffect, ...] = ()  # what other wordings of the question changed
    answers: int = 0  # how many searches have come back
    newest: str = "evidence"  # what the last one brought, by the name of its tab
    begin_at: tuple[int, int] = (0, 0)  # counts the jumps to a sentence, and the last one's
    decided_on: dict[str, Decided] = field(default_factory=dict)  # by question
    bias: BiasWork = field(default_factory=BiasWork)
    summary: SummaryWork = field(default_factory=SummaryWork)
    compared: CompareWork = field(default_factory=CompareWork)
    no_highlights: str | None = None  # why its PDF cannot be highlighted, once that was tried
    sent: bool = False  # whether the browser has been given the paper
    asked: BrowserRequest | None = None  # what the browser lacks, until it has been sent
    answered: int = 0  # the number of the browser's last question that was answered
    opening: str = field(default_factory=lambda: uuid4().hex)  # a paper that is closed and opened again starts afresh

    def ask(self, hypothesis: str) -> None:
        """Fill in the hypothesis, in its field too."""
        self.hypothesis = hypothesis
        st.session_state[self.field] = hypothesis

    def asks_for_results_first(self, hypothesis: str) -> bool:
        """Whether results stand first in the answer: as the reviewer said, or else where an effect is asked for."""
        return is_about_an_effect(hypothesis) if self.results_first is None else self.results_first

    def say_results_first(self, said: bool, hypothesis: str) -> None:
        """Keep the reviewer's word; one that says what the hypothesis asks anyway leaves it to the hypothesis."""
        self.results_first = None if said == is_about_an_effect(hypothesis) else said

    @property
    def field(self) -> str:
        """The key of the field that the hypothesis is typed into."""
        return f"hypothesis-{self.paper.id}"

    @property
    def title(self) -> str:
        """The paper's title, or its file's name where it has none."""
        return self.paper.title or self.paper.name

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
    def all_stored(self) -> bool:
        """Whether nothing would be lost with the window."""
        return self.kept is not None and not self.not_kept

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


def opened_as(paper: Paper, data: bytes | None) -> OpenPaper:
    """A paper as it is opened, with as much of its file as will be needed."""
    return OpenPaper(
        paper,
        data if paper.format is Format.PDF else None,
        original=data if may_be_read_otherwise(paper) else None,
        file=data,
    )


def may_be_read_otherwise(paper: Paper) -> bool:
    """Whether texts of it were set aside, or left out, that the reviewer may want back."""
    return bool(paper.set_aside) or any(item.kind.may_be_read for item in paper.left_out)


def same_sentences(paper: Paper, other: Paper) -> dict[int, int]:
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


def one_line(text: str) -> str:
    """`text` with its white space squeezed: two hypotheses that differ in nothing else are the same question."""
    return " ".join(text.split())
