"""Files to take away from a review, as one reader may see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from core.bias import tool_named
from core.export.decision_log import KINDS, decision_log
from core.export.evidence_table import as_csv, as_html, as_xlsx
from core.export.plots.drawing import Drawing
from core.export.plots.png import png_of
from core.export.plots.svg import svg_of
from core.export.prisma import flow_diagram, flow_of
from core.export.ris import DecidedReference, ris
from core.references import Reference
from core.review.flow import flow_items
from core.review.table import table_rows
from core.store import ItemView, Reading, StoredPaper
from core.store.blindness import seen_by

TABLES = (".csv", ".xlsx", ".html")
FLOWS = (".svg", ".png")


def table_file(
    now: Reading, project: str, ending: str, *, reader: str, made: datetime, papers: Sequence[str] | None = None
) -> str | bytes:
    """The evidence table in the form of one of `TABLES`; `made` is the moment it tells of itself.

    `papers`: only the rows of these, in this order.
    """
    rules = now.project(project).record
    rows = table_rows(now, project, reader=reader)
    if papers is not None:
        by_paper = {row.paper: row for row in rows}
        rows = tuple(by_paper[paper] for paper in dict.fromkeys(papers) if paper in by_paper)
    if ending == ".csv":
        return as_csv(rows, rules.hypotheses)
    write = as_xlsx if ending == ".xlsx" else as_html
    return write(rows, rules.hypotheses, date=made, name=rules.name)


def flow_drawing(now: Reading, project: str, *, reader: str) -> Drawing:
    """The PRISMA 2020 flow diagram, from the decisions."""
    return flow_diagram(flow_of(flow_items(now, project, reader=reader)))


def flow_file(now: Reading, project: str, ending: str, *, reader: str) -> str | bytes:
    """The flow diagram in the form of one of `FLOWS`."""
    drawing = flow_drawing(now, project, reader=reader)
    return png_of(drawing) if ending == ".png" else svg_of(drawing)


def references_file(now: Reading, project: str, *, reader: str) -> str:
    """Every reference, and every paper without one, as RIS with the decisions in the notes."""
    return ris(_decided(now, project, reader))


def decisions_file(now: Reading, project: str, *, reader: str) -> str:
    """Who decided what, when, and with which suggestion in view, as CSV; what the reader may not see yet is left out."""
    rules = now.project(project).record
    domains = tool_named(rules.tool).domains
    decided = now.changes(project, KINDS)  # by people: engines' answers are far more
    state = replace(now.present(project), history=decided)
    state, _ = seen_by(state, reader, [domain.id for domain in domains])
    names = {domain.id: domain.name for domain in domains} | {one.id: one.text for one in rules.criteria}
    return decision_log(state.history, names=names)


def _decided(now: Reading, project: str, reader: str) -> Iterator[DecidedReference]:
    views = now.screenings(project, reader=reader)
    papers = {saved.record.id: saved.record for saved in now.stored_papers(project)}
    named: set[str] = set()
    for saved in now.references(project):
        entry = saved.record
        item = entry.paper if entry.paper in papers else entry.id
        named.add(item)
        yield _with_decisions(entry.reference, [views[one] for one in dict.fromkeys((item, entry.id)) if one in views])
    for id, paper in papers.items():
        if id not in named:
            yield _with_decisions(_reference_of(paper), [views[id]] if id in views else [])


def _with_decisions(reference: Reference, views: list[ItemView]) -> DecidedReference:
    """`views`: that of the full text first, which has the last word."""
    if not views:
        return DecidedReference(reference)
    last = views[0]
    reasons = [last.final_reason] if last.final_reason else []
    return DecidedReference(reference, list(_notes(views)), last.final, last.verdicts, reasons)


def _notes(views: list[ItemView]) -> Iterator[str]:
    for view in views:
        for one in filter(None, (view.own, *view.others)):
            if one.verdict is not None:
                yield ": ".join(filter(None, (f"{one.verdict} by {one.reviewer}", one.reason, one.note)))
        if view.consensus is not None:
            settled = view.consensus
            yield ": ".join(
                filter(None, (f"settled as {settled.verdict} by {view.settled_by}", settled.reason, settled.why))
            )


def _reference_of(paper: StoredPaper) -> Reference:
    return Reference(
        paper.title or paper.name,
        paper.authors,
        paper.year,
        doi=paper.doi,
        pmid=paper.pmid,
        abstract=paper.abstract,
        registrations=paper.registrations,
    )
