"""Screening on the desk: data for the scripts, and validation of the browser's messages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, NonNegativeInt, StringConstraints, ValidationError

from core.screening.model import Criterion, CriterionSuggestion, Fit, ScreeningVerdict
from core.store import ItemView, ReviewItem, ScreeningDecision

MOST_NOTE = 4000  # letters, as in desk.html
MOST_REASON = 200
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Words = Annotated[str, StringConstraints(max_length=MOST_NOTE)]
Reason = Annotated[str, StringConstraints(max_length=MOST_REASON, strip_whitespace=True)]


@dataclass(frozen=True, slots=True)
class ScreeningProgress:
    """A reviewer's progress through all items."""

    decided: int
    total: int
    conflicts: int


def letter_of(place: int) -> str:
    """The letter of a criterion by its place, from 0: A to Z, then AA."""
    return _LETTERS[place] if place < len(_LETTERS) else _LETTERS[place // 26 - 1] + _LETTERS[place % 26]


def item_payload(item: ReviewItem) -> dict[str, object]:
    """The item on the desk."""
    return {"id": item.id, "isPaper": item.is_paper, "title": item.title, "citation": item.citation}


def criteria_payload(
    criteria: Sequence[Criterion], suggestions: Mapping[str, CriterionSuggestion], *, sentences: int
) -> list[dict[str, object]]:
    """Every criterion with its letter and, by `Criterion.id`, an engine's suggestion on it.

    `sentences` is the number of sentences on the desk. Higher ones come from another reading and are left out.
    """
    return [
        {
            "id": criterion.id,
            "letter": letter_of(place),
            "kind": criterion.kind,
            "text": criterion.text,
            "suggestion": _suggestion(suggestions.get(criterion.id), sentences),
        }
        for place, criterion in enumerate(criteria)
    ]


def _suggestion(suggestion: CriterionSuggestion | None, sentences: int) -> dict[str, object] | None:
    if suggestion is None:
        return None
    return {
        "engine": suggestion.engine,
        "fit": suggestion.fit,
        "reason": suggestion.reason,
        "sentences": [one.index for one in suggestion.sentences if one.index < sentences],
    }


def own_payload(own: ScreeningDecision | None, version: int) -> dict[str, object]:
    """The reviewer's decision, in the form in which the browser sends it back."""
    return {
        "verdict": own.verdict if own else None,
        "reason": own.reason if own else "",
        "note": own.note if own else "",
        "fits": own.fits if own else {},
        "seen": own.suggestions_seen if own else (),
        "version": version,
        "acted": False,
    }


def others_payload(view: ItemView, reviewers: Sequence[str], reader: str) -> dict[str, object]:
    """The other reviewers' decisions, as far as the reader may see them, and what was settled."""
    settled = view.consensus
    waiting = [name for name in view.by if view.hidden and name != reader and name in reviewers]
    return {
        "others": [_said(one) for one in view.others if one.verdict is not None],
        "hidden": waiting,  # who has decided, but is not shown yet
        "settled": settled
        and {
            "verdict": settled.verdict,
            "reason": settled.reason,
            "why": settled.why,
            "by": settled.by,
            "who": view.settled_by,
        },
    }


def sides_payload(view: ItemView, reviewers: Sequence[str]) -> dict[str, object]:
    """The reviewers' decisions side by side, in the project's order."""
    given = {one.reviewer: one for one in (view.own, *view.others) if one is not None}
    return {
        "sides": [_said(given[name]) for name in reviewers if name in given],
        "differ": view.differ,
        "settledVersion": view.consensus_version,
    }


def _said(one: ScreeningDecision) -> dict[str, object]:
    return {
        "reviewer": one.reviewer,
        "verdict": one.verdict,
        "reason": one.reason,
        "note": one.note,
        "fits": one.fits,
    }


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SentDecision(_Message):
    """A reviewer's decision on the item, as set in the browser."""

    verdict: ScreeningVerdict | None
    reason: Reason
    note: Words
    fits: dict[str, Fit]
    seen: tuple[str, ...]  # the engines whose suggestions were visible
    version: NonNegativeInt  # of the stored decision that was changed; 0: none
    acted: bool  # whether a verdict was given just now, so that the next item is wanted


class SentScreeningConsensus(_Message):
    """The decision that the reviewers settled on."""

    question: str
    number: NonNegativeInt
    verdict: ScreeningVerdict
    reason: Reason
    why: Words
    version: NonNegativeInt  # of the consensus that was shown; 0: none


class Command(_Message):
    """What the reviewer asked for: another item, another order, or hiding something."""

    number: NonNegativeInt
    do: Literal["next", "previous", "undo", "order", "hide", "conflicts", "suggest"]
    on: bool = False  # the new state, for switches


def decision_from(value: object, criteria: Collection[str]) -> SentDecision | None:
    """Validate the browser's decision. Returns None if it is invalid. Answers on removed criteria are left out."""
    try:
        sent = SentDecision.model_validate(value)
    except ValidationError:
        return None
    return sent.model_copy(update={"fits": {id: fit for id, fit in sent.fits.items() if id in criteria}})


def screening_consensus_from(value: object) -> SentScreeningConsensus | None:
    """Validate the browser's consensus. Returns None if it is invalid."""
    try:
        return SentScreeningConsensus.model_validate(value)
    except ValidationError:
        return None


def command_from(value: object) -> Command | None:
    """Validate the browser's command. Returns None if it is invalid."""
    try:
        return Command.model_validate(value)
    except ValidationError:
        return None
