"""Whether a paper names what a claim is about: a result on another drug neither agrees with a claim nor contradicts it.

“Adverse events were similar” reads alike in every trial, and the reader, asked about one drug, takes it for a result on
that drug. So a paper must also name what was given, by a word of its own.
"""

from __future__ import annotations

import re

from core.claims.statements import Comparison
from core.evidence.sentence_roles import load_roles
from core.text.words import as_written, word_starts

_WHOM = re.compile(r"\b(?:in|among)\b", re.IGNORECASE)  # behind it stands who was treated, which is no name of an arm


def names(claim: Comparison | None, text: str) -> bool:
    """Whether a text has one of the claim's `own_words`; also where the claim has none, for then nothing can be asked."""
    wanted = own_words(claim) if claim is not None else frozenset()
    return not wanted or not wanted.isdisjoint(word_starts(text))


def own_words(claim: Comparison) -> frozenset[str]:
    """The starts of words by which its intervention is known, or its comparator where every trial might call it so."""
    return _own_words(claim.intervention) or _own_words(claim.comparator)


def _own_words(arm: str) -> frozenset[str]:
    """Those that trials of other subjects do not use: “memantine”, and not “placebo”, “dose”, “added” or “usual care”."""
    everywhere = load_roles().vocabulary.place  # of words that stand in several trials, whatever they are about
    known = as_written(_WHOM.split(arm)[0])
    return word_starts(
        " ".join(
            word
            for word, written in known.items()
            if word[0].isalpha() and word not in everywhere and written.lower() not in everywhere
        )
    )
