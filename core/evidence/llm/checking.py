"""Is what a model chose really there? Every number and every quotation is held against the sentences it was shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from core.evidence.llm.answers import Pick

_SHOWN = 80  # characters of a quotation that are shown in a message

P = TypeVar("P", bound=Pick)


@dataclass(frozen=True, slots=True)
class Checked(Generic[P]):
    """The picks that are right, best first and at most k, and what was wrong with the others."""

    right: tuple[P, ...]
    faults: tuple[str, ...]  # one sentence each, for the model and for the reviewer; no word of paper or model
    not_in_paper: tuple[str, ...]  # the numbers and quotations that no sentence answers to


def check(picks: Sequence[P], shown: Mapping[int, str], k: int, *, quoted: bool) -> Checked[P]:
    """Hold picks against the sentences that were shown, by their numbers.

    A quotation agrees if its letters and digits stand in the sentence; typography and case may differ. `quoted`: there
    must be one, as there is no place for it in the plain form.
    """
    right: dict[int, P] = {}
    faults: list[str] = []
    not_in_paper: list[str] = []
    for pick in picks:
        sentence = shown.get(pick.number)
        if sentence is None:
            faults.append(f"{pick.number} is not the number of a sentence that was shown.")
            not_in_paper.append(f"[{pick.number}] {pick.quote[:_SHOWN]}".strip())
        elif not stands_in(pick.quote, sentence):
            faults.append(f"The words copied for {pick.number} do not stand in that sentence.")
            if not any(stands_in(pick.quote, other) for other in shown.values()):
                not_in_paper.append(pick.quote[:_SHOWN])
        elif quoted and not letters(pick.quote) and letters(sentence):
            faults.append(f"No words were copied for {pick.number}.")
        elif pick.number in right:
            faults.append(f"{pick.number} was chosen twice.")
        else:
            right[pick.number] = pick
    if len(right) > k:
        faults.append(f"{len(right)} sentences were chosen, and at most {k} are allowed.")
    return Checked(tuple(right.values())[:k], tuple(faults), tuple(not_in_paper))


def stands_in(quotation: str, sentence: str) -> bool:
    """Whether a quotation agrees with a sentence, or with a part of it."""
    return letters(quotation) in letters(sentence)


def letters(text: str) -> str:
    """What of a text is compared: its letters and digits, whatever the case."""
    return "".join(filter(str.isalnum, text.casefold()))
