"""The state of the Review page: the open project, and the reviewer."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.store import Project, Saved, StoredPaper, scope_of, tool_of
from pages._ui.jobs import BackgroundJob
from pages._ui.review.search_state import SourceWork
from pages._ui.review.sheet import Sheet


@dataclass(slots=True)
class IntakeReport:
    """What a reviewer added to a project in one go."""

    project: str
    folder: str = ""  # the source folder; empty: files chosen in the browser
    files: list[str] = field(default_factory=list)  # files to read, by the SHA-256 of their bytes
    again: int = 0  # files that were in the project already
    references: int = 0
    lists: list[str] = field(default_factory=list)  # the files of references, by the start of their entries' ids
    references_again: int = 0
    wrong: int = 0  # unreadable entries and files of references
    left: dict[str, int] = field(default_factory=dict)  # reasons -> number of files that were not taken

    def leave(self, why: str) -> None:
        """Count a file that is not taken."""
        self.left[why] = self.left.get(why, 0) + 1


@dataclass(frozen=True, slots=True)
class OpenedPaper:
    """A paper opened from another page: the evidence table (at a sentence), screening, or a cited answer."""

    paper: str
    hypothesis: str = ""
    sentence: int | None = None
    cited: tuple[int, ...] = ()


@dataclass(slots=True)
class ReviewWork:
    """The project that is open in this window, and the reviewer who works on it."""

    project: str | None = None
    reviewer: str | None = None
    restored: bool = False  # whether the page's address was read
    sheets: dict[tuple[str, str, str, str], Sheet] = field(default_factory=dict)
    outcome: str = ""  # the outcome on the desk, if the project lists several
    settling: bool = False  # whether the desk shows the reviewers side by side
    intake_report: IntakeReport | None = None
    intake_job: BackgroundJob[IntakeReport] | None = None  # the job that takes in a folder
    # By project: the number of processes, and the cluster's address.
    worker_options: dict[str, tuple[int, str]] = field(default_factory=dict)
    drawn: tuple[float, tuple[object, ...], bool] = (0.0, (), False)  # when the page was drawn, with what, and if busy
    in_dialog: bool = False
    put_aside: frozenset[str] = frozenset()  # keys of the failures whose note was hidden
    removed: Saved[StoredPaper] | Saved[Project] | None = None  # the last deletion, which can be undone
    notice: str = ""  # what was saved, to be shown by the next run
    begin_at: tuple[int, str] = (0, "")  # the number of jumps to a domain, and the last one's target
    opened: OpenedPaper | None = None  # what was opened last on the Evidence page
    to_references: int = 0  # the number of jumps to the references without papers
    to_judge: tuple[str, str] | None = None  # (paper, hypothesis) to ask a verdict for next
    to_hypothesis: tuple[int, str] = (0, "")  # the number of jumps to an added hypothesis, and the last one
    source_work: dict[str, SourceWork] = field(default_factory=dict)  # the state of searches, by project
    tab: str | None = None  # the tab to return to on the Review page
    names: dict[str, str] = field(default_factory=dict)  # by project: the reviewer chosen on pages of any project

    def enter(self, project: str, reviewer: str | None = None) -> None:
        """Open a project."""
        if project != self.project:
            self.reviewer = self.removed = self.opened = None
            self.put_aside = frozenset()
        self.project = project
        self.reviewer = reviewer or self.reviewer

    def reader_in(self, project: str) -> str:
        """Who the person said to be in a project, which need not be the open one; empty: nobody, who sees least."""
        return (self.reviewer if project == self.project else self.names.get(project)) or ""

    def reviewer_in(self, project: Project) -> str:
        """Under which name the person's changes to a project are kept."""
        wanted = self.reader_in(project.id)
        return wanted if wanted in project.reviewers else project.reviewers[0]

    def choose_reviewer(self, project: str, reviewer: str) -> None:
        """Take a reviewer's name in a project. Other projects keep theirs, the open one too."""
        self.names[project] = reviewer
        if project == self.project:
            self.reviewer = reviewer

    @property
    def sources(self) -> SourceWork:
        """The searches of the open project. Running jobs of other projects go on."""
        return self.source_work.setdefault(self.project or "", SourceWork())

    def leave(self) -> None:
        """Close the project. Papers are then judged on their own."""
        self.project = self.reviewer = None
        self.settling = False

    def sheet(self, project: Project, paper: str) -> Sheet | None:
        """The work on a paper of the project; None until the reviewer is known."""
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
        """Put this domain on the desk."""
        self.begin_at = (self.begin_at[0] + 1, domain)
