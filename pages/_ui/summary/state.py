"""The state of the Plain summary page: the reviewer's choices, and the versions of each paper's summary."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from uuid import uuid4

from core.benchmarks.farebio import GoldSummary
from core.engines import DEFAULT_ENGINE
from core.llm import Budget, Provider
from core.summary import FaithfulnessReport, Label, SummarySource
from core.summary.model import Measures
from core.summary.writing import ReadingLevel
from pages._ui.model_choice import provider_of

SOURCES = {SummarySource.WHOLE: "the whole paper", SummarySource.FRONT: "title, abstract and first section"}


@dataclass(slots=True)
class CheckedSummary:
    """One checked version of a paper's summary, with the reviewer's own labels by sentence.

    `number` counts the browser's stored changes.
    """

    report: FaithfulnessReport
    measures: Measures
    own: dict[int, Label] = field(default_factory=dict)
    number: int = 0
    made: str = ""  # how it was made, such as "written by MODEL"; "": typed or pasted
    level: ReadingLevel = ReadingLevel.PLAIN  # for whom it is repaired
    id: str = field(default_factory=lambda: uuid4().hex)

    @property
    def text(self) -> str:
        """The text of the summary."""
        return self.report.summary

    @property
    def reviewed(self) -> FaithfulnessReport:
        """The report with the reviewer's labels in place of the engine's."""
        standing = zip(self.report.sentences, self.report.standing(self.own), strict=True)
        return replace(self.report, sentences=tuple(replace(one, label=label) for one, label in standing))


@dataclass(slots=True)
class SummaryWork:
    """All work on the summaries of one paper."""

    draft: str = ""  # the text in the field
    versions: list[CheckedSummary] = field(default_factory=list)  # oldest first
    current: str | None = None  # the id of the version on the desk
    golds: tuple[GoldSummary, ...] = ()  # summaries of the paper that people have labelled
    answers: int = 0  # how many checks have finished

    @property
    def version(self) -> CheckedSummary | None:
        """The version on the desk."""
        return next((version for version in self.versions if version.id == self.current), None)

    def add(self, version: CheckedSummary) -> None:
        """Put a new version on the desk. It replaces a version of the same text, engine and source."""
        for place, old in enumerate(self.versions):
            if _question(old) == _question(version):
                version.own = {i: own for i, own in old.own.items() if i < len(version.report.sentences)}
                self.versions[place] = version
                break
        else:
            self.versions.append(version)
        self.current = version.id
        self.answers += 1


def _question(version: CheckedSummary) -> tuple[object, ...]:
    report = version.report
    return report.summary, report.engine, report.source


class SummaryTask(StrEnum):
    """What to do with a summary."""

    CHECK = "check"  # the summary as it stands
    WRITE = "write"  # a new summary, which is checked at once
    REPAIR = "repair"  # the wrong sentences of a version


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """A request to check, write or repair a summary."""

    paper: str  # the paper's id
    task: SummaryTask
    source: SummarySource
    checker: str  # the engine that checks
    summary: str = ""  # to check
    version: CheckedSummary | None = None  # to repair
    writer: str | None = None  # the language model that writes or repairs
    level: ReadingLevel = ReadingLevel.PLAIN
    budget: Budget | None = None  # for language models


@dataclass(slots=True)
class SummaryChoices:
    """Choices that hold for every paper of the session."""

    engine: str = DEFAULT_ENGINE  # an engine or the provider of a language model
    source: SummarySource = SummarySource.WHOLE
    level: ReadingLevel = ReadingLevel.PLAIN

    @property
    def provider(self) -> Provider | None:
        """The provider whose model is asked; None if the engine runs on this machine."""
        return provider_of(self.engine)
