"""The layout of labelled summaries, one row a summary sentence, and files of other layouts brought into it."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from core.errors import DatasetError, QueryError
from core.summary.model import WRONG, Label

Record = Mapping[str, Any]
_DELIMITERS = ",;\t|"


class Row(BaseModel):
    """One summary sentence. Other columns are passed over; what is empty is missing."""

    model_config = ConfigDict(extra="ignore", frozen=True, coerce_numbers_to_str=True)

    paper: str = Field(min_length=1)
    summary: str = Field(min_length=1)  # its name among those of the paper, such as the model's that wrote it
    text: str = Field(min_length=1)
    label: tuple[Label, ...]  # one; both that are wrong where it is “not supported”, and no kind tells how
    kind: Literal["contradicts the paper", "not in the paper"] | None = None  # beside “not supported”, in older files
    part: str | None = None
    support: tuple[str, ...] = ()
    abstractiveness: Literal["high", "low"] | None = None
    rationale: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    abstract: str = ""
    section: str = ""
    section_text: str = ""

    @field_validator("support", mode="before")
    @classmethod
    def _sentences(cls, value: Any) -> Any:
        """In CSV, a sentence a line."""
        return [line for line in value.splitlines() if line.strip()] if isinstance(value, str) else value

    @field_validator("authors", mode="before")
    @classmethod
    def _names(cls, value: Any) -> Any:
        """In CSV, set apart by semicolons."""
        return [name.strip() for name in value.split(";") if name.strip()] if isinstance(value, str) else value

    @model_validator(mode="before")
    @classmethod
    def _one_label(cls, record: Any) -> Any:
        """The label with its kind, where an older file keeps them apart."""
        if not isinstance(record, Mapping) or not isinstance(record.get("label"), str):
            return record
        label, kind = _label(record["label"], record.get("kind"))
        return {**record, "label": WRONG if label == NOT_SUPPORTED else (label,), "kind": kind}


NOT_SUPPORTED = "not supported"  # by people who did not tell in which way
COLUMNS = tuple(Row.model_fields)
_WRITTEN = tuple(name for name in COLUMNS if name != "kind")
_OLDER = {"not judgeable": Label.NOT_JUDGED}

# Other words for our labels and kinds, in lower case; `--values` names more.
_SYNONYMS: Mapping[str, Mapping[str, str]] = {
    "label": {
        **dict.fromkeys(("yes", "true", "1", "faithful", "supported", "consistent"), Label.SUPPORTED),
        **dict.fromkeys(
            ("no", "false", "0", "unfaithful", "not faithful", "non-faithful", "unsupported", "inconsistent"),
            NOT_SUPPORTED,
        ),
        **dict.fromkeys(("not judgeable", "not judgable", "unclear"), Label.NOT_JUDGED),
    },
    "kind": {
        **dict.fromkeys(("contradiction", "contradicts"), Label.CONTRADICTS),
        **dict.fromkeys(("factual", "factual hallucination", "extrinsic"), Label.NOT_IN_PAPER),
    },
}


def records_in(data: bytes, *, name: str) -> list[Record]:
    """The records of a CSV file (with a heading line), a JSON list, or JSON lines.

    Raises `DatasetError` if it is none of them.
    """
    try:
        text = data.decode("utf-8-sig")
        if not text.lstrip().startswith(("[", "{")):
            return _rows_of_table(text)
        records = (
            json.loads(text) if text.lstrip().startswith("[") else [json.loads(line) for line in text.splitlines()]
        )
    except (UnicodeDecodeError, json.JSONDecodeError, csv.Error) as error:
        raise DatasetError(f"“{name}” is neither CSV nor JSON in UTF-8: {error}. Save it as one of them.") from error
    if not all(isinstance(record, dict) for record in records):
        raise DatasetError(f"“{name}” holds something else than records. Give a JSON list with an object a sentence.")
    return records


def converted(
    records: Iterable[Record], columns: Mapping[str, str], values: Mapping[str, str], separator: str = "\n"
) -> list[dict[str, Any]]:
    """Records in our layout.

    `columns`: their column for one of ours, where it has another name; `values`: our word for one of theirs, for labels
    and kinds, whatever the case; `separator`: what stands between support sentences in one cell.
    Raises `QueryError` if a column is not ours, or theirs does not exist.
    """
    records = list(records)
    there = {name for record in records for name in record}
    for own, other in columns.items():
        if own not in COLUMNS:
            raise QueryError(f"The layout has no column “{own}”. Its columns are: {', '.join(COLUMNS)}.")
        if other not in there:
            raise QueryError(f"The file has no column “{other}”. It has: {', '.join(sorted(there))}.")
    own_values = {theirs.casefold(): ours for theirs, ours in values.items()}
    return [_converted(record, columns, own_values, separator) for record in records]


def as_csv(records: Iterable[Mapping[str, Any]]) -> str:
    """Records in our layout as CSV: support sentences a line each, authors set apart by semicolons."""
    out = io.StringIO()
    writer = csv.DictWriter(out, _WRITTEN, lineterminator="\n")
    writer.writeheader()
    for record in records:
        cells = {name: record.get(name) or "" for name in _WRITTEN}
        for name, mark in (("support", "\n"), ("authors", "; ")):
            if not isinstance(cells[name], str):
                cells[name] = mark.join(cells[name])
        writer.writerow(cells)
    return out.getvalue()


def _converted(record: Record, columns: Mapping[str, str], values: Mapping[str, str], separator: str) -> dict[str, Any]:
    found = {name: record.get(columns.get(name, name)) for name in COLUMNS}
    if isinstance(found["support"], str):
        found["support"] = [part.strip() for part in found["support"].split(separator) if part.strip()]
    # A file without names: papers are told apart by their texts, and each has one summary.
    texts = "".join(str(found[name] or "") for name in ("title", "abstract", "section_text"))
    found["paper"] = found["paper"] or hashlib.sha256(texts.encode()).hexdigest()[:12]
    found["summary"] = found["summary"] or "summary"
    for name, synonyms in _SYNONYMS.items():
        word = str(found[name]).strip().casefold()
        found[name] = values.get(word, synonyms.get(word, found[name]))
    if found["label"] is not None:
        found["label"], found["kind"] = _label(str(found["label"]), found["kind"])
    return {name: value for name, value in found.items() if value not in (None, "", [])}


def _label(label: str, kind: Any) -> tuple[str, Any]:
    """The label as it is called now, and the kind where it is none of ours, or where it told nothing."""
    if label == NOT_SUPPORTED and kind in WRONG:
        return str(kind), None
    return _OLDER.get(label, label), kind


def _rows_of_table(text: str) -> list[Record]:
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # a cell may hold a whole paper
    delimiter = max(_DELIMITERS, key=text.split("\n", 1)[0].count)
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, restkey="more cells than columns"))
