"""Text of unknown origin on a terminal."""

from __future__ import annotations


def printable(text: str) -> str:
    """Text that cannot steer a terminal: control characters become spaces."""
    return "".join(character if character.isprintable() else " " for character in text)
