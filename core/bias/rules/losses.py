"""How many were lost: the shares that a sentence states, in any of the usual ways of counting."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.bias.rules.reading import passages
from core.bias.rules.words import PARTICIPANTS, compiled

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = {
    word: 10 * number
    for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety hundred".split(), 2)
}
_NUMBERS = {word: number for number, word in enumerate(_UNITS)} | _TENS | {"none": 0}
_NUMBER_WORD = compiled(
    rf"\b(?:({'|'.join(_TENS)})[- ]({'|'.join(_UNITS[1:10])})|({'|'.join(_NUMBERS)}))\b(?! (?:groups?|arms?)\b)"
)
_SHARES = ((compiled(r"\b(?:a|one) third\b"), "33%"), (compiled(r"\b(?:two thirds|2 thirds)\b"), "67%"),
           (compiled(r"\b(?:a|one|1) quarter\b"), "25%"), (compiled(r"\bhalf\b(?: of)?"), "50%"),
           (compiled(r"\bper ?cent\b"), "%"))  # fmt: skip

LOST = compiled(
    r"\blost\b|\bdropp?(?:ed)?[- ]?outs?\b|\bdropped\b|\bwithdr(?:ew|awn|awals?|awing)\b|\bdiscontinu\w+"
    r"|\bdid not (?:complete|return|attend|finish|provide)|\bleft (?:the )?(?:study|trial|out)|\bhad left\b"
    r"|\bexcluded\b|\bexclusions?\b|\bnot (?:be )?(?:analy[sz]ed|included|followed|assessed|available)\b|\bmissing\b"
    r"|\bfailed to (?:complete|return|attend)|\battrition\b|\bloss(?:es)?\b|\bnon-?compl\w+|\bstopped\b"
    r"|\bmoved away\b|\bunavailable\b|\bnot seen\b"
)
KEPT = compiled(
    r"\bcomplet(?:ed|ers|ion)\b|\bfinished\b"
    r"|\b(?:were|was|and) (?!not)(?:\w+ )?(?:analy[sz]ed|followed(?: up)?|available|assessed|evaluated|evaluable)\b"
    r"|\bincluded in (?:the )?(?:\w+ )?analys[ei]s\b|(?<!to )(?<!first )\bfollow[- ]?up (?:was|rates?|of)\b"
    r"|\bretention\b|\bretained\b|\breturned\b|\bprovided data\b|\brecorded in\b|\bdata were available\b"
)
_PER_CENT = re.compile(r"(?<![\d.])(\d{1,3}(?:\.\d+)?) ?%(?! ?(?:CI|confidence)| of (?:their|his|her)\b)")
_UNIT = r"[\d.]*%|[- ]?(?:weeks?|months?|years?|days?|hours?|mg|ml|h)\b"  # after a number that counts nobody
_FRACTION = re.compile(r"(?<![\d.])(\d[\d,]*) ?(?:/|of(?: the| all)?|out of(?: the)?) ?(\d[\d,]*)(?![\d.]|%)")
_PARTS_OF_TOTAL = compiled(
    r"(?<!total )\bof (?:the )?(?:all )?(\d[\d,]*) [^.;]*?\b(?:randomi[sz]ed|enrolled|allocated|assigned|recruited"
    r"|entered|included|patients|participants|women|men|children|subjects|people|adults)\b"
    rf"[^.;\d]*?(?<![\d.])(\d[\d,]*)\b(?!{_UNIT})([^.;\d]*?(?<![\d.])(\d[\d,]*)\b(?!{_UNIT}))?"
)
_COUNT_OF_TOTAL = compiled(
    rf"\b(\d[\d,]*) (?:\w+ ){{0,3}}(?:were |was )?randomi[sz]ed\b[^.;\d]*?(?<![\d.])(\d[\d,]*)\b(?!{_UNIT})"
)
_RANDOMISED = compiled(
    rf"(?<![\d.])(\d[\d,]*) (?:[a-z]+ ){{0,3}}?(?:{PARTICIPANTS} )?(?:were |was )?(?:\w+ and )?(?:randomi[sz]ed"
    rf"|randomly (?:assigned|allocated))\b"
    r"|\brandomi[sz]ed (\d[\d,]*)\b(?! ?[:%])|\brandomly (?:assigned|allocated) (\d[\d,]*)\b"
)
_COUNTS = compiled(
    rf"(?<![\d.])(\d[\d,]*) (?:{PARTICIPANTS} )?(?:(?:in|from|on|of) [^.;\d]{{0,50}}?(?:and"
    rf"|,) (\d[\d,]*) (?:{PARTICIPANTS} )?(?:in|from|on|of) [^.;\d]{{0,40}}?)?(?:were |was |had "
    rf"|have )?(?:{LOST.pattern}|\bmissed\b)"
)
_COMPLETED = compiled(
    rf"(?<![\d.])(\d[\d,]*) (?:of them |{PARTICIPANTS} )?(?:had )?completed (?:the |all )?(?:\w+ )?(?:study|trial|follow-?up|protocol)\b"
)
_GROUPS = compiled(
    r"\b(?:groups?|arms?|controls?|placebo|drug|intervention|treatment|compared|versus|vs|against|than|both|each)\b"
)


# What is told of another phase, or of the treatment rather than the outcome.
_ELSEWHERE = compiled(
    r"\b(?:run-in|screen\w*|extension|open-label|not randomi[sz]ed|eligib\w+|prescribed|adheren\w+|complian\w+"
    r"|sample size|power|anticipat\w+|assum\w+|expected|estimated|to (?:ensure|allow|account|detect|compensate)"
    r"|discontinu\w+ (?:of )?(?:the |study |randomi[sz]ed |trial )*(?:treatment|drug|medication|therapy)"
    r"|baseline (?:\w+ ){0,3}(?:samples?|data|questionnaires?|assessments?|visits?)|exposures?|sessions?|lessons?"
    r"|bouts?|doses?|modules?|appointments?|pills?|injections?)\b"
)
_STATEMENT = compiled(r"(?<=[.;])\s+(?!\d)|,? (?:and )?(?=\b(?:thus|therefore|leaving)\b)")
_SMALLEST = 10  # participants: a smaller number is of some of them, not of a trial
_BEFORE = 3  # so many times as far is a word that stands before the number
_REACH = 70  # characters between a number and the word that tells what it counts


@dataclass(frozen=True, slots=True)
class Losses:
    """The shares of participants lost that one sentence states, 0 to 1, and its words."""

    shares: tuple[float, ...]
    words: str
    sentence: int
    by_group: bool  # the shares are those of groups

    @property
    def worst(self) -> float:
        return max(self.shares)

    @property
    def spread(self) -> float:
        """The difference between the last two shares, if they are of groups: an overall share is told before them."""
        return abs(self.shares[-1] - self.shares[-2]) if self.by_group else 0.0


def losses(sentences: Sequence[str]) -> list[Losses]:
    """Every statement of how many were lost, in order. Numbers without a total are of those who were randomised."""
    found = []
    total = _randomised(sentences)
    for number, sentence in enumerate(sentences):
        for passage in passages(sentence):
            for part in _STATEMENT.split(passage):
                text = _as_digits(part)
                shares = _shares(text) or _counted(text, total)
                if shares:
                    by_group = len(shares) > 1 and _GROUPS.search(text) is not None
                    found.append(Losses(tuple(shares), part, number, by_group))
    return found


def _as_digits(text: str) -> str:
    text = text.replace("·", ".")
    for pattern, share in _SHARES:
        text = pattern.sub(share, text)
    return _NUMBER_WORD.sub(lambda match: str(sum(_NUMBERS[word.lower()] for word in match.groups() if word)), text)


def _shares(text: str) -> list[float]:
    """The shares lost. A number counts as lost or kept by the nearer of such words."""
    if _ELSEWHERE.search(text):
        return []
    fractions = [(m, _ratio(m[1], m[2])) for m in _FRACTION.finditer(text)]
    per_cents = [(m, float(m[1]) / 100) for m in _PER_CENT.finditer(text)]
    stated = per_cents or fractions
    shares, counted = [], None
    for match, share in stated:
        lost = _is_lost(text, match.start(), match.end()) if share is not None and share <= 1 else None
        counted = lost if counted is None else counted  # the first tells what is counted; others may be parts of it
        if share is not None and lost is not None and lost == counted:
            shares.append(share if lost else 1 - share)
    if shares:
        return shares + (
            [0.0]
            if re.search(r"\b0 (?:in|did|of|on|from)\b|\bno(?:ne|body)? (?:in|on|did)\b", text) and len(shares) == 1
            else []
        )
    return _of_total(text)


def _of_total(text: str) -> list[float]:
    """ "Of 100 randomised, 31 in one group and 6 in the other were lost": groups are taken as equal in size."""
    match = _PARTS_OF_TOTAL.search(text) or _COUNT_OF_TOTAL.search(text)
    if match is None:
        return []
    total, counts = _whole(match[1]), [_whole(match[2])]
    lost = _is_lost(text, match.start(2), match.end(2))
    if lost is None or total < _SMALLEST or counts[0] > total:
        return []
    second = match[4] if match.re is _PARTS_OF_TOTAL else None
    if second is not None and _GROUPS.search(match[3]):
        counts.append(_whole(second))
        return [count / (total / 2) for count in counts] if lost and max(counts) <= total / 2 else []
    return [counts[0] / total if lost else 1 - counts[0] / total]


def _randomised(sentences: Sequence[str]) -> int | None:
    """How many were randomised: the largest number that any sentence gives."""
    texts = [_as_digits(passage) for sentence in sentences for passage in passages(sentence)]
    numbers = [_whole(next(filter(None, match.groups()))) for text in texts for match in _RANDOMISED.finditer(text)]
    largest = max(numbers, default=0)
    return largest if largest >= _SMALLEST else None


def _counted(text: str, total: int | None) -> list[float]:
    """ "Four in one group and three in the other were lost", where another sentence tells the total."""
    if total is None or _ELSEWHERE.search(text):
        return []
    completed = _COMPLETED.search(text)
    if completed is not None and _whole(completed[1]) <= total and not _GROUPS.search(text):
        return [1 - _whole(completed[1]) / total]
    match = _COUNTS.search(text)
    if match is None:
        return []
    counts = [_whole(count) for count in (match[1], match[2]) if count]
    if sum(counts) > total:
        return []
    return [count / (total / 2) for count in counts] if len(counts) == 2 else [counts[0] / total]


def _is_lost(text: str, start: int, end: int) -> bool | None:
    """Whether the nearest telling word is one of loss; None where none is near. Words after the number are preferred."""
    distances = []
    for lost, pattern in ((True, LOST), (False, KEPT)):
        for match in pattern.finditer(text):
            after = match.start() >= end
            distance = match.start() - end if after else start - match.end()
            if distance <= _REACH:
                distances.append((distance if after else _BEFORE * distance + 1, lost))
    return min(distances)[1] if distances else None


def _ratio(part: str, whole: str) -> float | None:
    return _whole(part) / _whole(whole) if _whole(whole) else None


def _whole(digits: str) -> int:
    return int(digits.replace(",", ""))
