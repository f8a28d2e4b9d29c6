"""What a session remembers of risk of bias: the reviewer's choices, and the work on each paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

import streamlit as st

from core.bias import StudyContext, Tool, tool_named
from core.bias.assessment import Assessment
from core.bias.engine import DomainOutcome
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
        """Names the work in the browser."""
        return self.tool.id

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
        self.assessment = replace(self.assessment, own=own, raised=sent.raised)
        self.number = number


@dataclass(slots=True)
class BiasWork:
    """Everything on one paper, by the tools' ids."""

    by_tool: dict[str, JudgedPaper] = field(default_factory=dict)

    def with_tool(self, tool: Tool) -> JudgedPaper:
        """The work with one tool; nothing yet to begin with."""
        return self.by_tool.setdefault(tool.id, JudgedPaper(Assessment(tool)))

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
    budget: Budget | None = None  # for language models


@dataclass(slots=True)
class BiasChoices:
    """What holds for every paper of the session."""

    tool_id: str = FOR_A_PAPER
    engine: str = DEFAULT_ENGINE  # or the provider of a language model
    blind: bool = False
    study: StudyContext = field(default_factory=StudyContext)

    @property
    def provider(self) -> Provider | None:
        """Whose language model suggests; None where the engine is one of this machine."""
        return provider_of(self.engine)

    @property
    def tool(self) -> Tool:
        """The tool that is judged with."""
        return tool_named(self.tool_id)

    def use(self, tool: Tool, study: StudyContext) -> None:
        """Go on with what a file was made with, in the fields too."""
        self.tool_id, self.study = tool.id, study
        st.session_state["tool"] = tool.id
        for name, value in asdict(study).items():
            st.session_state[f"study-{name}"] = value
