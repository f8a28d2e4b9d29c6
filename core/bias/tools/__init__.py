"""The risk-of-bias tools by id. Each module here defines the tools of one family in `TOOLS`; new modules are found."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from core.bias.model import Tool
from core.errors import QueryError

FOR_A_PAPER, FOR_A_REVIEW = "rob1", "rob2"  # the default tools


@cache
def known_tools() -> dict[str, Tool]:
    """Every tool by its id."""
    names = sorted(module.name for module in iter_modules(__path__))
    families: list[tuple[Tool, ...]] = [import_module(f"{__name__}.{name}").TOOLS for name in names]
    return {tool.id: tool for family in families for tool in family}


def tool_named(name: str, own: Iterable[Tool] = ()) -> Tool:
    """The tool with this id, published or one of the reviewers' `own`. Raises `QueryError` if there is none."""
    tools = known_tools() | {tool.id: tool for tool in own}
    found = tools.get(name.strip().lower().replace(" ", ""))
    if found is None:
        raise QueryError(f"There is no tool called “{name}”. Choose one of: {', '.join(tools)}.")
    return found
