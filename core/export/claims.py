"""A paper's claims, and what other papers say of them, as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.claims.model import PaperClaims, Place
from core.export.html_page import render
from core.export.table import table_csv
from core.paper import Paper
from core.store.claim_model import ContradictionDecision, StoredClaim, StoredSide

_COLUMNS = (
    *("paper", "claim", "sentence", "score", "label", "other_paper", "other_year", "way", "sure", "other_sentence", "text"),
    *("differences", "reviewer", "decision", "why"),
)  # fmt: skip


def claim_document(paper: Paper, found: PaperClaims) -> dict[str, Any]:
    """Everything about a paper's claims, for programs."""
    return {
        "paper": paper.id,
        "title": paper.title,
        "engine": found.engine,
        "seconds": round(found.seconds, 3),
        "cost_usd": found.cost_usd,
        "prompts": dict(found.run.prompts) if found.run else {},
        "claims": [
            {
                "text": one.text,
                "sentence": one.sentence,
                "score": one.score,
                "also": list(one.also),
                "verdict": one.verdict.value if one.verdict else None,
                "terms": dict(one.terms),
                "said": paper.sentences[one.sentence].text,
            }
            for one in found.claims
        ],
    }


@dataclass(frozen=True, slots=True)
class ContestedPaper:
    """A paper's claims as they stand beside other papers, and what reviewers made of that."""

    id: str
    title: str
    claims: Sequence[StoredClaim]
    decisions: Sequence[ContradictionDecision] = ()
    threshold: int = int(Place.CONTRADICTION)

    def said_of(self, claim: StoredClaim, side: StoredSide) -> dict[str, str]:
        """What reviewers made of a claim and another paper, by their names."""
        return {
            one.reviewer: f"{one.verdict.value}{f': {one.why}' if one.why else ''}"
            for one in self.decisions
            if (one.paper, one.claim, one.other) == (self.id, claim.claim, side.paper)
        }


def contradiction_document(found: ContestedPaper) -> dict[str, Any]:
    """All of it, for programs. A claim that was not held has no score."""
    held = [one.contest for one in found.claims if one.contest is not None]
    return {
        "paper": found.id,
        "title": found.title,
        "engine": held[0].engine if held else None,
        "threshold": found.threshold,
        "searched": held[0].searched if held else 0,
        "claims": [_claim(found, one) for one in found.claims],
    }


def _claim(found: ContestedPaper, one: StoredClaim) -> dict[str, Any]:
    contest = one.contest
    sides = contest.sides if contest else ()
    place = contest.place if contest else None
    return {
        "text": one.text,
        "sentence": one.sentence,
        "verdict": one.verdict,
        "score": place,
        "label": Place(place).in_words if place is not None else "not held",
        "contradicted": place is not None and place >= found.threshold,
        "reasons": contest.reason if contest else "",
        "for": [_side(found, one, side) for side in sides if side.way == "agrees"],
        "against": [_side(found, one, side) for side in sides if side.way == "contradicts"],
    }


def _side(found: ContestedPaper, claim: StoredClaim, side: StoredSide) -> dict[str, Any]:
    return {
        "paper": side.paper,
        "title": side.title,
        "year": side.year,
        "sentence": side.sentence,
        "text": side.text,
        "section": side.section,
        "page": side.page,
        "sure": side.sure,
        "told": side.told,
        "reason": side.reason,
        "differences": list(side.differences),
        "decisions": found.said_of(claim, side),
    }


def contradiction_report(found: ContestedPaper, *, date: datetime) -> str:
    """The same as one HTML page, the most contested claims first."""
    document = contradiction_document(found)
    claims = sorted(document["claims"], key=lambda one: -(-1 if one["score"] is None else one["score"]))
    return render(
        "contradictions",
        title=found.title,
        document=document | {"claims": claims},
        contested=sum(one["contradicted"] for one in claims),
        lack=int(Place.LACK_OF_EVIDENCE),
        date=date.strftime("%Y-%m-%d %H:%M"),
    )


def contradiction_csv(papers: Sequence[ContestedPaper]) -> str:
    """A line for each claim and paper on either side, and for each decision on it, as CSV that is safe to open."""
    return table_csv(_COLUMNS, [row for paper in papers for row in _rows(paper)])


def _rows(paper: ContestedPaper) -> list[Mapping[str, Any]]:
    rows: list[Mapping[str, Any]] = []
    for claim in paper.claims:
        for side in claim.contest.sides if claim.contest else ():
            own = [
                one
                for one in paper.decisions
                if (one.paper, one.claim, one.other) == (paper.id, claim.claim, side.paper)
            ]
            place = claim.contest.place if claim.contest else 0
            row = {
                "paper": paper.title,
                "claim": claim.text,
                "sentence": claim.sentence,
                "score": place,
                "label": Place(place).in_words,
                "other_paper": side.title,
                "other_year": side.year,
                "way": side.way,
                "sure": side.sure,
                "other_sentence": side.sentence,
                "text": side.text,
                "differences": "; ".join(side.differences),
            }
            said = [{"reviewer": one.reviewer, "decision": one.verdict.value, "why": one.why} for one in own]
            rows += [row | one for one in said or [{"reviewer": "", "decision": "", "why": ""}]]
    return rows
