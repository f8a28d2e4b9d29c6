"""Text that knows its lines: cut, joined and respelt."""

from __future__ import annotations

from core.paper import Kind
from core.paper.model import PrintedLine
from core.paper.pdf.printed import PrintedText, join

HEADING = PrintedText("2. M E T H O D S in brief", (PrintedLine(0, 16, 1, 0, 16), PrintedLine(17, 25, 1, 18, 26)))


def test_a_cut_counts_the_letters_before_it() -> None:
    cut = HEADING.cut(3, 19)
    assert cut == PrintedText("M E T H O D S in", (PrintedLine(0, 13, 1, 0, 16, 1), PrintedLine(14, 16, 1, 18, 26)))
    assert cut.cut(15).lines == (PrintedLine(0, 1, 1, 18, 26, 1),)
    assert HEADING.cut(0, 0) == PrintedText()


def test_parts_are_moved_where_they_are_joined() -> None:
    row = join([PrintedText(), HEADING.cut(17), PrintedText("5", (PrintedLine(0, 1, 2, 7, 8),))], " | ").stripped()
    assert row == PrintedText("| in brief | 5", (PrintedLine(2, 10, 1, 18, 26), PrintedLine(13, 14, 2, 7, 8)))
    assert row.block(Kind.TABLE).page == 1


def test_letters_set_apart_are_closed_up() -> None:
    closed = HEADING.closed_up("METHODS in brief")
    assert closed.lines == (PrintedLine(0, 7, 1, 0, 16, 1), PrintedLine(8, 16, 1, 18, 26))
