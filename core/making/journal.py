"""The file in which what is done is kept: a line a candidate, in the order of the candidates, so that a killed run goes on."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Self

from core.errors import DatasetError

NAME = "done.jsonl"


class Journal:
    """Lines in order. One that comes early waits for those before it. Used in one thread."""

    def __init__(self, folder: Path, setup: Mapping[str, Any]) -> None:
        """Open, or begin. Raises `DatasetError` if the folder's run was another, or it cannot be written."""
        self.path = folder / NAME
        self._early: dict[int, str] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if not self.path.exists() or not self.path.stat().st_size:
                self.path.write_text(json.dumps({"setup": setup}, ensure_ascii=False) + "\n", encoding="utf-8")
            _mend(self.path)
            known = setup_of(folder)
            if different := [name for name in setup if known.get(name) != setup[name]]:
                raise DatasetError(
                    f"“{folder}” was begun with another {' and '.join(different)}. Go on as it was begun, or name a new folder."
                )
            self._file: BinaryIO = self.path.open("ab")
        except OSError as error:
            raise DatasetError(f"“{folder}” cannot be written ({error.strerror}). Check the folder.") from error
        self.next = sum(1 for _ in lines(folder))  # the place of the first candidate that is not done

    def skip(self, keys: Iterator[str]) -> None:
        """Draw the candidates that are done. Raises `DatasetError` if they are others than those that were done."""
        for kept in lines(self.path.parent):
            if next(keys, None) != kept["key"]:
                raise DatasetError(
                    f"The data has changed since “{self.path.parent}” was begun, at “{kept['key']}”. Name a new folder."
                )

    def take(self, place: int, line: str) -> None:
        """Keep the line of the candidate at this place, as soon as those before it are there."""
        self._early[place] = line
        while self.next in self._early:
            self._file.write(self._early.pop(self.next).encode() + b"\n")
            self.next += 1
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def setup_of(folder: Path) -> dict[str, Any]:
    """How the folder's run was set up. Raises `DatasetError` if it has none."""
    try:
        with (folder / NAME).open(encoding="utf-8") as file:
            found = json.loads(file.readline())["setup"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DatasetError(f"“{folder}” holds no run that could be gone on with. Name another folder.") from error
    return dict(found)


def lines(folder: Path) -> Iterator[dict[str, Any]]:
    """What is done, candidate by candidate. Raises `DatasetError` as `setup_of` does."""
    setup_of(folder)
    with (folder / NAME).open(encoding="utf-8") as file:
        next(file, None)
        for line in file:
            yield json.loads(line)


def _mend(path: Path) -> None:
    """Cut off what a killed process has left of its last line."""
    with path.open("rb+") as file:
        size = file.seek(0, os.SEEK_END)
        at = size
        while at:
            start = max(0, at - 65_536)
            file.seek(start)
            found = file.read(at - start).rfind(b"\n")
            if found >= 0:
                if start + found + 1 < size:
                    file.truncate(start + found + 1)
                return
            at = start
