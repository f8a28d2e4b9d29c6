"""Papers as records, and the items of a review, each once: papers, and references whose paper is not in the project."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product

from core.errors import PaperError
from core.paper import Kind, Paper, cite, cite_authors, read_paper, study_name
from core.references.model import Reference, bare_doi
from core.screening.model import ScreeningVerdict
from core.store.model import ProjectState, StoredPaper
from core.store.review_model import ItemView, Pairing, ScreeningDecision, StoredReference

# From a paper that was read to its record in a project, and back.


def record_of(paper: Paper, *, project: str) -> StoredPaper:
    """The record to store for a paper, without its file."""
    return StoredPaper(
        project,
        paper.id,
        paper.name,
        paper.title or "",
        " · ".join(cite(paper)),
        study_name(paper.authors, paper.year, otherwise=paper.title or paper.name),
        doi=bare_doi(paper.doi or ""),
        year=paper.year,
        authors=paper.authors,
        pmid=paper.pmid,
        registrations=paper.registrations,
        abstract=" ".join(one.text for one in paper.sentences if one.kind is Kind.ABSTRACT),
    )


def paper_of(record: StoredPaper, data: bytes) -> Paper | None:
    """The paper that this record's judgements point into, read again from its file; None if the file gives another."""
    for put_back, keep_set_aside in product((False, True), repeat=2):
        try:
            paper = read_paper(data, name=record.name, keep_set_aside=keep_set_aside, put_back=put_back)
        except PaperError:
            return None
        if paper.id == record.id:
            return paper
    return None


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """What reviewers decide on: a paper by its full text, or a reference by its title and abstract."""

    id: str  # the paper's or the reference's
    is_paper: bool
    title: str  # never empty: a paper without one goes by its file's name
    citation: str = ""
    study: str = ""  # short, such as "Rossi 2020"
    year: int | None = None
    abstract: str = ""
    doi: str | None = None
    sources: tuple[str, ...] = ()  # the reference files that name it or one of its duplicates, each once


def items_of(
    papers: Iterable[StoredPaper], references: Iterable[StoredReference], pairings: Iterable[Pairing]
) -> tuple[ReviewItem, ...]:
    """The items: papers first, then references, each in the order they were added. Do not pass deleted records.

    A reference whose paper is in the project is part of that paper's item. Of two items that a reviewer called the
    same, the second is left out as long as the first is in the project, or the reference if only one is a paper.
    """
    entries = tuple(references)
    by_paper = with_bibliography(papers, entries)
    own = _own(by_paper, {entry.id: entry.paper for entry in entries})
    stands_for = _firsts(pairings, by_paper, own)
    sources: dict[str, dict[str, None]] = {}
    for entry in entries:
        sources.setdefault(_first(stands_for, own[entry.id]), {})[entry.source] = None

    def of_paper(paper: StoredPaper) -> ReviewItem:
        title, doi = paper.title or paper.name, paper.doi
        named = tuple(sources.get(paper.id, ()))
        study = study_of(paper)
        return ReviewItem(paper.id, True, title, paper.citation, study, paper.year, paper.abstract, doi, sources=named)

    def of_reference(entry: StoredReference) -> ReviewItem:
        said = entry.reference
        title = said.title or f"Record {entry.number} of {entry.source}"
        named, study = tuple(sources[entry.id]), study_name(said.authors, said.year, otherwise=said.title)
        return ReviewItem(
            entry.id, False, title, _citation(said), study, said.year, said.abstract, said.doi, sources=named
        )

    left_in = [of_paper(paper) for id, paper in by_paper.items() if id not in stands_for]
    left_in += [of_reference(entry) for entry in entries if own[entry.id] == entry.id and entry.id not in stands_for]
    return tuple(left_in)


def study_of(paper: StoredPaper) -> str:
    """The name of a paper's study. Earlier versions stored another form; it stays where the authors are unknown."""
    return study_name(paper.authors, paper.year, otherwise=paper.study)


def with_bibliography(papers: Iterable[StoredPaper], references: Iterable[StoredReference]) -> dict[str, StoredPaper]:
    """The papers by id. Missing authors or years are taken from the paper's first reference that has them."""
    told: dict[str, list[Reference]] = {}
    for entry in references:
        if entry.paper is not None:
            told.setdefault(entry.paper, []).append(entry.reference)

    def complete(paper: StoredPaper) -> StoredPaper:
        said = told.get(paper.id, ())
        authors = paper.authors or next((one.authors for one in said if one.authors), ())
        year = paper.year or next((one.year for one in said if one.year), None)
        return replace(paper, authors=authors, year=year)

    return {paper.id: complete(paper) for paper in papers}


def doubles(
    papers: Collection[str], references: Mapping[str, str | None], pairings: Iterable[Pairing]
) -> dict[str, str]:
    """The items that are left out because a reviewer called them the same as another one, each with that one.

    It needs only ids: `references` maps each reference to its paper, or to None if that is unknown.
    """
    own = _own(papers, references)
    stands_for = _firsts(pairings, papers, own)
    return {item: _first(stands_for, item) for item in stands_for}


def left_out_of(state: ProjectState) -> dict[str, str]:
    """The `doubles` of a whole project."""
    papers = {saved.record.id for saved in state.papers if not saved.removed}
    references = {saved.record.id: saved.record.paper for saved in state.references if not saved.removed}
    return doubles(papers, references, [saved.record for saved in state.pairings if not saved.removed])


def excluded_of(state: ProjectState) -> set[str]:
    """The items that screening excluded in the end, by consensus or by every reviewer, as far as the state shows."""
    reviewers = set(state.project.record.reviewers)
    given: dict[str, list[ScreeningDecision]] = {}
    for saved in state.screenings:
        if not saved.removed and saved.record.reviewer in reviewers and saved.record.verdict is not None:
            given.setdefault(saved.record.item, []).append(saved.record)
    settled = {saved.record.item: saved.record for saved in state.screening_consensus if not saved.removed}

    def final(item: str) -> ScreeningVerdict | None:
        said = given.get(item, [])
        all_in = {one.reviewer for one in said} == reviewers
        return ItemView(item, others=tuple(said), consensus=settled.get(item), all_in=all_in).final

    return {item for item in given.keys() | settled.keys() if final(item) is ScreeningVerdict.EXCLUDE}


def _own(papers: Collection[str], references: Mapping[str, str | None]) -> dict[str, str]:
    """The item of each reference: its paper, if that is in the project, or the reference itself."""
    return {id: paper if paper is not None and paper in papers else id for id, paper in references.items()}


def _firsts(pairings: Iterable[Pairing], papers: Collection[str], own: Mapping[str, str]) -> dict[str, str]:
    """Which item stands for each item that is left out.

    A paper always stands for a reference without one: the paper may have come later, and only the second reference
    that a reviewer called the same may be known to be its own.
    """
    here = {*papers, *own.values()}
    stands_for: dict[str, str] = {}
    for pairing in pairings:
        # What was said about a reference holds for its paper, once the paper is in the project.
        first, second = own.get(pairing.first, pairing.first), own.get(pairing.second, pairing.second)
        if not pairing.same or not {first, second} <= here:
            continue
        first, second = _first(stands_for, first), _first(stands_for, second)
        if second in papers and first not in papers:
            first, second = second, first
        if first != second:
            stands_for[second] = first
    return stands_for


def _first(stands_for: Mapping[str, str], item: str) -> str:
    while item in stands_for:
        item = stands_for[item]
    return item


def _citation(reference: Reference) -> str:
    published = " ".join(filter(None, (reference.journal, str(reference.year or ""))))
    identified = f"doi:{reference.doi}" if reference.doi else f"PMID {reference.pmid}" if reference.pmid else ""
    return " · ".join(filter(None, (cite_authors(reference.authors), published, identified, *reference.registrations)))
