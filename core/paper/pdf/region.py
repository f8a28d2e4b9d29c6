"""Lines that stand close below or beside each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.paper.pdf.limits import SIDE_OF_PAGE
from core.paper.pdf.lines import Line, from_top

_STRIP = 50.0  # points


@dataclass(slots=True)
class Region:
    """Lines that stand together."""

    lines: list[Line]

    @property
    def x0(self) -> float:
        return min(line.x0 for line in self.lines)

    @property
    def x1(self) -> float:
        return max(line.x1 for line in self.lines)


def regions_of(lines: Iterable[Line]) -> list[Region]:
    """Lines that stand close below or beside each other, as regions."""
    ordered = from_top(lines)
    parent = list(range(len(ordered)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    # Only lines with a strip of the page in common can be near; each strip is gone through from its bottom up.
    strips: dict[int, list[int]] = {}
    for index in range(len(ordered) - 1, -1, -1):
        upper = ordered[index]
        near = 0.7 * upper.size
        first, last = (min(x, SIDE_OF_PAGE) // _STRIP for x in (upper.x0 - near, upper.x1 + near))
        for strip in range(int(first), int(last) + 1):
            lowers = strips.setdefault(strip, [])
            for below in reversed(lowers):
                lower = ordered[below]
                distance = upper.y - lower.y
                if distance > 2 * upper.size:
                    break
                gap = max(lower.x0 - upper.x1, upper.x0 - lower.x1)
                if gap < 0 or (distance < 0.4 * upper.size and gap < near):
                    parent[root(below)] = index  # its own root: only what lies below it has been joined to it
            lowers.append(index)
    regions: dict[int, Region] = {}
    for index, line in enumerate(ordered):
        regions.setdefault(root(index), Region([])).lines.append(line)
    return list(regions.values())
