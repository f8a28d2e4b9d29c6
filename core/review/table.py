"""The evidence table of a review, as one reader may see it: papers by hypotheses, with screening and risk of bias."""

from __future__ import annotations

from collections.abc import Mapping

from core.bias import Tool, tool_named
from core.export.evidence_table import BiasCell, TableCell, TableRow
from core.export.evidence_table.model import given_in_words
from core.export.project.levels import DIFFER, Cell, Study, given_levels, papers_of, study_names, suggested_levels
from core.review.job import READ, finding_task
from core.review.working import in_full
from core.store import CellView, ItemView, Project, ProjectState, Reading, Saved, StoredFinding, question_key
from core.store.blindness import cell_views, seen_by
from core.store.items import items_of
from core.store.judging import OVERALL

_NOT_JUDGED = BiasCell(why="No domain has a level yet.")


def table_rows(now: Reading, project: str, *, reader: str) -> tuple[TableRow, ...]:
    """A row for each paper in the order they came, duplicates apart. Raises `NotStored` without the project.

    A blind reader's rows leave out the levels and suggestions that are hidden until the own judgement is in.
    """
    present = now.present(project)
    rules = present.project.record
    state, _ = seen_by(present, reader, [domain.id for domain in tool_named(rules.tool).domains])
    papers = papers_of(state)
    pairings = [saved.record for saved in state.pairings if not saved.removed]
    names, views = study_names(papers.values()), now.screenings(project, reader=reader)
    bias, cells = _bias(state, reader), _cells(state, _people(present, reader))
    rows = []
    for item in items_of(papers.values(), (), pairings):
        paper = papers[item.id]
        screening = views.get(item.id)
        rows.append(
            TableRow(
                paper.id,
                names[paper.id],
                item.title,
                paper.citation,
                paper.doi,
                screening.final if screening else None,
                _note(rules, screening),
                bias.get(paper.id, _NOT_JUDGED),
                cells.get(paper.id, {}),
            )
        )
    return tuple(rows)


def references_apart(now: Reading, project: str) -> int:
    """How many references are no row, because their papers are not here; duplicates apart."""
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
    """What the reader may see of the reviewers' own verdicts. That somebody gave one is not hidden, so that all are needed."""
    given = [saved for saved in present.verdicts if not saved.removed]
    settled = [saved for saved in present.verdict_consensus if not saved.removed]
    return cell_views(present.project.record, given, settled, reader=reader)


def _cells(state: ProjectState, people: Mapping[tuple[str, str], CellView]) -> dict[str, dict[str, TableCell]]:
    """By paper and hypothesis: what the plan's engine found, or else the newest that another did, beside the reviewers'."""
    project, planned = state.project.record, in_full(state.project.record.plan).evidence
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


def _bias(state: ProjectState, reader: str) -> Mapping[str, BiasCell]:
    """The overall level of each paper, people's or else that which an engine suggests; without one, the domains'.

    A person's goes first, also without an overall level where every domain has been judged: what is missing there is that
    the reviewers settle it.
    """
    tool = tool_named(state.project.record.tool)
    planned = in_full(state.project.record.plan).bias
    engines = {saved.record.engine for saved in state.suggestions if not saved.removed}
    in_order = sorted(engines, key=lambda engine: (engine != planned, engine))
    given = given_levels(state, tool, reader=reader)
    through = {study.paper for study in given.studies if all(map(_is_judged, _of_domains(study, tool).values()))}
    cells: dict[str, BiasCell] = {}
    for table in (given, *(suggested_levels(state, tool, engine) for engine in in_order)):
        for study in table.studies:
            cell = _bias_cell(study, tool, table.suggested_by)
            known = cells.get(study.paper, _NOT_JUDGED)
            replaces = study.paper not in through and known.level is None and (cell.level or known == _NOT_JUDGED)
            if study.paper not in cells or replaces:
                cells[study.paper] = cell
    return cells


def _of_domains(study: Study, tool: Tool) -> dict[str, Cell]:
    return {domain.id: study.cells[domain.id] for domain in tool.domains}


def _is_judged(cell: Cell) -> bool:
    return cell.level is not None or cell.why == DIFFER


def _bias_cell(study: Study, tool: Tool, engine: str | None) -> BiasCell:
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
