"""From what a record says, field by field, to a `Reference`: the same for every format but for the fields' names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from core.paper.registrations import registrations_in
from core.references.identifiers import bare_doi, bare_pmid, doi_stated, pmid_stated, year_in
from core.references.model import Reference

Fields = Mapping[str, tuple[str, ...]]
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Layout:
    """Which fields say what, the best first. `people` splits a field that names several authors."""

    title: tuple[str, ...]
    authors: tuple[str, ...]
    year: tuple[str, ...]
    journal: tuple[str, ...]
    doi: tuple[str, ...]
    pmid: tuple[str, ...]
    abstract: tuple[str, ...]
    people: Callable[[str], Iterable[str]] = field(default=lambda text: (text,))

    def all_names(self) -> frozenset[str]:
        """Every field that a `Reference` is made from."""
        return frozenset((*self.title, *self.authors, *self.year, *self.journal, *self.doi, *self.pmid, *self.abstract))


@dataclass(frozen=True, slots=True)
class Built:
    """A reference, or why there is none; `doubts` are the parts of it that are wrong and were left out."""

    reference: Reference | None
    doubts: tuple[str, ...] = ()


def build(fields: Fields, layout: Layout, *, kept: Fields) -> Built:
    """The reference that fields make, which has a title at least; `kept` is what the file says, under its own names."""
    title = _first(fields, layout.title)
    if not title:
        return Built(None)
    doubts: list[str] = []
    doi, wrong = _first_valid(fields, layout.doi, bare_doi)
    if wrong:
        doubts.append(f"“{_short(wrong)}” is no DOI. The record was read without one; DOIs begin with 10.")
    pmid, wrong = _first_valid(fields, layout.pmid, bare_pmid)
    if wrong:
        doubts.append(f"“{_short(wrong)}” is no PMID. The record was read without one; PMIDs are numbers.")
    year, wrong = _first_valid(fields, layout.year, year_in)
    if wrong:
        doubts.append(f"“{_short(wrong)}” is no year. The record was read without one.")
    values = [value for several in fields.values() for value in several]
    return Built(
        Reference(
            title=title,
            authors=tuple(
                dict.fromkeys(
                    person
                    for name in layout.authors
                    for value in fields.get(name, ())
                    for person in layout.people(value)
                    if person
                )
            ),
            year=year,
            journal=_first(fields, layout.journal),
            doi=doi or next(filter(None, map(doi_stated, values)), None),
            pmid=pmid or next(filter(None, map(pmid_stated, values)), None),
            abstract=_first(fields, layout.abstract),
            registrations=tuple(dict.fromkeys(number for value in values for number in registrations_in(value))),
            fields=kept,
        ),
        tuple(doubts),
    )


def _first(fields: Fields, names: tuple[str, ...]) -> str:
    return next((value for name in names for value in fields.get(name, ()) if value), "")


def _first_valid(
    fields: Fields, names: tuple[str, ...], read: Callable[[str], _Value | None]
) -> tuple[_Value | None, str | None]:
    """What the first field gives that can be read; or the first that cannot, if none can."""
    wrong = None
    for name in names:
        for value in fields.get(name, ()):
            if value and (found := read(value)) is not None:
                return found, None
            wrong = wrong or value
    return None, wrong or None


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"
