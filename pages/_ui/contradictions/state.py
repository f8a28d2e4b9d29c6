"""The state of the Contradictions page: requests and choices."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.engines import DEFAULT_ENGINE
from core.llm import Budget, Provider
from core.paper import Paper
from pages._ui.jobs import JobSlot
from pages._ui.model_choice import provider_of

SHIPPED_THRESHOLD = 8  # the value of `core.claims.THRESHOLD`, without loading the library


@dataclass(frozen=True, slots=True)
class HoldRequest:
    """A request to compare the claims of these papers of a project with the other papers."""

    project: str
    papers: tuple[str, ...]  # ids
    engine: str
    who: str
    budget: Budget | None = None
    services: tuple[str, ...] = ()  # literature services that may be asked, agreed to for this request


@dataclass(slots=True)
class ContradictionChoices:
    """The reviewer's choices on the page, and its job."""

    project: str | None = None
    paper: str | None = None
    engine: str = DEFAULT_ENGINE  # an engine or the provider of a language model
    services: list[str] = field(default_factory=list)  # agreed to for the next request only
    threshold: int = SHIPPED_THRESHOLD
    places: tuple[int, int] = (0, 10)  # of the claims to show
    claim: str | None = None
    read: Paper | None = None  # the chosen paper, so that it is not read again at every click
    whole: bool = False  # whether the whole paper is shown, or only paragraphs with claims
    holdings: JobSlot[HoldRequest, int] = field(default_factory=JobSlot)

    @property
    def provider(self) -> Provider | None:
        """The provider whose model is asked; None if the engine runs on this machine."""
        return provider_of(self.engine)
