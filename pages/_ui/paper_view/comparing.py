"""Engines compared on one topic, as the plain data that the desk's scripts expect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.benchmarks.gold import Gold
from core.benchmarks.side_by_side.model import Given, Side
from core.benchmarks.side_by_side.overlay import Mark, overlay

_ALL, _NONE, _SPARE = "all", "none", "spare"
_GOLD_WORDS = {"hit": "gold", "extra": "not gold", "missed": "gold, missed", "spare": "gold, not needed"}


def comparing_payload(answers: Sequence[tuple[Side, Given]], gold: Gold | None) -> dict[str, object]:
    """Every sentence with who chose it, the groups they are listed in, and the filters with their sentences."""
    letters = [side.letter for side, _ in answers]
    names = [f"{side.letter} ({side.engine})" for side, _ in answers]
    marks = overlay([given.sentences for _, given in answers], gold)
    groups = {mark.index: _group(mark, letters) for mark in marks}
    return {
        "items": [_item(mark, letters, groups[mark.index]) for mark in sorted(marks, key=_first_rank)],
        "groups": [(group, _title(group, names, letters)) for group in _in_order(set(groups.values()))],
        "filters": [
            {"id": id, "label": label, "title": title, "indices": indices}
            for id, label, title, indices in _filters(marks, letters)
        ],
    }


def _group(mark: Mark, letters: Sequence[str]) -> str:
    if len(mark.chosen_by) == len(letters):
        return _ALL
    if mark.chosen_by:
        return "".join(letters[place] for place in mark.chosen_by)
    return _NONE if any(mark.wrong) else _SPARE


def _in_order(groups: set[str]) -> list[str]:
    """Those of most engines first, then gold that all missed; what is not needed has no group in the list."""
    chosen = sorted(groups - {_ALL, _NONE, _SPARE}, key=lambda group: (-len(group), group))
    return [group for group in (_ALL, *chosen, _NONE) if group in groups]


def _title(group: str, names: Sequence[str], letters: Sequence[str]) -> str:
    if group == _ALL:
        return f"Chosen by {'both' if len(letters) == 2 else f'all {len(letters)}'}"
    if group == _NONE:
        return "In gold, and chosen by none"
    own = [name for name, letter in zip(names, letters, strict=True) if letter in group]
    return f"Only {' and '.join(own)}"


def _item(mark: Mark, letters: Sequence[str], group: str) -> dict[str, object]:
    gold = _gold(mark)
    return {
        "index": mark.index,
        "group": group,
        "letters": "".join(letters[place] for place in mark.chosen_by),
        "notes": [
            f"{letter} rank {rank}" for letter, rank in zip(letters, mark.ranks, strict=True) if rank is not None
        ],
        "gold": gold,
        "goldWord": _GOLD_WORDS[gold] if gold else None,
    }


def _gold(mark: Mark) -> str | None:
    if mark.gold is None:
        return None
    if mark.chosen_by:
        return "hit" if mark.gold else "extra"
    return "missed" if any(mark.wrong) else "spare"


def _first_rank(mark: Mark) -> tuple[float, int]:
    """By the best rank that any engine gave it."""
    return min((rank for rank in mark.ranks if rank is not None), default=float("inf")), mark.index


def _filters(marks: Sequence[Mark], letters: Sequence[str]) -> Iterator[tuple[str, str, str, list[int]]]:
    """(id, label, what it shows, the sentences' indices)."""
    all_of = "Both" if len(letters) == 2 else "All"
    yield "everything", "Everything", "Every sentence that is chosen or gold", [mark.index for mark in marks]
    disputed = [mark.index for mark in marks if mark.disputed]
    yield "disagreements", "Disagreements", "Chosen by some and not by all", disputed
    if not any(mark.wrong for mark in marks):
        return
    wrong = [mark.index for mark in marks if mark.all_wrong]
    yield "all-wrong", f"{all_of} wrong", f"{all_of} chose it and it is not gold, or {all_of.lower()} missed it", wrong
    for place, letter in enumerate(letters):
        only = [mark.index for mark in marks if mark.only_wrong == place]
        yield f"only-{letter}", f"Only {letter} wrong", f"{letter} is wrong about it, and nobody else", only
