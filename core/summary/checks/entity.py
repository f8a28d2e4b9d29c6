"""Names and things that the paper never mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from core.summary.checks.model import Claim, Finding
from core.summary.lexicon.general import GENERAL
from core.summary.model import Check, Flag, Label, Span
from core.summary.numbers import numbers_in
from core.summary.readability import familiar_words
from core.summary.words import Word, stem, topic, words_of

_GENERAL = frozenset(stem(word) for word in GENERAL)
# Endings that drugs, diseases, substances and organisms have.
_TERM = re.compile(
    r"(?:mab|nib|statin|pril|sartan|olol|azole|cillin|mycin|oxacin|cycline|vir|parin|gliptin|gliflozin|tide|caine|pine|pam|lam|"
    r"done|zine|amine|idone|setron|prazole|sone|lone|ine|ide|ate|ol|itis|osis|oma|emia|aemia|pathy|algia|uria|ectomy|plasty|"
    r"scopy|gram|graphy|therapy|virus|coccus|ase|gen|rrhoea|rrhea|trophy|plegia|penia)$"
)


def check_entities(claim: Claim) -> Iterator[Finding]:
    """One finding for each word of the sentence that names something the source never does."""
    folded = topic(claim.text)
    for word in unseen_words(claim):
        if stem(word.text) not in folded and not any(map(str.isdigit, word.text)):
            continue  # a plain word for something that the source calls by its term
        written = claim.text[word.start : word.end]
        name = is_name(claim.text, word)
        term = bool(len(word.text) > 5 and _TERM.search(word.text))
        measure = "name" if name or term else "word"
        flag = Flag(
            Check.ENTITY,
            f"The paper never names “{written}”.",
            Label.NOT_IN_PAPER,
            Span(word.start, word.end),
        )
        yield Finding(measure, 1.0, flag)


def unseen_words(claim: Claim) -> list[Word]:
    """The words with a topic of their own that stand nowhere in the source, in any form."""
    numbers = numbers_in(claim.text)
    return [
        word
        for word in words_of(claim.text)
        if len(word.text) > 2
        and not word.text[0].isdigit()
        and stem(word.text) in _topic_stems(claim.text)
        and stem(word.text) not in _GENERAL
        and not (is_familiar(word.text) and not is_name(claim.text, word))
        and not claim.source.is_common(word.text)
        and not any(number.start <= word.start < number.end for number in numbers)
        and not _is_seen(word.text, claim)
    ]


def is_familiar(word: str) -> bool:
    """Whether a child of ten knows it, in any form: such a word rewords, it names nothing of medicine (Dale and Chall)."""
    return word in familiar_words() or stem(word) in _familiar_stems()


@cache
def _familiar_stems() -> frozenset[str]:
    return frozenset(map(stem, familiar_words()))


@lru_cache(maxsize=8192)
def _topic_stems(sentence: str) -> frozenset[str]:
    return frozenset(stem(word.text) for word in words_of(sentence) if topic(word.text))


def _is_seen(word: str, claim: Claim) -> bool:
    source = claim.source
    if word in source.words or stem(word) in source.stems or topic(word) & source.topics:
        return True
    parts = [part for part in re.split(r"[-‐]", word) if len(part) > 2]
    return len(parts) > 1 and all(_is_seen(part, claim) or stem(part) in _GENERAL for part in parts)


def is_name(sentence: str, word: Word) -> bool:
    """Whether a word is written as names are: a capital in the middle of a sentence, all capitals, or with digits."""
    written = sentence[word.start : word.end]
    return (
        (word.start > 0 and written[0].isupper())
        or sum(map(str.isupper, written)) > 1
        or (any(map(str.isdigit, written)) and any(map(str.isalpha, written)))
    )
