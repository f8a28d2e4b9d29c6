"""Differences in dose, population, time or measure that may explain why two papers disagree, found in their texts."""

from __future__ import annotations

import re
from collections.abc import Callable

_DOSE = re.compile(
    r"\b(\d+(?:,\d{3})*(?:\.\d+)?)[ -]?(mg|µg|μg|mcg|ug|g|iu|ml|units?|mmol)\b(?:\s?/\s?(?:kg|day|d|m2|m²))*",
    re.IGNORECASE,
)
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


def differences(statement: str, paper: str) -> tuple[str, ...]:
    """The differences in what both texts mention, such as "dose: 40 mg here, 10 mg there".

    `statement` is the statement with the text around it; `paper` is the other paper's passage and title.
    """
    found = []
    for name, read in _READ:
        here, there = read(statement), read(paper)
        if here and there and not here & there:
            found.append(f"{name}: {_listed(here)} here, {_listed(there)} there")
    return tuple(found)


def _doses(text: str) -> set[str]:
    return {f"{number.replace(',', '')} {_unit(unit)}" for number, unit in _DOSE.findall(text)}


def _unit(unit: str) -> str:
    plain = unit.lower().removesuffix("s")
    return {"μg": "µg", "mcg": "µg", "ug": "µg", "iu": "IU"}.get(plain, plain)


def _times(text: str) -> set[str]:
    return {f"{_NUMBERS.get(n.lower(), n)} {_plural(unit, n)}" for n, unit in _TIME.findall(text)}


def _plural(unit: str, number: str) -> str:
    one = unit.lower().removesuffix("s")
    return one if number.lower() in ("1", "one") else f"{one}s"


def _people(text: str) -> set[str]:
    return {name for name, words in _PEOPLE.items() if re.search(rf"(?:\b(?:{words})\b)", text, re.IGNORECASE)}


def _measures(text: str) -> set[str]:
    return {name for name in _MEASURES if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)}


_READ: tuple[tuple[str, Callable[[str], set[str]]], ...] = (
    ("dose", _doses),
    ("population", _people),
    ("time", _times),
    ("measure", _measures),
)
_SHOWN = 3


def _listed(values: set[str]) -> str:
    ordered = sorted(values, key=lambda one: (not one[0].isdigit(), one))
    more = f" and {len(ordered) - _SHOWN} more" if len(ordered) > _SHOWN else ""
    return ", ".join(ordered[:_SHOWN]) + more
