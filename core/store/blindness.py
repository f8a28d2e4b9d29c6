"""Who may see other reviewers' judgements of a domain, their decisions on an item, and their decisions on sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from core.bias.model import OVERALL
from core.store.items import excluded_of, left_out_of
from core.store.model import (
    Consensus,
    Place,
    Project,
    ProjectState,
    RecordChange,
    ReviewerJudgement,
    Saved,
    Scope,
    StoredSuggestion,
    place_of,
)
from core.store.review_model import CellView, ItemView, ReviewerVerdict, VerdictConsensus

_OF_ITEMS = {"screenings", "screening_consensus"}  # tables whose keys are project, item, ...
_OfDomain = Saved[ReviewerJudgement] | Saved[StoredSuggestion] | Saved[Consensus]
_OF_DOMAINS = {
    "judgements",
    "suggestions",
    "consensus",
}  # tables whose keys are project, paper, tool, outcome, domain, ...
_OF_SENTENCES = {"decisions", "summaries", "contradictions"}
_OF_CELLS = {"verdicts", "verdict_consensus"}  # tables whose keys are project, paper, question, ...
_OF_STATEMENTS = {"grades"}
_BY_REVIEWER = {
    "judgements",
    "screenings",
    "verdicts",
    *_OF_SENTENCES,
    *_OF_STATEMENTS,
}  # tables whose keys end with the reviewer


def may_see(project: Project, reader: str, done: Collection[str]) -> bool:
    """Whether a reader may see a domain's suggestions, its consensus and the others' judgements.

    `done` are the reviewers who have given a level. In a blind project a reviewer must be one of them; anyone else,
    such as an arbiter, must wait until all of them are.
    """
    waits_for = {reader} if reader in project.reviewers else set(project.reviewers)
    return not project.is_blind or waits_for <= set(done)


def cell_views(
    project: Project,
    given: Iterable[Saved[ReviewerVerdict]],
    settled: Iterable[Saved[VerdictConsensus]],
    *,
    reader: str,
) -> dict[tuple[str, str], CellView]:
    """What a reader may see of the reviewers' verdicts, by paper and question. Do not pass deleted records."""
    here: dict[tuple[str, str], list[Saved[ReviewerVerdict]]] = {}
    for one in given:
        here.setdefault((one.record.paper, one.record.question), []).append(one)
    agreed = {(one.record.paper, one.record.question): one for one in settled}
    return {
        cell: filled(CellView(), project, here.get(cell, ()), agreed.get(cell), reader=reader)
        for cell in dict.fromkeys((*here, *agreed))
    }


V = TypeVar("V", ItemView, CellView)


def filled(view: V, project: Project, given: Sequence[Saved[Any]], settled: Saved[Any] | None, *, reader: str) -> V:
    """An empty view, filled with what a reader may see of the reviewers' records on one thing and of its consensus."""
    by = tuple(saved.record.reviewer for saved in given if saved.record.verdict is not None)
    own = next((saved for saved in given if saved.record.reviewer == reader), None)
    view = replace(view, by=by, all_in=set(project.reviewers) <= set(by))
    if own is not None:
        view = replace(view, own=own.record, own_version=own.version)
    if not may_see(project, reader, by):
        return replace(view, hidden=True)
    others = (saved.record for saved in given if saved is not own and saved.record.reviewer in project.reviewers)
    view = replace(view, others=tuple(others))
    if settled is None:
        return view
    return replace(view, consensus=settled.record, consensus_version=settled.version, settled_by=settled.by)


def seen_by(state: ProjectState, reader: str, scope: Scope) -> tuple[ProjectState, int]:
    """What the reader may see of a whole project, and how many domains of papers have something hidden.

    The overall judgement may be seen when all domains of the scope may be, for the same outcome. Decisions on sentences
    are made one by one, and nothing marks a paper as finished, so others' are hidden while the project is blind.
    """
    project = state.project.record
    done: dict[Place, set[str]] = {}
    for saved in state.judgements:
        if saved.record.level is not None and not saved.removed:
            done.setdefault(place_of(saved.record), set()).add(saved.record.reviewer)

    def visible(paper: str, tool: str, outcome: str, domain: str) -> bool:
        needed = scope.domains if domain == OVERALL else [domain]
        return all(may_see(project, reader, done.get((paper, tool, outcome, one), ())) for one in needed)

    def may(saved: _OfDomain) -> bool:
        record = saved.record
        own = isinstance(record, ReviewerJudgement) and record.reviewer == reader
        return own or visible(*place_of(record))

    decided: dict[str, set[str]] = {}
    for screened in state.screenings:
        if screened.record.verdict is not None and not screened.removed:
            decided.setdefault(screened.record.item, set()).add(screened.record.reviewer)

    def item_visible(item: str) -> bool:
        return may_see(project, reader, decided.get(item, ()))

    told: dict[tuple[str, str], set[str]] = {}
    for given in state.verdicts:
        if given.record.verdict is not None and not given.removed:
            told.setdefault((given.record.paper, given.record.question), set()).add(given.record.reviewer)

    def cell_visible(paper: str, question: str) -> bool:
        return may_see(project, reader, told.get((paper, question), ()))

    statements = {saved.record.id: saved.record for saved in state.gradings}
    graded = {  # in every project, a reader who has graded all statements may see the others' grades
        saved.record.grading
        for saved in state.grades
        if saved.record.reviewer == reader
        and not saved.removed
        and saved.record.is_whole(statements[saved.record.grading])
    }

    def may_know(change: RecordChange) -> bool:
        if change.kind in _BY_REVIEWER and change.key[-1] == reader:
            return True
        if change.kind in _OF_ITEMS:
            return item_visible(change.key[1])
        if change.kind in _OF_CELLS:
            return cell_visible(change.key[1], change.key[2])
        if change.kind in _OF_SENTENCES:
            return not project.is_blind
        if change.kind in _OF_STATEMENTS:
            return change.key[1] in graded
        return change.kind not in _OF_DOMAINS or visible(*change.key[1:5])

    papers = {saved.record.id for saved in state.papers if not saved.removed}
    papers -= left_out_of(state).keys() | excluded_of(state)
    all_of_domains: list[_OfDomain] = [*state.judgements, *state.suggestions, *state.consensus]
    hidden = {
        place_of(saved.record)
        for saved in all_of_domains
        if not saved.removed and saved.record.paper in papers and saved.record.domain != OVERALL and not may(saved)
    }
    seen = replace(
        state,
        judgements=tuple(filter(may, state.judgements)),
        suggestions=tuple(filter(may, state.suggestions)),
        consensus=tuple(filter(may, state.consensus)),
        decisions=tuple(saved for saved in state.decisions if saved.record.reviewer == reader or not project.is_blind),
        summaries=tuple(saved for saved in state.summaries if saved.record.reviewer == reader or not project.is_blind),
        contradictions=tuple(
            saved for saved in state.contradictions if saved.record.reviewer == reader or not project.is_blind
        ),
        grades=tuple(
            saved for saved in state.grades if saved.record.reviewer == reader or saved.record.grading in graded
        ),
        screenings=tuple(
            saved for saved in state.screenings if saved.record.reviewer == reader or item_visible(saved.record.item)
        ),
        screening_consensus=tuple(saved for saved in state.screening_consensus if item_visible(saved.record.item)),
        verdicts=tuple(
            saved
            for saved in state.verdicts
            if saved.record.reviewer == reader or cell_visible(saved.record.paper, saved.record.question)
        ),
        verdict_consensus=tuple(
            saved for saved in state.verdict_consensus if cell_visible(saved.record.paper, saved.record.question)
        ),
        history=tuple(filter(may_know, state.history)),
    )
    return seen, len(hidden)
