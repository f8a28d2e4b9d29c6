"""Sentences changed for training: to say the opposite, or as somebody copies them into a summary, rightly or wrongly."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.entailment import Entailment, readable
from core.paper import Kind
from core.training.data import Trial, rows

# ---- directions ----

_ANTONYMS = (
    "higher lower, increased decreased, increase decrease, increases decreases, greater smaller, more less, larger smaller, "
    "improved worsened, improvement worsening, better worse, longer shorter, reduced increased, reduction increase, "
    "reductions increases, elevated reduced, rose fell, highest lowest, superior inferior, fewer more, faster slower, raised lowered"
)
_MOST_WORDS = 3  # words that tell a direction; a sentence with more of them tells several directions
_SIGNIFICANT = 0.05


def _both_ways() -> dict[str, str]:
    found: dict[str, str] = {}
    for pair in _ANTONYMS.split(", "):
        one, other = pair.split()
        found.setdefault(one, other)
        found.setdefault(other, one)
    return found


BOTH_WAYS = _both_ways()
_DIRECTION = re.compile(rf"\b({'|'.join(sorted(BOTH_WAYS, key=len, reverse=True))})\b", re.IGNORECASE)
_P = re.compile(r"([pP]\s?[-–]?\s?(?:value)?\s*)(?:=|<|≤)\s*0?(\.\d+)")
_TESTED = re.compile(r"\b(was|were|is|are|had|showed|did|has|have)\s+(?:statistically\s+)?significant(?:ly)?\b")
_SAID = re.compile(r"\b(?:statistically )?significant(?:ly)?\b")
_DENIED = re.compile(r"\b(?:no|not|non)\b", re.IGNORECASE)


def turned_round(sentence: str) -> str | None:
    """The sentence with every direction reversed; None if it tells none or too many."""
    if not 0 < len(_DIRECTION.findall(sentence)) <= _MOST_WORDS:
        return None
    return _DIRECTION.sub(_opposite, sentence)


def _opposite(match: re.Match[str]) -> str:
    other = BOTH_WAYS[match[0].lower()]
    return other.capitalize() if match[0][0].isupper() else other


def without_significance(sentence: str, draw: random.Random) -> str | None:
    """The sentence with its difference made not significant; None if nothing in it says that it is significant."""
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


# ---- copies ----

_PROSE = frozenset({Kind.ABSTRACT, Kind.BODY})
_FEWEST, _MOST = 8, 45  # words of a sentence that is copied
_ASIDE = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")
_LEAD = re.compile(
    r"^(?:(?:However|Moreover|Furthermore|In addition|Overall|In conclusion|Finally|Interestingly|Thus|Therefore),\s*)?"
    r"(?:(?:we|our results?|this (?:study|trial)|these (?:data|results)) (?:found|show|showed|suggest|demonstrate|demonstrated)"
    r" that\s+)?",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"(?<=\w)[,;]\s+(?=(?:and|but|while|whereas|which|with|although)\b)")
_VERB = re.compile(r"\b(was|were|is|are|can|could|may|will|should)\b(?!\s+(?:not|no)\b)")
_ALIKE = re.compile(r"\b(?:no|not|non|similar|similarly|comparable|same|equal)\b", re.IGNORECASE)
_DENIAL = re.compile(r"\b(?:did not|(?<=\w )not|no significant|no)\s+", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.,–-])\d+(?:\.\d+)?(?![\w.,–-]*\d)(?=\s*(?:%|[a-z]|$|[.,;)]))")


def arms_by_trial(folder: Path) -> dict[str, list[tuple[str, str]]]:
    """Both orders of the arms of each question of Evidence Inference, by trial."""
    arms: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for row in rows(folder / "evidence_inference" / "annotations.jsonl"):
        arms[row["pmcid"]] |= {(row["intervention"], row["comparator"]), (row["comparator"], row["intervention"])}
    return {trial: sorted(own) for trial, own in arms.items()}


def copied_from(
    trial: Trial, arms: Sequence[tuple[str, str]], draw: random.Random, *, most: int
) -> Iterator[tuple[int, list[tuple[str, Entailment]]]]:
    """At most so many sentences of a trial, each with right and wrong copies of it."""
    able = [one for one in readable(trial.paper) if one.kind in _PROSE and _is_copied(one.text)]
    numbers = [match[0] for match in _NUMBER.finditer(" ".join(one.text for one in able))]
    for one in draw.sample(able, min(most, len(able))):
        yield one.index, list(_copies(one.text, numbers, arms, draw))


def _is_copied(text: str) -> bool:
    """Whether a sentence is one that somebody would copy: neither a fragment nor a whole paragraph."""
    return _FEWEST <= len(text.split()) <= _MOST and text[:1].isupper() and text.rstrip()[-1:] in ".!"


def _copies(
    text: str, numbers: Sequence[str], arms: Sequence[tuple[str, str]], draw: random.Random
) -> Iterator[tuple[str, Entailment]]:
    """One right copy and at most two wrong ones. `numbers`: the paper's, from which a wrong one is taken."""
    yield draw.choice((str, _without_asides, _without_lead, _first_clause))(text), Entailment.SUPPORTED
    changes = [without_significance(text, draw), _denied(text), _renumbered(text, numbers, draw)]
    if not _ALIKE.search(text):  # where arms do not differ, the sentence stays true if they are exchanged
        changes += [turned_round(text), _with_other_arm(text, arms, draw)]
    possible = [one for one in changes if one is not None and one != text]
    for wrong in draw.sample(possible, min(2, len(possible))):
        yield draw.choice((str, _without_lead))(wrong), Entailment.CONTRADICTED


def _without_asides(text: str) -> str:
    return _ASIDE.sub("", text)


def _without_lead(text: str) -> str:
    return _capitalised(_LEAD.sub("", text, count=1))


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _first_clause(text: str) -> str:
    first = _CLAUSE.split(text, maxsplit=1)[0]
    return text if len(first.split()) < _FEWEST or first == text else f"{first.rstrip('.')}."


def _denied(text: str) -> str | None:
    """The sentence with its denial taken away, or if it has none, denied."""
    if _DENIAL.search(text):
        return _capitalised(_DENIAL.sub("", text, count=1))
    return _VERB.sub(r"\1 not", text, count=1) if _VERB.search(text) else None


def _renumbered(text: str, numbers: Sequence[str], draw: random.Random) -> str | None:
    own = list(_NUMBER.finditer(text))
    others = [one for one in numbers if one not in text]
    if not own or not others:
        return None
    place = draw.choice(own)
    alike = [one for one in others if ("." in one) == ("." in place[0]) and abs(len(one) - len(place[0])) <= 1]
    return f"{text[: place.start()]}{draw.choice(alike or others)}{text[place.end() :]}"


def _with_other_arm(text: str, arms: Sequence[tuple[str, str]], draw: random.Random) -> str | None:
    """The sentence with one arm in place of the other, or both exchanged where it has both."""
    lower = text.lower()
    found = [pair for pair in arms if pair[0].lower() in lower]
    if not found:
        return None
    one, other = draw.choice(found)
    longer_first = "|".join(re.escape(name) for name in sorted((one, other), key=len, reverse=True))
    both = re.compile(rf"\b({longer_first})\b", re.IGNORECASE)
    exchanged = both.sub(lambda match: other if match[0].lower() == one.lower() else one, text)
    return _capitalised(exchanged)
