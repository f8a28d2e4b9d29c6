"""What a session remembers of reviews of many papers: which project is open, and as whom."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.store import Project, Saved, StoredPaper, scope_of, tool_of
from pages._ui.jobs import BackgroundJob
from pages._ui.review.search_state import SourceWork
from pages._ui.review.sheet import Sheet


@dataclass(slots=True)
class IntakeReport:
    """What a reviewer put into a project at one time."""

    project: str
    folder: str = ""  # where it came from; empty: the files were chosen in the browser
    files: list[str] = field(default_factory=list)  # to be read, by the SHA-256 of their bytes
    again: int = 0  # files that were there already
    references: int = 0
    lists: list[str] = field(default_factory=list)  # the files of those, as the ids of their entries begin
    references_again: int = 0
    wrong: int = 0  # entries of files of references, and such files, that could not be read
    left: dict[str, int] = field(default_factory=dict)  # files that were not taken, by why

    def leave(self, why: str) -> None:
        """Count a file that is not taken."""
        self.left[why] = self.left.get(why, 0) + 1


@dataclass(frozen=True, slots=True)
class OpenedPaper:
    """A paper that was opened from elsewhere: from the evidence table at a sentence, from screening as a whole, or from an
    answer at the sentences that it cites."""

    paper: str
    hypothesis: str = ""
    sentence: int | None = None
    cited: tuple[int, ...] = ()


@dataclass(slots=True)
class ReviewWork:
    """The project that is open in this window, and the reviewer who sits before it."""

    project: str | None = None
    reviewer: str | None = None
    restored: bool = False  # whether the address of the page was looked at
    sheets: dict[tuple[str, str, str, str], Sheet] = field(default_factory=dict)
    outcome: str = ""  # whose result is on the desk, where the project lists several
    settling: bool = False  # whether the desk shows the reviewers side by side
    intake_report: IntakeReport | None = None
    intake_job: BackgroundJob[IntakeReport] | None = None  # a folder, while its files are taken in
    # By project: processes, and the cluster's address.
    worker_options: dict[str, tuple[int, str]] = field(default_factory=dict)
    drawn: tuple[float, tuple[object, ...], bool] = (0.0, (), False)  # when the page was, what it showed, and if busy
    in_dialog: bool = False
    put_aside: frozenset[str] = frozenset()  # the troubles whose note was closed, by their keys
    removed: Saved[StoredPaper] | Saved[Project] | None = None  # the last deletion, which can be undone at once
    notice: str = ""  # what was saved, to be told by the next page
    begin_at: tuple[int, str] = (0, "")  # counts the jumps to a domain of the paper on the desk
    opened: OpenedPaper | None = None  # what was opened last on the page of evidence
    to_references: int = 0  # counts the jumps to the references without their papers
    to_judge: tuple[str, str] | None = None  # the paper and the hypothesis that a verdict is asked for next
    to_hypothesis: tuple[int, str] = (0, "")  # counts the jumps to one that was added, and which it was
    source_work: dict[str, SourceWork] = field(default_factory=dict)  # by project: what services are asked
    tab: str | None = None  # the tab of the project's page to come back to

    def enter(self, project: str, reviewer: str | None = None) -> None:
        """Open a project."""
        if project != self.project:
            self.reviewer = self.removed = self.opened = None
            self.put_aside = frozenset()
        self.project = project
        self.reviewer = reviewer or self.reviewer

    @property
    def sources(self) -> SourceWork:
        """What literature services are asked for the project that is open. What is asked goes on while another one is."""
        return self.source_work.setdefault(self.project or "", SourceWork())

    def leave(self) -> None:
        """Open none: papers are judged on their own."""
        self.project = self.reviewer = None
        self.settling = False

    def sheet(self, project: Project, paper: str) -> Sheet | None:
        """The work on a paper of the project; None until it is known who works."""
        if self.reviewer is None or self.reviewer not in project.reviewers:
            return None
        tool = tool_of(project)
        outcomes = scope_of(project, tool).outcomes
        outcome = self.outcome if self.outcome in outcomes else outcomes[0]
        new = Sheet(project.id, paper, self.reviewer, tool, outcome)
        sheet = self.sheets.setdefault((project.id, paper, self.reviewer, outcome), new)
        sheet.tool, sheet.own_tool = tool, next((own for own in project.own_tools if own.id == tool.id), None)
        sheet.study, sheet.reviewers = project.study, project.reviewers
        return sheet

    def judge(self) -> None:
        """Show the reviewer's own judgements on the desk."""
        self.settling = False

    def settle(self) -> None:
        """Show the reviewers side by side on the desk."""
        self.settling = True

    def to_outcome(self, outcome: str) -> None:
        """Put the result for this outcome on the desk."""
        self.outcome = outcome

    def jump_to(self, domain: str) -> None:
        """Put this domain on the desk, whichever was there before."""
        self.begin_at = (self.begin_at[0] + 1, domain)
