"""What the commands on risk of bias share: their arguments, and their answers as JSON."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, ValidationError

from core.bias import Domain, Judgement, Level, StudyContext, Tool, known_tools
from core.bias.engine import DomainOutcome
from core.bias.tools import FOR_A_PAPER
from core.commands.common import bytes_of
from core.errors import QueryError
from core.export.evidence import model_run_document
from core.grounding.model import NoAnswer
from core.paper import Paper

# What `bias` can be asked to make of a folder: a project, and files of it.


def add_output_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the files that a project can be written to."""
    outputs = parser.add_argument_group("a folder, or a paper, as a project")
    outputs.add_argument("--project-out", type=Path, metavar="F", help="JSON that the app opens; a later run goes on")
    outputs.add_argument("--report", type=Path, metavar="F", help="one HTML file with plots, judgements and sentences")
    outputs.add_argument("--robvis", type=Path, metavar="F", help="CSV for robvis")
    outputs.add_argument("--table", type=Path, metavar="F", help="CSV with a line for each paper, domain and person")
    outputs.add_argument("--plots", type=Path, metavar="DIR", help="traffic-light and summary plot, as SVG and PNG")
    outputs.add_argument(
        "--weights", type=Path, metavar="F", help="CSV with Study and Weight, for the summary plot and robvis"
    )
    outputs.add_argument("--name", metavar="T", help="the project's name (default: the folder's)")
    outputs.add_argument(
        "--reviewer", action="append", metavar="NAME", help="who will judge; once for each (default: two, numbered)"
    )


def wants_project(arguments: argparse.Namespace) -> bool:
    """Whether any of these files was asked for."""
    return any(getattr(arguments, name) for name in ("project_out", "report", "robvis", "table", "plots"))


# What a reviewer may name for a judgement: a tool's domain, a domain of one's own, objective and PICO.

_Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Pico(BaseModel):
    """What a PICO file may hold."""

    model_config = ConfigDict(extra="forbid")

    population: str = ""
    intervention: str = ""
    comparator: str = ""
    outcome: str = ""


def _known_level(level: Level) -> Level:
    known = dict.fromkeys(one for tool in known_tools().values() for one in tool.scale)
    if level not in known:
        raise ValueError(f"a level is one of: {', '.join(known)}")
    return level


class _Definition(BaseModel):
    """A domain of the reviewer's own: criteria by level, such as "low"."""

    model_config = ConfigDict(extra="forbid")

    name: _Words
    definition: _Words
    criteria: dict[Annotated[Level, AfterValidator(_known_level)], _Words] = {}


def add_domain_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare how a tool and a domain are named."""
    parser.add_argument(
        "--tool", default=FOR_A_PAPER, help=f"one of: {', '.join(known_tools())} (default: %(default)s)"
    )
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
    for each in (tool, *known_tools().values()):
        for domain in each.domains:
            if wanted in {_plain(domain.id), _plain(domain.name), _plain(domain.robvis)}:
                return domain
    known = "; ".join(
        f"{each.id}: {', '.join(domain.id for domain in each.domains)}" for each in known_tools().values()
    )
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
    tools = known_tools()
    scales = [tools[FOR_A_PAPER].scale, *(tool.scale for tool in tools.values())]  # the first where criteria tell none
    scale = next((one for one in scales if found.criteria.keys() <= set(one)), None)
    if scale is None:
        one, other = next(
            pair for pair in combinations(found.criteria, 2) if not any(set(pair) <= set(s) for s in scales)
        )
        raise QueryError(
            f"“{path}” has criteria for {one} and for {other}, which belong to different scales. Leave one out."
        )
    return Domain(
        id=f"own:{_plain(found.name)}",
        name=found.name,
        bias=found.name,
        definition=found.definition,
        criteria=found.criteria,
        robvis="",
        scale=scale,
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


# Judgements of one paper as the JSON document of `bias --json`.


def as_document(
    tool: Tool, outcomes: Sequence[DomainOutcome], paper: Paper, engine: str, *, cost_usd: float | None
) -> dict[str, object]:
    """The outcomes as the JSON document of `bias --json`; a level that is missing is null."""
    levels = {one.domain.id: one.suggestion.judgement.level if one.suggestion else None for one in outcomes}
    return {
        "tool": tool.id,
        "engine": engine,
        "title": paper.title,
        "domains": [_domain_document(one, paper) for one in outcomes],
        "overall": tool.overall_level(levels),
        "cost_usd": cost_usd,
    }


def cost_of(outcomes: Iterable[DomainOutcome]) -> float | None:
    """What all of them cost, those that failed too; None if that of any is unknown."""
    costs = [_cost(one) for one in outcomes]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def _cost(one: DomainOutcome) -> float | None:
    if one.suggestion is not None:
        return one.suggestion.cost_usd
    return one.error.run.cost_usd if isinstance(one.error, NoAnswer) else 0.0


def judgement_document(domain: Domain, judgement: Judgement, sentences: Sequence[str]) -> dict[str, Any]:
    """A judgement; support points into `sentences`."""
    return {
        "domain": domain.id,
        "judgement": judgement.level,
        "rationale": judgement.rationale,
        "support": [
            {
                "index": support.index,
                "text": sentences[support.index],
                "score": support.score,
                "reason": support.reason or None,
                "match": support.match,
            }
            for support in judgement.support
        ],
        "answers": dict(judgement.answers),
        "deciding_words": list(judgement.deciding_words),
        "not_in_paper": list(judgement.not_in_paper),
    }


def _domain_document(one: DomainOutcome, paper: Paper) -> dict[str, Any]:
    run = one.suggestion.run if one.suggestion else one.error.run if isinstance(one.error, NoAnswer) else None
    judgement = one.suggestion.judgement if one.suggestion else Judgement(one.domain.id, None, "")
    return {
        **judgement_document(one.domain, judgement, [sentence.text for sentence in paper.sentences]),
        "name": one.domain.name,
        "searched": list(judgement.searched),
        "rejected": [{"index": index, "text": paper.sentences[index].text} for index in judgement.rejected],
        "error": str(one.error) if one.error else None,
        "run": model_run_document(run),
    }
