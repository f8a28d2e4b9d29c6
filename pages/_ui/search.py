"""A search as it is asked for, while it runs, and as it ends without an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.evidence import Evidence, EvidenceQuery, ModelRun
from core.evidence.sensitivity import Change, Rewording
from core.llm import Budget
from pages._ui.underway import PaperWork, Underway

Found = Evidence | tuple[Change, ...]  # what other wordings changed


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


Searches = PaperWork[Search, Underway[Search, Found]]
