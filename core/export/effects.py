"""Tables of effects: what the papers of a review report on a hypothesis, taken from its evidence table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.export.evidence_table import SIGNS, TableCell, TableRow, effect_in_words, place_in_words
from core.findings.model import Finding, Passage
from core.grounding.model import PaperVerdict
from core.screening.model import ScreeningVerdict
from core.store.review_model import ReviewerVerdict, VerdictConsensus

HEADS = ("Study", "What it reports", "Effect", "Its sentence")
_REPORTED = (PaperVerdict.SUPPORTS, PaperVerdict.REFUTES, PaperVerdict.MIXED)
_LISTED = (*_REPORTED, PaperVerdict.UNCLEAR)  # an unclear paper gets a row too, for its sentence to be read


@dataclass(frozen=True, slots=True)
class EffectTable:
    """One row per paper that reports, or may report, a result on a hypothesis; unknown cells are empty."""

    hypothesis: str
    rows: tuple[tuple[str, str, str, str], ...]
    papers: int  # the number of papers in the review, without those that screening excluded
    unclear: int = 0  # the number of rows of papers that may report a result

    @property
    def lead(self) -> str:
        """A text on how many papers report on it, and how many may."""
        reported = len(self.rows) - self.unclear
        lead = f"{reported:,} of {self.papers:,} papers report a result on it, as the evidence table has it."
        return f"{lead} {self.unclear:,} more may report one: too little tells which way." if self.unclear else lead


def effect_tables(rows: Iterable[TableRow], hypotheses: Iterable[str]) -> tuple[EffectTable, ...]:
    """A table for each hypothesis, by the final verdicts: the reviewers', or else the engine's."""
    there = [row for row in rows if row.screening is not ScreeningVerdict.EXCLUDE]
    return tuple(_table(there, one) for one in hypotheses)


def _table(rows: Sequence[TableRow], hypothesis: str) -> EffectTable:
    listed = [
        (row.study, cell, verdict)
        for row in rows
        if (verdict := (cell := row.cell(hypothesis)).final) in _LISTED and verdict is not None
    ]
    return EffectTable(
        hypothesis,
        tuple(
            (study, f"{SIGNS[verdict]} {verdict}", _effect(cell), _sentence(cell, verdict))
            for study, cell, verdict in listed
        ),
        len(rows),
        sum(verdict is PaperVerdict.UNCLEAR for _, _, verdict in listed),
    )


def _by_people(cell: TableCell) -> ReviewerVerdict | VerdictConsensus | None:
    """The reviewers' verdict with its sentence and effect, once it is final: until then the engine's counts."""
    return cell.deciding if cell.people.final is not None else None


def _effect(cell: TableCell) -> str:
    """The reviewers' effect, or the engine's."""
    if (given := _by_people(cell)) is not None and given.effect:
        return given.effect
    return effect_in_words(cell.finding.effect) if cell.finding and cell.finding.effect else ""


def _sentence(cell: TableCell, verdict: PaperVerdict) -> str:
    """The sentence that the reviewers name, or else the engine's for this verdict, with its place."""
    given = _by_people(cell)
    found = given.sentence if given else None
    if found is None and cell.finding is not None:
        found = _of_engine(cell.finding, verdict)
    if found is None:
        return ""
    place = place_in_words(found)
    return f"“{found.text}”" + (f" ({place})" if place else "")


def _of_engine(finding: Finding, verdict: PaperVerdict) -> Passage | None:
    """The engine's strongest sentence on the side of the verdict, or its nearest sentence if the verdict is unclear."""
    if verdict is PaperVerdict.REFUTES:
        return finding.strongest_against
    sides = finding.strongest_for or finding.strongest_against
    return (finding.nearest[0] if finding.nearest else sides) if verdict is PaperVerdict.UNCLEAR else sides
