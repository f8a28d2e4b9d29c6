"""Table rows as lines of text that keep their cells apart, the same for every XML vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.paper.xml import Element, children, descendants

CELL_SEPARATOR = " | "


def table_rows(table: Element, cell_text: Callable[[Element], str]) -> Iterator[str]:
    """Each row of `table` that holds any text, its cells joined by `CELL_SEPARATOR`; empty cells keep their place."""
    for row in descendants(table, "tr", "row"):
        cells = [cell_text(cell) for cell in children(row, "td", "th", "cell")]
        if any(cells):
            yield CELL_SEPARATOR.join(cells).strip()
