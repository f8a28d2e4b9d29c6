"""`bias FILE ...`: risk of bias of one study, domain by domain, with the sentences that support each judgement.

`bias FOLDER ...` judges every paper of a folder as one project: see `bias_folder`.
"""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.bias import Domain, Tool, bias_engine_named
from core.bias.engine import DomainOutcome, suggest_each
from core.commands.bias_common import (
    add_domain_arguments,
    add_output_arguments,
    as_document,
    cost_of,
    domain_of,
    outcomes_in,
    study_context,
    tool_in,
    wants_project,
)
from core.commands.common import add_budget, budget_of, printable, terminal_progress
from core.commands.read import add_reading_arguments, read_file
from core.engines import DEFAULT_ENGINE
from core.grounding.model import Match
from core.paper import Paper


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a paper in any format, or a folder of papers")
    add_domain_arguments(parser)
    parser.add_argument(
        "--outcome",
        action="append",
        metavar="O",
        help="whose result is judged, once for each outcome; for tools that judge results, such as RoB 2",
    )
    parser.add_argument("--objective", default="", metavar="T", help="the review's objective, in words")
    parser.add_argument(
        "--pico",
        type=Path,
        metavar="F",
        help="JSON: population, intervention, comparator, outcome; for ROBINS-I confounders",
    )
    parser.add_argument("--engine", default=DEFAULT_ENGINE, help="see the command “engines” (default: %(default)s)")
    add_budget(parser)
    add_reading_arguments(parser)
    add_output_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Print each domain's judgement."""
    if arguments.file.is_dir() or wants_project(arguments):
        from core.commands.bias_folder import run_folder  # loads the store and the plots  # noqa: PLC0415

        return run_folder(arguments)
    tool, _ = tool_in(arguments)
    domains = _domains(tool, arguments)
    named = outcomes_in(arguments, tool) or ("",)
    study = study_context(arguments.objective, arguments.pico)
    engine = bias_engine_named(arguments.engine, budget=budget_of(arguments))
    paper = read_file(arguments.file, arguments)
    results: dict[str, list[DomainOutcome]] = {}
    with terminal_progress() as progress:
        for outcome in named:
            coming = suggest_each(domains, paper, study.for_outcome(outcome), engine=engine, progress=progress)
            results[outcome] = sorted(coming, key=lambda one: domains.index(one.domain))
    errors = {
        ", ".join(filter(None, (outcome, one.domain.name))): one.error
        for outcome, came in results.items()
        for one in came
        if one.error is not None
    }
    if len(errors) == sum(map(len, results.values())):
        raise next(iter(errors.values()))
    for name, error in errors.items():
        print(printable(f"{name}: {error}"), file=sys.stderr)
    if arguments.json:
        documents = [
            as_document(tool, came, paper, engine.name, cost_usd=cost_of(came), outcome=outcome)
            for outcome, came in results.items()
        ]
        document = documents[0] if len(documents) == 1 else {"results": documents}
        print(json.dumps(document, ensure_ascii=False, indent=1))
    else:
        print(printable(paper.title or "(no title)"))
        for outcome, came in results.items():
            print("\n".join(_lines(outcome, came, paper)))
    return 2 if errors else 0


def _domains(tool: Tool, arguments: argparse.Namespace) -> Sequence[Domain]:
    named = arguments.domain if arguments.definition is None else None  # else it names the definition
    return [domain_of(tool, named)] if named else tool.domains


def _lines(named: str, outcomes: Sequence[DomainOutcome], paper: Paper) -> Iterator[str]:
    if named:
        yield f"\nOutcome: {printable(named)}"
    for outcome in outcomes:
        judgement = outcome.suggestion.judgement if outcome.suggestion else None
        yield f"\n{printable(outcome.domain.name)}: {(judgement and judgement.level) or 'no judgement'}"
        if judgement is None:
            continue
        yield from _wrapped(judgement.rationale, "  ")
        for support in judgement.support:
            repaired = " (named rightly only when asked again)" if support.match is Match.REPAIRED else ""
            yield from _wrapped(f"[{support.index}] {paper.sentences[support.index].text}{repaired}", "    ")
        if judgement.rejected:
            yield "  The nearest sentences, which say nothing on it:"
            for index in judgement.rejected:
                yield from _wrapped(f"[{index}] {paper.sentences[index].text}", "    ")
        for text in judgement.not_in_paper:
            yield from _wrapped(f"Named by the model, and not in this paper: {text}", "  ")
    if any(outcome.suggestion is not None and outcome.suggestion.run for outcome in outcomes):
        cost = cost_of(outcomes)
        yield f"\ncost: {'unknown' if cost is None else f'${cost:.4f}'}"


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(printable(text), width=110, initial_indent=indent, subsequent_indent=indent + "  ")
