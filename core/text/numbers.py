"""The numbers in a sentence, in digits or words, and whether two of them can mean the same."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache


class Quantity(StrEnum):
    """What a number counts or measures."""

    PERCENT = "percent"
    P_VALUE = "p-value"
    TIMES = "times"  # doubled, threefold
    PLAIN = "plain"  # a count, or a measurement with its unit


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written at `sentence[start:end]`. A percentage's value is in per cent."""

    value: float
    quantity: Quantity
    start: int
    end: int
    unit: str | None = None
    decimals: int = 0
    rough: bool = False  # "about", "half", "one in five"
    bound: str = "="  # of a p-value: "<", "=" or ">"


_SMALL = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_TIMES = {
    "twice": 2, "double": 2, "doubled": 2, "doubling": 2, "twofold": 2,
    "thrice": 3, "triple": 3, "tripled": 3, "threefold": 3, "fourfold": 4,
}  # fmt: skip

# Each unit by its names: its measure, and its size (in days, mg, ml and mm for the measures with several units).
_UNITS: dict[str, tuple[str, float]] = {
    name: (measure, size)
    for measure, size, names in [
        ("time", 1 / 86400, "second seconds sec s"), ("time", 1 / 1440, "minute minutes min mins"), ("time", 1 / 24, "hour hours h hr hrs"),
        ("time", 1, "day days d"), ("time", 7, "week weeks wk wks"), ("time", 30.4, "month months mo"), ("time", 365, "year years yr yrs"),
        ("mass", 1e-6, "ng nanograms"), ("mass", 1e-3, "µg μg ug mcg micrograms microgram"), ("mass", 1, "mg milligram milligrams"),
        ("mass", 1e3, "g gram grams"), ("mass", 1e6, "kg kilogram kilograms kilos"),
        ("volume", 1, "ml millilitre millilitres milliliter milliliters"), ("volume", 10, "cl"), ("volume", 1e3, "l litre litres liter liters"),
        ("length", 1, "mm millimetres millimeters"), ("length", 10, "cm centimetres centimeters"), ("length", 1e3, "m metre metres meter meters"),
        ("length", 1e6, "km kilometres kilometers"), ("pressure", 1, "mmhg"), ("amount", 1, "mmol mmol/l"), ("energy", 1, "kj"),
        ("energy", 4.184, "kcal calories"), ("points", 1, "points point"), ("dose", 1, "iu units"),
    ]
    for name in names.split()
}  # fmt: skip


def measure_of(unit: str) -> tuple[str, float]:
    """What a unit measures, and its size beside the other units of that measure. Raises `KeyError` if it is unknown."""
    return _UNITS[unit.lower()]


_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.·]\d+)?|(?<![\d\w])[.·]\d+"
_WORDS = rf"(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(list(_SMALL)[1:10])}))?|{'|'.join(sorted(_SMALL, key=len, reverse=True))}"
_NUMBER = (
    rf"(?:{_DIGITS}|\b(?:{_WORDS})\b(?:\s+(?:hundred|thousand|million))?|\ba\s+(?:hundred|thousand|million|dozen)\b)"
)
_ROUGH = re.compile(
    r"(?:about|around|approximately|nearly|almost|roughly|some|close to|just over|just under|over|more than|up to|under"
    r"|less than|at least|at most|~|≈|circa|ca\.?|an estimated)\s*$",
    re.IGNORECASE,
)
_P = re.compile(
    r"\bp\s*-?\s*(?:values?)?\s*(?:for [a-z ]{1,30})?(?:of|was|were|is|being)?"
    r"\s*(?P<bound>[<>=≤≥⩽⩾]|less than|below|under|greater than|above|equal to)"
    r"\s*(?P<value>0?[.·,]\d+|0|1(?:\.0+)?)",
    re.IGNORECASE,
)
_OF = re.compile(
    rf"(?P<n>{_NUMBER})\s*(?:/|out of(?: every)?|in(?= every)|of(?: the| a total of)?|in)\s*(?:every\s+)?(?P<total>{_NUMBER})(?!\s*(?:%|per\s?cent))",
    re.IGNORECASE,
)
_PART = re.compile(
    rf"\b(?:(?P<n>{_NUMBER}|an?|the)[ -])?(?P<part>half|thirds?|quarters?|fifths?|sixths?|tenths?)\b"
    r"(?=\s+(?:of|the|as|all|a)\b|\s+(?:were|was|had|did|died|got|people|patients|women|men|participants)\b)",
    re.IGNORECASE,
)
_TIMES_WORD = re.compile(
    rf"(?:\b(?:{'|'.join(_TIMES)})\b|(?P<n>{_NUMBER})[ -](?:fold|times)\b)"
    r"(?!\s+(?:a|an|per|each|every|daily|weekly|monthly)\b)",  # how often, not how much
    re.IGNORECASE,
)
_UNIT_NAMES = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_ANY = re.compile(
    rf"(?:(?<![\w.,·/-])|(?<=\d[-/]))[-–−+±]?(?P<n>{_NUMBER})"
    rf"(?:[ -]?(?P<percent>%|per\s?cent\b|percent\b|percentage points?\b)|[ -]?(?P<unit>{_UNIT_NAMES})\b)?(?![\w])",
    re.IGNORECASE,
)
# "for a month" is one unit of time; "three times a week" says how often.
_ONE_UNIT = re.compile(
    r"\b(?:for|after|over|within|about|around|nearly|almost|under|than|of|lasted|lasting|at|by|in|every|whole)\s+"
    r"(?P<all>(?:an?|one)\s+(?P<unit>minute|hour|day|week|month|year))\b",
    re.IGNORECASE,
)
_TIME_BEFORE = re.compile(r"\b((?:day|week|month|year)s?)\s+$", re.IGNORECASE)
_CITATION = re.compile(r"\[[\d\s,;–—-]+\]|\(\d{1,2}(?:\s?[,–-]\s?\d{1,2})*\)|\bet al\.?,? \(?\d{4}\)?")
_BELOW, _ABOVE = ("<", "≤", "⩽", "less than", "below", "under"), (">", "≥", "⩾", "greater than", "above")
_BOUNDS = dict.fromkeys(_BELOW, "<") | dict.fromkeys(_ABOVE, ">")


@lru_cache(maxsize=16384)
def numbers_in(sentence: str) -> tuple[Number, ...]:
    """The numbers of a sentence in order: p-values, shares, multiples, percentages, measurements and counts.

    The word "one" counts only before a unit of time. A number within a name ("IL-6") or a citation does not count.
    """
    text = _CITATION.sub(lambda match: " " * len(match.group()), sentence)
    found: list[Number] = []
    taken = [False] * len(text)

    def take(number: Number, start: int, end: int) -> None:
        found.append(number)
        taken[start:end] = [True] * (end - start)

    for match in _P.finditer(text):
        value = _value(match["value"].replace(",", "."))
        if value is not None:
            bound = _BOUNDS.get(match["bound"].lower(), "=")
            take(Number(value, Quantity.P_VALUE, *match.span(), bound=bound), *match.span())
    for match in _OF.finditer(text):
        n, total = _value(match["n"]), _value(match["total"])
        if n is not None and total and 0 < n < total and not any(taken[match.start() : match.end()]):
            rough = not match["n"][0].isdigit() or total <= 20
            found.append(
                Number(100 * n / total, Quantity.PERCENT, *match.span(), rough=rough, decimals=0 if rough else 1)
            )
            if rough and total <= 20:
                taken[match.start() : match.end()] = [True] * (match.end() - match.start())
    for match in _PART.finditer(text):
        base = _PARTS[match["part"].lower().removesuffix("s") if match["part"].lower() != "half" else "half"]
        n = 1.0 if (match["n"] or "a").lower() in ("a", "an", "the") else _value(match["n"])
        if n is not None and n < base and not any(taken[match.start() : match.end()]):
            take(Number(100 * n / base, Quantity.PERCENT, *match.span(), rough=True), *match.span())
    for match in _TIMES_WORD.finditer(text):
        times = _value(match["n"]) if match["n"] else float(_TIMES[match.group().lower()])
        if times is not None and not any(taken[match.start() : match.end()]):
            take(Number(times, Quantity.TIMES, *match.span(), decimals=_decimals(match.group())), *match.span())
    for match in _ONE_UNIT.finditer(text):
        if not any(taken[match.start("all") : match.end("all")]):
            unit = match["unit"].lower()
            take(Number(1.0, Quantity.PLAIN, *match.span("all"), unit), *match.span("all"))
    for match in _ANY.finditer(text):
        if any(taken[match.start() : match.end()]) or match["n"].lower() == "one":
            continue
        value = _value(match["n"])
        if value is None:
            continue
        rough = bool(_ROUGH.search(text[: match.start("n")]))
        quantity = Quantity.PERCENT if match["percent"] else Quantity.PLAIN
        unit = match["unit"].lower() if match["unit"] else _unit_before(text[: match.start()])
        rough &= unit is None or _UNITS[unit][0] != "time"  # "over 12 weeks" is how long it took
        take(Number(value, quantity, match.start("n"), match.end(), unit, _decimals(match["n"]), rough), *match.span())
    return tuple(sorted(found, key=lambda number: number.start))


def _unit_before(text: str) -> str | None:
    """The unit that stands before a number: "week 8"."""
    match = _TIME_BEFORE.search(text)
    return match.group(1).lower() if match else None


def _value(written: str) -> float | None:
    text = written.lower().replace("·", ".").strip()
    times = 1.0
    for word, size in (("hundred", 1e2), ("thousand", 1e3), ("million", 1e6), ("dozen", 12.0)):
        if text.endswith(word):
            text, times = text.removesuffix(word).strip(), size
    if text in ("", "a"):
        return times
    if text[0].isdigit() or text[0] == ".":
        try:
            return float(text.replace(",", "")) * times
        except ValueError:
            return None
    total = 0
    for part in re.split(r"[- ]", text):
        if part not in _SMALL and part not in _TENS:
            return None
        total += _SMALL.get(part, 0) + _TENS.get(part, 0)
    return total * times


def _decimals(written: str) -> int:
    match = re.search(r"[.·](\d+)", written)
    return len(match.group(1)) if match else 0


def consistent(said: Number, stands: Number) -> bool:
    """Whether a number in a summary can be the one in the paper: rounded, in words, or in another unit."""
    if Quantity.P_VALUE in (said.quantity, stands.quantity):
        return said.quantity is stands.quantity and _p_follows(said, stands)
    if said.quantity is not stands.quantity:
        percent, other = (said, stands) if said.quantity is Quantity.PERCENT else (stands, said)
        if Quantity.PERCENT is percent.quantity and Quantity.PLAIN is other.quantity:
            return other.unit is None and not percent.rough and _near(said, said.value, stands.value)
        if Quantity.PERCENT is percent.quantity:  # doubled: an increase by 100%
            return abs(percent.value - 100 * (other.value - 1)) < 5 or abs(percent.value - 100 * other.value) < 5
        return said.unit is None and stands.unit is None and _near(said, said.value, stands.value)
    if said.unit is None or said.unit == stands.unit:
        return _near(said, said.value, stands.value)
    if stands.unit is None:
        return False
    (measure, size), (other_measure, other_size) = _UNITS[said.unit], _UNITS[stands.unit]
    if measure != other_measure:
        return False
    one, two = said.value * size, stands.value * other_size
    return _near(said, said.value, stands.value) if size == other_size else abs(one - two) <= 0.1 * max(one, two)


def same_but_unit(said: Number, stands: Number) -> bool:
    """Whether two figures are equal, but not their units, or only one is in per cent."""
    return (
        said.value == stands.value
        and not said.rough
        and not consistent(said, stands)
        and Quantity.P_VALUE not in (said.quantity, stands.quantity)
    )


def comparable(said: Number, stands: Number) -> bool:
    """Whether two numbers are of one kind, so that one may take the other's place."""
    if said.quantity is not stands.quantity:
        return False
    if said.unit is None or stands.unit is None:
        return said.unit is stands.unit
    return _UNITS[said.unit][0] == _UNITS[stands.unit][0]


def _near(said: Number, one: float, two: float) -> bool:
    one, two = abs(one), abs(two)
    if abs(one - two) <= 0.5 * 10.0**-said.decimals * 1.0001 and (said.decimals or two != int(two) or one == two):
        return True
    if said.rough:
        return abs(one - two) <= max(0.08 * max(one, two), 2.5 if said.quantity is Quantity.PERCENT else 0.0)
    return one >= 200 and one % 100 == 0 and abs(one - two) <= 0.03 * two


def _p_follows(said: Number, stands: Number) -> bool:
    if said.bound == "<":
        return stands.bound in ("<", "=") and stands.value <= said.value
    if said.bound == ">":
        return stands.bound in (">", "=") and stands.value >= said.value
    if stands.bound == "=":
        return abs(said.value - stands.value) <= 0.05 * stands.value + 1e-9 or round(stands.value, 2) == said.value
    return said.value < stands.value if stands.bound == "<" else said.value > stands.value
