"""What Vouch keeps on disk: how much it is, and how to clear it."""

from __future__ import annotations

import shutil
from pathlib import Path

from pages._ui.state import session


def size_of(folder: Path) -> int:
    """Bytes of all files below `folder`; 0 where there is none."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def in_words(size: int) -> str:
    """A size in bytes for people."""
    if size == 0:
        return "empty"
    return f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{max(1, round(size / 1e3))} kB"


def clear(folder: Path) -> None:
    """Delete `folder` and all that is in it; where the system does not let us, say so."""
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        session().problem = f"The cache could not be cleared ({error.strerror}). Delete the folder {folder} yourself."
