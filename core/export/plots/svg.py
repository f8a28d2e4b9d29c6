"""A drawing as SVG. Every text in it is data: the XML writer escapes it, and nothing else writes into the file."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree

from core.export.plots.drawing import INK, Arrow, Circle, Drawing, Frame, Group, Line, Rectangle, Shape, Text
from core.export.shown import shown

_NAMESPACE = "http://www.w3.org/2000/svg"
_FONT = "Arial, Helvetica, 'Liberation Sans', sans-serif"
_BASELINE = 0.35  # of the size: from a letter's middle to the line that it stands on


def svg_of(drawing: Drawing, *, inline: bool = False) -> str:
    """The drawing as a file of its own on white, or `inline` for a page, whose text colour it takes."""
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
    _child(root, "title").text = shown(drawing.title)
    _child(root, "desc").text = shown(drawing.description)
    if not inline:
        _child(root, "rect", width=width, height=height, fill="#FFFFFF")
    for shape in drawing.shapes:
        _draw(root, shape)
    return ElementTree.tostring(root, encoding="unicode")


def _draw(parent: ElementTree.Element, shape: Shape) -> None:
    match shape:
        case Group():
            group = _child(parent, "g")
            _child(group, "title").text = shown(shape.label)
            for part in shape.shapes:
                _draw(group, part)
        case Rectangle():
            size = {"width": _number(shape.width), "height": _number(shape.height)}
            _child(parent, "rect", x=_number(shape.x), y=_number(shape.y), **size, **_fill(shape.fill))
        case Circle():
            place = {"cx": _number(shape.x), "cy": _number(shape.y), "r": _number(shape.radius)}
            _child(parent, "circle", **place, **_fill(shape.fill))
        case Line():
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
            text.text = shown(shape.words)


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
