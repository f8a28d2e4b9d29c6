"""What a session remembers of plain summaries: the reviewer's choices, and the versions of each paper's summary."""

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
    """One summary of a paper as it was checked, and the reviewer's own labels by sentence.

    `number` counts the browser's changes stored.
    """

    report: FaithfulnessReport
    measures: Measures
    own: dict[int, Label] = field(default_factory=dict)
    number: int = 0
    made: str = ""  # how it came to be, as in "written by MODEL"; "": it was typed or pasted
    level: ReadingLevel = ReadingLevel.PLAIN  # for whom it is, when it is repaired
    id: str = field(default_factory=lambda: uuid4().hex)

    @property
    def text(self) -> str:
        """The summary."""
        return self.report.summary

    @property
    def reviewed(self) -> FaithfulnessReport:
        """The report with the reviewer's labels in the place of the engine's."""
        standing = zip(self.report.sentences, self.report.standing(self.own), strict=True)
        return replace(self.report, sentences=tuple(replace(one, label=label) for one, label in standing))


@dataclass(slots=True)
class SummaryWork:
    """Everything on one paper."""

    draft: str = ""  # what stands in the field
    versions: list[CheckedSummary] = field(default_factory=list)  # oldest first
    current: str | None = None  # the id of the version on the desk
    golds: tuple[GoldSummary, ...] = ()  # its summaries that people have labelled
    answers: int = 0  # how many checks have come back

    @property
    def version(self) -> CheckedSummary | None:
        """The version on the desk."""
        return next((version for version in self.versions if version.id == self.current), None)

    def add(self, version: CheckedSummary) -> None:
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


def _question(version: CheckedSummary) -> tuple[object, ...]:
    report = version.report
    return report.summary, report.engine, report.source


class SummaryTask(StrEnum):
    """What is to be done."""

    CHECK = "check"  # the summary as it stands
    WRITE = "write"  # a new one, which is checked at once
    REPAIR = "repair"  # the sentences of a version that are wrong


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """Work that was asked for."""

    paper: str  # the id of the paper it is for
    task: SummaryTask
    source: SummarySource
    checker: str  # the engine that checks
    summary: str = ""  # the one to check
    version: CheckedSummary | None = None  # the one to repair
    writer: str | None = None  # the language model that writes or repairs
    level: ReadingLevel = ReadingLevel.PLAIN
    budget: Budget | None = None  # for language models


@dataclass(slots=True)
class SummaryChoices:
    """What holds for every paper of the session."""

    engine: str = DEFAULT_ENGINE  # or the provider of a language model
    source: SummarySource = SummarySource.WHOLE
    level: ReadingLevel = ReadingLevel.PLAIN

    @property
    def provider(self) -> Provider | None:
        """Whose language model is asked; None where the engine is one of this machine."""
        return provider_of(self.engine)
