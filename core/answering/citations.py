"""Follow citations from papers with good evidence to works that several of them cite, or that cite several of them.

This is PaperQA2's Algorithm 1 (section 8.1.1, "Citation Traversal Tool").
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import zip_longest
from typing import Protocol

from core.answering.gathering import STRONG
from core.answering.model import Gathered
from core.library.index import Library
from core.library.model import LibraryPaper
from core.paper import CitedWork
from core.paper.identifiers import bare_doi
from core.references import Reference

SHARE = Fraction(1, 3)  # the share of the sources that must cite a work or be cited by it (alpha)
LIMIT = 12  # works that are kept in each direction (l)
_WORD = re.compile(r"\w+")

# ---- Which records are of one work ----


def as_work(paper: LibraryPaper) -> CitedWork:
    """A paper of the library as a cited work."""
    return CitedWork(
        paper.title, paper.authors, paper.journal, paper.year, bare_doi(paper.doi or ""), paper.pmid or None
    )


def work_of(reference: Reference) -> CitedWork:
    """A reference as a cited work: authors have their given name first."""
    return CitedWork(
        reference.title or None,
        tuple(" ".join(reversed(name.split(", ", 1))) for name in reference.authors),
        reference.journal or None,
        reference.year,
        reference.doi,
        reference.pmid,
    )


def key_of(work: CitedWork) -> str:
    """A work's key: its DOI, else its PMID, else its title without case and punctuation; "" if none is known."""
    if work.doi:
        return f"doi:{work.doi.lower()}"
    if work.pmid:
        return f"pmid:{work.pmid}"
    return f"title:{title}" if (title := _plain_title(work)) else ""


def _plain_title(work: CitedWork) -> str:
    return " ".join(_WORD.findall((work.title or "").casefold()))


class Works:
    """Records merged into works, as far as possible: most records lack a DOI or a title.

    Two records are compared by their DOIs if both have one, else by their PMIDs if both have one, else by their titles.
    A work has the details of all its records.
    """

    def __init__(self, records: Iterable[CitedWork]) -> None:
        self.works: list[CitedWork] = []
        self._by_doi: dict[str, int] = {}
        self._by_pmid: dict[str, list[int]] = defaultdict(list)
        self._by_title: dict[str, list[int]] = defaultdict(list)
        # Records with a DOI first, then those with a PMID, so that the result does not depend on the order of papers.
        for record in sorted(records, key=lambda one: (one.doi is None, one.pmid is None)):
            self._take_in(record)

    def find(self, record: CitedWork) -> int | None:
        """The number of the record's work; None if there is none, or if the record has no DOI, PMID or title."""
        if record.doi and (known := self._by_doi.get(record.doi.lower())) is not None:
            return known
        same_number = self._by_pmid.get(record.pmid, []) if record.pmid else []
        same_title = self._by_title.get(title, []) if (title := _plain_title(record)) else []
        alike = (number for number in (*same_number, *same_title) if not _differ(self.works[number], record))
        return next(alike, None)

    def _take_in(self, record: CitedWork) -> None:
        if not key_of(record):
            return
        number = self.find(record)
        if number is None:
            number = len(self.works)
            self.works.append(record)
        else:
            self.works[number] = self.works[number].filled_from(record)
        if record.doi:
            self._by_doi.setdefault(record.doi.lower(), number)
        for numbers in (
            *([self._by_pmid[record.pmid]] if record.pmid else []),
            *([self._by_title[title]] if (title := _plain_title(record)) else []),
        ):
            if number not in numbers:
                numbers.append(number)


def _differ(one: CitedWork, other: CitedWork) -> bool:
    """Whether two records are of different works, by the DOI if both have one, else by the PMID."""
    if one.doi and other.doi:
        return one.doi.lower() != other.doi.lower()
    return bool(one.pmid and other.pmid and one.pmid != other.pmid)


# ---- Where citations come from ----


class CitationGraph(Protocol):
    """Who cites whom. Records may lack most details, and several may be of the same work."""

    def references_of(self, paper: LibraryPaper) -> Sequence[CitedWork]:
        """What the paper cites."""
        ...

    def citers_of(self, paper: LibraryPaper) -> Sequence[CitedWork]:
        """What cites the paper."""
        ...

    def times_cited(self, work: CitedWork) -> int:
        """How many works are known to cite it."""
        ...


class LibraryCitations:
    """The citations in a library's papers: references inside and outside the library, and citers within it."""

    def __init__(self, papers: Sequence[LibraryPaper], references: Mapping[str, Sequence[CitedWork]]) -> None:
        records = {paper.id: as_work(paper) for paper in papers}
        cited = [work for paper in papers for work in references.get(paper.id, ())]
        self._works = Works([*records.values(), *cited])
        self._references: dict[str, list[int]] = {}  # numbers of works by the paper's id, each once
        self._citers: dict[int, dict[int, CitedWork]] = defaultdict(dict)  # by the cited, then the citing work's number
        for place, paper in enumerate(papers):
            own = self._works.find(records[paper.id])
            numbers = dict.fromkeys(map(self._works.find, references.get(paper.id, ())))
            known = [number for number in numbers if number is not None and number != own]
            self._references[paper.id] = known
            # Two files of the same paper count once. A paper without DOI, PMID and title is identified by its place.
            for number in known:
                self._citers[number][-1 - place if own is None else own] = records[paper.id]

    @classmethod
    def of(cls, library: Library) -> LibraryCitations:
        """The citations in a library's current papers. Raises `LibraryError` if it cannot be read."""
        return cls(library.papers(), library.references())

    def references_of(self, paper: LibraryPaper) -> Sequence[CitedWork]:
        """What the paper cites. Each work has the details of all records of it."""
        return [self._works.works[number] for number in self._references.get(paper.id, ())]

    def citers_of(self, paper: LibraryPaper) -> Sequence[CitedWork]:
        """The papers of the library whose references name it."""
        return list(self._cited_by(as_work(paper)).values())

    def times_cited(self, work: CitedWork) -> int:
        """How many papers of the library cite it."""
        return len(self._cited_by(work))

    def _cited_by(self, work: CitedWork) -> Mapping[int, CitedWork]:
        number = self._works.find(work)
        return {} if number is None else self._citers.get(number, {})


# ---- Algorithm 1 ----


class Way(StrEnum):
    """How a work was reached."""

    REFERENCE = "past reference"
    CITER = "future citer"


@dataclass(frozen=True, slots=True)
class FollowedWork:
    """A work that enough of the sources cite or are cited by."""

    work: CitedWork  # all details known, which are needed to fetch a work that is not in the library
    way: Way
    sources: tuple[str, ...]  # ids of the papers that cite it, or that it cites
    paper: str | None  # `LibraryPaper.id`; None if it is not in the library

    @property
    def shared(self) -> int:
        """How many sources share it."""
        return len(self.sources)


def sources_of(
    evidence: Iterable[Gathered], papers: Iterable[LibraryPaper], *, least: float = STRONG
) -> tuple[LibraryPaper, ...]:
    """The papers to start from (D_prev): those with a passage of at least this score, the best first."""
    by_id = {paper.id: paper for paper in papers}
    good = sorted((one for one in evidence if one.score >= least), key=lambda one: (-one.score, one.passage.id))
    return tuple(by_id[id] for id in dict.fromkeys(one.passage.paper for one in good) if id in by_id)


def fewest_shared(sources: int, share: Fraction | float = SHARE) -> int:
    """The least number of sources, out of `sources`, that must share a work: ceil(alpha n).

    >>> [fewest_shared(n) for n in (1, 3, 4, 6, 7)], fewest_shared(6, 0.4)
    ([1, 1, 2, 2, 3], 3)
    """
    exact = share if isinstance(share, Fraction) else Fraction(share).limit_denominator(1000)
    return math.ceil(exact * sources)


def traverse(
    sources: Sequence[LibraryPaper],
    graph: CitationGraph,
    papers: Iterable[LibraryPaper],
    *,
    share: Fraction | float = SHARE,
    limit: int = LIMIT,
) -> list[FollowedWork]:
    """The works that enough of the sources cite, and those that cite enough of them, alternating, each work once.

    There are at most `limit` in each direction, those shared by the most sources first. The sources themselves are left
    out. `papers` are those of the library.
    """
    starts = _each_work_once(sources)
    past = {paper.id: graph.references_of(paper) for paper in starts}
    future = {paper.id: graph.citers_of(paper) for paper in starts}
    held = {paper.id: as_work(paper) for paper in (*papers, *sources)}
    works = Works([*held.values(), *(record for ways in (past, future) for each in ways.values() for record in each)])
    place: dict[int, str] = {}  # of works in the library: the paper's id
    for id, record in held.items():
        if (number := works.find(record)) is not None:
            place.setdefault(number, id)
    own = {number for paper in starts if (number := works.find(held[paper.id])) is not None}

    def followed(way: Way, cited: Mapping[str, Sequence[CitedWork]]) -> list[FollowedWork]:
        numbers = {
            id: [number for record in each if (number := works.find(record)) is not None] for id, each in cited.items()
        }
        kept = filter_overlap(
            numbers,
            own,
            fewest=fewest_shared(len(starts), share),
            limit=limit,
            times_cited=lambda number: graph.times_cited(works.works[number]),
            key=lambda number: key_of(works.works[number]),
        )
        return [FollowedWork(works.works[number], way, by, place.get(number)) for number, by in kept]

    return _feathered(followed(Way.REFERENCE, past), followed(Way.CITER, future))


def _each_work_once(papers: Iterable[LibraryPaper]) -> list[LibraryPaper]:
    """The papers without duplicates: two files of the same paper are one source."""
    papers = list(papers)
    works = Works(map(as_work, papers))
    once: dict[int | str, LibraryPaper] = {}
    for paper in papers:
        number = works.find(as_work(paper))
        once.setdefault(paper.id if number is None else number, paper)
    return list(once.values())


def filter_overlap(
    cited: Mapping[str, Iterable[int]],
    own: Collection[int],
    *,
    fewest: int,
    limit: int,
    times_cited: Callable[[int], int],
    key: Callable[[int], str],
) -> list[tuple[int, tuple[str, ...]]]:
    """FilterOverlap: works with the sources that share them, by decreasing number of sources.

    `cited` holds the works of each source; `own` holds the sources themselves, which are left out. If a bin exceeds the
    limit, its most cited works are kept. Ties, and works in a bin that fits, are in the order of their keys.
    """
    sharing: dict[int, dict[str, None]] = defaultdict(dict)
    for source, works in cited.items():
        for work in works:
            sharing[work][source] = None
    bins: dict[int, list[int]] = defaultdict(list)
    for work, by in sharing.items():
        bins[len(by)].append(work)
    out: list[int] = []
    for overlap in sorted(bins, reverse=True):
        if overlap < fewest or len(out) >= limit:
            break
        here = sorted((work for work in bins[overlap] if work not in own), key=key)
        if len(here) > (room := limit - len(out)):
            here = sorted(here, key=lambda work: -times_cited(work))[:room]  # stable: ties stay in order of keys
        out += here
    return [(work, tuple(sharing[work])) for work in out]


def _feathered(past: Sequence[FollowedWork], future: Sequence[FollowedWork]) -> list[FollowedWork]:
    """The works of both lists, alternating, a past reference first. A work in both lists appears once."""
    both = (one for pair in zip_longest(past, future) for one in pair if one is not None)
    first: dict[str, FollowedWork] = {}
    for one in both:
        first.setdefault(key_of(one.work), one)
    return list(first.values())
