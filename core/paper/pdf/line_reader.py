"""From the words of a page to its lines, and the cells that wide gaps cut them into."""

from __future__ import annotations

import re
import statistics
from bisect import bisect_left
from collections.abc import Callable

from core.paper.pdf.characters import Characters, Font
from core.paper.pdf.lines import Line
from core.paper.pdf.mending import MARK, close_up, is_spaced, joins, mend
from core.paper.pdf.raised import is_raised, mark_raised
from core.paper.pdf.words import Words

# PDFium writes a hyphen that ends a line as U+FFFE or U+0002, and sometimes leaves out the line break after it.
_LINE_END = re.compile(r"([\ufffe\x02])(?:\r\n)?|\r\n|\Z")
_HYPHEN_AT_END = re.compile(r"[^\W\d_][-\xad]$")
_DIGIT = re.compile(r"\d")
_SPACE_BEFORE_POINT = re.compile(r" (?<=[\]\d)] )([.,;:)])(?=\s|$)")  # after raised text: "slept[3] ."
_LAST_DIGIT = re.compile(r"\d[.,;:)\]]*+(?![^\s\ufffe\x02])")  # of a word: a raised number would end there
_LINE_NUMBER = 0.8  # of the size of type, that the numbers of a manuscript's lines have at most
_TORN = 0.1  # of the size of type: a gap that may stand inside a word
# A ligature after which PDFium sees a gap where there is none: "defi ned". Other words are torn by a space of no
# width, where the typesetter allowed a line to break.
_SPLIT_LIGATURE = re.compile(r"f[fil]{1,2}$|ﬀ$|ﬁ$|ﬂ$|ﬃ$|ﬄ$")


class LineReader:
    """Asks PDFium for the place of words, and for single characters only where something hangs on them."""

    def __init__(self, characters: Characters, number: int) -> None:
        self.characters = characters
        self.text = characters.text
        self.number = number
        self.words = Words(characters)
        self._digits = [match.start() for match in _LAST_DIGIT.finditer(self.text)]
        self._heights = characters.baselines(self._digits)

    def lines(self) -> list[Line]:
        lines: list[Line] = []
        words, first = self.words, 0
        for match in _LINE_END.finditer(self.text):
            stop = bisect_left(words.firsts, match.start(), first)
            if first == stop:
                continue
            cells = self._cells(first, stop, match.start(), hyphenated=match[1] is not None)
            if lines and cells[0].text[0].isdigit():
                self._mark_start(lines[-1], cells[0])
            for cell in cells:
                if not lines or not joins(lines[-2] if _numbers_line(lines) else lines[-1], cell):
                    lines.append(cell)
            first = stop
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

    def _cells(self, first: int, stop: int, end: int, *, hyphenated: bool) -> list[Line]:
        """The line that some words make up, which ends at `end`; more than one where gaps cut it into cells."""
        words = self.words
        reference = words.longest(first, stop)
        set_in = words.type(reference)
        angle, size = set_in.angle, set_in.size
        x0, x1, gaps = words.places(first, stop, angle)
        cuts = self._cuts(first, gaps, size) if gaps and (max(gaps) >= 1.2 * size or min(gaps) <= -2 * size) else []
        if 1 not in cuts and words.texts[first].isdigit() and self._begins_with_line_number(first, stop, angle):
            cuts.insert(0, 1)
        if not cuts:
            lines = [self._line(first, x0, x1, gaps, reference=reference, angle=angle)]
        else:
            lines = [
                self._line(
                    first + begin,
                    x0[begin:until],
                    x1[begin:until],
                    gaps[begin : until - 1],
                    reference=words.longest(first + begin, first + until),
                    angle=angle,
                )
                for begin, until in zip([0, *cuts], [*cuts, stop - first], strict=True)
            ]
        ending = lines[-1]
        ending.stop = end + hyphenated  # with PDFium's own sign for the hyphen
        if ending.text.endswith(("-", "\xad")) and _HYPHEN_AT_END.search(ending.text[-2:]):
            ending.text, hyphenated = ending.text[:-1], True
        for line in lines:
            line.text = line.text.replace("\xad", "")
        ending.hyphenated = hyphenated and ending.text[-1:].isalnum()
        return lines

    def _cuts(self, first: int, gaps: list[float], size: float) -> list[int]:
        """Where a gap is too wide to be a space of this line, which begins with the word `first`."""
        words, count = self.words, len(gaps) + 1
        usual = 0.3 * size
        if len(gaps) > 2:
            # Justified lines have wide gaps throughout; the cells of a table have narrow ones inside, or are numbers.
            figures = sum(any(map(str.isdigit, text)) for text in words.texts[first : first + count])
            usual = sorted(gaps)[len(gaps) // 4] if 2 * figures < count else usual
        cuts: list[int] = []
        for index, gap in enumerate(gaps, 1):
            if gap > max(1.2 * size, 2.2 * usual) or gap < -2 * size:
                start = words.firsts[first + (cuts[-1] if cuts else 0)]
                if not MARK.fullmatch(self.text[start : words.stops[first + index - 1]]) or gap > 4 * size:
                    cuts.append(index)
        return cuts

    def _begins_with_line_number(self, first: int, stop: int, angle: int) -> bool:
        """Whether the first word, which is a number, is that of the line: in smaller type, and not raised."""
        if stop - first < 2:
            return False
        number, word = self.words.firsts[first : first + 2]
        size = self.characters.size(word)
        if self.characters.size(number) > _LINE_NUMBER * size:
            return False
        return abs(self.characters.baseline(number, angle) - self.characters.baseline(word, angle)) < 0.1 * size

    def _line(
        self, first: int, x0: list[float], x1: list[float], gaps: list[float], *, reference: int, angle: int
    ) -> Line:
        """The line of the words from `first` on, which begin at `x0` and end at `x1`."""
        words = self.words
        stop = first + len(x0)
        set_in = words.type(reference)
        opening = set_in if first == reference else words.type(first)
        size = set_in.size
        baseline = self.characters.baseline(words.firsts[reference], angle)
        text = " ".join(words.texts[first:stop])
        has_digit = _DIGIT.search(text) is not None
        if (gaps and min(gaps) < _TORN * size) or (
            has_digit and (angle or self._has_raised(first, stop, baseline, size))
        ):
            text = self._careful_text(first, gaps, baseline, angle, size)
        elif has_digit and _SPACE_BEFORE_POINT.search(text):
            text = _SPACE_BEFORE_POINT.sub(r"\1", text)
        font, lead = self._font_and_lead(first, stop, set_in.font, opening.font)
        return Line(
            text=text,
            page=self.number,
            x0=x0[0],
            x1=max(x1),
            y=baseline,
            size=size,
            font=font,
            hyphenated=False,
            words=stop - first,
            lead=lead,
            angle=angle,
            initial=opening.size > 1.8 * size and words.texts[first][0].isupper(),
            spans=tuple(zip(x0, x1, strict=True)),
            at=words.firsts[first],
            stop=words.stops[stop - 1],
        )

    def _has_raised(self, first: int, stop: int, baseline: float, size: float) -> bool:
        """Whether a word of upright text may end in a raised number."""
        begin = bisect_left(self._digits, self.words.firsts[first])
        end = bisect_left(self._digits, self.words.stops[stop - 1], begin)
        return any(is_raised(height - baseline, size) for height in self._heights[begin:end])

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
            after = next((word for word in range(first, stop) if words.type(word).font != opening), stop)
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
