"""The names in a line of authors as journals print it, with notes' marks, degrees and separators of any kind."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.paper.names import is_name
from core.paper.symbols import restore_symbols

# Numbers and signs of notes, alone or in a row: "[1,2]", "1,2,*", "†". They end a name as a comma does.
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
    """The names that these lines list, "Given Family", without what stands around them.

    All or nothing: () where any part of the lines can be no name. A list set one name a line needs no separators.
    """
    lines = [restore_symbols(line).replace("\u200b", "").strip() for line in lines]
    each = [_names(line) for line in lines]
    if len(lines) > 1 and all(names is not None and len(names) <= 1 for names in each):
        return tuple(dict.fromkeys(name for names in each for name in names or ()))
    return _names(_GROUP.sub("", " ".join(lines))) or ()


def _names(text: str) -> tuple[str, ...] | None:
    """The names in one text, () where it holds nothing but degrees and marks; None where it holds other words."""
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
