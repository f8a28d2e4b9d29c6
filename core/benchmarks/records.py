"""The records of a JSON file one by one, however large it is, and what is wrong with a record, in words."""

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
# record in hand is in memory.

_CHUNK = 1 << 20  # bytes read at a time
_LARGEST = 1 << 26  # characters of one record: beyond, the file is not what it should be
_SPACE = re.compile(r"\s*")
_IN_NUMBERS = frozenset("0123456789.eE+-") | {""}  # nothing at all: the text in hand ends here


def records(
    stream: BinaryIO, *, name: str, fields: Container[str], chunk: int = _CHUNK, largest: int = _LARGEST
) -> Iterator[tuple[str, Any]]:
    """Each record with its id: its key, or its number from 1.

    `fields` are the keys of a record, by which an object that is one record is told from an object of records.
    Raises `DatasetError` where the file is not JSON in UTF-8, after the records before that place.
    """
    reader = _Reader(stream, name, chunk, largest)
    if reader.take("["):
        yield from reader.elements()
    elif reader.take("{"):
        yield from reader.members(fields)
    else:
        reader.alone()


def count_records(path: Path, *, fields: Container[str]) -> int:
    """How many records a file has. Raises `DatasetError` as `records` does, and if the file cannot be opened."""
    with opened(path) as stream:
        return sum(1 for _ in records(stream, name=path.name, fields=fields))


def opened(path: Path) -> BinaryIO:
    """The file, to read from. Raises `DatasetError` if it cannot be opened."""
    try:
        return path.open("rb")
    except OSError as error:
        raise DatasetError(f"“{path}” cannot be opened. Name the file of the data set with --data.") from error


class _Reader:
    """The text of a file, decoded as far as it is needed, and the place in it."""

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
        """The elements of a list that has been opened, by number."""
        number = 0
        while not self.take("]"):
            if number:
                self._expect(",")
            number += 1
            yield str(number), self._value()
        self._expect_end()

    def members(self, fields: Container[str]) -> Iterator[tuple[str, Any]]:
        """The members of an object that has been opened, or the object itself where its keys are a record's.

        Further objects may follow one that is a record: one record per line.
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
        """Go past the file's one value, which is no record."""
        self._value()
        self._expect_end()

    def take(self, character: str) -> bool:
        """Go past this character, if it comes next."""
        if self._next() != character:
            return False
        self._at += 1
        return True

    def at_end(self) -> bool:
        """Whether nothing but white space is left."""
        return self._next() == ""

    def broken(self) -> DatasetError:
        """What is wrong with the file, in words."""
        return DatasetError(f"“{self._name}” is not complete JSON: it may be cut off. Download or export it again.")

    def _expect(self, character: str) -> None:
        if not self.take(character):
            raise self.broken()

    def _expect_end(self) -> None:
        if not self.at_end():
            raise self.broken()

    def _next(self) -> str:
        """The next character that is no white space; "" at the end."""
        while True:
            space = _SPACE.match(self._text, self._at)
            self._at = space.end() if space else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _value(self) -> Any:
        """The JSON value that comes next. What is not whole yet is read on, twice as much each time."""
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
            # A number that the text in hand breaks off goes on: 1 may become 1.5, and 1. does not end with its 1.
            if self._text[end : end + 1] not in _IN_NUMBERS or not self._more():
                self._at = end
                return value

    def _more(self, wanted: int = 0) -> bool:
        """Read on, forgetting what has been passed; False at the end of the file."""
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
# What the layouts of several data sets share: text that can be shown, and what is wrong with a record, in words.

T = TypeVar("T")


def _writable(text: str) -> str:
    """JSON can spell half a character, which no file or screen can hold."""
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
    """The first key that is not as it should be, and why."""
    first = error.errors(include_url=False)[0]
    return ".".join(map(str, first["loc"])) or "record", first["msg"].rstrip(".").lower()


def all_whole(entries: Iterable[T | BrokenRecord]) -> list[T]:
    """The records, for what needs every one of them. Raises `DatasetError` for the first that is broken."""
    whole = []
    for entry in entries:
        if isinstance(entry, BrokenRecord):
            raise DatasetError(f"{entry} Download the file again.")
        whole.append(entry)
    return whole
