"""The list of keys, against what the scripts do."""

from __future__ import annotations

import re
from pathlib import Path

from pages._ui.paper_view import keyboard

_SCRIPT = (Path(keyboard.__file__).parent / "keys.js").read_text(encoding="utf-8")


def test_every_key_of_the_desk_is_in_the_list() -> None:
    named = {"Escape": "Esc", "-": "−", "=": "+"}
    for block, tasks in (("const KEYS", {None, "reading", "bias"}), ("const SCREENING_KEYS", {"screening"})):
        rest = _SCRIPT[_SCRIPT.index(block) :]
        acting = set(re.findall(r'^  "?([^\s":]+)"?: \(desk\)', rest[: rest.index("\n};")], re.MULTILINE))
        shortcuts = [one for one in keyboard.SHORTCUTS if one.task in tasks]
        listed = {key for one in shortcuts for key in re.split(r" or | and | \+ ", one.keys)}
        assert {"n", "Escape", "["} <= acting
        assert {named.get(key, key) for key in acting} - {"Esc"} == listed - {"Esc", "1 to 9", "Ctrl", "⌘", "Enter"}


def test_the_help_marks_keys_and_whom_they_serve() -> None:
    shown = keyboard.help_html()
    assert (
        '<dt class="reading-only"><kbd>n</kbd> or <kbd>j</kbd></dt><dd class="reading-only">next marked sentence, in the paper\'s order</dd>'
        in shown
    )
    assert '<dt class="bias-only"><kbd>[</kbd> and <kbd>]</kbd></dt>' in shown
