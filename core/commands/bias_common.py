"""Shared by the commands on risk of bias: their arguments, and their answers as JSON."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from core.bias import Domain, Judgement, StudyContext, Tool, known_tools, tool_named
from core.bias.engine import DomainOutcome
from core.bias.model import LONGEST_OUTCOME
from core.bias.own import UNNAMED, OwnTool, as_tool, read_own_tool
from core.bias.pasted import defined
from core.bias.tools import FOR_A_PAPER
from core.commands.common import bytes_of
from core.errors import QueryError
from core.export.evidence import model_run_document
from core.grounding.model import NoAnswer
from core.paper import Paper

# What `bias` can make of a folder: a project, and files from it.


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
    """Whether any of these files was requested."""
    return any(getattr(arguments, name) for name in ("project_out", "report", "robvis", "table", "plots"))


# What a reviewer may give for a judgement: a tool (published or their own), one of its domains, objective, PICO.

_FILES = (".json", ".txt", ".md")
_LONGEST_PATH = 1_000


class _Pico(BaseModel):
    """What a PICO file may hold."""

    model_config = ConfigDict(extra="forbid")

    population: str = ""
    intervention: str = ""
    comparator: str = ""
    outcome: str = ""
    confounders: str = ""


def add_domain_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments for a tool and a domain."""
    parser.add_argument(
        "--tool",
        metavar="NAME|FILE",
        help=f"one of: {', '.join(known_tools())} (default: {FOR_A_PAPER}); or a file with your own: JSON, or a passage "
        "of a methods section",
    )
    parser.add_argument("--domain", metavar="D", help="one domain of the tool, such as sequence or D1 (default: all)")
    parser.add_argument(
        "--definition",
        metavar="TEXT",
        help="short for a tool of your own: what the bias is, in words, or a file of them",
    )


def outcomes_in(arguments: argparse.Namespace, tool: Tool) -> tuple[str, ...]:
    """The outcomes in the arguments, each once and on one line. Raises `QueryError` for an invalid one."""
    named = tuple(dict.fromkeys(" ".join(one.split()) for one in arguments.outcome or ()))
    if named and not tool.judges_results:
        raise QueryError(f"{tool.name} judges studies and not results: leave out --outcome.")
    if not all(0 < len(one) <= LONGEST_OUTCOME for one in named):
        raise QueryError(f"Name an outcome in 1 to {LONGEST_OUTCOME} characters.")
    return named


def tool_in(arguments: argparse.Namespace) -> tuple[Tool, OwnTool | None]:
    """The tool in the arguments, and its definition if it is the reviewers' own. Raises `QueryError`."""
    if (words := arguments.definition) is None:
        return tool_called(arguments.tool or FOR_A_PAPER)
    if arguments.tool is not None:
        raise QueryError("Name a tool with --tool, or your own definition with --definition: not both.")
    file = _file_called(words)
    own = _defined(text_of(file) if file else words, file, called=arguments.domain or "")
    return as_tool(own), own


def tool_called(name: str) -> tuple[Tool, OwnTool | None]:
    """The tool with this id or in this file, and its definition if it is the reviewers' own. Raises `QueryError`."""
    file = None if _plain(name) in map(_plain, known_tools()) else _file_called(name)
    if file is None:
        return tool_named(name), None
    own = _defined(text_of(file), file)
    return as_tool(own), own


def _file_called(name: str) -> Path | None:
    """The file of that name. Also for a name that looks like a file, so that it is reported as missing."""
    if "\n" in name or len(name) > _LONGEST_PATH:
        return None
    path = Path(name)
    return path if path.is_file() or path.suffix.lower() in _FILES else None


def _defined(text: str, file: Path | None, *, called: str = "") -> OwnTool:
    """The tool that a text defines: JSON, or words to be split into name, definition and criteria."""
    if text.lstrip().startswith("{"):
        return read_own_tool(text, str(file or "--definition"))
    if not text.strip():
        raise QueryError(f"“{file or '--definition'}” is empty. Write what the bias is.")
    try:
        return defined(text, called=called, otherwise=file.stem if file else UNNAMED)
    except QueryError as error:
        raise QueryError(f"“{file or '--definition'}” cannot be used: {error}") from None


def domain_of(tool: Tool, name: str) -> Domain:
    """The domain of a tool by its id, name or robvis column; if the tool has none, a domain of any other tool.

    Raises `QueryError` if there is none.
    """
    wanted = _plain(name)
    domains = [domain for each in (tool, *known_tools().values()) for domain in each.domains]
    called = [domain for domain in domains if wanted in {_plain(domain.id), _plain(domain.name)}]
    if found := called or [domain for domain in domains if domain.robvis and wanted == _plain(domain.robvis)]:
        return found[0]
    known = "; ".join(
        f"{each.id}: {', '.join(domain.id for domain in each.domains)}" for each in known_tools().values()
    )
    raise QueryError(
        f"There is no domain called “{name}”. Choose one of {known}; or define your own with --definition."
    )


def study_context(objective: str, pico: Path | None) -> StudyContext:
    """What the reviewer is looking for. Raises `QueryError` if the PICO file cannot be used."""
    if pico is None:
        return StudyContext(objective)
    try:
        found = _Pico.model_validate_json(text_of(pico))
    except ValidationError as error:
        raise QueryError(
            f"“{pico}” is not a PICO: {_first(error)}. Give JSON with population, intervention, comparator, outcome, confounders."
        ) from error
    return StudyContext(objective, **found.model_dump())


def sentences_of(path: Path) -> list[str]:
    """The non-empty lines of a text file. Raises `QueryError` if there are none."""
    sentences = [line.strip() for line in text_of(path).splitlines() if line.strip()]
    if not sentences:
        raise QueryError(f"“{path}” holds no sentence. Write one a line.")
    return sentences


def text_of(path: Path) -> str:
    """The content of a text file. Raises `QueryError` if it cannot be opened or is not text."""
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
    tool: Tool,
    outcomes: Sequence[DomainOutcome],
    paper: Paper,
    engine: str,
    *,
    cost_usd: float | None,
    outcome: str = "",
) -> dict[str, object]:
    """The judgements as the JSON document of `bias --json`; a missing level is null."""
    levels = {one.domain.id: one.suggestion.judgement.level if one.suggestion else None for one in outcomes}
    return {
        "tool": tool.id,
        "tool_name": tool.name,
        "engine": engine,
        "outcome": outcome,
        "title": paper.title,
        "domains": [_domain_document(one, paper) for one in outcomes],
        "overall": tool.overall_level(levels),
        "cost_usd": cost_usd,
    }


def cost_of(outcomes: Iterable[DomainOutcome]) -> float | None:
    """The cost of all of them, including failed ones; None if any is unknown."""
    costs = [_cost(one) for one in outcomes]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def _cost(one: DomainOutcome) -> float | None:
    if one.suggestion is not None:
        return one.suggestion.cost_usd
    return one.error.run.cost_usd if isinstance(one.error, NoAnswer) else 0.0


def judgement_document(domain: Domain, judgement: Judgement, sentences: Sequence[str]) -> dict[str, Any]:
    """A judgement as JSON. Its support points into `sentences`."""
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
        "name": one.domain.name,
        **judgement_document(one.domain, judgement, [sentence.text for sentence in paper.sentences]),
        "searched": list(judgement.searched),
        "rejected": [{"index": index, "text": paper.sentences[index].text} for index in judgement.rejected],
        "error": str(one.error) if one.error else None,
        "run": model_run_document(run),
    }
