"""Files that a user names."""

from __future__ import annotations

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
