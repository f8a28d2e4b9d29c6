"""The state of a project's searches in one window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from core.review.citations import Snowball
from core.review.searches import NewRecords
from core.sources.model import Counted
from core.store import StoredSearch
from pages._ui.jobs import BackgroundJob

SEARCHING, TEXTS, CITATIONS, NOTICES, REGISTRATIONS = (
    "search",
    "texts",
    "citations",
    "notices",
    "registrations",
)  # parts of the tab
FIRST = ("europepmc", "pubmed", "clinicaltrials")  # chosen at first


@dataclass(slots=True)
class SourceWork:
    """The search form, its results, and the running job."""

    asked: str = ""
    services: list[str] = field(default_factory=lambda: list(FIRST))
    own: dict[str, str] = field(default_factory=dict)  # a different query for some services, by service
    search: StoredSearch | None = None  # the search whose counts are shown
    counted: tuple[Counted, ...] = ()
    new: NewRecords | None = None  # what repeating a search has found
    snowball: Snowball | None = None  # what following citations has found
    part: str = ""  # the part of the tab that shows `said` or `problem`
    said: str = ""  # what the last action did
    problem: str = ""  # why the last action failed, until the next one
    job: BackgroundJob[Any] | None = None
    job_part: str = ""  # the part of the tab that started the job
    keep: Callable[[Any], None] | None = None  # takes the job's result

    def tell(self, part: str, said: str = "", problem: str = "") -> None:
        """Set the message of a part of the tab: what was done, or why not."""
        self.part, self.said, self.problem = part, said, problem

    def forget_counts(self) -> None:
        """Forget counts that belong to another search."""
        self.search, self.counted, self.new = None, (), None
