"""What stands below a plot: the domains' names, and the levels with colour, sign and word."""

from __future__ import annotations

from core.export.plots.drawing import Circle, Shape, Text, fitted, width_of
from core.export.plots.palette import Style, legend
from core.export.project.levels import LevelTable
from core.store.judging import OVERALL

_SIZE, _LINE, _RADIUS = 13, 22, 9


def sign_of(style: Style, x: float, y: float, size: float = 15) -> Text:
    """The sign in a mark whose middle is given."""
    return Text(x, y, style.sign, size * 0.75 if len(style.sign) > 1 else size, "middle", bold=True, ink=style.ink)


def domains_below(table: LevelTable, x: float, y: float, width: float) -> tuple[list[Shape], float]:
    """A line for each domain's short and long name, and where they end."""
    shapes: list[Shape] = []
    for place, (id, name) in enumerate(table.columns.items(), 1):
        if id != OVERALL:
            shapes.append(Text(x, y, fitted(f"D{place}  {name}", _SIZE, width), _SIZE))
            y += _LINE
    return shapes, y


def levels_below(table: LevelTable, x: float, y: float, width: float) -> tuple[list[Shape], float]:
    """The levels side by side, on as many lines as they need, and where they end."""
    shapes: list[Shape] = []
    at = x
    for style in legend(table):
        needed = 2 * _RADIUS + 8 + width_of(style.word, _SIZE) + 20
        if at > x and at + needed > x + width:
            at, y = x, y + _LINE
        shapes += (Circle(at + _RADIUS, y, _RADIUS, style.colour), sign_of(style, at + _RADIUS, y, 12))
        shapes.append(Text(at + 2 * _RADIUS + 8, y, style.word, _SIZE))
        at += needed
    return shapes, y + _LINE


def legend_below(table: LevelTable, x: float, y: float, width: float) -> tuple[list[Shape], float]:
    """Domains and levels, and where they end."""
    domains, y = domains_below(table, x, y, width)
    levels, y = levels_below(table, x, y + 8, width)
    return [*domains, *levels], y
