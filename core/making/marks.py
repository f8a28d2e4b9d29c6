"""People's marks on the pieces of a made record, and records with the settled marks applied.

A piece is an aspect of a paper (EvidenceBench, RoBBR), which is marked with sentences; or a sentence of a summary
(FaReBio), which is marked with a label, the sentences that support it, the words that are wrong, and a reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from core.benchmarks.evidencebench import read_evidencebench
from core.benchmarks.farebio import read_farebio
from core.benchmarks.gold import Gold
from core.benchmarks.robbr import paper_of_elements
from core.export.gold import support_fields
from core.making.sets import instance_of, published_record
from core.summary.model import WRONG, Label
from core.work.lines import whole_lines

NAME = "annotations.jsonl"
SUMMARY = "farebio"
LAYOUTS = ("evidencebench", "SSR", SUMMARY)  # layouts with pieces to mark
_JUDGED = ("label", "part", "support", "rationale")  # the fields of a row that a mark sets
LABELS = (Label.SUPPORTED, Label.CONTRADICTS, Label.NOT_IN_PAPER, Label.NOT_JUDGED)  # labels that a person may give


@dataclass(frozen=True, slots=True)
class Mark:
    """One annotator's mark on a piece. For an aspect, it has only sentences."""

    sentences: frozenset[int] = frozenset()
    label: Label | None = None
    part: str = ""  # the words that are wrong, copied from the sentence
    reason: str = ""

    @property
    def wrong(self) -> bool:
        """Whether the label means that the sentence is wrong."""
        return self.label in WRONG


Marks = Mapping[str, Mark]  # by the piece's id
Settled = Mapping[tuple[str, str], Marks]  # by (record, layout)


def mark_of(row: Mapping[str, Any]) -> Mark:
    """The mark in a line of the file."""
    label = Label(row["label"]) if row.get("label") else None
    return Mark(frozenset(row["sentences"]), label, row.get("part", ""), row.get("reason", ""))


def mark_fields(mark: Mark) -> dict[str, Any]:
    """A mark as fields of a line of the file."""
    told = {"label": mark.label, "part": mark.part, "reason": mark.reason}
    return {"sentences": sorted(mark.sentences), **{name: value for name, value in told.items() if value}}


def rows_of(folder: Path) -> Iterator[dict[str, Any]]:
    """The lines of the file, in order."""
    file = folder / NAME
    if file.exists():
        with file.open(encoding="utf-8") as stream:
            yield from whole_lines(stream, file)


def settled_marks(folder: Path) -> dict[tuple[str, str], dict[str, Mark]]:
    """The settled marks, by (record, layout) and piece."""
    found: dict[tuple[str, str], dict[str, Mark]] = {}
    for row in rows_of(folder):
        if "settled_by" in row:
            found.setdefault((row["record"], row["layout"]), {})[row["aspect"]] = mark_of(row)
    return found


def with_marks(line: Mapping[str, Any], layout: str, settled: Marks) -> Any:
    """A record with these marks instead of the pipeline's, and recomputed sets and figures; None if nothing is left."""
    record = line["records"][layout]
    if layout == SUMMARY:
        return _summary_with(line, settled)
    marks = {id: frozenset(indices) for id, indices in record["aspect2sentence_indices"].items()}
    marks |= {id: mark.sentences for id, mark in settled.items()}
    if layout == "SSR":
        aspects = {id: marks[id] for id in record["aspects"] if marks.get(id)}
        paper = paper_of_elements(record["paper_as_candidate_pool"], name=record["paper_doi"])
        labels = {id: record["aspects"][id] for id in aspects}
        return {**record, **support_fields(paper, Gold(aspects, labels=labels))} if aspects else None
    key = line["key"]
    (known,) = read_evidencebench(json.dumps({key: record}).encode(), name=key).instances
    instance = instance_of(
        key, known.hypothesis, known.paper, aspects=record["aspect_labels"], aligned=marks, results=known.gold.results
    )
    return None if instance is None else published_record(instance, paper_id=record["paper_id"])


@dataclass(frozen=True, slots=True)
class SummaryPieces:
    """The sentences of a summary and of its paper. Sentences that the pipeline did not label come last."""

    texts: tuple[str, ...]
    source: tuple[str, ...]
    pipeline: tuple[Mark, ...]


def summary_pieces(line: Mapping[str, Any]) -> SummaryPieces:
    """The pieces of a line of FaReBio's pipeline; their ids are their indices."""
    (known,) = read_farebio(json.dumps(line["records"][SUMMARY]).encode(), name=line["key"]).summaries
    marks = [
        Mark(
            frozenset(one.index for one in sentence.support if one.index is not None),
            sentence.labels[0],
            sentence.part or "",
            sentence.rationale,
        )
        for sentence in known.sentences
    ]
    untold = line["told"].get("without a label", ())
    return SummaryPieces(
        tuple(sentence.text for sentence in known.sentences) + tuple(untold),
        tuple(one.text for one in known.paper.sentences),
        (*marks, *(Mark(label=Label.CANNOT_TELL) for _ in untold)),
    )


def _summary_with(line: Mapping[str, Any], settled: Marks) -> list[dict[str, Any]]:
    """The rows of a summary that have a label. The first row holds the details of the paper."""
    pieces, rows = summary_pieces(line), list[dict[str, Any]](line["records"][SUMMARY])
    whole = {name: value for name, value in rows[0].items() if name not in _JUDGED}
    named = {name: whole[name] for name in ("paper", "summary")}
    rows += [named | {"text": text} for text in islice(pieces.texts, len(rows), None)]
    for id, mark in settled.items():
        told = (mark.label, mark.part, [pieces.source[index] for index in sorted(mark.sentences)], mark.reason)
        own = {name: value for name, value in zip(_JUDGED, told, strict=True) if value}
        rows[int(id)] = named | {"text": pieces.texts[int(id)]} | own
    kept = [row for row in rows if row.get("label")]
    return [whole | kept[0], *kept[1:]] if kept else []


def alike(marks: Iterable[Mark]) -> Mark:
    """What all of these marks have in common."""
    first, *others = marks
    return Mark(
        first.sentences.intersection(*(one.sentences for one in others)),
        first.label if all(one.label == first.label for one in others) else None,
        first.part if all(one.part == first.part for one in others) else "",
    )
