"""Engines compared on one topic, as the plain data that the desk's scripts expect."""

from __future__ import annotations

from collections.abc import Sequence

from core.benchmarks.gold import Gold
from core.benchmarks.side_by_side.groups import grouped
from core.benchmarks.side_by_side.model import Given, Side


def comparing_payload(answers: Sequence[tuple[Side, Given]], gold: Gold | None) -> dict[str, object]:
    """Every sentence with who chose it, the groups they are listed in, and the filters with their sentences."""
    found = grouped(answers, gold)
    return {
        "items": [
            {
                "index": entry.mark.index,
                "group": entry.group,
                "letters": entry.letters,
                "notes": entry.ranks,
                "gold": entry.gold,
                "goldWord": entry.gold_word,
            }
            for entry in found.entries
        ],
        "groups": found.titles,
        "filters": [
            {"id": each.id, "label": each.label, "title": each.about, "indices": each.indices} for each in found.filters
        ],
    }
