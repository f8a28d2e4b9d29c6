"""How training puts a question into words, and sentences that say the opposite of what a trial wrote."""

from __future__ import annotations

import random
import re

from core.entailment import Direction

OPPOSITE = {Direction.UP: Direction.DOWN, Direction.DOWN: Direction.UP, Direction.SAME: Direction.SAME}
_VERBS = (
    "increases", "reduces", "improves", "lowers", "raises", "decreases", "worsens", "does not change", "has an effect on"
)  # fmt: skip
_TYPED = (
    "{i} {verb} {o} compared with {c}", "Compared with {c}, {i} {verb} {o}", "{i} {verb} {o} more than {c}",
    "There is no difference in {o} between {i} and {c}", "{o} is higher after {i} than after {c}",
    "{o} is lower with {i} than with {c}", "{o} differs between {i} and {c}",
)  # fmt: skip
_PLAINLY = {
    Direction.UP: ("increased", "raised", "led to more", "led to higher"),
    Direction.DOWN: ("reduced", "lowered", "led to less", "cut"),
    Direction.SAME: ("made no difference to", "did not change", "had no clear effect on"),
}
# What a hypothesis that says so claims of its outcome.
_STATED = {
    Direction.UP: (
        "{i} increases {o} compared with {c}", "{i} raises {o} compared with {c}", "{o} is higher with {i} than with {c}",
        "Compared with {c}, {i} increases {o}", "{i} leads to more {o} than {c}",
    ),
    Direction.DOWN: (
        "{i} reduces {o} compared with {c}", "{i} lowers {o} more than {c}", "{i} decreases {o} compared with {c}",
        "{o} is lower after {i} than after {c}", "Compared with {c}, {i} reduces {o}",
    ),
    Direction.SAME: (
        "There is no difference in {o} between {i} and {c}", "{i} does not change {o} compared with {c}",
        "{i} has no effect on {o}",
    ),
}  # fmt: skip
_CLAIMED = ("{i} {verb} {o} compared with {c}.", "Compared with {c}, {i} {verb} {o}.", "In this study {i} {verb} {o}.")
_ANTONYMS = (
    "higher lower, increased decreased, increase decrease, increases decreases, greater smaller, more less, larger smaller, "
    "improved worsened, improvement worsening, better worse, longer shorter, reduced increased, reduction increase, "
    "reductions increases, elevated reduced, rose fell, highest lowest, superior inferior, fewer more, faster slower, raised lowered"
)
_MOST_WORDS = 3  # that tell a direction: a sentence with more of them tells several
_SIGNIFICANT = 0.05


def _both_ways() -> dict[str, str]:
    found: dict[str, str] = {}
    for pair in _ANTONYMS.split(", "):
        one, other = pair.split()
        found.setdefault(one, other)
        found.setdefault(other, one)
    return found


_OTHER_WAY = _both_ways()
_DIRECTION = re.compile(rf"\b({'|'.join(sorted(_OTHER_WAY, key=len, reverse=True))})\b", re.IGNORECASE)
_P = re.compile(r"([pP]\s?[-–]?\s?(?:value)?\s*)(?:=|<|≤)\s*0?(\.\d+)")
_TESTED = re.compile(r"\b(was|were|is|are|had|showed|did|has|have)\s+(?:statistically\s+)?significant(?:ly)?\b")
_SAID = re.compile(r"\b(?:statistically )?significant(?:ly)?\b")
_DENIED = re.compile(r"\b(?:no|not|non)\b", re.IGNORECASE)


def template(intervention: str, comparator: str, outcome: str) -> str:
    """The one way in which known parts of a question are joined."""
    return f"{outcome}: {intervention} compared with {comparator}" if comparator else f"{outcome}: {intervention}"


def typed(intervention: str, comparator: str, outcome: str, draw: random.Random) -> str:
    """A question as a person might type it; the direction that it claims is drawn and says nothing of the result."""
    verb = draw.choice(_VERBS)
    if not comparator:
        return f"{intervention} {verb} {outcome}"
    return draw.choice(_TYPED).format(i=intervention, c=comparator, o=outcome, verb=verb)


def stated(intervention: str, comparator: str, outcome: str, way: Direction, draw: random.Random) -> str:
    """A hypothesis that claims this direction."""
    return draw.choice(_STATED[way]).format(i=intervention, c=comparator, o=outcome)


def claimed(intervention: str, comparator: str, outcome: str, told: Direction, draw: random.Random) -> str:
    """A plain sentence that tells this direction."""
    way = draw.choice(_CLAIMED) if comparator else "{i} {verb} {o}."
    return way.format(i=intervention, c=comparator, o=outcome, verb=draw.choice(_PLAINLY[told]))


def turned_round(sentence: str) -> str | None:
    """The sentence with every direction the other way; None where it tells none, or too many."""
    if not 0 < len(_DIRECTION.findall(sentence)) <= _MOST_WORDS:
        return None
    return _DIRECTION.sub(_opposite, sentence)


def _opposite(match: re.Match[str]) -> str:
    other = _OTHER_WAY[match[0].lower()]
    return other.capitalize() if match[0][0].isupper() else other


def without_significance(sentence: str, draw: random.Random) -> str | None:
    """The sentence with its difference no longer significant; None where nothing tells that it is."""
    values = [float(match[2]) for match in _P.finditer(sentence)]
    if len(values) == 1 and values[0] <= _SIGNIFICANT:
        found = _P.sub(lambda match: f"{match[1]}= 0.{draw.randint(10, 95)}", sentence)
        return _SAID.sub(lambda match: draw.choice(["", f"not {match[0]}"]), found)
    tested = _TESTED.search(sentence)
    if tested is None or _DENIED.search(sentence):
        return None
    return (
        f"{sentence[: tested.start()]}{tested[0].replace(tested[1], f'{tested[1]} not', 1)}{sentence[tested.end() :]}"
    )
