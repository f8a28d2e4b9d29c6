"""The effects that a sentence states, with their intervals and p-values, as papers print them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.findings.effect_measures import COUNTS, NAME, PLAIN, short_form
from core.findings.model import Effect

_LONGEST = 4000  # characters of a sentence that are looked at: a table row may have more
_SIGN = r"[-−–‐‑+]"
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?:[.·‧∙]\d+)?|\d+(?:[.·‧∙]\d+)?|[.·‧∙]\d+)"
_NUMBER = rf"{_SIGN}?\s?{_DIGITS}"
_END = r"(?![\d.·‧∙,]*\d)"
_UNIT = r"(?:\s?(?:%|percentage[\s-]points?|per\s?cent(?:age)?|points?))"
_LEVEL = r"(?P<level>\d{2}(?:[.·]\d{1,2})?)\s?(?:%|per\s?cent)[\s,-]*"
_CI = (
    r"(?:(?:two|one|2|1)-sided\s+)?(?:Bayesian\s+|bootstrap(?:ped)?\s+|adjusted\s+)?"
    r"(?:(?:confidence|credible|credibility|compatibility)\s+(?:intervals?|limits?)(?:\s?[\[(]\s?(?:CI|CrI)s?\s?[\])])?"
    r"|C\.?I\.?s?|CrIs?|BCI|CL)"
)
_SEPARATOR = r"(?:\s?(?:to|and|through|till)\s?|\s?[,;/]\s?|\s?(?:--|[-−–—‐‑~])\s?)"
_BOUNDS = rf"(?P<low>{_NUMBER}){_UNIT}?{_SEPARATOR}(?P<high>{_NUMBER}){_END}{_UNIT}?"
# "95% CI 0.60 to 0.94", with any bracket that closes it.
_NAMED_INTERVAL = re.compile(
    rf"(?:(?i:{_LEVEL})(?i:{_CI})|(?i:{_CI})(?:\s?[\[(]?\s?(?i:{_LEVEL.replace('level', 'after')})[\])]?)?)"
    rf"\s?(?:for\s(?:the\s)?difference\s?)?(?i:[=:,]|of|was|from|ranging\sfrom|between|is)?\s?[=:]?\s?[\[({{]?\s?{_BOUNDS}\s?[\])}}]?"
)
# "(0.60 to 0.94)": an interval without its name counts only right after the value of a named measure.
_BARE_INTERVAL = re.compile(rf"[\[(]\s?{_BOUNDS}(?=\s?[\]);,])\s?[\])]?")
_VALUE = re.compile(rf"(?P<value>{_NUMBER}){_END}(?:\s?(?:%|[^\W\d_][\w/%²³·.^−-]{{0,11}}|\w{{1,3}}/\w{{1,6}})){{0,4}}")
_P = re.compile(
    r"(?<![\w-])(?i:p)(?i:\s?-?\s?values?)?(?i:\s?(?:for|of)\s(?:the\s)?(?:difference|trend|interaction|superiority|non-?inferiority))?"
    r"\s?(?:(?i:was|of|is)\s)?[=<>≤≥⩽⩾]\s?[\d.·‧∙]*\d(?:\s?[×x]\s?10\s?[-−–]\s?\d+)?"
)
# Between a measure and its value; "difference" and other plain words must say more plainly that the value is theirs.
_SAYS = re.compile(
    r"^(?:\s?[\[(]\s?[A-Za-z]{1,8}\s?[\])])?[^\d;]{0,110}?(?:[=:,(\[]|\b(?:was|were|is|of|by|at|being|with an?|estimated at|to be)\b)?\s?$"
)
_SAYS_PLAINLY = re.compile(
    r"^(?:\s?[\[(]\s?[A-Za-z]{1,8}\s?[\])])?(?:\s?(?:[=:,]|[\[(])\s?|[^\d;()\[\]]{0,90}?\b(?:was|were|is|of|=)\s(?:only\s|about\s)?[(\[]?)$",
    re.IGNORECASE,
)
_AT_ONCE = re.compile(r"^(?:\s?[\[(]\s?[A-Za-z]{1,8}\s?[\])])?\s?(?:[=:,]|was|were|is|of)?\s?[\[(]?\s?$", re.IGNORECASE)
_TO_INTERVAL = re.compile(r"^\s?(?:[;,:(\[]|with\s(?:an?\s)?|and\s)*\s?$")
_NEXT = re.compile(
    r"^[\s;,)\]]*(?:and|or|vs\.?|versus)?[^\d;.]{0,60}[\s(\[=]$"
)  # from an effect to another of the same measure
_OF_ONE_GROUP = re.compile(
    r"^\s?[\])]?\s?(?:vs\.?|versus|compared\s(?:with|to)|in\sthe\s[\w\s-]{1,40}?(?:group|arm)\b[^;.]{0,30}?\b(?:and|vs\.?|versus|compared))",
    re.IGNORECASE,
)
_P_NEAR = 30  # characters after an effect


@dataclass(frozen=True, slots=True)
class _Interval:
    start: int
    end: int
    low: float
    high: float
    level: float | None


def effects(text: str, *, sentence: int = 0) -> list[Effect]:
    """The effects that a sentence states, in order; `sentence` is its index in its paper.

    What is not plainly an effect of one group against another is left out, and so is a value outside its own interval.
    """
    text = text[:_LONGEST]
    if not any(character.isdigit() for character in text):
        return []
    names = list(NAME.finditer(text))
    if not names:
        return []
    return list(_effects(text, names, sentence))


def _effects(text: str, names: list[re.Match[str]], sentence: int) -> Iterator[Effect]:
    taken = 0  # what stands before is part of an effect already
    for place, name in enumerate(names):
        if name.start() < taken:
            continue
        stop = names[place + 1].start() if place + 1 < len(names) else len(text)
        found = _first_value(text, name, stop)
        if found is None:
            continue
        measure = short_form(name)
        value, start, end = found
        interval = _interval_after(text, end, stop) or _interval_before(text, name.start(), taken)
        plain = measure in PLAIN
        if interval is None and (plain or not _AT_ONCE.search(text[name.end() : start])):
            continue
        if interval is not None and not interval.low <= value <= interval.high and measure not in COUNTS:
            continue
        if interval is not None and not interval.low <= value <= interval.high:
            continue
        last = max(end, interval.end) if interval else end
        if plain and _OF_ONE_GROUP.search(text[last:]):
            continue
        p, last = _p_after(text, last, stop)
        first = min(name.start(), interval.start) if interval else name.start()
        yield Effect(
            measure=measure,
            value=value,
            low=interval.low if interval else None,
            high=interval.high if interval else None,
            level=interval.level if interval else None,
            p=p,
            text=_closed(text, first, last),
            sentence=sentence,
        )
        taken = last


def _first_value(text: str, name: re.Match[str], stop: int) -> tuple[float, int, int] | None:
    """The value that a measure's name announces: (value, start, end of it with its unit)."""
    plain = short_form(name) in PLAIN
    at = name.end()
    while match := _VALUE.search(text, at, stop):
        between = text[name.end() : match.start()]
        interval = _NAMED_INTERVAL.search(text, name.end(), stop)
        if interval and interval.start() <= match.start() < interval.end():
            at = interval.end()  # an interval between name and value: "HR (95% CI 0.6 to 0.9) was 0.75"
            if _AT_ONCE.search(text[name.end() : interval.start()].rstrip(" ([")) is None:
                return None
            after = _VALUE.search(text, at, stop)
            if after and _AT_ONCE.search(text[at : after.start()]):
                return _number(after["value"]), after.start(), after.end("value")
            return None
        if (_SAYS_PLAINLY if plain else _SAYS).search(between):
            return _number(match["value"]), match.start(), match.end("value")
        return None
    return None


def _interval_after(text: str, at: int, stop: int) -> _Interval | None:
    """The interval that follows a value, its unit between them."""
    named = _NAMED_INTERVAL.search(text, at, min(len(text), stop + 200))
    if named and named.start() - at <= 40 and not re.search(r"\d", _without_unit(text[at : named.start()])):
        return _read(named)
    unit = re.match(r"\s?(?:%|[^\W\d_][\w/%²³^−-]{0,11}(?:\s[^\W\d_][\w/]{0,6})?)?\s?", text[at:])
    bare = _BARE_INTERVAL.match(text, at + (unit.end() if unit else 0))
    return _read(bare) if bare else None


def _without_unit(between: str) -> str:
    return re.sub(r"[A-Za-z²³]\s?[\^]?\d\b|/\s?\d+|P\s?[=<>]\s?[\d.]+", "", between)


def _interval_before(text: str, at: int, taken: int) -> _Interval | None:
    """An interval right before the measure's name: "95% CI 0.60 to 0.94; HR 0.75"."""
    last = None
    for match in _NAMED_INTERVAL.finditer(text, max(taken, at - 90), at):
        last = match
    return _read(last) if last and re.fullmatch(r"\s?[,;:)\]]?\s?", text[last.end() : at]) else None


def _read(match: re.Match[str]) -> _Interval | None:
    low, high = _number(match["low"]), _number(match["high"])
    if low > high:
        return None
    groups = match.groupdict()
    level = groups.get("level") or groups.get("after")
    return _Interval(match.start(), match.end(), low, high, _number(level) if level else None)


def _p_after(text: str, at: int, stop: int) -> tuple[str, int]:
    """The p-value that follows within a few characters, as printed, and where the effect ends with it."""
    match = _P.search(text, at, min(stop, at + _P_NEAR + 20))
    if match is None or match.start() - at > _P_NEAR or re.search(r"\d", text[at : match.start()]):
        return "", at
    return match.group(), match.end()


def _closed(text: str, first: int, last: int) -> str:
    """The stretch without spaces at its ends, and with the bracket that it opened."""
    stretch = text[first:last]
    if stretch.count("(") > stretch.count(")") and text[last : last + 1] == ")":
        last += 1
    return text[first:last].strip()


def _number(written: str) -> float:
    plain = re.sub(r"\s", "", written)
    sign = -1.0 if plain[0] in "-−–‐‑" else 1.0
    return sign * float(re.sub(r"[·‧∙]", ".", plain.lstrip("-−–‐‑+").replace(",", "")))
