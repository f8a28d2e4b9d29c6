"""A paper's authors and registrations, and how it is cited in one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from core.paper.model import Kind, Paper, Section, SectionKind, Sentence
from core.paper.symbols import restore_symbols

# ---- Names of people, as authors are printed ----

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
_NAME_SUFFIX = re.compile(r"(?:Jr|Sr|II|III|IV|2nd|3rd)\.?", re.IGNORECASE)
_FOR_THE = re.compile(r"(?:(?:for|on behalf of)\s+)?the\s+", re.IGNORECASE)
# Words in the names of groups, never of persons.
_GROUPS = frozenset(
    """
    association centre center collaboration collaborative collaborators committee consortium group initiative institute
    investigators network organisation organization program programme society study team trial trialists
    """.split()
)
# Words of affiliations, article types, headings and topics, capitalised like names.
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
    """Whether a word begins like part of a name: with a capital, or a particle and a capital ("al-Rashid", "d’Arc")."""
    if not _WORD.fullmatch(word) or word.casefold().strip(".") in _NOT_NAMES:
        return False
    return not word[0].islower() or bool(_ARTICLE.match(word))


def _is_initials(word: str) -> bool:
    return word.isupper() and bool(_INITIALS.fullmatch(word))


def family_name(author: str) -> str:
    """The family name of an author in any of the usual forms, with its particles. A group's name stays as it is.

    Without a comma or initials to go by, the last word is the family name, as papers print it.

    >>> [family_name(name) for name in ("Berg, Ada van der", "van der Berg AB", "Ada van der Berg", "NAP Study Group")]
    ['Berg', 'van der Berg', 'van der Berg', 'NAP Study Group']
    """
    before, comma, after = author.partition(",")
    if comma and not _NAME_SUFFIX.fullmatch(after.strip()):
        return " ".join(before.split())
    words = [word for word in before.split() if not word.startswith("(")] or before.split()  # "Sato (Boku)"
    if any(word.casefold() in _GROUPS for word in words):
        return _FOR_THE.sub("", " ".join(words), count=1)
    while len(words) > 1 and _NAME_SUFFIX.fullmatch(words[-1]):
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
    """Whether the last of several words is initials: in capitals where the other words are not."""
    if len(words) < 2 or not _is_initials(words[-1]):
        return False
    return len(words[-1].strip(".")) == 1 or not " ".join(words[:-1]).isupper()


# ---- Lines of authors, as journals print them, with marks, degrees and separators ----

# Numbers and signs of notes, alone or in a row: "[1,2]", "1,2,*", "†". Like a comma, they end a name.
_MARKS = re.compile(r"(?:[\s,;]*(?:\[[\d,;–‒-]+\]|\(\d{1,2}\)|\d+|[*∗⁎†‡§¶‖#✉◊⁺¹²³⁴⁵⁶⁷⁸⁹⁰]|\bID\b))+")
_SEPARATOR = re.compile(r"\s*(?:[,;|•·∙●▪■◼⁝⋮]|\s[-–—]\s|\band\b|(?<!\S)&(?=\s))\s*")
# What follows the last author: "for the NAP Study Group".
_GROUP = re.compile(
    r"""[,;]?\s*(?:\(?(?:for|on\ behalf\ of|and|with)\s(?:the\s)?
    (?=[^,;]*\b(?:group|investigators|collaborat\w+|network|consortium|committee|team|trialists)\b).*)$""",
    re.IGNORECASE | re.VERBOSE,
)
_EMAIL = re.compile(r"\(?[^\s(]+@[\w.-]*\w\)?")
_PREFIX = re.compile(r"^(?:(?:by|authors?)\s*:?\s+)(?=[A-Z])", re.IGNORECASE)
_TITLE = re.compile(r"^(?:(?:Prof(?:essor)?|Drs?|Mrs?|Ms|Sir|Dame)\.?\s+)+")
_SUFFIX = re.compile(r"(?:Jr|Sr|II|III|IV)\.?")
_DEGREE = re.compile(
    r"""(?:
    M\.?D|Ph\.?D|M\.?B\.?B\.?S|M\.?B|M\.?B\.?Ch\.?B|MB\s?BCh(?:\sBAO)?|MBBCh|BMBS|BM|B\.?Ch(?:ir)?|M\.?Sc|M\.?S|B\.?Sc|B\.?S|B\.?A|M\.?A|M\.?P\.?H|Dr\.?P\.?H
    |D\.?Sc|Sc\.?D|D\.?M|M\.?Phil|D\.?Phil|Ed\.?D|Psy\.?D|DClin\w*|Pharm\.?D|B\.?Pharm|M\.?Pharm|D\.?O|D\.?D\.?S|D\.?M\.?D|D\.?V\.?M|D\.?N\.?P|D\.?P\.?T|D\.?N\.?Sc
    |R\.?N|B\.?S\.?N|M\.?S\.?N|C\.?R\.?N\.?A|N\.?P|R\.?D|R\.?Ph|P\.?T|O\.?T|F\.?N\.?P|A\.?R\.?N\.?P|A\.?P\.?R\.?N|M\.?H\.?S|M\.?H\.?Sc?|M\.?B\.?A|M\.?Ed|M\.?Med|M\.?Stat|M\.?H\.?A|M\.?P\.?P|M\.?Math|J\.?D|LL\.?M
    |MA|Dr\sMed|Dr\sNat|habil|Dipl\.?\w*|Cand\w*|FMedSci|FRS(?:E|C)?|F[A-Z]{3,6}\w?|M[RSF][A-Z]{2,4}|MSCI|MSCE|MSCR|MSPH|MTR|MHSc|MMSc|DMSc|DrMedSc|PGDip|CPH|CCRP|CBE|OBE|MBE|KBE|DBE|CCFP|ABPP|BPharm|BSN|BN|BDS|MDS|MCh|MChir|MClinRes|MEpi|Hons|hons
    )\.?(?:\s?\((?:Hons|[A-Z][a-z]+)\))?""",
    re.VERBOSE,
)


def names_in(lines: Sequence[str]) -> tuple[str, ...]:
    """The names that these lines list, as "Given Family".

    Returns () if any part cannot be a name. Lines with one name each need no separators.
    """
    lines = [restore_symbols(line).replace("\u200b", "").strip() for line in lines]
    each = [_names(line) for line in lines]
    if len(lines) > 1 and all(names is not None and len(names) <= 1 for names in each):
        return tuple(dict.fromkeys(name for names in each for name in names or ()))
    return _names(_GROUP.sub("", " ".join(lines))) or ()


def _names(text: str) -> tuple[str, ...] | None:
    """The names in one text; () if it has only degrees and marks, None if it has other words."""
    text = _PREFIX.sub("", _EMAIL.sub(" ", _GROUP.sub("", text)).strip())
    names: list[str] = []
    for piece in _SEPARATOR.split(_MARKS.sub(", ", text)):
        name = _without_degrees(_TITLE.sub("", piece.strip(" .:()")))
        if not name or (names and len(name) == 1 and name.islower()):  # the letter of a note
            continue
        if _SUFFIX.fullmatch(name) and names:
            names[-1] = f"{names[-1]} {name}"
        elif is_name(name):
            names.append(name)
        else:
            return None
    return tuple(dict.fromkeys(names))


def _without_degrees(text: str) -> str:
    """A name without the degrees that follow it, or the letters of notes."""
    words = text.split()
    while words and (_DEGREE.fullmatch(words[-1]) or _DEGREE.fullmatch(" ".join(words[-2:])) or _is_letter(words)):
        if len(words) == 2 and words[-1].isupper() and len(words[-1]) < 3:
            break  # "Rossi MA": initials
        del words[-1]
    return " ".join(words)


def _is_letter(words: list[str]) -> bool:
    return len(words) > 2 and len(words[-1]) == 1 and words[-1].islower()


# ---- Trial registration numbers: how each register writes them, and which are the paper's own ----
# The registers are the primary registries of the WHO registry network and the data providers of its search portal
# (International Clinical Trials Registry Platform, https://www.who.int/clinical-trials-registry-platform), with
# PROSPERO for systematic reviews.

# Register, pattern of its numbers, and their one form: {1} is the first group, without spaces and hyphens.
_GAP = r"[\s:#–-]*"
_WORDS = rf"{_GAP}(?:(?:registry|register|registration|trial|identifier|number|no\.|id){_GAP}){{0,3}}"
_REGISTERS: tuple[tuple[str, str, str], ...] = (
    ("ClinicalTrials.gov", rf"\bNCT{_GAP}((?:\d[\s-]?){{7}}\d)\b", "NCT{1}"),
    ("ISRCTN", rf"\bISRCTN{_WORDS}((?:\d\s?){{7}}\d)\b", "ISRCTN{1}"),
    ("EU CTIS", r"(20(?<!\d20)\d\d)\s?[-‐–]\s?(5\d{5})\s?[-‐–]\s?(\d\d)\s?[-‐–]\s?(\d\d)\b", "{1}-{2}-{3}-{4}"),
    ("EudraCT", r"(20(?<!\d20)[012]\d)\s?[-‐–]\s?(\d{6})\s?[-‐–]\s?(\d\d)\b(?!\s?[-‐–]\s?\d)", "{1}-{2}-{3}"),
    ("Australia, New Zealand", rf"\bACTRN{_WORDS}(\d{{14}})p?\b", "ACTRN{1}"),
    ("Brazil", r"\bRBR-?\s?([0-9][0-9a-z]{4,8})\b", "RBR-{1}"),
    ("China", r"\bChiCTR[\s-]{0,3}([A-Z]{2,4})[\s-]{0,3}(\d{8,10})\b", "ChiCTR-{1}-{2}"),
    ("China", rf"\bChiCTR{_GAP}(\d{{8,10}})\b", "ChiCTR{1}"),
    ("Traditional medicine", rf"\bITMCTR{_GAP}(\d{{10}})\b", "ITMCTR{1}"),
    ("Cuba", rf"\bRPCEC{_GAP}(\d{{8}})\b", "RPCEC{1}"),
    ("Germany", rf"\bDRKS{_WORDS}(\d{{8}})\b", "DRKS{1}"),
    ("India", r"\bCTRI\s?/\s?(20\d\d)\s?/\s?(\d{2,3})\s?/\s?(\d{6})\b", "CTRI/{1}/{2}/{3}"),
    ("Iran", rf"\bIRCT{_WORDS}(\d{{11,14}})\s?N\s?(\d{{1,3}})\b", "IRCT{1}N{2}"),
    ("Japan", r"\bjRCT\s?(s?)\s?(\d{9,10})\b", "jRCT{1}{2}"),
    ("Japan", rf"\bUMIN{_GAP}(?:CTR)?{_WORDS}(?:UMIN)?C?(\d{{9}})\b", "UMIN{1}"),
    ("Japan", rf"\bJapicCTI{_GAP}(\d{{6}})\b", "JapicCTI-{1}"),
    ("Japan", r"\bJMA-?\s?IIA\s?(\d{5})\b", "JMA-IIA{1}"),
    ("Korea", rf"\bKCT{_GAP}(\d{{7}})\b", "KCT{1}"),
    ("Lebanon", rf"\bLBCTR{_GAP}(\d{{10}})\b", "LBCTR{1}"),
    ("Netherlands", r"\bNL-?OMON\s?(\d{4,6})\b", "NL-OMON{1}"),
    ("Pan Africa", rf"\bPACTR{_GAP}(\d{{15,16}})\b", "PACTR{1}"),
    ("Peru", r"\bPER-(\d{3})-(\d\d)\b", "PER-{1}-{2}"),
    ("Philippines", r"\bPHRR\s?(\d{6})-(\d{6})\b", "PHRR{1}-{2}"),
    ("Sri Lanka", r"\bSLCTR\s?/\s?(20\d\d)\s?/\s?(\d{3})\b", "SLCTR/{1}/{2}"),
    ("Thailand", rf"\bTCTR{_GAP}(\d{{11}})\b", "TCTR{1}"),
    ("PROSPERO", rf"\bCRD{_GAP}(42\d{{9,10}})\b", "CRD{1}"),
)
# These prefixes have other meanings too, so they count only in a text about registration.
_SHORT_REGISTERS: tuple[tuple[str, str, str], ...] = (
    ("Netherlands", rf"\bNTR{_GAP}(\d{{2,4}})\b", "NTR{1}"),
    ("Netherlands", r"\bNL-?\s?(\d{4})\b(?!\.\d)", "NL{1}"),
)


def _letters(look: str) -> str:
    """The letters that a number begins with, if any. They serve as a quick test, because few texts hold them."""
    start = re.match(r"\\b([A-Za-z]+(?:-(?!\?))?)", look)
    return start[1].casefold() if start else ""


_PATTERNS = [(_letters(look), re.compile(look, re.IGNORECASE), written) for _, look, written in _REGISTERS]
_SHORT = [(_letters(look), re.compile(look), written) for _, look, written in _SHORT_REGISTERS]
_SEPARATORS = re.compile(r"[\s-]")
# A quick test: most sentences hold nothing like a register's number.
_HINT = re.compile(r"[\dNRr](?:(?<=\d)[\d\s/‐–-]{3,9}?\d|(?<=N)(?:TR|L)|(?<=[Rr])[Bb][Rr]-)")
_REGISTERED = re.compile(
    r"regist|clinical\s?trials\.gov|controlled.trials|eudract|identifier|\btrial (?:number|id)\b", re.IGNORECASE
)
_OF_REGISTERED = ("regist", "clinical", "controlled", "eudract", "identifier", "trial ")  # one is in each match
_NEAR = 100  # characters on each side of a number in which registration may be mentioned


def registrations_in(text: str) -> tuple[str, ...]:
    """Every registration number in `text`, in one form, each once.

    >>> registrations_in("Registered as NCT 0123-4567 and EudraCT number 2008-007149-30.")
    ('NCT01234567', '2008-007149-30')
    """
    return tuple(dict.fromkeys(number for _, number in _found(text)))


def with_register(number: str) -> str:
    """A number as people see it: the numbers of European registers get the register's name, which they lack.

    >>> with_register("2008-007149-30")
    'EudraCT 2008-007149-30'
    """
    if not number[0].isdigit():
        return number
    return f"{'EU CT' if number.count('-') > 2 else 'EudraCT'} {number}"


def own_registrations(
    sections: Sequence[Section], sentences: Sequence[Sentence], aside: Iterable[str]
) -> tuple[str, ...]:
    """The paper's own numbers; `aside` holds notes outside its sentences.

    Papers cite other trials by number too. Their own number is in the title or abstract, or where they speak of
    registration: in the methods, in a section of its own, or in the notes. Only if none of these has one does any
    number in the methods count; one in the discussion or the references never does.
    """
    front = " ".join(s.text for s in sentences if s.kind is Kind.TITLE or _kind(sections, s) is SectionKind.ABSTRACT)
    methods = [s.text for s in sentences if _kind(sections, s) is SectionKind.METHODS]
    others = [s.text for s in sentences if _kind(sections, s) is SectionKind.OTHER]
    stated = [
        *registrations_in(front),
        *(number for text in (*methods, *others, *aside) for number in _said_to_be_registered(text)),
    ]
    return tuple(dict.fromkeys(stated or [number for text in methods for number in registrations_in(text)]))


def _kind(sections: Sequence[Section], sentence: Sentence) -> SectionKind:
    return sections[sentence.section].kind


def _said_to_be_registered(text: str) -> Iterator[str]:
    """The numbers that stand near words about registration."""
    for at, number in _found(text):
        if _REGISTERED.search(text, max(at - _NEAR, 0), at + _NEAR):
            yield number


def _found(text: str) -> list[tuple[int, str]]:
    """The offset of each number, and the number in one form."""
    if not _HINT.search(text):
        return []
    folded = text.casefold()
    registered = any(word in folded for word in _OF_REGISTERED) and _REGISTERED.search(text)
    patterns = [*_PATTERNS, *_SHORT] if registered else _PATTERNS
    return sorted(
        (match.start(), written.format(None, *(_SEPARATORS.sub("", group) for group in match.groups())))
        for letters, pattern, written in patterns
        if letters in folded
        for match in pattern.finditer(text)
    )


# ---- A paper in one line ----

_ALL = 2  # authors: if there are more, only the first is named


def cite(paper: Paper) -> tuple[str, ...]:
    """Authors, journal and year, DOI, registrations, each as one text, as far as known.

    Example: ("Ada Rossi et al.", "Hive Notes 2020", "doi:10.1000/naps", "NCT01234567").
    """
    published = " ".join(filter(None, (paper.journal, str(paper.year or ""))))
    doi = f"doi:{paper.doi}" if paper.doi else ""
    return tuple(filter(None, (cite_authors(paper.authors), published, doi, *map(with_register, paper.registrations))))


def cite_authors(authors: Sequence[str]) -> str:
    """One or two authors as written; for more, the first and "et al."; empty if there are none."""
    return " and ".join(authors) if len(authors) <= _ALL else f"{authors[0]} et al."


def study_name(authors: Sequence[str], year: int | None, *, otherwise: str) -> str:
    """The short name of a study in systematic reviews: family name and year, such as "van der Berg 2021".

    `otherwise`: the name where either is unknown, such as the title.
    """
    first = family_name(authors[0]) if authors else ""
    return f"{first} {year}" if first and year else " ".join(otherwise.split())
