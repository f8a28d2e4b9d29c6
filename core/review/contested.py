"""Claims of a review's papers in the store: found, held against the project's library, and who contradicts whom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256

from core.claims.checking import copies_of, statement_of
from core.claims.model import Claim, ClaimEngine, ClaimVerdict, Contested, ContradictionEngine, Side, Way
from core.library.index import Library
from core.paper import Paper
from core.progress import Progress, silent
from core.store import Store, StoredClaim, StoredContest, StoredSide

_FINDING = 0.1  # the share of the progress that looking for claims takes


def stored_claim(project: str, paper: str, claim: Claim, *, made: str) -> StoredClaim:
    """A claim as the store keeps it; the same claim of the same sentence has the same id."""
    id = sha256(f"{paper} {claim.sentence} {claim.text}".encode()).hexdigest()[:16]
    return StoredClaim(
        project,
        paper,
        id,
        claim.text,
        claim.sentence,
        claim.score,
        claim.also,
        claim.terms,
        claim.verdict.value if claim.verdict else None,
        made,
    )


def claim_of(stored: StoredClaim) -> Claim:
    """The claim that the store keeps."""
    verdict = ClaimVerdict(stored.verdict) if stored.verdict else None
    return Claim(stored.text, stored.sentence, stored.score, stored.also, verdict, stored.terms)


def stored_contest(contested: Contested, at: datetime) -> StoredContest:
    """What an engine made of a claim, as the store keeps it."""
    return StoredContest(
        contested.engine,
        int(contested.place),
        contested.reason,
        contested.searched,
        tuple(map(_side, contested.sides)),
        at,
        contested.cost_usd,
    )


def _side(side: Side) -> StoredSide:
    paper = side.paper
    return StoredSide(
        paper.id,
        paper.title or paper.name,
        "contradicts" if side.way is Way.CONTRADICTS else "agrees",
        side.sure,
        side.strongest,
        side.sentence,
        side.passage.section,
        side.passage.page,
        paper.year,
        side.told.value if side.told else None,
        side.reason,
        side.differences,
    )


def hold_paper(
    store: Store,
    project: str,
    paper: Paper,
    *,
    engine: ContradictionEngine,
    finder: ClaimEngine,
    library: Library,
    who: str,
    progress: Progress = silent,
) -> int:
    """Find a paper's claims where it has none, and hold those that this engine has not held. Returns how many it held.

    Each is saved as soon as it is there, so that what was stopped goes on where it was.
    """
    with store.reading() as reading:
        claims = [saved.record for saved in reading.claims(project, paper.id)]
    if not claims:
        progress(0.0, "Looking for claims")
        found = finder.claims(paper, progress=lambda done, step: progress(done * _FINDING, step))
        claims = [stored_claim(project, paper.id, one, made=found.engine) for one in found.claims]
        with store.writing(who) as change:
            for one in claims:
                change.put(one)
    waiting = [one for one in claims if one.contest is None or one.contest.engine != engine.name]
    without = copies_of(paper, library.papers()) if waiting else frozenset[str]()
    for number, one in enumerate(waiting):
        progress(_FINDING + (1 - _FINDING) * number / len(waiting), f"Claim {number + 1} of {len(waiting)}")
        contested = engine.hold(statement_of(claim_of(one), paper, without), library)
        with store.writing(who) as change:
            change.put(replace(one, contest=stored_contest(contested, datetime.now(UTC))))
    progress(1.0, "Done")
    return len(waiting)


# ---- matrix ----


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A claim of one paper, and another paper that contradicts it."""

    claim: StoredClaim
    side: StoredSide


def contradictions_among(claims: Iterable[StoredClaim], threshold: int) -> list[Contradiction]:
    """Who contradicts whom: of claims from this place on, every paper against them; the most contested first."""
    contested = [one for one in claims if one.contest is not None and one.contest.place >= threshold]
    contested.sort(key=lambda one: -(one.contest.place if one.contest else 0))
    return [
        Contradiction(one, side)
        for one in contested
        for side in (one.contest.sides if one.contest else ())
        if side.way == "contradicts"
    ]


def matrix(found: Sequence[Contradiction]) -> dict[tuple[str, str], list[Contradiction]]:
    """By the paper with the claim and the paper against it."""
    cells: dict[tuple[str, str], list[Contradiction]] = {}
    for one in found:
        cells.setdefault((one.claim.paper, one.side.paper), []).append(one)
    return cells
