"""The state of the Risk of bias page: the reviewer's choices, and the work on each paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

import streamlit as st

from core.benchmarks.bias_gold import LabelledBias
from core.bias import StudyContext, Tool, known_tools
from core.bias.assessment import Assessment
from core.bias.engine import DomainOutcome
from core.bias.own import OwnTool, as_tool
from core.bias.tools import FOR_A_PAPER
from core.engines import DEFAULT_ENGINE
from core.grounding.model import NoAnswer
from core.llm import Budget, Provider
from pages._ui.model_choice import provider_of
from pages._ui.paper_view.bias import SentJudgements, SuggestionFailure
from pages._ui.review.sheet import Sheet


@dataclass(slots=True)
class JudgedPaper:
    """A reviewer's assessment of one paper with one tool; `number` counts the browser's stored changes."""

    assessment: Assessment
    number: int = 0
    failures: dict[str, SuggestionFailure] = field(default_factory=dict)  # by domain; why none is newer

    @property
    def tool(self) -> Tool:
        """The tool of the assessment."""
        return self.assessment.tool

    @property
    def key(self) -> str:
        """Identifies this work in the browser, and among the work on its paper."""
        return work_key(self.tool, self.assessment.outcome)

    def follow(self, tool: Tool) -> None:
        """Switch to the tool's current wording. Suggestions and failures for domains that changed are dropped."""
        before = {domain.id: domain for domain in self.tool.domains}
        same = {domain.id for domain in tool.domains if before.get(domain.id) == domain}
        suggestions = {id: one for id, one in self.assessment.suggestions.items() if id in same}
        self.assessment = replace(self.assessment, tool=tool, suggestions=suggestions)
        self.failures = {id: one for id, one in self.failures.items() if id in same}

    def keep(self, outcome: DomainOutcome, engine: str) -> None:
        """Keep the suggestion, or why there is none, from asking an engine about a domain."""
        self.failures.pop(outcome.domain.id, None)
        if outcome.suggestion is not None:
            self.assessment = self.assessment.with_suggestion(outcome.suggestion)
        elif isinstance(outcome.error, NoAnswer):
            self.failures[outcome.domain.id] = SuggestionFailure(engine, str(outcome.error), outcome.error.run)

    def take(self, sent: SentJudgements, number: int) -> None:
        """Take over the judgements that the browser has changed."""
        own = {id: one for id, one in sent.own.items() if one.begun}
        self.assessment = replace(self.assessment, own=own)
        self.number = number


def work_key(tool: Tool, outcome: str = "") -> str:
    """The key of the work with a tool, on a study or on its result for an outcome."""
    return f"{tool.id}:{outcome}" if outcome else tool.id


@dataclass(slots=True)
class BiasWork:
    """All work on one paper, by `work_key`."""

    by_tool: dict[str, JudgedPaper] = field(default_factory=dict)
    labelled: tuple[LabelledBias, ...] = ()  # gold from files
    show_gold: bool = False
    gold_note: str = ""  # what could not be used of the last file with gold

    def with_tool(self, tool: Tool, outcome: str = "") -> JudgedPaper:
        """The work with one tool, for this outcome if the tool judges results. It is created empty if needed."""
        outcome = outcome if tool.judges_results else ""
        new = JudgedPaper(Assessment(tool, outcome=outcome))
        return self.by_tool.setdefault(work_key(tool, outcome), new)

    def results(self, tool: Tool) -> tuple[Assessment, ...]:
        """All assessments with a tool, one per outcome."""
        with_it = [judged.assessment for judged in self.by_tool.values() if judged.tool.id == tool.id]
        return tuple(one for one in with_it if one.begun or one.suggestions)

    def follow(self, tool: Tool) -> None:
        """Switch to the current wording of a tool."""
        judged = self.by_tool.get(tool.id)
        if judged is not None and judged.tool != tool:
            judged.follow(tool)

    @property
    def begun(self) -> bool:
        """Whether the reviewer has work here that could be lost."""
        return any(judged.assessment.begun for judged in self.by_tool.values())

    def moved(self, places: Mapping[int, int]) -> BiasWork:
        """The same work after the paper was read differently; `places` maps old to new sentences."""
        return BiasWork(
            {id: JudgedPaper(judged.assessment.moved(places), judged.number) for id, judged in self.by_tool.items()}
        )


@dataclass(frozen=True, slots=True)
class SuggestionRequest:
    """A request for suggestions."""

    paper: str  # the id of the paper they are for
    tool: Tool
    engine: str  # full name, such as `openai:MODEL@STRATEGY`
    study: StudyContext
    sheet: Sheet | None = None  # where to store them; None: keep them in the session
    outcome: str = ""  # the outcome they are for, if the session keeps them
    budget: Budget | None = None  # for language models


@dataclass(frozen=True, slots=True)
class CutRequest:
    """A request to a language model to cut a passage into the fields of a definition."""

    passage: str
    engine: str
    own: str  # the definition's id
    project: str  # where the definition is kept
    reviewer: str
    private: bool
    budget: Budget | None = None


@dataclass(slots=True)
class BiasChoices:
    """Choices that hold for every paper of the session."""

    tool_id: str = FOR_A_PAPER
    engine: str = DEFAULT_ENGINE  # an engine or the provider of a language model
    blind: bool = False
    study: StudyContext = field(default_factory=StudyContext)
    outcomes: tuple[str, ...] = ()  # those named so far, for tools that judge results
    outcome: str = ""  # the one on the desk; "": none was named
    own_tools: tuple[OwnTool, ...] = ()  # as stored
    defining: bool = False  # whether the definition is open for editing
    pasted: str = ""  # a passage to cut into fields
    told: str = ""  # what came of cutting it
    without_row: str = ""  # what the file for robvis leaves out, as last drawn

    @property
    def provider(self) -> Provider | None:
        """The provider whose model suggests; None if the engine runs on this machine."""
        return provider_of(self.engine)

    @property
    def tool(self) -> Tool:
        """The chosen tool, or the default if it was removed in another window."""
        return self.tools.get(self.tool_id) or known_tools()[FOR_A_PAPER]

    @property
    def tools(self) -> dict[str, Tool]:
        """Every tool available for papers outside projects."""
        return known_tools() | {own.id: as_tool(own) for own in self.own_tools}

    def use(self, tool: Tool, study: StudyContext) -> None:
        """Use the tool and the review question of a file, and fill the question into the fields."""
        self.tool_id, self.study = tool.id, study
        for name, value in asdict(study).items():
            st.session_state[f"study-{name}"] = value
