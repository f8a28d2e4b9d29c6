"""Read values from a service's JSON. A value of the wrong kind counts as none, and never reaches a reference."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from typing import Any

from core.paper.xml import squeeze

_LONGEST = 100_000  # letters of a text
# A tag, but not what stands between two signs, as in "p<0.05 and n>3": only attributes may follow its name.
_TAG = re.compile(r"""</?[a-z][\w:.-]*(?:\s+[\w:.-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*\s*/?>""", re.IGNORECASE)


def at(document: Any, *path: str) -> Any:
    """The value at the end of a path of names; None if the path ends before."""
    for name in path:
        if not isinstance(document, dict):
            return None
        document = document.get(name)
    return document


def words(document: Any, *path: str) -> str:
    """A text on one line; a number as text; empty for anything else."""
    value = at(document, *path)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return squeeze(value.replace("\0", ""))[:_LONGEST] if isinstance(value, str) else ""


def title_in(text: str) -> str:
    """A title without markup. Its tags stand within words, as in "H<sub>2</sub>O"."""
    return squeeze(_TAG.sub("", unescape(text)))


def abstract_in(text: str) -> str:
    """An abstract without markup. Its tags part headings and paragraphs."""
    return squeeze(_TAG.sub(" ", unescape(text)))


def many(document: Any, *path: str) -> list[Any]:
    """A list; an empty one for anything else."""
    value = at(document, *path)
    return value if isinstance(value, list) else []


def needed(document: Any, *path: str) -> list[Any]:
    """A list that must be there. Raises `TypeError` if it is not."""
    value = at(document, *path)
    if not isinstance(value, list):
        raise TypeError(f"no list at {'.'.join(path)}")
    return value


def number(document: Any, *path: str) -> int:
    """A whole number that must be there. Raises `ValueError` if it is not."""
    value = at(document, *path)
    if isinstance(value, bool) or not isinstance(value, int | str) or not str(value).isdigit():
        raise ValueError(f"no number at {'.'.join(path)}")
    return int(value)


def first(values: Iterable[str]) -> str:
    """The first text that is not empty."""
    return next(filter(None, values), "")


def name_of(family: str, given: str) -> str:
    """A name as references have it: family name first."""
    return ", ".join(filter(None, (family, given)))
