"""How a level looks: Cochrane's colours as robvis draws them, each with a sign and a word of its own."""

from __future__ import annotations

from dataclasses import dataclass

from core.bias.model import Level
from core.export.plots.drawing import INK
from core.export.project.levels import Cell, LevelTable


@dataclass(frozen=True, slots=True)
class Style:
    """A level's word, the sign in its mark, and the colours of both; without a colour only an outline."""

    word: str
    sign: str
    colour: str | None
    ink: str = "#000000"  # of the sign


LEVELS = {
    Level.LOW: Style("Low", "+", "#02C100"),
    Level.UNCLEAR: Style("Unclear", "?", "#E2DF07"),
    Level.SOME_CONCERNS: Style("Some concerns", "!", "#E2DF07"),
    Level.HIGH: Style("High", "–", "#BF0000", "#FFFFFF"),
}
NO_INFORMATION = Style("No information", "NI", "#4EA1F7")
NOT_JUDGED = Style("No judgement yet", "", None, INK)  # no category: it stays blank


def style_of(cell: Cell) -> Style:
    """How a cell is drawn."""
    if cell.level is not None:
        return LEVELS[cell.level]
    return NO_INFORMATION if cell.no_information else NOT_JUDGED


def legend(table: LevelTable) -> list[Style]:
    """The tool's levels, and beyond them what occurs."""
    found = {style_of(cell) for study in table.studies for cell in study.cells.values()}
    levels = [LEVELS[level] for level in table.tool.scale]
    return [*levels, *(style for style in (NO_INFORMATION, NOT_JUDGED) if style in found)]
