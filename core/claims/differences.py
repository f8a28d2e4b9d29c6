"""Differences in dose, population, time or measure that may explain why two papers disagree, found in their texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isclose

from core.text.numbers import measure_of

# Per anything else it is a concentration, as in "12 g/dL", and no dose. "5 mg/10 mg" is two doses.
_DOSE = re.compile(
    r"\b(\d+(?:,\d{3})*(?:\.\d+)?)[ -]?(mg|µg|μg|mcg|ug|g|iu|ml|units?|mmol)\b"
    r"((?:\s?/\s?(?:kg|day|d|m2|m²)\b)*)(?!\s?/\s?[^\W\d])",
    re.IGNORECASE,
)
_PER = {"d": "day", "m2": "m²"}
_TIME = re.compile(
    r"\b(\d+|one|two|three|four|five|six|eight|ten|twelve)[ -](hours?|days?|weeks?|months?|years?)\b", re.IGNORECASE
)
_NUMBERS = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "eight": "8", "ten": "10", "twelve": "12",
}  # fmt: skip
# Groups of people, with the words that name them. Usually at most one group of a line applies.
_PEOPLE = {
    "children": r"child(?:ren|hood)?|pa?ediatric|schoolchildren|infants?|toddlers?",
    "newborn babies": r"neonat\w+|newborns?|preterm infants?",
    "adolescents": r"adolescents?|teenagers?",
    "older people": r"elderly|older (?:adults?|people|persons?|patients)|geriatric|nursing homes?",
    "women": r"wom[ae]n|female|postmenopausal|mothers",
    "pregnant women": r"pregnan\w+",
    "men": r"\bm[ae]n\b(?!agement)|\bmales?\b",
    "healthy people": r"healthy (?:\w+ )?(?:volunteers?|subjects?|adults?|participants?|people|men|women)",
    "athletes": r"athletes?|trained (?:men|women|cyclists|runners)",
    "people with diabetes": r"diabet\w+",
    "people with obesity": r"obes\w+|overweight",
    "people with cancer": r"cancer|carcinoma|tumou?r",
    "critically ill people": r"critically ill|intensive care|septic",
}
_MEASURES = (
    "VAS", "NRS", "WOMAC", "SF-36", "SF-12", "EQ-5D", "HAM-D", "HDRS", "BDI", "PHQ-9", "MADRS", "HADS", "GAD-7", "STAI", "PANSS",
    "BPRS", "MMSE", "MoCA", "ADAS-Cog", "FEV1", "FVC", "HbA1c", "BMI", "LDL", "HDL", "CRP", "DAS28", "ACR20", "PASI", "IIEF",
    "IPSS", "UPDRS", "EDSS", "ODI", "RMDQ", "KOOS", "DASH", "PSQI", "ISI", "CGI", "YMRS", "ASRS", "ABC", "CARS", "APACHE", "SOFA",
)  # fmt: skip


_ABOUT = 0.01  # 12 months, 52 weeks and a year are the same time


@dataclass(frozen=True, slots=True)
class _Value:
    """A value as it is shown, what it measures, and its size in a unit that values of this kind share."""

    shown: str
    kind: str
    size: float = 0.0

    def same(self, other: _Value) -> bool:
        return self.kind == other.kind and isclose(self.size, other.size, rel_tol=_ABOUT)


def differences(statement: str, paper: str) -> tuple[str, ...]:
    """The differences in what both texts mention, such as "dose: 40 mg here, 10 mg there".

    `statement` is the statement with the text around it; `paper` is the other paper's passage and title.
    """
    found = []
    for name, read in _READ:
        here, there = read(statement), read(paper)
        if here and there and not any(one.same(other) for one in here for other in there):
            found.append(f"{name}: {_listed(here)} here, {_listed(there)} there")
    return tuple(found)


def _doses(text: str) -> list[_Value]:
    return [_dose(number.replace(",", ""), _unit(unit), per) for number, unit, per in _DOSE.findall(text)]


def _dose(number: str, unit: str, per: str) -> _Value:
    units = [_PER.get(one, one) for one in per.lower().replace(" ", "").split("/") if one]
    measure, size = measure_of("units" if unit == "unit" else unit)
    # A dose without "/day" mostly is that of a day, so only other units make it another kind of dose.
    kind = "/".join((measure, *(one for one in units if one != "day")))
    return _Value("/".join((f"{number} {unit}", *units)), kind, float(number) * size)


def _unit(unit: str) -> str:
    plain = unit.lower().removesuffix("s")
    return {"μg": "µg", "mcg": "µg", "ug": "µg", "iu": "IU"}.get(plain, plain)


def _times(text: str) -> list[_Value]:
    return [_time(_NUMBERS.get(number.lower(), number), unit.lower()) for number, unit in _TIME.findall(text)]


def _time(number: str, unit: str) -> _Value:
    one = unit.removesuffix("s")
    measure, size = measure_of(one)
    return _Value(f"{number} {one if number == '1' else f'{one}s'}", measure, float(number) * size)


def _people(text: str) -> list[_Value]:
    return [
        _Value(name, name) for name, words in _PEOPLE.items() if re.search(rf"(?:\b(?:{words})\b)", text, re.IGNORECASE)
    ]


def _measures(text: str) -> list[_Value]:
    return [_Value(name, name) for name in _MEASURES if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)]


_READ: tuple[tuple[str, Callable[[str], list[_Value]]], ...] = (
    ("dose", _doses),
    ("population", _people),
    ("time", _times),
    ("measure", _measures),
)
_SHOWN = 3


def _listed(values: Iterable[_Value]) -> str:
    ordered = sorted({value.shown for value in values}, key=lambda one: (not one[0].isdigit(), one))
    more = f" and {len(ordered) - _SHOWN} more" if len(ordered) > _SHOWN else ""
    return ", ".join(ordered[:_SHOWN]) + more
