"""Is what a model chose really there? Every number and every quotation is held against the sentences it was shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from core.evidence.llm.answers import Pick

_SHOWN = 80  # characters of a quotation that are shown in a message

P = TypeVar("P", bound=Pick)


@dataclass(frozen=True, slots=True)
class Checked(Generic[P]):
    """The picks that are right, best first and at most k, and what was wrong with the others."""

    right: tuple[P, ...]
    faults: tuple[str, ...]  # one sentence each, for the model and for the reviewer; no word of paper or model
    not_in_paper: tuple[str, ...]  # the numbers and quotations that no sentence answers to


class Reasoned(Protocol):
    """An answer that gives its reason."""

    @property
    def reason(self) -> str: ...


S = TypeVar("S", bound=Reasoned)


@dataclass(frozen=True, slots=True)
class HeldPicks(Generic[S, P]):
    """An answer that names sentences, as the model gave it, and what of it is right (`core.evidence.llm.asking.Held`)."""

    said: S
    checked: Checked[P]

    @property
    def reasoning(self) -> str:
        return self.said.reason

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(pick.number for pick in self.checked.right)

    @property
    def faults(self) -> tuple[str, ...]:
        return self.checked.faults

    @property
    def not_in_paper(self) -> tuple[str, ...]:
        return self.checked.not_in_paper


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
