"""Age and sex: what a criterion asks for, and what a paper says about its participants."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.screening.model import Fit
from core.screening.offline.reading import CriterionFinding, ScreenedPaper, ScreenedPart, quoted

_PLACES = (ScreenedPart.TITLE, ScreenedPart.ABSTRACT, ScreenedPart.METHODS, ScreenedPart.TEXT, ScreenedPart.RESULTS)
_YEARS = r"(?:years?|yrs?|y\.?o?\.?)\b"
_MONTHS = r"(?:months?|mo)\b"
# Ages in years by the word for them. The upper age is exclusive.
_WORDS: tuple[tuple[str, float, float], ...] = (
    (r"(?:neonat(?:es?|al)|new-?borns?)", 0, 1),
    (r"infants?|toddlers?|bab(?:y|ies)", 0, 5),
    (r"child(?:ren|hood)?|p(?:a)?ediatrics?|school-?children|pre-?schoolers?", 0, 18),
    (r"adolescen(?:ts?|ce)|teen(?:ager)?s?|young people|youths?", 10, 20),
    (
        r"(?:older|elderly|aged) (?:adults?|people|persons?|patients?|women|men)|elderly|geriatric|seniors?",
        60,
        math.inf,
    ),
    (r"(?:young |middle-aged )?adults?", 18, math.inf),
)
_GROUPS = tuple((re.compile(rf"\b(?:{text})\b", re.IGNORECASE), low, high) for text, low, high in _WORDS)
_MINORS = re.compile(
    r"\b(?:neonat\w+|new-?borns?|infants?|toddlers?|child(?:ren)?|p(?:a)?ediatric|adolescents?|school\w*)\b",
    re.IGNORECASE,
)
_GROWN = re.compile(r"\b(?:adults?|elderly|older|men|women|mothers?|parents?|carers?|teachers?)\b", re.IGNORECASE)

# A number followed by another unit, or by months that are not an age, is no age: "8 and 18 weeks pregnant".
_OTHER_UNIT = r"(?!\s*-?\s*(?:%|(?:percent|weeks?|wks?|days?|hours?|kg)\b|months? (?:of (?!age)|after|pregnant|post)))"

_AT_LEAST = re.compile(
    r"(?:\b(?:aged?|ages?)\b[^\d;.]{0,20}?)?(?:≥|>=|>|\bat least|\bover|\babove|(?<!no )(?<!not )\bolder than|\bfrom|\bminimum(?: age)?(?: of)?"
    rf"|\bno younger than|\bnot younger than)\s*(?P<low>\d{{1,3}})\s*-?\s*(?:{_YEARS}(?:[ -](?:old|of age))?)"
    rf"|\b(?P<low2>\d{{1,3}})\s*(?:{_YEARS})?(?:[ -](?:old|of age))?\s*(?:and|or) (?:older|over|above|more)\b"
    rf"|\b(?P<low3>\d{{2}})\s?\+\s*(?:{_YEARS})?"
    r"|\b(?:aged?|ages?)\s*(?:of\s*)?(?:≥|>=|>|at least|over|above|older than|from)\s*(?P<low4>\d{1,3})\b(?!\s*(?:months|-|–|to))"
    rf"{_OTHER_UNIT}",
    re.IGNORECASE,
)
_AT_MOST = re.compile(
    r"(?:<|≤|<=|\bunder|\bbelow|(?<!no )(?<!not )\byounger than|\bup to|\bless than|\bno older than|\bnot older than)\s*"
    rf"(?P<high>\d{{1,3}})\s*-?\s*{_YEARS}"
    r"(?:[ -](?:old|of age))?|\b(?:aged?|ages?)\s*(?:of\s*)?(?:<|≤|<=|under|below|younger than|up to|less than)\s*(?P<high2>\d{1,3})\b"
    rf"{_OTHER_UNIT}|\b(?P<high3>\d{{1,3}})\s*{_YEARS}(?:[ -](?:old|of age))?\s*(?:and|or) (?:younger|under|below|less)\b",
    re.IGNORECASE,
)
_DASH = r"\s*(?:years?|months?)?\s*(?:-|–|−|\bto\b|\band\b|\bthrough\b)\s*"
_RANGE = re.compile(
    rf"\b(?:aged?|ages?)\b[^\d;.()]{{0,20}}?(?P<low>\d{{1,3}}){_DASH}(?P<high>\d{{1,3}})\b{_OTHER_UNIT}\s*(?:{_MONTHS}|{_YEARS})?"
    rf"|\b(?P<low2>\d{{1,3}}){_DASH}(?P<high2>\d{{1,3}})[ -](?:{_MONTHS}|{_YEARS})[ -](?:olds?|of age)\b",
    re.IGNORECASE,
)
_LIMITS = (_RANGE, _AT_LEAST, _AT_MOST)
# "The mean age of the 38 infants" gives a number of people, and no age.
_MEAN = re.compile(
    r"\b(?:mean|average|median)(?: \(?(?:±|SD|standard deviation)\)?)? age\b[^\d;]{0,40}?"
    r"(?<!the )(?P<mean>\d{1,2}(?:\.\d+)?)(?!\s*(?:months|weeks|days|%))"
    r"(?:\s*(?:years)?\s*(?:±|\+/-|\((?:SD|±)?\s*=?:?)\s*(?P<sd>\d{1,2}(?:\.\d+)?))?",
    re.IGNORECASE,
)
# Words for inclusion and exclusion. One before an age applies to it; otherwise one after it in the same clause.
_TURN = re.compile(
    r"(?P<out>(?<!inclusion/)(?<!inclusion and )(?<!inclusion or )\bexclu(?:sion criteri\w+(?: [\w-]+){0,5}? includ|d|sion)\w*"
    r"|\bineligible|\bnot (?:be )?eligible)"
    r"|\b(?:inclu|eligib|enrol|recruit)\w*",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    r"[^.,;:]*\b(?:(?:were|was|are|be) (?:\w+ )?excluded|(?:ineligible|not (?:be )?eligible))\b", re.IGNORECASE
)
_SD = 10.0  # in years, if a mean is given without its standard deviation


@dataclass(frozen=True, slots=True)
class Ages:
    """Ages in years, from `low` up to but not including `high`."""

    low: float
    high: float

    def within(self, other: Ages) -> bool:
        return other.low <= self.low and self.high <= other.high

    def apart(self, other: Ages) -> bool:
        return self.high <= other.low or other.high <= self.low


@dataclass(frozen=True, slots=True)
class AgeLimit:
    """The ages that a criterion asks for, and its words for them."""

    ages: Ages
    words: str

    def judge(self, reading: ScreenedPaper) -> CriterionFinding:
        """Judge by the first age that the paper states, or else by the words in its title and abstract."""
        stated = next(_stated(reading), None)
        if stated is None:
            return CriterionFinding(
                Fit.UNCLEAR, f"the paper states no age that tells whether {quoted(self.words)} holds"
            )
        ages, reason, sentences = stated
        if ages.within(self.ages):
            return CriterionFinding(Fit.MET, reason, sentences)
        if ages.apart(self.ages):
            return CriterionFinding(Fit.NOT_MET, f"{reason}, which is not {quoted(self.words)}", sentences)
        return CriterionFinding(Fit.UNCLEAR, f"{reason}, which fits {quoted(self.words)} in part at most", sentences)


@dataclass(frozen=True, slots=True)
class SexLimit:
    """Only women, or only men."""

    women: bool
    words: str

    def judge(self, reading: ScreenedPaper) -> CriterionFinding:
        """Judge by the words for women and men in title, abstract and methods."""
        found: dict[bool, tuple[int, str]] = {}
        for one in reading.at(ScreenedPart.TITLE, ScreenedPart.ABSTRACT, ScreenedPart.METHODS, ScreenedPart.TEXT):
            for women, pattern in ((True, _WOMEN), (False, _MEN)):
                match = pattern.search(one.text)
                if match and women not in found:
                    found[women] = (one.index, match[0])
        if len(found) == 2:
            sentences = tuple(index for index, _ in found.values())
            return CriterionFinding(Fit.UNCLEAR, "the paper speaks of women and of men", sentences)
        if not found:
            return CriterionFinding(Fit.UNCLEAR, f"the paper does not tell whether {quoted(self.words)} holds")
        ((women, (index, word)),) = found.items()
        reason = f"of the sexes, the paper names only {quoted(word.lower())}"
        titled = reading.places[index] in (ScreenedPart.TITLE, ScreenedPart.ABSTRACT)
        fit = Fit.MET if women is self.women else Fit.NOT_MET if titled and reading.has_methods else Fit.UNCLEAR
        return CriterionFinding(fit, reason, (index,))


_WOMEN = re.compile(r"\b(?:wom[ae]n|females?|girls?|mothers?)\b", re.IGNORECASE)
_MEN = re.compile(r"\b(?:m[ae]n|males?|boys?|fathers?)\b", re.IGNORECASE)
_ONE_SEX = re.compile(r"\b(?:only )?(wom[ae]n|females?|m[ae]n|males?)(?: only)?\b", re.IGNORECASE)


def people_limits_in(text: str) -> tuple[list[AgeLimit | SexLimit], str]:
    """The ages and the sex that a criterion asks for, and the rest of its text."""
    asked: list[AgeLimit | SexLimit] = []
    numbers: list[tuple[Ages, str]] = []
    for pattern in _LIMITS:
        while match := pattern.search(text):
            numbers.append((_ages(match), match[0].strip()))
            text = text[: match.start()] + " " * (match.end() - match.start()) + text[match.end() :]
    words: list[tuple[Ages, str]] = []
    for pattern, low, high in _GROUPS:
        while match := pattern.search(text):
            words.append((Ages(low, high), match[0].strip()))
            text = text[: match.start()] + " " * (match.end() - match.start()) + text[match.end() :]
    if numbers:  # in "adults aged 18 to 65", the numbers count
        low, high = max(ages.low for ages, _ in numbers), min(ages.high for ages, _ in numbers)
        if low < high:
            asked.append(AgeLimit(Ages(low, high), " and ".join(said for _, said in numbers)))
    elif words:  # "children or adolescents", "children and adults": all of them
        low, high = min(ages.low for ages, _ in words), max(ages.high for ages, _ in words)
        asked.append(AgeLimit(Ages(low, high), " and ".join(said for _, said in reversed(words))))
    sexes = list(_ONE_SEX.finditer(text))
    if len({match[1][0].lower() in "wf" for match in sexes}) == 1:
        asked.append(SexLimit(sexes[0][1][0].lower() in "wf", sexes[0][0]))
    text = _ONE_SEX.sub(lambda match: " " * len(match[0]), text)
    return asked, text


def _ages(match: re.Match[str]) -> Ages:
    found = {name: float(value) for name, value in match.groupdict().items() if value}
    unit = 1 / 12 if re.search(r"\bmo(?:nths?)?\b", match[0], re.IGNORECASE) else 1.0
    low = next((value for name, value in found.items() if name.startswith("low")), 0.0)
    high = next((value for name, value in found.items() if name.startswith("high")), math.inf)
    below = re.search(
        r"<(?!=)|\b(?:under|below|younger than|less than)\b(?<!or under)(?<!or below)", match[0], re.IGNORECASE
    )
    not_below = re.search(r"\bno(?:t)? (?:older|younger) than\b", match[0], re.IGNORECASE)
    return Ages(low * unit, (high if below and not not_below else high + 1) * unit)


def _stated(reading: ScreenedPaper) -> Iterator[tuple[Ages, str, tuple[int, ...]]]:
    """What the paper says about ages, the surest first: limits, exclusions, means, words in title and abstract."""
    sentences = reading.at(*_PLACES)
    limits = [(one, match) for pattern in _LIMITS for one in sentences if (match := _let_in(pattern, one.text))]
    for one, match in limits:
        yield _ages(match), f"{reading.places[one.index].says()} {quoted(match[0])}", (one.index,)
    for one in sentences:
        ages_in = (match for pattern in _LIMITS for match in _stated_in(pattern, one.text))
        excluded = sorted((match for match in ages_in if _is_excluded(one.text, match)), key=re.Match.start)
        kept = _outside([_ages(match) for match in excluded])
        if kept is not None:
            words = " and ".join(quoted(match[0]) for match in excluded)
            yield kept, f"{reading.places[one.index].says('exclude')} {words}", (one.index,)
    for one in sentences:
        match = _MEAN.search(one.text)
        if match:
            mean, deviation = float(match["mean"]), float(match["sd"] or _SD)
            ages = Ages(max(0.0, mean - 2 * deviation), mean + 2 * deviation)
            yield ages, f"{reading.places[one.index].says()} {quoted(match[0])}", (one.index,)
    for one in reading.at(ScreenedPart.TITLE, ScreenedPart.ABSTRACT):
        groups = [(match, Ages(low, high)) for pattern, low, high in _GROUPS if (match := pattern.search(one.text))]
        mixed = _MINORS.search(one.text) and _GROWN.search(one.text)
        if groups and not mixed:
            match, ages = groups[0]
            yield ages, f"{reading.places[one.index].says('speak')} of {quoted(match[0])}", (one.index,)


def _stated_in(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The ages that a sentence states, both included and excluded ones."""
    return (
        match
        for match in pattern.finditer(text)
        if _of_age(text, match) and _ages(match).low < min(_ages(match).high, 120)
    )


def _let_in(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    return next((match for match in _stated_in(pattern, text) if not _is_excluded(text, match)), None)


def _is_excluded(text: str, match: re.Match[str]) -> bool:
    """Whether people of this age were excluded."""
    *_, turn = [None, *_TURN.finditer(text, 0, match.start())]
    return bool(turn["out"] if turn else _LEFT_OUT.match(text, match.end()))


def _outside(excluded: list[Ages]) -> Ages | None:
    """The ages that remain after exclusions. None if the youngest remain, because then it is unclear who took part."""
    low = max((ages.high for ages in excluded if ages.low == 0), default=0.0)
    high = min((ages.low for ages in excluded if ages.high == math.inf), default=math.inf)
    return Ages(low, high) if 0 < low < high else None


def _of_age(text: str, match: re.Match[str]) -> bool:
    """Whether the number is an age, and not a duration as in "over 12 years of follow-up"."""
    around = text[max(0, match.start() - 30) : match.end() + 20].lower()
    return bool(
        re.search(r"\bage[ds]?\b|\b(?:years?|yrs?|months?)[ -]olds?\b|\bolder\b|\byounger\b|\bof age\b", around)
    )
