"""`ask FOLDER --question Q`: a question put to all papers of a folder, answered in their own words."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from core.answering import Answer, PaperAnswer, Question, answer_engine_named
from core.answering.model import GATHERED
from core.commands.common import bytes_of, printable, terminal_progress
from core.engines import DEFAULT_ENGINE
from core.errors import QueryError, VouchError
from core.export.answer import answer_document
from core.library import Library, Years, open_library
from core.paper import read_paper
from core.progress import Progress
from core.settings import load_settings
from core.text.similarity import Embedder

_PAPERS = frozenset({".xml", ".nxml", ".pdf", ".md", ".txt", ".json"})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the papers, in any format; indexed once")
    parser.add_argument("--question", required=True, help="one question, best with the outcome and what may change it")
    parser.add_argument("--engine", default=DEFAULT_ENGINE, help="offline, or to compare with: bm25, embedding")
    parser.add_argument("-k", type=int, default=GATHERED, help="how many passages are gathered (default: %(default)s)")
    parser.add_argument("--from-year", type=int, metavar="YEAR", help="only papers published in this year or later")
    parser.add_argument("--to-year", type=int, metavar="YEAR", help="only papers published in this year or before")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Index what is new in the folder, and answer. Files that cannot be read are told and left out (status 2)."""
    question = Question(arguments.question, arguments.k, Years(arguments.from_year, arguments.to_year))
    engine = answer_engine_named(arguments.engine)
    with terminal_progress() as progress:
        library, failures = _indexed(arguments.folder, progress)
        answer = engine.answer(question, library, progress=progress)
    for failure in failures:
        print(printable(failure), file=sys.stderr)
    if arguments.json:
        print(json.dumps(answer_document(answer) | {"failed": failures}, ensure_ascii=False, indent=1))
    else:
        print("\n".join(_lines(answer)))
    return 2 if failures else 0


def _indexed(folder: Path, progress: Progress) -> tuple[Library, list[str]]:
    """The folder's library, with new and changed files taken in and what is gone taken out."""
    if not folder.is_dir():
        raise QueryError(f"“{folder}” is no folder. Name the folder that holds the papers.")
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in _PAPERS and path.is_file())
    if not files:
        raise QueryError(f"“{folder}” holds no paper. Put PDF, XML, Markdown or text files into it.")
    settings = load_settings()
    name = "folder-" + sha256(str(folder.resolve()).encode()).hexdigest()[:16]
    library = open_library(name, Embedder.installed(settings.embeddings), settings)
    indexed = {paper.id for paper in library.papers()}
    known = indexed - {paper.id for paper in library.stale()}
    new, there, failures = [], set(), []
    for number, path in enumerate(files):
        progress(0.3 * number / len(files), f"Reading {path.name}")
        try:
            content = bytes_of(path)
            if (id := sha256(content).hexdigest()) in known:  # `Paper.id`
                there.add(id)
            else:
                new.append(read_paper(content, name=path.relative_to(folder).as_posix()))
        except VouchError as error:
            failures.append(f"{path}: {error}")
    library.remove(indexed - there - {paper.id for paper in new})
    library.add(new, progress=progress, count=len(new))
    return library, failures


def _lines(answer: Answer) -> Iterator[str]:
    yield f"{printable(answer.question.text)}"
    yield f"engine {answer.engine}, {answer.searched:,} papers searched, {answer.seconds:.2f} s"
    if not answer.papers:
        yield "\nThese papers hold nothing near the question."
    elif answer.cannot_answer:
        yield "\nThese papers do not seem to answer it. The nearest sentences:"
    else:
        yield f"\n{reports(answer)}"
    for number, one in enumerate(answer.papers, 1):
        yield from _paper_lines(number, one, answered=not answer.cannot_answer)


def reports(answer: Answer) -> str:
    """How many papers report, and which way."""
    counts = {told: sum(one.told is told for one in answer.papers) for told in answer.directions}
    untold = sum(one.told is None for one in answer.papers)
    told = [f"{number} {direction.value}" for direction, number in counts.items()]
    told += [f"{untold} cannot be told which way"] if untold else []
    papers = "paper seems" if len(answer.papers) == 1 else "papers seem"
    disagree = " They do not agree." if answer.disagree else ""
    return f"{len(answer.papers)} {papers} to report on it: {', '.join(told)}.{disagree}"


def _paper_lines(number: int, one: PaperAnswer, *, answered: bool) -> Iterator[str]:
    passage = one.strongest.passage
    told = f"{one.told.value} ({one.probability:.2f})" if answered and one.told and one.probability else ""
    place = ", ".join(filter(None, (passage.section, f"page {passage.page}" if passage.page else "", told)))
    yield f"\n{number:3}. {printable(one.paper.title or one.paper.name)} ({one.paper.year or 'no year'})"
    yield f"     {printable(one.paper.name)} [{one.strongest.strongest}] {printable(place)}"
    yield from textwrap.wrap(
        f"“{printable(one.sentence)}”", width=100, initial_indent="     ", subsequent_indent="     "
    )
