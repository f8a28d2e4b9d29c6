"""What the layouts of several data sets share: text that can be shown, and what is wrong with a record, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, TypeVar

from pydantic import AfterValidator, ValidationError

from core.benchmarks.model import BrokenRecord
from core.errors import DatasetError

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
