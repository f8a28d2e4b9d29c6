"""How papers print numbers, intervals and p-values: the patterns, and what a match means."""

from __future__ import annotations

import re
from dataclasses import dataclass

SIGNS = "-−–‐‑"
_POINTS = ".·‧∙"
# "1,200" has a comma between thousands, "0,75" one for its decimals.
_DIGITS = rf"(?:0,\d+|[1-9]\d{{0,2}}(?:,\d{{3}})+(?:[{_POINTS}]\d+)?|\d+(?:[{_POINTS}]\d+)?|[{_POINTS}]\d+)"
_NUMBER = rf"(?:[{SIGNS}+]\s?)?{_DIGITS}"
_WHOLE = rf"(?![{_POINTS},]?\d)"  # a number ends here
_LAST = rf"(?!\s?[{SIGNS}]\s?\d)"  # and nothing goes on after it
_UNIT = r"(?:\s?(?:%|percentage[\s-]points?|per\s?cent(?:age)?|points?|pp\b))"
_SEPARATOR = rf"(?:\s?(?:to|and|through|till)\s?|\s?[,;/]\s?|\s?[{SIGNS}—~]\s?)"
_BOUNDS = rf"(?P<low>{_NUMBER}){_UNIT}?{_SEPARATOR}(?P<high>{_NUMBER}){_WHOLE}{_UNIT}?{_LAST}"
_PER_CENT = rf"\d{{2}}(?:[{_POINTS}]\d{{1,2}})?"
_LEVEL = rf"(?P<level>{_PER_CENT})\s?(?:%|per\s?cent)[\s,-]*"
_LEVEL_AFTER = rf"[\[(]?\s?(?P<after>{_PER_CENT})\s?%\s?[\])]?"
_INTERVAL = (
    r"(?:(?:two|one|2|1)-sided\s+)?(?:Bayesian\s+|bootstrap(?:ped)?\s+|adjusted\s+|simultaneous\s+)?"
    r"(?:(?:confidence|credible|credibility|compatibility)\s+(?:intervals?|limits?)(?:\s?[\[(]\s?(?:\d\d\s?%\s?)?(?:CI|CrI|CL)s?\s?[\])])?"
    r"|C\.?I\.?s?|CrIs?|CL|IC)(?![\w])"
)
_SAID = r"\s?(?i:for\s(?:the\s)?difference\s?)?(?i:[=:,]|of|was|were|is|from|ranging\sfrom|ranged\sfrom|between)?\s?(?:from\s)?[=:]?\s?"

# "95% CI 0.60 to 0.94", "CI 95%: 0.60-0.94", with the brackets around the bounds.
NAMED_INTERVAL = re.compile(
    rf"(?i:(?:{_LEVEL})?{_INTERVAL}(?:\s?{_LEVEL_AFTER})?)"
    rf"{_SAID}[\[({{]?\s?{_BOUNDS}\s?[\])}}]?"
)
# "(0.60 to 0.94)": an interval without its name.
BARE_INTERVAL = re.compile(rf"[\[(]\s?{_BOUNDS}(?=\s?[\]);,])\s?[\])]?")
# "OR (95% CI) was ...": what the numbers in brackets will be.
ANNOUNCED = re.compile(rf"\s?[\[(,]?\s?(?:{_LEVEL})?(?i:{_INTERVAL})\s?[\])]?(?!\s?[=:,]?\s?[\[(]?[{SIGNS}]?\s?\d)")
VALUE = re.compile(rf"(?<![\w{_POINTS}])(?P<value>{_NUMBER}){_WHOLE}")
P_VALUE = re.compile(
    r"(?<![\w-])(?i:p)(?i:\s?-?\s?values?)?(?i:\s?(?:for|of)\s(?:the\s)?(?:difference|trend|interaction|superiority|non-?inferiority))?"
    rf"\s?(?:(?i:was|of|is)\s)?[=<>≤≥⩽⩾]\s?[{_POINTS}]?\d[\d{_POINTS}]*(?:\s?[×x]\s?10\s?[{SIGNS}]\s?\d+)?(?<![{_POINTS}])"
)


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval at `text[start:end]`; `level` in per cent, None where it is not said."""

    start: int
    end: int
    low: float
    high: float
    level: float | None


def interval_of(match: re.Match[str], level: float | None = None) -> Interval:
    """What a match of either interval says; its bounds may be the wrong way round, as printed."""
    low, high = number(match["low"]), number(match["high"])
    if low > high and re.search(r"\d\s?(?:--|–-|-–)\s?\d", match.group()):
        high = -high  # a long dash, typed as two short ones
    groups = match.groupdict()
    said = groups.get("level") or groups.get("after")
    return Interval(match.start(), match.end(), low, high, number(said) if said else level)


def number(written: str) -> float:
    """The value of a number as printed."""
    plain = "".join(written.split())
    digits = plain.lstrip(f"{SIGNS}+")
    digits = digits.replace(",", "." if digits.startswith("0,") else "")
    size = float(re.sub(f"[{_POINTS}]", ".", digits))
    return -size if plain[0] in SIGNS else size
