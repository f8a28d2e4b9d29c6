"""The outputs of a review: the evidence table, the flow diagram, the references and the decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from core.bias import Tool
from core.bias.model import OVERALL
from core.export.decision_log import RECORD_KINDS, decision_log
from core.export.drawing import Drawing, png_of, svg_of
from core.export.evidence_table import BiasCell, TableCell, TableRow, bias_in_words, given_in_words
from core.export.evidence_table_files import as_csv, as_html, as_xlsx
from core.export.levels import (
    DIFFER,
    NOT_REPORTED,
    LevelCell,
    Study,
    given_levels,
    papers_of,
    study_names,
    suggested_levels,
)
from core.export.prisma import FlowItem, Removal, SourceKind, flow_diagram, flow_of
from core.export.ris import DecidedReference, ris
from core.export.search_report import searches_csv
from core.references import Reference
from core.review.jobs import with_full_names
from core.review.marks import last_checked, marks
from core.review.planning import READ, finding_task
from core.screening.model import ScreeningVerdict
from core.sources.model import Notice
from core.store import (
    NOT_RETRIEVED,
    CellView,
    ItemView,
    Origin,
    Project,
    ProjectState,
    Saved,
    StoredFinding,
    StoredPaper,
    StoredReference,
    StoreReader,
    question_key,
    tool_of,
)
from core.store.blindness import cell_views, seen_by
from core.store.items import items_of
from core.store.model import scope_of

# The stage of every record of a review, for the flow diagram, counted from the decisions themselves.

FILES = "Files added by the reviewers"


def flow_items(now: StoreReader, project: str, *, reader: str) -> tuple[FlowItem, ...]:
    """One item for each record: every entry of a file of references, and every paper without such an entry.

    What is hidden from the reader counts as undecided. Raises `NotStored` without the project.
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
    told: set[str] = set()  # items that have a record already; further records are duplicates
    for entry in references:
        paper = papers.get(entry.paper or "")
        item = paper.id if paper is not None else entry.id
        if item not in kept or item in told:
            yield FlowItem(*_source_of(entry), removal=Removal.DUPLICATE)
            continue
        told.add(item)
        first = views.get(entry.id)
        if paper is None:
            yield _without(entry, first)
        else:
            yield _with_paper(*_source_of(entry), views.get(item), first, studies[item])
    for paper in papers.values():
        if paper.id in told:
            continue
        if paper.id in kept:
            yield _with_paper(FILES, SourceKind.OTHER, views.get(paper.id), None, studies[paper.id])
        else:
            yield FlowItem(FILES, SourceKind.OTHER, removal=Removal.DUPLICATE)


def _source_of(entry: StoredReference) -> tuple[str, SourceKind]:
    """The source of a record, as the diagram names it."""
    match entry.origin:
        case Origin.CITATIONS:
            return "Citation searching", SourceKind.OTHER
        case Origin.ASKED:
            return entry.source, SourceKind.OTHER
        case Origin.REGISTER:
            return f"{entry.source} (register)", SourceKind.SEARCH
        case _:
            return entry.source, SourceKind.SEARCH


def _studies(papers: Mapping[str, StoredPaper], references: list[StoredReference]) -> dict[str, str]:
    """The study of each paper: its single registration number, or else that of its references.

    Empty if there is none or several, because then no single trial is known; the paper then counts as its own study.
    """
    said: dict[str, set[str]] = {id: set(paper.registrations) for id, paper in papers.items()}
    for entry in references:
        paper = papers.get(entry.paper or "")
        if paper is not None and not paper.registrations:
            said[paper.id].update(entry.reference.registrations)
    return {id: numbers.pop() if len(numbers) == 1 else "" for id, numbers in said.items()}


def _with_paper(source: str, kind: SourceKind, view: ItemView | None, first: ItemView | None, study: str) -> FlowItem:
    """A record whose report is in the project. It counts as included by title and abstract, unless excluded there."""
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
        return FlowItem(*_source_of(entry), abstract=ScreeningVerdict.INCLUDE, unobtainable=True)
    return FlowItem(*_source_of(entry), abstract=view.final if view else None)


# The evidence table of a review, as one reader may see it: papers by hypotheses, with screening and risk of bias.

_NOT_JUDGED = BiasCell(why="No domain has a level yet.")


def table_rows(now: StoreReader, project: str, *, reader: str) -> tuple[TableRow, ...]:
    """A row for each paper in the order they were added, without duplicates. Raises `NotStored` without the project.

    For a blind reader, levels and suggestions are left out that are hidden until the reader's own judgement is in.
    """
    present = now.present(project)
    rules = present.project.record
    state, _ = seen_by(present, reader, scope_of(rules, tool_of(rules)))
    papers = papers_of(state)
    pairings = [saved.record for saved in state.pairings if not saved.removed]
    names, views, said = study_names(papers.values()), now.screenings(project, reader=reader), marks(now, project)
    bias, cells = _bias(state, reader), _cells(state, _people(present, reader))
    rows = []
    for item in items_of(papers.values(), (), pairings):
        paper = papers[item.id]
        screening = views.get(item.id)
        whole, by_outcome = _bias_of(bias.get(paper.id, {}))
        rows.append(
            TableRow(
                paper.id,
                names[paper.id],
                item.title,
                paper.citation,
                paper.doi,
                screening.final if screening else None,
                _note(rules, screening),
                whole,
                cells.get(paper.id, {}),
                by_outcome,
                said[paper.id].in_words if paper.id in said else "",
            )
        )
    return tuple(rows)


def references_apart(now: StoreReader, project: str) -> int:
    """How many references have no row because their papers are not in the project; without duplicates."""
    papers = set(now.paper_ids(project))
    return sum(item not in papers for item in now.item_ids(project))


def _note(project: Project, view: ItemView | None) -> str:
    if view is None or not view.by:
        return "Nobody has screened it yet."
    if view.final is not None:
        return view.final_reason
    if view.hidden:
        return "Hidden until your own decision is in."
    if view.differ:
        return "The reviewers differ, and have settled nothing yet."
    missing = [name for name in project.reviewers if name not in view.by]
    return f"Not decided yet by {', '.join(missing)}." if missing else "The reviewers are unsure."


def _people(present: ProjectState, reader: str) -> dict[tuple[str, str], CellView]:
    """The reviewers' verdicts that the reader may see. `present` has all, because who gave one is never hidden."""
    given = [saved for saved in present.verdicts if not saved.removed]
    settled = [saved for saved in present.verdict_consensus if not saved.removed]
    return cell_views(present.project.record, given, settled, reader=reader)


def _cells(state: ProjectState, people: Mapping[tuple[str, str], CellView]) -> dict[str, dict[str, TableCell]]:
    """By paper and hypothesis: the plan engine's finding, or else another's newest, beside the reviewers' verdicts."""
    project, planned = state.project.record, with_full_names(state.project.record.plan).evidence
    failed = {(one.item, one.task): one.error for one in state.failures}
    found: dict[tuple[str, str], Saved[StoredFinding]] = {}
    for saved in state.findings:
        if saved.removed:
            continue
        place = (saved.record.paper, saved.record.question)
        if place not in found or _rank(saved, planned) >= _rank(found[place], planned):
            found[place] = saved
    cells: dict[str, dict[str, TableCell]] = {}
    for paper in papers_of(state):
        cells[paper] = {}
        for hypothesis in project.hypotheses:
            question = question_key(hypothesis)
            task = finding_task(planned or "", question)
            error = failed.get((paper, task)) or failed.get((paper, READ)) or ""
            made, view = found.get((paper, question)), people.get((paper, question), CellView())
            cells[paper][hypothesis] = TableCell(made.record.finding if made else None, "" if made else error, view)
    return cells


def _rank(saved: Saved[StoredFinding], planned: str | None) -> tuple[bool, object]:
    return saved.record.engine == planned, saved.changed


def _bias_of(by_outcome: Mapping[str, BiasCell]) -> tuple[BiasCell, Mapping[str, BiasCell]]:
    """The cell of a paper, and those of its outcomes if there are several, because no level stands for all of them."""
    if len(by_outcome) > 1:
        return BiasCell(why=f"By outcome: {bias_in_words(by_outcome)}."), by_outcome
    return next(iter(by_outcome.values()), _NOT_JUDGED), {}


def _bias(state: ProjectState, reader: str) -> Mapping[str, Mapping[str, BiasCell]]:
    """By paper and outcome: the overall level, the reviewers' or else an engine's; without one, the domains' levels.

    The reviewers' goes first. It does so even without an overall level if every domain has been judged, because then
    only their consensus is missing.
    """
    tool = tool_of(state.project.record)
    planned = with_full_names(state.project.record.plan).bias
    engines = {saved.record.engine for saved in state.suggestions if not saved.removed}
    in_order = sorted(engines, key=lambda engine: (engine != planned, engine))
    given = given_levels(state, tool, reader=reader)
    through = {
        (study.paper, study.outcome)
        for study in given.studies
        if all(map(_is_judged, _of_domains(study, tool).values()))
    }
    cells: dict[str, dict[str, BiasCell]] = {}
    for table in (given, *(suggested_levels(state, tool, engine) for engine in in_order)):
        for study in table.studies:
            cell = _bias_cell(study, tool, table.suggested_by)
            of_paper = cells.setdefault(study.paper, {})
            known = of_paper.get(study.outcome, _NOT_JUDGED)
            waits = (study.paper, study.outcome) not in through
            replaces = waits and known.level is None and (cell.level or known == _NOT_JUDGED)
            if study.outcome not in of_paper or replaces:
                of_paper[study.outcome] = cell
    return cells


def _of_domains(study: Study, tool: Tool) -> dict[str, LevelCell]:
    return {domain.id: study.cells[domain.id] for domain in tool.domains}


def _is_judged(cell: LevelCell) -> bool:
    return cell.level is not None or cell.why == DIFFER


def _bias_cell(study: Study, tool: Tool, engine: str | None) -> BiasCell:
    if study.unreported:
        return BiasCell(why=f"{NOT_REPORTED[0].upper()}{NOT_REPORTED[1:]}.")
    cells = _of_domains(study, tool)
    given_by = tuple(dict.fromkeys(name for cell in cells.values() for name in cell.by))
    overall = study.cells.get(OVERALL)
    if overall is not None and overall.level is not None:
        return BiasCell(overall.level, engine, given_by=given_by)
    if not any(map(_is_judged, cells.values())):
        return _NOT_JUDGED
    by_domain = ", ".join(
        f"{id}: {cell.level or (cell.why if _is_judged(cell) else '–')}" for id, cell in cells.items()
    )
    whose = f"suggested by {engine}" if engine is not None else given_in_words(given_by) if given_by else ""
    return BiasCell(why=f"No overall level. {by_domain}" + (f" ({whose})" if whose else ""))


# Files to download from a review, as one reader may see it.

TABLES = (".csv", ".xlsx", ".html")
FLOWS = (".svg", ".png")


def table_file(
    now: StoreReader, project: str, ending: str, *, reader: str, made: datetime, papers: Sequence[str] | None = None
) -> str | bytes:
    """The evidence table in one of the formats in `TABLES`; `made` is the date that it shows.

    `papers`: only the rows of these papers, in this order.
    """
    rules = now.project(project).record
    rows = table_rows(now, project, reader=reader)
    if papers is not None:
        by_paper = {row.paper: row for row in rows}
        rows = tuple(by_paper[paper] for paper in dict.fromkeys(papers) if paper in by_paper)
    if ending == ".csv":
        return as_csv(rows, rules.hypotheses)
    checked = last_checked(now, project).in_words
    if ending == ".xlsx":
        return as_xlsx(rows, rules.hypotheses, date=made, name=rules.name, checked=checked)
    return as_html(rows, rules.hypotheses, tool_of(rules).levels, date=made, name=rules.name, checked=checked)


def flow_drawing(now: StoreReader, project: str, *, reader: str) -> Drawing:
    """The PRISMA 2020 flow diagram, from the decisions."""
    return flow_diagram(flow_of(flow_items(now, project, reader=reader)))


def flow_file(now: StoreReader, project: str, ending: str, *, reader: str) -> str | bytes:
    """The flow diagram in one of the formats in `FLOWS`."""
    drawing = flow_drawing(now, project, reader=reader)
    return png_of(drawing) if ending == ".png" else svg_of(drawing)


def references_file(now: StoreReader, project: str, *, reader: str) -> str:
    """Every reference, and every paper without one, as RIS with the decisions in the notes."""
    return ris(_decided(now, project, reader))


def searches_file(now: StoreReader, project: str) -> str:
    """Every run of every search, as CSV: date, service, string, records."""
    return searches_csv([saved.record for saved in now.searches(project)])


def decisions_file(now: StoreReader, project: str, *, reader: str) -> str:
    """Who decided what, when, with which suggestions visible, as CSV; without what the reader may not see yet."""
    rules = now.project(project).record
    tool = tool_of(rules)
    decided = now.changes(project, RECORD_KINDS)  # only people's: engines' answers are far more
    state = replace(now.present(project), history=decided)
    state, _ = seen_by(state, reader, scope_of(rules, tool))
    names = {domain.id: domain.name for domain in tool.with_whole} | {one.id: one.text for one in rules.criteria}
    return decision_log(state.history, names=names)


def _decided(now: StoreReader, project: str, reader: str) -> Iterator[DecidedReference]:
    views, said = now.screenings(project, reader=reader), marks(now, project)
    papers = {saved.record.id: saved.record for saved in now.stored_papers(project)}
    named: set[str] = set()
    for saved in now.references(project):
        entry = saved.record
        item = entry.paper if entry.paper in papers else entry.id
        named.add(item)
        given = [views[one] for one in dict.fromkeys((item, entry.id)) if one in views]
        yield _with_decisions(entry.reference, given, said.get(item) or said.get(entry.id))
    for id, paper in papers.items():
        if id not in named:
            yield _with_decisions(_reference_of(paper), [views[id]] if id in views else [], said.get(id))


def _with_decisions(reference: Reference, views: list[ItemView], notice: Notice | None) -> DecidedReference:
    """`views`: that of the full text first, because it decides. `notice`: a retraction or the like."""
    warned = [notice.in_words] if notice is not None else []
    if not views:
        return DecidedReference(reference, warned)
    last = views[0]
    reasons = [last.final_reason] if last.final_reason else []
    return DecidedReference(reference, [*warned, *_notes(views)], last.final, last.verdicts, reasons)


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
