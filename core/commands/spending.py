"""The options that limit what language models may cost."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from core.errors import QueryError

if TYPE_CHECKING:  # loads with the first language model
    from core.llm import Budget


def add_budget(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--budget-usd", type=float, metavar="USD", help="stop before a language model costs more")
    parser.add_argument("--budget-tokens", type=int, metavar="N", help="stop before it uses more tokens")


def budget_of(arguments: argparse.Namespace) -> Budget | None:
    """What a run may spend; None: no limit. Raises `QueryError` for a limit that is not above 0."""
    for limit in (arguments.budget_usd, arguments.budget_tokens):
        if limit is not None and not limit > 0:
            raise QueryError(f"The budget is {limit}: set one above 0, or none.")
    if arguments.budget_usd is None and arguments.budget_tokens is None:
        return None
    from core.llm import Budget  # noqa: PLC0415

    return Budget(arguments.budget_usd, arguments.budget_tokens)
