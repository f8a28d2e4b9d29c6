"""The filters of a table: everything, disagreements, and where gold tells, who is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from core.benchmarks.side_by_side.groups import all_wrong

EVERYTHING = "Everything"


class Row(Protocol):
    """What a row says of the engines."""

    @property
    def disputed(self) -> bool: ...
    @property
    def all_wrong(self) -> bool: ...
    @property
    def only_wrong(self) -> int | None: ...


Way = Callable[[Row], bool]


def ways(letters: str, *, judged: bool) -> Mapping[str, Way]:
    """The filters by their names. `judged`: it is known who is wrong."""
    found: dict[str, Way] = {EVERYTHING: lambda row: True, "Disagreements": lambda row: row.disputed}
    if judged:
        found[all_wrong(letters)] = lambda row: row.all_wrong
        found |= {f"Only {letter} wrong": _only_wrong(place) for place, letter in enumerate(letters)}
    return found


def _only_wrong(place: int) -> Way:
    return lambda row: row.only_wrong == place
