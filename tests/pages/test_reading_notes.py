"""Warnings from reading, in lines."""

from __future__ import annotations

from core.paper import PaperWarning
from pages._ui.reading_notes import in_lines


def test_warnings_of_a_kind_are_one_line_and_pages_without_text_stand_first() -> None:
    figures = [
        PaperWarning("figure-text", f"Text inside a figure on page {page} was left out.", page) for page in (3, 7)
    ]
    scan = PaperWarning("page-without-text", "Page 5 has no text layer.", 5)
    other = [PaperWarning("page-unreadable", f"Page {page} could not be read.", page) for page in (8, 9)]
    assert in_lines([*figures, *other, scan]) == [
        "Page 5 has no text layer.",
        "Page 8 could not be read.",
        "Page 9 could not be read.",
        "Text inside figures was left out on pages 3, 7; look at the figures for what they say.",
    ]
    assert in_lines(figures[:1]) == ["Text inside a figure on page 3 was left out."]
    assert in_lines([]) == []
