"""What a section's title says about it: its kind, and whether it belongs to the candidate pool."""

from __future__ import annotations

import re

from core.paper.model import SectionKind


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


# "2", "2.1.", "II.", "A)" before a title.
_NUMBERING = re.compile(r"^\s*(?:\d+(?:\.\d+)*\.?|[IVX]+\.|[A-Z][.)])\s+")
_NOT_WORDS = re.compile(r"[^a-z0-9&,' -]+")

_OF_METHODS = (
    r"(methods?|materials?|((study|trial|research|experimental) )?design"
    r"|(study )?(subjects?|patients?|participants?|settings?|animals?|population))"
)
# The usual names of a paper's main parts; a pattern must match the whole title.
_MAIN: tuple[tuple[SectionKind, re.Pattern[str]], ...] = (
    (SectionKind.ABSTRACT, _any_of(r"(structured )?(abstract|summary|synopsis)")),
    (
        SectionKind.INTRODUCTION,
        _any_of(r"(introduction|background)( and .*)?", r"(study )?(aims?|objectives?|rationale)"),
    ),
    (
        SectionKind.METHODS,
        _any_of(
            r"((the|research|study|trial|online|star|patients?) )?methods?( summary)?",
            r"methodology",
            r"experimental( (section|procedures?|design))?",
            rf"{_OF_METHODS}((,| &| and) ?({_OF_METHODS}|procedures?|analysis))+",
        ),
    ),
    (
        SectionKind.RESULTS,
        _any_of(r"((main|study) )?(results?|findings)( (and|&) (discussion|analysis|comments?))?"),
    ),
    (
        SectionKind.DISCUSSION,
        _any_of(
            r"(general )?(discussion|comments?|commentary|conclusions?|interpretation)"
            r"((,| and| &) (discussion|conclusions?|limitations|recommendations|implications|future .*|perspectives?))*",
            r"concluding remarks",
        ),
    ),
)

# Words in any other title that reveal the kind of a section.
_HINTS: tuple[tuple[SectionKind, re.Pattern[str]], ...] = (
    (SectionKind.METHODS, re.compile(r"\b(methods?|methodology|stati?stical|procedures?|(in|ex)clusion criteria)\b")),
    (SectionKind.RESULTS, re.compile(r"\b(results?|findings|outcomes)\b")),
    (SectionKind.DISCUSSION, re.compile(r"\b(discussion|conclusions?|limitations)\b")),
    (SectionKind.INTRODUCTION, re.compile(r"\b(introduction|background|objectives?)\b")),
)

_INTERESTS = r"(conflicts?|competing|duality)( of)?( financial)? ?interests?"
_LEFT_OUT = _any_of(
    # the literature
    r"references?( and notes| list)?",
    r"(bibliography|literature( cited)?|works cited|notes and references|further reading)",
    # who helped, who paid, who gains
    r"acknowledge?ments?",
    r"(grant|financial) (support|disclosures?)|sources? of (funding|support)",
    r"(funding|support)( sources?| statement| information| and .*)?",
    r"role of (the )?(funding|sponsor|funder).*",
    rf"((declarations?|statements?|disclosures?) of )?(potential )?{_INTERESTS}",
    rf"{_INTERESTS} (statements?|disclosures?|declarations?)",
    r"declarations?( of (interests?|funding|financial.*|helsinki))?",
    r"((author|financial) )?disclosures?( statement)?",
    # who did what
    r"(authors?'?s?'?|authorship) (contributions?|roles?|information|details|affiliations?|notes?|statements?|disclosures?)",
    r"(participating|study|trial) (investigators|cent(re|er)s|groups?)",
    r"(contributors?|contributorship)( statement)?|contributions?( of authors| to authorship)?|credit authorship.*",
    # what lies elsewhere
    r"(list of )?abbreviations?( list| used| and .*)?|glossary|nomenclature",
    r"(data|code|materials?)( and (data|code|materials?))? (availability|sharing|access|accessibility)( statement)?",
    r"availability of .*|reporting summary",
    r"(supplement(al|ary)?|supporting) (materials?|information|data|files?|appendi.*|tables?|figures?|digital)( .*)?",
    r"additional (files?|material|information|information and declarations)( \d+)?",
    r"(multimedia|web|online|electronic) (appendi(x|ces)|supplements?|supplementary material)( \d+)?",
    r"web extra.*|extended data.*|electronic supplementary.*",
    # the publisher's own
    r"pre-?publication history|publisher'?s'? note|peer review.*|transparency.*|provenance.*|open access",
    r"key ?words?|copyright.*|licen[cs]e|rights and permissions|cite this article|article information",
    r"author(s'?|'s)? original submitted files.*|online content",
)
# Accounts of the paper by its journal or authors, in a section or box of their own.
_ABOUT = _any_of(
    r"(elife )?digest",
    r"(editors?'?s?'?|editorial) (summary|commentary|synopsis|digest)",
    r"((in )?plain|lay|simple)(-| )?(language|english)? (summary|abstract|synopsis|title and summary)",
    r"(authors?'?s?'?|patients?'?s?'?|public|non-?technical|non-?specialist|layperson'?s?|popular science) summary",
    r"key ?(points?|messages?)|summary (box|points)|(article|study|research|paper)? ?highlights|significance statement",
    r"(graphical|visual|video) abstract|(article )?impact statement|statement of significance|relevance statement|essentials",
    r"novelty and (significance|relevance)|(capsule|article) summary|translational perspectives?|public health relevance",
)
# Only outside abstracts, because these may head a part of an abstract.
_ABOUT_ELSEWHERE = _any_of(
    r"what (is|was|'s) (already )?known.*|what (this|the|does this) (study|paper|article|trial|review) adds?.*",
    r"(research|evidence) in context|what'?s? (is )?new",
)
# Only in boxes, because elsewhere these head a part of the discussion.
_ABOUT_IN_BOX = _any_of(
    r"strengths and (limitations|weaknesses)( of (this|the) (study|trial))?|key findings|at a glance|in brief",
    r"(clinical|translational|study|patient) (perspectives?|implications|significance|relevance)",
    r"(what are the )?(clinical|practical) implications|(key )?(practice|learning|take-?home) (points|messages?)",
)
# Declarations at the end of a paper. Within the methods, these are part of how the study was done.
_LEFT_OUT_AT_END = _any_of(
    r"notes|endnotes",
    r"(patient )?consent (for|to) publi(cation|sh)",
    r"ethic(al|s)( approvals?)?( and (informed )?consent( to participate)?)?",
    r"(institutional review board|informed consent) statement",
    r"ethic(al|s) (statement|standards|committee.*|considerations|declarations?)",
    r"compliance with ethical (standards|guidelines)",
    r"(human|animal)( and animal)? (rights|ethics)( .*)?",
)


def normalise_title(title: str) -> str:
    """A title without numbering, capitals and punctuation, for comparison only."""
    text = _NUMBERING.sub("", title).lower().replace("’", "'").replace("/", " and ")
    return " ".join(_NOT_WORDS.sub(" ", text).split()).strip(" ',-")


def main_kind(title: str) -> SectionKind | None:
    """The kind of a section whose title is one of the usual names of a paper's main parts."""
    name = normalise_title(title)
    return next((kind for kind, pattern in _MAIN if pattern.fullmatch(name)), None)


def kind_of_title(title: str) -> SectionKind:
    """The kind of a top-level section, by the usual names or else by a telling word in its title."""
    exact = main_kind(title)
    if exact is not None:
        return exact
    name = normalise_title(title)
    return next((kind for kind, pattern in _HINTS if pattern.search(name)), SectionKind.OTHER)


def is_about(title: str, *, boxed: bool = False, of_abstract: bool = False) -> bool:
    """Whether a title heads an account of the paper by its journal or authors.

    `boxed`: it is in a box; `of_abstract`: it heads a part of an abstract.
    """
    name = normalise_title(title)
    patterns = [_ABOUT, *([] if of_abstract else [_ABOUT_ELSEWHERE]), *([_ABOUT_IN_BOX] if boxed else [])]
    return any(pattern.fullmatch(name) for pattern in patterns)


def is_left_out(title: str, *, inside: bool = False) -> bool:
    """Whether a section stays out of the candidate pool: references, funding, contributions and the like.

    `inside`: it is inside another section, where a statement on ethics belongs to the methods.
    """
    name = normalise_title(title)
    return bool(_LEFT_OUT.fullmatch(name) or (not inside and _LEFT_OUT_AT_END.fullmatch(name)))
