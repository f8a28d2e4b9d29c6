"""From a page's characters to its lines: text with the place, size and font that the layout is read from."""

from __future__ import annotations

import ctypes
import math
import re
import statistics
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import pypdfium2
import pypdfium2.raw as pdfium

from core.paper.pdf.raised import mark_raised

# PDFium writes a hyphen that ends a line as U+FFFE or U+0002, and sometimes leaves out the line break after it.
_LINE = re.compile(r"(.*?)(?:([\ufffe\x02])(?:\r\n)?|\r\n|$)", re.DOTALL)
_WORD = re.compile(r"\S+")
_BOLD = re.compile(r"bold|black|heavy|demi|[-.,_]b[di]?$|[-.](?:bx|medi)|semib", re.IGNORECASE)
_ITALIC = re.compile(r"ital|obli|[-.,_]b?i$", re.IGNORECASE)
_SPACE_BEFORE_POINT = re.compile(r"(?<=[\]\d)]) ([.,;:)])(?=\s|$)")  # after raised text: "slept[3] ."
_POINT = re.compile(r"[.,;:)](?=\s|$)")
_ENOUGH_OVERLAPS = 3  # lines that lie across another line: fewer can be accidents of typesetting
_FORCE_BOLD, _ITALIC_FLAG = 1 << 18, 1 << 6
# What may stand before a wide gap without being a cell of a table: numbering and bullets.
_MARK = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*[.)]?|[•▪■●◆►–—*·|○§-]|\(?[a-zA-Z0-9]{1,3}[.)]|[IVX]+\.)(?:\s\|)?")
# A ligature after which PDFium sees a gap where there is none: "defi ned". Other words are torn by a space of no
# width, where the typesetter allowed a line to break.
_SPLIT_LIGATURE = re.compile(r"f[fil]{1,2}$|ﬀ$|ﬁ$|ﬂ$|ﬃ$|ﬄ$")


@dataclass(frozen=True, slots=True)
class Font:
    """A font as headings are told by it. `name` is without the prefix of a subset."""

    name: str
    bold: bool
    italic: bool


@dataclass(slots=True)
class Line:
    """A line of one column, or one cell of a table row. Points, the origin at the bottom left; y is the baseline."""

    text: str
    page: int  # counted from 1
    x0: float
    x1: float
    y: float
    size: float
    font: Font
    hyphenated: bool  # ends in a hyphen that only the line break asked for
    words: int
    lead: str = ""  # the bold or italic words that the line begins with, where the rest is set otherwise
    angle: int = 0  # quarter turns anticlockwise
    initial: bool = False  # begins with a large initial
    at: int = 0  # the index of its first character on the page, as PDFium counts

    @property
    def style(self) -> tuple[str, float]:
        """What tells one kind of text from another: font and size."""
        return self.font.name, self.size

    @property
    def width(self) -> float:
        return self.x1 - self.x0


@dataclass(frozen=True, slots=True)
class PageLines:
    """The lines of one page in the order in which the file draws them."""

    number: int
    width: float
    height: float
    lines: list[Line]


def page_lines(page: pypdfium2.PdfPage, number: int) -> PageLines:
    """Read one page. Call under the lock. Raises `pypdfium2.PdfiumError` if PDFium cannot."""
    width, height = page.get_size()
    textpage = page.get_textpage()
    try:
        lines = _without_clipped(_Reader(textpage.raw, number).lines(), textpage.raw)
    finally:
        textpage.close()
    turned = sum(len(line.text) for line in lines if line.angle)
    if turned * 2 > sum(len(line.text) for line in lines):  # a table set sideways: read it as the reader would turn it
        width, height = height, width
        lines = [line for line in lines if line.angle]
        floor = min(line.y for line in lines)
        left = min(line.x0 for line in lines)
        if floor < 0 or left < 0:
            lines = [
                replace(line, y=line.y - min(floor, 0) + 36, x0=line.x0 - min(left, 0), x1=line.x1 - min(left, 0))
                for line in lines
            ]
    else:
        lines = [line for line in lines if not line.angle and -5 < line.x0 < width + 5 and -5 < line.y < height + 5]
    return PageLines(number, width, height, lines)


def _without_clipped(lines: list[Line], raw: pdfium.FPDF_TEXTPAGE) -> list[Line]:
    """Without the text of a page that was placed as a picture and cut to size: it lies, unseen, across the real text."""
    ordered = sorted((line for line in lines if line.words > 3 and not line.angle), key=lambda line: -line.y)
    pairs = [
        (upper, lower)
        for upper, lower in pairwise(ordered)
        if upper.y - lower.y < 0.7 * lower.size
        and min(upper.x1, lower.x1) - max(upper.x0, lower.x0) > 0.5 * lower.width
    ]
    if len(pairs) < _ENOUGH_OVERLAPS:
        return lines
    clipped = {id(line) for line in lines if _is_clipped(raw, line.at)}
    if sum((id(upper) in clipped) != (id(lower) in clipped) for upper, lower in pairs) < 0.5 * len(pairs):
        return lines
    return [line for line in lines if id(line) not in clipped]


def _is_clipped(raw: pdfium.FPDF_TEXTPAGE, index: int) -> bool:
    text_object = pdfium.FPDFText_GetTextObject(raw, index)
    path = pdfium.FPDFPageObj_GetClipPath(text_object) if text_object else None
    return bool(path) and pdfium.FPDFClipPath_CountPaths(path) > 0


def _joins(line: Line, rest: Line) -> bool:
    """Join to a line what PDFium split from it, after raised text as a rule; False where `rest` is a line of its own."""
    gap = rest.x0 - line.x1
    if (
        len(line.text) < 3
        and line.size < 0.85 * rest.size
        and 0.1 < (line.y - rest.y) / rest.size < 0.7
        and 0 <= gap + 1 < rest.size
    ):
        line.text, line.size, line.font, line.y = (
            f"{line.text} {rest.text}",
            rest.size,
            rest.font,
            rest.y,
        )  # a note's mark
        line.x1, line.words, line.hyphenated = rest.x1, line.words + rest.words, rest.hyphenated
        return True
    reach = (2 if _MARK.fullmatch(line.text) else 0.7) * line.size
    if abs(line.y - rest.y) > 0.1 * line.size or line.size != rest.size or not -0.5 * line.size < gap < reach:
        return False
    near = gap < 0.12 * line.size or _POINT.match(rest.text)
    line.text += rest.text if near else f" {rest.text}"
    line.x1, line.words, line.hyphenated = rest.x1, line.words + rest.words, rest.hyphenated
    if line.font != rest.font and (line.font.bold or line.font.italic):
        line.lead, line.font = line.lead or line.text[: len(line.text) - len(rest.text)].strip(), rest.font
    return True


@lru_cache(maxsize=2000)
def _font(name: str, flags: int) -> Font:
    name = re.sub(r"^[A-Z]{6}\+", "", name)
    return Font(
        name, bool(flags & _FORCE_BOLD or _BOLD.search(name)), bool(flags & _ITALIC_FLAG or _ITALIC.search(name))
    )


class _Reader:
    """Asks PDFium for the place of words, and for single characters only where something hangs on them."""

    def __init__(self, raw: pdfium.FPDF_TEXTPAGE, number: int) -> None:
        self.raw = raw
        self.number = number
        self.text = _text_of(raw)
        self.box = pdfium.FS_RECTF()
        self.matrix = pdfium.FS_MATRIX()
        self.name = ctypes.create_string_buffer(128)
        self.flags = ctypes.c_int()
        self.x, self.y = ctypes.c_double(), ctypes.c_double()

    def lines(self) -> list[Line]:
        lines: list[Line] = []
        for match in _LINE.finditer(self.text):
            if match.end(1) > match.start(1):
                for line in self._cells(match.start(1), match.end(1), hyphenated=match[2] is not None):
                    if not (lines and _joins(lines[-1], line)):
                        lines.append(line)
        return lines

    def _cells(self, start: int, end: int, *, hyphenated: bool) -> list[Line]:
        words = [match.span() for match in _WORD.finditer(self.text, start, end)]
        if not words:
            return []
        reference = max(words, key=lambda span: span[1] - span[0])[0]
        angle = round(pdfium.FPDFText_GetCharAngle(self.raw, reference) / (math.pi / 2)) % 4
        spans = [self._extent(first, last - 1, angle) for first, last in words]
        size = self._size(reference)
        cuts = self._cuts(words, spans, size)
        lines = []
        for first, last in zip([0, *cuts], [*cuts, len(words)], strict=True):
            lines.append(self._line(words[first:last], spans[first:last], angle))
        lines[-1].hyphenated = hyphenated and self.text[end - 1].isalnum()
        return lines

    def _cuts(self, words: list[tuple[int, int]], spans: list[tuple[float, float]], size: float) -> list[int]:
        """Where a gap is too wide to be a space of this line."""
        gaps = [after[0] - before[1] for before, after in pairwise(spans)]
        if not gaps or max(gaps, key=abs) < 1.2 * size:
            return []
        figures = sum(any(map(str.isdigit, self.text[start:end])) for start, end in words)
        # Justified lines have wide gaps throughout; the cells of a table have narrow ones inside them, or are numbers.
        usual = sorted(gaps)[len(gaps) // 3] if len(gaps) > 2 and 2 * figures < len(words) else 0.3 * size
        cuts: list[int] = []
        for index, gap in enumerate(gaps, 1):
            if gap > max(1.2 * size, 2.2 * usual) or gap < -2 * size:
                start = words[cuts[-1] if cuts else 0][0]
                if not _MARK.fullmatch(self.text[start : words[index - 1][1]]) or gap > 4 * size:
                    cuts.append(index)
        return cuts

    def _line(self, words: list[tuple[int, int]], spans: list[tuple[float, float]], angle: int) -> Line:
        reference = max(words, key=lambda span: span[1] - span[0])[0]
        size = self._size(reference)
        font = self._whole_font(words, reference)
        baseline = self._baseline(reference, angle)
        pieces: list[str] = []
        for index, (start, end) in enumerate(words):
            word = self.text[start:end]
            if pieces:
                gap = (spans[index][0] - spans[index - 1][1]) / size
                torn = gap < 0.1 and word[0].islower() and pieces[-1][-1:].isalpha()
                pieces.append("" if torn and self._is_torn(pieces[-1], gap * size, spans) else " ")
            pieces.append(mark_raised(word, pieces, self._rise(start, baseline, angle, size), size))
        first, last = words[0][0], words[-1][1] - 1
        return Line(
            text=_SPACE_BEFORE_POINT.sub(r"\1", "".join(pieces)),
            page=self.number,
            x0=spans[0][0],
            x1=max(span[1] for span in spans),
            y=baseline,
            size=size,
            font=font,
            hyphenated=False,
            words=len(words),
            lead=self._lead(words) if last > first else "",
            angle=angle,
            initial=self.text[first].isupper() and self._size(first) > 1.8 * size,
            at=first,
        )

    @staticmethod
    def _is_torn(piece: str, gap: float, spans: list[tuple[float, float]]) -> bool:
        """Whether a gap as narrow as this one stands inside a word."""
        gaps = [after[0] - before[1] for before, after in pairwise(spans)]
        usual = statistics.median(gaps) if len(gaps) > 2 else 2.0
        return gap < (0.5 * usual if _SPLIT_LIGATURE.search(piece) else 0)

    def _rise(self, start: int, baseline: float, angle: int, size: float) -> Callable[[int], float]:
        """How far a small character of the word at `start` stands above the baseline."""

        def rise(at: int) -> float:
            height = self._baseline(start + at, angle) - baseline
            return height if height < 0.15 * size or self._size(start + at) < 0.9 * size else 0.0

        return rise

    def _whole_font(self, words: list[tuple[int, int]], reference: int) -> Font:
        """The font of the longest word; but bold or italic only if the line begins and ends so."""
        font = self._font(reference)
        if font.bold or font.italic:
            first, last = self._font(words[0][0]), self._font(words[-1][0])
            return next(
                (other for other in (last, first) if (other.bold, other.italic) != (font.bold, font.italic)), font
            )
        return font

    def _lead(self, words: list[tuple[int, int]]) -> str:
        """The bold or italic words at the start of a line that goes on in another font."""
        font = self._font(words[0][0])
        if not (font.bold or font.italic) or self._font(words[-1][1] - 1) == font:
            return ""
        count = next((n for n, (start, _) in enumerate(words) if self._font(start) != font), len(words))
        return self.text[words[0][0] : words[count - 1][1]]

    def _extent(self, first: int, last: int, angle: int) -> tuple[float, float]:
        """Where a run of characters begins and ends along its line."""
        box = self.box
        pdfium.FPDFText_GetLooseCharBox(self.raw, first, box)
        start = (box.left, box.bottom, -box.right, -box.top)[angle]
        if last != first:
            pdfium.FPDFText_GetLooseCharBox(self.raw, last, box)
        return start, (box.right, box.top, -box.left, -box.bottom)[angle]

    def _baseline(self, index: int, angle: int) -> float:
        pdfium.FPDFText_GetCharOrigin(self.raw, index, self.x, self.y)
        return float((self.y.value, -self.x.value, -self.y.value, self.x.value)[angle])

    def _size(self, index: int) -> float:
        pdfium.FPDFText_GetMatrix(self.raw, index, self.matrix)
        scale = math.hypot(self.matrix.c, self.matrix.d)
        return round(float(pdfium.FPDFText_GetFontSize(self.raw, index)) * scale, 1)

    def _font(self, index: int) -> Font:
        pdfium.FPDFText_GetFontInfo(self.raw, index, self.name, len(self.name), self.flags)
        return _font(self.name.value.decode("latin-1"), self.flags.value)


def _text_of(raw: pdfium.FPDF_TEXTPAGE) -> str:
    """The page's text, one element for each of PDFium's characters, so that indices agree."""
    count = pdfium.FPDFText_CountChars(raw)
    if count <= 0:
        return ""
    buffer = (ctypes.c_ushort * (count * 2 + 1))()
    written = pdfium.FPDFText_GetText(raw, 0, count, buffer)
    text = bytes(buffer)[: max(written - 1, 0) * 2].decode("utf-16-le", "replace")
    if len(text) == count:
        return text
    points = (pdfium.FPDFText_GetUnicode(raw, index) for index in range(count))
    return "".join(chr(point) if 0 < point < 0x110000 and not 0xD800 <= point < 0xE000 else " " for point in points)
