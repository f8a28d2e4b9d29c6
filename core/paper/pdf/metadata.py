"""The title, DOI, authors, journal and year of a PDF, from its first pages and its metadata."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import pypdfium2

from core.paper.metadata import names_in
from core.paper.pdf.extract import open_text
from core.paper.pdf.lines import Line, PageLines, PrintedText, from_top
from core.paper.pdf.paragraphs import joined
from core.paper.pdf.pdfium import PDFIUM_LOCK, Characters, open_document
from core.paper.pdf.typography import Typography

# ---- Title and DOI ----

_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]+[^\s\"<>.,;:)\]]")
_DOI_CUT = re.compile(r"\b10\.\d{4,9}/?$")
# DOIs of data deposits and supplementary files.
_DOI_OF_FILES = re.compile(r"^10\.(?:5061|5281|6084|17605|17632)/|[./](?:s\d{3}|suppl\w*|-/dc\d)$", re.IGNORECASE)
_DOI_OF_ANOTHER = re.compile(
    r"\W*(?:correct(?:ion|s)|erratum|retract|comment|editorial|see|related|linked)\b", re.IGNORECASE
)
_XMP_TAGS = (b"<prism:doi>", b"<pdfx:doi>", b"<crossmark:DOI>", b"<dc:identifier>")
_XMP_DOI = re.compile(rb"(?:doi:|https?://(?:dx\.)?doi\.org/)?(10\.[^<\s]+)<")
_TEXT = 3  # lines: fewer are a note
STATED = ("doi", "DOI", "WPS-ARTICLEDOI", "Subject", "Title", "Author")
_NOT_LETTERS = re.compile(r"[\W_]+")
_LABELS = re.compile(
    r"(?:original|research|clinical|full[- ]length|special|open)?[\s-]*(?:articles?|research|investigations?|papers?|reports?|access|study|trial)",
    re.IGNORECASE,
)


def stated_by(document: pypdfium2.PdfDocument) -> dict[str, str]:
    """What the file's metadata says; "" where it says nothing. Call under the lock."""
    return {key: document.get_metadata_value(key) for key in STATED}


def find_doi(data: bytes, stated: Mapping[str, str], pages: list[PageLines]) -> str | None:
    """The DOI in the file's metadata, or else the first one printed on the first two pages.

    A DOI broken off by a line end is replaced by the full one if that is printed elsewhere.
    """
    for tag in _XMP_TAGS:
        at = data.find(tag)
        if at >= 0 and (found := _XMP_DOI.match(data, at + len(tag))):
            return found[1].decode("ascii", "replace")
    for text in stated.values():
        if named := _DOI.search(text):
            return named.group()
    printed: list[str] = []
    for page in pages[:2]:
        texts = [line.text for line in page.lines]
        for text, following in pairwise([*texts, ""]):
            named = _DOI.search(f"{text}{following}" if _DOI_CUT.search(text) else text)
            if named and not _DOI_OF_ANOTHER.match(text) and not _DOI_OF_FILES.search(named.group()):
                printed.append(named.group())
    return max((doi for doi in printed if doi.startswith(printed[0])), key=len, default=None)


def title_text(lines: list[Line]) -> PrintedText:
    """The title on one line, with the subtitle after a colon."""
    title = [line for line in lines if abs(line.size - lines[0].size) < 0.6]
    subtitle = [line for line in lines if abs(line.size - lines[0].size) >= 0.6]
    text = joined(title)
    return text.cut(0, len(text.text.rstrip(":"))) + ": " + joined(subtitle) if subtitle else text


def find_title(page: PageLines, typography: Typography, stated: str) -> list[Line]:
    """The lines of the title: the largest type in the upper part of the first page, or what the metadata states."""
    body_size = typography.size
    groups = _large_groups(page, typography)
    wanted = _letters(stated)
    for group in groups:
        printed = _letters(joined(group).text)
        if len(printed) > 15 and (printed in wanted or (len(wanted) > 15 and wanted in printed)):
            return _with_subtitle(group, page, body_size)
    groups = [group for group in groups if not _has_text_above(group, page, body_size)]
    groups = [group for group in groups if sum(line.words for line in group) >= 4] or groups
    if not groups:
        return []
    return _with_subtitle(max(groups, key=lambda group: (group[0].size, len(group))), page, body_size)


def _large_groups(page: PageLines, typography: Typography) -> list[list[Line]]:
    """Runs of lines below each other in one size, larger than body text."""
    large = [line for line in page.lines if line.size > 1.15 * typography.size and line.y > 0.3 * page.height]
    groups: list[list[Line]] = []
    for line in sorted(large, key=lambda line: (-line.y, line.x0)):
        for group in groups:
            last = group[-1]
            if (
                abs(last.size - line.size) < 0.6
                and last.y - line.y < max(1.8, 1.3 * typography.leading / typography.size) * line.size
                and line.x0 < last.x1 + 2 * line.size
            ):
                group.append(line)
                break
        else:
            groups.append([line])
    return [
        group
        for group in groups
        if sum(line.words for line in group) >= 3
        and not _LABELS.fullmatch(" ".join(line.text for line in group).strip())
    ]


def _has_text_above(group: list[Line], page: PageLines, body_size: float) -> bool:
    """Whether running text is above large type, which is then a heading and not the title."""
    above = (line for line in page.lines if line.y > group[0].y and line.words > 5)
    return sum(abs(line.size - body_size) < 0.35 for line in above) >= _TEXT


def _with_subtitle(group: list[Line], page: PageLines, body_size: float) -> list[Line]:
    """The title, with a line below it in the same font family that cannot be a list of authors."""
    last = group[-1]
    family = last.font.name.partition("-")[0]
    for line in from_top(page.lines):
        if (
            0.5 * last.size < last.y - line.y < 1.9 * last.size
            and line.size > 1.2 * body_size
            and line.size < last.size
            and line.font.name.partition("-")[0] == family
            and line.font.bold == last.font.bold
            and abs(line.x0 - last.x0) < 5
            and not re.search(r"[,;|\d*†]", line.text)
            and 3 <= line.words <= 15
        ):
            return [*group, line]
    return group


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub("", text).casefold()


# ---- Raised letters of notes after a name, which look like part of the name in plain text ----

_AFFILIATION = re.compile(r"[a-h](?:\s|(?=[A-Z]))\s?[A-Z][a-zé]+\b.*[,\s]")
_NOT_PRINTED = re.compile(r"[\s\[\]^\ufffe\x02\xad]")  # characters that only the line's text, or only the page, has


def may_have_letters(block: Sequence[Line], page: Sequence[Line]) -> bool:
    """Whether affiliations begin with letters, so that names may end in such letters."""
    lowest = min(line.y for line in block)
    return any(line.y < lowest and line.size < 1.05 * block[0].size and _AFFILIATION.match(line.text) for line in page)


def texts_with_marks(data: bytes, name: str, block: Sequence[Line]) -> list[str]:
    """The texts of lines of one page, with an asterisk for each raised character; [] if PDFium cannot read the page."""
    with PDFIUM_LOCK:
        document = open_document(data, name=name)
        if document is None:
            return []
        try:
            page = document[block[0].page - 1]
            with open_text(page) as (_, characters):
                texts = [_marked(characters, line) for line in block]
            page.close()
        except pypdfium2.PdfiumError:  # a page that pypdf has read
            return []
        finally:
            document.close()
    return texts


def _marked(characters: Characters, line: Line) -> str:
    """The text of a line, read again: as many letters and signs as it has, since PDFium may see other line breaks."""
    pieces: list[str] = []
    left = len(_NOT_PRINTED.sub("", line.text))
    for index, character in enumerate(characters.text[line.at :], line.at):
        if not left:
            break
        if character.isspace():
            pieces.append(" ")
        elif not _NOT_PRINTED.match(character):
            pieces.append("*" if _is_raised(characters, index, line) else character)
            left -= 1
    return "".join(pieces)


def _is_raised(characters: Characters, index: int, line: Line) -> bool:
    height = characters.baseline(index, line.angle) - line.y
    return characters.size(index) < 0.85 * line.size and height > 0.15 * line.size


# ---- Authors ----

_ELIDED = ("⁝", "⋮", "…", "...")  # marks a list of which only the first and last names are on the first page
_GOES_ON = re.compile(r"(?:[,;&]|\band)\s*$")
_FEWEST = 3  # names in a list on a later page, at least: other lines there have two
_LONGEST = 400  # lines of a list of authors


def find_authors(
    pages: Sequence[PageLines], title: Sequence[Line], stated: str, *, marked: Callable[[Sequence[Line]], list[str]]
) -> tuple[str, ...]:
    """The authors; () if none were found for certain. `stated` is what the file says about them.

    `marked` gives the texts of lines with each raised letter as an asterisk, since names may end in such letters.

    A block of lines on the first page counts if it holds nothing but names. If there is none, or if it leaves some
    names out, they are in a list on a later page that begins with the same author.
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
    """The names in a block, including those divided at a line end."""
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
    """Whether a single name is certain: a mark or degree follows it, or the file's metadata has it too."""
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
    """The names in the first of these lines that hold nothing else, if the list ends there."""
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
    """Blocks of lines in one size, from the top of the page, with the pieces of a line together."""
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


# ---- Journal and year, from the line that says how to cite the paper ----
# The year in which the file was made is not the year of publication, so it is never used.

_YEAR = r"(?P<year>(?:19|20)\d\d)"
_JOURNAL = r"(?P<journal>[A-Z][^\d|;:©]{2,100}?)"
_VOLUME = r"(?:vol(?:ume|\.)?\s)?[A-Z]?\d{1,4}(?:\s?\([^)]{1,12}\))?"
_PAGE = r"\s?[A-Za-z]{0,6}\d"
_MONTH = r"(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?)"
_CITED = tuple(
    re.compile(pattern, re.VERBOSE)
    for pattern in (
        # "Hive. 2020;12(3):45", "Hive 2020 May 3; 12: e45", "Hive 2020, 12, 45", "Hive (2020) 12:45"
        rf"{_JOURNAL}[.,]?\s\(?{_YEAR}(?:\s{_MONTH}(?:\s\d{{1,2}})?)?\)?\s?[;,:]?\s?{_VOLUME}\s?[:;,]{_PAGE}",
        # "Hive 12 (2020) 45–50", "Hive, Vol. 12, 45–50 (2020)"
        rf"{_JOURNAL},?\s{_VOLUME}(?:[,:]\s?[\d–-]+)?\s?\({_YEAR}\)",
        # "Hive | Volume 12 | May 2020 | 45–50", "Hive | www.hive.example May 2020 | Volume 12"
        rf"{_JOURNAL}\s\|(?=.*\b[Vv]olume\s\d).*\b{_MONTH}\s{_YEAR}\b",
        # "Hive | https://doi.org/10.1000/x May 3, 2020 1 / 12"
        rf"{_JOURNAL}\s\|\s.*\b{_MONTH}\s\d{{1,2}},\s{_YEAR}\b",
    )
)
_VOLUME_LINE = re.compile(rf"\b(?:vol(?:ume|\.)?\s?\d|{_MONTH}\s(?:\d{{1,2}},\s)?(?:19|20)\d\d)", re.IGNORECASE)
_SOME_YEAR = re.compile(r"(?:19|20)\d\d")  # every citation has one
_ANY_YEAR = re.compile(r"(?<![\d/.-])(?:19|20)\d\d(?![\d/-])")
_PUBLISHED = re.compile(rf"\bpublished\b[^.;]{{0,60}}?\b{_YEAR}\b", re.IGNORECASE)
_COPYRIGHT = re.compile(rf"(?:©|\(c\)|copyright)\s?(?:[^\d]{{0,60}}?){_YEAR}\b", re.IGNORECASE)
_CITES_ANOTHER = re.compile(
    r"(?:see|editorial|comment|correction|erratum|this article|presented|adapted|from|downloaded|printed|accessed"
    r"|received|revised|accepted|\W*\d+\.\s)\b",
    re.IGNORECASE,
)
_EDGE = 0.1  # of a page's height: where running heads and feet stand
_GAP = 4  # times the size of type: the widest gap inside a running head
_SMALL = frozenset({"of", "the", "and", "in", "for", "on", "et", "de", "&", "-", "–", "a", "und", "der", "e"})


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a paper was published, and in which year."""

    journal: str | None = None
    year: int | None = None


def find_citation(pages: Sequence[PageLines], typography: Typography, stated: str) -> Citation:
    """Journal and year from the first two pages and the metadata (`stated`), as far as given.

    The best source is a line that cites the paper itself, then a dated running head or foot, then "Published ...", then
    the copyright. If there are several years, the most frequent one counts.
    """
    texts = list(_texts(pages[0], typography))
    edges = [text for page in pages[:2] for text in _edges(page)]
    cited = [match for text in (*texts, *edges, stated) if (match := _cited(text))]
    dated = [text for text in edges if _VOLUME_LINE.search(text) and not _CITES_ANOTHER.match(text)]
    years = (
        [match["year"] for match in cited],
        [found[0] for text in dated if len(found := _ANY_YEAR.findall(text)) == 1],
        [match["year"] for text in texts if (match := _PUBLISHED.search(text))],
        [match["year"] for text in texts if (match := _COPYRIGHT.search(text))],
    )
    journals = [name for match in cited if (name := _journal(match["journal"]))]
    year = next((_commonest(found) for found in years if found), None)
    return Citation(_commonest(journals) if journals else None, int(year) if year else None)


def _cited(text: str) -> re.Match[str] | None:
    if not _SOME_YEAR.search(text) or _CITES_ANOTHER.match(text):
        return None
    return next((match for pattern in _CITED if (match := pattern.search(text))), None)


def _journal(text: str) -> str | None:
    """The journal's name at the end of the text before the year; None if that does not look like a name."""
    for candidate in (text, text.rpartition(". ")[2]):
        name = candidate.strip(" .,|")
        words = name.split()
        if len(words) <= 8 and all(word[0].isupper() or word in _SMALL for word in words):
            return name if len(name) > 2 else None
    return None


def _texts(page: PageLines, typography: Typography) -> Iterator[str]:
    """The lines around the text of the first page, each alone and joined with the next."""
    lines = list(_rows(line for line in page.lines if line.words < 6 or not typography.is_body(line)))
    for line, following in pairwise([*lines, None]):
        assert line is not None  # noqa: S101
        yield line.text
        if following is not None and abs(following.x0 - line.x0) < 3 and 0 < line.y - following.y < 2 * line.size:
            yield f"{line.text} {following.text}"


def _edges(page: PageLines) -> Iterator[str]:
    """The running heads and feet of a page."""
    for line in _rows(page.lines):
        if not _EDGE * page.height < line.y < (1 - _EDGE) * page.height:
            yield line.text


def _rows(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, with neighbours on one baseline joined: running heads are often set in pieces."""
    before: Line | None = None
    for line in lines:
        if before is not None and abs(before.y - line.y) < 1 and 0 <= line.x0 - before.x1 < _GAP * line.size:
            before = replace(before, text=f"{before.text} {line.text}", x1=line.x1)
            continue
        if before is not None:
            yield before
        before = line
    if before is not None:
        yield before


def _commonest(values: Sequence[str]) -> str:
    """The most frequent value; among equals, the first."""
    return Counter(values).most_common(1)[0][0]
