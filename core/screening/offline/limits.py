"""Limits that a criterion sets: number of participants, year of publication, duration of the study, language."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from core.screening.model import Fit
from core.screening.offline.reading import CriterionFinding, Language, ScreenedPaper, ScreenedPart, quoted

_PEOPLE = r"(?:patients|participants|subjects|people|individuals|women|men|children|adults|volunteers|infants|students|adolescents|persons)"
_NUMBER = r"(\d{1,3}(?:[,  ]\d{3})+|\d+)"
_MORE = r"(?:≥|>=|>|at least|more than|over|above|minimum(?: of)?|no fewer than|no less than|not fewer than)"
_SIZE = re.compile(
    rf"\b(?:n|sample size)\s*(?:of|is|was|:)?\s*(?:{_MORE})\s*{_NUMBER}(?:\s*{_PEOPLE})?|{_MORE}\s*{_NUMBER}\s*(?:\w+ )?{_PEOPLE}\b",
    re.IGNORECASE,
)
_TAKEN = r"(?:randomi[sz]ed|randomly|enrolled|recruited|included|assigned|allocated|entered|participated|took part|completed)"
_TOTAL = re.compile(
    rf"\btotal of {_NUMBER}\s*(?:[\w-]+ ){{0,4}}?{_PEOPLE}\b|\b{_NUMBER} (?:[\w-]+ ){{0,3}}?{_PEOPLE}\b[^.;]{{0,40}}?\b{_TAKEN}\b"
    rf"|\b(?:randomi[sz]ed|enrolled|recruited|included|assigned|allocated) {_NUMBER} (?:[\w-]+ ){{0,3}}?{_PEOPLE}\b",
    re.IGNORECASE,
)
_TENS = {
    word: 10 * tens for tens, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_ONES = {
    word: number
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen".split(),
        1,
    )
}
_IN_WORDS = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})(?:[- ](?P<more>{'|'.join([*_ONES][:9])}))?|(?P<ones>{'|'.join(_ONES)}))"
    rf"(?=[- ](?:(?:calendar|full|adult|eligible) )?(?:(?:day|week|month|year)s?|{_PEOPLE})\b)",
    re.IGNORECASE,
)
_YEAR = r"((?:19|20)\d\d)"
_SINCE = re.compile(
    rf"\b(?:(?P<strict>after|later than|more recent than)|since|from|in or after|≥)\s*(?:the year )?{_YEAR}"
    rf"(?:\s*(?:onwards?|on|or later))?(?!\s*(?:to|-|–|until))|\b{_YEAR} (?:or later|onwards?)",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    rf"\b(?:(?P<strict>before|earlier than|prior to)|until|up to|by)\s*(?:the year )?{_YEAR}", re.IGNORECASE
)
_YEARS = re.compile(rf"\b(?:from|between)?\s*{_YEAR}\s*(?:to|and|-|–|until)\s*{_YEAR}", re.IGNORECASE)
_PUBLISHED = re.compile(r"\b(?:was |were |been )?(?:published|publication(?: year| date)?|year)\b", re.IGNORECASE)
_UNITS = {"day": 1, "week": 7, "month": 30.4, "year": 365.25}
_SPAN = r"(\d+(?:\.\d+)?)\s*-?\s*(day|week|month|year)s?\b"
_LASTS = (
    r"(?:follow(?:ed)?[- ]?up|follow-up|duration|treatment|intervention|observation|lasting|lasted|study period|trial)"
)
_LASTING = re.compile(
    rf"\b{_LASTS}\b[^.;\d]{{0,30}}?(?:≥|>=|>|at least|minimum(?: of)?|more than|over|longer than|no (?:less|shorter) than)\s*"
    rf"{_SPAN}(?:\s*(?:or (?:more|longer)))?"
    rf"|(?:≥|>=|>|\bat least|\bminimum(?: of)?|\bmore than|\bover|\blonger than)\s*{_SPAN}['’]?\s*(?:of |in )?(?:\w+ )?(?:{_LASTS}|long)\b"
    rf"|\b{_LASTS}\b[^.;\d]{{0,15}}?{_SPAN}\s*or (?:more|longer)|\b(?:lasting|lasted)\s*{_SPAN}",
    re.IGNORECASE,
)
_TIMES = re.compile(rf"\b{_SPAN}", re.IGNORECASE)
_FOLLOWED = re.compile(
    r"\bfollow(?:ed|[- ]?up)\b|\bfor\b|\bafter\b|\bover\b|\bduring\b|\bat\b|\bmonths?\b|\bweeks?\b", re.IGNORECASE
)
_IN_ENGLISH = re.compile(
    r"\b(?:published |written |articles? |papers? )*(?:in )?(?:the )?english(?:[- ]language)?(?: (?:language|only))*\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SampleSizeLimit:
    """At least this many participants."""

    fewest: int
    words: str

    def judge(self, reading: ScreenedPaper) -> CriterionFinding:
        """Judge by the largest number of participants. Smaller numbers may be of groups, so they never exclude."""
        best: tuple[int, int, str] | None = None
        total: tuple[int, int, str] | None = None
        for one in reading.at(
            ScreenedPart.TITLE, ScreenedPart.ABSTRACT, ScreenedPart.METHODS, ScreenedPart.RESULTS, ScreenedPart.TEXT
        ):
            for match in _TOTAL.finditer(one.text):
                found = (_first_number(match), one.index, match[0])
                best = found if best is None or found[0] > best[0] else best
                if "total of" in match[0].lower():
                    total = found if total is None or found[0] > total[0] else total
        if best is None:
            return CriterionFinding(Fit.UNCLEAR, "the paper does not plainly say how many took part")
        number, index, words = best
        if number >= self.fewest:
            return CriterionFinding(Fit.MET, f"{reading.places[index].says()} {quoted(words)}", (index,))
        if total == best and reading.has_methods:
            return CriterionFinding(
                Fit.NOT_MET, f"{reading.places[index].says()} {quoted(words)}, fewer than {self.fewest}", (index,)
            )
        return CriterionFinding(Fit.UNCLEAR, f"the largest number found is in {quoted(words)}", (index,))


@dataclass(frozen=True, slots=True)
class PublicationYearLimit:
    """Published between two years, inclusive."""

    first: float
    last: float
    words: str

    def judge(self, reading: ScreenedPaper) -> CriterionFinding:
        """Judge by the year that the file states."""
        year = reading.paper.year
        if year is None:
            return CriterionFinding(Fit.UNCLEAR, "the file does not say when the paper was published")
        fit = Fit.MET if self.first <= year <= self.last else Fit.NOT_MET
        return CriterionFinding(fit, f"it was published in {year}")


@dataclass(frozen=True, slots=True)
class DurationLimit:
    """A study or follow-up of at least so many days."""

    days: float
    words: str

    def judge(self, reading: ScreenedPaper) -> CriterionFinding:
        """Judge by the longest duration in title, abstract and methods. It is never NOT_MET."""
        longest: tuple[float, int, str] | None = None
        for one in reading.at(ScreenedPart.TITLE, ScreenedPart.ABSTRACT, ScreenedPart.METHODS, ScreenedPart.TEXT):
            if not _FOLLOWED.search(one.text):
                continue
            for match in _TIMES.finditer(one.text):
                if re.search(r"\bage[ds]?\b[^.;]{0,20}$", one.text[: match.start()], re.IGNORECASE) or re.match(
                    r"[ -](?:olds?|of age)\b", one.text[match.end() :]
                ):
                    continue
                days = _days(match[1], match[2])
                if longest is None or days > longest[0]:
                    longest = (days, one.index, match[0])
        if longest is None:
            return CriterionFinding(Fit.UNCLEAR, "the paper does not plainly say how long it lasted")
        days, index, words = longest
        if days >= self.days:
            return CriterionFinding(Fit.MET, f"{reading.places[index].says()} {quoted(words)}", (index,))
        return CriterionFinding(Fit.UNCLEAR, f"the longest time found is {quoted(words)}", (index,))


@dataclass(frozen=True, slots=True)
class EnglishLimit:
    """The paper must be in English."""

    words: str

    def judge(self, reading: ScreenedPaper) -> CriterionFinding:
        if reading.language is Language.ENGLISH:
            return CriterionFinding(Fit.MET, "the paper is in English")
        return CriterionFinding(Fit.UNCLEAR, "the text is too short to tell its language")


Limit = SampleSizeLimit | PublicationYearLimit | DurationLimit | EnglishLimit


def limits_in(text: str) -> tuple[list[Limit], str]:
    """The limits that a criterion sets, and the rest of its text."""
    asked: list[Limit] = []
    text = _IN_WORDS.sub(_in_digits, text)
    if match := _SIZE.search(text):
        asked.append(SampleSizeLimit(_first_number(match), match[0]))
        text = _without(text, match)
    if match := _LASTING.search(text):
        number, unit = [group for group in match.groups() if group][:2]
        asked.append(DurationLimit(_days(number, unit), match[0]))
        text = _without(text, match)
    if match := _YEARS.search(text):
        first, last = (int(group) for group in match.groups() if group)
        asked.append(PublicationYearLimit(first, last, match[0]))
        text = _PUBLISHED.sub(" ", _without(text, match))
    for pattern in (_SINCE, _UNTIL):
        if match := pattern.search(text):
            year = next(int(group) for group in match.groups() if group and group.isdigit())
            strict = int(bool(match["strict"]))
            since = pattern is _SINCE
            asked.append(
                PublicationYearLimit(
                    year + strict if since else -math.inf, math.inf if since else year - strict, match[0]
                )
            )
            text = _PUBLISHED.sub(" ", _without(text, match))
    if match := _IN_ENGLISH.search(text):
        asked.append(EnglishLimit(match[0]))
        text = _without(text, match)
    return asked, text


def _in_digits(match: re.Match[str]) -> str:
    """A number in words as digits."""
    tens, more, ones = (group.lower() if group else "" for group in match.groups())
    return str(_TENS.get(tens, 0) + _ONES.get(more or ones, 0))


def _without(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + " " * (match.end() - match.start()) + text[match.end() :]


def _first_number(match: re.Match[str]) -> int:
    return next(int(re.sub(r"\D", "", group)) for group in match.groups() if group)


def _days(number: str, unit: str) -> float:
    return float(number) * _UNITS[unit.lower()]
