"""A search as it is asked for, and as it ends without an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.evidence import EvidenceQuery, ModelRun
from core.evidence.sensitivity import Rewording
from core.llm import Budget


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
