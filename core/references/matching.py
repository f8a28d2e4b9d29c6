"""Which paper a reference belongs to: by DOI, then PMID, then title. What is not clear is reported and not matched."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz import fuzz

from core.paper import Paper
from core.references.identifiers import bare_doi
from core.references.model import Reference
from core.references.titles import (
    blocks_of,
    is_periodic,
    is_same_person,
    names_one_paper,
    nearly_same,
    title_key,
    words_of,
)

_SOME_LIKENESS = 60  # of 100: below it, two titles have little in common


@dataclass(frozen=True, slots=True)
class Entry:
    """What is compared of a reference or a paper. `id` is the caller's own; an empty part is unknown."""

    id: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    pmid: str | None = None
    registrations: tuple[str, ...] = ()


def entry_of_reference(id: str, reference: Reference) -> Entry:
    """What is compared of a reference."""
    return Entry(
        id,
        reference.title,
        reference.authors,
        reference.year,
        reference.doi,
        reference.pmid,
        reference.registrations,
    )


def entry_of_paper(paper: Paper) -> Entry:
    """What is compared of a paper, which goes by its own id."""
    return Entry(
        paper.id,
        paper.title or "",
        paper.authors,
        paper.year,
        bare_doi(paper.doi or ""),
        paper.pmid,
        paper.registrations,
    )


class MatchedBy(StrEnum):
    """What a reference and its paper have in common."""

    DOI = "DOI"
    PMID = "PMID"
    TITLE = "title"


@dataclass(frozen=True, slots=True)
class Match:
    """What came of one reference. Without a paper and with candidates it is ambiguous, and a person has to choose."""

    reference: str
    paper: str | None
    by: MatchedBy | None = None
    candidates: tuple[str, ...] = ()  # papers that it could belong to, where none is chosen
    reason: str = ""  # one sentence: why it is not matched, or what to look at in the match

    @property
    def is_ambiguous(self) -> bool:
        return self.paper is None and bool(self.candidates)


def match(references: Sequence[Entry], papers: Sequence[Entry]) -> tuple[Match, ...]:
    """One `Match` for each reference, in order. Two references may belong to one paper: they are duplicates then."""
    index = _Index(papers)
    return tuple(index.match(reference) for reference in references)


class _Index:
    """Papers by what they can be found by."""

    def __init__(self, papers: Iterable[Entry]) -> None:
        self.by_doi: defaultdict[str, list[Entry]] = defaultdict(list)
        self.by_pmid: defaultdict[str, list[Entry]] = defaultdict(list)
        self.by_title: defaultdict[str, list[Entry]] = defaultdict(list)
        self.by_block: defaultdict[tuple[str, ...], list[Entry]] = defaultdict(list)
        for paper in papers:
            if paper.doi:
                self.by_doi[paper.doi].append(paper)
            if paper.pmid:
                self.by_pmid[paper.pmid].append(paper)
            if key := title_key(paper.title):
                self.by_title[key].append(paper)
                for block in blocks_of(paper.title, paper.authors, paper.year):
                    self.by_block[block].append(paper)

    def match(self, reference: Entry) -> Match:
        found = {
            MatchedBy.DOI: self.by_doi.get(reference.doi or "", []),
            MatchedBy.PMID: self.by_pmid.get(reference.pmid or "", []),
            MatchedBy.TITLE: self._of_title(reference),
        }
        named = [by for by, papers in found.items() if papers]
        if not named:
            return self._nearest(reference)
        common = set.intersection(*({paper.id for paper in found[by]} for by in named))
        if not common:
            said = " and ".join(f"its {by.value} is that of “{_short(found[by][0])}”" for by in named)
            return self._unclear(reference, found, f"The entry contradicts itself: {said}.")
        if len(common) > 1:
            return self._unclear(reference, found, f"{len(common)} papers have its {named[0].value}.")
        by = named[0]
        paper = next(paper for paper in found[by] if paper.id in common)
        if by is MatchedBy.TITLE:
            wrong = _speaks_against(reference, paper)
            return self._unclear(reference, found, wrong) if wrong else Match(reference.id, paper.id, by)
        return Match(reference.id, paper.id, by, reason=_to_look_at(reference, paper, by))

    def _of_title(self, reference: Entry) -> list[Entry]:
        papers = self.by_title.get(title_key(reference.title), [])
        if len(papers) > 1:  # a title that comes again: the year or the authors tell them apart
            return [paper for paper in papers if not _speaks_against(reference, paper)] or papers
        return papers

    def _nearest(self, reference: Entry) -> Match:
        """What comes close to a reference that no paper fits; it is never taken without asking."""
        near: dict[str, str] = {}
        for block in blocks_of(reference.title, reference.authors, reference.year):
            for paper in self.by_block.get(block, []):
                alike = nearly_same(reference.title, paper.title)
                if alike and not _speaks_against(reference, paper):
                    near[paper.id] = alike
        if not near:
            return Match(reference.id, None, reason="No paper has its DOI, PMID or title.")
        how = next(iter(near.values()))
        reason = (
            f"A paper has nearly its title: {how}." if len(near) == 1 else f"{len(near)} papers have nearly its title."
        )
        return Match(reference.id, None, candidates=tuple(sorted(near)), reason=reason)

    def _unclear(self, reference: Entry, found: dict[MatchedBy, list[Entry]], reason: str) -> Match:
        candidates = dict.fromkeys(paper.id for papers in found.values() for paper in papers)
        return Match(reference.id, None, candidates=tuple(candidates), reason=reason)


def _speaks_against(reference: Entry, paper: Entry) -> str:
    """Why a paper with the same title is not taken for the reference's; empty if nothing speaks against it."""
    if reference.doi and paper.doi and reference.doi != paper.doi:
        return "A paper has its title, but another DOI."
    if reference.pmid and paper.pmid and reference.pmid != paper.pmid:
        return "A paper has its title, but another PMID."
    years = reference.year, paper.year
    if reference.year and paper.year and abs(reference.year - paper.year) > (0 if is_periodic(paper.title) else 1):
        return f"A paper has its title, but is of {years[1]}, not {years[0]}."
    same_person = is_same_person(reference.authors, paper.authors)
    if same_person is False:
        return "A paper has its title, but other authors."
    if not names_one_paper(reference.title) and not (same_person and reference.year and reference.year == paper.year):
        return "A paper has its title, but so could others: it is short, and year and author do not confirm it."
    return ""


def _to_look_at(reference: Entry, paper: Entry, by: MatchedBy) -> str:
    if by is MatchedBy.PMID and reference.doi and paper.doi and reference.doi != paper.doi:
        return "The DOIs differ."
    if reference.title and paper.title:
        titles = (" ".join(words_of(title)) for title in (reference.title, paper.title))
        if fuzz.token_set_ratio(*titles) < _SOME_LIKENESS:
            return f"The titles differ: check that the {by.value} is right."
    return ""


def _short(paper: Entry) -> str:
    title = paper.title or paper.id
    return title if len(title) <= 60 else f"{title[:59]}…"
