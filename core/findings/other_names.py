"""What else a paper calls that which a hypothesis names: abbreviations, and drugs by their class or the reverse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from core.findings.claim import Claim, Name
from core.findings.drug_classes import names_shared, names_used
from core.paper import Paper, Sentence
from core.summary.abbreviations import abbreviations
from core.summary.words import topic


def in_words_of(paper: Paper, claim: Claim, chosen: Sequence[Sentence]) -> Claim:
    """The claim, knowing what else the paper calls what it speaks of."""
    told = " ".join(sentence.text for sentence in chosen)
    studied, beside = names_used(claim.studied, told), names_used(claim.beside, told)
    both = studied & beside  # two drugs of one class: its name is neither's
    return replace(
        claim,
        intervention=claim.intervention | _stems(studied - both) - claim.comparator,
        comparator=claim.comparator | _stems(beside - both) - claim.intervention,
        names=(
            *_abbreviated(paper, claim),
            *(Name(topic(name), topic(said) & claim.outcome) for said, name in names_shared(claim.about, told)),
        ),
    )


def _stems(names: frozenset[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(topic, names))


def _abbreviated(paper: Paper, claim: Claim) -> Iterator[Name]:
    for short, long in _abbreviations(paper).items():
        one, other = topic(short), topic(long)
        if one and other and not one & other:
            if other <= claim.outcome:
                yield Name(one, other)
            if one <= claim.outcome:
                yield Name(other, one)


@lru_cache(maxsize=4)  # hypotheses of one paper come one after another
def _abbreviations(paper: Paper) -> dict[str, str]:
    return abbreviations(sentence.text for sentence in paper.pool)
