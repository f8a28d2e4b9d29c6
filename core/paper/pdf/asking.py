"""How to ask PDFium the thousands of small questions that a paper takes. Everything here is used under the lock."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Literal

_PLACE = 16  # bytes


def quick(function: Any, result: Any = ctypes.c_int) -> Callable[..., Any]:
    """A function of PDFium without declared arguments: addresses come as `c_void_p`, whole numbers as they are.

    Half the cost of typed pointers. The calls are all made under the one lock, so they keep the interpreter's too.
    """
    return ctypes.PYFUNCTYPE(result)(ctypes.cast(function, ctypes.c_void_p).value or 0)


class _Places:
    """Memory that PDFium writes its answers to, 16 bytes each, used again for every page."""

    def __init__(self) -> None:
        self._memory = bytearray()
        self._pointers: dict[int, list[ctypes.c_void_p]] = {}

    def pointers(self, count: int, offset: int = 0) -> list[ctypes.c_void_p]:
        """Pointers to at least so many places, or to what lies `offset` bytes behind their beginnings."""
        if _PLACE * count > len(self._memory):
            self._memory, self._pointers = bytearray(2 * _PLACE * count), {}
        if offset not in self._pointers:
            start = ctypes.addressof(ctypes.c_char.from_buffer(self._memory)) + offset
            self._pointers[offset] = list(map(ctypes.c_void_p, range(start, start + len(self._memory), _PLACE)))
        return self._pointers[offset]

    def answers(self, count: int, format_: Literal["f", "d", "I"], at: int = 0) -> list[Any]:
        """The number that stands `at` in each of the first places, which hold four of "f" or "I", or two of "d"."""
        numbers = memoryview(self._memory)[: _PLACE * count].cast(format_)
        return numbers[at :: _PLACE // numbers.itemsize].tolist()


PLACES = _Places()
