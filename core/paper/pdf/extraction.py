"""From a page's characters to its lines: text with the place, size and font that the layout is read from."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from operator import itemgetter

import pypdfium2

from core.paper.model import SetAside
from core.paper.pdf.characters import Characters, Font
from core.paper.pdf.hidden import without_clipped
from core.paper.pdf.limits import LINES_OF_PAGE, SIDE_OF_PAGE, PageTooLarge
from core.paper.pdf.lines import Line, PageLines
from core.paper.pdf.mending import MARK, close_up, is_spaced, joins, mend
from core.paper.pdf.page_text import open_text
from core.paper.pdf.raised import mark_raised
from core.paper.pdf.unseen import Eyes, Unseen

# PDFium writes a hyphen that ends a line as U+FFFE or U+0002, and sometimes leaves out the line break after it.
_LINE_END = re.compile(r"([\ufffe\x02])(?:\r\n)?|\r\n|\Z")
_HYPHEN_AT_END = re.compile(r"[^\W\d_][-\xad]$")
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"\S+")
_SPACE_BEFORE_POINT = re.compile(r" (?<=[\]\d)] )([.,;:)])(?=\s|$)")  # after raised text: "slept[3] ."
_LINE_NUMBER = 0.8  # of the size of type, that the numbers of a manuscript's lines have at most
# A ligature after which PDFium sees a gap where there is none: "defi ned". Other words are torn by a space of no
# width, where the typesetter allowed a line to break.
_SPLIT_LIGATURE = re.compile(r"f[fil]{1,2}$|ﬀ$|ﬁ$|ﬂ$|ﬃ$|ﬄ$")


def page_lines(page: pypdfium2.PdfPage, number: int, eyes: Eyes, set_aside: list[SetAside]) -> PageLines:
    """Read one page; what nobody can see there is added to `set_aside` instead. Call under the lock.

    Raises `pypdfium2.PdfiumError` if PDFium cannot, or `PageTooLarge`.
    """
    left, bottom, right, top = page.get_bbox()  # what is shown of the page, before it is turned
    width, height = right - left, top - bottom
    if max(width, height) > SIDE_OF_PAGE:
        raise PageTooLarge
    with open_text(page) as (textpage, characters):
        _leave_out(eyes.unseen(page, textpage, characters.text), characters, number, set_aside)
        lines = _Reader(characters, number).lines()
        if len(lines) > LINES_OF_PAGE:
            raise PageTooLarge
        lines = without_clipped(lines, textpage.raw)
    turned = sum(len(line.text) for line in lines if line.angle)
    if turned * 2 > sum(len(line.text) for line in lines):  # a table set sideways: read it as the reader would turn it
        width, height = height, width
        lines = [line for line in lines if line.angle]
    else:
        lines = [line for line in lines if not line.angle]
    moves = ((-left, -bottom), (-bottom, right), (right, top), (top, -left))  # to the page's corner, for each angle
    lines = [_moved(line, *moves[line.angle]) if any(moves[line.angle]) else line for line in lines]
    lines = [line for line in lines if -5 < line.x0 < width + 5 and -5 < line.y < height + 5]
    return PageLines(number, width, height, lines)


def _leave_out(found: list[Unseen], characters: Characters, number: int, set_aside: list[SetAside]) -> None:
    """Blank what cannot be seen, so that all other characters keep their place, and list what may be a message."""
    text = characters.text
    for unseen in found:
        text = text[: unseen.start] + " " * (unseen.stop - unseen.start) + text[unseen.stop :]
    characters.text = text
    set_aside += [SetAside(unseen.text, unseen.reason, number) for unseen in found if unseen.worth_listing]


def _moved(line: Line, right: float, up: float) -> Line:
    spans = tuple((x0 + right, x1 + right) for x0, x1 in line.spans)
    return replace(line, x0=line.x0 + right, x1=line.x1 + right, y=line.y + up, spans=spans)


class _Reader:
    """Asks PDFium for the place of words, and for single characters only where something hangs on them."""

    def __init__(self, characters: Characters, number: int) -> None:
        self.characters = characters
        self.text = characters.text
        self.number = number

    def lines(self) -> list[Line]:
        lines: list[Line] = []
        start = 0
        for match in _LINE_END.finditer(self.text):
            words = [word.span() for word in _WORD.finditer(self.text, start, match.start())]
            start = match.end()
            if words:
                cells = self._cells(words, match.start(), hyphenated=match[1] is not None)
                if lines and cells[0].text[0].isdigit():
                    self._mark_start(lines[-1], cells[0])
                for cell in cells:
                    before = lines[-2:-1] if _numbers_line(lines) else lines[-1:]
                    if not (before and joins(before[0], cell)):
                        lines.append(cell)
        mend(lines)
        for line in lines:
            if is_spaced(line):
                close_up(line)
        return lines

    def _mark_start(self, line: Line, rest: Line) -> None:
        """Mark the raised numbers that `rest` begins with, where PDFium broke `line` right before them."""
        gap, size = rest.x0 - line.x1, rest.size
        if line.size != size or abs(line.y - rest.y) > 0.1 * size or not -0.5 * size < gap < 0.12 * size:
            return
        word, numbers = line.text.rpartition(" ")[2], rest.text.partition(" ")[0]
        rise = self._rise(rest.at, rest.y, rest.angle, size)
        marked = mark_raised(word + numbers, [], lambda at: rise(at - len(word)) if at >= len(word) else 0.0, size)
        rest.text = marked[len(word) :] + rest.text[len(numbers) :]

    def _cells(self, words: list[tuple[int, int]], end: int, *, hyphenated: bool) -> list[Line]:
        """The line that some words make up, which ends at `end`; more than one where gaps cut it into cells."""
        reference = self._reference(words)
        angle = self.characters.angle(reference)
        spans = self.characters.extents(words, angle)
        size = self.characters.size(reference)
        gaps = [after[0] - before[1] for before, after in pairwise(spans)]
        cuts = self._cuts(words, gaps, size)
        if 1 not in cuts and self._begins_with_line_number(words, angle):
            cuts.insert(0, 1)
        if not cuts:
            lines = [self._line(words, spans, gaps, angle=angle, reference=reference, size=size)]
        else:
            lines = []
            for first, last in zip([0, *cuts], [*cuts, len(words)], strict=True):
                cell = words[first:last]
                reference = self._reference(cell)
                size = self.characters.size(reference)
                lines.append(
                    self._line(
                        cell, spans[first:last], gaps[first : last - 1], angle=angle, reference=reference, size=size
                    )
                )
        ending = lines[-1]
        ending.stop = end + hyphenated  # with PDFium's own sign for the hyphen
        if ending.text.endswith(("-", "\xad")) and _HYPHEN_AT_END.search(ending.text[-2:]):
            ending.text, hyphenated = ending.text[:-1], True
        for line in lines:
            line.text = line.text.replace("\xad", "")
        ending.hyphenated = hyphenated and ending.text[-1:].isalnum()
        return lines

    def _reference(self, words: list[tuple[int, int]]) -> int:
        """Where the longest word begins: what it is set in, the line is. Numbers may be raised, so a word of letters is better."""
        lengths = [end - start for start, end in words]
        at = words[lengths.index(max(lengths))][0]
        if not self.text[at].isdigit():
            return at
        return max((word for word in words if self.text[word[0]].isalpha()), key=_length, default=(at, 0))[0]

    def _cuts(self, words: list[tuple[int, int]], gaps: list[float], size: float) -> list[int]:
        """Where a gap is too wide to be a space of this line."""
        if not gaps or (max(gaps) < 1.2 * size and min(gaps) > -2 * size):
            return []
        figures = sum(any(map(str.isdigit, self.text[start:end])) for start, end in words)
        # Justified lines have wide gaps throughout; the cells of a table have narrow ones inside them, or are numbers.
        usual = sorted(gaps)[len(gaps) // 4] if len(gaps) > 2 and 2 * figures < len(words) else 0.3 * size
        cuts: list[int] = []
        for index, gap in enumerate(gaps, 1):
            if gap > max(1.2 * size, 2.2 * usual) or gap < -2 * size:
                start = words[cuts[-1] if cuts else 0][0]
                if not MARK.fullmatch(self.text[start : words[index - 1][1]]) or gap > 4 * size:
                    cuts.append(index)
        return cuts

    def _begins_with_line_number(self, words: list[tuple[int, int]], angle: int) -> bool:
        """Whether the first word is the number of the line: digits in smaller type, which are not raised."""
        if len(words) < 2 or not self.text[slice(*words[0])].isdigit():
            return False
        number, word = words[0][0], words[1][0]
        size = self.characters.size(word)
        if self.characters.size(number) > _LINE_NUMBER * size:
            return False
        return abs(self.characters.baseline(number, angle) - self.characters.baseline(word, angle)) < 0.1 * size

    def _line(
        self,
        words: list[tuple[int, int]],
        spans: list[tuple[float, float]],
        gaps: list[float],
        *,
        angle: int,
        reference: int,
        size: float,
    ) -> Line:
        first, end = words[0][0], words[-1][1]
        baseline = self.characters.baseline(reference, angle)
        text = " ".join(self.text[first:end].split())
        if _DIGIT.search(text) or (gaps and min(gaps) < 0.1 * size):
            text = self._careful_text(words, gaps, baseline, angle, size)
        font, lead = self._font_and_lead(words, reference)
        return Line(
            text=text,
            page=self.number,
            x0=spans[0][0],
            x1=max(map(itemgetter(1), spans)),
            y=baseline,
            size=size,
            font=font,
            hyphenated=False,
            words=len(words),
            lead=lead,
            angle=angle,
            initial=self.text[first].isupper() and self.characters.size(first) > 1.8 * size,
            spans=tuple(spans),
            at=first,
            stop=end,
        )

    def _careful_text(
        self, words: list[tuple[int, int]], gaps: list[float], baseline: float, angle: int, size: float
    ) -> str:
        """The text of a line in which raised numbers are marked and torn words joined."""
        pieces: list[str] = []
        for index, (start, end) in enumerate(words):
            word = self.text[start:end]
            if pieces:
                gap = gaps[index - 1]
                torn = gap < 0.1 * size and word[0].islower() and pieces[-1][-1:].isalpha()
                pieces.append("" if torn and _is_torn(pieces[-1], gap, gaps) else " ")
            if word.rstrip(".,;:)]*")[-1:].isdigit():
                word = mark_raised(word, pieces, self._rise(start, baseline, angle, size), size)
            pieces.append(word)
        return _SPACE_BEFORE_POINT.sub(r"\1", "".join(pieces))

    def _rise(self, start: int, baseline: float, angle: int, size: float) -> Callable[[int], float]:
        """How far a small character of the word at `start` stands above the baseline."""

        def rise(at: int) -> float:
            height = self.characters.baseline(start + at, angle) - baseline
            return height if height < 0.15 * size or self.characters.size(start + at) < 0.9 * size else 0.0

        return rise

    def _font_and_lead(self, words: list[tuple[int, int]], reference: int) -> tuple[Font, str]:
        """The font of a line, and the bold or italic words that it begins with before it goes on in another.

        The font is that of its longest word; but bold or italic only if the line begins and ends so.
        """
        font_at = self.characters.font
        font = font_at(reference)
        first = font_at(words[0][0]) if words[0][0] != reference else font
        if not (font.bold or font.italic or first.bold or first.italic):
            return font, ""
        last = font_at(words[-1][1] - 1)
        lead = ""
        if (first.bold or first.italic) and last != first:
            count = next((n for n, (start, _) in enumerate(words) if font_at(start) != first), len(words))
            lead = self.text[words[0][0] : words[count - 1][1]]
        if font.bold or font.italic:
            slope = (font.bold, font.italic)
            font = next((other for other in (last, first) if (other.bold, other.italic) != slope), font)
        return font, lead


def _numbers_line(lines: list[Line]) -> bool:
    """Whether the last piece is the number, in the margin, of the line that the piece before it belongs to."""
    if len(lines) < 2 or not lines[-1].text.isdigit():
        return False
    line, number = lines[-2:]
    beside = number.x1 < line.x0 or number.x0 > line.x1 + line.size
    return beside and number.size < _LINE_NUMBER * line.size and abs(number.y - line.y) < 0.1 * line.size


def _length(word: tuple[int, int]) -> int:
    return word[1] - word[0]


def _is_torn(piece: str, gap: float, gaps: list[float]) -> bool:
    """Whether a gap as narrow as this one stands inside a word."""
    usual = statistics.median(gaps) if len(gaps) > 2 else 2.0
    return gap < (0.5 * usual if _SPLIT_LIGATURE.search(piece) else 0)
