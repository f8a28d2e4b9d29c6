"""Choose the threshold for firm verdicts on cells that were not used for fitting, and measure it by clusters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from core.benchmarks.articles import articles_of
from core.entailment import installed_reader
from core.findings.verdict import SentenceReadings, VerdictModel, read_sentences, weigh
from core.grounding.model import PaperVerdict
from core.settings import load_settings
from core.text.similarity import Embedder
from core.training.data import rows

_FIRM = (PaperVerdict.SUPPORTS, PaperVerdict.REFUTES)
_RIGHT = 0.88  # target share of right firm verdicts; on new papers it is lower than where the threshold was chosen
_CHOICES = tuple(round(0.4 + 0.01 * step, 2) for step in range(61))


@dataclass(frozen=True, slots=True)
class WeighedCell:
    """A cell, and the firm verdict that it would get without a threshold."""

    cluster: str
    label: str
    verdict: PaperVerdict | None = None  # None: it cannot get a firm verdict
    sure: float = 0.0

    @classmethod
    def of(cls, cluster: str, label: str, reading: SentenceReadings, model: VerdictModel) -> Self:
        """A cell from this model's verdict, without the model's threshold."""
        weighed = weigh(reading, replace(model, firm=0.0))
        if weighed.verdict not in _FIRM or weighed.probability is None:
            return cls(cluster, label)
        return cls(cluster, label, weighed.verdict, weighed.probability)

    @property
    def is_reported(self) -> bool:
        """Whether the paper reports on the question."""
        return self.label != PaperVerdict.NOT_REPORTED.value

    @property
    def is_right(self) -> bool:
        """Whether the firm verdict agrees with the human label."""
        return self.verdict is not None and self.verdict.value == self.label

    def is_firm(self, least: float) -> bool:
        """Whether the firm verdict is given with this threshold."""
        return self.verdict is not None and self.sure >= least


@dataclass(frozen=True, slots=True)
class FirmCounts:
    """The numbers of firm verdicts and of cells."""

    firm: int
    right: int
    reported: int
    decided: int  # reported cells with a firm verdict
    unreported: int
    left: int  # unreported cells without a firm verdict

    @classmethod
    def of(cls, cells: Sequence[tuple[WeighedCell, bool]]) -> Self:
        """Count (cell, whether its firm verdict is given)."""
        firm = [cell for cell, given in cells if given]
        reported = sum(cell.is_reported for cell, _ in cells)
        decided = sum(cell.is_reported for cell in firm)
        unreported = len(cells) - reported
        return cls(
            len(firm),
            sum(cell.is_right for cell in firm),
            reported,
            decided,
            unreported,
            unreported - (len(firm) - decided),
        )

    @property
    def right_in_100(self) -> int:
        """Right firm verdicts in 100."""
        return round(100 * self.right / max(1, self.firm))

    def __str__(self) -> str:
        return (
            f"{self.right} of {self.firm} firm verdicts right, {self.decided} of {self.reported} reported cells decided, "
            f"{self.left} of {self.unreported} others left"
        )


def in_file(least: float, counts: FirmCounts) -> dict[str, float]:
    """The figures on firm verdicts that the page shows, in per cent."""
    return {
        "firm": least,
        "right": counts.right_in_100,
        "decided": round(100 * counts.decided / max(1, counts.reported)),
    }


def development_cells(folder: Path, model: VerdictModel) -> Iterator[WeighedCell]:
    """Every cell of the development matrix. A cell whose paper cannot be read has no verdict."""
    embedder, reader, path = (
        Embedder.installed(load_settings().embeddings),
        installed_reader(),
        folder / "review_matrix" / "dev.jsonl",
    )
    article_named = articles_of(path)
    for row in rows(path):
        article = article_named(row["paper"])
        reading = read_sentences(article.paper, row["hypothesis"], reader, embedder) if article else None
        if reading is None:
            yield WeighedCell(row["cluster"], row["label"])
        else:
            yield WeighedCell.of(row["cluster"], row["label"], reading, model)


def threshold(cells: Sequence[WeighedCell]) -> float:
    """The least probability at which enough of the firm verdicts are right; 1 if there is none."""
    for least in _CHOICES:
        firm = [cell.is_right for cell in cells if cell.is_firm(least)]
        if firm and sum(firm) / len(firm) >= _RIGHT:
            return least
    return 1.0


def left_out(cells: Sequence[WeighedCell]) -> FirmCounts:
    """The counts of all cells, each with the threshold chosen on the other clusters."""
    by_cluster = {
        cluster: threshold([cell for cell in cells if cell.cluster != cluster])
        for cluster in {cell.cluster for cell in cells}
    }
    return FirmCounts.of([(cell, cell.is_firm(by_cluster[cell.cluster])) for cell in cells])
