"""The tools for risk of bias by their ids. Each is a file here with a constant `TOOL`, and a new file is a new tool."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from core.bias.model import Tool
from core.errors import QueryError

FOR_A_PAPER, FOR_A_REVIEW = "rob1", "rob2"  # the tools taken where none is named


@cache
def known_tools() -> dict[str, Tool]:
    """Every tool by its id."""
    names = sorted(module.name for module in iter_modules(__path__))
    found = [import_module(f"{__name__}.{name}").TOOL for name in names]
    return {tool.id: tool for tool in found}


def tool_named(name: str) -> Tool:
    """The tool of this id. Raises `QueryError` if there is none."""
    found = known_tools().get(name.strip().lower().replace(" ", ""))
    if found is None:
        raise QueryError(f"There is no tool called “{name}”. Choose one of: {', '.join(known_tools())}.")
    return found
