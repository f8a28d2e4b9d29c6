"""`claims FILE`: what a paper claims, each claim with the sentence that says so."""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path

from core.claims import claim_engine_named
from core.claims.llm import estimate_claims
from core.claims.model import PaperClaims
from core.commands.common import add_budget, budget_of, bytes_of, printable, tell_cost, terminal_progress
from core.engines import DEFAULT_ENGINE
from core.export.claims import claim_document
from core.paper import Paper, read_paper


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the paper, in any format")
    parser.add_argument("--engine", default=DEFAULT_ENGINE, help="offline, or a language model (default: %(default)s)")
    parser.add_argument("--estimate", action="store_true", help="say what the model will cost, and do not ask it")
    add_budget(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Print the claims, the best first."""
    paper = read_paper(bytes_of(arguments.file), name=arguments.file.name)
    tell_cost(arguments.engine, partial(estimate_claims, paper=paper))
    if arguments.estimate:
        return 0
    engine = claim_engine_named(arguments.engine, budget=budget_of(arguments))
    with terminal_progress() as progress:
        found = engine.claims(paper, progress=progress)
    if arguments.json:
        print(json.dumps(claim_document(paper, found), ensure_ascii=False, indent=1))
    else:
        print("\n".join(_lines(paper, found)))
    return 0


def _lines(paper: Paper, found: PaperClaims) -> list[str]:
    head = f"{printable(paper.title or paper.name)}\nengine {found.engine}, {len(found.claims)} claims"
    lines = [head, ""]
    for one in found.claims:
        place = " ".join(f"[{index}]" for index in (one.sentence, *one.also))
        lines.append(f"{one.score:4.1f}  {printable(one.text)} {place}")
        lines += [f"      {printable(short)}: {printable(long)}" for short, long in one.terms]
    return lines if found.claims else [head, "Nothing in it seems to be a claim that makes sense alone."]
