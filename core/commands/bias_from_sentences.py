"""`bias-from-sentences`: a judgement from given sentences alone, one a line."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from core.bias import Domain, bias_engine_named
from core.bias.assessment import Suggestion
from core.bias.engine import suggest_from_sentences
from core.commands.bias_common import add_domain_arguments, domain_of, judgement_document, sentences_of, tool_in
from core.commands.common import add_budget, budget_of, printable, terminal_progress
from core.engines import DEFAULT_ENGINE
from core.errors import QueryError
from core.export.evidence import model_run_document


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_domain_arguments(parser)
    parser.add_argument(
        "--sentences", type=Path, required=True, metavar="FILE", help="a text file, one sentence a line"
    )
    parser.add_argument("--engine", default=DEFAULT_ENGINE, help="see the command “engines” (default: %(default)s)")
    add_budget(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Print the judgement."""
    domain = _domain(arguments)
    sentences = sentences_of(arguments.sentences)
    engine = bias_engine_named(arguments.engine, budget=budget_of(arguments))
    with terminal_progress() as progress:
        made = suggest_from_sentences(domain, sentences, engine=engine, progress=progress)
    if arguments.json:
        print(json.dumps(as_document(domain, made, sentences), ensure_ascii=False, indent=1))
    else:
        level = made.judgement.level or "no judgement"
        print(f"{printable(domain.name)}: {level}\n{printable(made.judgement.rationale)}")
    return 0


def as_document(domain: Domain, made: Suggestion, sentences: list[str]) -> dict[str, object]:
    """The judgement as the JSON document of `bias-from-sentences --json`. Support indices count lines from 0."""
    return {
        **judgement_document(domain, made.judgement, sentences),
        "engine": made.engine,
        "run": model_run_document(made.run),
        "cost_usd": made.cost_usd,
    }


def _domain(arguments: argparse.Namespace) -> Domain:
    tool, own = tool_in(arguments)
    if own is not None and len(own.domains) == 1:
        return tool.domains[0]
    if not arguments.domain:
        raise QueryError("Which domain? Name one with --domain, such as sequence or D1.")
    return domain_of(tool, arguments.domain)
