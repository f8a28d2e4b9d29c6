"""Files that a user names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
    with _draft_of(path) as draft:
        draft.write_bytes(content.encode() if isinstance(content, str) else content)
        draft.replace(path)


def require_writable(path: Path) -> None:
    """Before hours of work: raises `QueryError` where `write_whole` would after them. The folders are made by it."""
    with _draft_of(path) as draft:
        draft.touch()


@contextmanager
def _draft_of(path: Path) -> Iterator[Path]:
    """A file beside it that is gone at the end. Raises `QueryError` for what the system refuses meanwhile."""
    draft = path.parent / f".{path.name}.{os.getpid()}"
    try:
        if path.is_dir():
            raise QueryError(f"“{path}” is a folder. Name a file.")
        path.parent.mkdir(parents=True, exist_ok=True)
        yield draft
    except OSError as error:
        raise QueryError(
            f"“{path}” cannot be written ({error.strerror}). Check the folder and its permissions."
        ) from error
    finally:
        with suppress(OSError):
            draft.unlink()
