"""What a section's title says about the section: its kind, and whether it belongs to the candidate pool."""

from __future__ import annotations

import re

from core.paper.model import SectionKind

# "2", "2.1.", "II.", "A)" before a title.
_NUMBERING = re.compile(r"^\s*(?:\d+(?:\.\d+)*\.?|[IVX]+\.|[A-Z][.)])\s+")
_NOT_WORDS = re.compile(r"[^a-z0-9&' -]+")

# Titles that name one of the main parts of a paper; each pattern must match the whole title.
_MAIN: tuple[tuple[SectionKind, re.Pattern[str]], ...] = (
    (SectionKind.ABSTRACT, re.compile(r"(structured )?(abstract|summary|synopsis)")),
    (
        SectionKind.INTRODUCTION,
        re.compile(r"introduction|background|(introduction|background) and .*|(study )?(aims?|objectives?|rationale)"),
    ),
    (
        SectionKind.METHODS,
        re.compile(
            r"(the )?(research |study |trial )?methods?|methodology|experimental( (section|procedures?|design))?"
            r"|(methods?|(study |trial )?design|subjects?|patients?|participants?|materials?|animals?|population|settings?)"
            r"((,| &| and| ,) ?(methods?|materials?|design|subjects?|patients?|participants?|settings?|procedures?|analysis|population))+"
            r"|(online |star )methods?|methods? summary"
        ),
    ),
    (SectionKind.RESULTS, re.compile(r"(main |study )?(results?|findings)( (and|&) (discussion|analysis|comments?))?")),
    (
        SectionKind.DISCUSSION,
        re.compile(
            r"(general )?(discussion|comments?|commentary|conclusions?|interpretation)"
            r"((,| and| &) (discussion|conclusions?|limitations|recommendations|implications|future .*|perspectives?))*"
            r"|concluding remarks"
        ),
    ),
)

# Words that settle the kind of a section whose title is not one of the above.
_HINTS: tuple[tuple[SectionKind, re.Pattern[str]], ...] = (
    (SectionKind.METHODS, re.compile(r"\b(methods?|methodology|statistical (analys[ie]s|methods)|procedures?)\b")),
    (SectionKind.RESULTS, re.compile(r"\b(results?|findings)\b")),
    (SectionKind.DISCUSSION, re.compile(r"\b(discussion|conclusions?|limitations)\b")),
    (SectionKind.INTRODUCTION, re.compile(r"\b(introduction|background|objectives?)\b")),
)

_LEFT_OUT = re.compile(
    r"references?( and notes| list)?|bibliography|literature( cited)?|works cited|notes and references|further reading"
    r"|acknowledge?ments?|funding|financial (support|disclosures?)|grant support|sources? of (funding|support)"
    r"|(funding|support)( sources?| statement| information| and .*)?|role of (the )?(funding|sponsor|funder).*"
    r"|(declarations? of |statements? of |potential |disclosures? of )?(potential )?(conflicts?|competing|duality)( of)?( financial)? "
    r"?interests?( statements?| disclosures?| declarations?)?"
    r"|declarations? of (interests?|funding|financial.*|helsinki|competing interests?)|declarations?|(author |financial )?disclosures?( statement)?"
    r"|(individual )?(authors?'?s?'?|authorship) ?'?(contributions?|roles?|information|details|affiliations?|notes|statement|disclosures?)"
    r"|contributors?( statement)?|contributions?( of authors| to authorship)?|credit authorship.*"
    r"|(list of )?abbreviations?( used| and .*)?|glossary|nomenclature"
    r"|(availability of (supporting )?data.*|data (availability|sharing|access|accessibility)( statement)?|code availability|reporting summary)"
    r"|(supplement(al|ary)?|supporting) (materials?|information|data|files?|appendi(x|ces)|tables?|figures?|digital content)( .*)?"
    r"|additional (files?|material|information|information and declarations)( \d+)?"
    r"|(multimedia|web|online|electronic) (appendi(x|ces)|supplements?|supplementary material)( \d+)?|web extra.*|extended data.*"
    r"|pre-?publication history|publisher'?s'? note|peer review.*|transparency.*|provenance.*|open access"
    r"|key ?words?|copyright.*|licen[cs]e|rights and permissions|cite this article|article information"
    r"|author(s'?|'s)? original submitted files for images"
)
# Declarations at the end of a paper; within the methods, these are part of how the study was done.
_LEFT_OUT_AT_END = re.compile(
    r"consent (for|to) publi(cation|sh)|notes|ethics approval( and consent to participate)?"
    r"|ethic(al|s)( approval)?( statement| standards| committee.*| considerations| declarations?)?"
    r"|compliance with ethical (standards|guidelines)|(human|animal)( and animal)? (rights|ethics)( .*)?"
)


def normalise_title(title: str) -> str:
    """A title without numbering, capitals and punctuation, for comparison only."""
    text = _NUMBERING.sub("", title).lower().replace("’", "'")
    return " ".join(_NOT_WORDS.sub(" ", text).split()).strip(" '-")


def main_kind(title: str) -> SectionKind | None:
    """The kind of a section whose title is one of the usual names of a paper's main parts."""
    name = normalise_title(title)
    return next((kind for kind, pattern in _MAIN if pattern.fullmatch(name)), None)


def kind_of_title(title: str) -> SectionKind:
    """The kind that a top-level title announces, by its usual name or else by a telling word in it."""
    exact = main_kind(title)
    if exact is not None:
        return exact
    name = normalise_title(title)
    return next((kind for kind, pattern in _HINTS if pattern.search(name)), SectionKind.OTHER)


def is_left_out(title: str, *, inside: bool = False) -> bool:
    """Whether a section stays out of the candidate pool: references, funding, contributions and the like.

    `inside` says that it stands inside another section, where a statement on ethics belongs to the methods.
    """
    name = normalise_title(title)
    return bool(_LEFT_OUT.fullmatch(name) or (not inside and _LEFT_OUT_AT_END.fullmatch(name)))
