"""Export a project as one table, with one line per paper, outcome, domain and person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from core import __version__
from core.bias.model import Answers, Domain
from core.export.levels import LevelTable, Study, papers_of
from core.export.table import table_csv
from core.paper import Paper
from core.store.model import (
    Consensus,
    Place,
    ProjectState,
    ReviewerJudgement,
    Saved,
    StoredSuggestion,
    place_of,
)

_COLUMNS = (
    *(
        "study",
        "outcome",
        "domain",
        "domain_name",
        "reviewer",
        "level",
        "answers",
        "comment",
        "sentences",
        "suggestions_seen",
    ),
    *("judged_at", "suggestions", "suggested_answers", "suggestion_reasons", "suggested_sentences", "suggested_at"),
    *(
        "suggested_not_in_paper",
        "suggestion_costs_usd",
        "prompts",
        "settled_level",
        "rule_level",
        "basis",
        "consensus",
        "consensus_reason",
        "consensus_by",
        "consensus_between",
    ),
    *("consensus_at", "tool", "title", "citation", "file", "paper_id", "project", "date", "vouch_version"),
)


def project_csv(state: ProjectState, table: LevelTable, papers: Mapping[str, Paper], *, date: datetime) -> str:
    """The table. `papers`, by id, provide the text of sentences; without its paper, a sentence has only its number.

    A missing level is an empty cell. Every person has a line for each domain, even without a judgement.
    """
    return table_csv(_COLUMNS, _rows(state, table, papers, date))


def _rows(
    state: ProjectState, table: LevelTable, papers: Mapping[str, Paper], date: datetime
) -> Iterator[dict[str, Any]]:
    project, stored = state.project.record, papers_of(state)
    judgements = _by_place(state.judgements)
    suggestions, consensus = _by_place(state.suggestions), _by_place(state.consensus)
    for study in table.studies:
        record = stored[study.paper]
        about = {
            "study": study.name,
            "outcome": study.outcome,
            "tool": table.tool.name,
            "title": record.title,
            "citation": record.citation,
            "file": record.name,
            "paper_id": study.paper,
            "project": project.name,
            "date": date.isoformat(),
            "vouch_version": __version__,
        }
        for domain, name in table.columns.items():
            place = study.paper, table.tool.id, study.outcome, domain
            given = {saved.record.reviewer: saved for saved in judgements.get(place, ())}
            judged = table.tool.domain(domain)
            beside = {
                **about,
                "domain": domain,
                "domain_name": name,
                **_suggested(suggestions.get(place, ()), papers.get(study.paper)),
                **_settled(study, domain, consensus.get(place, ())),
            }
            for person in dict.fromkeys([*project.reviewers, *given]) or ("",):
                yield {**beside, "reviewer": person, **_given(given.get(person), judged, papers.get(study.paper))}


def _given(saved: Saved[ReviewerJudgement] | None, domain: Domain | None, paper: Paper | None) -> dict[str, Any]:
    if saved is None:
        return dict.fromkeys(("level", "answers", "comment", "sentences", "suggestions_seen", "judged_at"))
    own = saved.record
    applicable = {question.id for question in domain.applicable(own.answers)} if domain else set()
    return {
        "level": own.level,
        "answers": _answers({id: answer for id, answer in own.answers.items() if id in applicable}),
        "comment": own.comment,
        "sentences": _quoted(own.support, paper),
        "suggestions_seen": "; ".join(own.suggestions_seen),
        "judged_at": saved.changed.isoformat(),
    }


def _suggested(found: Iterable[Saved[StoredSuggestion]], paper: Paper | None) -> dict[str, Any]:
    """The engines' suggestions. Each is one line of the cell, which begins with the engine's name."""
    cells: dict[str, list[str]] = {name: [] for name in _COLUMNS if name.startswith("suggest") or name == "prompts"}
    del cells["suggestions_seen"]
    for saved in found:
        made, judgement = saved.record, saved.record.judgement
        said = {
            "suggestions": judgement.level or "no judgement",
            "suggested_answers": _answers(judgement.answers),
            "suggestion_reasons": judgement.rationale,
            "suggested_sentences": _quoted([support.index for support in judgement.support], paper),
            "suggested_not_in_paper": "; ".join(judgement.not_in_paper),
            "suggested_at": saved.changed.isoformat(),
            "suggestion_costs_usd": "unknown" if made.cost_usd is None else str(made.cost_usd),
            "prompts": ", ".join(f"{name} {digest}" for name, digest in made.prompts),
        }
        for column, text in said.items():
            if text:
                cells[column].append(f"{made.engine}: {text}")
    return {column: "\n".join(lines) for column, lines in cells.items()}


def _settled(study: Study, domain: str, found: Iterable[Saved[Consensus]]) -> dict[str, Any]:
    cell, saved = study.cells[domain], next(iter(found), None)
    return {
        "settled_level": cell.level,
        "rule_level": cell.rule,
        "basis": f"{cell.basis}: {cell.why}" if cell.why else cell.basis,
        "consensus": saved and saved.record.level,
        "consensus_reason": saved and saved.record.reason,
        "consensus_by": saved and saved.by,
        "consensus_between": saved and "; ".join(saved.record.by),
        "consensus_at": saved and saved.changed.isoformat(),
    }


def _answers(answers: Answers) -> str:
    return "; ".join(f"{id}: {answer.value}" for id, answer in sorted(answers.items()))


def _quoted(indices: Iterable[int], paper: Paper | None) -> str:
    return "\n".join(f"[{index}] {_sentence(index, paper)}".strip() for index in indices)


def _sentence(index: int, paper: Paper | None) -> str:
    if paper is None or index >= len(paper.sentences):
        return ""
    sentence = paper.sentences[index]
    page = "" if sentence.page is None else f", p. {sentence.page}"
    return f"{sentence.text} ({paper.section_of(sentence).title}{page})"


def _by_place(records: Iterable[Saved[Any]]) -> dict[Place, list[Saved[Any]]]:
    """The records that are not deleted, by what they judge."""
    found: dict[Place, list[Saved[Any]]] = {}
    for saved in records:
        if not saved.removed:
            found.setdefault(place_of(saved.record), []).append(saved)
    return found
