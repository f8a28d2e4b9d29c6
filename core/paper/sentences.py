"""Split a paragraph of biomedical prose into sentences.

A rule set rather than a model: on EvidenceBench's paragraphs it is as accurate as the libraries
that were measured and a hundred times faster (see docs/benchmarks.md).
"""

from __future__ import annotations

import re

# Words that end with a full stop and are followed by more of the same sentence, even by a capital.
_ABBREVIATIONS = frozenset(
    """
    vs viz cf ca al etc approx resp ref refs fig figs tab eq eqs eqn no nos nr vol vols ed eds p pp pg sect ch chap suppl
    dr drs prof mr mrs ms st sr jr ph phd md inc ltd co corp dept univ assoc hosp int natl
    jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun
    e.g i.e a.m p.m u.s u.k u.s.a d.f s.d s.e s.e.m c.i o.r h.r r.r n.s i.v i.m s.c p.o b.i.d t.i.d q.d b.d
    sp spp subsp var cv gen nov
    mg ml kg mm cm hr hrs min mins sec wk wks mo mos yr yrs wt ht avg max temp conc
    """.split()
)
# Of these, the ones after which a sentence often does end: a capital then starts a new one.
_MAY_END = frozenset(
    """
    al etc a.m p.m u.s u.k u.s.a s.d s.e s.e.m d.f c.i n.s i.v i.m s.c p.o b.i.d t.i.d q.d b.d inc ltd co corp jr sr
    mg ml kg mm cm hr hrs min mins sec wk wks mo mos yr yrs wt ht avg max temp conc spp sp nov gen p pp no var int
    mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct dec
    """.split()
)
_NEEDS_NUMBER = frozenset("no nos nr fig figs tab ref refs p pp vol eq eqs ch chap sect".split())
# After "et al." and "etc." these words go on; others start a sentence.
_CITATION_AFTER = re.compile(r"\s*(?:[\[(]|\d{4}\b|\d{1,3}\b)")

_CLOSERS = "\"'”’»)]}"
_BOUNDARY = re.compile(
    r"(?P<mark>[.!?…]+)"
    r"(?P<close>[\"'”’»)\]}]*)"
    # A citation that follows the full stop belongs to the sentence it ends: "slept.[3,4] They", "slept.12–14 They".
    r"(?P<cite>(?:\s?\[\d[\d\s,;–—‒-]*\]|(?<=[^\W\d]\.)\d{1,3}(?:\s?[,–-]\s?\d{1,3})*(?=\s))?)"
    r"(?P<gap>\s+)"
    r"(?=(?P<next>\S+))"
)
_STARTER = re.compile(r"[\"'“‘«(\[{]*[A-ZÀ-ÖØ-ÞΑ-ΩА-Я0-9αβγδΔμκλ±~≥≤<>=†‡*#•–—-]")
_LOWER_STARTER = re.compile(r"[\"'“‘«(\[{]*(?:p[A-Z0-9]|[a-z]{1,3}[A-Z]|[a-z]-[A-Z])")
_INITIAL = re.compile(r"(?:^|[\s(\[.,-])([A-Z])$")
_LAST_WORD = re.compile(r"([A-Za-z][A-Za-z.]*)$")
_LIST_NUMBER = re.compile(r"(?:^|[.;:]\s)\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})$")


def split_sentences(text: str) -> list[tuple[int, int]]:
    """The (start, end) offsets of the sentences of one paragraph, in order; white space between them is in none.

    >>> text = "Sleep improved (P < 0.05; Fig. 2). Smith et al. found less."
    >>> [text[a:b] for a, b in split_sentences(text)]
    ['Sleep improved (P < 0.05; Fig. 2).', 'Smith et al. found less.']
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _BOUNDARY.finditer(text):
        if not _ends_sentence(text, start, match):
            continue
        end = match.start("gap")
        if text[start:end].strip():
            spans.append(_trimmed(text, start, end))
        start = match.end("gap")
    if text[start:].strip():
        spans.append(_trimmed(text, start, len(text)))
    return spans


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while text[start].isspace():
        start += 1
    while text[end - 1].isspace():
        end -= 1
    return start, end


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    following = match["next"]
    if not (_STARTER.match(following) or _LOWER_STARTER.match(following)):
        return False
    if match["mark"] != ".":
        # "!" and "?" end a sentence before a capital; so does an ellipsis.
        return not (match["mark"].startswith("..") and not match["close"] and following[:1].isdigit())
    if match["close"] and match["close"][0] in ")]}" and _is_open(text, start, match.start()):
        pass  # the full stop stood inside brackets that now close
    before = text[max(start, match.start() - 40) : match.start()]
    return not _goes_on(text, start, before, match)


def _is_open(text: str, start: int, end: int) -> bool:
    piece = text[start:end]
    return piece.count("(") > piece.count(")") or piece.count("[") > piece.count("]")


def _goes_on(text: str, start: int, before: str, match: re.Match[str]) -> bool:
    """Whether the full stop after `before` belongs to an abbreviation, initial or number."""
    following = match["next"]
    if _LIST_NUMBER.search(text[max(start - 2, 0) : match.start()]) and match.start() - start <= 4:
        return True  # "1. Participants were ..."
    if not match["close"] and _is_open(text, start, match.start()) and not _closes_soon(text, match.end()):
        return False
    word_match = _LAST_WORD.search(before)
    if word_match is None:
        return False
    word = word_match.group(1).lower()
    if _INITIAL.search(before):
        # "J. Smith" and "E. coli" go on; "group B. The" and "hepatitis C. Patients" end.
        return not match["close"] and _is_name_initial(before, following)
    if word not in _ABBREVIATIONS:
        return False
    if word in _NEEDS_NUMBER:
        return following[:1].isdigit() or word in {"fig", "figs", "tab", "ref", "refs", "eq", "eqs"}
    if word in {"al", "etc"}:
        return bool(_CITATION_AFTER.match(text, match.end())) or following[:1].islower()
    return word not in _MAY_END or following[:1].isdigit()


def _closes_soon(text: str, position: int) -> bool:
    return True


def _is_name_initial(before: str, following: str) -> bool:
    return bool(re.search(r"(?:^|[\s(\[])(?:[A-Z][.\s-]*)+$", before)) and not re.search(
        r"\b(?:group|groups|type|vitamin|hepatitis|arm|grade|class|stage|phase|factor|panel|and|or|period|sequence|site|"
        r"center|centre|cohort|table|figure|appendix|section|protein|treatment|study|part|case|model|category|level|virus|influenza)"
        r"\s+[A-Z]$",
        before,
        re.IGNORECASE,
    )
