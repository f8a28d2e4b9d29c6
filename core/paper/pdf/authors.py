"""Who wrote a paper: the names under or beside the title of a PDF, or in a list at its end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from core.paper.bylines import names_in
from core.paper.pdf.lines import Line, PageLines
from core.paper.pdf.note_letters import may_have_letters

_ELIDED = ("⁝", "⋮", "…", "...")  # a list of which only the first and last stand on the first page
_GOES_ON = re.compile(r"(?:[,;&]|\band)\s*$")
_FEWEST = 3  # names that a list at the end has: there are other lines of two names there
_LONGEST = 400  # lines of a list of authors


def find_authors(
    pages: Sequence[PageLines], title: Sequence[Line], stated: str, *, marked: Callable[[Sequence[Line]], list[str]]
) -> tuple[str, ...]:
    """The authors; () where none were found for certain. `stated` is what the file says of them.

    `marked` gives the texts of lines with every raised letter as an asterisk, for names that may end in such letters.

    A block of lines on the first page counts where nothing but names stands in it. A first page without any, or
    with some left out, has them in a list on a later page that begins with the same author.
    """
    if not title:
        return ()
    below = min(line.y for line in title)
    said = names_in([stated.replace(";", ",")])
    for block in _blocks([line for line in pages[0].lines if line.y < below]):
        names = _names(block, [line.text for line in block])
        if names and may_have_letters(block, pages[0].lines):
            names = _names(block, marked(block))
        if names and any(mark in line.text for line in block for mark in _ELIDED):
            return _listed(pages[1:], names[0], last=names[-1])
        if len(names) > 1 or (names and _is_certain(block, names[0], said)):
            return names
    return (_listed(pages[1:], said[0]) if said else ()) or (said if len(said) > 1 else ())


def _names(block: Sequence[Line], texts: Sequence[str]) -> tuple[str, ...]:
    """The names in a block, what a line break tore apart in one piece."""
    whole: list[str] = []
    torn = False
    for line, text in zip(block, texts, strict=False):  # there may be no texts
        if torn:
            whole[-1] += text.lstrip()
        else:
            whole.append(text)
        torn = line.hyphenated
    return names_in(whole)


def _is_certain(block: Sequence[Line], name: str, said: Sequence[str]) -> bool:
    """Whether a single name is one for certain: a mark or degree follows it, or the file names it too."""
    return name in said or " ".join(line.text for line in block).strip() != name


def _listed(pages: Sequence[PageLines], first: str, *, last: str | None = None) -> tuple[str, ...]:
    """The longest list on these pages that begins with `first`, and ends with `last` if that is known."""
    best: tuple[str, ...] = ()
    for page in pages:
        for at, line in enumerate(page.lines):
            if line.text.startswith(first):
                names = _whole_list(page.lines[at : at + _LONGEST])
                if len(names) > max(_FEWEST - 1, len(best)) and last in {None, names[-1]}:
                    best = names
    return best


def _whole_list(lines: Sequence[Line]) -> tuple[str, ...]:
    """The names in as many of these lines as hold nothing else, if the list comes to an end there."""
    block = [lines[0]]
    for line in lines[1:]:
        if abs(line.size - lines[0].size) > 0.3 or not 0 <= block[-1].y - line.y < 2 * line.size:
            break
        block.append(line)
    while block:
        names = _names(block, [line.text for line in block])
        if names and not (block[-1].hyphenated or _GOES_ON.search(block[-1].text)):
            return names
        del block[-1]
    return ()


def _blocks(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Lines in one type that stand below each other, from the top of the page; the pieces of a line in one."""
    open_blocks: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (-round(line.y), line.x0)):
        for block in open_blocks:
            last = block[-1]
            near = last.y - line.y < 2 * line.size and line.x0 < max(other.x1 for other in block) + 1.5 * line.size
            if near and abs(last.size - line.size) < 0.3 and line.x1 > min(other.x0 for other in block):
                block.append(line)
                break
        else:
            open_blocks.append([line])
    yield from open_blocks
