"""Split a paragraph of biomedical prose into sentences.

Rules rather than a model: on EvidenceBench's paragraphs they are as accurate as the libraries
that were measured, and far faster (docs/benchmarks.md). Each rule answers one question about a full
stop: does it end a sentence, or does it belong to an abbreviation, an initial or a number?
"""

from __future__ import annotations

import re

# Abbreviations that never end a sentence.
_NEVER_ENDS = frozenset(
    """
    vs viz cf ca approx resp dr drs prof mr mrs ms st messrs univ dept assoc natl e.g i.e ed eds
    subsp var cv fig figs
    """.split()
)
# Abbreviations that end no sentence before a number or code ("no. A12", "Jan. 5") but may end one before a word.
_GO_ON_BEFORE_NUMBER = frozenset(
    """
    no nos nr p pp vol vols ch chap sect tab eq eqs eqn v ver cat prod ref refs suppl
    jan feb mar apr jun jul aug sep sept oct nov dec
    """.split()
)
# "Sigma Co. (St Louis)" and "et al. (2004)" go on; "et al. They" ends.
_GO_ON_BEFORE_BRACKET = frozenset("co inc ltd corp al etc llc gmbh".split())

_BOUNDARY = re.compile(
    r"(?P<mark>[.!?…](?<![.!?…].)[.!?…]*+)"
    r"(?P<close>[\"'”’»)\]}]*+)"
    # A citation after the full stop belongs to the sentence that it ends:
    # "slept.[3,4] They", "slept. [3] They", "slept.12–14 They", "slept.1 2 They", "slept. 17,18) They".
    r"(?P<cite>(?:(?:\s?\[\d[\d\s,;–—‒-]{0,200}\])+\.?"
    r"|(?:\s?|\()\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\)(?=\s[A-Z])"
    r"|(?<=[^\W\d]\.|\)\.|\]\.|”\.|%\.)\d{1,3}(?:[ ,–-]{1,2}\d{1,3})*(?=\s+[A-Z“\"])"
    r")?)"
    r"(?P<gap>\s++)"
    r"(?=(?P<next>\S{1,40}))"
)
_STARTS_SENTENCE = re.compile(
    r"[\"'“‘«(\[{]*(?:[A-ZÀ-ÖØ-ÞΑ-ΩА-Я0-9αβγδμκλ±~≥≤<>†‡*#•¶§–—-]|p[A-Z0-9]|[a-z]{1,3}[A-Z]|[a-z]-[A-Z])"
)
_LAST_WORD = re.compile(r"([A-Za-z][A-Za-z.]*)$")
_INITIAL = re.compile(r"(?:^|[\s(\[,.–-])[A-Z]$")
_INITIAL_AGAIN = re.compile(r"[A-Z]\.")
# "group B. The", "hepatitis C. Patients": the letter is a name, not an initial.
_LETTER_NAME = re.compile(
    r"(?:\+|\b(?:groups?|types?|vitamins?|hepatitis|arms?|grades?|class|stages?|phases?|factors?|panels?|and|or|periods?|sequence"
    r"|sites?|cent(?:er|re)|cohorts?|tables?|figures?|appendix|section|proteins?|treatments?|part|cases?|models?|category"
    r"|levels?|virus|influenza|surgeon|reader|rater|D|in|of|was|is|than|with))\s+[A-Z]$",
    re.IGNORECASE,
)
_LIST_MARK = re.compile(r"\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})$")
_LOOK_BACK = 40  # characters before a full stop that are looked at
# "Table 2. Baseline characteristics": the label belongs to its caption.
_CAPTION_LABEL = re.compile(
    r"(?:(?:supplementa(?:l|ry)|additional|online) )?(?:figure|fig\.?|table|box|scheme|chart|panel) (?:[A-Z]?\d+[A-Za-z]?|[IVX]+)",
    re.IGNORECASE,
)


def split_sentences(text: str) -> list[tuple[int, int]]:
    """The (start, end) offsets of the sentences of one paragraph, in order, without the white space between them.

    >>> text = "Sleep improved (P < 0.05; Fig. 2). Smith et al. found less."
    >>> [text[a:b] for a, b in split_sentences(text)]
    ['Sleep improved (P < 0.05; Fig. 2).', 'Smith et al. found less.']
    """
    spans: list[tuple[int, int]] = []
    start = len(text) - len(text.lstrip())
    reached = 0  # the end of the match before
    for match in _BOUNDARY.finditer(text):
        at = match.start()
        if at > reached and text[at - 1].isspace():  # "slept ."
            at -= 1
        reached = match.end()
        if at > start and _ends_sentence(text, start, at, match):
            spans.append((start, match.start("gap")))
            start = reached
    end = len(text.rstrip())
    if start < end:
        spans.append((start, end))
    return spans


def _ends_sentence(text: str, start: int, at: int, match: re.Match[str]) -> bool:
    following = match["next"]
    if not _STARTS_SENTENCE.match(following):
        return False
    if match["mark"] != ".":
        return not (match["mark"].startswith("..") and following[0].isdigit())
    if match["cite"] or match["close"]:
        return True
    before = text[max(start, at - _LOOK_BACK) : at]
    is_label = at - start <= _LOOK_BACK and (_LIST_MARK.fullmatch(before) or _CAPTION_LABEL.fullmatch(before))
    return not is_label and not _is_abbreviation(before, following)


def _is_abbreviation(before: str, following: str) -> bool:
    """Whether the full stop after `before` is part of an abbreviation or an initial."""
    if _INITIAL.search(before):
        return bool(_INITIAL_AGAIN.match(following)) or not _LETTER_NAME.search(before)
    last = _LAST_WORD.search(before)
    word = last.group(1).lower() if last else ""
    if word in _NEVER_ENDS:
        return True
    if word in _GO_ON_BEFORE_NUMBER:
        return any(character.isdigit() for character in following)
    if word in _GO_ON_BEFORE_BRACKET:
        return (
            following[0] in "(["
            or following.startswith(("Ltd", "KG", "Inc"))
            or (word == "al" and following[0].isdigit())
        )
    return False
