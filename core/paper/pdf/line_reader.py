"""From the words of a page to its lines, and the cells that wide gaps cut them into."""

from __future__ import annotations

import re
import statistics
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import pairwise

from core.paper.pdf.characters import Characters, Font, Type
from core.paper.pdf.lines import Line
from core.paper.pdf.mending import MARK, close_up, is_spaced, joins, mend
from core.paper.pdf.raised import is_raised, mark_raised
from core.paper.pdf.words import Words

# PDFium writes a hyphen that ends a line as U+FFFE or U+0002, and sometimes leaves out the line break after it.
_SIGNS = frozenset(("\ufffe", "\x02"))
_OWN_HYPHENS = frozenset(("-", "\xad"))
_LINE_END = re.compile("\ufffe|\x02|\r\n")
_HYPHEN_AT_END = re.compile(r"[^\W\d_][-\xad]$")
_DIGIT = re.compile(r"\d")
_SPACE_BEFORE_POINT = re.compile(r" (?<=[\]\d)] )([.,;:)])(?=\s|$)")  # after raised text: "slept[3] ."
_POINTS = frozenset(".,;:)")
_LAST_DIGIT = re.compile(r"\d[.,;:)\]]*+(?![^\s\ufffe\x02])")  # of a word: a raised number would end there
_LINE_NUMBER = 0.8  # of the size of type, that the numbers of a manuscript's lines have at most
_STEP = 0.08  # of the size of type, by which the baselines of two words of one line may differ
_TORN = 0.1  # of the size of type: a gap that may stand inside a word
# A ligature after which PDFium sees a gap where there is none: "defi ned". Other words are torn by a space of no
# width, where the typesetter allowed a line to break.
_SPLIT_LIGATURE = re.compile(r"f[fil]{1,2}$|ﬀ$|ﬁ$|ﬂ$|ﬃ$|ﬄ$")

# Some words of a line as PDFium breaks it, all of them or those between two wide gaps: the first one, where they stop,
# the one whose type and baseline are theirs, the angle, and the character that ends the line; None where it goes on.
_Cell = tuple[int, int, int, int, int | None]


class LineReader:
    """Asks PDFium for the place of words, and for single characters only where something hangs on them."""

    def __init__(self, characters: Characters, number: int) -> None:
        self.characters = characters
        self.text = characters.text
        self.number = number
        self.words = Words(characters)
        self._types: dict[int, Type] = {}  # what words are set in, as far as it is known
        self._digits = [match.start() for match in _LAST_DIGIT.finditer(self.text)]
        self._heights = characters.baselines(self._digits)
        self._has_soft_hyphens = "\xad" in self.text
        self._has_points = not _POINTS.isdisjoint([text for text in self.words.texts if len(text) == 1])

    def lines(self) -> list[Line]:
        lines: list[Line] = []
        for line, begins in self._cells():
            if lines:
                last = lines[-1]
                if begins and line.text[:1].isdigit():
                    self._mark_start(last, line)
                if last.text.isdigit() and _numbers_line(lines):
                    last = lines[-2]
                if abs(last.y - line.y) < max(last.size, line.size) and joins(last, line):
                    continue
            lines.append(line)
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

    def _cells(self) -> Iterator[tuple[Line, bool]]:
        """The lines as PDFium breaks them, or the cells that gaps cut them into; and which of them begin a line."""
        rows = self._rows()
        references = [self.words.longest(first, stop) for first, stop, _ in rows]
        self._types.update(zip(references, self.words.types(references), strict=True))
        cells: list[_Cell] = []
        for (first, stop, end), reference in zip(rows, references, strict=True):
            angle, size, _ = self._types[reference]
            if angle:
                self.words.turn(first, stop, angle)
            if not (cuts := self._cuts(first, stop, size, angle)):
                cells.append((first, stop, reference, angle, end))
                continue
            for begin, until in pairwise([first, *cuts, stop]):
                cells.append((begin, until, self.words.longest(begin, until), angle, end if until == stop else None))
        others = [word for first, _, reference, _, _ in cells for word in (first, reference) if word not in self._types]
        self._types.update(zip(others, self.words.types(others), strict=True))
        baselines = self.characters.baselines([self.words.firsts[cell[2]] for cell in cells])
        begins = True
        for cell, baseline in zip(cells, baselines, strict=True):
            yield self._line(cell, baseline), begins
            begins = cell[-1] is not None

    def _rows(self) -> list[tuple[int, int, int]]:
        """Of each line of PDFium its first word, where its words stop, and its last character."""
        rows: list[tuple[int, int, int]] = []
        first = 0
        for end in [*(match.start() for match in _LINE_END.finditer(self.text)), len(self.text)]:
            stop = bisect_left(self.words.firsts, end, first)
            if first < stop:
                rows.append((first, stop, end))
                first = stop
        return rows

    def _cuts(self, first: int, stop: int, size: float, angle: int) -> list[int]:
        """The words of a line before which a gap is too wide to be a space of it."""
        words = self.words
        gaps = words.gaps[first : stop - 1]
        cuts: list[int] = []
        if gaps and (max(gaps) >= 1.2 * size or min(gaps) <= -2 * size):
            usual = 0.3 * size
            if len(gaps) > 2:
                # Justified lines have wide gaps throughout; the cells of a table have narrow ones inside, or are numbers.
                figures = sum(any(map(str.isdigit, text)) for text in words.texts[first:stop])
                usual = sorted(gaps)[len(gaps) // 4] if 2 * figures <= len(gaps) else usual
            for word, gap in enumerate(gaps, first + 1):
                wide = gap > 1.2 * size and (gap > 2.2 * usual or self._steps(word, size, angle))
                if wide or gap < -2 * size:
                    start = words.firsts[cuts[-1] if cuts else first]
                    if not MARK.fullmatch(self.text[start : words.stops[word - 1]]) or gap > 4 * size:
                        cuts.append(word)
        if first + 1 not in cuts and words.texts[first].isdigit() and self._begins_with_line_number(first, stop, angle):
            cuts.insert(0, first + 1)
        return cuts

    def _steps(self, word: int, size: float, angle: int) -> bool:
        """Whether a word of letters stands on another baseline than the one before it: in two columns, they may be near."""
        pair = word - 1, word
        if not all(self.words.texts[one][:2].isalpha() and self.words.lengths[one] > 1 for one in pair):
            return False
        before, after = (self.characters.baseline(self.words.firsts[one], angle) for one in pair)
        return abs(before - after) > _STEP * size

    def _begins_with_line_number(self, first: int, stop: int, angle: int) -> bool:
        """Whether the first word, which is a number, is that of the line: in smaller type, and not raised."""
        if stop - first < 2:
            return False
        number, word = self.words.firsts[first : first + 2]
        size = self.characters.size(word)
        if self.characters.size(number) > _LINE_NUMBER * size:
            return False
        return abs(self.characters.baseline(number, angle) - self.characters.baseline(word, angle)) < 0.1 * size

    def _line(self, cell: _Cell, baseline: float) -> Line:
        """The line of some words. `baseline` is that of upright text."""
        words = self.words
        first, stop, reference, angle, end = cell
        set_in, opening = self._types[reference], self._types[first]
        size = set_in.size
        if angle:
            baseline = self.characters.baseline(words.firsts[reference], angle)
        x0, x1, gaps = words.x0[first:stop], words.x1[first:stop], words.gaps[first : stop - 1]
        text = " ".join(words.texts[first:stop])
        if (
            (gaps and min(gaps) < _TORN * size)
            or self._has_raised(first, stop, baseline, size)
            or (angle and _DIGIT.search(text))
        ):
            text = self._careful_text(first, gaps, baseline, angle, size)
        elif self._has_points and _DIGIT.search(text):
            text = _SPACE_BEFORE_POINT.sub(r"\1", text)
        signed = end is not None and self.text[end : end + 1] in _SIGNS
        hyphenated = signed
        if end is not None and text[-1:] in _OWN_HYPHENS and _HYPHEN_AT_END.search(text[-2:]):
            text, hyphenated = text[:-1], True
        if self._has_soft_hyphens:
            text = text.replace("\xad", "")
        font, lead = self._font_and_lead(first, stop, set_in.font, opening.font)
        return Line(
            text,
            self.number,
            x0[0],
            max(x1),
            baseline,
            size,
            font,
            hyphenated and text[-1:].isalnum(),
            stop - first,
            lead,
            angle,
            initial=opening.size > 1.8 * size and words.texts[first][0].isupper(),
            starts=x0,
            ends=x1,
            at=words.firsts[first],
            stop=words.stops[stop - 1] if end is None else end + signed,
        )

    def _has_raised(self, first: int, stop: int, baseline: float, size: float) -> bool:
        """Whether a word of upright text may end in a raised number."""
        begin = bisect_left(self._digits, self.words.firsts[first])
        end = bisect_left(self._digits, self.words.stops[stop - 1], begin)
        return begin < end and any(is_raised(height - baseline, size) for height in self._heights[begin:end])

    def _careful_text(self, first: int, gaps: list[float], baseline: float, angle: int, size: float) -> str:
        """The text of a line in which raised numbers are marked and torn words joined."""
        words = self.words
        pieces: list[str] = []
        for index in range(first, first + len(gaps) + 1):
            word = words.texts[index]
            if pieces:
                gap = gaps[index - first - 1]
                torn = gap < _TORN * size and word[0].islower() and pieces[-1][-1:].isalpha()
                pieces.append("" if torn and _is_torn(pieces[-1], gap, gaps) else " ")
            if _LAST_DIGIT.search(word):
                word = mark_raised(word, pieces, self._rise(words.firsts[index], baseline, angle, size), size)
            pieces.append(word)
        text = "".join(pieces)
        return _SPACE_BEFORE_POINT.sub(r"\1", text)

    def _rise(self, start: int, baseline: float, angle: int, size: float) -> Callable[[int], float]:
        """How far a small character of the word at `start` stands above the baseline."""

        def rise(at: int) -> float:
            height = self.characters.baseline(start + at, angle) - baseline
            return height if height < 0.15 * size or self.characters.size(start + at) < 0.9 * size else 0.0

        return rise

    def _font_and_lead(self, first: int, stop: int, font: Font, opening: Font) -> tuple[Font, str]:
        """The font of a line, and the bold or italic words that it begins with before it goes on in another.

        The font is that of its longest word; but bold or italic only if the line begins (`opening`) and ends so.
        """
        words = self.words
        if not (font.bold or font.italic or opening.bold or opening.italic):
            return font, ""
        last = self.characters.font(words.stops[stop - 1] - 1)
        lead = ""
        if (opening.bold or opening.italic) and last != opening:
            types = words.types(range(first, stop))
            after = next((word for word, set_in in enumerate(types, first) if set_in.font != opening), stop)
            lead = self.text[words.firsts[first] : words.stops[after - 1]]
        if font.bold or font.italic:
            slope = (font.bold, font.italic)
            font = next((other for other in (last, opening) if (other.bold, other.italic) != slope), font)
        return font, lead


def _numbers_line(lines: list[Line]) -> bool:
    """Whether the last piece is the number, in the margin, of the line that the piece before it belongs to."""
    if len(lines) < 2 or not lines[-1].text.isdigit():
        return False
    line, number = lines[-2:]
    beside = number.x1 < line.x0 or number.x0 > line.x1 + line.size
    return beside and number.size < _LINE_NUMBER * line.size and abs(number.y - line.y) < 0.1 * line.size


def _is_torn(piece: str, gap: float, gaps: list[float]) -> bool:
    """Whether a gap as narrow as this one stands inside a word."""
    usual = statistics.median(gaps) if len(gaps) > 2 else 2.0
    return gap < (0.5 * usual if _SPLIT_LIGATURE.search(piece) else 0)
