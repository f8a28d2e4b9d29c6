"""Hyphens at line ends: undone in a divided word, kept in a compound, by how the paper itself writes the word."""

from __future__ import annotations

import re
from itertools import pairwise

from core.paper.pdf.lines import Line, PageLines

_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
_STEM = re.compile(r"[A-Za-z0-9-]+$")
_REST = re.compile(r"[a-z]+")
_NAME = re.compile(r"[A-Za-z]+")
_INDENT = 20  # points: lines that begin nearer than this to each other are of one column
_GREEK = re.compile(r"[α-ωΑ-Ω]$")
# First parts that keep their hyphen where the paper does not show how it writes the whole word.
_LINKS = frozenset(("to", "of", "in", "on", "by", "and", "or", "the", "at", "up", "year", "based", "related", "free"))
# Second parts of a compound, after anything longer than a prefix: "placebo-controlled", "drug-treated".
_ENDINGS = frozenset(
    "treated controlled specific dependent associated induced adjusted matched reported mediated resistant naive".split()
)
_PREFIXES = frozenset(("pre", "post", "non", "multi"))  # "non-" is a prefix or, by chance, a syllable
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
    """Decide for every hyphenated line end; a hyphen that is kept is written at the end of its line's text."""
    words = _whole_words(pages)
    for line, after in pairwise(line for page in pages for line in page.lines):
        if line.hyphenated and _is_compound(line.text, _continuation(line, after, pages).text, words):
            line.hyphenated = False
            line.text += "-"


def _continuation(line: Line, after: Line, pages: list[PageLines]) -> Line:
    """The line in which a divided word goes on: the next one of the file, or, where the file has something else there
    (not every file has its lines in reading order), that which goes on in small letters a column or page further.
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
    """The words that the paper writes within a line, in small letters."""
    texts: list[str] = []
    divided = False  # the line before ends in a piece of a word, so this one begins with one
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
    """Whether the paper writes a prefix and its word as one, as in “nonfatal”."""
    if any(word.startswith(f"{prefix}-") for word in words):
        return False
    least = len(prefix) + 4
    return any(len(word) >= least and word.startswith(prefix) and word[len(prefix) :] in words for word in words)
