"""What the ranker knows of each sentence: its words, those of the headings above it, its cues and its place.

Nothing but the paper comes in: no label, and nothing of the domain that is asked about.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.bias.ranker.cues import CUES, cues_in
from core.evidence.ranker.place import parts_of
from core.paper import Kind, Paper, Section, SectionKind

Matrix = NDArray[np.float64]

_NUMBER = re.compile(r"\d[\d,.·]*")
_WORD = re.compile(r"[a-z]+|0|%|:")
_LONGEST = 1500  # characters looked at: a table row may run on for pages
_PARTS = (
    SectionKind.ABSTRACT,
    SectionKind.INTRODUCTION,
    SectionKind.METHODS,
    SectionKind.RESULTS,
    SectionKind.DISCUSSION,
)
_PLACE = (*(f"in {part.value}" for part in _PARTS), "abstract", "heading", "position", "section start", "in section",
          "length", "short", "numbers", "figure")  # fmt: skip
# Group -> how much it counts: the smaller, the more the training holds its weights back.
_SCALES = {"cue": 0.5, "heading cue": 0.5, "cue before": 0.3, "cue after": 0.3, "place": 0.5}
COLUMNS = (
    *(f"{group}: {name}" for group in ("cue", "heading cue", "cue before", "cue after") for name in CUES),
    *(f"place: {name}" for name in _PLACE),
)


@dataclass(frozen=True, slots=True)
class Described:
    """A paper's sentences: the terms of each, of the headings above each, and `columns` (sentences, len(COLUMNS))."""

    words: tuple[tuple[str, ...], ...]
    headings: tuple[tuple[str, ...], ...]
    columns: Matrix


def describe(paper: Paper) -> Described:
    """Every sentence of the pool, headings included: they are their neighbours' neighbours."""
    paths = heading_paths(paper)
    heading_words = [words_of(path) for path in paths]
    heading_cues = np.array([cues_in(path) for path in paths], dtype=np.float64)
    sections = [sentence.section for sentence in paper.pool]
    cues = np.array([cues_in(sentence.text) for sentence in paper.pool], dtype=np.float64)
    around = np.pad(cues, ((1, 1), (0, 0)))
    return Described(
        words=tuple(terms_of(sentence.text) for sentence in paper.pool),
        headings=tuple(heading_words[section] for section in sections),
        columns=np.hstack(
            [
                cues * _SCALES["cue"],
                heading_cues[sections] * _SCALES["heading cue"],
                around[:-2] * _SCALES["cue before"],
                around[2:] * _SCALES["cue after"],
                _place(paper) * _SCALES["place"],
            ]
        ),
    )


def heading_paths(paper: Paper) -> list[str]:
    """For each section, its title after those of the sections that it stands in. The title page has none."""
    paths: list[str] = []
    open_sections: list[Section] = []
    for section in paper.sections:
        open_sections = [above for above in open_sections if above.level < section.level]
        open_sections.append(section)
        is_title = paper.sentences[section.first].kind is Kind.TITLE
        paths.append("" if is_title else " ".join(above.title for above in open_sections))
    return paths


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text; every number is 0, since a trial's own numbers tell nothing of another's."""
    return tuple(_WORD.findall(_NUMBER.sub("0", text[:_LONGEST].lower())))


def terms_of(text: str) -> tuple[str, ...]:
    """The words of a text, and its pairs of words that stand together."""
    words = words_of(text)
    return words + tuple(f"{one} {other}" for one, other in pairwise(words))


def _place(paper: Paper) -> Matrix:
    """One column a name of `_PLACE`, each from 0 to 1."""
    parts = parts_of(paper)
    pool = paper.pool
    rows = np.zeros((len(pool), len(_PLACE)))
    for row, sentence in zip(rows, pool, strict=True):
        section = paper.section_of(sentence)
        within = sentence.index - section.first
        words = len(sentence.text[:_LONGEST].split())
        row[: len(_PARTS)] = [parts[sentence.section] is part for part in _PARTS]
        row[len(_PARTS) :] = (
            sentence.kind is Kind.ABSTRACT,
            sentence.kind in {Kind.HEADING, Kind.TITLE},
            sentence.index / len(pool),
            min(within, 10) / 10,
            within / max(1, section.last - section.first),
            min(words, 60) / 60,
            words < 6,
            min(len(_NUMBER.findall(sentence.text[:_LONGEST])), 10) / 10,
            sentence.kind is Kind.CAPTION or sentence.text.lower().startswith("fig"),
        )
    return rows
