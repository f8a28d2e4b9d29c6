"""Reviewers' own definitions of bias: domains in their words that form a tool, kept in a project or in a file.

Input is kept as typed, even if incomplete. `OwnTool.missing` says what is missing before the tool can be used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from itertools import count
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from core.bias.model import BLUE, DARK_RED, GREEN, RED, YELLOW, Domain, Level, LevelStyle, Tool
from core.bias.tools import known_tools
from core.errors import QueryError
from core.untrusted_json import parsed

USUAL_LEVELS = (("Low", "Unclear", "High"), ("Low", "Some concerns", "High"))  # the first is the default
FEWEST_LEVELS, MOST_LEVELS, LONGEST_LEVEL = 2, 5, 30
MOST_DOMAINS = 20
LONGEST_NAME, LONGEST_TEXT = 120, 8_000  # characters
UNNAMED = "My own definition"

_LEVEL = re.compile(r"[^\W_](?:[^\W_]|[ '’/-])*")  # letters and digits: it becomes a name in files and style sheets
_PALETTE = {
    2: (GREEN, RED),
    3: (GREEN, YELLOW, RED),
    4: (GREEN, YELLOW, RED, DARK_RED),
    5: (GREEN, BLUE, YELLOW, RED, DARK_RED),
}  # colours, from best to worst, for levels that no published tool has
_WHITE_INK = frozenset({RED, DARK_RED})


@dataclass(frozen=True, slots=True)
class OwnDomain:
    """One bias in the reviewers' words. `criteria` are in the order of the tool's levels; "": no criterion for that level."""

    id: str  # such as "D1"; stays the same when the words change, so that judgements are kept
    name: str = ""
    definition: str = ""
    criteria: tuple[str, ...] = ("",) * len(USUAL_LEVELS[0])


@dataclass(frozen=True, slots=True)
class OwnTool:
    """One or several own domains, judged on one scale. Raises `ValueError`, with one sentence, if it is invalid."""

    id: str  # begins with "own-", so that it differs from every published tool's
    name: str = ""  # "": named after its domains
    levels: tuple[str, ...] = USUAL_LEVELS[0]  # from best to worst, in words
    domains: tuple[OwnDomain, ...] = (OwnDomain("D1"),)
    overall: bool = False  # whether it has an overall judgement: the worst domain's level

    def __post_init__(self) -> None:
        if wrong := next(_faults(self), None):
            raise ValueError(wrong)

    @property
    def title(self) -> str:
        """The tool's name on screens and in files."""
        several = (
            f"{len(self.domains)} own definitions" if len(self.domains) > 1 else ""
        )  # no single domain can name them all
        return self.name.strip() or several or self.domains[0].name.strip() or UNNAMED

    @property
    def missing(self) -> str:
        """What is still missing before the tool can be used, in a sentence; "": nothing."""
        for number, domain in enumerate(self.domains, 1):
            which = f"domain {number}" if len(self.domains) > 1 else "your definition"
            if not domain.name.strip():
                return f"Give {which} a name, such as “Funding by industry”."
            if not domain.definition.strip():
                return f"Say what “{domain.name.strip()}” is about: engines look for sentences near its definition."
        if twice := _twice(_plain(domain.name) for domain in self.domains):
            return f"Two domains are called “{twice}”: give one another name."
        return ""

    def with_domain(self) -> OwnTool:
        """A copy with one more, empty domain."""
        id = _free_id({domain.id for domain in self.domains})
        return replace(self, domains=(*self.domains, OwnDomain(id, criteria=("",) * len(self.levels))))

    def with_levels(self, levels: Sequence[str]) -> OwnTool:
        """A copy with another scale. A criterion stays with its level's word.

        If the scales are equally long, a level with a new word takes the criterion of its position, unless that
        criterion's own word has moved elsewhere.
        """
        known, words = [_plain(level) for level in self.levels], [_plain(level) for level in levels]
        renamed = len(known) == len(words)
        places = [
            known.index(word) if word in known else place if renamed and known[place] not in words else None
            for place, word in enumerate(words)
        ]
        domains = tuple(
            replace(one, criteria=tuple("" if old is None else one.criteria[old] for old in places))
            for one in self.domains
        )
        return replace(self, levels=tuple(levels), domains=domains)


def _free_id(taken: Collection[str]) -> str:
    return next(id for number in count(1) if (id := f"D{number}") not in taken)


def filled(own: OwnTool, proposal: OwnTool) -> OwnTool:
    """Add the domains of a proposal, cut from a text, to a tool. The tool's empty domains are dropped.

    A tool with only empty domains takes over the proposal's scale too. Otherwise, a criterion for a level that the tool's
    scale lacks is appended to the definition, so that no text is lost.
    """
    said = tuple(one for one in own.domains if one.name or one.definition or any(one.criteria))
    if not said:
        return replace(proposal, id=own.id, name=own.name or proposal.name)
    taken, new = {one.id for one in said}, []
    for domain, moved in zip(proposal.domains, proposal.with_levels(own.levels).domains, strict=True):
        told = zip(proposal.levels, domain.criteria, strict=True)
        rest = [f"{level}: {text}" for level, text in told if text and text not in moved.criteria]
        id = _free_id(taken)
        taken.add(id)
        new.append(replace(moved, id=id, definition=" ".join([moved.definition, *rest]).strip()))
    return replace(own, domains=(*said, *new))


def _faults(tool: OwnTool) -> Iterator[str]:
    levels, domains = tool.levels, tool.domains
    if not tool.id.startswith("own-") or len(tool.id) > LONGEST_NAME:
        yield "the id of a tool of one's own begins with “own-”."
    if not FEWEST_LEVELS <= len(levels) <= MOST_LEVELS:
        yield f"it needs {FEWEST_LEVELS} to {MOST_LEVELS} levels, from best to worst, and has {len(levels)}."
    for level in levels:
        if not _LEVEL.fullmatch(level.strip()) or len(level) > LONGEST_LEVEL:
            yield f"“{level[:LONGEST_LEVEL]}” cannot be a level: use a few letters and digits, such as “Some concerns”."
    if twice := _twice(_plain(level) for level in levels):
        yield f"it names the level “{twice}” twice."
    if not 1 <= len(domains) <= MOST_DOMAINS:
        yield f"it has {len(domains)} domains; give 1 to {MOST_DOMAINS}."
    if twice := _twice(domain.id for domain in domains):
        yield f"it has two domains with the id “{twice}”."
    if any(not re.fullmatch(r"[A-Za-z][\w-]{0,30}", domain.id, re.ASCII) for domain in domains):
        yield "the id of a domain is a short word, such as D1."
    if any(len(domain.criteria) != len(levels) for domain in domains):
        yield "a domain has another number of criteria than there are levels."
    if any(len(name) > LONGEST_NAME for name in (tool.name, *(domain.name for domain in domains))):
        yield f"a name is longer than {LONGEST_NAME} letters."
    if any(len(text) > LONGEST_TEXT for domain in domains for text in (domain.definition, *domain.criteria)):
        yield f"a definition or criterion is longer than {LONGEST_TEXT:,} letters."


def _twice(names: Iterable[str]) -> str:
    seen: set[str] = set()
    return next((name for name in names if name in seen or seen.add(name)), "")  # type: ignore[func-returns-value]


def _plain(word: str) -> str:
    return " ".join(word.split()).lower()


# ---- the tool to judge with ----


@lru_cache(maxsize=256)  # each edit makes a new draft
def as_tool(own: OwnTool) -> Tool:
    """The `Tool` that engines, screens and files use. Missing names get a placeholder."""
    levels = _styles(own.levels)
    columns = _columns([domain.name for domain in own.domains])
    return Tool(
        id=own.id,
        name=own.title,
        source="the reviewers' own definition",
        levels=levels,
        overall=own.overall,
        own=True,
        domains=tuple(
            Domain(
                id=domain.id,
                name=domain.name.strip() or (UNNAMED if len(own.domains) == 1 else f"Domain {number}"),
                bias="the reviewers' own definition",
                definition=domain.definition.strip(),
                criteria={level: text.strip() for level, text in zip(levels, domain.criteria, strict=True)},
                robvis=columns[number - 1],
                scale=tuple(levels),
            )
            for number, domain in enumerate(own.domains, 1)
        ),
    )  # fmt: skip


def _styles(words: Sequence[str]) -> dict[Level, LevelStyle]:
    """A style for each level: that of a published tool if one has the level, else by its position on the scale."""
    known = {level: style for tool in known_tools().values() for level, style in tool.levels.items()}
    given = [known.get(Level(_plain(word))) for word in words]
    free = [colour for colour in _PALETTE[len(words)] if colour not in {style.colour for style in given if style}]
    styles = {}
    for place, (word, published) in enumerate(zip(words, given, strict=True)):
        usual = _PALETTE[len(words)][place]
        colour = usual if usual in free else next(iter(free), None)
        if published is None and colour is not None:
            free.remove(colour)
        ink = "#FFFFFF" if colour in _WHITE_INK else "#000000"
        styles[Level(_plain(word))] = published or LevelStyle(_capitalised(word), str(place + 1), colour, ink)
    return styles


def _capitalised(word: str) -> str:
    word = " ".join(word.split())
    return word[:1].upper() + word[1:]


def _columns(names: Sequence[str]) -> list[str]:
    """The domains' columns in a robvis file: unique names, as R would write them."""
    taken = {"Study", "Overall", "Weight"}
    columns = []
    for number, name in enumerate(names, 1):
        plain = ".".join(re.findall(r"[^\W_]+", name)) or f"Domain.{number}"
        if plain[0].isdigit():  # R would put an X before it
            plain = f"D{number}.{plain}"
        column = plain if plain not in taken else f"{plain}.{number}"
        taken.add(column)
        columns.append(column)
    return columns


# ---- files ----

FORMAT = 1  # of the file; raised with every field that an older Vouch would lose
_NEEDED = "It needs a name, a definition and, if there are any, criteria by level"


class _DomainFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: str = ""
    name: str
    definition: str
    criteria: dict[str, str] = {}


class _ToolFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    format: int = FORMAT
    id: str = ""
    name: str = ""
    levels: list[str] = []
    overall: bool = False
    domains: list[_DomainFile]


def own_tool_json(own: OwnTool) -> str:
    """The tool as a file that `read_own_tool` can read back."""
    return json.dumps({"format": FORMAT} | own_tool_document(own), ensure_ascii=False, indent=1)


def own_tool_document(own: OwnTool) -> dict[str, Any]:
    """The tool as plain values, with criteria by level."""
    return {
        "id": own.id,
        "name": own.name,
        "levels": list(own.levels),
        "overall": own.overall,
        "domains": [
            {
                "id": domain.id,
                "name": domain.name,
                "definition": domain.definition,
                "criteria": {level: text for level, text in zip(own.levels, domain.criteria, strict=True) if text},
            }
            for domain in own.domains
        ],
    }


def read_own_tool(data: bytes | str, name: str = "this file") -> OwnTool:
    """Read a tool from a file that `own_tool_json` wrote, or that has a single domain: name, definition and criteria.

    If the file names no levels, they follow from the criteria. Raises `QueryError`, with one sentence, if it has no tool.
    """
    try:
        document = parsed(data)
    except ValueError:
        document = None
    if not isinstance(document, Mapping):
        raise QueryError(f"“{name}” is no bias definition in JSON. {_NEEDED}.")
    if "domains" not in document:
        levels = document.get("levels", [])
        document = {"levels": levels, "domains": [{k: v for k, v in document.items() if k != "levels"}]}
    if isinstance(made := document.get("format"), int) and made > FORMAT:
        raise QueryError(f"A newer version of Vouch wrote “{name}”: update Vouch to use it.")
    try:
        return _from_file(_ToolFile.model_validate(document))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(map(str, first["loc"])) or "its start"
        raise QueryError(f"“{name}” is no bias definition: {place}: {first['msg'].lower()}. {_NEEDED}.") from None
    except ValueError as error:
        raise QueryError(f"“{name}” cannot be used: {error}") from None  # fmt: skip


def _from_file(file: _ToolFile) -> OwnTool:
    levels = [" ".join(level.split()) for level in file.levels] or levels_for(
        [level for domain in file.domains for level in domain.criteria]
    )
    places = {_plain(level): place for place, level in enumerate(levels)}
    domains = []
    for number, one in enumerate(file.domains, 1):
        criteria = [""] * len(levels)
        for level, text in one.criteria.items():
            if (place := places.get(_plain(level))) is None:
                raise ValueError(f"“{one.name}” has a criterion for “{level}”, and the levels are {', '.join(levels)}.")
            criteria[place] = text.strip()
        name = " ".join(one.name.split())
        domains.append(OwnDomain(one.id or f"D{number}", name, one.definition.strip(), tuple(criteria)))
    own = OwnTool("own-", " ".join(file.name.split()), tuple(levels), tuple(domains), file.overall)
    if own.missing:
        raise ValueError(own.missing)
    return replace(own, id=file.id or own_id(own))


def levels_for(named: Sequence[str]) -> list[str]:
    """A known scale that has these levels, from best to worst. Raises `ValueError` if there is none."""
    wanted = {_plain(level) for level in named}
    known = [[style.word for style in tool.levels.values()] for tool in known_tools().values()]
    for levels in (*map(list, USUAL_LEVELS), *known):
        if wanted <= {_plain(level) for level in levels} and len(levels) <= MOST_LEVELS:
            return levels
    listed = ", ".join(dict.fromkeys(named))
    raise ValueError(f"no scale is known that has {listed}: name its “levels”, from best to worst.")


def own_id(own: OwnTool) -> str:
    """An id derived from the tool's words, so that equal words give the same id."""
    words = json.dumps(own_tool_document(replace(own, id="own-")), ensure_ascii=False, sort_keys=True)
    return f"own-{sha256(words.encode()).hexdigest()[:12]}"


def added_to(tools: Sequence[OwnTool], new: OwnTool) -> tuple[tuple[OwnTool, ...], OwnTool]:
    """Add a tool to others. Returns all of them and the new one, with a new id if its id is in use for other words."""
    there = next((one for one in tools if one.id == new.id), None)
    if there == new:
        return tuple(tools), new
    if there is not None:
        new = replace(new, id=own_id(new))
        if new in tools:
            return tuple(tools), new
    return (*tools, new), new
