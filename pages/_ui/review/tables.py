"""The tables of a project as components (papers, items of screening, evidence), each with the data for its script.

Paper text enters the page as text nodes, never as markup.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from core.bias import Tool
from core.bias.model import OVERALL
from core.export.evidence_table import MEANING, SIGNS, TITLES, TableCell, TableRow, effect_in_words
from core.findings.model import Passage
from core.grounding.model import PaperVerdict
from core.paper import study_name
from core.screening.model import ScreeningVerdict
from core.store import (
    DomainLevels,
    ItemView,
    PaperState,
    Project,
    ReviewItem,
    Scope,
    StoredReference,
    study_of,
    with_bibliography,
)
from pages._ui import assets
from pages._ui.paper_view.bias import levels_payload
from pages._ui.review.references import References
from pages._ui.screening.state import ScreeningSnapshot

# ---- papers: data ----


def references_payload(
    found: References,
    left_out: Collection[str],
    *,
    excluded: Mapping[str, str],
    notices: Mapping[str, str] | None = None,
) -> dict[str, object]:
    """References without a paper as rows of their own; references of each paper, with how they were matched.

    `excluded` maps the items that screening excluded to the reason; they need no paper. `notices`: retractions etc.
    """
    return {
        "references": [
            {
                "id": one.id,
                "study": study_name(one.reference.authors, one.reference.year, otherwise=""),
                "title": one.reference.title,
                "citation": found.citations.get(one.id, ""),
                "note": found.notes.get(one.id, ""),
                "notice": (notices or {}).get(one.id, ""),
                "excluded": excluded_in_words(excluded, one.id),
            }
            for one in found.without_paper
            if one.id not in left_out
        ],
        "matched": {
            paper: [[one.id, f"Reference in {one.source}, matched by {one.matched}"] for one in several]
            for paper, several in found.of_papers.items()
        },
    }


def papers_payload(
    project: Project,
    papers: Sequence[PaperState],
    levels: Sequence[DomainLevels],
    *,
    scope: Scope,
    reviewer: str | None,
    excluded: Mapping[str, str] | None = None,
    references: Iterable[StoredReference] = (),
    notices: Mapping[str, str] | None = None,
) -> dict[str, object]:
    """Every paper, or its result for each outcome, with counts of judged, final and conflicting domains.

    `excluded` maps the papers that screening excluded to the reason; nothing is left to do on them. `references` give
    the authors and years that papers lack.

    Counts leave out what a blind reader may not see yet.
    """
    known = with_bibliography((state.paper.record for state in papers), references)
    final = Counter((one.paper, one.outcome) for one in levels if one.final is not None and one.domain != OVERALL)
    conflicts = Counter((one.paper, one.outcome) for one in levels if one.final is None and one.differ)
    return {
        "reviewers": project.reviewers,
        "me": reviewer,
        "domains": len(scope.domains),
        "papers": [
            {
                "id": (id := state.paper.record.id),
                "study": study_of(known[id]),
                "title": state.paper.record.title or state.paper.record.name,
                "citation": state.paper.record.citation,
                "notice": (notices or {}).get(id, ""),
                "outcome": outcome,
                "first": outcome == scope.outcomes[0],
                "done": [state.of_outcomes.get(outcome, {}).get(name, 0) for name in project.reviewers],
                "final": final[id, outcome],
                "conflicts": conflicts[id, outcome],
                "excluded": excluded_in_words(excluded or {}, id)
                or (_UNREPORTED if (id, outcome) in project.unreported else None),
            }
            for state in papers
            for outcome in scope.outcomes
        ],
    }


_UNREPORTED = "Not reported by the paper"


def excluded_in_words(excluded: Mapping[str, str], item: str) -> str | None:
    """How screening excluded an item, with the reason if there is one; None if it was not excluded."""
    if item not in excluded:
        return None
    return f"Excluded in screening: {excluded[item]}" if excluded[item] else "Excluded in screening"


# ---- papers: component ----

_papers = st.components.v2.component(
    "vouch_papers",
    html='<div class="papers"></div>',
    css=assets.styles("papers_table"),
    js=assets.script("papers_table"),
)


def draw_papers(*, key: str, data: dict[str, object]) -> tuple[str, str, str] | None:
    """Draw the table. Returns what was clicked, on which paper, and for which outcome; None: nothing."""
    match _papers(key=key, data=data, on_chosen_change=lambda: None).chosen:
        case [what, which, outcome]:
            return str(what), str(which), str(outcome)
        case _:
            return None


def _clicked(chosen: object) -> tuple[str, str] | None:
    match chosen:
        case [what, which]:
            return str(what), str(which)
        case _:
            return None


# ---- items of screening: data ----

HIDDEN_VERDICT = "hidden"  # stands for a verdict that the reader may not see yet


@dataclass(frozen=True, slots=True)
class ScreeningCounts:
    """The progress of screening. Only `decided` counts what a blind reader may not see yet."""

    items: int
    decided: Mapping[str, int]  # by reviewer
    included: int
    by_abstract: int  # included items without a paper, by title and abstract only
    excluded: int
    conflicts: int

    @property
    def open(self) -> int:
        """The number of items without a final verdict, conflicts included."""
        return self.items - self.included - self.excluded


def counts_of(seen: ScreeningSnapshot) -> ScreeningCounts:
    """The counts of a project, as the reader may see it."""
    views = [seen.view(item) for item in seen.items]
    finals = [view.final for view in views]
    included = [item for item in seen.items.values() if seen.view(item.id).final is ScreeningVerdict.INCLUDE]
    return ScreeningCounts(
        len(views),
        {name: sum(name in view.by for view in views) for name in seen.project.reviewers},
        len(included),
        sum(not item.is_paper for item in included),
        finals.count(ScreeningVerdict.EXCLUDE),
        len(seen.conflicts),
    )


def items_payload(seen: ScreeningSnapshot) -> dict[str, object]:
    """Every item with each reviewer's decision, as far as the reader may see it, and the final one."""
    return {
        "reviewers": seen.project.reviewers,
        "me": seen.reviewer if seen.reviewer in seen.project.reviewers else None,
        "items": [_row(item, seen.view(item.id), seen) for item in seen.items.values()],
    }


def _row(item: ReviewItem, view: ItemView, seen: ScreeningSnapshot) -> dict[str, object]:
    final = view.final
    return {
        "id": item.id,
        "title": item.title,
        "citation": item.citation or (item.study if item.study != item.title else ""),
        "isPaper": item.is_paper,
        "verdicts": [
            view.verdicts.get(name, HIDDEN_VERDICT if name in view.by else None) for name in seen.project.reviewers
        ],
        "final": final,
        "reason": view.final_reason,
        "conflict": view.differ,
    }


# ---- items of screening: component ----

_items = st.components.v2.component(
    "vouch_screening_list",
    html='<div class="papers"></div>',
    css=assets.styles("papers_table", "items_table"),
    js=assets.script("items_table"),
)


def draw_items(*, key: str, data: dict[str, object]) -> tuple[str, str] | None:
    """Draw the list. Returns what was clicked, and on which item; None: nothing."""
    return _clicked(_items(key=key, data=data, on_chosen_change=lambda: None).chosen)


# ---- evidence: data ----

_IN_ORDER = (
    PaperVerdict.SUPPORTS,
    PaperVerdict.MIXED,
    PaperVerdict.REFUTES,
    PaperVerdict.UNCLEAR,
    PaperVerdict.NOT_REPORTED,
)


@dataclass(slots=True)
class _Texts:
    """Texts by number, without duplicates."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, text: str) -> int | None:
        """The text's number; None for an empty text."""
        return self.numbers.setdefault(text, len(self.numbers)) if text else None


# Columns on screen -> the columns of core/export/evidence_table.py that provide their titles.
_HEADED_BY = {
    "study": "study",
    "verdict": "verdict",
    "for": "for_sentence",
    "against": "against_sentence",
    "effect": "effect_value",
    "screening": "screening",
    "level": "bias_overall",
}


def evidence_payload(
    rows: Sequence[TableRow], hypotheses: Sequence[str], tool: Tool, *, project: str, stamp: str
) -> dict[str, object]:
    """Every paper with a cell for each hypothesis. Numbers refer to `texts`; missing values are left out."""
    texts = _Texts()
    papers = [_paper(row, hypotheses, texts) for row in rows]
    return {
        "project": project,
        "stamp": stamp,
        "hypotheses": list(hypotheses),
        "titles": {shown: TITLES[column] for shown, column in _HEADED_BY.items()},
        "verdicts": [{"id": one.value, "sign": SIGNS[one], "meaning": MEANING[one]} for one in _IN_ORDER],
        "screenings": [ScreeningVerdict.INCLUDE.value, ScreeningVerdict.UNSURE.value, ScreeningVerdict.EXCLUDE.value],
        "levels": levels_payload(tool),
        "papers": papers,
        "texts": list(texts.numbers),
    }


def _paper(row: TableRow, hypotheses: Sequence[str], texts: _Texts) -> dict[str, object]:
    return _without_blanks(
        {
            "id": row.paper,
            "study": row.study,
            "title": row.title,
            "citation": row.citation,
            "notice": row.notice,
            "screening": row.screening and row.screening.value,
            "note": texts.number(row.screening_note),
            "level": row.bias.level,
            "bias": texts.number(row.bias.whose or row.bias.missing),
            "cells": [_cell(row.cell(hypothesis), texts) for hypothesis in hypotheses],
        }
    )


def _cell(cell: TableCell, texts: _Texts) -> dict[str, object]:
    found, people = cell.finding, cell.people
    said = {
        "final": people.final and people.final.value,
        "whose": texts.number(cell.whose),
        "differ": people.differ or None,
        "people": [[one.reviewer, one.verdict, texts.number(one.comment)] for one in people.given] or None,
    }
    if found is None:
        return _without_blanks({"why": texts.number(cell.missing), **said})
    effect = found.effect
    return _without_blanks(
        said
        | {
            "engine": texts.number(found.engine) if people.final else None,
            "verdict": cell.verdict and cell.verdict.value,
            "sure": texts.number(found.sureness),
            "why": texts.number(found.reason if cell.verdict else cell.missing),
            "check": texts.number(found.check or ""),
            "for": found.strongest_for and _passage(found.strongest_for, texts),
            "against": found.strongest_against and _passage(found.strongest_against, texts),
            "nearest": [_passage(one, texts) for one in found.nearest] or None,
            "effect": effect and [effect_in_words(effect), effect.value, effect.sentence, texts.number(effect.text)],
        }
    )


def _passage(passage: Passage, texts: _Texts) -> dict[str, object]:
    section = " ".join(passage.section.split())
    said = {"text": texts.number(passage.text), "section": texts.number(section), "page": passage.page}
    return _without_blanks({**said, "index": passage.index})


def _without_blanks(values: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}


# ---- evidence: component ----

_evidence = st.components.v2.component(
    "vouch_evidence_table",
    html='<div class="evidence-table"></div>',
    css=assets.styles("evidence_table"),
    js=assets.script("evidence_table"),
)


@dataclass(frozen=True, slots=True)
class OpenedSentence:
    """A clicked sentence."""

    paper: str
    hypothesis: int  # the hypothesis's place in the project
    sentence: int


@dataclass(frozen=True, slots=True)
class TableEvent:
    """The browser's messages: what to open or judge, and the papers shown, in order (None: all)."""

    opened: OpenedSentence | None
    judged: tuple[str, int] | None  # (paper, the hypothesis's place)
    shown: tuple[str, ...] | None


def draw_evidence(*, key: str, data: dict[str, object]) -> TableEvent:
    """Draw the evidence table."""
    said = _evidence(
        key=key, data=data, on_chosen_change=lambda: None, on_shown_change=lambda: None, default={"shown": None}
    )
    return TableEvent(_opened(said.chosen), _judged(said.chosen), _shown(said.shown))


def _opened(chosen: object) -> OpenedSentence | None:
    match chosen:
        case ["open", str(paper), int(hypothesis), int(sentence)]:
            return OpenedSentence(paper, hypothesis, sentence)
        case _:
            return None


def _judged(chosen: object) -> tuple[str, int] | None:
    match chosen:
        case ["judge", str(paper), int(hypothesis)]:
            return paper, hypothesis
        case _:
            return None


def _shown(papers: object) -> tuple[str, ...] | None:
    if isinstance(papers, list) and all(isinstance(paper, str) for paper in papers):
        return tuple(papers)
    return None
