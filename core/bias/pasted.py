"""Cut a passage of a review's methods section into definitions, by its lines and level words, as a proposal to correct.

The fields are filled with the pasted words verbatim. Nothing is interpreted, and nothing is added.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from core.bias.model import Level
from core.bias.own import LONGEST_NAME, LONGEST_TEXT, MOST_DOMAINS, OwnDomain, OwnTool, levels_for, own_id
from core.bias.tools import known_tools
from core.errors import QueryError

_NAME_WORDS = 12  # a line with more words is not taken for a name
_BULLET = re.compile(r"^[\s•·▪◦*–—-]*(?:\(?(?:\d{1,2}|[a-z])[.)]\s+)?")

# The words for all levels, longer ones first. "High risk of bias if ...", "Low: ..." and "Unclear risk - ..." name a level.
_BY_WORD = {" ".join(level.split()): level for tool in known_tools().values() for level in tool.levels}
_WORDS = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(_BY_WORD, key=len, reverse=True))
_RISK = r"[\s-]+risk(?:\s+of\s+bias)?"
_MARK = r"(?::|=|\s[–—-]\s|(?=\s(?:if|when|where|otherwise)\b))\s*"
# "Trials were judged to be at low risk if ..."
_LEAD = (
    r"(?:[^\W_][^.;:]{0,60}?\b(?:judged|rated|considered|classified|assessed|graded|regarded)\s(?:[a-z]{2,4}\s){0,3})"
)
_LEVEL_LINE = re.compile(rf"(?P<lead>{_LEAD})?(?:an? |at )?(?P<level>{_WORDS})(?:{_RISK})?{_MARK}", re.IGNORECASE)
_LEVEL_WITHIN = re.compile(
    rf"(?<=[.;:)\]])\s+({_LEAD}?(?:{_WORDS}){_RISK}{_MARK})|(?<=,)\s+((?:{_WORDS}){_RISK}{_MARK})", re.IGNORECASE
)
_SHORT_NAME = re.compile(r"((?:[^\s.]+\s){0,4}[^\s.]+)\.(?:\s+(?=\S)|$)")  # "Baseline imbalance. Trials ..."


@dataclass(slots=True)
class _Found:
    """A domain while its lines are being read."""

    name: str = ""
    definition: list[str] = field(default_factory=list)
    criteria: dict[Level, list[str]] = field(default_factory=dict)


def cut(text: str) -> OwnTool:
    """The domains that a passage defines, with their criteria.

    A line such as “Low risk: ...” is a criterion. A short line, or a few words before a colon, is a name. The rest is
    definition. A domain without a name is left unnamed. Raises `QueryError` if there is nothing to cut.
    """
    found: list[_Found] = []
    level: Level | None = None
    lines = list(_lines(text))
    for line in lines:
        told, words = _criterion(line)
        if told is not None:
            found = found or [_Found()]
            level = told
            found[-1].criteria.setdefault(level, []).append(words)
            continue
        name, words = _name(line)
        if not (name or found) and len(lines) > 1 and (short := _SHORT_NAME.match(line)):
            name, words = short[1], line[short.end() :]
        if not found or (name and (level is not None or found[-1].definition)):
            found.append(_Found(name))
            level = None
        elif name and not found[-1].name:
            found[-1].name = name
        elif name:
            words = line
        if words:
            (found[-1].definition if level is None else found[-1].criteria[level]).append(words)
    return _tool(found)


def defined(text: str, *, called: str = "", otherwise: str = "") -> OwnTool:
    """The tool that a text defines, ready for judging.

    The first domain's name is `called` if given, else the name in the text, else `otherwise`. Raises `QueryError` if the
    text is empty or something is missing.
    """
    own = cut(text)
    first, *others = own.domains
    name = " ".join(called.split()) or first.name or otherwise
    first = replace(first, name=name, definition=first.definition or " ".join(text.split()))
    own = replace(own, domains=(first, *others))
    if own.missing:
        raise QueryError(own.missing)
    return replace(own, id=own_id(own))


def _tool(found: Sequence[_Found]) -> OwnTool:
    if not found:
        raise QueryError("There is nothing to cut: paste the passage that says what the bias is and how it is judged.")
    try:
        levels = levels_for([level for one in found for level in one.criteria])
    except ValueError:  # levels of several scales: keep all, in the order in which they were named
        levels = [level.capitalize() for level in dict.fromkeys(level for one in found for level in one.criteria)]
    domains = tuple(
        OwnDomain(
            f"D{number}",
            one.name,
            " ".join(one.definition),
            tuple(" ".join(one.criteria.get(Level(level.lower()), ())) for level in levels),
        )
        for number, one in enumerate(found, 1)
    )
    if len(domains) > MOST_DOMAINS or any(
        len(text) > LONGEST_TEXT for one in domains for text in (one.definition, *one.criteria)
    ):
        raise QueryError(
            f"This is too much for one tool: at most {MOST_DOMAINS} definitions of {LONGEST_TEXT:,} letters. Paste less."
        )  # fmt: skip
    try:
        own = OwnTool("own-", levels=tuple(levels), domains=domains)
    except ValueError as error:
        raise QueryError(f"This cannot be cut into definitions: {error}") from None
    return replace(own, id=own_id(own))


def _lines(text: str) -> Iterator[str]:
    """The lines without list markers; a level named within a line starts a new line."""
    for whole in _LEVEL_WITHIN.sub(lambda match: f"\n{match[1] or match[2]}", text).splitlines():
        line = _BULLET.sub("", whole.rstrip())
        if line.strip():
            yield " ".join(line.split()).rstrip(";")


def _criterion(line: str) -> tuple[Level | None, str]:
    """The level that the line names, and its criterion; (None, "") if it names none."""
    if (match := _LEVEL_LINE.match(line)) is None:
        return None, ""
    words = line if match["lead"] else line[match.end() :]  # a clause such as "Trials were judged" is kept
    return _BY_WORD[" ".join(match["level"].split()).lower()], words.strip()


def _name(line: str) -> tuple[str, str]:
    """The name in a line, and the text after it; ("", the line) if there is none."""
    head, colon, rest = line.partition(":")
    if colon and len(head.split()) <= _NAME_WORDS and len(head) <= LONGEST_NAME:
        return head.strip(), rest.strip()
    if len(line.split()) <= _NAME_WORDS and len(line) <= LONGEST_NAME and line[-1] not in ".!?;,":
        return line.strip(), ""
    return "", line
