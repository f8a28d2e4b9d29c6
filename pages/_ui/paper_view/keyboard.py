"""The desk's keys: one list, for the help on the desk and for the page on engines. What they do stands in keys.js."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shortcut:
    """Keys that do the same, or its opposite."""

    keys: str  # as in "n or j"
    does: str
    task: str | None = (
        None  # "evidence", "bias", "summary", "compare" or "screening"; "reading": all but that; None: all
    )


WHERE = {
    None: "",
    "reading": "but when screening",
    "screening": "Screening",
    "evidence": "Evidence",
    "bias": "Risk of bias",
    "summary": "Plain summary",
    "compare": "Compare",
}

SHORTCUTS = (
    Shortcut("i", "include the paper", "screening"),
    Shortcut("e", "exclude it, for a reason", "screening"),
    Shortcut("1 to 9", "the reason that has this number", "screening"),
    Shortcut("u", "unsure", "screening"),
    Shortcut("z", "take the last verdict back", "screening"),
    Shortcut("j or →", "next paper", "screening"),
    Shortcut("k or ←", "previous paper", "screening"),
    Shortcut("n", "write a note, or why you settle on it", "screening"),
    Shortcut("Ctrl or ⌘ + Enter", "settle on it, in the field that says why", "screening"),
    Shortcut("h", "hide or show suggestions", "screening"),
    Shortcut("[ and ]", "previous and next marked sentence", "screening"),
    Shortcut("n or j", "next marked sentence, in the paper's order", "reading"),
    Shortcut("p or k", "previous marked sentence, in the paper's order", "reading"),
    Shortcut(". and ,", "next and previous sentence of the paper"),
    Shortcut("a", "accept the sentence, or add it", "reading"),
    Shortcut("r", "reject it", "reading"),
    Shortcut("u", "undo your decision", "reading"),
    Shortcut("v", "text or pages of a PDF", "reading"),
    Shortcut("+ and −", "larger and smaller pages", "reading"),
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
