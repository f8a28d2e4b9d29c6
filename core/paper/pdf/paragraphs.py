"""Make paragraphs from the lines of a column: hyphens, drop caps, indents."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate, pairwise, takewhile

from core.paper.pdf.lines import Line, PageLines, PrintedText
from core.paper.pdf.pdfium import in_tenths
from core.paper.pdf.typography import Typography, is_abstract_part
from core.paper.sections import is_left_out, main_kind
from core.paper.symbols import restore_symbols

# ---- Hyphens at line ends: dropped in a divided word, kept in a compound, as the paper itself writes the word ----

_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
_STEM = re.compile(r"[A-Za-z0-9-]+$")
_REST = re.compile(r"[a-z]+")
_NAME = re.compile(r"[A-Za-z]+")
_INDENT = 20  # points: lines that start nearer to each other than this are in one column
_GREEK = re.compile(r"[α-ωΑ-Ω]$")
# Second parts that keep the hyphen before them unless the paper shows otherwise.
_LINKS = frozenset(("to", "of", "in", "on", "by", "and", "or", "the", "at", "up", "year", "based", "related", "free"))
# Second parts of a compound, after a first part of at least four letters: "placebo-controlled", "drug-treated".
_ENDINGS = frozenset(
    "treated controlled specific dependent associated induced adjusted matched reported mediated resistant naive".split()
)
_PREFIXES = frozenset(("pre", "post", "non", "multi"))  # "non-" is a prefix or, by chance, a syllable
# First parts that keep the hyphen after them unless the paper shows otherwise.
_COMPOUND = frozenset(
    """
    self well double single triple open long short high low cross follow half full all one two three four five
    six seven eight nine ten twelve once twice health evidence placebo dose age sex time risk end large small early late
    intention intent quality patient community population disease drug blood body first second third best worst ill
    treatment event life wide whole state meta case cost cut day year week month phase stage run wash weight vitamin beta
    alpha gamma
    """.split()
)


def settle_hyphens(pages: list[PageLines]) -> None:
    """Decide every hyphenated line end; a hyphen that stays is written at the end of its line's text."""
    words = _whole_words(pages)
    for line, after in pairwise(line for page in pages for line in page.lines):
        if line.hyphenated and _is_compound(line.text, _continuation(line, after, pages).text, words):
            line.hyphenated = False
            line.text += "-"


def _continuation(line: Line, after: Line, pages: list[PageLines]) -> Line:
    """The line that continues a divided word.

    It is the next line of the file. If the file's lines are not in reading order, it is a line in lower case one column
    or page further.
    """
    beneath = after.page == line.page and after.y < line.y and after.x0 < line.x1 and line.x0 < after.x1
    if beneath or _REST.match(after.text):
        return after
    right = [other for page in pages if page.number == line.page for other in page.lines if other.x0 > line.x1]
    following = [other for page in pages if page.number == line.page + 1 for other in page.lines]
    for lines in (right, following):
        going_on = [other for other in lines if _REST.match(other.text)]
        if going_on:
            return min(going_on, key=lambda other: (other.x0 // _INDENT, -other.y))
    return after


def _whole_words(pages: list[PageLines]) -> set[str]:
    """The words that the paper writes within a line, in lower case."""
    texts: list[str] = []
    divided = False  # the line before ends inside a word, so this one begins with the rest of it
    for page in pages:
        for line in page.lines:
            text = _REST.sub("", line.text, count=1) if divided and _REST.match(line.text) else line.text
            divided = line.hyphenated
            texts.append(_STEM.sub("", text) if divided else text)
    words = set(_WORD.findall(" ".join(set(" ".join(texts).lower().split()))))
    for word in [
        word for word in words if word.count("-") > 1
    ]:  # "albumin-to-creatinine" shows how to write "albumin-to"
        words.update("-".join(pair) for pair in pairwise(word.split("-")))
    return words


def _is_compound(text: str, following: str, words: set[str]) -> bool:
    stem, rest = _STEM.search(text), _REST.match(following)
    if stem is None:
        return bool(_GREEK.search(text))  # "β-\\nblocker"
    first = stem.group().lower()
    last = first.rsplit("-", 1)[-1]
    if rest is None:  # a capital, a figure or a bracket follows: "SGLT2-\\nInhibitor", "HbA1c-\\n6"
        name = _NAME.match(following)
        return name is None or not {last + name.group().lower(), first + name.group().lower()} & words
    second = rest.group()
    if {last + second, first + second, (last + second).removesuffix("s")} & words:
        return False
    if f"{last}-{second}" in words or f"{first}-{second}" in words:
        return True
    if last in _PREFIXES:
        return second in words and not _closes(last, words)
    if len(last) >= 4 and second in _ENDINGS:
        return True
    if len(last) >= 6 and len(second) >= 5 and {last, second} <= words:  # two words of its own
        return True
    return last in _COMPOUND or second in _LINKS or not last.isalpha() or stem.group().rsplit("-", 1)[-1].isupper()


def _closes(prefix: str, words: set[str]) -> bool:
    """Whether the paper writes a prefix and its word as one: “nonfatal”."""
    if any(word.startswith(f"{prefix}-") for word in words):
        return False
    least = len(prefix) + 4
    return any(len(word) >= least and word.startswith(prefix) and word[len(prefix) :] in words for word in words)


# ---- Drop caps: a large first letter is put back before its word ----


def join_drop_caps(page: PageLines, typography: Typography) -> None:
    """Move each drop cap to the line that it begins, and undo the indent it caused."""
    caps = [
        line for line in page.lines if len(line.text) == 1 and line.text.isupper() and line.size > 1.8 * typography.size
    ]
    for cap in caps:
        beside = [
            line
            for line in page.lines
            if line is not cap
            and cap.x1 - 3 < line.x0 < cap.x1 + 2 * typography.size
            and cap.y - 0.5 * line.size < line.y < cap.y + cap.size
            and line.words > 2
        ]
        if not beside:
            continue
        first = max(beside, key=lambda line: line.y)
        first.text, first.cap = cap.text + first.text, cap.at if cap.at < cap.stop else None
        first.initial = True
        for line in beside:
            line.x0 = min(line.x0, cap.x0)
        page.lines.remove(cap)


# ---- From lines to paragraphs and headings ----

_ENDS = re.compile(r"[.?!:;]['\"”’)\]]*(?:[\[(][\d,–-]+[\])])?$")
_HARD_HYPHEN = re.compile(r"[^\s–-][–-]$")
_DASH = re.compile(r"[^\s—]—$")
_SLASH = re.compile(r"\w/$")  # "mL/" at the end of a line, "m2" at the beginning of the next
_JOINING = frozenset("–-—/")  # line ends after which no space is due
_OPEN_BRACKET = re.compile(r"[(\[](?:[^()\[\]]|\([^()\[\]]*\)|\[[^()\[\]]*\])*$")  # with others inside: "(t[50]=2;"
_SUSPENDED = re.compile(r"(?:and|or|to|versus|vs)\b(?!-)")  # "high- and low-dose"
_HEADING_LINES, _HEADING_WORDS = 5, 30  # at most
_GOING_ON = frozenset(",;:-–—/(&+=<>≤≥±")  # line ends after which the text certainly goes on
_USUAL_LINES = 3  # of a heading; with more lines, it is none if it ends like a sentence
_LETTER = 0.6  # of the size of type: the most that a letter is wide
_EARLY = 0.25  # of the width of a column: the free room that shows that a line was ended on purpose
_OPENS = re.compile(r"[A-Z\d]|[a-z][A-Z][A-Za-z]{2}")  # how headings begin: "Methods", "2.1", "ePaper", "mHealth"
_SUBNUMBER = re.compile(r"\d{1,2}(?:\.\d{1,2})+\.?\s+(?:[A-Z]|[a-z][A-Z][A-Za-z]{2})")  # "2.2.1. Participants"
_OWN_PARAGRAPH = re.compile(r"[•▪■●◆►‣∙○]|[–—]\s|(?:key ?words?|index terms|mesh terms)\s?:", re.IGNORECASE)
_LISTED = re.compile(r"(?:\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})\)\s)")
_HANGING = re.compile(r"[*∗⋆†‡§¶]\s?\S")  # a footnote with a hanging mark
_CAPITALS = re.compile(r"[^a-z\d.]{4,}")  # "METHODS", not "ISRCTN35476268."
_NUMBERED = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*\.?\s+(?:\|\s*)?|[IVX]{1,5}\.\s+)(?=[A-Z])")


@dataclass(slots=True)
class Paragraph:
    """A paragraph or heading: its lines in reading order, across column and page breaks."""

    lines: list[Line]
    heading: bool = False
    _joined: PrintedText | None = None
    _count: int = 0

    @property
    def page(self) -> int:
        return self.lines[0].page

    @property
    def style(self) -> tuple[str, float]:
        """The style of most of its text."""
        if len(self.lines) == 1:
            return self.lines[0].style
        count = Counter[tuple[str, float]]()
        for line in self.lines:
            count[line.style] += len(line.text)
        return count.most_common(1)[0][0]

    @property
    def text(self) -> str:
        return self.printed.text

    @property
    def printed(self) -> PrintedText:
        """Its text, and where it is printed."""
        if self._joined is None or self._count != len(self.lines):
            self._joined, self._count = joined(self.lines), len(self.lines)
        return self._joined

    def after(self, count: int) -> Paragraph:
        """The paragraph without its first `count` characters, which are in its first line."""
        first = self.lines[0]
        rest = first.text[count:].lstrip(" :.—–-")
        cut = first.text[: len(first.text) - len(rest)]
        return Paragraph([first.without(cut, rest), *self.lines[1:]] if rest else self.lines[1:])

    def ends(self) -> bool:
        """Whether it ends like a sentence, and not inside a bracket: "(95% CI:"."""
        last = self.lines[-1]
        return not last.hyphenated and bool(_ENDS.search(last.text[-20:])) and not _OPEN_BRACKET.search(last.text)


def joined(lines: list[Line]) -> PrintedText:
    """The text of successive lines, and where it is printed."""
    if len(lines) == 1:
        text = restore_symbols(lines[0].text)
        return PrintedText(text, lines[0].printed(0, len(text)))
    pieces = [lines[0].text]  # the lines, and what joins them
    tail = pieces[0][-2:]
    for before, line in pairwise(lines):
        separator = "" if before.hyphenated or _touch(tail, line.text) else " "
        pieces += [separator, line.text]
        tail = line.text[-2:] if len(line.text) > 1 else f"{tail}{separator}{line.text}"[-2:]
    text = "".join(pieces)
    restored = restore_symbols(text)
    ends = list(accumulate(map(len, pieces)))
    if restored != text:
        spelt = list(map(restore_symbols, pieces))
        apart = "".join(spelt) == restored  # else some symbols show only in two lines together
        ends = list(accumulate(map(len, spelt))) if apart else [len(restore_symbols(text[:end])) for end in ends]
    starts = [0, *ends[1::2]]
    printed = (
        stretch
        for line, start, end in zip(lines, starts, ends[::2], strict=True)
        for stretch in line.printed(start, end)
    )
    return PrintedText(restored, tuple(printed))


def _touch(tail: str, text: str) -> bool:
    """Whether no space belongs between a line ending in `tail` (at most two characters) and the line `text`."""
    if text[:1] == "—" and text[1:2].isalpha():
        return True
    if tail[-1:] not in _JOINING:
        return False
    if _HARD_HYPHEN.search(tail):
        return not _SUSPENDED.match(text)
    return bool(_DASH.search(tail) or _SLASH.search(tail))


def paragraphs_of(column: list[Line], typography: Typography) -> list[Paragraph]:
    """Cut one column (lines from top to bottom) into paragraphs and headings."""
    if not column:
        return []
    shape = _Shape.of(column, typography)
    result: list[Paragraph] = []
    for index, line in enumerate(column):
        before = column[index - 1] if index else None
        heading = shape.is_heading(column[index : index + _HEADING_LINES + 1], before, result)
        if result and before is not None and not shape.starts_paragraph(line, before, result[-1], heading=heading):
            result[-1].lines.append(line)
        else:
            result.append(Paragraph([line], heading=heading))
    return result


def _begins_short_run(lines: list[Line]) -> bool:
    """Whether the lines in the first one's style are few enough to be a heading."""
    run = list(takewhile(lambda line: line.style == lines[0].style, lines))
    if len(run) > _HEADING_LINES or sum(line.words for line in run) > _HEADING_WORDS:
        return False
    return len(run) <= _USUAL_LINES or not run[-1].text.endswith((".", ",", ";"))


def _ends_as_heading(lines: list[Line]) -> bool:
    """Whether the first line and a few more in its style, before text in another, are a heading with a list in it."""
    run = list(takewhile(lambda line: line.style == lines[0].style, lines))
    return 1 < len(run) < len(lines) and _begins_short_run(lines) and run[-1].text[-1:].isalnum()


def _width_of_first_word(line: Line) -> float:
    """The estimated width of the first word of a line and a space before it."""
    return _LETTER * line.size * (len(line.text.split(maxsplit=1)[0]) + 1)


@dataclass(frozen=True, slots=True)
class _Shape:
    """The edges, leading and usual style of one column; it tells what differs from them."""

    typography: Typography
    left: float
    right: float
    leading: float
    style: tuple[str, float]

    @staticmethod
    def of(column: list[Line], typography: Typography) -> _Shape:
        prose = [line for line in column if line.words >= 4]
        light = [line for line in prose if not line.font.bold]
        prose = light if 2 * len(light) > len(prose) else prose or column  # an abstract may be bold throughout
        gaps = [a.y - b.y for a, b in pairwise(prose) if a.style == b.style and 0 < a.y - b.y < 3 * a.size]
        return _Shape(
            typography,
            left=float(Counter(round(line.x0) for line in prose).most_common(1)[0][0]),
            right=max(line.x1 for line in prose),
            leading=statistics.median_low(map(in_tenths, gaps)) if gaps else typography.leading,
            style=Counter(line.style for line in prose).most_common(1)[0][0]
            if len(prose) > 2
            else (typography.font, typography.size),
        )

    def is_heading(self, lines: list[Line], before: Line | None, above: list[Paragraph]) -> bool:
        """Whether the first of these successive lines is a heading or part of one."""
        line = lines[0]
        if line.words > 20 or line.lead:
            return False
        if line.words > 8 and line.style == self.style and not (line.text.isupper() or _SUBNUMBER.match(line.text)):
            return False
        if not any(map(str.isalpha, line.text)):
            return False
        if (
            before is not None
            and before.style == line.style
            and not above[-1].heading
            and self._gap(before, line) < 1.2
        ):
            return False  # it continues the text above
        fresh = before is None or above[-1].heading or self._gap(before, line) > 1.2 or above[-1].ends()
        named = line.words <= 8 and (main_kind(line.text) is not None or is_left_out(line.text))
        if not fresh and not (line.words <= 3 and line.font.bold and main_kind(line.text) is not None):
            return False
        after = lines[1] if len(lines) > 1 else None
        known = line.outlined or (named and line.words <= 6)
        if known and (self._stands_out(line) or self._alone(line, after)):
            return True
        if self._is_numbered(line, after):
            return True
        if not self._stands_out(line) or not (line.text[:1].isupper() or _OPENS.match(line.text)):
            goes_on = bool(above) and above[-1].heading and above[-1].lines[-1].style == line.style
            return goes_on and self._stands_out(line)
        if line.text.endswith((",", ";")):
            return self._is_marked(line) and _ends_as_heading(lines)
        if line.text.endswith(".") and line.words > (12 if self._is_marked(line) else 4):
            return False
        if after is None or self._gap(line, after) > 1.2 or line.width < 0.8 * self._width():
            return True
        return _begins_short_run(lines)

    def starts_paragraph(self, line: Line, before: Line, paragraph: Paragraph, *, heading: bool) -> bool:
        if heading or paragraph.heading:
            beside = abs(line.y - before.y) < 0.4 * line.size and line.x0 - before.x1 > 2 * line.size
            near = self._gap(before, line) < 1.25 and not beside
            together = heading and paragraph.heading and before.style == line.style and near
            return not together or main_kind(paragraph.text) is not None or bool(_NUMBERED.match(line.text))
        if abs(line.y - before.y) < 0.4 * line.size or before.initial:
            return False
        if self._gap(before, line) > 1.35 or before.y < line.y or _OWN_PARAGRAPH.match(line.text):
            return True
        if abs(line.size - before.size) > 0.6 and line.words > 2 and before.words > 2:
            return True
        indent = line.x0 - before.x0
        if indent > 0.7 * line.size and abs(before.x0 - self.left) < 2 and indent < 6 * line.size:
            return not (before.hyphenated or _HANGING.match(before.text))
        short = before.x1 < self.right - 0.25 * self._width()
        if _LISTED.match(line.text) and paragraph.ends() and (short or line.x0 > self.left + 2):
            return True
        if short and line.lead[:1].isupper() and line.lead.endswith(":"):
            return True
        if self._ended_early(before, line) and not _OPEN_BRACKET.search(before.text):
            return True
        fresh = paragraph.ends() and (line.text[:1].isupper() or bool(line.lead))
        lead = line.lead if line.lead[:1].isupper() else ""
        return fresh and (short or lead.endswith((".", ":")) or is_abstract_part(lead))

    def _is_numbered(self, line: Line, after: Line | None) -> bool:
        """Whether a line set like the text is a heading by its number: "2.2.1. Participants" on a line of its own."""
        if not _SUBNUMBER.match(line.text) or line.text.endswith((".", ",", ";", ":")):
            return False
        return after is None or (after.text[:1].isupper() and self.right - line.x1 > _width_of_first_word(after))

    def _ended_early(self, line: Line, after: Line) -> bool:
        """Whether a line was ended on purpose: much room is left, and the next line begins with a capital."""
        if not after.text[:1].isupper() or line.hyphenated or line.text[-1:] in _GOING_ON:
            return False
        return min(after.x1, self.right) - line.x1 > _EARLY * self._width()

    def _width(self) -> float:
        return max(self.right - self.left, 0.5 * self.typography.width)

    def _gap(self, before: Line, line: Line) -> float:
        """The distance of two lines in multiples of the usual one."""
        return (before.y - line.y) / max(self.leading, line.size)

    def _stands_out(self, line: Line) -> bool:
        """Whether a line differs from its column in weight, slope, size, case or font."""
        if line.style == self.style:
            return bool(_CAPITALS.fullmatch(_NUMBERED.sub("", line.text)))
        return self._is_marked(line) or line.style[0] != self.style[0]

    def _is_marked(self, line: Line) -> bool:
        font = line.font
        larger = line.size > self.style[1] + 0.4
        return font.bold or font.italic or larger or bool(_CAPITALS.fullmatch(_NUMBERED.sub("", line.text)))

    def _alone(self, line: Line, after: Line | None) -> bool:
        return line.width < 0.6 * self._width() and (
            after is None or after.text[:1].isupper() or bool(_NUMBERED.match(after.text))
        )
