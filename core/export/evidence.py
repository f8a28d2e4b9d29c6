"""A reviewer's evidence as CSV for spreadsheets and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from core import __version__
from core.export.model_run import run_document
from core.export.review import Review, Row, rows_of
from core.export.table import table_csv
from core.paper import Paper


def evidence_csv(
    paper: Paper, review: Review, *, date: datetime, gold: Mapping[int, Sequence[str]] | None = None
) -> str:
    """One line for each sentence that the engine chose or the reviewer decided on, under a line of column names.

    `sentence` counts from 0, as everywhere in Vouch; `gold` gives each gold sentence's aspects. The JSON keeps every
    text exact.
    """
    return table_csv(_COLUMNS, (_columns(row, paper, review, date) for row in rows_of(paper, review, gold)))


def evidence_json(
    paper: Paper, review: Review, *, date: datetime, gold: Mapping[int, Sequence[str]] | None = None
) -> str:
    """The same as one JSON document: the paper, the question and the run once, then the sentences."""
    evidence = review.evidence
    document = {
        "vouch_version": __version__,
        "date": date.isoformat(),
        "paper": paper_document(paper),
        "hypothesis": evidence.query.hypothesis,
        "k": evidence.query.k,
        "results_only": evidence.query.results_only,
        "results_first": evidence.query.results_first,
        "tables": evidence.query.tables,
        "engine": evidence.engine,
        "seconds": evidence.seconds,
        "cost_usd": evidence.cost_usd,
        "notes": evidence.notes,
        "run": run_document(evidence.run),
        "sentences": [
            _sentence(row, paper) | {"aspects": row.aspects, "start": row.sentence.start, "end": row.sentence.end}
            for row in rows_of(paper, review, gold)
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def paper_document(paper: Paper) -> dict[str, Any]:
    """Which paper it is."""
    return {
        "id": paper.id,
        "title": paper.title,
        "authors": paper.authors,
        "journal": paper.journal,
        "year": paper.year,
        "doi": paper.doi,
        "registrations": paper.registrations,
        "file": paper.name,
        "format": paper.format,
    }


def _sentence(row: Row, paper: Paper) -> dict[str, Any]:
    section = paper.section_of(row.sentence)
    return {
        "rank": row.rank,
        "sentence": row.sentence.index,
        "text": row.sentence.text,
        "section": section.title,
        "section_kind": section.kind.value,
        "page": row.sentence.page,
        "kind": row.sentence.kind.value,
        "score": row.chosen.score if row.chosen else None,
        "stance": row.chosen.stance if row.chosen else None,
        "rationale": row.chosen.rationale if row.chosen else None,
        "match": row.chosen.match if row.chosen else None,
        "decision": row.decision or "undecided",
        "gold": None if row.aspects is None else bool(row.aspects),
    }


def _columns(row: Row, paper: Paper, review: Review, date: datetime) -> dict[str, Any]:
    return _sentence(row, paper) | {
        "gold": None if row.aspects is None else "yes" if row.aspects else "no",
        "aspects": "; ".join(row.aspects or ()),
        "engine": review.evidence.engine,
        "cost_usd": review.evidence.cost_usd,
        "hypothesis": review.evidence.query.hypothesis,
        "k": review.evidence.query.k,
        "results_only": "yes" if review.evidence.query.results_only else "no",
        "results_first": "yes" if review.evidence.query.results_first else "no",
        "tables": "yes" if review.evidence.query.tables else "no",
        "paper_title": paper.title,
        "authors": "; ".join(paper.authors),
        "journal": paper.journal,
        "year": paper.year,
        "doi": paper.doi,
        "registrations": "; ".join(paper.registrations),
        "file": paper.name,
        "paper_id": paper.id,
        "date": date.isoformat(),
        "vouch_version": __version__,
    }


_COLUMNS = (
    *("rank", "sentence", "text", "section", "section_kind", "page", "kind", "score", "stance", "rationale", "match"),
    *(
        "decision",
        "gold",
        "aspects",
        "engine",
        "cost_usd",
        "hypothesis",
        "k",
        "results_only",
        "results_first",
        "tables",
        "paper_title",
        "authors",
        "journal",
        "year",
        "doi",
        "registrations",
        "file",
        "paper_id",
        "date",
    ),
    "vouch_version",
)
