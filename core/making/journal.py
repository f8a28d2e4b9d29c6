"""The journal of a run: a file with one line per finished candidate, in order, so that a run can be continued."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Self

from core.errors import DatasetError
from core.work.lines import mend_tail, whole_lines

NAME = "done.jsonl"


class Journal:
    """Writes lines in order: a line that comes early waits for those before it. It must be used in one thread only."""

    def __init__(self, folder: Path, setup: Mapping[str, Any]) -> None:
        """Open or create it.

        Raises `DatasetError` if the folder's run had another setup, or if it cannot be written.
        """
        self.path = folder / NAME
        self._early: dict[int, str] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            mend_tail(self.path)
            if not self.path.exists() or not self.path.stat().st_size:
                self.path.write_text(json.dumps({"setup": setup}, ensure_ascii=False) + "\n", encoding="utf-8")
            known = setup_of(folder)
            if different := [name for name in setup if known.get(name) != setup[name]]:
                raise DatasetError(
                    f"“{folder}” was begun with another {' and '.join(different)}. Go on as it was begun, or name a new folder."
                )
            self._file: BinaryIO = self.path.open("ab")
        except OSError as error:
            raise DatasetError(f"“{folder}” cannot be written ({error.strerror}). Check the folder.") from error
        self.next = sum(1 for _ in lines(folder))  # the index of the first candidate that is not done

    def skip(self, keys: Iterator[str]) -> None:
        """Consume the keys of finished candidates. Raises `DatasetError` if they differ from those in the file."""
        for kept in lines(self.path.parent):
            if next(keys, None) != kept["key"]:
                raise DatasetError(
                    f"The data has changed since “{self.path.parent}” was begun, at “{kept['key']}”. Name a new folder."
                )

    def take(self, place: int, line: str) -> None:
        """Write the line of the candidate with this index, as soon as all earlier ones are written."""
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
    """The setup of the folder's run. Raises `DatasetError` if there is none."""
    try:
        with (folder / NAME).open(encoding="utf-8") as file:
            found = json.loads(file.readline())["setup"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DatasetError(f"“{folder}” holds no run that could be gone on with. Name another folder.") from error
    return dict(found)


def lines(folder: Path) -> Iterator[dict[str, Any]]:
    """The finished candidates' lines. Raises `DatasetError` as `setup_of` does."""
    setup_of(folder)
    with (folder / NAME).open(encoding="utf-8") as file:
        next(file, None)
        yield from whole_lines(file, folder / NAME)


@dataclass(frozen=True, slots=True)
class Records:
    """The offsets of the lines with records in the file, so that a line can be read without the others."""

    path: Path
    places: Mapping[str, int]  # key -> offset in the file, in order

    def __getitem__(self, key: str) -> dict[str, Any]:
        with self.path.open("rb") as file:
            file.seek(self.places[key])
            return dict(json.loads(file.readline()))


def records_of(folder: Path) -> Records:
    """The index of the lines with records. Raises `DatasetError` as `setup_of` does."""
    setup_of(folder)
    path = folder / NAME
    stamp = path.stat()
    return _records(path, stamp.st_mtime_ns, stamp.st_size)


@lru_cache(maxsize=4)
def _records(path: Path, *_stamp: int) -> Records:
    places: dict[str, int] = {}
    with path.open("rb") as file:
        at = len(file.readline())
        for raw in file:
            for line in whole_lines([raw.decode()], path):
                if not line["dropped"]:
                    places[line["key"]] = at
            at += len(raw)
    return Records(path, places)


def data_of(source: Path) -> dict[str, Any]:
    """The hash of a file, or of a folder's files with their names, for the setup of a run.

    Raises `DatasetError` if a file cannot be opened.
    """
    found = hashlib.sha256()
    try:
        files = sorted(one for one in source.iterdir() if one.is_file()) if source.is_dir() else [source]
        for one in files:
            with one.open("rb") as stream:
                content = hashlib.file_digest(stream, "sha256").hexdigest()
            found.update(f"{one.name}\0{content}\0".encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise DatasetError(f"“{source}” cannot be opened ({error.strerror}). Check the path.") from error
    return {"content of its source": found.hexdigest()}
