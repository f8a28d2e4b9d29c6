"""What a session remembers of plain summaries: the reviewer's choices, and the versions of each paper's summary."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import uuid4

from core.benchmarks.farebio import GoldSummary
from core.summary import FaithfulnessReport, OwnLabel, SummarySource
from core.summary.engines import DEFAULT_ENGINE
from core.summary.model import Measures
from pages._ui.running import Running

SOURCES = {SummarySource.WHOLE: "the whole paper", SummarySource.FRONT: "title, abstract and first section"}


@dataclass(slots=True)
class Version:
    """One summary of a paper as it was checked, and the reviewer's own labels by sentence.

    `number` counts the browser's changes stored.
    """

    report: FaithfulnessReport
    measures: Measures
    own: dict[int, OwnLabel] = field(default_factory=dict)
    number: int = 0
    id: str = field(default_factory=lambda: uuid4().hex)

    @property
    def text(self) -> str:
        """The summary."""
        return self.report.summary


@dataclass(slots=True)
class SummaryWork:
    """Everything on one paper."""

    draft: str = ""  # what stands in the field
    versions: list[Version] = field(default_factory=list)  # oldest first
    current: str | None = None  # the id of the version on the desk
    golds: tuple[GoldSummary, ...] = ()  # its summaries that people have labelled
    answers: int = 0  # how many checks have come back

    @property
    def version(self) -> Version | None:
        """The version on the desk."""
        return next((version for version in self.versions if version.id == self.current), None)

    def add(self, version: Version) -> None:
        """Put a new version on the desk. The same text checked again by the same engine takes the old one's place."""
        for place, old in enumerate(self.versions):
            if _question(old) == _question(version):
                version.own = {i: own for i, own in old.own.items() if i < len(version.report.sentences)}
                self.versions[place] = version
                break
        else:
            self.versions.append(version)
        self.current = version.id
        self.answers += 1

    @property
    def begun(self) -> bool:
        """Whether there is anything of the reviewer's to lose."""
        return bool(self.draft.strip() or self.versions)


def _question(version: Version) -> tuple[object, ...]:
    report = version.report
    return report.summary, report.engine, report.source


@dataclass(frozen=True, slots=True)
class Wanted:
    """A check that was asked for."""

    paper: str  # the id of the paper it is for
    summary: str
    engine: str
    source: SummarySource


@dataclass(slots=True)
class SummaryChoices:
    """What holds for every paper of the session."""

    engine: str = DEFAULT_ENGINE
    source: SummarySource = SummarySource.WHOLE
    wanted: Wanted | None = None
    underway: tuple[Wanted, Running[Version]] | None = None  # runs, or has ended and is not taken yet

    def begin(self, wanted: Wanted) -> None:
        """Ask for a check, in the place of one that runs."""
        self.stop()
        self.wanted = wanted

    def stop(self) -> None:
        """Want no check any more: one that runs ends at its next report, and its result is dropped."""
        self.wanted = None
        if self.underway is not None:
            self.underway[1].stop()
