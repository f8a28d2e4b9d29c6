"""The desk's keys: one list, for the help on the desk and for the page on engines. What they do stands in main.js."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shortcut:
    """Keys that do the same, or its opposite."""

    keys: str  # as in "n or j"
    does: str
    task: str | None = None  # "evidence", "bias", "summary" or "compare"; None: all


SHORTCUTS = (
    Shortcut("n or j", "next marked sentence, in the paper's order"),
    Shortcut("p or k", "previous marked sentence, in the paper's order"),
    Shortcut(". and ,", "next and previous sentence of the paper"),
    Shortcut("a", "accept the sentence, or add it"),
    Shortcut("r", "reject it"),
    Shortcut("u", "undo your decision"),
    Shortcut("v", "text or pages of a PDF"),
    Shortcut("+ and −", "larger and smaller pages"),
    Shortcut("[ and ]", "previous and next domain of risk of bias", "bias"),
    Shortcut("[ and ]", "previous and next sentence of the summary", "summary"),
    Shortcut("[ and ]", "previous and next filter", "compare"),
    Shortcut("?", "show these keys"),
    Shortcut("Esc", "close what is open"),
    Shortcut("Ctrl or ⌘ + Enter", "find evidence", "evidence"),
)


def help_html() -> str:
    """The list as the items of an HTML definition list. All of it is our own text."""
    return "\n".join(_item(shortcut) for shortcut in SHORTCUTS)


def _item(shortcut: Shortcut) -> str:
    only = f' class="{shortcut.task}-only"' if shortcut.task else ""
    parts = re.split(r"( or | and | \+ )", shortcut.keys)
    keys = "".join(part if number % 2 else f"<kbd>{part}</kbd>" for number, part in enumerate(parts))
    return f"      <dt{only}>{keys}</dt><dd{only}>{shortcut.does}</dd>"
