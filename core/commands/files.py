"""Files that a user names."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from core.errors import QueryError


def bytes_of(path: Path) -> bytes:
    """What a file holds. Raises `QueryError` if it cannot be opened."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise QueryError(
            f"“{path}” cannot be opened ({error.strerror}). Check the path and its permissions."
        ) from error


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all, and the folders that it is in. Raises `QueryError` if that cannot be done."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(content.encode() if isinstance(content, str) else content)
        draft.replace(path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise QueryError(
            f"“{path}” cannot be written ({error.strerror}). Check the folder and its permissions."
        ) from error
