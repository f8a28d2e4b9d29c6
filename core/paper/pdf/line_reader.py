"""Make lines from the words of a page: join split lines, and mark raised numbers."""

from __future__ import annotations

import re
import statistics
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise
from operator import attrgetter, sub

import numpy as np
import numpy.typing as npt

from core.paper.pdf.lines import Line
from core.paper.pdf.pdfium import Characters, Font, TextStyle

# ---- Words: PDFium is queried about all of a page at once ----

_HYPHENS = "\ufffe\x02"  # PDFium's characters for a hyphen at the end of a line, which is no part of a word
_BETWEEN_WORDS = np.array([chr(code).isspace() or chr(code) in _HYPHENS for code in range(0x10000)])


class PageWords:
    """The words of a page in the order of its characters, as lists with one entry for each word."""

    def __init__(self, characters: Characters) -> None:
        self.characters = characters
        text = characters.text
        for hyphen in _HYPHENS:
            text = text.replace(hyphen, " ")
        self.texts: list[str] = text.split()
        firsts, stops = _edges(text)
        self.firsts: list[int] = firsts.tolist()  # their first characters ...
        self.stops: list[int] = stops.tolist()  # ... and where they end, by index
        self.lengths: list[int] = (stops - firsts).tolist()
        self.x0 = characters.left_sides(self.firsts)  # the left and right sides of words, in upright text
        self.x1 = characters.right_sides((stops - 1).tolist())
        self.gaps = list(map(sub, self.x0[1:], self.x1))  # from each word to the next
        self._types: dict[int, TextStyle] = {}  # by the address of the text object

    def types(self, words: Sequence[int]) -> list[TextStyle]:
        """The type of each word, taken from its first character."""
        firsts = list(map(self.firsts.__getitem__, words))
        owners = self.characters.owners(firsts)
        new = {owner: first for owner, first in zip(owners, firsts, strict=True) if owner and owner not in self._types}
        self._types.update(zip(new, self.characters.types(new), strict=True))
        return [
            self._types[owner] if owner else self.characters.type(first)
            for owner, first in zip(owners, firsts, strict=True)
        ]

    def longest(self, first: int, stop: int) -> int:
        """The longest of some words, which gives the line its type; preferably of letters, as numbers may be raised."""
        lengths = self.lengths[first:stop]
        longest = first + lengths.index(max(lengths))
        if not self.texts[longest][0].isdigit():
            return longest
        of_letters = (word for word in range(first, stop) if self.texts[word][0].isalpha())
        return max(of_letters, key=self.lengths.__getitem__, default=longest)

    def turn(self, first: int, stop: int, angle: int) -> None:
        """Measure some words along a line that is written at an angle."""
        for word in range(first, stop):
            self.x0[word], self.x1[word] = self.characters.extent(self.firsts[word], self.stops[word], angle)
        self.gaps[first : stop - 1] = map(sub, self.x0[first + 1 : stop], self.x1[first : stop - 1])


def _edges(text: str) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The indices at which words begin, and at which they end."""
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), np.uint32)
    between = np.ones(len(codes) + 2, np.bool_)
    np.take(_BETWEEN_WORDS, codes, out=between[1:-1], mode="clip")
    edges = np.flatnonzero(between[1:] != between[:-1])
    return edges[::2], edges[1::2]


# ---- Raised numbers, written as by the other readers: "slept.[3]" for a citation, "10^9" for an exponent ----

# A run of numbers that could be raised: at the end of a word, or between it and closing punctuation.
_NUMBERS = re.compile(r"\d{1,3}(?:[,;–—‒-]\d{1,3})*[,;]?(?=[.,;:)\]]*$)")
# "m²", "kg/m2", "1.73m2", "R2", "χ2": powers, not citations.
_POWER = re.compile(r"\d[kcd]?m$|\dmm$|(?:^|[\s(/·.])(?:[kcmdµμn]?m|s|min|h|[A-Za-zχηρωτ])$")
_CLOSING = ".,;:)]"
_BASE = re.compile(r"\d$")
_YEAR = re.compile(r"(?<![\d.,^×=])(?:19|20)\d\d$")  # “in 2001[3]” is a citation: no power has such a base


def mark_raised(word: str, before: Sequence[str], rise: Callable[[int], float], size: float) -> str:
    """Mark the raised numbers of a word. `rise(at)`: how far the character at `at` is above the line."""
    last = len(word.rstrip(_CLOSING)) - 1
    if last < 0 or not word[last].isdigit() or not is_raised(rise(last), size):
        return word
    match = _NUMBERS.search(word)
    if match is None:
        return word

    at = last
    for index in range(last - 1, match.start() - 1, -1):
        if word[index].isdigit():
            if not is_raised(rise(index), size):
                break
            at = index
    head, numbers, tail = word[:at], word[at : match.end()], word[match.end() :]
    if not head and not before:
        return word
    previous = head or before[-1]
    if previous[-1:] in "−–-+":
        return word  # "min−1"
    if _BASE.search(previous) and not _YEAR.search(previous):
        return f"{head}^{numbers}{tail}" if head else word
    if numbers.isdigit() and len(numbers) == 1 and numbers in "23" and _POWER.search(previous):
        return word
    comma = numbers[-1] if numbers[-1] in ",;" else ""
    return f"{head}[{numbers.rstrip(',;')}]{comma}{tail}"


def is_raised(rise: float, size: float) -> bool:
    """Whether a character is raised, given how far it is above its line."""
    return 0.15 * size < rise < size


# ---- Lines that PDFium split, before raised text and at wide spaces ----

# Numbering and bullets: before a wide gap, these are not the cells of a table.
MARK = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*[.)]?|[•▪■●◆►–—*·|○§-]|\(?[a-zA-Z0-9]{1,3}[.)]|[IVX]+\.)(?:\s\|)?")
_POINT = re.compile(r"[.,;:)](?=\s|$)")
_LIST_OF_NUMBERS = re.compile(r"\d{1,3}(?:[,;–—‒-] ?\d{1,3})+")  # "14, 20–22", raised in one piece
_BASELINE = 0.1  # of the size of type: the most that the baselines of pieces of one line may differ
_EDGE = 1.5  # points: the most that the edges of justified lines may differ
_INDENT = 3.0  # of the size of type: the most that the first line of a paragraph is indented
_WIDEST = 4.0  # of the size of type: the widest space of a justified line
_SPACED = 4  # letters of a letter-spaced word, at least
_SPACED_LENGTH = 2.5  # characters for each letter of a letter-spaced word, at most
_LETTERS = 0.7  # the least share of single letters among the words of a letter-spaced line
_STARTS, _ENDS = attrgetter("starts"), attrgetter("ends")
_EVEN = 1.5  # the widest space of a justified line is at most this many times the narrowest


def joins(line: Line, rest: Line) -> bool:
    """Join to a line what PDFium split off, usually after raised text; False if `rest` is a line of its own."""
    gap = rest.x0 - line.x1
    if (
        len(line.text) < 3
        and line.size < 0.85 * rest.size
        and 0.1 < (line.y - rest.y) / rest.size < 0.7
        and 0 <= gap + 1 < rest.size
    ):
        line.size, line.font, line.y = rest.size, rest.font, rest.y  # `line` is the mark of a note
        _append(line, rest, near=False)
        return True
    height = rest.y - line.y
    if (
        rest.size < 0.85 * line.size
        and (rest.words == 1 or (is_raised(height, line.size) and _LIST_OF_NUMBERS.fullmatch(rest.text)))
        and abs(height) < 0.7 * line.size
        and -0.1 < gap / line.size < 0.3
    ):
        start, _, word = line.text.rpartition(" ")
        numbers = rest.text.replace(" ", "")
        raised = mark_raised(word + numbers, [], lambda at: height if at >= len(word) else 0.0, line.size)
        line.text, line.x1, line.stop = f"{start} {raised}".strip(), rest.x1, rest.stop
        return True
    if abs(line.y - rest.y) > _BASELINE * line.size or line.size != rest.size:
        return False
    reach = (2 if MARK.fullmatch(line.text) else 0.7) * line.size
    if not -0.5 * line.size < gap < reach:
        return False
    if line.font != rest.font and (line.font.bold or line.font.italic):
        line.lead, line.font = line.lead or line.text, rest.font
    _append(line, rest, near=_is_near(line, rest))
    return True


def mend(lines: list[Line]) -> None:
    """Join the pieces of justified lines. A whole line shows how wide its neighbour should be."""
    while _mend_runs(lines):
        pass


def _mend_runs(lines: list[Line]) -> bool:
    """Join runs of pieces that are one line; returns whether there were any."""
    first = 0
    runs: list[tuple[int, int]] = []
    for index, (before, line) in enumerate(pairwise(lines), 1):
        if abs(before.y - line.y) > _BASELINE * before.size or not _stands_beside(before, line):
            runs.append((first, index))
            first = index
    runs.append((first, len(lines)))
    found = [(first, end) for first, end in runs if end - first > 1 and _is_one_line(lines, first, end)]
    for first, end in reversed(found):
        for piece in lines[first + 1 : end]:
            _append(lines[first], piece, near=_is_near(lines[first], piece))
        del lines[first + 1 : end]
    return bool(found)


def close_up(line: Line) -> None:
    """Close up letter-spaced words: “M E T H O D S”."""
    words = line.text.split()
    if len(words) != len(line.starts) or sum(len(word) == 1 and word.isalpha() for word in words) < _LETTERS * len(
        words
    ):
        return
    spaces = list(map(sub, line.starts[1:], line.ends))
    usual = statistics.median_low(spaces)
    texts, starts, ends = words[:1], [line.starts[0]], [line.ends[0]]
    for word, start, end, space in zip(words[1:], line.starts[1:], line.ends[1:], spaces, strict=True):
        if space < _EVEN * usual:
            texts[-1] += word
            ends[-1] = end
        else:
            texts.append(word)
            starts.append(start)
            ends.append(end)
    line.text, line.starts, line.ends, line.words = " ".join(texts), starts, ends, len(texts)


def is_spaced(line: Line) -> bool:
    """Whether a line may be letter-spaced: almost only single letters."""
    return line.words >= _SPACED and len(line.text) < _SPACED_LENGTH * line.words


def _stands_beside(line: Line, rest: Line) -> bool:
    """Whether `rest` could be the next piece of a justified line."""
    size = line.size
    beside = abs(line.y - rest.y) <= _BASELINE * size and -0.5 * size < rest.x0 - line.x1 < _WIDEST * size
    return beside and line.style == rest.style


def _is_one_line(lines: list[Line], first: int, end: int) -> bool:
    """Whether pieces fill the width of the line before or after them, and are adjacent in the file or evenly spaced.

    If they are evenly spaced, they may also be the indented first line of a paragraph.
    """
    left, right, size = lines[first], lines[end - 1], lines[first].size
    indents = [
        left.x0 - other.x0
        for other in [lines[index] for index in (first - 1, end) if 0 <= index < len(lines)]
        if other.style == left.style and abs(other.x1 - right.x1) < _EDGE and abs(other.y - left.y) < 2.5 * size
    ]
    pieces = lines[first:end]
    if any(abs(indent) < _EDGE for indent in indents) and all(b.at - a.stop <= 1 for a, b in pairwise(pieces)):
        return True
    starts, ends = (list(chain.from_iterable(map(places, pieces))) for places in (_STARTS, _ENDS))
    spaces = [space for space in map(sub, starts[1:], ends) if space > 0.12 * size]
    even = len(spaces) > 1 and max(spaces) <= _EVEN * min(spaces)
    return even and any(-_EDGE < indent < _INDENT * size for indent in indents)


def _is_near(line: Line, rest: Line) -> bool:
    """Whether a piece continues the last word of the piece before."""
    return rest.x0 - line.x1 < 0.12 * line.size or bool(_POINT.match(rest.text))


def _append(line: Line, rest: Line, *, near: bool) -> None:
    line.text += rest.text if near else f" {rest.text}"
    if near:  # the last word of one and the first word of the other are one word
        line.starts = [*line.starts, *rest.starts[1:]]
        line.ends = [*line.ends[:-1], *([rest.x1] if line.ends else []), *rest.ends[1:]]
    else:
        line.starts, line.ends = [*line.starts, *rest.starts], [*line.ends, *rest.ends]
    line.x1, line.stop, line.words, line.hyphenated = rest.x1, rest.stop, line.words + rest.words, rest.hyphenated


# ---- From words to lines and their cells ----

# PDFium writes a hyphen at the end of a line as U+FFFE or U+0002, sometimes without the line break after it.
_SIGNS = frozenset(("\ufffe", "\x02"))
_OWN_HYPHENS = frozenset(("-", "\xad"))
_LINE_END = re.compile("\ufffe|\x02|\r\n")
_HYPHEN_AT_END = re.compile(r"[^\W\d_][-\xad]$")
_DIGIT = re.compile(r"\d")
_SPACE_BEFORE_POINT = re.compile(r" (?<=[\]\d)] )([.,;:)])(?=\s|$)")  # after raised text: "slept[3] ."
_POINTS = frozenset(".,;:)")
_LAST_DIGIT = re.compile(r"\d[.,;:)\]]*+(?![^\s\ufffe\x02])")  # the end of a word, where a raised number would be
_LINE_NUMBER = 0.8  # of the size of type: the largest size of a manuscript's line numbers
_STEP = 0.08  # of the size of type: the most that the baselines of two words of one line may differ
_TORN = 0.1  # of the size of type: a narrower gap may stand inside a word
# A ligature after which PDFium sees a gap: "defi ned". Other words are torn only by a space of no width, where the
# typesetter allowed a line break.
_SPLIT_LIGATURE = re.compile(r"f[fil]{1,2}$|ﬀ$|ﬁ$|ﬂ$|ﬃ$|ﬄ$")

# A run of words of one of PDFium's lines, up to a wide gap: the first word, the end, the word that gives type and
# baseline, the angle, and the index of the character that ends the line (None if the line goes on).
_Cell = tuple[int, int, int, int, int | None]


class LineReader:
    """Reads the lines of a page. Queries PDFium about words, and about single characters only where they matter."""

    def __init__(self, characters: Characters, number: int) -> None:
        self.characters = characters
        self.text = characters.text
        self.number = number
        self.words = PageWords(characters)
        self._types: dict[int, TextStyle] = {}  # the type of words, as far as known
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
        """Mark raised numbers at the start of `rest`, where PDFium broke `line` before them."""
        gap, size = rest.x0 - line.x1, rest.size
        if line.size != size or abs(line.y - rest.y) > 0.1 * size or not -0.5 * size < gap < 0.12 * size:
            return
        word, numbers = line.text.rpartition(" ")[2], rest.text.partition(" ")[0]
        rise = self._rise(rest.at, rest.y, rest.angle, size)
        marked = mark_raised(word + numbers, [], lambda at: rise(at - len(word)) if at >= len(word) else 0.0, size)
        rest.text = marked[len(word) :] + rest.text[len(numbers) :]

    def _cells(self) -> Iterator[tuple[Line, bool]]:
        """PDFium's lines, or the cells that wide gaps cut them into; each with whether it begins a line."""
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
        """For each of PDFium's lines: its first word, the end of its words, its last character."""
        rows: list[tuple[int, int, int]] = []
        first = 0
        for end in [*(match.start() for match in _LINE_END.finditer(self.text)), len(self.text)]:
            stop = bisect_left(self.words.firsts, end, first)
            if first < stop:
                rows.append((first, stop, end))
                first = stop
        return rows

    def _cuts(self, first: int, stop: int, size: float, angle: int) -> list[int]:
        """The words with a gap before them too wide for a space."""
        words = self.words
        gaps = words.gaps[first : stop - 1]
        cuts: list[int] = []
        if gaps and (max(gaps) >= 1.2 * size or min(gaps) <= -2 * size):
            usual = 0.3 * size
            if len(gaps) > 2:
                # Justified lines have wide gaps throughout. Table cells have narrow gaps inside, or are numbers.
                figures = sum(any(map(str.isdigit, text)) for text in words.texts[first:stop])
                usual = sorted(gaps)[len(gaps) // 4] if 2 * figures <= len(gaps) else usual
            for word, gap in enumerate(gaps, first + 1):
                wide = gap > 1.2 * size and (gap > 2.2 * usual or self._steps(word, size, angle))
                if wide or gap < -2 * size:
                    start = words.firsts[cuts[-1] if cuts else first]
                    marks = 0 < gap <= 4 * size and MARK.fullmatch(self.text[start : words.stops[word - 1]])
                    if not marks:
                        cuts.append(word)
        if first + 1 not in cuts and words.texts[first].isdigit() and self._begins_with_line_number(first, stop, angle):
            cuts.insert(0, first + 1)
        return cuts

    def _steps(self, word: int, size: float, angle: int) -> bool:
        """Whether a word is on another baseline than the one before it, as words of two near columns are."""
        pair = word - 1, word
        if not all(self.words.texts[one][:2].isalpha() and self.words.lengths[one] > 1 for one in pair):
            return False
        before, after = (self.characters.baseline(self.words.firsts[one], angle) for one in pair)
        return abs(before - after) > _STEP * size

    def _begins_with_line_number(self, first: int, stop: int, angle: int) -> bool:
        """Whether the first word is a line number: in smaller type, and not raised."""
        if stop - first < 2:
            return False
        number, word = self.words.firsts[first : first + 2]
        size = self.characters.size(word)
        if self.characters.size(number) > _LINE_NUMBER * size:
            return False
        return abs(self.characters.baseline(number, angle) - self.characters.baseline(word, angle)) < 0.1 * size

    def _line(self, cell: _Cell, baseline: float) -> Line:
        """The line made of the words of a cell. `baseline` is for upright text."""
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
        """The text of a line with raised numbers marked and torn words joined."""
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
        """A function that tells how far a small character of the word at `start` is above the baseline."""

        def rise(at: int) -> float:
            height = self.characters.baseline(start + at, angle) - baseline
            return height if height < 0.15 * size or self.characters.size(start + at) < 0.9 * size else 0.0

        return rise

    def _font_and_lead(self, first: int, stop: int, font: Font, opening: Font) -> tuple[Font, str]:
        """The font of a line, and the bold or italic words at its start if the rest is in another font.

        The font is that of its longest word, but bold or italic only if the line begins (`opening`) and ends that way.
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
    """Whether the last piece is a line number in the margin."""
    if len(lines) < 2 or not lines[-1].text.isdigit():
        return False
    line, number = lines[-2:]
    beside = number.x1 < line.x0 or number.x0 > line.x1 + line.size
    return beside and number.size < _LINE_NUMBER * line.size and abs(number.y - line.y) < 0.1 * line.size


def _is_torn(piece: str, gap: float, gaps: list[float]) -> bool:
    """Whether a gap this narrow is inside a word."""
    usual = statistics.median(gaps) if len(gaps) > 2 else 2.0
    return gap < (0.5 * usual if _SPLIT_LIGATURE.search(piece) else 0)
