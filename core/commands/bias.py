"""`bias FILE ...`: risk of bias of one study, domain by domain, with the sentences that support each judgement.

`bias FOLDER ...` judges every paper of a folder as one project: see `bias_folder`.
"""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.bias import Domain, Judgement, Tool, tool_named
from core.bias.engine import judge
from core.bias.engines import DEFAULT_ENGINE, bias_engine_named
from core.commands.bias_documents import as_document
from core.commands.bias_inputs import add_domain_arguments, domain_of, own_domain, study_context
from core.commands.bias_project_arguments import add_output_arguments, wants_project
from core.commands.reading import add_reading_arguments, read_file
from core.commands.terminal import printable, terminal_progress
from core.paper import Paper


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a paper in any format, or a folder of papers")
    add_domain_arguments(parser)
    parser.add_argument("--objective", default="", metavar="T", help="the review's objective, in words")
    parser.add_argument("--pico", type=Path, metavar="F", help="JSON: population, intervention, comparator, outcome")
    parser.add_argument("--engine", default=DEFAULT_ENGINE, help="offline, bm25 or embedding (default: %(default)s)")
    add_reading_arguments(parser)
    add_output_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Print each domain's judgement."""
    if arguments.file.is_dir() or wants_project(arguments):
        from core.commands.bias_folder import run_folder  # the store and the plots load with it  # noqa: PLC0415

        return run_folder(arguments)
    tool = tool_named(arguments.tool)
    domains = _domains(tool, arguments)
    study = study_context(arguments.objective, arguments.pico)
    engine = bias_engine_named(arguments.engine)
    paper = read_file(arguments.file, arguments)
    with terminal_progress() as progress:
        judgements = [judge(domain, paper, study, engine=engine, progress=progress) for domain in domains]
    if arguments.json:
        print(json.dumps(as_document(tool, domains, judgements, paper, engine.name), ensure_ascii=False, indent=1))
    else:
        print("\n".join(_lines(domains, judgements, paper)))
    return 0


def _domains(tool: Tool, arguments: argparse.Namespace) -> Sequence[Domain]:
    if arguments.definition is not None:
        return [own_domain(arguments.definition, arguments.domain)]
    return [domain_of(tool, arguments.domain)] if arguments.domain else tool.domains


def _lines(domains: Sequence[Domain], judgements: Sequence[Judgement], paper: Paper) -> Iterator[str]:
    yield printable(paper.title or "(no title)")
    for domain, judgement in zip(domains, judgements, strict=True):
        yield f"\n{printable(domain.name)}: {judgement.level or 'no judgement'}"
        yield from _wrapped(judgement.rationale, "  ")
        for support in judgement.support:
            yield from _wrapped(f"[{support.index}] {paper.sentences[support.index].text}", "    ")
        if judgement.rejected:
            yield "  The nearest sentences, which say nothing on it:"
            for index in judgement.rejected:
                yield from _wrapped(f"[{index}] {paper.sentences[index].text}", "    ")


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(printable(text), width=110, initial_indent=indent, subsequent_indent=indent + "  ")
