"""Summaries labelled sentence by sentence: FaReBio's data (section 3.3), conversion of other layouts, and comparison."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from core.benchmarks.label_metrics import Labelled, accuracy, kappa
from core.benchmarks.model import BrokenRecord
from core.errors import DatasetError, QueryError
from core.paper import Format, Kind, Paper, SectionKind
from core.paper.draft import Block, PaperDraft
from core.paper.read import assemble
from core.summary.matching import Matcher
from core.summary.measures import novelty
from core.summary.model import WRONG, FaithfulnessReport, Label, Support
from core.text.words import letters_and_digits

# ---- farebio rows ----
# The layout of labelled summaries, with one row per summary sentence, and the conversion of other layouts to it.

Record = Mapping[str, Any]
_DELIMITERS = ",;\t|"


class SummaryRow(BaseModel):
    """One summary sentence. Other columns are ignored; an empty cell is missing."""

    model_config = ConfigDict(extra="ignore", frozen=True, coerce_numbers_to_str=True)

    paper: str = Field(min_length=1)
    summary: str = Field(min_length=1)  # its name among the paper's summaries, such as the model that wrote it
    text: str = Field(min_length=1)
    label: tuple[Label, ...]  # one label; both wrong ones for “not supported” without a kind
    kind: Literal["contradicts the paper", "not in the paper"] | None = (
        None  # as well as “not supported”, in older files
    )
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
        """Split text from CSV, which has one sentence per line."""
        return [line for line in value.splitlines() if line.strip()] if isinstance(value, str) else value

    @field_validator("authors", mode="before")
    @classmethod
    def _names(cls, value: Any) -> Any:
        """Split text from CSV, where names are separated by semicolons."""
        return [name.strip() for name in value.split(";") if name.strip()] if isinstance(value, str) else value

    @model_validator(mode="before")
    @classmethod
    def _one_label(cls, record: Any) -> Any:
        """Merge the label and its kind, which older files keep in separate columns."""
        if not isinstance(record, Mapping) or not isinstance(record.get("label"), str):
            return record
        label, kind = _label(record["label"], record.get("kind"))
        return {**record, "label": WRONG if label == NOT_SUPPORTED else (label,), "kind": kind}


NOT_SUPPORTED = "not supported"  # wrong, but not labelled in which way
COLUMNS = tuple(SummaryRow.model_fields)
_WRITTEN = tuple(name for name in COLUMNS if name != "kind")
_OLDER = {"not judgeable": Label.NOT_JUDGED}

# Other words for our labels and kinds, in lower case; `--values` adds more.
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
    """The records of a CSV file with a header line, a JSON list, or JSON Lines.

    Raises `DatasetError` if it is none of these.
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
        raise DatasetError(f"“{name}” holds something other than records. Give a JSON list with an object a sentence.")
    return records


def converted(
    records: Iterable[Record], columns: Mapping[str, str], values: Mapping[str, str], separator: str = "\n"
) -> list[dict[str, Any]]:
    """Convert records to our layout.

    `columns` maps our columns to theirs if they have other names. `values` maps their words for labels and kinds to ours,
    ignoring case. `separator` is the text between support sentences in one cell. Raises `QueryError` if our layout has no
    such column, or the file has none.
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
    """Records in our layout as CSV, with one support sentence per line, and authors separated by semicolons."""
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
    # In a file without names, papers are distinguished by their texts, and each has one summary.
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
    """The label by its current name, and the kind unless it was merged into the label."""
    if label == NOT_SUPPORTED and kind in WRONG:
        return str(kind), None
    return _OLDER.get(label, label), kind


def _rows_of_table(text: str) -> list[Record]:
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # a cell may contain a whole paper
    delimiter = max(_DELIMITERS, key=text.split("\n", 1)[0].count)
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, restkey="more cells than columns"))


# ---- farebio ----
# Summaries labelled by people, sentence by sentence: FaReBio's data (section 3.3) in the layout of docs/summary.md.
#
# What is the same for a paper (its title, authors, abstract and first section) may be in only one of its rows.

SCALE = (Label.SUPPORTED.value, NOT_SUPPORTED)  # FaReBio's two labels, which do not say how a sentence is wrong
_ABSTRACTIVE = 0.5  # minimum share of 2-grams that the source lacks, if the file has no abstractiveness


def on_scale(label: Label) -> str | None:
    """A label on FaReBio's scale; None for one that is neither supported nor wrong."""
    return NOT_SUPPORTED if label.flagged else SCALE[0] if label is Label.SUPPORTED else None


@dataclass(frozen=True, slots=True)
class GoldSentence:
    """A person's labels for a summary sentence."""

    text: str
    labels: tuple[Label, ...]  # one; two if it is wrong and the file does not say how
    part: str | None
    support: tuple[Support, ...]  # without an index if not found in the paper
    rationale: str

    @property
    def on_scale(self) -> str | None:
        """Its label on FaReBio's scale."""
        return on_scale(self.labels[0])


@dataclass(frozen=True, slots=True)
class GoldSummary:
    """A summary with gold for each of its sentences."""

    id: str  # "PAPER/SUMMARY"
    paper_id: str  # as the file names it
    paper: Paper  # title, abstract and first section
    sentences: tuple[GoldSentence, ...]
    abstractive: bool  # which of FaReBio's two groups it belongs to (section 5, RQ6)


@dataclass(frozen=True, slots=True)
class FarebioFile:
    """The contents of a file."""

    summaries: tuple[GoldSummary, ...]
    broken: tuple[BrokenRecord, ...]


def read_farebio(data: bytes, *, name: str) -> FarebioFile:
    """The summaries of a file, grouped by paper, and its broken records.

    Raises `DatasetError` if it is neither CSV nor JSON, has no valid row, or lacks a paper's abstract and first section.
    """
    rows: list[SummaryRow] = []
    broken: list[BrokenRecord] = []
    for number, record in enumerate(records_in(data, name=name), 1):
        try:
            rows.append(
                SummaryRow.model_validate({key: value for key, value in record.items() if value not in ("", None)})
            )
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            broken.append(BrokenRecord(name, str(number), str(first["loc"][0]), first["msg"].lower()))
    if not rows:
        why = str(broken[0]) if broken else f"“{name}” holds no row."
        raise DatasetError(f"{why} docs/summary.md tells the layout, and how to convert a file of another one.")
    by_paper: dict[str, list[SummaryRow]] = {}
    for row in rows:
        by_paper.setdefault(row.paper, []).append(row)
    summaries = [summary for id, own in by_paper.items() for summary in _summaries(_paper(id, own, name), id, own)]
    return FarebioFile(tuple(summaries), tuple(broken))


def _summaries(paper: Paper, paper_id: str, rows: Sequence[SummaryRow]) -> Iterator[GoldSummary]:
    matcher = Matcher(paper, paper.sentences)
    wording = [sentence.text for sentence in paper.sentences if sentence.kind is not Kind.HEADING]
    for name in dict.fromkeys(row.summary for row in rows):
        own = [row for row in rows if row.summary == name]
        told = next((row.abstractiveness for row in own if row.abstractiveness), None)
        new = novelty([row.text for row in own], wording, 2) or 0.0
        yield GoldSummary(
            id=f"{paper_id}/{name}",
            paper_id=paper_id,
            paper=paper,
            sentences=tuple(_gold(row, matcher) for row in own),
            abstractive=told == "high" if told else new >= _ABSTRACTIVE,
        )


def _gold(row: SummaryRow, matcher: Matcher) -> GoldSentence:
    support = tuple(support for sentence in row.support for support in matcher.find(sentence))
    return GoldSentence(row.text, row.label, row.part, support, row.rationale)


def _paper(id: str, rows: Sequence[SummaryRow], name: str) -> Paper:
    """The paper as far as its rows contain it. Its id is a hash of its texts, without labels."""
    title = next((row.title for row in rows if row.title), None)
    authors: tuple[str, ...] = next((row.authors for row in rows if row.authors), ())
    abstract = next((row.abstract for row in rows if row.abstract), "")
    heading = next((row.section for row in rows if row.section), "") or "Introduction"
    text = next((row.section_text for row in rows if row.section_text), "")
    if not abstract and not text:
        raise DatasetError(f"“{name}”: no row of the paper {id} tells its abstract or its first section. Add them.")
    blocks = [Block(Kind.TITLE, title)] if title else []
    if abstract:
        blocks.append(Block(Kind.HEADING, "Abstract", 1, section_kind=SectionKind.ABSTRACT))
        blocks += [Block(Kind.ABSTRACT, line) for line in abstract.splitlines() if line.strip()]
    if text:
        blocks.append(Block(Kind.HEADING, heading, 1))
        blocks += [Block(Kind.BODY, line) for line in text.splitlines() if line.strip()]
    draft = PaperDraft(title=title, authors=authors, blocks=blocks)
    data = json.dumps([title, authors, abstract, heading, text]).encode()
    return assemble(draft, data=data, name=id, format=Format.TEXT, keep_set_aside=True)


# ---- summary gold ----
# A checked summary compared with people's labels: agreement, kappa, missed errors and false alarms.

_PIECE = 6  # letters and digits that a piece of a sentence must have, at least


@dataclass(frozen=True, slots=True)
class GoldOverlay:
    """Gold by the indices of the report's sentences.

    Agreement and kappa are over the sentences that people labelled as supported or not; one without a label by the engine
    counts as disagreement. They are None if undefined.
    """

    gold: tuple[GoldSentence | None, ...]  # None: nobody labelled this sentence
    unmatched: tuple[GoldSentence, ...]  # gold whose sentence is not in the summary
    missed: tuple[int, ...]  # wrong, but not flagged
    false_alarms: tuple[int, ...]  # supported, but flagged
    agreement: float | None
    kappa: float | None


def gold_for_paper(file: FarebioFile, paper: Paper) -> tuple[GoldSummary, ...]:
    """The labelled summaries of a paper, matched by title."""
    title = letters_and_digits(paper.title or "")
    return tuple(one for one in file.summaries if title and letters_and_digits(one.paper.title or "") == title)


def gold_overlay(report: FaithfulnessReport, summary: GoldSummary) -> GoldOverlay:
    """Compare gold and a report on the same summary, sentence by sentence.

    Sentences are equal if their letters and digits are. If the file splits a sentence differently from us, its first
    unsupported piece counts, or else its first piece.
    """
    gold = tuple(gold_of_report(sentence.text, summary.sentences) for sentence in report.sentences)
    texts = [letters_and_digits(sentence.text) for sentence in report.sentences]
    unmatched = tuple(
        one for one in summary.sentences if not any(_alike(letters_and_digits(one.text), text) for text in texts)
    )
    pairs = [
        (place, wanted, on_scale(sentence.label))
        for place, (one, sentence) in enumerate(zip(gold, report.sentences, strict=True))
        if one is not None and (wanted := one.on_scale) is not None
    ]
    labelled = Labelled([wanted for _, wanted, _ in pairs], [given for _, _, given in pairs], SCALE)
    return GoldOverlay(
        gold=gold,
        unmatched=unmatched,
        missed=tuple(p for p, wanted, given in pairs if wanted == NOT_SUPPORTED and given != wanted),
        false_alarms=tuple(p for p, wanted, given in pairs if wanted != NOT_SUPPORTED and given == NOT_SUPPORTED),
        agreement=labelled.value(accuracy) if pairs else None,
        kappa=labelled.value(kappa) if pairs else None,
    )


def gold_of_report(text: str, gold: Sequence[GoldSentence]) -> GoldSentence | None:
    """The gold of a sentence, or of its pieces, or of the longer sentence that contains it in the file."""
    own = letters_and_digits(text)
    found = [one for one in gold if letters_and_digits(one.text) == own] or [
        one for one in gold if _alike(letters_and_digits(one.text), own)
    ]
    wrong = [one for one in found if one.on_scale == NOT_SUPPORTED]
    return next(iter(wrong or found), None)


def _alike(one: str, other: str) -> bool:
    """Whether they are equal, or one is a sufficiently long piece of the other."""
    shorter, longer = sorted((one, other), key=len)
    return one == other or (len(shorter) >= _PIECE and shorter in longer)
