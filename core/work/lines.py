"""Files to which a line is added for each piece of work that is done, so that a killed run goes on where it was."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from core.errors import DatasetError


def whole_lines(file: Iterable[str], path: Path) -> Iterator[dict[str, Any]]:
    """The documents of a file of lines; what a killed process left of its last line is none.

    Raises `DatasetError` for any other line that is broken.
    """
    for line in file:
        if line.endswith("\n"):
            try:
                yield json.loads(line)
            except ValueError as error:
                raise DatasetError(f"“{path}” has a broken line ({error}). Put back a copy of the file.") from error


def mend_tail(path: Path) -> None:
    """Cut off what a killed process has left of a file's last line. Nothing where there is no file."""
    if not path.exists():
        return
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
        file.truncate(0)
