"""Risk-of-bias plots, traffic light and summary bars, in Cochrane's colours as robvis draws them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import isfinite

from core.bias.model import BLUE, OVERALL, LevelStyle, Tool
from core.errors import QueryError
from core.export.drawing import (
    INK,
    Circle,
    Drawing,
    Group,
    LineSegment,
    Rectangle,
    Shape,
    Text,
    fitted,
    width_of,
    wrapped,
)
from core.export.levels import OVERALL_NAME, Basis, LevelCell, LevelTable, Study

# ---- Levels ----

# Levels that are shown in addition to the tool's.
NO_INFORMATION = LevelStyle("No information", "NI", BLUE)
NOT_REPORTED = LevelStyle("Outcome not reported", "n/r", None, INK)
NOT_JUDGED = LevelStyle("No judgement yet", "", None, INK)  # no category: it stays blank


def style_of(cell: LevelCell, tool: Tool) -> LevelStyle:
    """The style in which a cell is drawn."""
    if cell.level is not None:  # a file from elsewhere may have a level that the tool does not have
        return tool.levels.get(cell.level) or LevelStyle(cell.level.capitalize(), "", None, INK)
    if cell.basis is Basis.UNREPORTED:
        return NOT_REPORTED
    return NO_INFORMATION if cell.no_information else NOT_JUDGED


def legend(table: LevelTable) -> list[LevelStyle]:
    """The tool's levels, and the additional ones that occur in the table."""
    found = {style_of(cell, table.tool) for study in table.studies for cell in study.cells.values()}
    known = list(table.tool.levels.values())
    return [
        *known,
        *(style for style in (NO_INFORMATION, NOT_REPORTED, NOT_JUDGED) if style in found and style not in known),
    ]


def css_class(style: LevelStyle) -> str:
    """The CSS class of elements that show a level."""
    plain = "".join(letter if letter.isascii() else f"{ord(letter):x}" for letter in style.word.lower())
    return "level-" + re.sub(r"[^a-z0-9]+", "-", plain)


def css_of(styles: Iterable[LevelStyle]) -> str:
    """The CSS rules for the levels' signs."""
    return "".join(
        f".{css_class(style)} > .sign {{ background: {style.colour}; color: {style.ink}; }}\n" for style in styles
    )


# ---- The title and note above a plot ----

_TITLE, _NOTE, _NOTE_AT, _NOTE_LINE = 18, 13, 54, 18


def _above(title: str, note: str, x: float, width: float) -> tuple[list[Shape], float]:
    """The title on one line, the whole note below it, and how far the note's further lines move the rest down."""
    lines = wrapped(note, _NOTE, width)
    shapes: list[Shape] = [Text(x, 30, fitted(title, _TITLE, width), _TITLE, bold=True)]
    shapes += (Text(x, _NOTE_AT + place * _NOTE_LINE, line, _NOTE) for place, line in enumerate(lines))
    return shapes, _NOTE_LINE * (len(lines) - 1)


# ---- The legend ----

_LEGEND_SIZE, _LEGEND_LINE, _LEGEND_RADIUS = 13, 22, 9


def sign_of(style: LevelStyle, x: float, y: float, size: float = 15) -> Text:
    """The sign of a mark whose centre is here."""
    return Text(x, y, style.sign, size * 0.75 if len(style.sign) > 1 else size, "middle", bold=True, ink=style.ink)


def domains_below(table: LevelTable, x: float, y: float, width: float) -> tuple[list[Shape], float]:
    """A line with the short and long name of each domain, and the y at which they end."""
    shapes: list[Shape] = []
    for id, name in table.columns.items():
        if id != OVERALL:
            shapes.append(Text(x, y, fitted(f"{heading(table, id)}  {name}", _LEGEND_SIZE, width), _LEGEND_SIZE))
            y += _LEGEND_LINE
    return shapes, y


def levels_below(table: LevelTable, x: float, y: float, width: float) -> tuple[list[Shape], float]:
    """The levels side by side, on as many lines as needed, and the y at which they end."""
    shapes: list[Shape] = []
    at = x
    for style in legend(table):
        needed = 2 * _LEGEND_RADIUS + 8 + width_of(style.word, _LEGEND_SIZE) + 20
        if at > x and at + needed > x + width:
            at, y = x, y + _LEGEND_LINE
        shapes += (
            Circle(at + _LEGEND_RADIUS, y, _LEGEND_RADIUS, style.colour),
            sign_of(style, at + _LEGEND_RADIUS, y, 12),
        )
        shapes.append(Text(at + 2 * _LEGEND_RADIUS + 8, y, style.word, _LEGEND_SIZE))
        at += needed
    return shapes, y + _LEGEND_LINE


def legend_below(table: LevelTable, x: float, y: float, width: float) -> tuple[list[Shape], float]:
    """Domains and levels, and the y at which they end."""
    domains, y = domains_below(table, x, y, width)
    levels, y = levels_below(table, x, y + 8, width)
    return [*domains, *levels], y


# ---- The traffic-light plot: a row for each study, a mark for each domain ----

_LIGHT_MARGIN, _LIGHT_ROW, _LIGHT_COLUMN, _LIGHT_RADIUS = 20, 32, 64, 12
_SIZE = 14
_NARROWEST, _WIDEST = 140, 340  # limits of the width of the column of names


def traffic_light(table: LevelTable, *, title: str = "Risk of bias") -> Drawing:
    """One row for each study; a domain that is not judged stays blank."""
    names = min(_WIDEST, max(_NARROWEST, *(width_of(study.name, _SIZE) for study in table.studies), 0)) + 16
    columns = list(table.columns)
    width = max(2 * _LIGHT_MARGIN + names + _LIGHT_COLUMN * len(columns), 520)
    shapes, moved = _above(title, table.basis_in_words, _LIGHT_MARGIN, width - 2 * _LIGHT_MARGIN)
    middles = {id: _LIGHT_MARGIN + names + _LIGHT_COLUMN * (place + 0.5) for place, id in enumerate(columns)}
    shapes.append(Text(_LIGHT_MARGIN, 88 + moved, "Study", _SIZE, bold=True))
    shapes += (Text(middles[id], 88 + moved, heading(table, id), _SIZE, "middle", bold=True) for id in columns)
    y = 106 + moved
    for study in table.studies:
        shapes.append(LineSegment(_LIGHT_MARGIN, y, width - _LIGHT_MARGIN, y))
        y += _LIGHT_ROW
        shapes.append(
            Group(study.name, (Text(_LIGHT_MARGIN, y - _LIGHT_ROW / 2, fitted(study.name, _SIZE, names - 12), _SIZE),))
        )
        shapes += (_mark(study, table, id, middles[id], y - _LIGHT_ROW / 2) for id in columns)
    shapes.append(LineSegment(_LIGHT_MARGIN, y, width - _LIGHT_MARGIN, y))
    if concerns := [domain.id for domain in table.tool.domains if domain.applicability]:
        apart = middles[concerns[0]] - _LIGHT_COLUMN / 2
        shapes.append(LineSegment(apart, 76 + moved, apart, y))
    below, bottom = legend_below(table, _LIGHT_MARGIN, y + 28, width - 2 * _LIGHT_MARGIN)
    return Drawing(width, bottom + _LIGHT_MARGIN, title, " ".join(_light_in_words(table)), (*shapes, *below))


def heading(table: LevelTable, id: str) -> str:
    """The short name of a column, such as D1; the legend has the long ones."""
    if id == OVERALL:
        return OVERALL_NAME
    return table.tool.domain(id).label or f"D{list(table.columns).index(id) + 1}"


def _mark(study: Study, table: LevelTable, id: str, x: float, y: float) -> Group:
    cell, style = study.cells[id], style_of(study.cells[id], table.tool)
    label = f"{study.name}, {table.columns[id]}: {style.word} ({cell.basis}{f'; {cell.why}' if cell.why else ''})"
    return Group(label, (Circle(x, y, _LIGHT_RADIUS, style.colour), sign_of(style, x, y)))


def _light_in_words(table: LevelTable) -> Iterator[str]:
    yield f"{table.basis_in_words}."
    for study in table.studies:
        said = (f"{name} {style_of(study.cells[id], table.tool).word.lower()}" for id, name in table.columns.items())
        yield f"{study.name}: {', '.join(said)}."


# ---- The summary plot: a bar for each domain, divided by the studies at each level ----

_BARS_MARGIN, _BARS_ROW, _BAR, _BARS = 28, 40, 24, 460
_BARS_SIZE = 14

Shares = dict[LevelStyle, float]  # 0 to 1


def summary_bars(
    table: LevelTable, *, weights: Mapping[str, float] | None = None, title: str = "Risk of bias by domain"
) -> Drawing:
    """Shares of all studies, including those not judged. Results that their papers do not report are left out.

    `weights` are the studies' weights, by paper id.

    Raises `QueryError` if there is no study, or if a weight is missing or not positive.
    """
    if any(study.unreported for study in table.studies):
        reported = tuple(study for study in table.studies if not study.unreported)
        table = replace(table, studies=reported or table.studies)
    shares = {id: shares_of(table, id, weights) for id in table.columns}
    names = max(width_of(name, _BARS_SIZE) for name in table.columns.values()) + 16
    left, width = _BARS_MARGIN + names, 2 * _BARS_MARGIN + names + _BARS
    one, many = ("result", "results") if table.noun == "result" else ("study", "studies")
    studies = f"{len(table.studies)} {one if len(table.studies) == 1 else many}"
    note = f"{studies}, {'weighted' if weights else 'each counted alike'}. {table.basis_in_words}"
    shapes, moved = _above(title, note, _BARS_MARGIN, width - 2 * _BARS_MARGIN)
    top = 76 + moved
    bottom = top + _BARS_ROW * len(shares)
    for share in (0, 0.25, 0.5, 0.75, 1):
        x = left + share * _BARS
        shapes += (LineSegment(x, top, x, bottom), Text(x, bottom + 14, f"{share:.0%}", 12, "middle"))
    for row, (id, parts) in enumerate(shares.items()):
        y = top + _BARS_ROW * (row + 0.5)
        shapes.append(Text(_BARS_MARGIN, y, table.columns[id], _BARS_SIZE))
        shapes += _bar(table.columns[id], parts, left, y)
    below, end = levels_below(table, _BARS_MARGIN, bottom + 44, width - 2 * _BARS_MARGIN)
    description = " ".join([f"{note}.", *_bars_in_words(table, shares)])
    return Drawing(width, end + _BARS_MARGIN, title, description, (*shapes, *below))


def shares_of(table: LevelTable, id: str, weights: Mapping[str, float] | None) -> Shares:
    """The share of the studies at each level of one column; they add up to 1. Raises as `summary_bars` does."""
    if not table.studies:
        raise QueryError("There is no paper to plot. Add one to the project first.")
    found: Shares = {}
    for study in table.studies:
        style = style_of(study.cells[id], table.tool)
        found[style] = found.get(style, 0) + _weight(study, weights)
    total = sum(found.values())
    return {style: found[style] / total for style in legend(table) if style in found}


def _weight(study: Study, weights: Mapping[str, float] | None) -> float:
    weight = 1.0 if weights is None else weights.get(study.paper)
    if weight is None or not isfinite(weight) or weight <= 0:
        raise QueryError(f"“{study.name}” has no weight above zero. Give every paper one, or none.")
    return weight


def _bar(name: str, parts: Shares, left: float, y: float) -> Iterator[Shape]:
    at = left
    for style, share in parts.items():
        width = share * _BARS
        shapes: list[Rectangle | Text] = [Rectangle(at, y - _BAR / 2, width, _BAR, style.colour)]
        for text in (f"{style.sign} {share:.0%}".strip(), style.sign):  # the longest text that fits
            if width_of(text, 13) <= width - 14:
                shapes.append(Text(at + width / 2, y, text, 13, "middle", bold=True, ink=style.ink))
                break
        yield Group(f"{name}: {style.word} {share:.1%}", tuple(shapes))
        at += width


def _bars_in_words(table: LevelTable, shares: Mapping[str, Shares]) -> Iterator[str]:
    for id, name in table.columns.items():
        said = (f"{style.word.lower()} {share:.1%}" for style, share in shares[id].items())
        yield f"{name}: {', '.join(said)}."
