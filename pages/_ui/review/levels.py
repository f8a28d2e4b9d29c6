"""Levels in words and signs, as the desk shows them."""

from __future__ import annotations

from core.bias import Level

SIGNS = {Level.LOW: "+", Level.UNCLEAR: "?", Level.SOME_CONCERNS: "!", Level.HIGH: "×"}


def in_words(level: Level | None) -> str:
    """A level as a word that begins a line."""
    return level.capitalize() if level else "Not judged"
