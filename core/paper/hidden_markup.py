"""Text that XML or HTML marks so that no reader sees it: not displayed, white on white, of no size, off the page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from core.paper.model import Reason, SetAside
from core.paper.xml import Element, all_text, local_name

_KEYWORD_ATTRIBUTES = frozenset("style style-type content-type specific-use rend rendition class".split())
_KEYWORDS = frozenset(
    "hidden hide invisible visually-hidden visuallyhidden sr-only screen-reader-only display-none nodisplay no-display "
    "offscreen off-screen".split()
)
_HIDDEN_ELEMENTS = frozenset({"mphantom"})  # MathML: takes the room of its content and shows nothing
_WHITE = (255, 255, 255)
_NAMED_COLOURS = {"white": _WHITE, "snow": (255, 250, 250), "ivory": (255, 255, 240), "black": (0, 0, 0)}
_OTHER_COLOUR = (-1, -1, -1)  # a colour that nobody has to know: it is not near any other
_NEAR = 24  # of 255: colours no further apart than this, in every part, are nearly the same
_NUMBER = re.compile(r"-?\d*\.?\d+")
_FAR = -300.0  # in any unit: so far outside that nothing is left on the page

_TAG = re.compile(r"<(/?)([A-Za-z][\w:-]{0,30})((?:\s[^<>]{0,2000})?)(/?)>")
_ATTRIBUTE = re.compile(r"([\w:-]+)(?:\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'>]+))?")
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_BLANK_LINE = re.compile(r"\n[ \t]*\n")

Colour = tuple[int, int, int]


def take_hidden(root: Element) -> list[SetAside]:
    """Take the elements below `root` out of it that are marked as hidden; what follows them stays."""
    found: list[SetAside] = []
    hidden: list[tuple[Element, Reason]] = []
    _look(root, _WHITE, hidden)
    for element, reason in hidden:
        found += _listed(all_text(element), reason)
        _remove(element)
    return found


def without_hidden_html(text: str) -> tuple[str, list[SetAside]]:
    """A text that may hold HTML, without its comments and without the elements that are marked as hidden."""
    spans = sorted([*_comments(text), *_hidden_elements(text)])
    pieces: list[str] = []
    found: list[SetAside] = []
    end = 0
    for start, stop, inner, reason in spans:
        if start >= end:
            pieces.append(text[end:start])
            found += _listed(" ".join(_TAG.sub(" ", inner).split()), reason)
            end = stop
    return "".join([*pieces, text[end:]]), found


def _listed(text: str, reason: Reason) -> list[SetAside]:
    """Text that may be a message; a word or two that programs leave in a file ("image", "page 3") are none."""
    return [SetAside(text, reason)] if len(text.split()) > 2 or len(text) > 40 else []


def _look(element: Element, background: Colour, hidden: list[tuple[Element, Reason]]) -> None:
    stack = [(element, background)]
    while stack:
        current, behind = stack.pop()
        attributes = {str(name).rpartition("}")[2]: str(value) for name, value in current.attrib.items()}
        reason, behind = _judged(attributes, behind)
        if reason is None and local_name(current) in _HIDDEN_ELEMENTS:
            reason = Reason.INVISIBLE
        if reason is not None and current is not element:
            hidden.append((current, reason))
        else:
            stack += [(child, behind) for child in current]


def _remove(element: Element) -> None:
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return
    if before is not None:
        before.tail = (before.tail or "") + (element.tail or "")
    else:
        parent.text = (parent.text or "") + (element.tail or "")
    parent.remove(element)


def _judged(attributes: Mapping[str, str], background: Colour) -> tuple[Reason | None, Colour]:
    """Why the content of an element with such attributes does not show, if so; and the colour behind it."""
    if not attributes:
        return None, background
    style = _declarations(attributes.get("style", ""))
    own = _colour(style.get("background-color") or style.get("background") or attributes.get("bgcolor"))
    background = own or background
    keywords = {
        word.lower()
        for name in _KEYWORD_ATTRIBUTES
        for word in attributes.get(name, "").split()
        if ":" not in attributes[name]
    }
    if "hidden" in attributes or keywords & _KEYWORDS or _does_not_show(style):
        return Reason.INVISIBLE, background
    if _has_no_size(style) or attributes.get("size") == "0" or attributes.get("mathsize", "").startswith("0"):
        return Reason.TINY, background
    if _is_off_page(style):
        return Reason.OFF_PAGE, background
    letters = style.get("color") or attributes.get("color") or attributes.get("mathcolor")
    if letters is None and "white" in keywords:
        letters = "white"
    colour = _colour(letters)
    if letters == "transparent" or (colour and _near(colour, background)):
        return Reason.SAME_COLOUR, background
    return None, background


def _declarations(style: str) -> dict[str, str]:
    pairs = (declaration.partition(":") for declaration in style.lower().replace("!important", "").split(";"))
    return {name.strip(): value.strip() for name, colon, value in pairs if colon}


def _does_not_show(style: Mapping[str, str]) -> bool:
    return (
        style.get("display") == "none"
        or style.get("visibility") in {"hidden", "collapse"}
        or ("opacity" in style and _number(style["opacity"], 1) < (5 if style["opacity"].endswith("%") else 0.05))
        or style.get("content-visibility") == "hidden"
        or bool(
            re.search(
                r"inset\((?:50|100)%|circle\(0|rect\((?:0|1)(?:px)?[ ,]+(?:0|1)",
                style.get("clip-path", "") + style.get("clip", ""),
            )
        )
    )


def _has_no_size(style: Mapping[str, str]) -> bool:
    cut = style.get("overflow", "").startswith(("hidden", "clip"))
    sides = [style.get(name) for name in ("width", "height", "max-width", "max-height")]
    return (
        ("font-size" in style and _number(style["font-size"], 10) <= (0.1 if "em" in style["font-size"] else 1))
        or (cut and any(side is not None and _number(side, 10) <= 1 for side in sides))
        or "scale(0" in style.get("transform", "")
    )


def _is_off_page(style: Mapping[str, str]) -> bool:
    placed = style.get("position") in {"absolute", "fixed"}
    names = ("text-indent", "margin-left", "margin-top", *(("left", "top", "right", "bottom") if placed else ()))
    return any(_number(style[name], 0) <= _FAR for name in names if name in style)


def _number(value: str, otherwise: float) -> float:
    found = _NUMBER.match(value)
    return float(found[0]) if found else otherwise


def _colour(value: str | None) -> Colour | None:
    """A colour of CSS as red, green and blue from 0 to 255; None if there is none."""
    value = (value or "").strip().lower()
    if not value or value in {"none", "inherit", "initial", "transparent", "currentcolor", "auto"}:
        return None
    if match := re.match(r"#([0-9a-f]{6}|[0-9a-f]{3})\b", value):
        digits = match[1] if len(match[1]) == 6 else "".join(2 * digit for digit in match[1])
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    if match := re.match(r"rgba?\(([^)]{1,60})\)", value):
        parts = [_number(p, 0) * (2.55 if p.endswith("%") else 1) for p in re.split(r"[\s,/]+", match[1].strip())[:3]]
        return (int(parts[0]), int(parts[1]), int(parts[2])) if len(parts) == 3 else _OTHER_COLOUR
    return _NAMED_COLOURS.get(value.split()[0], _OTHER_COLOUR)


def _near(one: Colour, other: Colour) -> bool:
    return min(one) >= 0 and min(other) >= 0 and max(abs(a - b) for a, b in zip(one, other, strict=True)) <= _NEAR


def _comments(text: str) -> Iterator[tuple[int, int, str, Reason]]:
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start + 4)
        if end < 0:
            return
        yield start, end + 3, text[start + 4 : end], Reason.INVISIBLE
        start = text.find("<!--", end)


def _hidden_elements(text: str) -> Iterator[tuple[int, int, str, Reason]]:
    """Elements that are marked as hidden, the outermost of each; one that is never closed ends with its paragraph."""
    open_tags: list[tuple[str, Colour]] = []
    hiding: tuple[re.Match[str], Reason] | None = None
    depth = 0
    for tag in _TAG.finditer(text):
        closing, name = bool(tag[1]), tag[2].lower()
        if hiding is not None:
            if name == hiding[0][2].lower() and not tag[4]:
                depth += -1 if closing else 1
                if depth == 0:
                    yield hiding[0].start(), tag.end(), text[hiding[0].end() : tag.start()], hiding[1]
                    hiding = None
            continue
        if closing:
            if open_tags and any(other == name for other, _ in open_tags):
                while open_tags.pop()[0] != name:
                    pass
            continue
        attributes = {match[1].lower(): (match[2] or "").strip("\"'") for match in _ATTRIBUTE.finditer(tag[3])}
        reason, background = _judged(attributes, open_tags[-1][1] if open_tags else _WHITE)
        if name in _VOID or tag[4]:
            continue
        if reason is not None:
            hiding, depth = (tag, reason), 1
        elif attributes:
            open_tags.append((name, background))
    if hiding is not None:
        blank = _BLANK_LINE.search(text, hiding[0].end())
        end = blank.start() if blank else len(text)
        yield hiding[0].start(), end, text[hiding[0].end() : end], hiding[1]
