"""What a window remembers of a project's searches."""

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
)  # parts
FIRST = ("europepmc", "pubmed", "clinicaltrials")  # chosen to begin with


@dataclass(slots=True)
class SourceWork:
    """What is asked, of whom, and what came of it."""

    asked: str = ""
    services: list[str] = field(default_factory=lambda: list(FIRST))
    own: dict[str, str] = field(default_factory=dict)  # by service: the query in words of its own
    search: StoredSearch | None = None  # the one whose counts are in view
    counted: tuple[Counted, ...] = ()
    new: NewRecords | None = None  # what a search that was run again has brought
    snowball: Snowball | None = None  # what following citations has found
    part: str = ""  # of the tab, where the last thing was asked for: what comes of it is told there
    said: str = ""  # what was done last
    problem: str = ""  # why the last thing asked for was not done; it stays until the next is asked for
    job: BackgroundJob[Any] | None = None
    job_part: str = ""  # where it was asked for
    keep: Callable[[Any], None] | None = None  # takes the job's result

    def tell(self, part: str, said: str = "", problem: str = "") -> None:
        """What was done in a part of the tab, or why not."""
        self.part, self.said, self.problem = part, said, problem

    def forget_counts(self) -> None:
        """What was counted is of another search."""
        self.search, self.counted, self.new = None, (), None
