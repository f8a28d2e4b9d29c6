"""What a reviewer pastes: a query, or a list of DOIs, PMIDs, PMCIDs, NCT numbers and titles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from core.errors import QueryError
from core.paper.identifiers import bare_doi, bare_nct, bare_pmid

Value = TypeVar("Value")
MOST_NAMED = 2_000  # lines of a list
_LONGEST_QUERY = 20_000
_BETWEEN = re.compile(r"[,;\s]+")
_BETWEEN_DOIS = re.compile(r"[,;]*\s+|[,;](?=10\.\d{4}|NCT\d|PMC\d)", re.IGNORECASE)  # a DOI may hold a comma
_PMCID = re.compile(r"PMC\d{1,9}", re.IGNORECASE)
_SIGNS_OF_A_QUERY = re.compile(r"\b(?:AND|OR|NOT)\b|\[[A-Za-z/: ]+\]|\b(?!PMC?ID:)[A-Z_]{4,}:|^\W*\(", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Asked:
    """A query in the reviewer's words, or the entries of a list, each once and in order."""

    text: str  # as it was pasted
    dois: tuple[str, ...] = ()
    pmids: tuple[str, ...] = ()
    pmcids: tuple[str, ...] = ()
    trials: tuple[str, ...] = ()  # NCT numbers
    titles: tuple[str, ...] = ()

    @property
    def is_list(self) -> bool:
        """Whether it names papers or trials and is not a query."""
        return bool(self.dois or self.pmids or self.pmcids or self.trials or self.titles)

    @property
    def in_words(self) -> str:
        """What a list names: "3 DOIs, 1 title"; empty for a query."""
        kinds = {
            "DOI": self.dois,
            "PMID": self.pmids,
            "PMCID": self.pmcids,
            "NCT number": self.trials,
            "title": self.titles,
        }
        return ", ".join(f"{len(some)} {kind}{'s' if len(some) > 1 else ''}" for kind, some in kinds.items() if some)


def asked(text: str) -> Asked:
    """What a pasted text asks for. Raises `QueryError` if it is empty or too long.

    It is a list if every line is an identifier, or if there are several lines and none looks like a part of a query.
    """
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    if not lines:
        raise QueryError("Nothing is asked for. Paste a query, or DOIs, PMIDs, NCT numbers or titles, one a line.")
    pieces = list(_pieces(lines))
    named = [_identified(piece) for piece in pieces]
    if all(named) or (len(lines) > 1 and not _SIGNS_OF_A_QUERY.search(text)):
        if len(pieces) > MOST_NAMED:
            raise QueryError(f"The list has {len(pieces):,} entries. Paste no more than {MOST_NAMED:,} at a time.")
        return _listed(text, pieces)
    query = " ".join(lines)
    if len(query) > _LONGEST_QUERY:
        raise QueryError(f"The query has {len(query):,} letters. Services take no more than {_LONGEST_QUERY:,}.")
    return Asked(text)


def query_of(text: str) -> str:
    """A query on one line, as it is sent."""
    return " ".join(text.split())


def batches(values: Sequence[Value], size: int) -> Iterator[Sequence[Value]]:
    """The values in batches of `size`."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


def page_by_page(page: Callable[[str], tuple[Sequence[Value], str]], most: int, *, first: str = "") -> Iterator[Value]:
    """What a service gives in pages, at most `most` values.

    `page` takes a page's mark and returns the page's values and the next mark. The last page has no values, no next
    mark, or its own mark again.
    """
    mark, given = first, 0
    while given < most:
        values, following = page(mark)
        for value in values[: most - given]:
            yield value
            given += 1
        if not values or not following or following == mark:
            return
        mark = following


def _pieces(lines: Sequence[str]) -> Iterator[str]:
    """The lines, with identifiers that share a line separated."""
    for line in lines:
        between = _BETWEEN_DOIS if "10." in line else _BETWEEN
        parts = [part for part in between.split(line) if part]
        if len(parts) > 1 and all(map(_identified, parts)):
            yield from parts
        else:
            yield line


def _identified(piece: str) -> tuple[str, str] | None:
    bare = piece.strip().strip(".,;")
    if trial := bare_nct(bare):
        return "trials", trial
    if _PMCID.fullmatch(bare):
        return "pmcids", bare.upper()
    if doi := bare_doi(piece):
        return "dois", doi
    if pmid := bare_pmid(bare):
        return "pmids", pmid
    return None


def _listed(text: str, pieces: Sequence[str]) -> Asked:
    found: dict[str, dict[str, None]] = {name: {} for name in ("dois", "pmids", "pmcids", "trials", "titles")}
    for piece in pieces:
        kind, value = _identified(piece) or ("titles", piece.replace('"', " ").strip())
        if value:
            found[kind][value] = None
    return Asked(text, **{kind: tuple(values) for kind, values in found.items()})
