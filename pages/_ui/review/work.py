"""What a session remembers of reviews of many papers: which project is open, and as whom."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.bias import tool_named
from core.store import Project, Saved, StoredPaper
from pages._ui.review.sheet import Sheet


@dataclass(slots=True)
class Adding:
    """Files on their way into a project."""

    project: str
    waiting: list[tuple[str, bytes]]  # name and content
    total: int
    added: int = 0
    again: int = 0  # were in the project already
    refused: list[str] = field(default_factory=list)  # why files could not be read; each sentence names its file


@dataclass(slots=True)
class ReviewWork:
    """The project that is open in this window, and the reviewer who sits before it."""

    project: str | None = None
    reviewer: str | None = None
    restored: bool = False  # whether the address of the page was looked at
    sheets: dict[tuple[str, str, str], Sheet] = field(default_factory=dict)
    settling: bool = False  # whether the desk shows the reviewers side by side
    adding: Adding | None = None
    removed: Saved[StoredPaper] | Saved[Project] | None = None  # the last deletion, which can be undone at once
    begin_at: tuple[int, str] = (0, "")  # counts the jumps to a domain of the paper on the desk
    from_table: str | None = None  # the paper that was opened from the evidence table last
    tab: str | None = None  # the tab of the project's page to come back to

    def enter(self, project: str, reviewer: str | None = None) -> None:
        """Open a project."""
        if project != self.project:
            self.reviewer = self.removed = None
        self.project = project
        self.reviewer = reviewer or self.reviewer

    def leave(self) -> None:
        """Open none: papers are judged on their own."""
        self.project = self.reviewer = None
        self.settling = False

    def sheet(self, project: Project, paper: str) -> Sheet | None:
        """The work on a paper of the project; None until it is known who works."""
        if self.reviewer is None or self.reviewer not in project.reviewers:
            return None
        key = (project.id, paper, self.reviewer)
        new = Sheet(project.id, paper, self.reviewer, tool_named(project.tool))
        sheet = self.sheets.setdefault(key, new)
        sheet.study, sheet.reviewers = project.study, project.reviewers
        return sheet

    def judge(self) -> None:
        """Show the reviewer's own judgements on the desk."""
        self.settling = False

    def settle(self) -> None:
        """Show the reviewers side by side on the desk."""
        self.settling = True

    def jump_to(self, domain: str) -> None:
        """Put this domain on the desk, whichever was there before."""
        self.begin_at = (self.begin_at[0] + 1, domain)
