"""Trial registration numbers: what each register's look like, and which of those in a paper are its own.

The registers are the primary registries of the WHO registry network and the data providers of its search portal
(International Clinical Trials Registry Platform, https://www.who.int/clinical-trials-registry-platform), with
PROSPERO for systematic reviews.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from core.paper.model import Kind, Section, SectionKind, Sentence

# Register, what its numbers look like, and how one is written: {1} is the first group, spaces and hyphens removed.
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
# Letters that mean other things elsewhere: only in a text that speaks of registration.
_SHORT_REGISTERS: tuple[tuple[str, str, str], ...] = (
    ("Netherlands", rf"\bNTR{_GAP}(\d{{2,4}})\b", "NTR{1}"),
    ("Netherlands", r"\bNL-?\s?(\d{4})\b(?!\.\d)", "NL{1}"),
)


def _letters(look: str) -> str:
    """The letters, if any, that a number begins with: few texts hold them."""
    start = re.match(r"\\b([A-Za-z]+(?:-(?!\?))?)", look)
    return start[1].casefold() if start else ""


_PATTERNS = [(_letters(look), re.compile(look, re.IGNORECASE), written) for _, look, written in _REGISTERS]
_SHORT = [(_letters(look), re.compile(look), written) for _, look, written in _SHORT_REGISTERS]
_SEPARATORS = re.compile(r"[\s-]")
# Most sentences hold nothing like a number of a register.
_HINT = re.compile(r"[\dNRr](?:(?<=\d)[\d\s/‐–-]{3,9}?\d|(?<=N)(?:TR|L)|(?<=[Rr])[Bb][Rr]-)")
_REGISTERED = re.compile(
    r"regist|clinical\s?trials\.gov|controlled.trials|eudract|identifier|\btrial (?:number|id)\b", re.IGNORECASE
)
_OF_REGISTERED = ("regist", "clinical", "controlled", "eudract", "identifier", "trial ")  # one of them is in each
_NEAR = 100  # characters on either side of a number that may say what it is


def registrations_in(text: str) -> tuple[str, ...]:
    """Every registration number in `text`, in one way of writing, each once.

    >>> registrations_in("Registered as NCT 0123-4567 and EudraCT number 2008-007149-30.")
    ('NCT01234567', '2008-007149-30')
    """
    return tuple(dict.fromkeys(number for _, number in _found(text)))


def with_register(number: str) -> str:
    """A number as it is shown to people: those of the European registers do not name them.

    >>> with_register("2008-007149-30")
    'EudraCT 2008-007149-30'
    """
    if not number[0].isdigit():
        return number
    return f"{'EU CT' if number.count('-') > 2 else 'EudraCT'} {number}"


def own_registrations(
    sections: Sequence[Section], sentences: Sequence[Sentence], aside: Iterable[str]
) -> tuple[str, ...]:
    """The numbers that a paper gives as its own; `aside` holds notes that stand outside its sentences.

    Papers cite other trials by number too. A paper's own number stands in its title or abstract, or where it speaks of
    registration: in its methods, in a section about that, or in the notes beside the text. Only if none of these
    has one does any number in the methods count; one in the discussion or among the references never does.
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
    """The numbers beside which the text speaks of registration."""
    for at, number in _found(text):
        if _REGISTERED.search(text, max(at - _NEAR, 0), at + _NEAR):
            yield number


def _found(text: str) -> list[tuple[int, str]]:
    """Where each number stands, and the number."""
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
