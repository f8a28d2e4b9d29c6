"""Draw shapes and wrapped text, and write them as SVG or PNG."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any
from unicodedata import combining, east_asian_width, normalize
from xml.etree import ElementTree

from core.export.table import displayable

if TYPE_CHECKING:  # takes about a second, so it is imported at run time only for a PNG
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch


# ---- Shapes, in pixels from the top left corner; SVG and PNG draw the same ones ----

INK = "currentColor"  # the colour of text and lines: black, or the text colour of the surrounding page
_WIDE_SHARE, _NARROW = 1.0, 0.56  # upper estimates of the widths of letters, as shares of the font size
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle. If `fill` is None, it has only a dashed outline, which stands for something missing."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle. `fill` None means the same as for a rectangle."""

    x: float
    y: float
    radius: float
    fill: str | None


@dataclass(frozen=True, slots=True)
class LineSegment:
    """A faint line."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Frame:
    """An outline in ink. If `fill` is None, it is transparent."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None


@dataclass(frozen=True, slots=True)
class Arrow:
    """A line in ink through the points, with only vertical and horizontal segments, and a head at the last point."""

    points: tuple[tuple[float, float], ...]

    @property
    def head(self) -> tuple[tuple[float, float], ...]:
        """The corners of the head: the tip, and the two behind it."""
        (x0, y0), (x, y) = self.points[-2:]
        long, half = 9.0, 4.0
        if x0 == x:
            back = y - (long if y > y0 else -long)
            return (x, y), (x - half, back), (x + half, back)
        back = x - (long if x > x0 else -long)
        return (x, y), (back, y - half), (back, y + half)


@dataclass(frozen=True, slots=True)
class Text:
    """Text whose vertical middle is at `y`. `anchor` says what is at `x`: its start, middle or end.

    If it is `turned`, it runs from bottom to top, with its middle at `x` and `y`.
    """

    x: float
    y: float
    words: str
    size: float = 14
    anchor: str = "start"
    bold: bool = False
    ink: str = INK
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that belong together, with a label that says what they mean."""

    label: str
    shapes: tuple[SimpleShape, ...]


SimpleShape = Rectangle | Circle | LineSegment | Frame | Arrow | Text
Shape = SimpleShape | Group


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture with a text alternative: a title, and a description of everything that the picture shows."""

    width: float
    height: float
    title: str
    description: str
    shapes: tuple[Shape, ...]


def width_of(words: str, size: float) -> float:
    """An upper estimate of the width of a text, because fonts differ."""
    return size * sum(_WIDE_SHARE if east_asian_width(letter) in "WF" else _NARROW for letter in words)


def fitted(words: str, size: float, width: float) -> str:
    """The text on one line, shortened with an ellipsis to at most this width."""
    line = " ".join(displayable(words).split())
    if width_of(line, size) <= width:
        return line
    while line and width_of(line + _ELLIPSIS, size) > width:
        line = line[:-1]
    return line.rstrip() + _ELLIPSIS


# ---- Wrapping text by the widths of its letters ----

# Widths as shares of the font size, rounded up, in DejaVu Sans, which draws the PNG and is wider than the fonts of the
# SVG.
_WIDTHS = {
    0.30: "'IJijl",
    0.35: " \N{NO-BREAK SPACE},./:;\\|",
    0.40: "()-[]ft",
    0.45: "!r",
    0.50: '"*_`–“”‘’',
    0.55: "?csz",
    0.60: "FLkvxy",
    0.65: "$0123456789EPSTYabdeghnopqu{}",
    0.70: "ABCKRVXZ",
    0.75: "NU",
    0.80: "&DGHOQ",
    0.85: "#+<=>^w~≤≥×±",
    0.90: "M",
    1.00: "%@Wm—…",
}
_WIDTH_OF = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_WIDE, _OTHER = 1.1, 0.8  # East Asian and other wide letters; any other letter that is not listed
_BOLD = 1.16  # the factor by which bold letters are wider
_SPACES = re.compile(r"[^\S\N{NO-BREAK SPACE}]+")


def measured(words: str, size: float, *, bold: bool = False) -> float:
    """An upper estimate of the width of a text in pixels."""
    letters = (letter for letter in normalize("NFD", words) if not combining(letter))
    return size * sum(map(_width, letters)) * (_BOLD if bold else 1)


def wrapped(words: str, size: float, width: float, *, bold: bool = False) -> list[str]:
    """The text in lines of at most this width in pixels. A wider word is broken; nothing is left out."""
    lines: list[str] = []
    for word in filter(None, _SPACES.split(displayable(words))):
        longer = f"{lines[-1]} {word}" if lines else word
        if measured(longer, size, bold=bold) <= width:
            lines[-1:] = [longer]
        else:
            lines += _broken(word, size, width, bold)
    return lines


def _broken(word: str, size: float, width: float, bold: bool) -> Iterator[str]:
    line = ""
    for letter in word:
        if line and measured(line + letter, size, bold=bold) > width:
            yield line
            line = ""
        line += letter
    yield line


def _width(letter: str) -> float:
    if letter in _WIDTH_OF:
        return _WIDTH_OF[letter]
    return _WIDE if east_asian_width(letter) in "WF" else _OTHER


# ---- SVG. Only the XML writer writes into the file, and it escapes every text ----

_NAMESPACE = "http://www.w3.org/2000/svg"
_FONT = "Arial, Helvetica, 'Liberation Sans', sans-serif"
_BASELINE = 0.35  # the distance from a letter's middle to its baseline, as a share of the font size


def svg_of(drawing: Drawing, *, inline: bool = False) -> str:
    """The drawing as a separate file on white, or with `inline` for a page, whose text colour it uses."""
    width, height = _number(drawing.width), _number(drawing.height)
    root = ElementTree.Element(
        "svg",
        {
            **({} if inline else {"xmlns": _NAMESPACE}),
            "viewBox": f"0 0 {width} {height}",
            "width": width,
            "height": height,
            "role": "img",
            "font-family": _FONT,
        },
    )
    _child(root, "title").text = displayable(drawing.title)
    _child(root, "desc").text = displayable(drawing.description)
    if not inline:
        _child(root, "rect", width=width, height=height, fill="#FFFFFF")
    for shape in drawing.shapes:
        _draw_svg(root, shape)
    return ElementTree.tostring(root, encoding="unicode")


def _draw_svg(parent: ElementTree.Element, shape: Shape) -> None:
    match shape:
        case Group():
            group = _child(parent, "g")
            _child(group, "title").text = displayable(shape.label)
            for part in shape.shapes:
                _draw_svg(group, part)
        case Rectangle():
            size = {"width": _number(shape.width), "height": _number(shape.height)}
            _child(parent, "rect", x=_number(shape.x), y=_number(shape.y), **size, **_fill(shape.fill))
        case Circle():
            place = {"cx": _number(shape.x), "cy": _number(shape.y), "r": _number(shape.radius)}
            _child(parent, "circle", **place, **_fill(shape.fill))
        case LineSegment():
            ends = {name: _number(getattr(shape, name)) for name in ("x1", "y1", "x2", "y2")}
            _child(parent, "line", **ends, **{"stroke": INK, "stroke-opacity": "0.2"})
        case Frame():
            size = {"width": _number(shape.width), "height": _number(shape.height)}
            look = {"fill": shape.fill or "none", "stroke": INK}
            _child(parent, "rect", x=_number(shape.x), y=_number(shape.y), **size, **look)
        case Arrow():
            _child(parent, "polyline", points=_points(shape.points), fill="none", stroke=INK)
            _child(parent, "polygon", points=_points(shape.head), fill=INK)
        case Text():
            text = _child(parent, "text", x=_number(shape.x), y=_number(shape.y + _BASELINE * shape.size))
            text.attrib |= {"font-size": _number(shape.size), "text-anchor": shape.anchor, "fill": shape.ink}
            text.attrib |= {"font-weight": "bold"} if shape.bold else {}
            if shape.turned:
                text.attrib |= {"transform": f"rotate(-90 {_number(shape.x)} {_number(shape.y)})"}
                text.attrib |= {"text-anchor": "middle"}
            text.text = displayable(shape.words)


def _fill(colour: str | None) -> dict[str, str]:
    if colour is None:
        return {"fill": "none", "stroke": INK, "stroke-opacity": "0.5", "stroke-dasharray": "3 3"}
    return {"fill": colour, "stroke": "#000000", "stroke-opacity": "0.35"}


def _points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _child(parent: ElementTree.Element, name: str, **attributes: str) -> ElementTree.Element:
    return ElementTree.SubElement(parent, name, attributes)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


# ---- PNG, on white ----

_POINTS = 72  # per inch: at this resolution, a font size in points equals one in pixels
_SCALE = 3  # dots per pixel of the drawing, so that it is sharp on paper
_MOST_DOTS = 32_000  # in one direction; a longer drawing gets fewer dots per pixel
# A letter is drawn with the first font that has it. DejaVu comes with matplotlib; the others depend on the system.
_FONTS = (
    *("DejaVu Sans", "Noto Sans CJK SC", "Noto Sans CJK JP", "PingFang SC", "Hiragino Sans", "Microsoft YaHei"),
    *("Yu Gothic", "Malgun Gothic", "Noto Sans Arabic", "Noto Sans Hebrew", "Arial Unicode MS", "Segoe UI"),
)
_LOCK = Lock()  # matplotlib's fonts are not thread-safe
_SIDES = {"start": "left", "middle": "center", "end": "right"}


def png_of(drawing: Drawing) -> bytes:
    """The drawing with three dots per pixel, or fewer if a side would exceed 32,000 dots."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    scale = min(_SCALE, _MOST_DOTS / max(drawing.width, drawing.height))
    buffer = io.BytesIO()
    with _LOCK:
        figure = Figure(figsize=(drawing.width / _POINTS, drawing.height / _POINTS), dpi=_POINTS * scale)
        fonts = _fonts()
        for shape in drawing.shapes:
            _draw_png(figure, shape, drawing, fonts)
        figure.savefig(
            buffer, format="png", facecolor="white", metadata={"Title": displayable(drawing.title), "Software": None}
        )
    return buffer.getvalue()


def _draw_png(figure: Figure, shape: Shape, drawing: Drawing, fonts: list[str]) -> None:
    match shape:
        case Group():
            for part in shape.shapes:
                _draw_png(figure, part, drawing, fonts)
        case Arrow():
            for patch in _arrow(shape, drawing):
                figure.add_artist(patch)
        case Text():
            below = 0 if shape.turned else _BASELINE * shape.size
            figure.text(
                shape.x / drawing.width,
                1 - (shape.y + below) / drawing.height,
                displayable(shape.words),
                fontsize=shape.size,
                ha="center" if shape.turned else _SIDES[shape.anchor],
                va="center" if shape.turned else "baseline",
                rotation=90 if shape.turned else 0,
                color=_colour(shape.ink),
                weight="bold" if shape.bold else "normal",
                family=fonts,
                parse_math=False,  # a dollar sign in a name does not begin a formula
            )
        case _:
            figure.add_artist(_patch(shape, drawing))


def _patch(shape: Rectangle | Circle | LineSegment | Frame, drawing: Drawing) -> Patch:
    from matplotlib.patches import Ellipse, PathPatch  # noqa: PLC0415
    from matplotlib.patches import Rectangle as Box  # noqa: PLC0415
    from matplotlib.path import Path  # noqa: PLC0415

    width, height = drawing.width, drawing.height
    if isinstance(shape, LineSegment):
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
