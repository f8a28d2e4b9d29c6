"""Claims of a review's papers in the store: finding them, comparing them with the library, and who contradicts whom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256

from core.answering.beyond import Beyond
from core.claims.checking import compare_claim, copies_of, statement_of, within
from core.claims.contradictions_llm import estimate_comparison
from core.claims.model import (
    MOST_WORDS,
    Claim,
    ClaimEngine,
    ClaimVerdict,
    Contested,
    ContradictionEngine,
    Side,
    Way,
    why_not_compared,
)
from core.claims.offline import MOST
from core.claims.scale import SCALE
from core.engines import asks_model
from core.library.index import Library
from core.llm import CostEstimate, ModelName
from core.paper import Paper
from core.progress import Progress, silent
from core.store import Store, StoredClaim, StoredContest, StoredSide, StoreWriter

_LEAST_SURE = 0.5  # a contradicting side below this probability is left out of the table of papers
_FINDING = 0.1  # finding the claims takes this share of the progress


def stored_claim(project: str, paper: str, claim: Claim, *, made: str) -> StoredClaim:
    """A claim as the store keeps it. The same claim of the same sentence gets the same id."""
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
    """The claim that the store has kept."""
    verdict = ClaimVerdict(stored.verdict) if stored.verdict else None
    return Claim(stored.text, stored.sentence, stored.score, stored.also, verdict, stored.terms)


def stored_contest(contested: Contested, at: datetime) -> StoredContest:
    """An engine's result for a claim, as the store keeps it."""
    return StoredContest(
        contested.engine,
        int(contested.place),
        contested.reason,
        contested.searched,
        tuple(map(_side, contested.sides)),
        at,
        contested.cost_usd,
        outside=contested.outside,
        notes=contested.notes,
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
    beyond: Beyond | None = None,
    progress: Progress = silent,
) -> int:
    """Find a paper's claims, if none were ever found, and compare those that were not compared yet. Returns how many.

    A claim is compared again if the engine, the papers to search or the scale changed, if a model left a question about
    it unanswered, or if services may be asked (`beyond`). Each is saved as soon as it is done, so that a stopped run
    can be resumed. A claim that was dropped stays dropped.
    """
    with store.reading() as reading:
        saved = reading.claims_and_dropped(project, paper.id)
    claims = [one.record for one in saved if not one.removed]
    if not saved:
        progress(0.0, "Looking for claims")
        found = finder.claims(paper, progress=lambda done, step: progress(done * _FINDING, step))
        claims = [stored_claim(project, paper.id, one, made=found.engine) for one in found.claims]
        with store.writing(who) as change:
            there = {one.record.claim for one in change.claims_and_dropped(project, paper.id)}
            for one in claims:
                if one.claim not in there:
                    change.save(one)
    waiting = waiting_claims(claims, paper, engine.name, library, again=beyond is not None)
    for number, one in enumerate(waiting):
        step = within(progress, number, len(waiting), f"Claim {number + 1} of {len(waiting)}", begins=_FINDING)
        contested = compare_claim(claim_of(one), paper, engine, library, beyond=beyond, progress=step)
        whole = contested.run is None or not contested.run.failed
        held_in = _held_in(engine.name, paper, library) if whole else ""  # services may have added papers
        contest = replace(stored_contest(contested, datetime.now(UTC)), held_in=held_in)
        with store.writing(who) as change:
            _set_contest(change, one, contest)
    progress(1.0, "Done")
    return len(waiting)


def waiting_claims(
    claims: Iterable[StoredClaim], paper: Paper, engine: str, library: Library, *, again: bool = False
) -> list[StoredClaim]:
    """The claims that an engine has not compared with these papers yet, or all (`again`), without those it cannot."""
    held_in = _held_in(engine, paper, library)
    return [one for one in claims if (again or not _is_held(one, engine, held_in)) and not why_not_compared(one.text)]


def estimate_holding(model: ModelName, claims: Sequence[StoredClaim], paper: Paper, library: Library) -> CostEstimate:
    """What a model will use to compare a paper's waiting claims with the library. Nothing is sent.

    If no claims were found yet, the estimate assumes the largest number that can be found, each as long as the title.
    """
    without = copies_of(paper, library.papers())
    waiting = [claim_of(one) for one in waiting_claims(claims, paper, str(model), library)]
    if not claims:
        waiting = [Claim(" ".join((paper.title or paper.name).split()[:MOST_WORDS]), paper.pool[0].index, 0.0)] * MOST
    return estimate_comparison(model, [statement_of(one, paper, without) for one in waiting], library)


def _is_held(claim: StoredClaim, engine: str, held_in: str) -> bool:
    return claim.contest is not None and (claim.contest.engine, claim.contest.held_in) == (engine, held_in)


def _held_in(engine: str, paper: Paper, library: Library) -> str:
    """A digest of the papers to search for a paper's claims, and of the scale if the engine places claims by it."""
    papers = library.papers()
    searched = {one.id for one in papers} - copies_of(paper, papers)
    scale = "" if asks_model(engine) else SCALE.read_text(encoding="utf-8")
    return sha256(" ".join((*sorted(searched), scale)).encode()).hexdigest()[:16]


def _set_contest(change: StoreWriter, held: StoredClaim, contest: StoredContest) -> None:
    """Save the result with the claim as it is now, so that reviewers' changes stay. A dropped claim is skipped."""
    now = next((one for one in change.claims(held.project, held.paper) if one.record.claim == held.claim), None)
    if now is not None:
        change.save(replace(now.record, contest=contest), seen=now.version)


# ---- matrix ----


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A claim of one paper, and another paper that contradicts it."""

    claim: StoredClaim
    side: StoredSide


def contradictions_among(claims: Iterable[StoredClaim], threshold: int) -> list[Contradiction]:
    """Who contradicts whom: for claims at or above the threshold, every paper that contradicts them surely enough.

    The most contested come first. A side without a probability counts.
    """
    contested = [one for one in claims if one.contest is not None and one.contest.place >= threshold]
    contested.sort(key=lambda one: -(one.contest.place if one.contest else 0))
    return [
        Contradiction(one, side)
        for one in contested
        for side in (one.contest.sides if one.contest else ())
        if side.way == "contradicts" and (side.sure is None or side.sure >= _LEAST_SURE)
    ]


def matrix(found: Sequence[Contradiction]) -> dict[tuple[str, str], list[Contradiction]]:
    """The contradictions by the paper with the claim and the paper against it."""
    cells: dict[tuple[str, str], list[Contradiction]] = {}
    for one in found:
        cells.setdefault((one.claim.paper, one.side.paper), []).append(one)
    return cells
