"""A checked summary for spreadsheets: a line for each of its sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from core.export.summary import words_at
from core.export.table import table_csv
from core.paper import Paper
from core.summary.model import FaithfulnessReport, Label

_COLUMNS = (
    *("paper_id", "paper_title", "date", "engine", "source", "sentence", "text", "label", "score"),
    *("own_label", "part", "reason", "flags", "support", "support_sentences", "not_in_paper"),
)


def summary_csv(report: FaithfulnessReport, paper: Paper, own: Mapping[int, Label], *, date: datetime) -> str:
    """`sentence` counts from 0; `own_*` are the reviewer's, empty where the engine's label was left as it is."""
    return table_csv(_COLUMNS, _rows(report, paper, own, date))


def _rows(
    report: FaithfulnessReport, paper: Paper, own: Mapping[int, Label], date: datetime
) -> Iterator[dict[str, Any]]:
    for number, sentence in enumerate(report.sentences):
        found = [support.index for support in sentence.support if support.index is not None]
        yield {
            "paper_id": paper.id,
            "paper_title": paper.title,
            "date": date.isoformat(),
            "engine": report.engine,
            "source": report.source,
            "sentence": number,
            "text": sentence.text,
            "label": sentence.label,
            "score": sentence.score,
            "own_label": own.get(number),
            "part": words_at(sentence.part, sentence.text),
            "reason": sentence.reason,
            "flags": "\n".join(flag.reason for flag in sentence.flags),
            "support": " ".join(map(str, found)),
            "support_sentences": "\n".join(paper.sentences[index].text for index in found),
            "not_in_paper": "\n".join(each.quoted or "" for each in sentence.support if each.index is None),
        }
