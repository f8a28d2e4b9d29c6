"""`read FILE`: a paper's sections and sentences; and how every command reads a paper."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from core.commands.common import bytes_of, printable, terminal_progress
from core.errors import NoTextLayer
from core.paper import Paper, cite, read_paper

# How commands read a paper: the file, and the options for reading it.


def add_reading_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options for reading a paper."""
    parser.add_argument(
        "--keep-set-aside",
        action="store_true",
        help="read hidden text, and sentences that speak to a language model, as ordinary text",
    )
    parser.add_argument("--ocr", action="store_true", help="recognise the text of scanned pages first (ocrmypdf)")


def read_file(path: Path, arguments: argparse.Namespace) -> Paper:
    """The paper at `path`. Prints its warnings to standard error.

    Raises `VouchError` if there is no such file, or if it holds no paper.
    """
    data = bytes_of(path)
    if arguments.ocr:
        from core.paper.read import read_scan  # only few papers need it  # noqa: PLC0415

        with terminal_progress() as progress:
            paper, _ = read_scan(data, name=path.name, keep_set_aside=arguments.keep_set_aside, progress=progress)
    else:
        try:
            paper = read_paper(data, name=path.name, keep_set_aside=arguments.keep_set_aside)
        except NoTextLayer as error:
            raise NoTextLayer(f"{error} On the command line, add --ocr.") from None
    for warning in paper.warnings:
        print(printable(f"{path}: warning: {warning.message}"), file=sys.stderr)
    return paper


# `read FILE`: how Vouch reads a paper.


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", type=Path, help="a paper: JATS, TEI, BioC, PDF, Markdown or plain text")
    add_reading_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Print the paper's sections and sentences."""
    paper = read_file(arguments.file, arguments)
    if arguments.json:
        print(json.dumps(as_document(paper), ensure_ascii=False, indent=1))
    else:
        _print_outline(paper)
    return 0


def as_document(paper: Paper) -> dict[str, object]:
    """The paper as the JSON document of `read --json`."""
    return {
        "id": paper.id,
        "title": paper.title,
        "doi": paper.doi,
        "authors": list(paper.authors),
        "journal": paper.journal,
        "year": paper.year,
        "registrations": list(paper.registrations),
        "format": paper.format.value,
        "sections": [
            {"title": s.title, "kind": s.kind.value, "level": s.level, "first": s.first, "last": s.last}
            for s in paper.sections
        ],
        "sentences": [
            {
                "index": s.index,
                "text": s.text,
                "kind": s.kind.value,
                "section": s.section,
                "start": s.start,
                "end": s.end,
                "page": s.page,
            }
            for s in paper.sentences
        ],
        "sections_left_out": list(paper.sections_left_out),
        "left_out": [{"kind": t.kind.value, "text": t.text, "page": t.page} for t in paper.left_out],
        "set_aside": [{"text": t.text, "reason": t.reason.value, "page": t.page} for t in paper.set_aside],
        "warnings": [{"kind": w.kind, "message": w.message, "page": w.page} for w in paper.warnings],
    }


def _print_outline(paper: Paper) -> None:
    print(printable(paper.title or "(no title)"))
    if known := cite(paper):
        print(printable(" · ".join(known)))
    print(f"{paper.format.value}, {_counted(len(paper.sentences))}\n")
    for section in paper.sections:
        size = _counted(section.last - section.first + 1)
        print(f"{'  ' * section.level}{printable(section.title)}  [{section.kind.value}, {size}]")
    if paper.sections_left_out:
        print("\n" + printable(f"Left out of the candidate pool: {', '.join(paper.sections_left_out)}"))


def _counted(sentences: int) -> str:
    return f"{sentences} sentence{'s' * (sentences != 1)}"
