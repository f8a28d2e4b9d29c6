"""Annotations of a made benchmark: two annotators, blind to each other and to the pipeline, and their settled marks.

Marks are lines of a file beside the benchmark. An annotator's last mark on a piece counts. The pipeline's results stay
in the journal; the benchmark's files are written from both (`core.making.output`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from pathlib import Path
from typing import Any

from core.benchmarks.farebio import FarebioFile, read_farebio
from core.errors import DatasetError, QueryError
from core.making.agreement import Judged
from core.making.farebio import compared, titled
from core.making.journal import records_of
from core.making.marks import (
    LABELS,
    LAYOUTS,
    NAME,
    SUMMARY,
    Mark,
    mark_fields,
    mark_of,
    rows_of,
    summary_pieces,
    with_marks,
)
from core.work.lines import mend_tail

PIPELINE = "pipeline"
PEOPLE = 2
PAGE = 50  # records on a page
Key = tuple[str, str, str]  # record, layout, piece


@dataclass(frozen=True, slots=True)
class Piece:
    """An aspect whose sources are to be marked in its paper, or a sentence of a summary."""

    record: str
    layout: str
    id: str
    text: str
    about: str  # the hypothesis, the bias, or the summary's name
    paper: str
    sentences: tuple[str, ...]
    pipeline: Mark

    @property
    def key(self) -> Key:
        return self.record, self.layout, self.id

    @property
    def labelled(self) -> bool:
        """Whether it is marked with a label as well as with sentences."""
        return self.layout == SUMMARY


@dataclass(frozen=True, slots=True)
class PieceView:
    """A piece as one annotator may see it. `others` is empty until two people have marked it, then holds all marks."""

    piece: Piece
    own: Mark | None
    others: Mapping[str, Mark]  # by annotator, including the pipeline
    settled: Mark | None

    @property
    def blind(self) -> bool:
        """Whether others' marks are still hidden."""
        return not self.others


class Annotations:
    """The marks on a made benchmark, and a page of its pieces."""

    def __init__(self, folder: Path, *, page: int = 1, size: int = PAGE) -> None:
        """Raises `DatasetError` if the folder holds no benchmark made by Vouch, or if a file is damaged."""
        self.folder = folder
        self._records = records_of(folder)
        self.pages = max(1, -(-len(self._records.places) // size))
        self.page = min(max(page, 1), self.pages)
        start = (self.page - 1) * size
        self.pieces = tuple(
            piece for key in islice(self._records.places, start, start + size) for piece in _pieces(self._records[key])
        )
        self._marks: dict[Key, dict[str, Mark]] = {}
        self._settled: dict[Key, Mark] = {}
        for row in rows_of(folder):
            self._note(row)

    @property
    def records(self) -> int:
        """The number of records on all pages."""
        return len(self._records.places)

    def view(self, piece: Piece, annotator: str) -> PieceView:
        """The piece as this annotator may see it."""
        marks = self._marks.get(piece.key, {})
        shown = {**marks, PIPELINE: piece.pipeline} if len(marks) >= PEOPLE and annotator in marks else {}
        return PieceView(piece, marks.get(annotator), shown, self._settled.get(piece.key))

    def mark(self, piece: Piece, annotator: str, mark: Mark) -> None:
        """Save an annotator's mark.

        Raises `QueryError` if it is incomplete or too late, or if two others have marked it.
        """
        marks, name = self._marks.get(piece.key, {}), annotator.strip()
        if not name or name == PIPELINE:
            raise QueryError("Who are you? Type the name by which your marks are kept.")
        if name not in marks and len(marks) >= PEOPLE:
            raise QueryError(f"{' and '.join(marks)} have marked this already. Choose another one.")
        if len(marks) >= PEOPLE:
            raise QueryError("Both have marked this and seen each other's marks. Settle it instead.")
        self._keep({"annotator": name, **mark_fields(_checked(piece, mark))}, piece)

    def settle(self, piece: Piece, annotator: str, mark: Mark) -> None:
        """Save the settled mark. Raises `QueryError` unless two people have marked it, this annotator among them."""
        marks = self._marks.get(piece.key, {})
        if len(marks) < PEOPLE or annotator not in marks:
            raise QueryError("What two have marked is settled by one of them, once both have.")
        self._keep({"settled_by": annotator, **mark_fields(_checked(piece, mark))}, piece)

    def standing(self, piece: Piece, annotator: str) -> str:
        """The state of a piece, in a word or two that reveal no mark."""
        marks = self._marks.get(piece.key, {})
        if piece.key in self._settled:
            return "settled"
        if len(marks) >= PEOPLE:
            return "both in"
        return "yours is in" if annotator in marks else "one is in" if marks else "open"

    def next_open(self, piece: Piece, annotator: str) -> Piece | None:
        """The next piece of this page that this annotator can mark or settle; None if there is none."""
        at = self.pieces.index(piece)
        for other in (*self.pieces[at + 1 :], *self.pieces[:at]):
            marks = self._marks.get(other.key, {})
            settling = len(marks) >= PEOPLE and annotator in marks and other.key not in self._settled
            if settling or (annotator not in marks and len(marks) < PEOPLE):
                return other
        return None

    def labels(self) -> Iterator[tuple[str, str, str, bool]]:
        """(paper, item, annotator, label) of the pieces that two people have marked, on all pages.

        An item is a sentence of the paper with an aspect, labelled yes if it is a source of it; or a sentence of a
        summary, labelled yes if it is wrong, and not labelled if an annotator calls it neither wrong nor supported.
        """
        for piece in self._marked():
            for who, mark in ({**self._marks[piece.key], PIPELINE: piece.pipeline}).items():
                if piece.labelled:
                    if mark.label in LABELS[:-1]:
                        yield piece.paper, f"{piece.record} {piece.id}", who, mark.wrong
                    continue
                for index in range(len(piece.sentences)):
                    yield piece.paper, f"{piece.record} {piece.id} {index}", who, index in mark.sentences

    def judged_summaries(self) -> dict[str, Judged]:
        """FaReBio's agreement on sentences, summaries and support, by title; empty before two people have marked any.

        The two people are those who have marked the most pieces together.
        """
        pieces = [piece for piece in self._marked() if piece.labelled]
        pairs = [pair for piece in pieces for pair in combinations(sorted(self._marks[piece.key]), PEOPLE)]
        if not pairs:
            return {}
        people = max(dict.fromkeys(pairs), key=pairs.count)
        files = [self._file_of(pieces, who) for who in (*people, PIPELINE)]
        try:
            return {title: judged for title, (judged, _) in titled(compared(files)).items() if judged.papers}
        except DatasetError:  # there is no sentence yet that all have labelled
            return {}

    def _file_of(self, pieces: Sequence[Piece], who: str) -> FarebioFile:
        """The labels of this annotator on exactly these sentences, as a FaReBio file."""
        said = {
            piece.key: piece.pipeline if who == PIPELINE else self._marks[piece.key].get(who, Mark())
            for piece in pieces
        }
        rows = []
        for line in map(self._records.__getitem__, dict.fromkeys(piece.record for piece in pieces)):
            rows += with_marks(line, SUMMARY, {one.id: said.get(one.key, Mark()) for one in _pieces(line)})
        return read_farebio(json.dumps(rows).encode(), name=who) if rows else FarebioFile((), ())

    def _marked(self) -> Iterator[Piece]:
        """The pieces that two people have marked, on all pages."""
        keys = {key for key, marks in self._marks.items() if len(marks) >= PEOPLE}
        for record in dict.fromkeys(record for record, *_ in keys):
            if record in self._records.places:
                yield from (piece for piece in _pieces(self._records[record]) if piece.key in keys)

    def _keep(self, said: dict[str, Any], piece: Piece) -> None:
        row = {"record": piece.record, "layout": piece.layout, "aspect": piece.id, **said}
        try:
            mend_tail(self.folder / NAME)
            with (self.folder / NAME).open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        except OSError as error:
            raise QueryError(f"“{self.folder}” cannot be written ({error.strerror}). Check the folder.") from error
        self._note(row)

    def _note(self, row: Mapping[str, Any]) -> None:
        key = (row["record"], row["layout"], row["aspect"])
        if "settled_by" in row:
            self._settled[key] = mark_of(row)
        else:
            self._marks.setdefault(key, {})[row["annotator"]] = mark_of(row)


def _pieces(line: Mapping[str, Any]) -> Iterator[Piece]:
    """The pieces of a record, as the pipeline made them."""
    for layout in LAYOUTS:
        record = line["records"].get(layout)
        if record is None:
            continue
        if layout == SUMMARY:
            found, about = summary_pieces(line), f"Summary “{record[0]['summary']}”"
            for place, (text, mark) in enumerate(zip(found.texts, found.pipeline, strict=True)):
                yield Piece(line["key"], layout, str(place), text, about, line["paper"], found.source, mark)
            continue
        labels = record["aspect_labels"] if layout == "evidencebench" else record["aspects"]
        pool, about = tuple(record["paper_as_candidate_pool"]), record.get("hypothesis") or record["bias"]
        for aspect, indices in record["aspect2sentence_indices"].items():
            mark = Mark(frozenset(indices))
            yield Piece(line["key"], layout, aspect, labels[aspect], about, line["paper"], pool, mark)


def _checked(piece: Piece, mark: Mark) -> Mark:
    """The mark without fields that belong to other labels. Raises `QueryError` if it is incomplete."""
    if any(index not in range(len(piece.sentences)) for index in mark.sentences):
        raise ValueError("a mark is on no sentence of the paper")
    if not piece.labelled:
        return Mark(mark.sentences)
    if mark.label not in LABELS:
        raise QueryError("Give the sentence a label.")
    part = " ".join(mark.part.split()) if mark.wrong else ""
    if part not in " ".join(piece.text.split()):
        raise QueryError("The wrong words must stand in the sentence as you type them. Copy them from it.")
    return replace(mark, part=part, reason=" ".join(mark.reason.split()))
