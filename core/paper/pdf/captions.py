"""How the captions of figures and tables begin."""

from __future__ import annotations

import re

from core.paper.pdf.lines import Line

_NAME = r"(?:(?:supplementa(?:l|ry)|extended data|online|additional|appendix)\s+)?(?:figure|fig\.?|table|tab\.|scheme|chart)"
_NUMBER = r"\s*(?:[SA]?\d{1,3}[A-Za-z]?|[IVX]{1,5})"
_START = re.compile(rf"{_NAME}{_NUMBER}(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_LABEL_END = re.compile(r"\s*[.:|–—-]|\s*\(?cont|\s+[A-Z(]|\s*$")
_TABLE = re.compile(r"(?:\w+\s+){0,2}tab", re.IGNORECASE)


def starts_caption(line: Line) -> bool:
    """Whether a caption begins here: a label with its number, set off from what follows ("Figure 2 shows" is none)."""
    if line.text[:1] not in "FTSEAOCftseaoc":
        return False
    match = _START.match(line.text)
    if match is None:
        return False
    rest = match["rest"]
    if not _LABEL_END.match(rest):
        return False
    if rest.strip()[:1] in {".", ":", "|", "–", "—", "-"} or not rest.strip():
        return True
    return bool(line.lead) or line.font.bold


def has_certain_label(line: Line) -> bool:
    """Whether a colon or bar ends the label, as it never does in a sentence: “Table 2: Outcomes”."""
    match = _START.match(line.text)
    return match is not None and match["rest"].lstrip()[:1] in {":", "|"}


def is_label(text: str) -> bool:
    """Whether a text is nothing but a label: “TABLE 1”."""
    match = _START.match(text)
    return match is not None and not match["rest"].strip(" .:|–—-")


def names_table(text: str) -> bool:
    """Whether a caption belongs to a table."""
    return bool(_TABLE.match(text))
