"""How to ask PDFium the thousands of small questions that a paper takes. Everything here is used under the lock."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, Literal

_PLACE, _PLACES_AT_ONCE = 32, 4096  # bytes, and how many places there are


def quick(function: Any, result: Any = ctypes.c_int) -> Callable[..., Any]:
    """A function of PDFium without declared arguments: addresses come from `address`, whole numbers as they are.

    Less than half the cost of typed pointers. The calls are all made under the one lock, so they keep the interpreter's too.
    """
    return ctypes.PYFUNCTYPE(result)(ctypes.cast(function, ctypes.c_void_p).value or 0)


# An address, as `quick` returns it, in the form that is passed on fastest.
address: Callable[[int], Any] = ctypes.c_void_p.from_param


def address_of(handle: Any) -> Any:
    """The address of something that pypdfium2 has opened, such as a page."""
    return address(ctypes.cast(handle, ctypes.c_void_p).value or 0)


class _Places:
    """Memory that PDFium writes its answers to, 32 bytes each, used again for every page."""

    def __init__(self) -> None:
        self._memory = bytearray(_PLACE * _PLACES_AT_ONCE)
        self._pointers: dict[int, list[Any]] = {}

    def ask(
        self,
        function: Callable[..., int],
        *arguments: Iterable[Any],
        numbers: Literal["f", "d", "I"],
        parts: Sequence[int],
        pointers: Sequence[int] = (0,),
    ) -> tuple[list[int], list[list[Any]]]:
        """Ask a question once for each item of `arguments`: what the function returns, and what it writes.

        It takes an argument of each kind and then `pointers`, given as bytes from the beginning of a place. Of the
        numbers that it writes there (eight of "f" or "I", or four of "d"), each of `parts` makes a list.
        """
        returned: list[int] = []
        columns: list[list[Any]] = [[] for _ in parts]
        streams = list(map(iter, arguments))
        places = list(map(self._pointers_at, pointers))
        written = memoryview(self._memory).cast(numbers)
        each = _PLACE // written.itemsize
        while some := list(map(function, *(islice(stream, _PLACES_AT_ONCE) for stream in streams), *places)):
            returned += some
            for column, part in zip(columns, parts, strict=True):
                column.extend(written[part : each * len(some) : each].tolist())
        return returned, columns

    def _pointers_at(self, offset: int) -> list[Any]:
        """Pointers to what lies so many bytes behind the beginning of each place."""
        if offset not in self._pointers:
            start = ctypes.addressof(ctypes.c_char.from_buffer(self._memory)) + offset
            self._pointers[offset] = list(map(address, range(start, start + len(self._memory), _PLACE)))
        return self._pointers[offset]


PLACES = _Places()
