"""A model's draft and its repairs as exchanges: what was asked, and what of the answer is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from core.evidence.llm.asking import Exchange, Outcome, Price, ask
from core.llm import Reply, Request
from core.summary.llm.drafts import Draft, Drafting, Mending


@dataclass(frozen=True, slots=True)
class HeldText:
    """A whole summary, or the sentences that were asked for by number. It names no sentence of the paper."""

    text: str = ""
    sentences: Mapping[int, str] | None = None  # empty text: left out
    faults: tuple[str, ...] = ()
    reasoning: str = ""
    numbers: tuple[int, ...] = ()
    not_in_paper: tuple[str, ...] = ()


def draft(drafting: Drafting, price: Price) -> Exchange[Outcome[HeldText]]:
    """Ask for a summary."""
    request = drafting.draft()

    def held(reply: Reply) -> HeldText | None:
        return HeldText(reply.data.summary) if isinstance(reply.data, Draft) else None

    return ask(request, held, lambda _: request, price)  # an empty draft is no answer, so that none has faults


def mend(
    drafting: Drafting, sentences: Mapping[int, str], faulty: Mapping[int, str], price: Price
) -> Exchange[Outcome[HeldText]]:
    """Ask for the faulty ones among a summary's sentences anew, and once more if the answer has faults."""

    def once_more(answer: HeldText) -> Request:
        return drafting.mending(sentences, faulty, answer.faults)

    return ask(drafting.mending(sentences, faulty), partial(held_mending, faulty), once_more, price)


def held_mending(faulty: Mapping[int, str], reply: Reply) -> HeldText | None:
    """The sentences of an answer that were asked for, and what is wrong with the rest; None if it cannot be used."""
    if not isinstance(reply.data, Mending):
        return None
    mended: dict[int, str] = {}
    faults = []
    for sentence in reply.data.sentences:
        if sentence.number not in faulty:
            faults.append(f"{sentence.number} is not the number of a sentence that was to be written anew.")
        elif sentence.number in mended:
            faults.append(f"{sentence.number} was given twice.")
        else:
            mended[sentence.number] = " ".join(sentence.text.split())
    faults += [f"{number} was not given." for number in faulty if number not in mended]
    return HeldText(sentences=mended, faults=tuple(faults))
