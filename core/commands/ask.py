"""`ask FOLDER --question Q`: put a question to many papers; answers in their own words, or written with its sources.

The papers are those of a folder, of a project of the app, or of all its projects.
"""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from core.answering import Answer, AnswerEngine, PaperAnswer, Question, answer_engines_named
from core.answering.agent import AgentLimits
from core.answering.beyond import require_agreement_fits
from core.answering.llm import ModelAnswerEngine
from core.answering.model import GATHERED, SOURCES, TrailStep, untold
from core.commands.beyond_common import add_services, agreed, services_of
from core.commands.common import (
    add_budget,
    budget_of,
    printable,
    require_writable,
    terminal_progress,
    write_whole,
)
from core.engines import DEFAULT_ENGINE
from core.errors import QueryError
from core.export.answer import answer_document
from core.export.answer_files import ANSWER_FILES
from core.export.answer_view import NO_NOTICES
from core.library import DESIGNS, FolderLibrary, Years, library_of_folder
from core.progress import Progress, silent
from core.settings import load_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", nargs="?", help="papers in any format; indexed once")
    parser.add_argument("--project", metavar="NAME", help="the papers of this project of the app, in place of a folder")
    parser.add_argument("--kept", action="store_true", help="the papers of all projects, in place of a folder")
    parser.add_argument("--question", required=True, help="one question, best with the outcome and what may change it")
    parser.add_argument(
        "--engine",
        default=DEFAULT_ENGINE,
        help="offline, bm25, embedding, embedding:MODEL, reranker:MODEL, or a model that answers",
    )
    parser.add_argument("--gather-engine", metavar="E", help="another model that reads passages, or offline")
    parser.add_argument("--agent-engine", metavar="E", help="another model that plans the steps")
    add_budget(parser)
    add_services(parser, "let the agent search", "FOLDER/fetched")
    parser.add_argument("--max-steps", type=int, metavar="N", help="the most steps that an agent takes (default: 12)")
    parser.add_argument("--max-seconds", type=float, metavar="S", help="after which an agent answers (default: 900)")
    parser.add_argument("-k", type=int, default=GATHERED, help="how many passages are gathered (default: %(default)s)")
    parser.add_argument(
        "--sources", type=int, default=SOURCES, metavar="N", help="the most passages an answer rests on (%(default)s)"
    )
    parser.add_argument(
        "--spread", type=float, default=1.0, metavar="X", help="below 1, passages are spread over papers (%(default)s)"
    )
    parser.add_argument(
        "--field", action="append", default=[], metavar="NAME", help="what else models read from passages, as “dose”"
    )
    parser.add_argument("--from-year", type=int, metavar="YEAR", help="only papers published in this year or later")
    parser.add_argument("--to-year", type=int, metavar="YEAR", help="only papers published in this year or before")
    parser.add_argument(
        "--design",
        metavar="D",
        help=f"only papers that call themselves so, as in “{DESIGNS[0]}”: {', '.join(DESIGNS[1:])}",
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help=f"write the answer into a file as well: {', '.join(ANSWER_FILES)}"
    )
    parser.add_argument(
        "--workers", type=int, metavar="N", help="index by so many processes on this machine, each on one processor"
    )
    parser.add_argument("--cluster", metavar="URL", help="index by a Dask scheduler, as tcp://HOST:8786")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Index the folder's new papers, and answer. Reports unreadable files and leaves them out (status 2)."""
    question = Question(
        arguments.question,
        arguments.k,
        Years(arguments.from_year, arguments.to_year),
        sources=arguments.sources,
        spread=arguments.spread,
        fields=tuple(arguments.field),
        design=arguments.design,
        everywhere=arguments.kept,
    )
    if [arguments.folder is not None, arguments.project is not None, arguments.kept].count(True) != 1:
        raise QueryError(
            "Which papers are asked? Name a folder, or a project with --project, or all that are kept with --kept."
        )
    if arguments.design not in (None, *DESIGNS):
        raise QueryError(
            f"“{arguments.design}” is no design that papers are known by. Name one of: {', '.join(DESIGNS)}."
        )
    if arguments.workers is not None and arguments.workers < 1:
        raise QueryError(f"--workers is {arguments.workers}: it must be at least 1.")
    if (out := arguments.out) is not None:
        if out.suffix.lower() not in ANSWER_FILES:
            raise QueryError(f"“{out}” has no known ending. Name a file with one of: {', '.join(ANSWER_FILES)}.")
        require_writable(out)
    engine = answer_engines_named(
        arguments.engine,
        gathers=arguments.gather_engine,
        plans=arguments.agent_engine,
        limits=_limits(arguments),
        budget=budget_of(arguments),
    )
    services = _services(arguments, engine, question)
    with terminal_progress() as progress:
        papers, notices = _papers(arguments, progress)
        # Print each step as it ends.
        tell = untold if progress is silent else _tell
        with agreed(arguments, services, arguments.folder, papers.library) as beyond:
            if isinstance(engine, ModelAnswerEngine):
                engine.beyond = beyond
            answer = engine.answer(question, papers.library, progress=progress, tell=tell)
    if out is not None:
        write_whole(out, ANSWER_FILES[out.suffix.lower()].content(answer, datetime.now(UTC), notices))
    for failure in papers.failures:
        print(printable(failure), file=sys.stderr)
    if arguments.json:
        print(json.dumps(answer_document(answer) | {"failed": list(papers.failures)}, ensure_ascii=False, indent=1))
    else:
        print("\n".join(_lines(answer)))
    if answer.problem:
        print(printable(answer.problem), file=sys.stderr)
    return 2 if papers.failures or answer.problem else 0


def _papers(arguments: argparse.Namespace, progress: Progress) -> tuple[FolderLibrary, Mapping[str, str]]:
    """The library to ask, updated, with what could not be read; and what services said about its papers, by id."""
    if arguments.folder is not None:
        of_folder = library_of_folder(
            arguments.folder, workers=arguments.workers, cluster=arguments.cluster, progress=progress
        )
        return of_folder, NO_NOTICES
    from core.commands.notices_common import checked_by_itself  # loads the store  # noqa: PLC0415
    from core.review.indexing import project_library  # noqa: PLC0415
    from core.review.marks import marks  # noqa: PLC0415
    from core.review.notices import EXPORT_AGE  # noqa: PLC0415
    from core.store import open_store  # noqa: PLC0415

    settings = load_settings()
    store = open_store(settings)
    try:
        with store.reading() as now:
            named = [one.record.id for one in now.projects() if one.record.name == arguments.project]
            if not arguments.kept and len(named) != 1:
                raise QueryError(
                    f"{len(named)} projects are called “{arguments.project}”. Name one that the app lists."
                )
            kept = project_library(now, None if arguments.kept else named[0], settings)
        with kept.alone(progress), store.reading() as now:
            kept.take_out_gone(now)
            missing = kept.missing(now)
        kept.add(store, missing, workers=arguments.workers or 1, cluster=arguments.cluster, progress=progress)
        unread = kept.unread(store)
        for project in kept.projects if arguments.out is not None else ():
            checked_by_itself(store, project, settings, older=EXPORT_AGE)
        with store.reading() as now:
            notices = {item: one.in_words for project in kept.projects for item, one in marks(now, project).items()}
    finally:
        store.close()
    failures = tuple(f"{one.name}: Its text is not kept. Add the file again." for one in unread)
    return FolderLibrary(kept.library, failures), notices


def _services(arguments: argparse.Namespace, engine: AnswerEngine, question: Question) -> list[str]:
    """The services that the user agreed to. Raises `VouchError` if they cannot be asked, before anything is indexed."""
    if arguments.services is None:
        return []
    if arguments.folder is None:
        raise QueryError(
            "--services keeps what it fetches in the folder of papers. Name a folder, or ask on the page Ask."
        )
    require_agreement_fits(question, has_agent=isinstance(engine, ModelAnswerEngine) and engine.has_agent)
    return services_of(arguments)


def _limits(arguments: argparse.Namespace) -> AgentLimits | None:
    """The agent's limits, if any is given. Raises `QueryError` for an invalid one."""
    given = {"steps": arguments.max_steps, "seconds": arguments.max_seconds}
    named = {name: value for name, value in given.items() if value is not None}
    return AgentLimits(**named) if named else None


def _tell(step: TrailStep) -> None:
    """Print a step on its own line, above the progress line."""
    words = f" “{step.words}”" if step.words else ""
    cost = "" if step.cost_usd == 0 else ", cost unknown" if step.cost_usd is None else f", ${step.cost_usd:.4f}"
    line = printable(f"{step.action.capitalize()}{words}: {step.came} ({step.seconds:.1f} s{cost})")
    print(f"\r\x1b[K{line}", file=sys.stderr, flush=True)
    for detail in step.details:
        print(printable(f"    {detail}"), file=sys.stderr, flush=True)


def _lines(answer: Answer) -> Iterator[str]:
    yield f"{printable(answer.question.text)}"
    limits = f" ({printable(answer.question.limits)})" if answer.question.limits else ""
    yield f"engine {answer.engine}, {answer.searched:,} papers searched{limits}, {answer.seconds:.2f} s"
    if not answer.papers:
        yield "\nThese papers hold nothing near the question."
    elif answer.statements:
        yield from _written_lines(answer)
    elif answer.problem:
        yield "\nThere is no answer. The nearest sentences:"
    elif answer.cannot_answer:
        yield "\nThese papers do not seem to answer it. The nearest sentences:"
    else:
        yield f"\n{reports(answer)}"
    for number, one in enumerate(answer.papers, 1):
        yield from _paper_lines(number, one, answered=answer.answered)
    if answer.notes:
        yield ""
        yield from map(printable, answer.notes)
    if brought := [detail for step in answer.steps for detail in step.details]:
        yield "\nBeyond the folder:"
        yield from map(printable, brought)


def _written_lines(answer: Answer) -> Iterator[str]:
    """A written answer: each sentence with the numbers of its sources and the result of checking them."""
    numbers = {one.paper.id: number for number, one in enumerate(answer.papers, 1)}
    for one in answer.statements:
        if one.begins_paragraph:
            yield ""
        cited = [f"[{numbers[cite.passage.rpartition('/')[0]]}: {cite.status.value}]" for cite in one.citations]
        text = f"{printable(one.text)} {' '.join(cited) or '[no source]'}"
        yield from textwrap.wrap(text, width=100, initial_indent="  ", subsequent_indent="  ")
    yield "\nIt rests on:"


def reports(answer: Answer) -> str:
    """How many papers report on the question, and in which direction."""
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
    retracted = " RETRACTED" if one.paper.retracted else ""
    yield f"\n{number:3}. {printable(one.paper.title or one.paper.name)} ({one.paper.year or 'no year'}){retracted}"
    yield f"     {printable(one.paper.name)} [{one.strongest.strongest}] {printable(place)}"
    yield from textwrap.wrap(
        f"“{printable(one.sentence)}”", width=100, initial_indent="     ", subsequent_indent="     "
    )
