"""`engines`: each engine, whether it can run now, and why not."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from core.engines import TaskKind, engine_statuses, strategies
from core.errors import QueryError
from core.work.progress import duration


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--measure",
        metavar="compatible:MODEL",
        help="what the server tells of a model of yours, and how fast it is: two short questions are asked",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Print the engines, the default one first."""
    if arguments.measure:
        return _measure(arguments.measure, as_json=arguments.json)
    statuses = engine_statuses()
    ways = {task.value: strategies(task) for task in (TaskKind.EVIDENCE, TaskKind.BIAS, TaskKind.SUMMARY)}
    if arguments.json:
        document = {"engines": [asdict(status) for status in statuses], "strategies": ways}
        json.dump(document, sys.stdout, ensure_ascii=False, indent=1)
        print()
        return 0
    width = max(len(status.name) for status in statuses)
    for status in statuses:
        print(f"{status.name:{width}}  {'ready      ' if status.available else 'unavailable'}  {status.description}")
        if status.reason:
            print(f"{'':{width}}  {status.reason}")
    named = {task: ", ".join(f"@{strategy}" for strategy in of_task) for task, of_task in ways.items()}
    print(f"\nA language model's name may end in how it reads: for evidence {named['evidence']};")
    print(f"for risk of bias {named['bias']}; for plain summaries {named['summary']}.")
    print(
        "The first is what a name without @ means. For evidence @digest has done better (docs/prompts.md), and is what the page"
    )
    print("begins with: write it, as in openai:MODEL@digest.")
    return 0


_PAPER = (8, 13_000)  # questions and input tokens for a paper, section by section (docs/prompts.md)


def _measure(name: str, *, as_json: bool) -> int:
    """Print what a server says about a model, and the time for a paper. Raises `ModelError` if it does not answer."""
    from core.llm import Provider, access_to, measured_speed, model_named, served_model  # noqa: PLC0415

    model = model_named(name)
    if model is None or model.provider is not Provider.COMPATIBLE:
        raise QueryError(f"“{name}” is no model of a server of yours. Name it as compatible:MODEL.")
    served, speed = served_model(access_to(model.provider), model.model), measured_speed(model)
    seconds = speed.seconds(*_PAPER)
    if as_json:
        document = {"model": name, **asdict(served), **asdict(speed), "seconds_a_paper": round(seconds, 1)}
        print(json.dumps(document, ensure_ascii=False, indent=1))
        return 0
    print(f"context    {f'{served.context:,} tokens' if served.context else 'not told'}")
    if served.context and served.longest and served.longest > served.context:
        print(f"           the model could have {served.longest:,}: docs/local-models.md says how")
    print(f"parameters {f'{served.parameters / 1e9:.3g} billion' if served.parameters else 'not told'}")
    print(f"speed      {speed.reading:,.0f} tokens a second read, {speed.writing:,.0f} written")
    print(f"a paper    about {duration(seconds)}, section by section")
    return 0
