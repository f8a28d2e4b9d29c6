"""The rows of the evidence table, and what its words mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from core.bias.model import Level
from core.evidence.model import PaperVerdict
from core.findings.model import Finding
from core.screening.model import ScreeningVerdict
from core.store.review_model import CellView, GivenVerdict, VerdictConsensus

PEOPLE_MEANS = (
    "What the reviewers say of it themselves, beside the engine: the verdict that they settled or all gave, who gave which, "
    "and the sentence and effect that they name. Empty: nobody has given a verdict yet, or not all have, or they differ."
)
NOT_RUN = "No engine has read this paper for this hypothesis yet."
MEANING: Mapping[PaperVerdict, str] = MappingProxyType(
    {
        PaperVerdict.SUPPORTS: "What the paper reports speaks for the hypothesis.",
        PaperVerdict.REFUTES: "What the paper reports speaks against the hypothesis.",
        PaperVerdict.MIXED: "The paper reports good evidence on both sides.",
        PaperVerdict.NOT_REPORTED: "The paper reports no result on this question. The nearest sentence stands beside it.",
        PaperVerdict.UNCLEAR: "Too little to tell: read the nearest sentences.",
    }
)
BLANK_MEANS = "Not known. The reason stands beside it; it is no verdict, no level and no zero."

PROBABILITY_MEANS = (
    "How likely the engine's verdict is right, from 0 to 1, as measured on papers that it had not seen. Empty: the engine "
    "gives none."
)
CHECK_MEANS = (
    "What to look at before a verdict made on this machine is believed. Empty: nothing, or not known, as with language "
    "models and findings of earlier versions."
)


@dataclass(frozen=True, slots=True)
class TableCell:
    """What is known of a paper and a hypothesis. `error`: why the engine gave no finding."""

    finding: Finding | None = None
    error: str = ""
    people: CellView = field(default_factory=CellView)  # what the reviewers say of it themselves, as far as one may see

    @property
    def verdict(self) -> PaperVerdict | None:
        """What the paper says of the hypothesis, by the engine; None: see `missing`."""
        return None if self.finding is None else self.finding.verdict

    @property
    def final(self) -> PaperVerdict | None:
        """What counts: the reviewers' verdict once they have one together, or else the engine's."""
        return self.people.final or self.verdict

    @property
    def whose(self) -> str:
        """Whose the reviewers' verdict is, in words; where there is none yet why, once anybody has given one."""
        view = self.people
        if view.consensus is not None:
            return f"settled by {view.settled_by}"
        if view.hidden:
            return "Hidden until your own verdict is in."
        if view.differ:
            return "The reviewers differ, and have settled nothing yet."
        if view.final is not None:
            return " and ".join(one.reviewer for one in view.given)
        return "Not given yet by every reviewer." if view.by else ""

    @property
    def deciding(self) -> GivenVerdict | VerdictConsensus | None:
        """Where the reviewers' sentence and effect stand: what they settled, or else the first verdict that names one."""
        given = self.people.given
        return self.people.consensus or next((one for one in given if one.sentence or one.effect), None)

    @property
    def missing(self) -> str:
        """Why there is no verdict; empty where there is one."""
        if self.finding is None:
            return self.error or NOT_RUN
        return "" if self.finding.verdict else self.finding.reason or "The engine gave no verdict and no reason."


@dataclass(frozen=True, slots=True)
class BiasCell:
    """The overall risk of bias of a paper: settled by the reviewers, unless somebody else is named."""

    level: Level | None = None
    suggested_by: str | None = None  # the engine whose it is
    why: str = ""  # there is no level
    given_by: tuple[str, ...] = ()  # the reviewers whose it is, while nothing is settled

    @property
    def whose(self) -> str:
        """In words; empty where there is no level."""
        if self.level is None:
            return ""
        if self.given_by:
            return given_in_words(self.given_by)
        return "reviewers" if self.suggested_by is None else f"suggested by {self.suggested_by}"

    @property
    def missing(self) -> str:
        """Why there is no level; empty where there is one."""
        return "" if self.level else self.why or "Not judged yet."


def given_in_words(reviewers: Sequence[str]) -> str:
    """Whose a level is that these gave, and that is not settled."""
    *first, last = reviewers
    return f"judged by {', '.join(first)}{' and ' if first else ''}{last}, not settled"


@dataclass(frozen=True, slots=True)
class TableRow:
    """A paper. `cells` by hypothesis; one that is not in it has not been run."""

    paper: str  # `Paper.id`
    study: str  # short, unlike any other row's
    title: str = ""
    citation: str = ""
    doi: str | None = None
    screening: ScreeningVerdict | None = None  # what the reviewers agree on, or settled
    screening_note: str = ""  # the reason of an exclusion, or why there is no verdict
    bias: BiasCell = BiasCell()
    cells: Mapping[str, TableCell] = field(default_factory=dict)

    def cell(self, hypothesis: str) -> TableCell:
        """The cell of a hypothesis."""
        return self.cells.get(hypothesis, TableCell())
