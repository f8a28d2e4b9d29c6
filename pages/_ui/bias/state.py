"""What a session remembers of risk of bias: the reviewer's choices, and the work on each paper."""

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
    """A reviewer's assessment of one paper with one tool; `number` counts the browser's changes stored."""

    assessment: Assessment
    number: int = 0
    failures: dict[str, SuggestionFailure] = field(default_factory=dict)  # by domain: why there is no newer suggestion

    @property
    def tool(self) -> Tool:
        """The tool that is judged with."""
        return self.assessment.tool

    @property
    def key(self) -> str:
        """Names the work in the browser, and among the work on its paper."""
        return work_key(self.tool, self.assessment.outcome)

    def follow(self, tool: Tool) -> None:
        """Go on with the tool as it reads now: what was suggested for other words of a domain is dropped."""
        before = {domain.id: domain for domain in self.tool.domains}
        same = {domain.id for domain in tool.domains if before.get(domain.id) == domain}
        suggestions = {id: one for id, one in self.assessment.suggestions.items() if id in same}
        self.assessment = replace(self.assessment, tool=tool, suggestions=suggestions)
        self.failures = {id: one for id, one in self.failures.items() if id in same}

    def keep(self, outcome: DomainOutcome, engine: str) -> None:
        """Keep what came of asking an engine about a domain."""
        self.failures.pop(outcome.domain.id, None)
        if outcome.suggestion is not None:
            self.assessment = self.assessment.with_suggestion(outcome.suggestion)
        elif isinstance(outcome.error, NoAnswer):
            self.failures[outcome.domain.id] = SuggestionFailure(engine, str(outcome.error), outcome.error.run)

    def take(self, sent: SentJudgements, number: int) -> None:
        """Keep what the browser has changed."""
        own = {id: one for id, one in sent.own.items() if one.begun}
        self.assessment = replace(self.assessment, own=own)
        self.number = number


def work_key(tool: Tool, outcome: str = "") -> str:
    """Names the work with a tool, on a study or on its result for an outcome."""
    return f"{tool.id}:{outcome}" if outcome else tool.id


@dataclass(slots=True)
class BiasWork:
    """Everything on one paper, by `work_key`."""

    by_tool: dict[str, JudgedPaper] = field(default_factory=dict)
    labelled: tuple[LabelledBias, ...] = ()  # gold, where files tell it
    show_gold: bool = False
    gold_note: str = ""  # what of the last file with gold could not be used

    def with_tool(self, tool: Tool, outcome: str = "") -> JudgedPaper:
        """The work with one tool, for this outcome where it judges results; nothing yet to begin with."""
        outcome = outcome if tool.judges_results else ""
        new = JudgedPaper(Assessment(tool, outcome=outcome))
        return self.by_tool.setdefault(work_key(tool, outcome), new)

    def results(self, tool: Tool) -> tuple[Assessment, ...]:
        """All that was judged with a tool, one an outcome."""
        with_it = [judged.assessment for judged in self.by_tool.values() if judged.tool.id == tool.id]
        return tuple(one for one in with_it if one.begun or one.suggestions)

    def follow(self, tool: Tool) -> None:
        """Go on with a tool whose words were changed."""
        judged = self.by_tool.get(tool.id)
        if judged is not None and judged.tool != tool:
            judged.follow(tool)

    @property
    def begun(self) -> bool:
        """Whether there is anything of the reviewer's to lose."""
        return any(judged.assessment.begun for judged in self.by_tool.values())

    def moved(self, places: Mapping[int, int]) -> BiasWork:
        """For the same paper read in another way, old sentence -> new sentence."""
        return BiasWork(
            {id: JudgedPaper(judged.assessment.moved(places), judged.number) for id, judged in self.by_tool.items()}
        )


@dataclass(frozen=True, slots=True)
class SuggestionRequest:
    """Suggestions that were asked for and have not come yet."""

    paper: str  # the id of the paper they are for
    tool: Tool
    engine: str  # in full, as `openai:MODEL@STRATEGY`
    study: StudyContext
    sheet: Sheet | None = None  # where they are stored; None: kept in the session
    outcome: str = ""  # whose result they are on, where the session keeps them
    budget: Budget | None = None  # for language models


@dataclass(frozen=True, slots=True)
class CutRequest:
    """A passage that a language model is to cut into the fields of a definition."""

    passage: str
    engine: str
    own: str  # the definition's id
    project: str  # that keeps it
    reviewer: str
    private: bool
    budget: Budget | None = None


@dataclass(slots=True)
class BiasChoices:
    """What holds for every paper of the session."""

    tool_id: str = FOR_A_PAPER
    engine: str = DEFAULT_ENGINE  # or the provider of a language model
    blind: bool = False
    study: StudyContext = field(default_factory=StudyContext)
    outcomes: tuple[str, ...] = ()  # that were named, for tools that judge results
    outcome: str = ""  # the one on the desk; "": none was named
    own_tools: tuple[OwnTool, ...] = ()  # as the store has them
    defining: bool = False  # whether the definition is open to be changed
    pasted: str = ""  # a passage to be cut into fields
    told: str = ""  # what became of it
    without_row: str = ""  # what the file for robvis leaves out, as it was last drawn

    @property
    def provider(self) -> Provider | None:
        """Whose language model suggests; None where the engine is one of this machine."""
        return provider_of(self.engine)

    @property
    def tool(self) -> Tool:
        """The tool that is judged with; another one where that was removed in another window."""
        return self.tools.get(self.tool_id) or known_tools()[FOR_A_PAPER]

    @property
    def tools(self) -> dict[str, Tool]:
        """Every tool that papers outside projects can be judged with."""
        return known_tools() | {own.id: as_tool(own) for own in self.own_tools}

    def use(self, tool: Tool, study: StudyContext) -> None:
        """Go on with what a file was made with, in the fields too."""
        self.tool_id, self.study = tool.id, study
        for name, value in asdict(study).items():
            st.session_state[f"study-{name}"] = value
