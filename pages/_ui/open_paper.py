"""A paper on the desk: the questions, the answers, and the reviewer's decisions."""

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
from pages._ui.paper_view.payload import BrowserRequest
from pages._ui.parts import P, Parts
from pages._ui.summary.state import SummaryWork

# ---- search ----

Found = Evidence | tuple[WordingEffect, ...]  # the latter: the effects of other wordings


@dataclass(frozen=True, slots=True)
class Search:
    """A request for a search."""

    paper: str  # the id of the paper to search
    engine: str
    query: EvidenceQuery
    budget: Budget | None = None  # for language models
    wordings: Mapping[Rewording, str] | None = None  # search for these, and compare; None: the hypothesis


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A search without an answer, and what the language model said."""

    search: Search
    run: ModelRun


# ---- open paper ----


@dataclass(slots=True)
class Decided:
    """A reviewer's decisions on one question, by sentence index; `number` counts the browser's stored changes."""

    decisions: dict[int, Decision] = field(default_factory=dict)
    number: int = 0


@dataclass(frozen=True, slots=True)
class Home:
    """Where the work on a paper is stored: in this project, as this reviewer."""

    project: str
    reviewer: str
    own: bool = False  # whether it is the person's own project, for papers outside projects


@dataclass(slots=True)
class SavedState:
    """The stored state of a paper, as this window last saw it (see autosave.py)."""

    home: Home
    work: dict[tuple[str, ...], Work] = field(default_factory=dict)
    desk: PageState = field(default_factory=PageState)
    stamp: tuple[int, int] = (0, 0)  # the project's `changes_made`


@dataclass(slots=True)
class OpenPaper:
    """A paper on the desk: the questions, the answers, and the reviewer's decisions."""

    paper: Paper
    data: bytes | None = None  # the file, if it is a PDF: its pages are drawn from it
    original: bytes | None = None  # the file, if text was set aside and it may be read again
    without: Paper | None = None  # if such text is read too: the paper without it
    file: bytes | None = None  # the file as opened, until it is stored
    home: Home | None = None  # the project it was opened from; None: the person's own
    kept: SavedState | None = None  # None: nothing is stored yet
    not_kept: str = ""  # why the last work could not be stored
    hypothesis: str = ""
    results_first: bool | None = None  # the reviewer's choice; None: as the hypothesis asks
    golds: dict[str, Gold] = field(default_factory=dict)  # hypothesis -> known gold
    show_gold: bool = False
    record: int | None = None  # its place in the session's collection, if it is from there
    evidence: Evidence | None = None
    search: Search | None = None  # the search that brought the evidence
    unanswered: Unanswered | None = None  # the last search, if it had no answer
    changes: tuple[WordingEffect, ...] = ()  # the effects of other wordings of the question
    answers: int = 0  # how many searches have finished
    newest: str = "evidence"  # the tab of the latest result
    begin_at: tuple[int, int] = (0, 0)  # the number of jumps to a sentence, and the last one's target
    decided_on: dict[str, Decided] = field(default_factory=dict)  # by question
    bias: BiasWork = field(default_factory=BiasWork)
    summary: SummaryWork = field(default_factory=SummaryWork)
    parts: Parts = field(default_factory=Parts)  # what single pages keep with the paper
    no_highlights: str | None = None  # why its PDF cannot be highlighted, after an attempt
    sent: bool = False  # whether the browser has the paper
    asked: BrowserRequest | None = None  # what the browser lacks, until it is sent
    answered: int = 0  # the number of the browser's last answered question
    opening: str = field(default_factory=lambda: uuid4().hex)  # a reopened paper starts afresh

    def part(self, kind: type[P]) -> P:
        """What a page keeps with this paper, of the page's own class; it is gone if the paper is read anew.

        If the class has a property `done`, words such as "counted its words", the paper has work that would be lost with it.
        """
        return self.parts.of(kind)

    def ask(self, hypothesis: str) -> None:
        """Set the hypothesis, in its field too."""
        self.hypothesis = hypothesis
        st.session_state[self.field] = hypothesis

    def asks_for_results_first(self, hypothesis: str) -> bool:
        """Whether results stand first: as the reviewer chose, or else if the hypothesis is about an effect."""
        return is_about_an_effect(hypothesis) if self.results_first is None else self.results_first

    def say_results_first(self, said: bool, hypothesis: str) -> None:
        """Keep the reviewer's choice. If it equals what the hypothesis asks for, follow the hypothesis again."""
        self.results_first = None if said == is_about_an_effect(hypothesis) else said

    @property
    def field(self) -> str:
        """The key of the hypothesis field."""
        return f"hypothesis-{self.paper.id}"

    @property
    def title(self) -> str:
        """The paper's title, or its file name if it has none."""
        return self.paper.title or self.paper.name

    @property
    def question(self) -> str:
        """The hypothesis that the desk is about: the one searched for, or else the one typed."""
        asked = self.evidence.query.hypothesis if self.evidence else self.hypothesis
        return one_line(asked)

    @property
    def decided(self) -> Decided:
        """The decisions on the current question. They belong to the paper and hypothesis, not to an engine or k."""
        return self.decided_on.setdefault(self.question, Decided())

    @property
    def question_id(self) -> str:
        """Identifies the current question in the browser."""
        return f"{self.opening}:{self.question}"

    @property
    def all_stored(self) -> bool:
        """Whether closing the window would lose nothing."""
        return self.kept is not None and not self.not_kept

    @property
    def has_work(self) -> bool:
        """Whether closing the paper would lose something that the reviewer typed, searched for or decided."""
        typed = bool(self.hypothesis.strip()) and one_line(self.hypothesis) not in self.golds
        return typed or self.evidence is not None or self.decision_count > 0 or bool(self.done_elsewhere)

    @property
    def done_elsewhere(self) -> list[str]:
        """What was done on other pages than *Evidence*, in words."""
        return [
            *["judged risk of bias"] * self.bias.begun,
            *["checked a summary"] * bool(self.summary.versions),
            *["drafted a summary"] * bool(self.summary.draft.strip() and not self.summary.versions),
            *[done for part in self.parts if (done := getattr(part, "done", ""))],
        ]

    @property
    def decision_count(self) -> int:
        """The number of decisions, on all questions."""
        return sum(len(decided.decisions) for decided in self.decided_on.values())

    @property
    def run(self) -> ModelRun | None:
        """The language model's run for the last answer, or for the lack of one."""
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
        """The gold of the current question, if known."""
        return self.golds.get(self.question)


def opened_as(paper: Paper, data: bytes | None) -> OpenPaper:
    """A newly opened paper, with as much of its file as is needed later."""
    return OpenPaper(
        paper,
        data if paper.format is Format.PDF else None,
        original=data if may_be_read_otherwise(paper) else None,
        file=data,
    )


def may_be_read_otherwise(paper: Paper) -> bool:
    """Whether text was set aside or left out that the reviewer may restore."""
    return bool(paper.set_aside) or any(item.kind.may_be_read for item in paper.left_out)


def same_sentences(paper: Paper, other: Paper) -> dict[int, int]:
    """Map the sentences of `paper` to those of `other`: the n-th with the same words to the n-th."""
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
    """`text` with white space collapsed. Hypotheses that differ only in white space are the same question."""
    return " ".join(text.split())
