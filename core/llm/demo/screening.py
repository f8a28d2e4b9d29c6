"""The demo server on a review's criteria: by words that sentences share with a criterion, no more."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from core.llm.demo.choosing import choose, misled, words_of
from core.llm.demo.faults import Fault
from core.llm.demo.question import Asked, documents_in, question_in, task_in

_FITS = re.compile(r"chosen for the criterion: ([a-z, ]+)\.")
_ENOUGH = 0.6  # share of the criterion's words that the best sentences must have


def answer_on_criterion(asked: Asked, fault: Fault | None, *, schema: bool) -> str | None:
    """The text of the answer to a question about a criterion; None if it is about something else."""
    documents = documents_in(asked)
    if not (fits := _FITS.search(task_in(asked))) or len(documents) < 2:
        return None
    met, _, unclear = fits[1].split(", ")
    question = replace(question_in(asked), hypothesis=documents[1])
    chosen = misled(choose(question), question, fault)
    wanted = words_of(documents[1])
    shared = wanted & {word for one in chosen for word in words_of(one.sentence.text)}
    fit = met if wanted and len(shared) >= _ENOUGH * len(wanted) else unclear
    fit = "perhaps" if fault is Fault.ODD else fit
    reason = f"The sentences share {len(shared)} of {len(wanted)} words with the criterion."
    picks = [
        {"number": one.sentence.index, "quote": " ".join(one.sentence.text.split()[:8]), "why": one.reason}
        for one in chosen
    ]
    if schema:
        return json.dumps({"reason": reason, "sentences": picks, "fit": fit}, ensure_ascii=False)
    numbers = [one.sentence.index for one in chosen]
    return f"REASON: {reason}\nSENTENCES: {numbers}\nDECISION: {fit}" if question.plain else reason
