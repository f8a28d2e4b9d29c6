"""The evidence table as the plain data that its scripts expect: each text once, and nothing that is not shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.bias import Tool
from core.evidence.model import PaperVerdict
from core.export.evidence_table import SIGNS, TableCell, TableRow, effect_in_words
from core.export.evidence_table.model import MEANING
from core.export.plots.palette import LEVELS
from core.findings.model import Passage
from core.screening.model import ScreeningVerdict

_IN_ORDER = (
    PaperVerdict.SUPPORTS,
    PaperVerdict.MIXED,
    PaperVerdict.REFUTES,
    PaperVerdict.UNCLEAR,
    PaperVerdict.NOT_REPORTED,
)


@dataclass(slots=True)
class _Texts:
    """Texts by number, each once."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, text: str) -> int | None:
        """The text's number; None for an empty one."""
        return self.numbers.setdefault(text, len(self.numbers)) if text else None


def table_payload(
    rows: Sequence[TableRow], hypotheses: Sequence[str], tool: Tool, *, project: str, stamp: str
) -> dict[str, object]:
    """Every paper with a cell for each hypothesis. Numbers stand for `texts`; what is not there is left out."""
    texts = _Texts()
    papers = [_paper(row, hypotheses, texts) for row in rows]
    return {
        "project": project,
        "stamp": stamp,
        "hypotheses": list(hypotheses),
        "verdicts": [{"id": one.value, "sign": SIGNS[one], "meaning": MEANING[one]} for one in _IN_ORDER],
        "screenings": [ScreeningVerdict.INCLUDE.value, ScreeningVerdict.UNSURE.value, ScreeningVerdict.EXCLUDE.value],
        "levels": [{"id": level.value, "sign": LEVELS[level].sign, "word": LEVELS[level].word} for level in tool.scale],
        "papers": papers,
        "texts": list(texts.numbers),
    }


def _paper(row: TableRow, hypotheses: Sequence[str], texts: _Texts) -> dict[str, object]:
    return _without_blanks(
        {
            "id": row.paper,
            "study": row.study,
            "title": row.title,
            "citation": row.citation,
            "screening": row.screening and row.screening.value,
            "note": texts.number(row.screening_note),
            "level": row.bias.level and row.bias.level.value,
            "bias": texts.number(row.bias.whose or row.bias.missing),
            "cells": [_cell(row.cell(hypothesis), texts) for hypothesis in hypotheses],
        }
    )


def _cell(cell: TableCell, texts: _Texts) -> dict[str, object]:
    found, people = cell.finding, cell.people
    said = {
        "final": people.final and people.final.value,
        "whose": texts.number(cell.whose),
        "differ": people.differ or None,
        "people": [[one.reviewer, one.verdict, texts.number(one.comment)] for one in people.given] or None,
    }
    if found is None:
        return _without_blanks({"why": texts.number(cell.missing), **said})
    effect = found.effect
    return _without_blanks(
        said
        | {
            "engine": texts.number(found.engine) if people.final else None,
            "verdict": cell.verdict and cell.verdict.value,
            "sure": texts.number(found.sureness),
            "why": texts.number(found.reason if cell.verdict else cell.missing),
            "check": texts.number(found.check or ""),
            "for": found.strongest_for and _passage(found.strongest_for, texts),
            "against": found.strongest_against and _passage(found.strongest_against, texts),
            "nearest": [_passage(one, texts) for one in found.nearest] or None,
            "effect": effect and [effect_in_words(effect), effect.value, effect.sentence, texts.number(effect.text)],
        }
    )


def _passage(passage: Passage, texts: _Texts) -> dict[str, object]:
    section = " ".join(passage.section.split())
    said = {"text": texts.number(passage.text), "section": texts.number(section), "page": passage.page}
    return _without_blanks({**said, "index": passage.index})


def _without_blanks(values: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}
