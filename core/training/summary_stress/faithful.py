"""Sentences that say what the paper says: compressed, and reworded in plain words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from core.training.summary_stress import held_back
from core.training.summary_stress.vocabulary import FRAMES, PLAIN, Pairs

_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_OPENING = re.compile(
    r"^(?:in conclusion|in summary|however|furthermore|moreover|in addition|additionally|overall|finally|thus|therefore"
    r"|interestingly|importantly|in contrast|similarly|as expected|notably|consequently|in the present study),\s+",
    re.IGNORECASE,
)
_ASIDE = re.compile(r",\s+(?:which|who|where|respectively|in turn|as described|as shown|for example)\b[^,.;]*(?=[,.;])")
_SAID = re.compile(
    r"^(?:our (?:results|findings|data)|these (?:results|findings|data)|we|the results)"
    r" (?:showed?|found|observed|indicated?) that ",
    re.IGNORECASE,
)
_NUMBER_WORDS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen"
    " nineteen twenty"
).split()
_COUNTED = "patients|participants|subjects|women|men|children|weeks|months|years|days|groups|hours|people|studies|cases"
_VERBS = (
    "measured|assessed|evaluated|compared|examined|recorded|analysed|analyzed|collected|studied|investigated|tested"
    "|excluded|included|enrolled|recruited|identified|calculated|performed|used"
)
_ACTIVE = re.compile(
    rf"^We ({_VERBS}) (?P<what>(?:(?! (?:in|to|by|using|at|for|from|with|on|and|that|whether) )[^,;.])+)(?P<rest>.*)$"
)
_PASSIVE = re.compile(
    r"^(?P<what>(?:The|All|Blood|Data|Patients|Participants|A|An)[^,;.()]{3,60}?)"
    rf" (?:was|were) (?P<verb>{_VERBS})(?P<rest>\b.*)$"
)
_SPLIT = re.compile(r"(?:; |, whereas |, while |, but |, and )(?=(?:the|there|it|this|these|no|we|in)\b)")


def compressed(text: str, random: Random) -> str | None:
    """The sentence without asides, brackets and opening words; None if there is nothing to leave out."""
    short = _BRACKETS.sub("", text)
    short = _capital(_OPENING.sub("", short))
    short = _capital(_SAID.sub("", short))
    if random.random() < 0.5:
        short = _ASIDE.sub("", short)
    short = _tidy(short)
    return short if short != text and len(short.split()) >= 6 else None


def plain(text: str, following: str | None, random: Random, *, test: bool) -> str | None:
    """The sentence in other words, two or more rules deep; None if fewer apply."""
    start = compressed(text, random) or text
    changed, rules = start, 0
    steps: list[Callable[[str], str]] = [
        lambda s: _split(s, random),
        _numbers_in_words,
        _rounded,
        _voice,
        lambda s: _synonyms(s, PLAIN, random, most=3),
        lambda s: _synonyms(s, held_back.PLAIN, random, most=3) if test else s,
        lambda s: _merged(s, following, random),
        lambda s: _framed(s, held_back.FRAMES if test and random.random() < 0.6 else FRAMES, random),
    ]
    for step in steps:
        after = step(changed)
        rules += after != changed
        changed = after
    return _tidy(changed) if rules >= 2 else None


def replace_words(text: str, old: str, new: str) -> str:
    """The first occurrence of whole words replaced, with the capital that it has."""
    match = re.search(rf"(?<![\w-]){re.escape(old)}(?![\w-])", text, re.IGNORECASE)
    if not match:
        return text
    if match.group()[0].isupper():
        new = _capital(new)
    return text[: match.start()] + new + text[match.end() :]


def _synonyms(text: str, pairs: Pairs, random: Random, *, most: int) -> str:
    order = list(pairs)
    random.shuffle(order)
    done = 0
    for old, new in order:
        after = replace_words(text, old, new)
        done += after != text
        text = after
        if done == most:
            break
    return text


def _numbers_in_words(text: str) -> str:
    """Whole numbers from two to twenty spelt out, and round percentages as shares."""
    text = re.sub(r"\b50(?:\.0)?\s?%", "half", text, count=1)
    text = re.sub(r"\b(?:20(?:\.0)?)\s?%(?= of)", "one in five", text, count=1)
    text = re.sub(r"\b(?:25(?:\.0)?)\s?%(?= of)", "a quarter", text, count=1)
    return re.sub(
        r"(?<![\d.,/=<>±+–-])(?<![=<>±] )\b([2-9]|1\d|20)(?= (?:" + _COUNTED + "))",
        lambda match: _NUMBER_WORDS[int(match.group(1)) - 2],
        text,
    )


def _rounded(text: str) -> str:
    """Percentages with decimals, rounded and said to be about so much."""
    return re.sub(
        r"(?<![\w.])(\d{2})\.(\d+)\s?%",
        lambda match: f"about {round(float(match[1] + '.' + match[2]))}%",
        text,
        count=1,
    )


def _voice(text: str) -> str:
    """Active for passive, or the other way round."""
    if match := _ACTIVE.match(text):
        what = match["what"]
        verb = "were" if what.endswith("s") else "was"
        return f"{_capital(what)} {verb} {match.group(1)}{match['rest']}"
    if match := _PASSIVE.match(text):
        what = match["what"]
        return f"The researchers {match['verb']} {what[0].lower()}{what[1:]}{match['rest']}"
    return text


def _split(text: str, random: Random) -> str:
    parts = _SPLIT.split(text)
    if len(parts) < 2 or min(len(part.split()) for part in parts) < 6 or random.random() < 0.4:
        return text
    return _capital(random.choice(parts).rstrip(" .") + ".")


def _merged(text: str, following: str | None, random: Random) -> str:
    if not following or len(text.split()) + len(following.split()) > 40 or random.random() < 0.5:
        return text
    return f"{text.rstrip('. ')}, and {_lower(following)}"


def _framed(text: str, frames: Sequence[str], random: Random) -> str:
    return random.choice(frames).format(_lower(text)) if random.random() < 0.4 else text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower(text: str) -> str:
    """Without the capital of a sentence's beginning; names and abbreviations keep theirs."""
    return (
        text[0].lower() + text[1:]
        if len(text) > 1 and text[1].islower() and text.split(maxsplit=1)[0] in _STARTS
        else text
    )


_STARTS = frozenset(
    "The There This These Those In A An It We Our All No At After Both Most Patients Participants Although Mean Women Men Children Subjects".split()
)


def _tidy(text: str) -> str:
    text = re.sub(r"\s+([,.;])", r"\1", re.sub(r"\s+", " ", text)).strip()
    return re.sub(r"([,;])(?=[.;,])", "", text)
