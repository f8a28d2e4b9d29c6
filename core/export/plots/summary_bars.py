"""The summary plot: a bar for each domain, divided by the share of the studies at each level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite

from core.errors import QueryError
from core.export.plots.drawing import Drawing, Group, Line, Rectangle, Shape, Text, fitted, width_of
from core.export.plots.legend import levels_below
from core.export.plots.palette import Style, legend, style_of
from core.export.project.levels import LevelTable, Study

_MARGIN, _ROW, _BAR, _BARS = 28, 40, 24, 460
_TITLE, _NOTE, _SIZE = 18, 13, 14

Shares = dict[Style, float]  # 0 to 1


def summary_bars(
    table: LevelTable, *, weights: Mapping[str, float] | None = None, title: str = "Risk of bias by domain"
) -> Drawing:
    """Shares of all studies, those not judged included. `weights` by the papers' ids count a study more or less.

    Raises `QueryError` without a study, or where a weight is missing or no positive number.
    """
    shares = {id: shares_of(table, id, weights) for id in table.columns}
    names = max(width_of(name, _SIZE) for name in table.columns.values()) + 16
    left, width = _MARGIN + names, 2 * _MARGIN + names + _BARS
    studies = f"{len(table.studies)} {'study' if len(table.studies) == 1 else 'studies'}"
    note = f"{studies}, {'weighted' if weights else 'each counted alike'}. {table.basis_in_words}"
    shapes: list[Shape] = [
        Text(_MARGIN, 30, fitted(title, _TITLE, width - 2 * _MARGIN), _TITLE, bold=True),
        Text(_MARGIN, 54, fitted(note, _NOTE, width - 2 * _MARGIN), _NOTE),
    ]
    top = 76.0
    bottom = top + _ROW * len(shares)
    for share in (0, 0.25, 0.5, 0.75, 1):
        x = left + share * _BARS
        shapes += (Line(x, top, x, bottom), Text(x, bottom + 14, f"{share:.0%}", 12, "middle"))
    for row, (id, parts) in enumerate(shares.items()):
        y = top + _ROW * (row + 0.5)
        shapes.append(Text(_MARGIN, y, table.columns[id], _SIZE))
        shapes += _bar(table.columns[id], parts, left, y)
    below, end = levels_below(table, _MARGIN, bottom + 44, width - 2 * _MARGIN)
    description = " ".join([f"{note}.", *_in_words(table, shares)])
    return Drawing(width, end + _MARGIN, title, description, (*shapes, *below))


def shares_of(table: LevelTable, id: str, weights: Mapping[str, float] | None) -> Shares:
    """The share of the studies at each level of one column; they add up to 1. Raises as `summary_bars` does."""
    if not table.studies:
        raise QueryError("There is no paper to plot. Add one to the project first.")
    found: Shares = {}
    for study in table.studies:
        style = style_of(study.cells[id])
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
        for text in (f"{style.sign} {share:.0%}".strip(), style.sign):  # as much of it as there is room for
            if width_of(text, 13) <= width - 14:
                shapes.append(Text(at + width / 2, y, text, 13, "middle", bold=True, ink=style.ink))
                break
        yield Group(f"{name}: {style.word} {share:.1%}", tuple(shapes))
        at += width


def _in_words(table: LevelTable, shares: Mapping[str, Shares]) -> Iterator[str]:
    for id, name in table.columns.items():
        said = (f"{style.word.lower()} {share:.1%}" for style, share in shares[id].items())
        yield f"{name}: {', '.join(said)}."
