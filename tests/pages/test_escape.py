"""Hostile text is shown as it is and has no effect."""

from __future__ import annotations

import pytest

from pages._ui.escape import plain, short

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "costs $5 to $10",
    ":red[urgent]",
    ":material/home:",
    ":smile:",
    "[link](javascript:alert(1))",
    "![image](http://example.org/x.png)",
    "**bold** _it_ ~~gone~~ `code`",
    "# heading",
    "1. item",
    "- item",
    "> quote",
    "a | b",
    "&lt;b&gt;",
    "http://example.org",
    "www.example.org and me@example.org",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_every_active_character_is_escaped(text: str) -> None:
    escaped = plain(text)
    assert escaped.replace("\\", "").replace("\u2060", "") == text
    for active in "<>$[]*_`#~|&:.@":
        assert escaped.count(active) == escaped.count("\\" + active)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[click](http://evil.example)", "[click](http:\u2060//evil.example)"),
        ("HTTPS://evil.example", "HTTPS:\u2060//evil.example"),
        ("Www.evil.example", "Www\u2060.evil.example"),
        ("mailto:me@evil.example", "mailto:me\u2060@evil.example"),
    ],
)
def test_bare_addresses_are_no_addresses(text: str, shown: str) -> None:
    assert plain(text).replace("\\", "") == shown


def test_a_backslash_cannot_undo_an_escape() -> None:
    assert plain(r"\[x]") == r"\\\[x\]"


def test_text_stays_on_one_line() -> None:
    assert plain("one\n\n    two\tthree") == "one two three"


def test_long_text_is_cut_before_it_is_escaped() -> None:
    assert plain("$" * 10, limit=4) == r"\$\$\$…"
    assert plain("abcd", limit=4) == "abcd"
    assert short("a  b " * 10, 5) == "a b…"
