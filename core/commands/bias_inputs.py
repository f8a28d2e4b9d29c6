"""What a reviewer may name for a judgement: a tool's domain, a domain of one's own, objective and PICO."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from core.bias import Domain, Level, StudyContext, Tool, tools
from core.commands.files import bytes_of
from core.errors import QueryError

_Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Pico(BaseModel):
    """What a PICO file may hold."""

    model_config = ConfigDict(extra="forbid")

    population: str = ""
    intervention: str = ""
    comparator: str = ""
    outcome: str = ""


class _Definition(BaseModel):
    """A domain of the reviewer's own: criteria by level, such as "low"."""

    model_config = ConfigDict(extra="forbid")

    name: _Words
    definition: _Words
    criteria: dict[Level, _Words] = {}


def add_domain_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare how a tool and a domain are named."""
    parser.add_argument("--tool", default="rob1", help=f"one of: {', '.join(tools())} (default: %(default)s)")
    parser.add_argument("--domain", metavar="D", help="one domain of the tool, such as sequence or D1 (default: all)")
    parser.add_argument(
        "--definition",
        type=Path,
        metavar="F",
        help="a domain of your own: JSON with name, definition and criteria by level, or text that defines it",
    )


def domain_of(tool: Tool, name: str) -> Domain:
    """The domain of a tool by its id, its name or its robvis column; of any tool, where this one has none.

    Raises `QueryError` if there is none.
    """
    wanted = _plain(name)
    for each in (tool, *tools().values()):
        for domain in each.domains:
            if wanted in {_plain(domain.id), _plain(domain.name), _plain(domain.robvis)}:
                return domain
    known = "; ".join(f"{each.id}: {', '.join(domain.id for domain in each.domains)}" for each in tools().values())
    raise QueryError(
        f"There is no domain called “{name}”. Choose one of {known}; or define your own with --definition."
    )


def own_domain(path: Path, name: str | None) -> Domain:
    """The domain that a file defines: JSON, or plain text as the definition. Raises `QueryError` if it cannot be used."""
    text = _text(path)
    if text.lstrip().startswith("{"):
        try:
            found = _Definition.model_validate_json(text)
        except ValidationError as error:
            raise QueryError(
                f"“{path}” does not define a domain: {_first(error)}. It needs name and definition."
            ) from error
    elif text.strip():
        found = _Definition(name=name or path.stem, definition=" ".join(text.split()))
    else:
        raise QueryError(f"“{path}” is empty. Write what the domain is about.")
    if {Level.UNCLEAR, Level.SOME_CONCERNS} <= found.criteria.keys():
        raise QueryError(
            f"“{path}” has criteria for unclear and for some concerns, which belong to different scales. Leave one out."
        )
    return Domain(
        id=f"own:{_plain(found.name)}",
        name=found.name,
        bias=found.name,
        definition=found.definition,
        criteria=found.criteria,
        robvis="",
    )


def study_context(objective: str, pico: Path | None) -> StudyContext:
    """What the reviewer is looking for. Raises `QueryError` if the PICO file cannot be used."""
    if pico is None:
        return StudyContext(objective)
    try:
        found = _Pico.model_validate_json(_text(pico))
    except ValidationError as error:
        raise QueryError(
            f"“{pico}” is not a PICO: {_first(error)}. Give JSON with population, intervention, comparator, outcome."
        ) from error
    return StudyContext(objective, found.population, found.intervention, found.comparator, found.outcome)


def sentences_of(path: Path) -> list[str]:
    """The lines of a text file that hold anything. Raises `QueryError` if there is none."""
    sentences = [line.strip() for line in _text(path).splitlines() if line.strip()]
    if not sentences:
        raise QueryError(f"“{path}” holds no sentence. Write one a line.")
    return sentences


def _text(path: Path) -> str:
    try:
        return bytes_of(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise QueryError(f"“{path}” is not text in UTF-8. Save it again as UTF-8.") from error


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    return f"{'.'.join(map(str, first['loc'])) or 'file'}: {first['msg'].lower()}"


def _plain(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())
