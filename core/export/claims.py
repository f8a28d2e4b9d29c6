"""A paper's claims, and what a library says of them, as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from core.claims.model import HeldClaim, PaperClaims, Place, Side
from core.export.html_page import place_in_words, render
from core.paper import Paper


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


def contradiction_document(
    paper: Paper,
    held: Sequence[HeldClaim],
    *,
    threshold: int,
    decided: Mapping[tuple[int, str], Mapping[str, str]] | None = None,
) -> dict[str, Any]:
    """Everything about a paper's claims beside a library, for programs.

    `decided`: what reviewers made of contradictions, by the claim's place in `held` and the other paper's id.
    """
    known = decided or {}
    return {
        "paper": paper.id,
        "title": paper.title,
        "engine": held[0].contested.engine if held else None,
        "threshold": threshold,
        "searched": held[0].contested.searched if held else 0,
        "claims": [
            {
                "text": one.claim.text,
                "sentence": one.claim.sentence,
                "score": int(one.contested.place),
                "label": one.contested.place.in_words,
                "contradicted": one.contested.place >= threshold,
                "reasons": one.contested.reason,
                "for": [_side(side, known.get((place, side.paper.id), {})) for side in one.contested.agreeing],
                "against": [_side(side, known.get((place, side.paper.id), {})) for side in one.contested.against],
            }
            for place, one in enumerate(held)
        ],
    }


def _side(side: Side, decided: Mapping[str, str]) -> dict[str, Any]:
    paper = side.paper
    return {
        "paper": paper.id,
        "title": paper.title,
        "doi": paper.doi,
        "year": paper.year,
        "sentence": side.strongest,
        "text": side.sentence,
        "section": side.passage.section,
        "page": side.passage.page,
        "sure": side.sure,
        "told": side.told.value if side.told else None,
        "reason": side.reason,
        "differences": list(side.differences),
        "decisions": dict(decided),
    }


def contradiction_report(
    paper: Paper,
    held: Sequence[HeldClaim],
    *,
    threshold: int,
    date: datetime,
    decided: Mapping[tuple[int, str], Mapping[str, str]] | None = None,
) -> str:
    """The same as one HTML page, the most contested claims first."""
    document = contradiction_document(paper, held, threshold=threshold, decided=decided)
    order = sorted(range(len(held)), key=lambda place: (-held[place].contested.place, place))
    claims = [
        document["claims"][place] | {"place": place_in_words(paper, held[place].claim.sentence)} for place in order
    ]
    return render(
        "contradictions",
        title=paper.title or paper.name,
        document=document | {"claims": claims},
        contested=sum(one["contradicted"] for one in claims),
        lack=int(Place.LACK_OF_EVIDENCE),
        date=date.strftime("%Y-%m-%d %H:%M"),
    )
