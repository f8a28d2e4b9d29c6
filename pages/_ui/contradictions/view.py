"""What the page shows of a project: the chosen paper, its claims, and the reviewers' decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.export.claims import ContestedPaper
from core.paper import Paper
from core.store import ContradictionDecision, Project, Saved, StoredClaim, StoredPaper, StoredSide

_OPEN = 5  # the value of `core.claims.Place.LACK_OF_EVIDENCE`


@dataclass(frozen=True, slots=True)
class ContestedView:
    """A project as one run of the page shows it."""

    project: Project
    reviewer: str
    papers: Mapping[str, StoredPaper]  # by id
    chosen: str  # the paper's id
    paper: Paper | None  # None: its text is not stored
    claims: tuple[Saved[StoredClaim], ...]  # of all papers
    decisions: tuple[Saved[ContradictionDecision], ...]
    dropped: tuple[Saved[StoredClaim], ...] = ()  # of all papers

    @property
    def own_claims(self) -> tuple[Saved[StoredClaim], ...]:
        """The claims of the chosen paper, in its order."""
        own = [saved for saved in self.claims if saved.record.paper == self.chosen]
        return tuple(sorted(own, key=lambda saved: saved.record.sentence))

    def decided(self, claim: StoredClaim, side: StoredSide) -> list[Saved[ContradictionDecision]]:
        """The reviewers' decisions on a claim and another paper."""
        place = (claim.paper, claim.claim, side.paper)
        return [
            saved for saved in self.decisions if (saved.record.paper, saved.record.claim, saved.record.other) == place
        ]

    def contested(self, paper: str, threshold: int) -> ContestedPaper:
        """A paper as its files contain it."""
        record = self.papers[paper]
        return ContestedPaper(
            paper,
            record.title or record.name,
            tuple(saved.record for saved in self.claims if saved.record.paper == paper),
            tuple(saved.record for saved in self.decisions if saved.record.paper == paper),
            threshold,
            {id: one.title or one.name for id, one in self.papers.items()},
            tuple(saved.record for saved in self.dropped if saved.record.paper == paper),
        )


def sign_of(claim: StoredClaim, threshold: int) -> str:
    """An icon with the claim's place. Shape and number tell it too, not only the colour."""
    if claim.contest is None:
        return ":material/radio_button_unchecked:"
    place = claim.contest.place
    if place >= threshold:
        return f":red[:material/warning: {place}]"
    if place > _OPEN:
        return f":orange[:material/call_split: {place}]"
    return f":gray[:material/help: {place}]" if place == _OPEN else f":green[:material/check: {place}]"
