"""`summary FILE`: a plain summary checked against its paper, sentence by sentence, or written, checked and repaired."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.commands.common import add_budget, budget_of, bytes_of, printable, terminal_progress
from core.commands.read import add_reading_arguments, read_file
from core.engines import DEFAULT_ENGINE, writer_named
from core.errors import QueryError, VouchError
from core.export.summary import summary_document, words_at
from core.paper import Paper
from core.summary import (
    WRONG,
    FaithfulnessReport,
    Label,
    SentenceCheck,
    SummarySource,
    check_summary,
    summary_engine_named,
)
from core.summary.measures import measures
from core.summary.model import Measures

if TYPE_CHECKING:  # loaded when a summary is written
    from core.summary.writing import SummaryVersion
_LEVELS = ("plain", "easy", "detailed")
_SIGNS = {
    Label.SUPPORTED: "+",
    Label.CONTRADICTS: "!",
    Label.NOT_IN_PAPER: "!",
    Label.CANNOT_TELL: "?",
    Label.NOT_JUDGED: "-",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a paper, in any format")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--text", metavar="S", help="the summary to check, or @FILE to read it from a file")
    what.add_argument("--write", action="store_true", help="write a summary with the language model --engine")
    parser.add_argument("--engine", default=DEFAULT_ENGINE, help="see the command “engines” (default: %(default)s)")
    parser.add_argument(
        "--source",
        choices=[source.value for source in SummarySource],
        help="front: title, authors, abstract and first section (default with --write); whole: the full text",
    )
    parser.add_argument(
        "--threshold",
        type=float,
        metavar="P",
        help="the probability from which “offline” calls a sentence supported (default: the one that was fitted)",
    )
    writing = parser.add_argument_group("writing")
    writing.add_argument("--level", choices=_LEVELS, default="plain", help="for whom (default: %(default)s)")
    writing.add_argument("--checker", default=DEFAULT_ENGINE, help="the engine that checks it (default: %(default)s)")
    writing.add_argument(
        "--repair",
        type=int,
        nargs="?",
        const=1,
        default=0,
        metavar="N",
        help="send wrong sentences back, N times (once without N) or until there is none",
    )
    add_reading_arguments(parser)
    add_budget(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Print each sentence with its label and the support for it."""
    if arguments.write:
        return _write(arguments)
    engine = summary_engine_named(arguments.engine, budget=budget_of(arguments), threshold=arguments.threshold)
    source = SummarySource(arguments.source or SummarySource.WHOLE)
    text = _text(arguments.text)
    paper = read_file(arguments.file, arguments)
    with terminal_progress() as progress:
        report = check_summary(text, paper, engine=engine, source=source, progress=progress)
    figures = measures(text, paper, source)
    if arguments.json:
        print(json.dumps(summary_document(report, paper, figures), ensure_ascii=False, indent=1))
    else:
        print("\n".join(_lines(report, paper, figures)))
    return 0


def _write(arguments: argparse.Namespace) -> int:
    from core.summary.writing import (  # noqa: PLC0415
        ReadingLevel,
        repair_summary,
        write_summary,
    )

    if arguments.repair < 0:
        raise QueryError(f"--repair is {arguments.repair}: ask for at least 1 repair, or leave it out.")
    writer = writer_named(arguments.engine, budget=budget_of(arguments))
    checker = summary_engine_named(arguments.checker, budget=budget_of(arguments), threshold=arguments.threshold)
    source, level = SummarySource(arguments.source or SummarySource.FRONT), ReadingLevel(arguments.level)
    paper, failed = read_file(arguments.file, arguments), None
    with terminal_progress() as progress:
        versions = [write_summary(paper, writer=writer, checker=checker, source=source, level=level, progress=progress)]
        while len(versions) <= arguments.repair and versions[-1].report.labelled(*WRONG):
            last = versions[-1].report
            try:
                repaired = repair_summary(last, paper, writer=writer, checker=checker, level=level, progress=progress)
            except VouchError as error:  # the versions before it were paid for, and are printed first
                failed = error
                break
            versions.append(repaired)
    _print_versions(versions, paper, as_json=arguments.json)
    if failed is not None:
        raise failed
    return 0


def _print_versions(versions: Sequence[SummaryVersion], paper: Paper, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"versions": [_document(each, paper) for each in versions]}, ensure_ascii=False, indent=1))
        return
    for number, version in enumerate(versions, 1):
        cost = "unknown" if version.run.cost_usd is None else f"${version.run.cost_usd:.4f}"
        print(f"Version {number}, written by {version.run.model} ({version.level}), cost {cost}; checked by")
        print("\n".join(_lines(version.report, paper, version.measures)), end="\n\n")


def _text(given: str) -> str:
    """The summary itself, or the content of the file named after an @."""
    if not given.startswith("@"):
        return given
    try:
        return bytes_of(Path(given[1:])).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise QueryError(f"“{given[1:]}” is not text in UTF-8. Save the summary as plain text.") from error


def _document(version: SummaryVersion, paper: Paper) -> dict[str, object]:
    return summary_document(version.report, paper, version.measures) | {
        "level": version.level,
        "mended": list(version.mended),
        "written_by": version.run.model,
        "written_cost_usd": version.run.cost_usd,
        "prompts": dict(version.run.prompts),
    }


def _lines(report: FaithfulnessReport, paper: Paper, figures: Measures) -> Iterator[str]:
    counts = ", ".join(f"{len(report.labelled(label))} {report.in_words(label)}" for label in Label)
    yield f"engine {report.engine}, {report.source} of “{printable(paper.title or paper.name)}”, {report.seconds:.1f} s"
    yield f"{len(report.sentences)} sentences: {counts}"
    if report.run:
        yield "cost: unknown" if report.cost_usd is None else f"cost: ${report.cost_usd:.4f}"
    yield from (f"note: {printable(note)}" for note in report.notes)
    for number, sentence in enumerate(report.sentences, 1):
        score = "" if sentence.score is None else f"  {sentence.score:.2f}"
        yield f"\n{_SIGNS[sentence.label]} {number}. {report.in_words(sentence.label)}{score}"
        yield from _wrapped(sentence.text, "     ")
        yield from _reasons(sentence, paper)
    yield ""
    yield from _figures(figures)


def _reasons(sentence: SentenceCheck, paper: Paper) -> Iterator[str]:
    """Why a sentence has its label, and the support for it."""
    if part := words_at(sentence.part, sentence.text):
        yield from _wrapped(f"wrong: “{part}”", "     ")
    reasons = [flag.reason for flag in sentence.flags] or [sentence.reason]
    for reason in filter(None, reasons):
        yield from _wrapped(f"why: {reason}", "     ")
    for support in sentence.support:
        text = support.quoted or "" if support.index is None else paper.sentences[support.index].text
        place = support.status if support.index is None else f"[{support.index}]"
        yield from _wrapped(f"{place} {text}", "       ")


def _figures(figures: Measures) -> Iterator[str]:
    if figures.readability:
        grades = figures.readability
        yield (
            f"readability: Flesch-Kincaid grade {grades.flesch_kincaid:.1f}, "
            f"Coleman-Liau index {grades.coleman_liau:.1f}, Dale-Chall score {grades.dale_chall:.1f}"
        )
    shares = [f"{share:.0%} of {n}-grams" for n, share in enumerate(figures.novelty, 1) if share is not None]
    if shares:
        yield f"not in the source: {', '.join(shares)}"


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(printable(text), width=110, initial_indent=indent, subsequent_indent=indent + "  ")
