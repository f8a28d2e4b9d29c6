"""Shared by the commands: printing, progress, files, and limits on cost."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import QueryError
from core.progress import Progress, silent

if TYPE_CHECKING:  # loaded with the first language model
    from core.llm import Budget, CostEstimate, ModelName
    from core.settings import Settings


# Printing on a terminal: text of unknown origin, and progress.


def printable(text: str) -> str:
    """Text that cannot control a terminal: control characters become spaces."""
    return "".join(character if character.isprintable() else " " for character in text)


@contextmanager
def terminal_progress() -> Iterator[Progress]:
    """Shows progress on one line if standard error is a terminal, and clears the line at the end."""
    if not sys.stderr.isatty():
        yield silent
        return
    try:
        yield _show_progress
    finally:
        print("\r\x1b[K", end="", file=sys.stderr)


def _show_progress(done: float, step: str) -> None:
    """Overwrite one line of standard error with each report."""
    print(f"\r\x1b[K{done:4.0%}  {printable(step)}", end="", file=sys.stderr, flush=True)


# Files named by the user.


def bytes_of(path: Path) -> bytes:
    """The content of a file. Raises `QueryError` if it cannot be opened."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise QueryError(
            f"“{path}” cannot be opened ({error.strerror}). Check the path and its permissions."
        ) from error


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file completely or not at all, making its folders. Raises `QueryError` if that is not possible."""
    with _draft_of(path) as draft:
        draft.write_bytes(content.encode() if isinstance(content, str) else content)
        draft.replace(path)


def require_writable(path: Path) -> None:
    """Raises `QueryError` if `write_whole` would: call it before long work. Makes the folders."""
    with _draft_of(path) as draft:
        draft.touch()


@contextmanager
def _draft_of(path: Path) -> Iterator[Path]:
    """A temporary file beside this one, deleted at the end. Raises `QueryError` for an error of the system."""
    draft = path.parent / f".{path.name}.{os.getpid()}"
    try:
        if path.is_dir():
            raise QueryError(f"“{path}” is a folder. Name a file.")
        path.parent.mkdir(parents=True, exist_ok=True)
        yield draft
    except OSError as error:
        raise QueryError(
            f"“{path}” cannot be written ({error.strerror}). Check the folder and its permissions."
        ) from error
    finally:
        with suppress(OSError):
            draft.unlink()


# Saying what is sent, and limiting what language models may cost.


def say_where(what: str, settings: Settings) -> None:
    """Print what is sent to whom, before it is sent."""
    stand_in = f" All of it goes to the stand-in {settings.sources_url}." if settings.sources_url else ""
    print(f"vouch: {what}{stand_in}", file=sys.stderr)


def add_budget(parser: argparse.ArgumentParser) -> None:
    """Declare the options that limit cost."""
    parser.add_argument("--budget-usd", type=float, metavar="USD", help="stop before a language model costs more")
    parser.add_argument("--budget-tokens", type=int, metavar="N", help="stop before it uses more tokens")


def budget_of(arguments: argparse.Namespace) -> Budget | None:
    """The most that a run may spend; None: no limit. Raises `QueryError` for a limit that is not above 0."""
    for limit in (arguments.budget_usd, arguments.budget_tokens):
        if limit is not None and not limit > 0:
            raise QueryError(f"The budget is {limit}: set one above 0, or none.")
    if arguments.budget_usd is None and arguments.budget_tokens is None:
        return None
    from core.llm import Budget  # noqa: PLC0415

    return Budget(arguments.budget_usd, arguments.budget_tokens)


def tell_cost(engine: str | None, estimated: Callable[[ModelName], CostEstimate]) -> bool:
    """Print what a language model will use, before it is asked. Returns False if the engine is not one."""
    from core.engines import asks_model  # noqa: PLC0415
    from core.llm import known_speed, model_named, prices_date  # noqa: PLC0415
    from core.work.progress import duration  # noqa: PLC0415

    if engine is None or not asks_model(engine) or (model := model_named(engine)) is None:
        return False
    told = estimated(model)
    money = (
        "cost unknown: there is no price for this model"
        if told.least_usd is None or told.most_usd is None
        else f"${told.least_usd:.4f} to ${told.most_usd:.4f} at the prices of {prices_date()}"
    )
    tokens = f"{told.calls:,} calls with {told.input_tokens:,} tokens of input, output not counted"
    speed = known_speed(model)
    time = f", about {duration(speed.seconds(told.calls, told.input_tokens))} one after the other" if speed else ""
    print(f"vouch: {engine}: about {tokens}{time}; {money}. What was answered before costs nothing.", file=sys.stderr)
    return True
