"""What is chosen on the page of contradictions."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.engines import DEFAULT_ENGINE
from core.llm import Budget, Provider
from core.paper import Paper
from pages._ui.model_choice import provider_of

SHIPPED_THRESHOLD = 8  # `core.claims.THRESHOLD`, without loading the library


@dataclass(frozen=True, slots=True)
class HoldRequest:
    """Papers of a project whose claims are to be held against the others."""

    project: str
    papers: tuple[str, ...]  # ids
    engine: str
    who: str
    budget: Budget | None = None
    services: tuple[str, ...] = ()  # literature services that may be asked, as agreed to for this once


@dataclass(slots=True)
class ContradictionChoices:
    """What the reviewer chose."""

    project: str | None = None
    paper: str | None = None
    engine: str = DEFAULT_ENGINE  # or the provider of a language model
    services: list[str] = field(default_factory=list)  # agreed to for the next time alone
    threshold: int = SHIPPED_THRESHOLD
    places: tuple[int, int] = (0, 10)  # of the claims that are shown
    claim: str | None = None
    read: Paper | None = None  # the chosen paper, which is not read again with every press
    whole: bool = False  # all of the paper stands on the left, or the paragraphs with claims

    @property
    def provider(self) -> Provider | None:
        """Whose language model is asked; None where the engine is one of this machine."""
        return provider_of(self.engine)
