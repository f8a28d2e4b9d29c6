"""The tools by name. A new one is a new file in `tools` with a constant `TOOL`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from core.bias import tools as folder
from core.bias.model import Tool
from core.errors import QueryError


@cache
def tools() -> dict[str, Tool]:
    """Every tool by its id."""
    names = sorted(module.name for module in iter_modules(folder.__path__))
    found = [import_module(f"{folder.__name__}.{name}").TOOL for name in names]
    return {tool.id: tool for tool in found}


def tool_named(name: str) -> Tool:
    """The tool of this id. Raises `QueryError` if there is none."""
    found = tools().get(name.strip().lower().replace(" ", ""))
    if found is None:
        raise QueryError(f"There is no tool called “{name}”. Choose one of: {', '.join(tools())}.")
    return found
