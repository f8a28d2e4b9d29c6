"""What the body of a paper is set in, measured over all its pages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache

from core.paper.pdf.captions import starts_caption
from core.paper.pdf.characters import in_tenths
from core.paper.pdf.lines import Line, PageLines
from core.paper.sections import is_left_out, main_kind

_FAMILY_END = re.compile(r"[-.,]|Regular|Roman|Light|Medium|Book|(?<=[a-z])(?:Ital|Bold)|MT\b")
_PROSE_WORDS = 5
_FEW_LINES = 3
_SMALL_CAPITALS = 0.75  # of the size of body text, that headings in small capitals have at least
_NEAR = 0.35  # points by which sizes of one kind of text may differ
_SHARE = 0.1  # of a paper's prose that a second size of body text (methods in small print) has at least


@dataclass(frozen=True, slots=True)
class Typography:
    """The size of body text, the styles it is set in, and the width of its columns."""

    size: float
    font: str
    styles: frozenset[tuple[str, float]]
    width: float
    leading: float

    def is_body(self, line: Line) -> bool:
        """Whether a line is set like body text. Bold and italic words of that size count, whole bold lines do not."""
        if (line.font.name, line.size) in self.styles:
            return True
        if abs(line.size - self.size) >= _NEAR or line.font.bold:
            return False
        full = line.words > 5 and line.width > 0.6 * self.width
        return full or (family(line.font.name) == family(self.font) and (not line.font.italic or line.words > 3))

    def has_begun(self, flow: list[Line]) -> bool:
        """Whether a page has a few lines of the body in its flow of text."""
        return sum(line.words >= _PROSE_WORDS and self.is_body(line) for line in flow) >= _FEW_LINES

    def is_emphatic(self, line: Line) -> bool:
        """Whether a line is set to stand out, as headings are."""
        if line.size < (_SMALL_CAPITALS if line.text.isupper() else 0.85) * self.size:
            return False
        return (
            line.font.bold
            or line.font.italic
            or line.size > self.size + 0.6
            or line.text.isupper()
            or (line.font.name != self.font)
        )


def measure(pages: list[PageLines]) -> Typography | None:
    """The typography of a paper's body; None where it has hardly any prose."""
    prose = Counter[tuple[str, float]]()
    widths: dict[tuple[str, float], Counter[int]] = defaultdict(Counter)
    gaps = Counter[float]()
    in_references = False
    for page in pages:
        before: Line | None = None
        in_caption = False
        for line in page.lines:
            is_prose = line.words >= _PROSE_WORDS
            if not is_prose:
                in_references = names_references(line.text) or (in_references and main_kind(line.text) is None)
            if in_references:
                continue
            style, gap, same = line.style, 0.0, False
            if before is not None:
                gap, same = before.y - line.y, before.style == style
            if starts_caption(line):
                in_caption = True
            elif in_caption and (not same or gap > 2.5 * line.size):
                in_caption = False
            if is_prose and not in_caption and not line.font.bold:
                prose[style] += len(line.text)
                widths[style][round(line.width / 4)] += 1
                if same and 0 < gap < 3 * line.size:
                    gaps[in_tenths(gap)] += 1
            before = line
    if not prose:
        return None
    style = prose.most_common(1)[0][0]
    total = sum(prose.values())
    styles = {
        other
        for other, count in prose.items()
        if family(other[0]) == family(style[0])
        and 0.72 * style[1] <= other[1] <= 1.15 * style[1]
        and count >= _SHARE * total
    }
    return Typography(
        size=style[1],
        font=style[0],
        styles=frozenset(styles | {style}),
        width=4.0 * widths[style].most_common(1)[0][0],
        leading=gaps.most_common(1)[0][0] if gaps else 1.2 * style[1],
    )


@lru_cache(maxsize=1000)
def family(font: str) -> str:
    """The family of a font by its name: “Frutiger” of “Frutiger-Light”."""
    return _FAMILY_END.split(font, maxsplit=1)[0]


def names_references(text: str) -> bool:
    """Whether a line is the heading of a bibliography."""
    return text[:1].isupper() and len(text) < 40 and text.casefold().startswith(("ref", "lit")) and is_left_out(text)
