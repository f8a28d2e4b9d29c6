"""RIS and NBIB: lines with tags, cut into records that know their place, each read by rispy.

rispy (MIT) says what a tag line is and reads a record. Given a whole file it joins a
record that has no end with the next one, and passes over lines before a record in silence; so it is given one at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import rispy

from core.paper.xml import squeeze

_LINE = re.compile(r"\r\n|\r|\n")
_RIS_LINE = re.compile(r"([A-Z][A-Z0-9])  -(?: (.*)|\s*|(\S.*))")
_LOOSE_RIS_LINE = re.compile(r"([A-Z][A-Z0-9])\s*-(?:\s+(.*)|)")
_NBIB_LINE = re.compile(r"([A-Z]{2,4}) *-(?: (.*)|\s*)")
_COUNTER = re.compile(r"\W*\d+\W*")  # some programs number their records


class _RisParser(rispy.RisParser):  # type: ignore[misc]  # rispy has no types
    """Tag lines of RIS, those too that end after the hyphen or leave out the space after it."""

    line = _RIS_LINE

    def parse_line(self, line: str) -> tuple[str, str] | tuple[None, str]:
        match = self.line.fullmatch(line.removeprefix("\ufeff"))
        value = squeeze("".join(filter(None, match.groups()[1:]))) if match else ""
        if not match or (match[1] == self.END_TAG and value):  # a line of text may begin like an end tag
            return None, squeeze(line)
        return match[1], value


class _LooseRisParser(_RisParser):
    """The same for files whose tags are followed by one space, or a tab."""

    line = _LOOSE_RIS_LINE


class _NbibParser(_RisParser):
    """Tag lines of PubMed's own format, whose records have a first tag and no last one."""

    START_TAG = "PMID"
    line = _NBIB_LINE


@dataclass(slots=True)
class Record:
    """One record's lines, with those that go on joined to the line before them."""

    number: int  # in the file, from 1
    first_line: int  # in the file, from 1
    started: bool  # whether it begins with the start tag
    ended: bool = False
    lines: list[str] = field(default_factory=list)

    @property
    def place(self) -> str:
        return f"record {self.number}, line {self.first_line}"


@dataclass(frozen=True, slots=True)
class Stray:
    """A line that belongs to no record."""

    line: int
    text: str


def parser_for(text: str) -> rispy.RisParser | None:
    """How the tag lines of a file look; None if it has none."""
    if re.search(r"^\ufeff?PMID ?- *\d", text, re.MULTILINE):
        return _NbibParser()
    if re.search(r"^\ufeff?TY  -|^\ufeff?(?:TI|T1|AU|A1)  - \S", text, re.MULTILINE):
        return _RisParser()
    if re.search(r"^\ufeff?TY\s*-\s+[A-Z]{3,}", text, re.MULTILINE):
        return _LooseRisParser()
    return None


def is_nbib(parser: rispy.RisParser) -> bool:
    return isinstance(parser, _NbibParser)


def cut(text: str, parser: rispy.RisParser) -> Iterator[Record | Stray]:
    """The records of a file, and lines between them that say something."""
    blank_ends = is_nbib(parser)
    record: Record | None = None
    count = 0
    for number, line in enumerate(_LINE.split(text), start=1):
        tag, value = parser.parse_line(line)
        starts = tag == parser.START_TAG
        if record and (starts or (blank_ends and not line.strip())):
            record.ended = blank_ends
            yield record
            record = None
        if tag == parser.END_TAG and not blank_ends:
            if record:
                record.ended = True
                yield record
            record = None
        elif tag is not None:
            if record is None:
                count += 1
                record = Record(count, number, started=starts)
            record.lines.append(f"{tag}  - {value}")
        elif value and record:
            record.lines[-1] = f"{record.lines[-1]} {value}"
        elif value and count and not _COUNTER.fullmatch(value):
            yield Stray(number, value)  # what stands before the first record tells where the file is from
    if record:
        record.ended = blank_ends
        yield record


def fields_of(record: Record, parser: rispy.RisParser) -> dict[str, tuple[str, ...]]:
    """Every tag of a record that has a start, with all its values."""
    tags = {line.partition("  - ")[0]: line.partition("  - ")[0] for line in record.lines}
    reader = type(parser)(mapping=tags, list_tags=list(tags), delimiter_tags_mapping={})
    [found] = reader.parse("\n".join([*record.lines, f"{parser.END_TAG}  -"]))
    return {tag: (value,) if isinstance(value, str) else tuple(value) for tag, value in found.items()}
