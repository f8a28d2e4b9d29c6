"""What looks like the name of a person, as authors are printed."""

from __future__ import annotations

import re

_PARTICLES = frozenset(
    """
    a af al am av bin bint da dal dalla das de degli dei del dela della den der des di dit do dos du e el ibn la las le los
    op san ten ter 't van vande vanden vander vom von y zu zum zur
    """.split()
)
_LETTER = r"[^\W\d_]"
_WORD = re.compile(rf"(?:[dlo]['’])?{_LETTER}(?:{_LETTER}|[\u0300-\u036f]|['’ʼ`´.\-‐‑–])*")
_INITIALS = re.compile(rf"(?:{_LETTER}\.?[-‐‑]?){{1,3}}")
_ARTICLE = re.compile(r"(?:al-|el-|ul-|[dlo]['’])[^\W\d_]")
_FEWEST, _MOST = 2, 6
_AND = frozenset({"e", "y"})  # between two family names
_SUFFIX = re.compile(r"(?:Jr|Sr|II|III|IV|2nd|3rd)\.?", re.IGNORECASE)
_FOR_THE = re.compile(r"(?:(?:for|on behalf of)\s+)?the\s+", re.IGNORECASE)
# Words that no person's name has, and a group's has.
_GROUPS = frozenset(
    """
    association centre center collaboration collaborative collaborators committee consortium group initiative institute
    investigators network organisation organization program programme society study team trial trialists
    """.split()
)
# Words of affiliations, article types, headings and topics, which are capitalised like names.
_NOT_NAMES = frozenset(
    """
    abstract academic academy access acknowledgements acta affiliations and annals archives article articles association
    author authors background biomedical biology bulletin care center centers centre centres cancer cardiology clinic clinical clinics
    college committee conclusion conclusions consortium controlled copyright correspondence crossover department
    departments diabetes disease diseases division effect effects editor editors editorial efficacy endocrinology
    epidemiology evaluation evidence faculty findings for foundation from funding general global group groups health heart
    hospital hospitals in infirmary institute institutes international introduction investigation investigations investigators
    journal key keywords laboratory letter life licence license medical medicine metabolic methods ministry national neurology
    nursing obstetrics of oncology online open original outcomes paper papers patients pediatrics paediatrics pharmaceuticals
    pharmacology physiology prevention program programme psychiatry public published publishing psychology randomised
    randomized rehabilitation renal report reports research results review reviews risk safety school science sciences
    section service services short society special state studies study summary surgery syndrome system systematic team the
    therapeutics therapy to treatment trial trials trust type unit units universidad universitaire universitari universitat
    universite università université university update versus with women working
    """.split()
)


def is_name(text: str) -> bool:
    """Whether a text can be a person's name: given names or initials, and a family name, in two to six words.

    >>> [is_name(name) for name in ("Ada de la Cruz", "J. K. Ngũgĩ", "Open Access", "ada cruz")]
    [True, True, False, False]
    """
    words = text.split()
    if not _FEWEST <= len(words) <= _MOST:
        return False
    capitals = [word for word in words if word.casefold().strip(".") not in _PARTICLES or word[:1].isupper()]
    return (
        len(capitals) >= _FEWEST
        and words[-1] in capitals
        and all(map(_is_word, capitals))
        and any(len(word) > 1 and "." not in word and (text.isupper() or not _is_initials(word)) for word in capitals)
    )


def _is_word(word: str) -> bool:
    """Whether a word begins like part of a name: with a capital, or an article and a capital ("al-Rashid", "d’Arc")."""
    if not _WORD.fullmatch(word) or word.casefold().strip(".") in _NOT_NAMES:
        return False
    return not word[0].islower() or bool(_ARTICLE.match(word))


def _is_initials(word: str) -> bool:
    return word.isupper() and bool(_INITIALS.fullmatch(word))


def family_name(author: str) -> str:
    """The family name of an author in any of the usual forms, with its particles; a group's name as it is.

    Which of two unmarked words is the family name is told by their order alone, which is "Given Family" as papers print it.

    >>> [family_name(name) for name in ("Berg, Ada van der", "van der Berg AB", "Ada van der Berg", "NAP Study Group")]
    ['Berg', 'van der Berg', 'van der Berg', 'NAP Study Group']
    """
    before, comma, after = author.partition(",")
    if comma and not _SUFFIX.fullmatch(after.strip()):
        return " ".join(before.split())
    words = before.split()
    if any(word.casefold() in _GROUPS for word in words):
        return _FOR_THE.sub("", " ".join(words), count=1)
    while len(words) > 1 and _SUFFIX.fullmatch(words[-1]):
        del words[-1]
    if _ends_in_initials(words):  # "Family GM"
        while _ends_in_initials(words):
            del words[-1]
        return " ".join(words)
    first = max(len(words) - 1, 0)
    while first > 1 and _is_particle(words[first - 1]):
        first -= 2 if words[first - 1] in _AND and first > 2 else 1
    return " ".join(words[first:])


def _is_particle(word: str) -> bool:
    return word in _PARTICLES or (len(word) > 1 and word.istitle() and word.lower() in _PARTICLES)


def _ends_in_initials(words: list[str]) -> bool:
    """Whether the last of several words is initials: capitals, but not a name among others in nothing but capitals."""
    if len(words) < 2 or not _is_initials(words[-1]):
        return False
    return len(words[-1].strip(".")) == 1 or not " ".join(words[:-1]).isupper()
