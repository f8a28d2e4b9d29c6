"""A drawing as PNG, on white."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from threading import Lock
from typing import TYPE_CHECKING, Any

from core.export.plots.drawing import INK, Arrow, Circle, Drawing, Frame, Group, Line, Rectangle, Shape, Text
from core.export.shown import shown

if TYPE_CHECKING:  # takes about a second, and only who asks for a picture needs it
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

_POINTS = 72  # to the inch: at so many dots a font size in points is one in pixels
_SCALE = 3  # dots to a pixel of the drawing: sharp on paper
_MOST_DOTS = 32_000  # in one direction; a longer drawing gets fewer to the pixel
_BASELINE = 0.35
# The first of them that has a letter draws it. DejaVu comes with matplotlib; the others if the system has them.
_FONTS = (
    *("DejaVu Sans", "Noto Sans CJK SC", "Noto Sans CJK JP", "PingFang SC", "Hiragino Sans", "Microsoft YaHei"),
    *("Yu Gothic", "Malgun Gothic", "Noto Sans Arabic", "Noto Sans Hebrew", "Arial Unicode MS", "Segoe UI"),
)
_LOCK = Lock()  # matplotlib's fonts are not for two threads at once
_SIDES = {"start": "left", "middle": "center", "end": "right"}


def png_of(drawing: Drawing) -> bytes:
    """The drawing with three dots to the pixel, or as many as a side of 32,000 dots allows."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    scale = min(_SCALE, _MOST_DOTS / max(drawing.width, drawing.height))
    buffer = io.BytesIO()
    with _LOCK:
        figure = Figure(figsize=(drawing.width / _POINTS, drawing.height / _POINTS), dpi=_POINTS * scale)
        fonts = _fonts()
        for shape in drawing.shapes:
            _draw(figure, shape, drawing, fonts)
        figure.savefig(
            buffer, format="png", facecolor="white", metadata={"Title": shown(drawing.title), "Software": None}
        )
    return buffer.getvalue()


def _draw(figure: Figure, shape: Shape, drawing: Drawing, fonts: list[str]) -> None:
    match shape:
        case Group():
            for part in shape.shapes:
                _draw(figure, part, drawing, fonts)
        case Arrow():
            for patch in _arrow(shape, drawing):
                figure.add_artist(patch)
        case Text():
            below = 0 if shape.turned else _BASELINE * shape.size
            figure.text(
                shape.x / drawing.width,
                1 - (shape.y + below) / drawing.height,
                shown(shape.words),
                fontsize=shape.size,
                ha="center" if shape.turned else _SIDES[shape.anchor],
                va="center" if shape.turned else "baseline",
                rotation=90 if shape.turned else 0,
                color=_colour(shape.ink),
                weight="bold" if shape.bold else "normal",
                family=fonts,
                parse_math=False,  # a dollar sign in a name is a dollar sign
            )
        case _:
            figure.add_artist(_patch(shape, drawing))


def _patch(shape: Rectangle | Circle | Line | Frame, drawing: Drawing) -> Patch:
    from matplotlib.patches import Ellipse, PathPatch  # noqa: PLC0415
    from matplotlib.patches import Rectangle as Box  # noqa: PLC0415
    from matplotlib.path import Path  # noqa: PLC0415

    width, height = drawing.width, drawing.height
    if isinstance(shape, Line):
        ends = Path([(shape.x1 / width, 1 - shape.y1 / height), (shape.x2 / width, 1 - shape.y2 / height)])
        return PathPatch(ends, edgecolor=(0, 0, 0, 0.2), linewidth=1)
    look = _framed(shape.fill) if isinstance(shape, Frame) else _look(shape.fill)
    if isinstance(shape, Circle):
        middle = shape.x / width, 1 - shape.y / height
        return Ellipse(middle, 2 * shape.radius / width, 2 * shape.radius / height, **look)
    corner = shape.x / width, 1 - (shape.y + shape.height) / height
    return Box(corner, shape.width / width, shape.height / height, **look)


def _arrow(shape: Arrow, drawing: Drawing) -> Iterator[Patch]:
    from matplotlib.patches import PathPatch, Polygon  # noqa: PLC0415
    from matplotlib.path import Path  # noqa: PLC0415

    def placed(points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
        return [(x / drawing.width, 1 - y / drawing.height) for x, y in points]

    yield PathPatch(Path(placed(shape.points)), edgecolor="black", facecolor="none", linewidth=1)
    yield Polygon(placed(shape.head), closed=True, facecolor="black", linewidth=0)


def _framed(fill: str | None) -> dict[str, Any]:
    return {"facecolor": fill or "none", "edgecolor": "black", "linewidth": 1}


def _look(fill: str | None) -> dict[str, Any]:
    if fill is None:
        return {"facecolor": "none", "edgecolor": (0, 0, 0, 0.5), "linestyle": (0, (3, 3)), "linewidth": 1}
    return {"facecolor": fill, "edgecolor": (0, 0, 0, 0.35), "linewidth": 1}


def _colour(ink: str) -> str:
    return "black" if ink == INK else ink


def _fonts() -> list[str]:
    from matplotlib.font_manager import fontManager  # noqa: PLC0415

    known = set(fontManager.get_font_names())
    return [font for font in _FONTS if font in known]
