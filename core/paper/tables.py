"""Table rows as lines of text that keep their cells apart, the same for every format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from core.paper.xml import Element, children, local_name

CELL_SEPARATOR = " | "


def join_cells(cells: Iterable[str]) -> str:
    """A row of cells as one line; an empty cell keeps its place. A row without any text is an empty line."""
    texts = list(cells)
    return CELL_SEPARATOR.join(texts).strip() if any(texts) else ""


def table_rows(table: Element, cell_text: Callable[[Element], str]) -> Iterator[str]:
    """Each row of `table` that holds any text. The rows of tables inside its cells are theirs, not its own."""
    for child in children(table):
        name = local_name(child)
        if name in {"tr", "row"}:
            if row := join_cells(cell_text(cell) for cell in children(child, "td", "th", "cell")):
                yield row
        elif name != "table":
            yield from table_rows(child, cell_text)
