"""Export a reviewer's evidence as CSV for spreadsheets and as JSON for programs, with the model's run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from core import __version__
from core.evidence.model import Decision, Evidence, EvidenceSentence
from core.export.table import table_csv
from core.grounding.model import ModelRun
from core.paper import Paper, Sentence

# ---- A model's run: enough to repeat it and to check every step ----


def model_run_document(run: ModelRun | None) -> dict[str, Any] | None:
    """The run as JSON; None if no model was asked. Runs contain no API key."""
    if run is None:
        return None
    verdict = run.verdict
    return {
        "model": run.model,
        "strategy": run.strategy,
        "prompts": dict(run.prompts),
        "cost_usd": run.cost_usd,
        "verdict": None
        if verdict is None
        else {
            "judgement": verdict.judgement.value,
            "strongest_for": verdict.strongest_for,
            "strongest_against": verdict.strongest_against,
        },
        "steps": [asdict(step) for step in run.steps],
    }


# ---- Rows: an engine's answer and the reviewer's decisions ----


@dataclass(frozen=True, slots=True)
class EvidenceReview:
    """An engine's answer, and the reviewer's decisions on its sentences and on others (sentence index -> decision)."""

    paper_id: str
    evidence: Evidence
    decisions: Mapping[int, Decision] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """One sentence that the engine chose or the reviewer decided on."""

    rank: int | None  # 1 is the engine's best; None: the engine did not choose it
    sentence: Sentence
    chosen: EvidenceSentence | None
    decision: Decision | None  # None: undecided
    aspects: tuple[str, ...] | None  # the study aspects that it covers; (): not a gold sentence; None: gold unknown


def rows_of(paper: Paper, review: EvidenceReview, gold: Mapping[int, Sequence[str]] | None) -> tuple[EvidenceRow, ...]:
    """The engine's sentences, best first, then those that only the reviewer decided on, in reading order.

    `gold` holds the aspects (words or ids) of every gold sentence; None without gold. Raises `ValueError` if the review
    is of another paper.
    """
    if review.paper_id != paper.id:
        raise ValueError(f"the review is of paper {review.paper_id}, not of {paper.id}")
    chosen = {sentence.index: sentence for sentence in review.evidence.sentences}
    ranks = {index: rank for rank, index in enumerate(chosen, 1)}
    indices = [*chosen, *sorted(review.decisions.keys() - chosen.keys())]
    return tuple(
        EvidenceRow(
            rank=ranks.get(index),
            sentence=paper.sentences[index],
            chosen=chosen.get(index),
            decision=review.decisions.get(index),
            aspects=None if gold is None else tuple(gold.get(index, ())),
        )
        for index in indices
    )


# ---- CSV and JSON ----


def evidence_csv(
    paper: Paper, review: EvidenceReview, *, date: datetime, gold: Mapping[int, Sequence[str]] | None = None
) -> str:
    """One line per sentence that the engine chose or the reviewer decided on, under a line of column names.

    `sentence` counts from 0, as everywhere in Vouch; `gold` gives each gold sentence's aspects. Unlike the CSV, the
    JSON keeps every text exactly.
    """
    return table_csv(_COLUMNS, (_columns(row, paper, review, date) for row in rows_of(paper, review, gold)))


def evidence_json(
    paper: Paper, review: EvidenceReview, *, date: datetime, gold: Mapping[int, Sequence[str]] | None = None
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
        "run": model_run_document(evidence.run),
        "sentences": [
            _sentence(row, paper) | {"aspects": row.aspects, "start": row.sentence.start, "end": row.sentence.end}
            for row in rows_of(paper, review, gold)
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def paper_document(paper: Paper) -> dict[str, Any]:
    """The details that identify a paper."""
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


def _sentence(row: EvidenceRow, paper: Paper) -> dict[str, Any]:
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


def _columns(row: EvidenceRow, paper: Paper, review: EvidenceReview, date: datetime) -> dict[str, Any]:
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
    "rank sentence text section section_kind page kind score stance rationale match decision gold aspects engine cost_usd "
    "hypothesis k results_only results_first tables paper_title authors journal year doi registrations file paper_id date "
    "vouch_version"
).split()
