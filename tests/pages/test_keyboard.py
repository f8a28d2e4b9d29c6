"""The list of keys, against what the scripts do."""

from __future__ import annotations

import re
from pathlib import Path

from pages._ui.paper_view import keyboard

_SCRIPT = (Path(keyboard.__file__).parent / "main.js").read_text(encoding="utf-8")


def test_every_key_of_the_desk_is_in_the_list() -> None:
    block = _SCRIPT[_SCRIPT.index("const KEYS") : _SCRIPT.index("\n};")]
    acting = set(re.findall(r'^  "?([^\s":]+)"?: \(desk\)', block, re.MULTILINE))
    listed = {key for one in keyboard.SHORTCUTS for key in re.split(r" or | and | \+ ", one.keys)}
    named = {"Escape": "Esc", "-": "−", "=": "+"}
    assert {"n", "v", "Escape", "[", "?"} <= acting
    assert {named.get(key, key) for key in acting} == listed - {"Ctrl", "⌘", "Enter"}


def test_the_help_marks_keys_and_whom_they_serve() -> None:
    shown = keyboard.help_html()
    assert "<dt><kbd>n</kbd> or <kbd>j</kbd></dt><dd>next marked sentence, in the paper's order</dd>" in shown
    assert '<dt class="bias-only"><kbd>[</kbd> and <kbd>]</kbd></dt>' in shown
