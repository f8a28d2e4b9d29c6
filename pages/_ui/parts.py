"""The state that single pages keep in the session, or with an open paper: one object of each page's own class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar, cast

P = TypeVar("P")


class Parts:
    """Objects by their class. Each is made, without arguments, when it is first asked for."""

    def __init__(self) -> None:
        self._made: dict[type[Any], Any] = {}

    def of(self, kind: type[P]) -> P:
        """The object of this class."""
        if kind not in self._made:
            self._made[kind] = kind()
        return cast(P, self._made[kind])

    def __iter__(self) -> Iterator[Any]:
        return iter(self._made.values())
