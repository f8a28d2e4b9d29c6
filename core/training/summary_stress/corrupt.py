"""One thing made wrong in a sentence that was right, for each kind of mistake."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from core.training.summary_stress import held_back
from core.training.summary_stress import vocabulary as words
from core.training.summary_stress.faithful import replace_words
from core.training.summary_stress.items import Wrong
from core.training.summary_stress.vocabulary import Pairs

_FIGURE = re.compile(
    r"(?<![\w.,/–-])(?P<n>\d+(?:\.\d+)?)"
    r"(?P<unit>\s?%| (?:weeks|months|years|days|hours|minutes|mg|g|kg|ml|cm|mm)\b)?(?![\w/]|\.\d|,\d)"
)
_P = re.compile(r"\b(?P<p>[Pp]\s?)(?P<bound>[<>=])(?P<gap>\s?)(?P<n>0?\.\d+)")
_CITED = re.compile(r"[\[(]\d[\d,;–\s-]*[\])]|\^\S+")  # references, and exponents
_SPELT = {
    "two": "four", "three": "five", "four": "seven", "five": "eight", "six": "ten", "eight": "five", "ten": "six",
    "twelve": "twenty", "half": "a third", "one in five": "one in three", "a quarter": "a half",
}  # fmt: skip
_OTHER_UNITS = {
    "weeks": "months", "months": "weeks", "years": "months", "days": "weeks", "hours": "minutes", "minutes": "hours",
    "mg": "g", "g": "mg", "kg": "g", "ml": "l", "cm": "mm", "mm": "cm",
}  # fmt: skip
_NAME = r"(?:the |an? )?[\w-]+(?: [\w-]+)?"
_AROUND = re.compile(
    rf"(?P<one>{_NAME}) (?P<hinge>than|versus|vs\.?|compared with|compared to)"
    rf" (?P<in>(?:in |with |for |those in )?)(?P<two>{_NAME})"
)
_HINGES = ("than", "versus", "compared", "vs")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a corruption may draw on."""

    numbers: Sequence[str]  # figures of the same paper, as written
    own_terms: Sequence[str]  # rare words that the paper uses more than once
    foreign_terms: Sequence[str]  # rare words of other papers that this one never uses
    arms: tuple[str, str] | None  # intervention and comparator, in the paper's words


def corrupted(text: str, wrong: Wrong, around: Surroundings, random: Random, *, test: bool) -> str | None:
    """The sentence with one thing wrong; None if it offers no hold for this."""
    match wrong:
        case Wrong.NUMBER:
            return _number(text, around, random)
        case Wrong.DIRECTION:
            return _one_of(text, _mixed(words.OPPOSITES, held_back.OPPOSITES, random, test=test))
        case Wrong.ROLE:
            return _role(text, around, random, test=test)
        case Wrong.CERTAINTY:
            return _certainty(text, random, test=test)
        case Wrong.ABSOLUTE:
            return _absolute(text, random, test=test)
        case Wrong.ENTITY:
            return _entity(text, around, random)
        case _:
            raise ValueError(f"{wrong} is not made from a sentence of the paper")


def _mixed(common: Pairs, held_back: Pairs, random: Random, *, test: bool) -> list[tuple[str, str]]:
    """The pairs in random order; in the test, those that tuning never sees come first more often than not."""
    first, second = list(common), list(held_back) if test else []
    random.shuffle(first)
    random.shuffle(second)
    return second + first if random.random() < 0.6 else first + second


def _one_of(text: str, pairs: Sequence[tuple[str, str]]) -> str | None:
    return next((after for old, new in pairs if (after := replace_words(text, old, new)) != text), None)


def _number(text: str, around: Surroundings, random: Random) -> str | None:
    ways = [_other_figure, _other_unit, _other_p]
    random.shuffle(ways)
    for way in [ways[0], _other_figure, *ways]:
        after = way(text, around, random)
        if after and after != text:
            return after
    for old, new in random.sample(sorted(_SPELT.items()), len(_SPELT)):
        after = replace_words(text, old, new)
        if after != text:
            return after
    return None


def _other_figure(text: str, around: Surroundings, random: Random) -> str | None:
    cited = [place for match in _CITED.finditer(text) for place in range(*match.span())]
    figures = [match for match in _FIGURE.finditer(text) if float(match["n"]) > 1 and match.start() not in cited]
    if not figures:
        return None
    match = random.choice(figures)
    old, here = match["n"], {other["n"] for other in figures}
    decimals = len(old.partition(".")[2])
    others = [
        n
        for n in around.numbers
        if n not in here and len(n.partition(".")[2]) == decimals and 0.2 < float(n) / float(old) < 5
    ]
    times = random.choice((0.4, 0.6, 0.75, 1.3, 1.6, 2.5))
    new = random.choice(others) if others and random.random() < 0.3 else f"{float(old) * times:.{decimals}f}"
    if new in here or float(new) == float(old):
        new = f"{float(old) + 3:.{decimals}f}"
    return text[: match.start("n")] + new + text[match.end("n") :]


def _other_unit(text: str, around: Surroundings, random: Random) -> str | None:
    found = [match for match in _FIGURE.finditer(text) if (match["unit"] or "").strip() in _OTHER_UNITS]
    if not found:
        return None
    match = random.choice(found)
    return f"{text[: match.start('unit')]} {_OTHER_UNITS[match['unit'].strip()]}{text[match.end('unit') :]}"


def _other_p(text: str, around: Surroundings, random: Random) -> str | None:
    match = _P.search(text)
    if not match:
        return None
    value = float(match["n"])
    if match["bound"] == "=":
        new = f"{value * 10:.2f}" if value < 0.05 else f"{value / 20:.3f}"
        return text[: match.start("n")] + new + text[match.end("n") :]
    bound = "<" if match["bound"] == ">" else ">"
    return text[: match.start("bound")] + bound + text[match.end("bound") :]


def _role(text: str, around: Surroundings, random: Random, *, test: bool) -> str | None:
    ways = ["arms", "around", "word"]
    random.shuffle(ways)
    for way in ways:
        after = None
        if way == "arms" and around.arms:
            after = _exchanged(text, *around.arms)
        elif way == "around" and (match := _AROUND.search(text)):
            after = (
                f"{text[: match.start()]}{match['two']} {match['hinge']} {match['in']}{match['one']}{text[match.end() :]}"
                if match["one"].split()[-1] not in _HINGES and match["one"] != match["two"]
                else None
            )
        elif way == "word":
            after = _one_of(text, _mixed(words.ROLES, held_back.ROLES, random, test=test))
        if after and after != text:
            return after
    return None


def _exchanged(text: str, one: str, two: str) -> str | None:
    places = [re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) for name in (one, two)]
    if not all(places):
        return None
    first, second = sorted((place for place in places if place), key=lambda place: place.start())
    if first.end() > second.start():
        return None
    return (
        text[: first.start()]
        + second.group()
        + text[first.end() : second.start()]
        + first.group()
        + text[second.end() :]
    )


def _certainty(text: str, random: Random, *, test: bool) -> str | None:
    after = _one_of(text, _mixed(words.SURER, held_back.SURER, random, test=test))
    if after or random.random() < 0.6:
        return after
    frames = held_back.SURE_FRAMES if test and random.random() < 0.6 else words.SURE_FRAMES
    return random.choice(frames).format(text[0].lower() + text[1:] if text[1].islower() else text)


def _absolute(text: str, random: Random, *, test: bool) -> str | None:
    if random.random() < 0.3:
        ends = held_back.ABSOLUTE_ENDS if test and random.random() < 0.6 else words.ABSOLUTE_ENDS
        return f"{text.rstrip('. ')}{random.choice(ends)}."
    return _one_of(text, _mixed(words.ABSOLUTE, held_back.ABSOLUTE, random, test=test))


def _entity(text: str, around: Surroundings, random: Random) -> str | None:
    """A rare word of the paper replaced by another paper's, or one of theirs put beside it."""
    own = [
        term for term in around.own_terms if re.search(rf"(?<![\w-]){re.escape(term)}(?![\w-])", text, re.IGNORECASE)
    ]
    if not own or not around.foreign_terms:
        return None
    term = random.choice(own)
    alike = [other for other in around.foreign_terms if other[-2:] == term[-2:]]
    other = random.choice(alike or list(around.foreign_terms))
    return replace_words(text, term, other if random.random() < 0.7 else f"{term} and {other}")
