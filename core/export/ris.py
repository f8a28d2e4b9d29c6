"""Export references as a RIS file for reference managers, with the decisions as notes.

Some notes follow other tools. ASReview reads `ASReview_relevant` and `ASReview_irrelevant` as labels (its
documentation, "Data format"). Rayyan exports decisions as `RAYYAN-INCLUSION: {"name"=>"Included"}` and reasons as
`RAYYAN-EXCLUSION-REASONS: a,b` (its help, "Understanding your Rayyan export files").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import rispy

from core.references.layouts import TABLE, column_key
from core.references.model import Reference, bare_doi
from core.screening.model import ScreeningVerdict

_OURS = "Vouch: "  # the beginning of every note by Vouch; new notes replace older ones that begin like this
_ASREVIEW = {ScreeningVerdict.INCLUDE: "ASReview_relevant", ScreeningVerdict.EXCLUDE: "ASReview_irrelevant"}
_ASREVIEW_LABEL = re.compile(r"ASReview_(?:relevant|irrelevant|not_seen)")
_RAYYAN = {
    ScreeningVerdict.INCLUDE: "Included",
    ScreeningVerdict.EXCLUDE: "Excluded",
    ScreeningVerdict.UNSURE: "Maybe",
}
_TAG = re.compile(r"[A-Z][A-Z0-9]")
_AUTHORS = {"fau", "au", *TABLE.authors}
# The tags for fields of PubMed's format and of tables. Fields without a tag become one note, so that nothing is lost.
_TAGS = {
    "vi": "VL", "ip": "IS", "pg": "SP", "la": "LA", "mh": "KW", "ot": "KW", "ad": "AD", "pb": "PB", "dp": "DA",
    "volume": "VL", "issue": "IS", "number": "IS", "pages": "SP", "language": "LA", "keywords": "KW", "issn": "SN",
    "publisher": "PB", "url": "UR",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class DecidedReference:
    """A reference and the decision on it."""

    reference: Reference
    notes: Sequence[str] = ()  # such as "include by Ann (2026-11-20)"
    settled: ScreeningVerdict | None = None  # for ASReview, which has only include and exclude
    by_reviewer: Mapping[str, ScreeningVerdict] = field(default_factory=dict)  # for Rayyan
    exclusion_reasons: Sequence[str] = ()


def ris(entries: Iterable[DecidedReference]) -> str:
    """A RIS file. Every value is on one line, and `read_references` can read the references back."""
    records = [_record(entry) for entry in entries]
    tags = {tag for record in records for tag in record}
    return str(
        rispy.dumps(
            [{tag.lower(): values for tag, values in record.items()} for record in records],
            implementation=_Writer,
            mapping={tag: tag.lower() for tag in ("TY", "ER", *tags)} | {"UK": "unknown"},
            list_tags=sorted(tags - {"TY"}),
        )
    )


class _Writer(rispy.RisWriter):  # type: ignore[misc]  # rispy has no types
    """Writes RIS without numbers between the records, as reference managers expect it."""

    REFERENCE_TYPE_KEY = "ty"

    def set_header(self, count: int) -> str:
        return ""


def _record(entry: DecidedReference) -> dict[str, Any]:
    """Tags with lists of values, each on one line; only TY has a single value."""
    reference = entry.reference
    pairs = list(_as_it_was(reference) if reference.fields.get("TY") else _from_parts(reference))
    decided = bool(entry.notes or entry.settled or entry.by_reviewer)
    if decided:
        pairs = [(tag, value) for tag, value in pairs if tag != "N1" or not value.startswith(_OURS)]
    if entry.settled:
        pairs = [(tag, value) for tag, value in pairs if tag != "N1" or not _ASREVIEW_LABEL.fullmatch(value)]
    pairs += [("N1", note) for note in _notes(entry)]
    record: dict[str, Any] = {}
    for tag, value in pairs:
        record.setdefault(tag, []).append(_line(value))
    return {**record, "TY": record["TY"][0] or "JOUR"}


def _as_it_was(reference: Reference) -> Iterator[tuple[str, str]]:
    """The fields of a reference that was read from RIS."""
    for tag, values in reference.fields.items():
        if _TAG.fullmatch(tag) and tag != "ER":
            yield from ((tag, value) for value in values)


def _from_parts(reference: Reference) -> Iterator[tuple[str, str]]:
    """The tags of a reference from another format; fields without a tag in RIS go into a note."""
    yield "TY", "JOUR"
    yield "TI", reference.title
    yield from (("AU", author) for author in reference.authors)
    if reference.year:
        yield "PY", str(reference.year)
    parts = (("JF", reference.journal), ("DO", reference.doi), ("AN", reference.pmid), ("AB", reference.abstract))
    yield from ((tag, value) for tag, value in parts if value)
    if reference.pmid:
        yield "DB", "PubMed"
    others: list[str] = []
    for name, values in reference.fields.items():
        key = column_key(name)
        for value in values:
            if key in ("notes", "note"):
                yield "N1", value
            elif not _is_said(key, value, reference):
                if tag := _TAGS.get(key):
                    yield tag, value
                else:
                    others.append(f"{name}: {value}")
    if others:
        yield "N1", f"Other fields: {' | '.join(others)}"
    if missing := [number for number in reference.registrations if not _is_in_fields(number, reference)]:
        yield "N1", f"Registered: {', '.join(missing)}"


def _is_said(key: str, value: str, reference: Reference) -> bool:
    """Whether a tag already contains a field's value."""
    said = {reference.title, reference.journal, reference.doi, reference.pmid, reference.abstract, str(reference.year)}
    return value in said or (key in _AUTHORS and bool(reference.authors)) or bare_doi(value) == (reference.doi or "")


def _is_in_fields(number: str, reference: Reference) -> bool:
    values = (
        reference.title,
        reference.abstract,
        *(value for several in reference.fields.values() for value in several),
    )
    return any(number in value for value in values)


def _notes(entry: DecidedReference) -> Iterator[str]:
    yield from (note if note.startswith(_OURS) else _OURS + note for note in map(_line, entry.notes) if note)
    if label := entry.settled and _ASREVIEW.get(entry.settled):
        yield label
    if entry.by_reviewer:
        decisions = ",".join(f'"{_name(name)}"=>"{_RAYYAN[verdict]}"' for name, verdict in entry.by_reviewer.items())
        reasons = ",".join(reason.replace(",", " ").replace("|", "/") for reason in entry.exclusion_reasons)
        yield f"{_OURS}RAYYAN-INCLUSION: {{{decisions}}}" + (
            f" | RAYYAN-EXCLUSION-REASONS: {reasons}" if reasons else ""
        )


def _name(text: str) -> str:
    return _line(text).translate({ord(mark): "'" for mark in '"{}|'})


def _line(text: str) -> str:
    return " ".join(text.split())
