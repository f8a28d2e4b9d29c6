"""`make evidencebench|robbr|farebio|agreement`: a benchmark from a group's own reviews, and whether its labels hold."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.commands.common import add_budget, budget_of, bytes_of, printable, terminal_progress
from core.errors import EngineError, QueryError

if TYPE_CHECKING:  # loaded with the first pipeline
    from core.llm import Budget, ModelName
    from core.making.agreement import Judged
    from core.making.carrying_out import Making
    from core.making.shelf import Shelf


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND")
    evidencebench = kinds.add_parser(
        "evidencebench", help="evidence for hypotheses, from reviews and the papers that they cite"
    )
    evidencebench.add_argument(
        "reviews",
        type=Path,
        metavar="REVIEWS",
        help="a folder of reviews in JATS, or a table of sentences and cited papers",
    )
    _add_papers(evidencebench)
    _add_pipeline(evidencebench)
    robbr = kinds.add_parser(
        "robbr", help="risk of bias: levels, support sentences, options, from reviewers' judgements"
    )
    robbr.add_argument(
        "judgements", type=Path, metavar="TABLE", help="CSV: study, domain, judgement, support; or as RevMan exports it"
    )
    _add_papers(robbr)
    _add_pipeline(robbr)
    farebio = kinds.add_parser("farebio", help="plain summaries, labelled sentence by sentence")
    farebio.add_argument(
        "summaries", type=Path, nargs="?", metavar="TABLE", help="CSV: paper, summary (its name), text"
    )
    farebio.add_argument(
        "--writer",
        action="append",
        default=[],
        metavar="MODEL",
        help="without a table: let this model summarise each paper; give it again for more",
    )
    _add_papers(farebio)
    _add_pipeline(farebio)
    _add_agreement(kinds.add_parser("agreement", help="two people and a model on the same items: do they label alike?"))


def run(arguments: argparse.Namespace) -> int:
    """Make the benchmark, or measure the agreement."""
    return _agreement(arguments) if arguments.kind == "agreement" else _make(arguments)


# ---- pipelines ----


def _add_papers(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--papers",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="the cited papers: JATS, PDF and others, named by DOI, PMC number or PMID",
    )
    parser.add_argument(
        "--any-licence", action="store_true", help="also papers whose licence is not Creative Commons, or is not told"
    )


def _add_pipeline(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--engine", required=True, metavar="MODEL", help="the language model, as openai:MODEL")
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="what is done, the benchmark and its datasheet; the same command goes on there",
    )
    parser.add_argument(
        "--test-share",
        type=float,
        default=0.2,
        metavar="SHARE",
        help="of the reviews whose records are for testing (default: 0.2)",
    )
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N candidates")
    parser.add_argument("--estimate", action="store_true", help="say what it will cost, and ask nothing")
    parser.add_argument("--at-once", type=int, default=8, metavar="N", help="candidates in hand at a time (default: 8)")
    parser.add_argument("--cluster", metavar="URL", help="a Dask scheduler, as tcp://HOST:8786, whose workers ask")
    add_budget(parser)
    batches = parser.add_argument_group("batches", "at half the price, in files, within a day")
    batches.add_argument("--batch-out", type=Path, metavar="DIR", help="write each stage's requests to this folder")
    batches.add_argument(
        "--batch-in", type=Path, metavar="FILE", help="results of requests; writes the next stage, or the benchmark"
    )
    batches.add_argument("--submit", action="store_true", help="send the requests and wait for the results")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _make(arguments: argparse.Namespace) -> int:
    from core.making.carrying_out import BatchStage, Making  # noqa: PLC0415
    from core.making.order import estimate_in_words  # noqa: PLC0415
    from core.making.shelf import Shelf  # noqa: PLC0415

    model = _checked(arguments)
    shelf = Shelf(arguments.papers)
    writers, budget = _writers(arguments), budget_of(arguments)
    if writers:
        budget = _written(arguments, shelf, writers, budget)
    making: Making[Any, Any] = Making(
        _pipeline(arguments, shelf), model, arguments.out, arguments.test_share, arguments.limit
    )
    in_batches = arguments.batch_out is not None
    run = making.estimated(batch=in_batches)
    said = estimate_in_words(run, None if in_batches else making.estimated(batch=True))
    if arguments.estimate:
        print(json.dumps(asdict(run), indent=1) if arguments.json else said)
        return 0
    print(said, file=sys.stderr)
    with terminal_progress() as progress:
        if arguments.batch_out is None:
            result: Any = making.live(
                budget=budget, at_once=arguments.at_once, cluster=arguments.cluster, progress=progress
            )
        elif arguments.submit:
            result = making.submit(arguments.batch_out, progress=progress)
        else:
            result = making.advance(arguments.batch_out, results=arguments.batch_in, progress=progress)
    if isinstance(result, BatchStage):
        files = [str(file) for file in result.files]
        if arguments.json:
            print(json.dumps({"waiting_for": files, "requests": result.requests}, ensure_ascii=False, indent=1))
        else:
            print(f"{result.requests:,} requests are to be answered:", *files, sep="\n  ")
            print("Give them to the provider (or use --submit), and come back with --batch-in and the file of results.")
        return 0
    if arguments.json:
        print((arguments.out / "datasheet.json").read_text(encoding="utf-8"), end="")
    else:
        print(*result, sep="\n")
    return 0


def _checked(arguments: argparse.Namespace) -> ModelName:
    """The model, after checking, before anything is sent, that all options fit together."""
    from core.llm import model_named  # noqa: PLC0415
    from core.making.carrying_out import NO_BUDGET_ON_CLUSTER  # noqa: PLC0415

    model = model_named(arguments.engine)
    if model is None:
        raise EngineError(f"“{arguments.engine}” is no language model. Name one as openai:MODEL.")
    if not 0 <= arguments.test_share <= 1:
        raise QueryError(f"The share for testing is {arguments.test_share:g}: give one from 0 to 1.")
    for option, number in (("--at-once", arguments.at_once), ("--limit", arguments.limit)):
        if number is not None and number < 1:
            raise QueryError(f"{option} is {number}: give a number above 0.")
    if arguments.batch_in is not None:
        bytes_of(arguments.batch_in)  # raises for a file that cannot be opened
    if arguments.batch_out is None and (arguments.batch_in or arguments.submit):
        raise QueryError("Name the folder of the run's requests and results with --batch-out DIR.")
    if arguments.batch_out is not None and (budget_of(arguments) or arguments.cluster):
        raise QueryError("Batches know neither budgets nor clusters. Leave them out, and limit the run with --limit.")
    if arguments.cluster and budget_of(arguments):
        raise QueryError(NO_BUDGET_ON_CLUSTER)
    return model


def _pipeline(arguments: argparse.Namespace, shelf: Shelf) -> Any:
    from core.making.farebio import SUMMARIES  # noqa: PLC0415
    from core.making.order import pipeline_named  # noqa: PLC0415

    sources = {"evidencebench": "reviews", "robbr": "judgements", "farebio": "summaries"}
    source = getattr(arguments, sources[arguments.kind]) or arguments.out / SUMMARIES
    writers = getattr(arguments, "writer", ())
    return pipeline_named(arguments.kind, source, shelf, any_licence=arguments.any_licence, writers=writers)


def _writers(arguments: argparse.Namespace) -> list[ModelName]:
    """The models that write the summaries; none if a table has the summaries or none are wanted."""
    from core.llm import model_named  # noqa: PLC0415

    if arguments.kind != "farebio":
        return []
    if (arguments.summaries is None) == (not arguments.writer):
        raise QueryError("Name a table of summaries, or the models that write them with --writer.")
    writers = [model for name in arguments.writer if (model := model_named(name)) is not None]
    if len(writers) < len(arguments.writer):
        raise EngineError("A writer is no language model. Name each as openai:MODEL.")
    return writers


def _written(
    arguments: argparse.Namespace, shelf: Shelf, writers: list[ModelName], budget: Budget | None
) -> Budget | None:
    """Let the writers fill the table, unless nothing is to be sent. Returns what is left of the budget."""
    from core.making.farebio import SUMMARIES, written  # noqa: PLC0415

    if arguments.estimate or (arguments.batch_out is not None and not arguments.submit):
        if not (arguments.out / SUMMARIES).exists():
            raise QueryError(
                "The summaries are not written yet, and writers are asked at once. Let them write first, as far as "
                "--limit and --budget-usd say, or name a table of summaries."
            )
        return budget
    with terminal_progress() as progress:
        return written(
            shelf,
            writers,
            arguments.out,
            any_licence=arguments.any_licence,
            limit=arguments.limit,
            budget=budget,
            progress=progress,
        )


# ---- agreement ----


def _add_agreement(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="CSV: paper, item, a column for each annotator; or labelled summaries, a file of each annotator",
    )
    parser.add_argument("--people", nargs=2, metavar="NAME", help="the two people (default: the first two annotators)")
    parser.add_argument("--model", metavar="NAME", help="the model (default: the third annotator, if there is one)")
    parser.add_argument("--positive", metavar="LABEL", help="the label that is a yes; every other one is a no")
    parser.add_argument(
        "--margin",
        type=float,
        metavar="POINTS",
        help="the largest difference that does not matter, in points of 100 (default: 1 for accuracy, 5 otherwise)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _agreement(arguments: argparse.Namespace) -> int:
    from core.making.agreement import MARGINS, agreements  # noqa: PLC0415
    from core.making.agreement_report import document, in_words  # noqa: PLC0415

    if arguments.margin is not None and not 0 < arguments.margin < 100:
        raise QueryError(f"The margin is {arguments.margin:g}: give points above 0 and below 100.")
    margins = MARGINS if arguments.margin is None else dict.fromkeys(MARGINS, arguments.margin / 100)
    documents: dict[str, object] = {}
    parts = _labelled(arguments)
    for title, (judged, left_out) in parts.items():
        size = {"items": len(judged.papers), "papers": len(set(judged.papers))}
        empty = len(parts) > 1 and not size["items"]  # the other parts still count
        found = () if empty else agreements(judged, margins)
        documents[title] = document(found, **size, left_out=left_out)
        if empty and not arguments.json:
            print(f"{title}none")
        elif not arguments.json:
            print(f"{title}{size['items']:,} items of {size['papers']:,} papers labelled by all; {left_out:,} left out")
            for one in found:
                print(*(printable(sentence) for sentence in in_words(one, **size)), sep="\n  ")
    if arguments.json:
        print(json.dumps(documents if len(documents) > 1 else documents[""], ensure_ascii=False, indent=1))
    return 0


def _labelled(arguments: argparse.Namespace) -> dict[str, tuple[Judged, int]]:
    """What is compared, by title: a table's items, or the sentences, summaries and support of several files."""
    from core.benchmarks.farebio import read_farebio  # noqa: PLC0415
    from core.making.agreement_report import read_labels  # noqa: PLC0415
    from core.making.farebio import compared, titled  # noqa: PLC0415

    if len(arguments.file) == 1:
        (file,) = arguments.file
        table = read_labels(bytes_of(file), name=file.name, positive=arguments.positive)
        names = list(table.labels)
        people = arguments.people or names[:2]
        others = [name for name in names if name not in people]
        return {"": table.judged(people, arguments.model or next(iter(others), None))}
    if len(arguments.file) > 3:
        raise QueryError("Give the files of two people, and of a model beside them if there is one.")
    return titled(compared([read_farebio(bytes_of(file), name=file.name) for file in arguments.file]))
