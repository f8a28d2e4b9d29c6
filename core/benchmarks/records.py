"""Reads the records of a JSON file one by one, however large it is, and describes what is wrong with a record."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO, TypeVar

from pydantic import AfterValidator, ValidationError

from core.benchmarks.model import BrokenRecord
from core.errors import DatasetError

# ---- json records ----
# Read the records of a JSON file one by one, however large the file is.
#
# A file is an object of id -> record, a list of records, a single record, or one record per line (JSON Lines). Only the
# current record is in memory.

_CHUNK = 1 << 20  # bytes read at a time
_LARGEST = 1 << 26  # characters of one record: a larger one means that the file is broken
_SPACE = re.compile(r"\s*")
_IN_NUMBERS = frozenset("0123456789.eE+-") | {""}  # "" stands for the end of the text read so far


def records(
    stream: BinaryIO, *, name: str, fields: Container[str], chunk: int = _CHUNK, largest: int = _LARGEST
) -> Iterator[tuple[str, Any]]:
    """Yield each record with its id: its key, or its number from 1.

    `fields` are the keys of a record; they distinguish a single record from an object of records. Raises `DatasetError` if
    the file is not JSON in UTF-8, after yielding the records before the error.
    """
    reader = _Reader(stream, name, chunk, largest)
    if reader.take("["):
        yield from reader.elements()
    elif reader.take("{"):
        yield from reader.members(fields)
    else:
        reader.alone()


def count_records(path: Path, *, fields: Container[str]) -> int:
    """Count the records of a file. Raises `DatasetError` as `records` does, and if the file cannot be opened."""
    with opened(path) as stream:
        return sum(1 for _ in records(stream, name=path.name, fields=fields))


def opened(path: Path) -> BinaryIO:
    """Open the file for reading. Raises `DatasetError` if it cannot be opened."""
    try:
        return path.open("rb")
    except OSError as error:
        raise DatasetError(f"“{path}” cannot be opened. Name the file of the data set with --data.") from error


class _Reader:
    """The text of a file, decoded as far as needed, and the current position in it."""

    def __init__(self, stream: BinaryIO, name: str, chunk: int, largest: int) -> None:
        self._stream = stream
        self._name = name
        self._chunk = chunk
        self._largest = largest
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._json = json.JSONDecoder()
        self._text = ""
        self._at = 0
        self._ended = False

    def elements(self) -> Iterator[tuple[str, Any]]:
        """The elements of a list whose bracket has been read, by number."""
        number = 0
        while not self.take("]"):
            if number:
                self._expect(",")
            number += 1
            yield str(number), self._value()
        self._expect_end()

    def members(self, fields: Container[str]) -> Iterator[tuple[str, Any]]:
        """The members of an object whose brace has been read, or the object itself if its keys are a record's.

        A single record may be followed by others, one per line.
        """
        first = True
        record: dict[str, Any] = {}
        while not self.take("}"):
            if not first:
                self._expect(",")
            first = False
            key = self._value()
            if not isinstance(key, str):
                raise self.broken()
            self._expect(":")
            value = self._value()
            if record or key in fields:
                record[key] = value
            else:
                yield key, value
        if record:
            yield "1", record
            yield from self._lines(2)
        else:
            self._expect_end()

    def _lines(self, number: int) -> Iterator[tuple[str, Any]]:
        while not self.at_end():
            yield str(number), self._value()
            number += 1

    def alone(self) -> None:
        """Skip the file's only value, which is not a record."""
        self._value()
        self._expect_end()

    def take(self, character: str) -> bool:
        """Skip this character if it comes next; returns whether it did."""
        if self._next() != character:
            return False
        self._at += 1
        return True

    def at_end(self) -> bool:
        """Whether only white space is left."""
        return self._next() == ""

    def broken(self) -> DatasetError:
        """The error that the file is not complete JSON."""
        return DatasetError(f"“{self._name}” is not complete JSON: it may be cut off. Download or export it again.")

    def _expect(self, character: str) -> None:
        if not self.take(character):
            raise self.broken()

    def _expect_end(self) -> None:
        if not self.at_end():
            raise self.broken()

    def _next(self) -> str:
        """The next character that is not white space; "" at the end."""
        while True:
            space = _SPACE.match(self._text, self._at)
            self._at = space.end() if space else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _value(self) -> Any:
        """The next JSON value. While it is incomplete, read on, twice as much each time."""
        self._next()
        wanted = self._chunk
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._at)
            except (json.JSONDecodeError, RecursionError) as error:
                endless = isinstance(error, RecursionError) or len(self._text) - self._at > self._largest
                if endless or not self._more(wanted):
                    raise self.broken() from error
                wanted *= 2
                continue
            # A number at the end of the text read so far may continue: 1 may become 1.5, and 1. does not end with its 1.
            if self._text[end : end + 1] not in _IN_NUMBERS or not self._more():
                self._at = end
                return value

    def _more(self, wanted: int = 0) -> bool:
        """Read on and drop the text before the current position; False at the end of the file."""
        if self._ended:
            return False
        data = self._stream.read(wanted or self._chunk)
        self._ended = not data
        try:
            text = self._decoder.decode(data, final=self._ended)
        except UnicodeDecodeError as error:
            raise DatasetError(f"“{self._name}” is not text in UTF-8. Download or export it again.") from error
        self._text, self._at = self._text[self._at :] + text, 0
        return not self._ended


# ---- record fields ----
# Shared by the layouts of several data sets: text that can be displayed, and descriptions of broken records.

T = TypeVar("T")


def _writable(text: str) -> str:
    """Reject half of a surrogate pair, which JSON can express but UTF-8 cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("it holds half a surrogate pair") from None
    return text


Text = Annotated[str, AfterValidator(_writable)]


class BrokenError(Exception):
    """A record breaks a rule between its keys."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"{key}: {reason}")
        self.key = key
        self.reason = reason


def first_fault(error: ValidationError) -> tuple[str, str]:
    """The first key that is wrong, and why."""
    first = error.errors(include_url=False)[0]
    return ".".join(map(str, first["loc"])) or "record", first["msg"].rstrip(".").lower()


def all_whole(entries: Iterable[T | BrokenRecord]) -> list[T]:
    """The records, if every one is needed. Raises `DatasetError` for the first broken one."""
    whole = []
    for entry in entries:
        if isinstance(entry, BrokenRecord):
            raise DatasetError(f"{entry} Download the file again.")
        whole.append(entry)
    return whole
