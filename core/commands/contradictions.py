"""`contradictions FILE --library FOLDER`: who in a library contradicts a paper's claims, or agrees with them."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from core.claims import claim_engine_named, contradiction_engine_named
from core.claims.checking import compare_claims, copies_of, statement_of
from core.claims.contradictions_llm import estimate_comparison
from core.claims.llm import estimate_claims
from core.claims.model import THRESHOLD, Claim, ComparedClaim, Place, Side, why_not_compared
from core.claims.scale import note
from core.commands.beyond_common import add_services, agreed, services_of
from core.commands.common import (
    add_budget,
    budget_of,
    bytes_of,
    printable,
    require_writable,
    tell_cost,
    terminal_progress,
    write_whole,
)
from core.engines import DEFAULT_ENGINE
from core.errors import QueryError
from core.export.claims import ContestedPaper, contradiction_document, contradiction_report
from core.grounding.model import ModelRun
from core.library import Library, library_of_folder
from core.paper import Paper, read_paper
from core.review.contested import stored_claim, stored_contest

if TYPE_CHECKING:
    from core.llm import Budget, CostEstimate, ModelName

_HIGHEST = max(Place)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the paper whose claims are held")
    parser.add_argument("--library", type=Path, required=True, metavar="FOLDER", help="the other papers; indexed once")
    parser.add_argument(
        "--engine",
        default=DEFAULT_ENGINE,
        help="offline, bm25, embedding, or a language model (default: %(default)s)",
    )
    parser.add_argument("--claims-engine", metavar="E", help="who finds the claims (default: offline)")
    parser.add_argument(
        "--claim", action="append", default=[], metavar="TEXT", help="a claim of your own, in its place"
    )
    parser.add_argument(
        "--threshold",
        type=int,
        default=THRESHOLD,
        metavar="N",
        help="from which place on a claim counts as contradicted, 6 to 10 (default: %(default)s)",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write a report as well: .html or .json")
    add_services(parser, "for each claim search", "FOLDER/fetched")
    parser.add_argument("--estimate", action="store_true", help="say what the model will cost, and do not ask it")
    add_budget(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Index the folder's new papers, and compare every claim. Reports and leaves out unreadable files (status 2)."""
    if not Place.LACK_OF_EVIDENCE < arguments.threshold <= _HIGHEST:
        raise QueryError(f"The threshold is {arguments.threshold}: give one from 6 to 10.")
    if (out := arguments.out) is not None:
        if out.suffix.lower() not in (".html", ".json"):
            raise QueryError(f"“{out}” has no known ending. Name a file with .html or .json.")
        require_writable(out)
    budget = budget_of(arguments)
    name = DEFAULT_ENGINE if arguments.estimate else arguments.engine  # an estimate needs no key
    engine, services = contradiction_engine_named(name, budget=budget), services_of(arguments)
    paper = read_paper(bytes_of(arguments.file), name=arguments.file.name)
    given: Sequence[Claim] = [Claim(text, 0, 10.0) for text in arguments.claim]
    with terminal_progress() as progress:
        notes: tuple[str, ...] = ()
        if not given:
            told = tell_cost(arguments.claims_engine, partial(estimate_claims, paper=paper))
            if told and arguments.estimate:
                print("What holding them costs can be told when they are found.")
                return 0
            finder = claim_engine_named(arguments.claims_engine or DEFAULT_ENGINE, budget=budget)
            found_claims = finder.claims(paper, progress=progress)
            given, notes = found_claims.claims, found_claims.notes
            if budget is not None and found_claims.run is not None:  # both engines spend from one budget
                engine = contradiction_engine_named(arguments.engine, budget=left_of(budget, found_claims.run))
        papers = library_of_folder(arguments.library, progress=progress)
        claims = [one for one in given if not why_not_compared(one.text)]
        tell_cost(arguments.engine, partial(_estimated, claims, paper, papers.library))
        if arguments.estimate:
            return 0
        with agreed(arguments, services, arguments.library, papers.library, "The words of the claims") as beyond:
            held = compare_claims(claims, paper, engine, papers.library, beyond=beyond, progress=progress)
    failures = (
        *notes,
        *papers.failures,
        *(
            f"“{textwrap.shorten(one.text, 80, placeholder='…')}”: {why_not}"
            for one in given
            if (why_not := why_not_compared(one.text))
        ),
    )
    now = datetime.now(UTC)
    kept = [
        replace(stored_claim("", paper.id, one.claim, made=""), contest=stored_contest(one.contested, now))
        for one in held
    ]
    found = ContestedPaper(paper.id, paper.title or paper.name, kept, threshold=arguments.threshold)
    document = contradiction_document(found)
    if out is not None:
        as_json = out.suffix.lower() == ".json"
        text = json.dumps(document, ensure_ascii=False, indent=1)
        write_whole(out, text if as_json else contradiction_report(found, date=now))
    for failure in failures:
        print(printable(failure), file=sys.stderr)
    if arguments.json:
        print(json.dumps(document | {"failed": list(failures)}, ensure_ascii=False, indent=1))
    else:
        contested = sum(one.contested.place >= arguments.threshold for one in held)
        print(f"{printable(paper.title or paper.name)}\n{len(held)} claims, {contested} contradicted")
        if said := note():
            print(said)
        print("\n".join(line for one in held for line in _lines(one)))
    return 2 if failures else 0


def _estimated(claims: Sequence[Claim], paper: Paper, library: Library, model: ModelName) -> CostEstimate:
    without = copies_of(paper, library.papers())
    return estimate_comparison(model, [statement_of(one, paper, without) for one in claims], library)


def left_of(budget: Budget, run: ModelRun) -> Budget:
    """What is left of a budget after a run. A limit counts as used up if the run's use of it is unknown."""
    usages = [step.usage for step in run.steps if step.usage is not None and not step.from_cache]
    counts = [count for usage in usages for count in (usage.input_tokens, usage.output_tokens)]
    tokens = sum(count or 0 for count in counts)
    usd = run.cost_usd
    return replace(
        budget,
        usd=None if budget.usd is None else max(0.0, budget.usd - usd) if usd is not None else 0.0,
        tokens=None if budget.tokens is None else 0 if None in counts else max(0, budget.tokens - tokens),
    )


def _lines(one: ComparedClaim) -> Iterator[str]:
    place = one.contested.place
    yield f"\n{place:2}  {place.in_words}"
    yield from textwrap.wrap(printable(one.claim.text), width=100, initial_indent="    ", subsequent_indent="    ")
    yield from textwrap.wrap(
        printable(one.contested.reason), width=100, initial_indent="    ", subsequent_indent="    "
    )
    for line in (*one.contested.notes, *one.contested.outside):
        yield f"    {printable(line)}"
    for side in one.contested.sides:
        yield from _side(side)


def _side(side: Side) -> Iterator[str]:
    paper = side.paper
    sure = "" if side.sure is None else f" ({side.sure:.2f})"
    yield f"    {side.way.value}{sure}: {printable(paper.title or paper.name)} [{side.strongest}]"
    yield from textwrap.wrap(
        f"“{printable(side.sentence)}”", width=100, initial_indent="        ", subsequent_indent="        "
    )
    for one in side.differences:
        yield f"        {printable(one)}"
