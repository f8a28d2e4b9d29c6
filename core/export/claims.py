"""Export a paper's claims, and what other papers say about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from core.claims.model import PaperClaims, Place, why_not_compared
from core.claims.scale import note
from core.export.html_page import render
from core.export.table import table_csv
from core.paper import Paper
from core.store.claim_model import ContradictionDecision, StoredClaim, StoredSide

_COLUMNS = (
    *("paper", "claim", "sentence", "score", "label", "other_paper", "other_year", "notice", "way", "sure", "other_sentence", "text"),
    *("differences", "reviewer", "decision", "why", "dropped"),
)  # fmt: skip
_NOT_HELD = "not held"


def claim_document(paper: Paper, found: PaperClaims) -> dict[str, Any]:
    """A paper's claims as JSON."""
    return {
        "paper": paper.id,
        "title": paper.title,
        "engine": found.engine,
        "seconds": round(found.seconds, 3),
        "cost_usd": found.cost_usd,
        "prompts": dict(found.run.prompts) if found.run else {},
        "notes": list(found.notes),
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
    """A paper's claims, their comparison with other papers, and the reviewers' decisions on it."""

    id: str
    title: str
    claims: Sequence[StoredClaim]
    decisions: Sequence[ContradictionDecision] = ()
    threshold: int = int(Place.CONTRADICTION)
    titles: Mapping[str, str] = field(default_factory=dict)  # of the other papers, by id
    dropped: Sequence[StoredClaim] = ()  # by reviewers; exported only if somebody had decided on them
    notices: Mapping[str, str] = field(default_factory=dict)  # by paper: a retraction or similar

    @property
    def dropped_and_decided(self) -> list[StoredClaim]:
        """The claims that were dropped after somebody had decided on them. They are exported as well."""
        decided = {one.claim for one in self.decisions if one.paper == self.id}
        return [one for one in self.dropped if one.claim in decided]

    def elsewhere(self, claim: StoredClaim) -> list[ContradictionDecision]:
        """Decisions on papers that are no longer on either side of a claim. They are exported as well."""
        now = {side.paper for side in claim.contest.sides} if claim.contest else set[str]()
        return [
            one for one in self.decisions if (one.paper, one.claim) == (self.id, claim.claim) and one.other not in now
        ]

    def said_of(self, claim: StoredClaim, side: StoredSide) -> dict[str, str]:
        """The decisions on a claim and another paper, by reviewer."""
        return {
            one.reviewer: f"{one.verdict.value}{f': {one.why}' if one.why else ''}"
            for one in self.decisions
            if (one.paper, one.claim, one.other) == (self.id, claim.claim, side.paper)
        }


def contradiction_document(found: ContestedPaper) -> dict[str, Any]:
    """Everything as JSON. A claim that was not compared has no score."""
    held = [one.contest for one in found.claims if one.contest is not None]
    return {
        "paper": found.id,
        "title": found.title,
        "notice": found.notices.get(found.id, ""),
        "engine": held[0].engine if held else None,
        "threshold": found.threshold,
        "scale": note(),
        "searched": held[0].searched if held else 0,
        "claims": [_claim(found, one) for one in found.claims],
        "dropped": [_claim(found, one) for one in found.dropped_and_decided],
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
        "label": Place(place).in_words if place is not None else _NOT_HELD,
        "contradicted": place is not None and place >= found.threshold,
        "reasons": contest.reason if contest else why_not_compared(one.text),
        "outside": list(contest.outside) if contest else [],
        "notes": list(contest.notes) if contest else [],
        "for": [_side(found, one, side) for side in sides if side.way == "agrees"],
        "against": [_side(found, one, side) for side in sides if side.way == "contradicts"],
        "decided_before": [
            {
                "paper": said.other,
                "title": found.titles.get(said.other),
                "reviewer": said.reviewer,
                "decision": said.verdict.value,
                "why": said.why,
            }
            for said in found.elsewhere(one)
        ],
    }


def _side(found: ContestedPaper, claim: StoredClaim, side: StoredSide) -> dict[str, Any]:
    return {
        "paper": side.paper,
        "title": side.title,
        "notice": found.notices.get(side.paper, ""),
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
    """The same as one HTML page, with the most contested claims first.

    `date` must have a time zone; it is shown in UTC.
    """
    document = contradiction_document(found)
    claims = sorted(document["claims"], key=lambda one: -(-1 if one["score"] is None else one["score"]))
    return render(
        "contradictions",
        title=found.title,
        document=document | {"claims": claims},
        contested=sum(one["contradicted"] for one in claims),
        lack=int(Place.LACK_OF_EVIDENCE),
        date=date.astimezone(UTC).strftime("%Y-%m-%d %H:%M"),
    )


def contradiction_csv(papers: Sequence[ContestedPaper]) -> str:
    """One line per claim, other paper and decision, as CSV that is safe to open."""
    return table_csv(_COLUMNS, [row for paper in papers for row in _rows(paper)])


def _rows(paper: ContestedPaper) -> list[Mapping[str, Any]]:
    rows: list[Mapping[str, Any]] = []
    kept = [(claim, "") for claim in paper.claims]
    for claim, dropped in (*kept, *((claim, "yes") for claim in paper.dropped_and_decided)):
        place = claim.contest.place if claim.contest else None
        common = dict.fromkeys(_COLUMNS, "") | {
            "paper": paper.title,
            "claim": claim.text,
            "sentence": claim.sentence,
            "score": "" if place is None else place,
            "label": _NOT_HELD if place is None else Place(place).in_words,
            "dropped": dropped,
        }
        for side in claim.contest.sides if claim.contest else ():
            row = common | {
                "other_paper": side.title,
                "other_year": side.year,
                "notice": paper.notices.get(side.paper, ""),
                "way": side.way,
                "sure": "" if side.sure is None else side.sure,
                "other_sentence": side.sentence,
                "text": side.text,
                "differences": "; ".join(side.differences),
            }
            own = [
                one
                for one in paper.decisions
                if (one.paper, one.claim, one.other) == (paper.id, claim.claim, side.paper)
            ]
            rows += [row | _said(one) for one in own] or [row]
        rows += [
            common | {"other_paper": paper.titles.get(one.other) or one.other} | _said(one)
            for one in paper.elsewhere(claim)
        ]
    return rows


def _said(one: ContradictionDecision) -> dict[str, str]:
    return {"reviewer": one.reviewer, "decision": one.verdict.value, "why": one.why}
