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
from core.engines import DEFAULT_ENGINE, TaskKind, engine_on
from core.errors import QueryError
from core.export.claims import claim_document
from core.llm import model_named, open_model
from core.paper import Paper, read_paper


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the paper, in any format")
    parser.add_argument("--engine", default=DEFAULT_ENGINE, help="offline, or a language model (default: %(default)s)")
    parser.add_argument("--estimate", action="store_true", help="say what the model will cost, and do not ask it")
    add_budget(parser)
    batches = parser.add_argument_group("batches", "a language model asked in files, which anybody may answer")
    batches.add_argument("--batch-out", type=Path, metavar="DIR", help="write each stage's requests to this folder")
    batches.add_argument("--batch-in", type=Path, metavar="FILE", help="results of requests; goes on with them")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Print the claims, the best first."""
    if arguments.batch_in and not arguments.batch_out:
        raise QueryError("Name the folder of the requests and results with --batch-out DIR.")
    paper = read_paper(bytes_of(arguments.file), name=arguments.file.name)
    if arguments.estimate or not arguments.batch_out:
        tell_cost(arguments.engine, partial(estimate_claims, paper=paper))
    if arguments.estimate:
        return 0
    found = _in_batches(paper, arguments) if arguments.batch_out else _now(paper, arguments)
    if found is None:
        return 0
    if arguments.json:
        print(json.dumps(claim_document(paper, found), ensure_ascii=False, indent=1))
    else:
        print("\n".join(_lines(paper, found)))
    return 0


def _now(paper: Paper, arguments: argparse.Namespace) -> PaperClaims:
    engine = claim_engine_named(arguments.engine, budget=budget_of(arguments))
    with terminal_progress() as progress:
        return engine.claims(paper, progress=progress)


def _in_batches(paper: Paper, arguments: argparse.Namespace) -> PaperClaims | None:
    """The claims from the results so far; None if requests still wait for an answer, whose files are printed."""
    from core.llm.batch import BatchFolder, BatchRunner, Waiting  # loaded with the first batch  # noqa: PLC0415

    model = model_named(arguments.engine)
    if model is None:
        raise QueryError(
            f"Batches are for language models, and “{arguments.engine}” is none. Name one as openai:MODEL."
        )
    if budget_of(arguments):
        raise QueryError("Batches keep no budget. Leave it out.")
    folder, server = BatchFolder(arguments.batch_out), open_model(model, sends=False)
    if arguments.batch_in:
        folder.take(bytes_of(arguments.batch_in), name=arguments.batch_in.name)
    runner = BatchRunner(server, folder.results())
    try:
        found: PaperClaims = engine_on(TaskKind.CLAIMS, model, runner).claims(paper)
    except Waiting:
        files = [str(file) for file in folder.ask(server, runner.pending)]
        if arguments.json:
            document = {"waiting_for": files, "requests": len(runner.pending)}
            print(json.dumps(document, ensure_ascii=False, indent=1))
        else:
            print(f"{len(runner.pending):,} requests are to be answered:", *files, sep="\n  ")
        return None
    return found


def _lines(paper: Paper, found: PaperClaims) -> list[str]:
    head = f"{printable(paper.title or paper.name)}\nengine {found.engine}, {len(found.claims)} claim{'s' * (len(found.claims) != 1)}"
    head = "\n".join((head, *map(printable, found.notes)))
    lines = [head, ""]
    for one in found.claims:
        place = " ".join(f"[{index}]" for index in (one.sentence, *one.also))
        lines.append(f"{one.score:4.1f}  {printable(one.text)} {place}")
        lines += [f"      {printable(short)}: {printable(long)}" for short, long in one.terms]
    return lines if found.claims else [head, "Nothing in it seems to be a claim that makes sense alone."]
