"""Tables of effects: what the papers of a review report on a hypothesis, from its evidence table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.export.evidence_table import SIGNS, TableCell, TableRow, effect_in_words, place_in_words
from core.grounding.model import PaperVerdict
from core.screening.model import ScreeningVerdict

HEADS = ("Study", "What it reports", "Effect", "Its sentence")
_REPORTED = (PaperVerdict.SUPPORTS, PaperVerdict.REFUTES, PaperVerdict.MIXED)


@dataclass(frozen=True, slots=True)
class EffectTable:
    """The papers that report a result on a hypothesis, a row each; a cell of what is not known is empty."""

    hypothesis: str
    rows: tuple[tuple[str, str, str, str], ...]
    papers: int  # of the review, those that screening excluded apart

    @property
    def lead(self) -> str:
        """How many papers report on it, in words."""
        return f"{len(self.rows):,} of {self.papers:,} papers report a result on it, as the evidence table has it."


def effect_tables(rows: Iterable[TableRow], hypotheses: Iterable[str]) -> tuple[EffectTable, ...]:
    """A table for each hypothesis, by the verdicts that count: the reviewers', or else the engine's."""
    there = [row for row in rows if row.screening is not ScreeningVerdict.EXCLUDE]
    return tuple(
        EffectTable(
            one,
            tuple(
                (row.study, f"{SIGNS[verdict]} {verdict}", _effect(cell), _sentence(cell, verdict))
                for row in there
                if (verdict := (cell := row.cell(one)).final) in _REPORTED and verdict is not None
            ),
            len(there),
        )
        for one in hypotheses
    )


def _effect(cell: TableCell) -> str:
    """The reviewers' effect, or the engine's."""
    if cell.deciding is not None and cell.deciding.effect:
        return cell.deciding.effect
    return effect_in_words(cell.finding.effect) if cell.finding and cell.finding.effect else ""


def _sentence(cell: TableCell, verdict: PaperVerdict) -> str:
    """The sentence that the reviewers name, or the strongest on the side of the verdict; where it stands."""
    found = cell.deciding.sentence if cell.deciding else None
    if found is None and cell.finding is not None:
        sides = cell.finding.strongest_for, cell.finding.strongest_against
        found = sides[1] if verdict is PaperVerdict.REFUTES else sides[0] or sides[1]
    if found is None:
        return ""
    place = place_in_words(found)
    return f"“{found.text}”" + (f" ({place})" if place else "")
