"""`evidence FILE --hypothesis H`: the sentences that bear on a hypothesis, and what other wordings of it change."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from core.commands.common import add_budget, budget_of, printable, terminal_progress
from core.commands.read import add_reading_arguments, read_file
from core.engines import DEFAULT_ENGINE
from core.errors import VouchError
from core.evidence import Evidence, EvidenceEngine, EvidenceQuery, ModelRun, NoAnswer, engine_named
from core.evidence.results_first import is_about_an_effect
from core.evidence.sensitivity import Rewording, WordingEffect, other_wordings, sensitivity
from core.export.evidence import model_run_document
from core.paper import Paper

if TYPE_CHECKING:
    from collections.abc import Sequence


# `evidence ... --check-wording`: the same search with other wordings of the hypothesis, and what they change.


def add_check(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the check."""
    parser.add_argument(
        "--check-wording",
        action="store_true",
        help="search for the negated hypothesis and a paraphrase too, and show what changes; a language model writes "
        "both, other engines take the negation alone",
    )
    parser.add_argument("--paraphrase", metavar="TEXT", help="the paraphrase to check, in your own words")


def check(
    engine: EvidenceEngine, paper: Paper, evidence: Evidence, arguments: argparse.Namespace
) -> tuple[WordingEffect, ...] | None:
    """What other wordings change; None if no check was requested. Raises as the engine does."""
    if not (arguments.check_wording or arguments.paraphrase):
        return None
    wordings = other_wordings(engine, evidence.query.hypothesis)
    if arguments.paraphrase:
        wordings[Rewording.PARAPHRASE] = arguments.paraphrase
    with terminal_progress() as progress:
        return sensitivity(engine, paper, evidence, wordings, progress=progress)


def change_documents(changes: Sequence[WordingEffect] | None) -> list[dict[str, object]] | None:
    """The JSON array `wording`; None if nothing was checked."""
    if changes is None:
        return None
    return [
        {
            "rewording": change.rewording.value,
            "hypothesis": change.evidence.query.hypothesis,
            "overlap": change.overlap,
            "kept": change.kept,
            "lost": change.lost,
            "gained": change.gained,
            "contradictions": change.contradictions,
            "stances": {found.index: found.stance for found in change.evidence.sentences if found.stance},
            "cost_usd": change.evidence.cost_usd,
        }
        for change in changes
    ]


def change_lines(changes: Sequence[WordingEffect]) -> Iterator[str]:
    """The changes as lines of text."""
    for change in changes:
        total = len(change.kept) + len(change.lost) + len(change.gained)
        yield f"\n{change.rewording.value}: {printable(change.evidence.query.hypothesis)}"
        yield f"     {len(change.kept)} of {total} sentences shared"
        for name in ("lost", "gained", "contradictions"):
            if indices := getattr(change, name):
                yield f"     {name}: {', '.join(f'[{index}]' for index in indices)}"


# `evidence FILE ...`: the sentences that bear on a hypothesis.


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="one paper or several, in any format")
    parser.add_argument("--hypothesis", required=True, help="one claim that the papers may support or refute")
    parser.add_argument(
        "--engine",
        default=DEFAULT_ENGINE,
        help="see the command “engines” (default: %(default)s); of a language model openai:MODEL@digest does best, and "
        "openai:MODEL alone means @sections",
    )
    parser.add_argument("-k", type=int, default=10, help="how many sentences (default: %(default)s)")
    parser.add_argument("--results-only", action="store_true", help="look for results and analyses alone")
    parser.add_argument(
        "--results-first",
        action=argparse.BooleanOptionalAction,
        help="results before other evidence (default: where the hypothesis is about an effect)",
    )
    parser.add_argument("--no-tables", action="store_true", help="choose no captions and table rows")
    add_reading_arguments(parser)
    add_check(parser)
    add_budget(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document; an array for several files")


def run(arguments: argparse.Namespace) -> int:
    """Print each paper's evidence. If one of several files is bad, it is reported and the rest continue (status 2)."""
    query = _query(arguments)
    engine = engine_named(arguments.engine, budget=budget_of(arguments))
    several = len(arguments.files) > 1
    documents: list[dict[str, object]] = []
    failed = 0
    for path in arguments.files:
        try:
            paper, evidence = _find(engine, path, query, arguments)
            changes = check(engine, paper, evidence, arguments)
        except VouchError as error:
            if not several:
                raise
            failed += 1
            print(printable(f"{path}: {error}"), file=sys.stderr)
            run = error.run if isinstance(error, NoAnswer) else None
            documents.append({"file": str(path), "error": str(error), "run": model_run_document(run)})
            continue
        if arguments.json:
            wording = change_documents(changes)
            documents.append(as_document(path, paper, evidence) | ({} if wording is None else {"wording": wording}))
        else:
            print("\n".join([*_lines(path, paper, evidence), *change_lines(changes or ())]), flush=True)
    if arguments.json:
        print(json.dumps(documents if several else documents[0], ensure_ascii=False, indent=1))
    return 2 if failed else 0


def _query(arguments: argparse.Namespace) -> EvidenceQuery:
    said: bool | None = arguments.results_first
    return EvidenceQuery(
        arguments.hypothesis,
        k=arguments.k,
        results_only=arguments.results_only,
        tables=not arguments.no_tables,
        results_first=is_about_an_effect(arguments.hypothesis) if said is None else said,
    )


def as_document(path: Path, paper: Paper, evidence: Evidence) -> dict[str, object]:
    """One answer as the JSON document of `evidence --json`."""
    query = evidence.query
    chosen = [(found, paper.sentences[found.index]) for found in evidence.sentences]
    return {
        "file": str(path),
        "title": paper.title,
        "format": paper.format.value,
        "engine": evidence.engine,
        "hypothesis": query.hypothesis,
        "k": query.k,
        "results_only": query.results_only,
        "results_first": query.results_first,
        "tables": query.tables,
        "sentences": [
            {
                "index": sentence.index,
                "text": sentence.text,
                "section": paper.section_of(sentence).title,
                "kind": sentence.kind.value,
                "page": sentence.page,
                "score": found.score,
                "stance": found.stance.value if found.stance else None,
                "rationale": found.rationale,
                "match": found.match,
            }
            for found, sentence in chosen
        ],
        "notes": list(evidence.notes),
        "run": model_run_document(evidence.run),
        "seconds": round(evidence.seconds, 4),
        "cost_usd": evidence.cost_usd,
    }


def _find(
    engine: EvidenceEngine, path: Path, query: EvidenceQuery, arguments: argparse.Namespace
) -> tuple[Paper, Evidence]:
    paper = read_file(path, arguments)
    with terminal_progress() as progress:
        return paper, engine.find(paper, query, progress=progress)


def _lines(path: Path, paper: Paper, evidence: Evidence) -> Iterator[str]:
    yield f"{printable(str(path))}: {printable(paper.title or 'no title')}"
    yield f"engine {evidence.engine}, {evidence.seconds:.2f} s"
    yield from (f"note: {printable(note)}" for note in evidence.notes)
    if evidence.run:
        yield from _run_lines(evidence.run)
    for rank, found in enumerate(evidence.sentences, 1):
        sentence = paper.sentences[found.index]
        place = printable(paper.section_of(sentence).title)
        page = f", page {sentence.page}" if sentence.page else ""
        stance = f", {found.stance.value}" if found.stance else ""
        yield f"\n{rank:3}. [{sentence.index}] {place}{page} ({sentence.kind.value}{stance})  {found.score:.3f}"
        for text in filter(None, (sentence.text, found.rationale and f"Why: {found.rationale}")):
            yield from textwrap.wrap(printable(text), width=100, initial_indent="     ", subsequent_indent="     ")
    yield ""


def _run_lines(run: ModelRun) -> Iterator[str]:
    """The cost and verdict of a model's run, and what each step did."""
    cost = "unknown" if run.cost_usd is None else f"${run.cost_usd:.4f}"
    yield f"cost: {cost}"
    if run.verdict:
        strongest = (("for", run.verdict.strongest_for), ("against", run.verdict.strongest_against))
        named = "".join(f", strongest {side} [{number}]" for side, number in strongest if number is not None)
        yield f"verdict: {run.verdict.judgement.value}{named}"
    for step in run.steps:
        said = step.error or f"{len(step.chosen)} chosen. {step.reasoning}"
        yield from textwrap.wrap(
            printable(f"{step.label}: {said}"), width=100, initial_indent="  ", subsequent_indent="    "
        )
