"""What a review of many papers adds to the small review of the tests."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from core.evidence.model import EvidenceSentence, Stance
from core.findings.model import Effect, Finding, Passage
from core.grounding.model import PaperVerdict
from core.references.model import Reference
from core.screening.model import Criterion, CriterionKind, CriterionSuggestion, Fit, ScreeningVerdict
from core.store import (
    Pairing,
    Plan,
    QueueRun,
    ReviewerVerdict,
    ScreeningConsensus,
    ScreeningDecision,
    Store,
    StoredCriterion,
    StoredFinding,
    StoredReference,
    VerdictConsensus,
)
from tests.core.answering.made import written
from tests.core.store.review import FIRST, PROJECT, begin, consensus, decisions, judgement, save, suggestion

ADULTS = Criterion(CriterionKind.POPULATION, "Adults with insomnia")
ENTRY = Reference("Walking at night", ("Rossi, A.",), 2020, doi="10.1000/x", fields={"TY": ("JOUR",)})
REFERENCE = StoredReference("walking", "ref-1", "library.ris", 1, ENTRY)


def screening(reviewer: str, verdict: ScreeningVerdict | None, item: str = FIRST.id, **rest: Any) -> ScreeningDecision:
    """What a reviewer decides on the first paper."""
    made = ScreeningDecision(
        "walking", item, reviewer, verdict, fits={ADULTS.id: Fit.MET}, suggestions_seen=("offline",)
    )
    return replace(made, **rest)


def settled(verdict: ScreeningVerdict = ScreeningVerdict.INCLUDE) -> ScreeningConsensus:
    """What Ann and Ben settled on for the first paper."""
    return ScreeningConsensus("walking", FIRST.id, verdict, "", "The supplement tells their age.", ("Ann", "Ben"))


def criterion_suggestion() -> StoredCriterion:
    """What an engine makes of the criterion on the first paper."""
    sentences = (EvidenceSentence(4, 0.5),)
    return StoredCriterion(
        "walking", FIRST.id, CriterionSuggestion("offline", ADULTS.id, Fit.MET, "It says so.", sentences)
    )


def finding(hypothesis: str = "Walking helps") -> StoredFinding:
    """What an engine finds in the first paper."""
    effect = Effect("HR", 0.75, 0.6, 0.94, 95, "p = 0.01", "HR 0.75 (95% CI 0.60 to 0.94)", 7)
    passage = Passage(7, "Sleep was better, HR 0.75 (95% CI 0.60 to 0.94).", 3, "Results")
    chosen = (EvidenceSentence(7, 0.9, Stance.SUPPORTS),)
    made = Finding("offline", hypothesis, PaperVerdict.SUPPORTS, "One says so.", passage, None, effect, chosen)
    return StoredFinding("walking", FIRST.id, made)


def verdict(
    reviewer: str, said: PaperVerdict | None = PaperVerdict.SUPPORTS, hypothesis: str = "Walking helps", **rest: Any
) -> ReviewerVerdict:
    """What a reviewer makes of the first paper."""
    passage = Passage(7, "Sleep was better, HR 0.75 (95% CI 0.60 to 0.94).", 3, "Results")
    made = ReviewerVerdict(
        "walking", FIRST.id, hypothesis, reviewer, said, passage, "HR 0.75", "Plain enough.", ("offline",)
    )
    return replace(made, **rest)


def settled_verdict(said: PaperVerdict = PaperVerdict.MIXED) -> VerdictConsensus:
    """What Ann and Ben settled on for the first paper."""
    return VerdictConsensus("walking", FIRST.id, "Walking helps", said, "Two scales disagree.", ("Ann", "Ben"))


def pairing() -> Pairing:
    """The first paper and the reference are the same."""
    return Pairing("walking", FIRST.id, REFERENCE.id, same=True)


def sitting() -> QueueRun:
    """The queue worked for a minute."""
    moment = datetime(2026, 11, 20, 12, tzinfo=UTC)
    return QueueRun(
        "walking", "s1", moment, moment.replace(minute=1), Plan(), "2 processes", 2, 0, 0.0, (("vouch", "1"),)
    )


def one_of_everything(store: Store) -> None:
    """Put a review into an empty store that has something of every kind, a file that waits and a failure among it."""
    begin(store)
    save(store, judgement("Ann"), suggestion(), consensus(), decisions(), REFERENCE, pairing(), sitting())
    save(store, screening("Ann", ScreeningVerdict.INCLUDE), screening("Ben", ScreeningVerdict.EXCLUDE), settled())
    save(store, verdict("Ann"), verdict("Ben", PaperVerdict.REFUTES), settled_verdict())
    with store.writing("Vouch") as change:
        change.put(criterion_suggestion())
        change.put(finding())
        change.answers.keep(PROJECT.id, written())
        change.queue.add_file(PROJECT.id, "late.md", b"# Late\n\nIt waits.\n")
        change.queue.note_failure(PROJECT.id, FIRST.id, "read", "There was no network.")
