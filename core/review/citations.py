"""Snowballing: from the included papers of a review to works that enough of them cite, or that cite enough of them.

It follows the rule of `core.answering.citations`, but a reviewer says how many papers must share a work, and the works
found are screened.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from core.answering.citations import FollowedWork, Way, key_of, traverse
from core.errors import QueryError
from core.export.drawing import Circle, Drawing, LineSegment, Shape, Text, fitted
from core.library.model import LibraryPaper
from core.paper import CitedWork
from core.progress import Progress, silent
from core.references import Reference
from core.review.intake import match_references
from core.screening.model import ScreeningVerdict
from core.settings import Settings
from core.sources.client import SourceClient
from core.sources.linking import links_of
from core.sources.model import record_id
from core.store import Origin, Store, StoredReference, StoreReader

SOURCE = "Citation searching"
MOST_FOLLOWED = 500  # in each direction
MOST_DRAWN = 12


@dataclass(frozen=True, slots=True)
class Snowball:
    """The works found by following the citations of the included papers, without those already in the review."""

    starts: tuple[LibraryPaper, ...]
    works: tuple[FollowedWork, ...]
    known: int  # works that are in the review already
    shared: int  # how many of the starting papers had to share a work


def starting_papers(now: StoreReader, project: str, *, reader: str) -> tuple[LibraryPaper, ...]:
    """The included papers and references, at either stage, that have a DOI or a PMID."""
    views, left_out = now.screenings(project, reader=reader), now.left_out(project)
    known = _records(now, project)
    return tuple(
        paper
        for id, paper in known.items()
        if id not in left_out
        and (paper.doi or paper.pmid)
        and (view := views.get(id)) is not None
        and view.final is ScreeningVerdict.INCLUDE
    )


def follow_citations(
    store: Store,
    project: str,
    settings: Settings,
    services: Sequence[str],
    *,
    reader: str,
    shared: int,
    progress: Progress = silent,
) -> Snowball:
    """Ask who cites whom, and keep the works that `shared` included papers have in common. Raises `SourceError`."""
    with store.reading() as now:
        starts, held = starting_papers(now, project, reader=reader), tuple(_records(now, project).values())
    if not starts:
        raise QueryError("No included paper has a DOI or a PMID to follow citations from. Screen papers first.")
    links: dict[str, tuple[list[CitedWork], list[CitedWork]]] = {}
    with SourceClient(settings) as client:
        for place, paper in enumerate(starts):
            progress(place / len(starts), f"{place + 1} of {len(starts)}: {paper.title or paper.id}")
            found = links_of(client, paper.doi, paper.pmid, services)
            links[paper.id] = [_work(one) for one in found.references], [_work(one) for one in found.citers]
    fewest = min(max(1, shared), len(starts))
    followed = traverse(starts, _Graph(links), held, share=Fraction(fewest, len(starts)), limit=MOST_FOLLOWED)
    new = tuple(one for one in followed if one.paper is None and one.work.title)
    return Snowball(starts, new, sum(one.paper is not None for one in followed), fewest)


def take_followed(store: Store, project: str, works: Sequence[FollowedWork], *, who: str) -> int:
    """Add works to the review as references to screen, counted as citation searching. Returns how many are new."""
    taken = 0
    with store.writing(who) as change:
        here = change.reference_ids(project)
        number = sum(saved.record.source == SOURCE for saved in change.references(project))
        for one in works:
            id = record_id("citations", key_of(one.work))
            if id in here:
                continue
            number, taken = number + 1, taken + 1
            said = one.work
            reference = Reference(said.title or "", said.authors, said.year, said.journal or "", said.doi, said.pmid)
            change.save(StoredReference(project, id, SOURCE, number, reference, origin=Origin.CITATIONS))
    match_references(store, project)
    return taken


def drawing_of(found: Snowball) -> Drawing:
    """A small picture: cited works at the top, the included papers below, then citing works; one line per citation."""
    rows = (
        [(one.work.title or "", one.sources) for one in found.works if one.way is Way.REFERENCE][:MOST_DRAWN],
        [(paper.title or paper.id, ()) for paper in found.starts][:MOST_DRAWN],
        [(one.work.title or "", one.sources) for one in found.works if one.way is Way.CITER][:MOST_DRAWN],
    )
    width, step = 720.0, 110.0
    names = ("cited by them", "included", "citing them")

    def x_of(place: int, of: int) -> float:
        return 130 + (width - 160) * (place + 0.5) / max(1, of)

    at = {paper.id: x_of(place, len(rows[1])) for place, paper in enumerate(found.starts[:MOST_DRAWN])}
    shapes: list[Shape] = []
    for row in (0, 2):
        for place, (_, sources) in enumerate(rows[row]):
            for source in sources:
                if source in at:
                    ends = (x_of(place, len(rows[row])), 40 + row * step, at[source], 40 + step)
                    shapes.append(LineSegment(*ends))
    for row, name in enumerate(names):
        shapes.append(Text(10, 45 + row * step, name, 13))
        for place, _ in enumerate(rows[row]):
            shapes.append(Circle(x_of(place, len(rows[row])), 40 + row * step, 7, "#1d6f78" if row == 1 else "#c9c9c2"))
    told = "; ".join(
        f"{fitted(title, 13, 300)} ({len(sources)} of {len(found.starts)})" for title, sources in (*rows[0], *rows[2])
    )
    return Drawing(
        width, 2 * step + 80, "Who cites whom", f"Works shared by the included papers: {told or 'none'}.", tuple(shapes)
    )


@dataclass(frozen=True, slots=True)
class _Graph:
    """The links of the starting papers, as the services gave them."""

    links: Mapping[str, tuple[list[CitedWork], list[CitedWork]]]

    def references_of(self, paper: LibraryPaper) -> Sequence[CitedWork]:
        return self.links[paper.id][0]

    def citers_of(self, paper: LibraryPaper) -> Sequence[CitedWork]:
        return self.links[paper.id][1]

    def times_cited(self, work: CitedWork) -> int:
        key = key_of(work)
        return sum(any(key_of(one) == key for one in cited) for cited, _ in self.links.values())


def _records(now: StoreReader, project: str) -> dict[str, LibraryPaper]:
    """Papers, and references without a paper. A DOI or PMID that a paper lacks is taken from its references."""
    papers = {saved.record.id: saved.record for saved in now.stored_papers(project)}
    numbers = {id: (one.doi, one.pmid) for id, one in papers.items()}
    made: dict[str, LibraryPaper] = {}
    for saved in now.references(project):
        said, own = saved.record.reference, saved.record.paper
        if own is not None and own in papers:
            doi, pmid = numbers[own]
            numbers[own] = (doi or said.doi, pmid or said.pmid)
        else:
            made[saved.record.id] = LibraryPaper(
                saved.record.id,
                saved.record.source,
                said.title,
                said.authors,
                said.journal,
                said.year,
                said.doi,
                said.pmid,
                0,
            )
    for id, one in papers.items():
        doi, pmid = numbers[id]
        made[id] = LibraryPaper(id, one.name, one.title, one.authors, None, one.year, doi, pmid, 0)
    return made


def _work(reference: Reference) -> CitedWork:
    return CitedWork(
        reference.title or None,
        reference.authors,
        reference.journal or None,
        reference.year,
        reference.doi,
        reference.pmid,
    )
