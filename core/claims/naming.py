"""Check whether a paper names the drug of a claim: a result on another drug neither agrees with it nor contradicts it.

“Adverse events were similar” could come from any trial, so the reader takes it for a result on whichever drug it is
asked about. Therefore a paper must also contain a distinctive word for the intervention.
"""

from __future__ import annotations

import re

from core.claims.statements import Comparison
from core.evidence.sentence_roles import load_roles
from core.text.words import as_written, word_starts

_WHOM = re.compile(r"\b(?:in|among)\b", re.IGNORECASE)  # the words after it name the participants, not the arm


def names(claim: Comparison | None, text: str) -> bool:
    """Whether a text has one of the claim's `own_words`.

    True if the claim has none, because there is nothing to check.
    """
    wanted = own_words(claim) if claim is not None else frozenset()
    return not wanted or not wanted.isdisjoint(word_starts(text))


def own_words(claim: Comparison) -> frozenset[str]:
    """The starts of distinctive words of the intervention, or of the comparator if the intervention has none."""
    return _own_words(claim.intervention) or _own_words(claim.comparator)


def _own_words(arm: str) -> frozenset[str]:
    """The words that trials of other subjects do not use: “memantine”, but not “placebo”, “dose” or “usual care”."""
    everywhere = load_roles().vocabulary.place  # words that occur in several trials, whatever their subject
    known = as_written(_WHOM.split(arm)[0])
    return word_starts(
        " ".join(
            word
            for word, written in known.items()
            if word[0].isalpha() and word not in everywhere and written.lower() not in everywhere
        )
    )
