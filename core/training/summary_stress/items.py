"""One sentence of the stress set, and how the set is kept."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path


class Wording(StrEnum):
    """How far a sentence is from the paper's own."""

    VERBATIM = "verbatim"
    COMPRESSED = "compressed"
    PLAIN = "plain"  # reworded by rule, two sentences merged, or one split
    CLAIM = "claim"  # made of the experts' labels in Evidence Inference
    INVENTED = "invented"  # made of a name in the paper and a statement that is not


class Wrong(StrEnum):
    """What was made wrong."""

    NUMBER = "number"
    DIRECTION = "direction"
    ROLE = "role"
    CERTAINTY = "certainty"
    ABSOLUTE = "absolute"
    ENTITY = "entity"
    ADDED = "added"  # a statement that the paper does not make
    CLAIM = "claim"  # another direction than the experts read


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence to check against a paper. `wrong` is None if the paper supports it."""

    paper: str  # PMC number
    text: str
    wording: Wording
    wrong: Wrong | None
    test: bool  # of a paper that nothing was tuned on


def write_items(items: Iterable[Item], path: Path) -> None:
    """One JSON object a line."""
    path.write_text("".join(json.dumps(asdict(item), ensure_ascii=False) + "\n" for item in items), encoding="utf-8")
