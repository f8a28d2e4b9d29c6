"""Names of the files that are taken away from a project."""

from __future__ import annotations


def file_stem(name: str) -> str:
    """Letters, digits and hyphens of the project's name."""
    return "-".join("".join(letter if letter.isalnum() else " " for letter in name).split())[:60] or "project"
