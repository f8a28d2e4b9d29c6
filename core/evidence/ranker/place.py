"""Where a sentence stands in its paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from core.evidence.ranker.columns import Columns, Vector
from core.paper import Kind, Paper, SectionKind, Sentence

_PARTS = (
    SectionKind.ABSTRACT,
    SectionKind.INTRODUCTION,
    SectionKind.METHODS,
    SectionKind.RESULTS,
    SectionKind.DISCUSSION,
)


def parts_of(paper: Paper) -> list[SectionKind]:
    """The part that each section plays; one of no known kind plays that of the section before it."""
    current, parts = SectionKind.OTHER, []
    for section in paper.sections:
        if section.kind in _PARTS:
            current = section.kind
        parts.append(current)
    return parts


def place(paper: Paper, candidates: Sequence[Sentence]) -> Columns:
    """Columns of the candidates' part, section and position."""
    parts = parts_of(paper)
    part = np.array([_part_number(parts[sentence.section]) for sentence in candidates], dtype=np.float64)
    index = np.array([sentence.index for sentence in candidates], dtype=np.float64)
    columns: Columns = {f"in_{kind.value}": (part == number).astype(np.float64) for number, kind in enumerate(_PARTS)}
    columns["caption"] = _is(candidates, Kind.CAPTION)
    columns["table"] = _is(candidates, Kind.TABLE)
    end = len(paper.pool) - 1
    columns["position"] = index / max(1, end)
    columns["from_end"] = np.minimum(end - index, 60)
    columns["in_part"], columns["part_from_end"] = _runs(part)
    sections = [paper.sections[sentence.section] for sentence in candidates]
    first = np.array([section.first for section in sections], dtype=np.float64)
    last = np.array([section.last for section in sections], dtype=np.float64)
    columns["in_section"] = (index - first) / np.maximum(1, last - first)
    columns["section_start"] = np.minimum(index - first, 10)
    columns["section_end"] = np.minimum(last - index, 10)
    columns["section_size"] = np.minimum(last - first, 60)
    columns["concluding_section"] = _concludes(section.title.lower() for section in sections)
    columns["pool"] = np.full(len(candidates), np.log1p(len(candidates)))
    columns["has_abstract"] = np.full(len(candidates), float((part == 0).any()))
    return columns


def _part_number(kind: SectionKind) -> int:
    return _PARTS.index(kind) if kind in _PARTS else len(_PARTS)


def _is(candidates: Sequence[Sentence], kind: Kind) -> Vector:
    return np.array([sentence.kind is kind for sentence in candidates], dtype=np.float64)


def _concludes(titles: Iterable[str]) -> Vector:
    return np.array(["onclu" in title or "summary" in title for title in titles], dtype=np.float64)


def _runs(part: Vector) -> tuple[Vector, Vector]:
    """Each candidate's relative position among those of its part, and its distance from their end."""
    relative, from_end = np.zeros(len(part)), np.zeros(len(part))
    for number in np.unique(part):
        members = np.flatnonzero(part == number)
        relative[members] = np.arange(len(members)) / max(1, len(members) - 1)
        from_end[members] = np.minimum(np.arange(len(members))[::-1], 20)
    return relative, from_end
