"""Where every record of a review stands, for the flow diagram: counted from the decisions themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.export.prisma.counts import FlowItem, Removal, SourceKind
from core.screening.model import ScreeningVerdict
from core.store import NOT_RETRIEVED, ItemView, Reading, StoredPaper, StoredReference
from core.store.items import items_of

FILES = "Files added by the reviewers"


def flow_items(now: Reading, project: str, *, reader: str) -> tuple[FlowItem, ...]:
    """One item for each record: every entry of a file of references, and every paper that came without one.

    What is hidden from the reader counts as not decided. Raises `NotStored` without the project.
    """
    papers = {saved.record.id: saved.record for saved in now.stored_papers(project)}
    references = [saved.record for saved in now.references(project)]
    pairings = [saved.record for saved in now.pairings(project)]
    kept = {item.id for item in items_of(papers.values(), references, pairings)}
    views = now.screenings(project, reader=reader)
    return tuple(_records(papers, references, kept, views))


def _records(
    papers: Mapping[str, StoredPaper],
    references: list[StoredReference],
    kept: set[str],
    views: Mapping[str, ItemView],
) -> Iterator[FlowItem]:
    studies = _studies(papers, references)
    told: set[str] = set()  # the items that a record stands for already: further ones are duplicates
    for entry in references:
        paper = papers.get(entry.paper or "")
        item = paper.id if paper is not None else entry.id
        if item not in kept or item in told:
            yield FlowItem(entry.source, removal=Removal.DUPLICATE)
            continue
        told.add(item)
        first = views.get(entry.id)
        if paper is None:
            yield _without(entry, first)
        else:
            yield _with_paper(entry.source, SourceKind.SEARCH, views.get(item), first, studies[item])
    for paper in papers.values():
        if paper.id in told:
            continue
        if paper.id in kept:
            yield _with_paper(FILES, SourceKind.OTHER, views.get(paper.id), None, studies[paper.id])
        else:
            yield FlowItem(FILES, SourceKind.OTHER, removal=Removal.DUPLICATE)


def _studies(papers: Mapping[str, StoredPaper], references: list[StoredReference]) -> dict[str, str]:
    """The study of each paper: the one registration number that it gives, or else that its references give.

    Empty, which makes it a study of its own, where there is none, or several: that tells of no single trial.
    """
    said: dict[str, set[str]] = {id: set(paper.registrations) for id, paper in papers.items()}
    for entry in references:
        paper = papers.get(entry.paper or "")
        if paper is not None and not paper.registrations:
            said[paper.id].update(entry.reference.registrations)
    return {id: numbers.pop() if len(numbers) == 1 else "" for id, numbers in said.items()}


def _with_paper(source: str, kind: SourceKind, view: ItemView | None, first: ItemView | None, study: str) -> FlowItem:
    """A record whose report is here: whoever has the full text has let it through by title and abstract."""
    verdict = first.final if first else None
    if verdict is ScreeningVerdict.EXCLUDE and view is None:
        return FlowItem(source, kind, abstract=verdict, has_full_text=True)
    final, reason = (view.final, view.final_reason) if view else (None, "")
    return FlowItem(
        source, kind, abstract=ScreeningVerdict.INCLUDE, full_text=final, reason=reason, has_full_text=True, study=study
    )  # fmt: skip


def _without(entry: StoredReference, view: ItemView | None) -> FlowItem:
    """A record without its report: screened by title and abstract, then sought."""
    if view is not None and view.final is ScreeningVerdict.EXCLUDE and view.final_reason == NOT_RETRIEVED:
        return FlowItem(entry.source, abstract=ScreeningVerdict.INCLUDE, unobtainable=True)
    return FlowItem(entry.source, abstract=view.final if view else None)
