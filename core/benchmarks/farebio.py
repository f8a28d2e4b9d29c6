"""Summaries labelled by people, sentence by sentence: FaReBio's data (section 3.3) in the layout of docs/summary.md.

What is the same for a paper (its title, authors, abstract and first section) may stand in one of its rows alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from core.benchmarks.farebio_rows import NOT_SUPPORTED, Row, records_in
from core.benchmarks.model import BrokenRecord
from core.errors import DatasetError
from core.paper import Format, Kind, Paper, SectionKind
from core.paper.assemble import assemble
from core.paper.draft import Block, Draft
from core.summary.matching import Matcher
from core.summary.model import Label, Support
from core.summary.novelty import novelty

SCALE = (Label.SUPPORTED.value, NOT_SUPPORTED)  # FaReBio's two: in which way a sentence is wrong, it does not ask
_ABSTRACTIVE = 0.5  # share of a summary's 2-grams that its source lacks, where the file does not tell


def on_scale(label: Label) -> str | None:
    """A label as FaReBio knows it; None for one that is neither supported nor wrong."""
    return NOT_SUPPORTED if label.flagged else SCALE[0] if label is Label.SUPPORTED else None


@dataclass(frozen=True, slots=True)
class GoldSentence:
    """What a person says of a summary sentence."""

    text: str
    labels: tuple[Label, ...]  # one; two where it is wrong and the file does not tell how
    part: str | None
    support: tuple[Support, ...]  # one that is not found in the paper has no index
    rationale: str

    @property
    def on_scale(self) -> str | None:
        """Its label as FaReBio knows it."""
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
    """All that a file holds."""

    summaries: tuple[GoldSummary, ...]
    broken: tuple[BrokenRecord, ...]


def read_farebio(data: bytes, *, name: str) -> FarebioFile:
    """The summaries of a file in its order, and the records that are none.

    Raises `DatasetError` if it is neither CSV nor JSON, holds no row, or tells nothing of a paper.
    """
    rows: list[Row] = []
    broken: list[BrokenRecord] = []
    for number, record in enumerate(records_in(data, name=name), 1):
        try:
            rows.append(Row.model_validate({key: value for key, value in record.items() if value not in ("", None)}))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            broken.append(BrokenRecord(name, str(number), str(first["loc"][0]), first["msg"].lower()))
    if not rows:
        why = str(broken[0]) if broken else f"“{name}” holds no row."
        raise DatasetError(f"{why} docs/summary.md tells the layout, and how to convert a file of another one.")
    by_paper: dict[str, list[Row]] = {}
    for row in rows:
        by_paper.setdefault(row.paper, []).append(row)
    summaries = [summary for id, own in by_paper.items() for summary in _summaries(_paper(id, own, name), id, own)]
    return FarebioFile(tuple(summaries), tuple(broken))


def _summaries(paper: Paper, paper_id: str, rows: Sequence[Row]) -> Iterator[GoldSummary]:
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


def _gold(row: Row, matcher: Matcher) -> GoldSentence:
    support = tuple(support for sentence in row.support for support in matcher.find(sentence))
    return GoldSentence(row.text, row.label, row.part, support, row.rationale)


def _paper(id: str, rows: Sequence[Row], name: str) -> Paper:
    """The paper as far as its rows tell; its own id is the hash of its texts, never of labels."""
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
    draft = Draft(title=title, authors=authors, blocks=blocks)
    data = json.dumps([title, authors, abstract, heading, text]).encode()
    return assemble(draft, data=data, name=id, format=Format.TEXT, keep_set_aside=True)
