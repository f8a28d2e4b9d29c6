"""The traffic-light plot: a row for each study, a mark for each domain."""

from __future__ import annotations

from collections.abc import Iterator

from core.export.plots.drawing import Circle, Drawing, Group, Line, Shape, Text, fitted, width_of
from core.export.plots.legend import legend_below, sign_of
from core.export.plots.palette import style_of
from core.export.project.levels import OVERALL_NAME, LevelTable, Study
from core.store.judging import OVERALL

_MARGIN, _ROW, _COLUMN, _RADIUS = 20, 32, 64, 12
_TITLE, _NOTE, _SIZE = 18, 13, 14
_NARROWEST, _WIDEST = 140, 340  # the column of names


def traffic_light(table: LevelTable, *, title: str = "Risk of bias") -> Drawing:
    """One row for each study; it grows with them, and what is not judged stays blank."""
    names = min(_WIDEST, max(_NARROWEST, *(width_of(study.name, _SIZE) for study in table.studies), 0)) + 16
    columns = list(table.columns)
    width = max(2 * _MARGIN + names + _COLUMN * len(columns), 520)
    shapes: list[Shape] = [
        Text(_MARGIN, 30, fitted(title, _TITLE, width - 2 * _MARGIN), _TITLE, bold=True),
        Text(_MARGIN, 54, fitted(table.basis_in_words, _NOTE, width - 2 * _MARGIN), _NOTE),
    ]
    middles = {id: _MARGIN + names + _COLUMN * (place + 0.5) for place, id in enumerate(columns)}
    shapes.append(Text(_MARGIN, 88, "Study", _SIZE, bold=True))
    shapes += (Text(middles[id], 88, heading(table, id), _SIZE, "middle", bold=True) for id in columns)
    y: float = 106
    for study in table.studies:
        shapes.append(Line(_MARGIN, y, width - _MARGIN, y))
        y += _ROW
        shapes.append(Group(study.name, (Text(_MARGIN, y - _ROW / 2, fitted(study.name, _SIZE, names - 12), _SIZE),)))
        shapes += (_mark(study, table, id, middles[id], y - _ROW / 2) for id in columns)
    shapes.append(Line(_MARGIN, y, width - _MARGIN, y))
    below, bottom = legend_below(table, _MARGIN, y + 28, width - 2 * _MARGIN)
    return Drawing(width, bottom + _MARGIN, title, " ".join(_in_words(table)), (*shapes, *below))


def heading(table: LevelTable, id: str) -> str:
    """The short name of a column, D1, D2 and so on; the legend has the long ones."""
    return OVERALL_NAME if id == OVERALL else f"D{list(table.columns).index(id) + 1}"


def _mark(study: Study, table: LevelTable, id: str, x: float, y: float) -> Group:
    cell, style = study.cells[id], style_of(study.cells[id])
    label = f"{study.name}, {table.columns[id]}: {style.word} ({cell.basis}{f'; {cell.why}' if cell.why else ''})"
    return Group(label, (Circle(x, y, _RADIUS, style.colour), sign_of(style, x, y)))


def _in_words(table: LevelTable) -> Iterator[str]:
    yield f"{table.basis_in_words}."
    for study in table.studies:
        said = (f"{name} {style_of(study.cells[id]).word.lower()}" for id, name in table.columns.items())
        yield f"{study.name}: {', '.join(said)}."
