"""The effects that a sentence states: measures, values, intervals and p-values as papers print them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.findings.model import Effect

# ---- effect grammar ----
# How papers print numbers, intervals and p-values: the patterns, and how to interpret a match.

SIGNS = "-−–‐‑"
_POINTS = ".·‧∙"
# In "1,200" the comma separates thousands; in "0,75" it is the decimal mark.
_DIGITS = rf"(?:0,\d+|[1-9]\d{{0,2}}(?:,\d{{3}})+(?:[{_POINTS}]\d+)?|\d+(?:[{_POINTS}]\d+)?|[{_POINTS}]\d+)"
_NUMBER = rf"(?:[{SIGNS}+]\s?)?{_DIGITS}"
_WHOLE = rf"(?![{_POINTS},]?\d)"  # the number ends here
_LAST = rf"(?!\s?[{SIGNS}]\s?\d)"  # and no range continues after it
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

# "95% CI 0.60 to 0.94", "CI 95%: 0.60-0.94", including any brackets around the bounds.
NAMED_INTERVAL = re.compile(
    rf"(?i:(?:{_LEVEL})?{_INTERVAL}(?:\s?{_LEVEL_AFTER})?)"
    rf"{_SAID}[\[({{]?\s?{_BOUNDS}\s?[\])}}]?"
)
# "(0.60 to 0.94)": an interval without its name.
BARE_INTERVAL = re.compile(rf"[\[(]\s?{_BOUNDS}(?=\s?[\]);,])\s?[\])]?")
# "OR (95% CI) was ...": announces what the numbers in brackets will be.
ANNOUNCED = re.compile(rf"\s?[\[(,]?\s?(?:{_LEVEL})?(?i:{_INTERVAL})\s?[\])]?(?!\s?[=:,]?\s?[\[(]?[{SIGNS}]?\s?\d)")
VALUE = re.compile(rf"(?<![\w{_POINTS}])(?P<value>{_NUMBER}){_WHOLE}")
P_VALUE = re.compile(
    r"(?<![\w-])(?i:p)(?i:\s?-?\s?values?)?(?i:\s?(?:for|of)\s(?:the\s)?(?:difference|trend|interaction|superiority|non-?inferiority))?"
    rf"\s?(?:(?i:was|of|is)\s)?[=<>≤≥⩽⩾]\s?[{_POINTS}]?\d[\d{_POINTS}]*(?:\s?[×x]\s?10\s?[{SIGNS}]\s?\d+)?(?<![{_POINTS}])"
)
_INTERACTION = re.compile(
    r"(?<![\w-])(?i:p\W{0,3}(?:values?\W{1,3})?(?:(?:for|of)\W{1,3}(?:the\W{1,3})?)?interaction|heterogeneity)"
    rf"\W{{0,3}}(?:(?i:values?|was|were|of|is)\W{{1,3}})*[{_POINTS}]?\d?[\d{_POINTS}]*"
)
_TIME = re.compile(r"\btime\b", re.IGNORECASE)  # an interaction of group and time is the effect itself


def only_tests_interaction(text: str) -> bool:
    """Whether a sentence states no test but whether the effect differs between groups of patients.

    "The benefit was similar with and without diabetes (P for interaction = 0.7)" tells whether the effect differs, and
    not that there is none.
    """
    rest = _INTERACTION.sub(" ", text)
    if rest == text or _TIME.search(text):
        return False
    return not (P_VALUE.search(rest) or NAMED_INTERVAL.search(rest) or BARE_INTERVAL.search(rest))


@dataclass(frozen=True, slots=True)
class ConfidenceInterval:
    """An interval at `text[start:end]`; `level` is in per cent, or None if not stated."""

    start: int
    end: int
    low: float
    high: float
    level: float | None


def interval_of(match: re.Match[str], level: float | None = None) -> ConfidenceInterval:
    """The interval in a match of `NAMED_INTERVAL` or `BARE_INTERVAL`; its bounds may be reversed, as printed."""
    low, high = number(match["low"]), number(match["high"])
    if low > high and re.search(r"\d\s?(?:--|–-|-–)\s?\d", match.group()):
        high = -high  # a long dash, typed as two short ones
    groups = match.groupdict()
    said = groups.get("level") or groups.get("after")
    return ConfidenceInterval(match.start(), match.end(), low, high, number(said) if said else level)


def number(written: str) -> float:
    """The value of a printed number."""
    plain = "".join(written.split())
    digits = plain.lstrip(f"{SIGNS}+")
    digits = digits.replace(",", "." if digits.startswith("0,") else "")
    size = float(re.sub(f"[{_POINTS}]", ".", digits))
    return -size if plain[0] in SIGNS else size


# ---- effect measures ----
# The effect measures and the names that papers use for them.

_NEVER = r"(?!)"


@dataclass(frozen=True, slots=True)
class _Measure:
    """An effect measure: its short form, its names in words (case-insensitive) and its abbreviations (case-sensitive)."""

    short: str
    words: str
    abbreviations: str = _NEVER
    no_effect: float | None = 0.0  # the value that stands for no effect; None: no value does
    may_be_adjusted: bool = False
    plain: bool = False  # named by everyday words that may mean something else


# Longer names come first.
_MEASURES = (
    _Measure("HR", r"(?:sub-?distribution\s+|cause-specific\s+)?hazards?[\s-]+ratios?", r"(?:cs|s|SD)?HRs?", 1.0, may_be_adjusted=True),
    _Measure("IRR", r"(?:incidence|incident)(?:\s+density)?\s+rate\s+ratios?", r"IRRs?", 1.0, may_be_adjusted=True),
    _Measure("OR", r"(?:common\s+|proportional\s+|cumulative\s+)?odds?[\s-]+ratios?", r"ORs?", 1.0, may_be_adjusted=True),
    _Measure("RRR", r"relative\s+risk\s+reductions?", r"RRRs?"),
    _Measure("RR", r"(?:relative\s+(?:risks?|rates?)|(?:risk|rate)[\s-]+ratios?)", r"RRs?", 1.0, may_be_adjusted=True),
    _Measure("PR", r"prevalence\s+ratios?", r"PRs?(?=\s?[=:,(]?\s?\d)", 1.0, may_be_adjusted=True),
    _Measure(
        "GMR",
        r"(?:geometric\s+)?means?\s+ratios?|ratios?\s+of\s+(?:the\s+)?(?:adjusted\s+)?(?:geometric\s+)?means?",
        r"GMRs?",
        1.0,
    ),
    _Measure("SMD", r"standardi[sz]ed\s+(?:mean\s+)?differences?(?:\s+in\s+means?)?", r"SMDs?"),
    _Measure("WMD", r"weighted\s+mean\s+differences?", r"WMDs?"),
    _Measure("ARR", r"absolute\s+(?:risk\s+)?reductions?(?:\s+in\s+risk)?", r"ARRs?"),
    _Measure("RD", r"(?:absolute\s+)?(?:risk|rate)\s+differences?", r"A?RDs?"),
    _Measure(
        "MD",
        r"(?:(?:least[- ]squares?|LS)\s+)?means?\s+(?:treatment\s+|(?:between-|inter-?)?group\s+)?differences?"
        r"|differences?\s+(?:in|of|between)\s+(?:(?:the|adjusted|LS|least[- ]squares|group)\s+)*means?",
        r"(?:LSMD|MD|AMD|ETD)s?",
    ),
    _Measure(
        "NNH", r"numbers?[\s-]+needed[\s-]+to[\s-]+harm|numbers?[\s-]+needed[\s-]+to[\s-]+treat[\s-]+to[\s-]+harm", r"NNHs?|NNTH", None
    ),
    _Measure("NNT", r"numbers?[\s-]+needed[\s-]+to[\s-]+treat(?:\s+to\s+benefit)?", r"NNTB?s?", None),
    _Measure(
        "β",
        r"(?:(?:un)?standardi[sz]ed\s+|regression\s+)*(?:beta|β)(?:[\s-]+(?:coefficients?|values?))?|regression\s+coefficients?",
    ),
    _Measure("d", r"Cohen['’]?s?['’]?\s+d", r"d(?=\s?=\s?[-−–]?\s?\d*[.·]\d)"),
    _Measure("g", r"Hedges?['’]?s?['’]?\s+g"),
    _Measure("ES", r"(?:standardi[sz]ed\s+)?effect[\s-]+sizes?(?:\s+of\s+the\s+difference)?", r"ES(?=\s?[=:])"),
    _Measure("effect", r"(?:estimated\s+)?(?:treatment|intervention)\s+effects?", plain=True),
    _Measure(
        "difference",
        r"(?:(?:(?:between|inter)-?\s?(?:group|arm|treatment)|treatment|group|absolute|adjusted|estimated|net|percentage|median|overall"
        r"|crude|unadjusted)\s+)*differences?",
        plain=True,
    ),
    _Measure("ratio", r"ratios?", no_effect=1.0, plain=True),
)  # fmt: skip
_BY_SHORT = {measure.short: measure for measure in _MEASURES}
_ADJUSTED = r"(?:(?:multivariabl[ey]|multivariate|fully|age|sex|covariate|model)?[\s-]?adjusted\s+|a(?=[A-Z]|dj)(?:dj(?:\.|usted)?\s?)?)"

NAME = re.compile(
    rf"(?<![\w-])(?P<adjusted>(?i:{_ADJUSTED})|a(?=[HOIRP]R))?(?:"
    + "|".join(f"(?P<m{place}>(?i:{one.words})|{one.abbreviations})" for place, one in enumerate(_MEASURES))
    + r")(?![\w])"
)
PLAIN = frozenset(measure.short for measure in _MEASURES if measure.plain)
_RATIOS = frozenset(measure.short for measure in _MEASURES if measure.no_effect == 1.0)


def short_form(match: re.Match[str]) -> str:
    """The short form of a name that `NAME` found, with the prefix "a" if it is adjusted: aHR."""
    measure = next(one for place, one in enumerate(_MEASURES) if match[f"m{place}"] is not None)
    return f"a{measure.short}" if match["adjusted"] and measure.may_be_adjusted else measure.short


def no_effect(measure: str) -> float | None:
    """The value of a measure that stands for no effect; None if there is none or the measure is unknown."""
    known = _BY_SHORT.get(measure.removeprefix("a"))
    return known.no_effect if known else None


# ---- stated effects ----
# The effects that a sentence states, with their intervals and p-values.

_LONGEST = 4000  # characters of a sentence that are examined: a table row may have more
_P_NEAR = 30  # characters after an effect within which its p-value must begin
_ABBREVIATION = 6  # an abbreviation is shorter than this
_UNIT_LENGTH = 40  # characters between a value and its interval, at most

# Between a measure and its value.
_AT_ONCE = re.compile(r"^\s?(?:[=:,≈]|was|were|is|of|\bat)?\s?[\[(]?\s?$", re.IGNORECASE)
_SAYS = re.compile(r"^[^\d;]{0,110}?(?:[=:,(\[]|\b(?:was|were|is|of|by|at|being|an?|to be|only|about))?\s?[\[(]?\s?$")
_SAYS_PLAINLY = re.compile(
    r"^(?:\s|\s?[=:,]\s?[\[(]?\s?|\s?[\[(]\s?|(?!\s+from\b)[^\d;:()\[\]]{0,90}?\b(?:was|were|is|of)\s(?:only\s|about\s)?[\[(]?)$",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    r"^[\s;,)\]]*(?:(?:and|or|to)\s)?(?:(?:for|in|at)\s[^\d;.]{1,50}[\s(,:=]|\s?[(]?)$"
)  # before another value of the same measure
# Follows the value of a plain measure if that value belongs to one group and the other group's comes next.
_OF_ONE_GROUP = re.compile(
    r"^\s?[\])]?\s?(?:vs\.?|versus|compared\s(?:with|to)|in\sthe\s[\w\s-]{1,40}?(?:group|arm)\b)", re.IGNORECASE
)
_WITHIN_GROUP = re.compile(
    r"\bbaseline\b|\bwithin[- ]group|\bbefore and after\b|\bpre-? ?(?:to|and) ?-?post", re.IGNORECASE
)
_FROM_BASELINE = re.compile(r"\b(?:compared (?:to|with)|than at|versus|relative to) (?:the )?baseline\b", re.IGNORECASE)
_BETWEEN_GROUPS = re.compile(
    r"\bbetween[- ](?:the )?(?:two |three |treatment |study )?(?:groups?|arms?)\b|\bversus\b|\bvs\b|\bcompared\b|\badjust",
    re.IGNORECASE,
)
_PLANNED = re.compile(r"\bpower(?:ed)?\b|\bsample sizes?\b|\bassum\w+|\bto detect\b", re.IGNORECASE)
_SIZES = ("ES", "d", "g")
_WITHIN = re.compile(r"\bwithin[- ]groups?\s?[\[(]?\s?$")
# What follows a number that is not a value: a level, patients, the end of a citation, one end of a range.
_NO_VALUE = re.compile(r"\s?(?:%\s?(?:CI|confidence)|patients|participants|of\s\d|/|[-–]\s?\d|±|\]|\(?SD|\(?SE)")
_VITAL_SIGNS, _VITAL = ("HR", "RR", "PR"), 30  # heart, respiratory and pulse rates: no ratio is this large
_CLOSING = re.compile(r"\s?[\])]")
_OPENING = re.compile(r"[\s,(\[]{1,3}")
_UNIT_DIGIT = re.compile(r"[^\W\d_]\s?[\^]?[-−]?[1-4]\b|/\s?\d+\s?[a-zA-Z]|\b10\s?[\^]?\s?\d\s?/|" + P_VALUE.pattern)


@dataclass(frozen=True, slots=True)
class _Name:
    measure: str
    start: int
    end: int
    level: float | None  # of the intervals that follow, if the name announces them: "OR (95% CI)"
    announced: bool


def effects(text: str, *, sentence: int = 0) -> list[Effect]:
    """The effects that a sentence states, in order; `sentence` is its index in its paper.

    Anything that is not clearly an effect between groups is left out, and so is a value outside its own interval.
    """
    text = text[:_LONGEST]
    if not any(map(str.isdigit, text)):
        return []
    return list(_effects(text, _names(text), sentence))


def _names(text: str) -> list[_Name]:
    """The measures that are named. A name followed by its abbreviation counts once."""
    found: list[_Name] = []
    for match in NAME.finditer(text):
        measure, start, end = short_form(match), match.start(), match.end()
        last = found[-1] if found else None
        between = text[last.end : start] if last else "-"
        if last and not between.strip(" ([,") and end - start < _ABBREVIATION and _alike(last.measure, measure):
            found.pop()
            start, measure = last.start, last.measure if last.measure.startswith("a") else measure
        closing = _CLOSING.match(text, end) if text[start - 1 : start] in ("(", "[") or start < match.start() else None
        end = closing.end() if closing else end
        announced = ANNOUNCED.match(text, end)
        level = announced["level"] if announced else None
        end = announced.end() if announced else end
        found.append(_Name(measure, start, end, number(level) if level else None, announced is not None))
    return found


def _alike(one: str, two: str) -> bool:
    return one.removeprefix("a") == two.removeprefix("a") or {one, two} <= {"MD", "difference", "RD", "ARR"}


def _effects(text: str, names: list[_Name], sentence: int) -> Iterator[Effect]:
    done = 0  # text before this offset already belongs to an effect
    for place, name in enumerate(names):
        stop = names[place + 1].start if place + 1 < len(names) else len(text)
        first: int | None = name.start
        at, says = name.end, _SAYS_PLAINLY if name.measure in PLAIN else _SAYS
        while first is not None and first >= done and (read := _next(text, name, at, stop, says)):
            value, value_start, value_end, interval = read
            if interval is None and says is not _ANOTHER:
                interval = _interval_before(text, name.start, done)
            end = max(value_end, interval.end) if interval else value_end
            if not _is_effect(text, name, (value, value_start, end), interval, says):
                break
            p, end = _p_after(text, end, stop)
            begin = value_start if says is _ANOTHER else min(first, interval.start) if interval else first
            yield Effect(
                measure=name.measure,
                value=value,
                low=interval.low if interval else None,
                high=interval.high if interval else None,
                level=(interval.level or name.level) if interval else None,
                p=p,
                text=_closed(text, begin, end),
                sentence=sentence,
            )
            done = at = end
            first, says = (end, _ANOTHER) if interval and name.measure not in PLAIN else (None, says)


def _next(
    text: str, name: _Name, at: int, stop: int, says: re.Pattern[str]
) -> tuple[float, int, int, ConfidenceInterval | None] | None:
    """The next value and its interval, (value, start, end, interval); None unless the text before it introduces a value."""
    opening = _OPENING.match(text, at)
    early = NAMED_INTERVAL.match(text, opening.end() if opening else at)
    if early and early.end() <= stop:
        value = VALUE.search(text, early.end(), stop)  # "HR (95% CI 0.6 to 0.9) was 0.75"
        if value is None or not _AT_ONCE.match(text[early.end() : value.start()]):
            return None
        return number(value["value"]), value.start(), value.end(), interval_of(early, name.level)
    value = VALUE.search(text, at, stop)
    if value is None or not says.match(text[at : value.start()]):
        return None
    return number(value["value"]), value.start(), value.end(), _interval_after(text, value.end(), stop, name)


def _is_effect(
    text: str, name: _Name, value: tuple[float, int, int], interval: ConfidenceInterval | None, says: re.Pattern[str]
) -> bool:
    size, start, end = value
    plain = name.measure in PLAIN
    if name.measure in _VITAL_SIGNS and size >= _VITAL:
        return False
    if interval is None:
        between = text[name.end : start]
        alone = not plain and says is not _ANOTHER and _AT_ONCE.match(between)
        if not between.strip(" ([") and "." not in text[start:end].replace("·", "."):
            return False  # "Adjusted mean difference (2)": a footnote mark
        return bool(alone) and not _NO_VALUE.match(text[end:]) and not _is_another_matter(text, name, end)
    if not interval.low <= size <= interval.high or (interval.low < 0 and name.measure.removeprefix("a") in _RATIOS):
        return False
    if (plain or says is _ANOTHER) and _OF_ONE_GROUP.match(text[end:]):
        return False
    told = text[: end + _P_NEAR] if _FROM_BASELINE.search(text) else text[name.start : end + _P_NEAR]
    within = name.measure in (*PLAIN, "MD") and _WITHIN_GROUP.search(told)
    return not within or _BETWEEN_GROUPS.search(told) is not None


def _is_another_matter(text: str, name: _Name, end: int) -> bool:
    """Whether a named measure may be no result: β without a p-value, a change within one group, a planned effect."""
    if _PLANNED.search(text):
        return True
    if name.measure == "β":  # may be the type II error
        return P_VALUE.search(text, end, end + 2 * _P_NEAR) is None
    if name.measure not in _SIZES:
        return False
    return _WITHIN.search(text[: name.start]) is not None or re.match(r"\s?%|\s?\)?\s?within", text[end:]) is not None


def _interval_after(text: str, at: int, stop: int, name: _Name) -> ConfidenceInterval | None:
    """The interval that follows a value; the value's unit may come between them."""
    named = NAMED_INTERVAL.search(text, at, min(len(text), stop + 200))
    if (
        named
        and named.start() - at <= _UNIT_LENGTH
        and not re.search(r"\d", _UNIT_DIGIT.sub("", text[at : named.start()]))
    ):
        return interval_of(named, name.level)
    unit = re.match(r"\s?(?:%|[^\W\d_][\w/%²³^·−-]{0,11}(?:\s[^\W\d_][\w/]{0,6})?)?[\s,;]{0,2}", text[at:])
    bare = BARE_INTERVAL.match(text, at + (unit.end() if unit else 0))
    if bare is None or (name.measure in PLAIN and not name.announced):
        return None
    return interval_of(bare, name.level)


def _interval_before(text: str, at: int, done: int) -> ConfidenceInterval | None:
    """An interval right before the measure's name: "95% CI 0.60 to 0.94; HR 0.75"."""
    last = None
    for match in NAMED_INTERVAL.finditer(text, max(done, at - 90), at):
        last = match
    return interval_of(last) if last and re.fullmatch(r"\s?[,;:)\]]?\s?", text[last.end() : at]) else None


def _p_after(text: str, at: int, stop: int) -> tuple[str, int]:
    """The p-value that follows, as printed, and where the effect ends with it."""
    match = P_VALUE.search(text, at, min(stop, at + 2 * _P_NEAR))
    if match is None or match.start() - at > _P_NEAR or re.search(r"\d", text[at : match.start()]):
        return "", at
    return match.group(), match.end()


def _closed(text: str, start: int, end: int) -> str:
    """`text[start:end]`, trimmed, with a missing closing bracket added and an unmatched one removed."""
    for opening, closing in ("()", "[]"):
        surplus = text.count(opening, start, end) - text.count(closing, start, end)
        if surplus > 0 and text[end : end + 1] == closing:
            end += 1
        elif surplus < 0 and text[end - 1] == closing:
            end -= 1
    return text[start:end].strip(" ,;")
