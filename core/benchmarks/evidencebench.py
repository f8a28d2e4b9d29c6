"""Read files in EvidenceBench's published layout (EvidenceBench, appendix A.5).

EvidenceBench-100k has the same layout; its 107,461 papers are streamed. A record may also have two keys of Vouch's own:
`aspect_labels`, aspect id -> the aspect in words, and `paraphrases` of the hypothesis.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby, takewhile
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal

from pydantic import BaseModel, Field, NonNegativeInt, ValidationError

from core.benchmarks.gold import Gold, Instance
from core.benchmarks.model import BrokenRecord
from core.benchmarks.records import BrokenError, Text, first_fault, opened, records
from core.errors import DatasetError
from core.evidence.model import MAX_HYPOTHESIS_WORDS
from core.paper import Format, Kind, Paper
from core.paper.draft import Block, PaperDraft
from core.paper.read import assemble
from core.paper.sections import is_left_out, main_kind
from core.paper.xml import squeeze

_POOL = "paper_as_candidate_pool"
_MAX_ASPECTS = 500  # the published files have at most 36 (Table 1)
_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*[{\[]")

_SentenceType = Literal["section_name", "abstract", "normal_paragraph"]
_KINDS: dict[_SentenceType, Kind] = {
    "section_name": Kind.HEADING,
    "abstract": Kind.ABSTRACT,
    "normal_paragraph": Kind.BODY,
}


class _Record(BaseModel):
    """The keys of a record that are read; the other, evaluation keys can be computed from them."""

    hypothesis: Text
    paper_as_candidate_pool: list[Text]
    sentence_types_in_candidate_pool: list[_SentenceType]
    aspect_list_ids: Annotated[list[Text], Field(max_length=_MAX_ASPECTS)]
    results_aspect_list_ids: list[str] | None = None  # null in the published file if there are none
    aspect2sentence_indices: dict[str, list[NonNegativeInt]]
    sentence_index2aspects: dict[NonNegativeInt, list[str]] | None = None
    aspect_labels: dict[str, Text] = {}
    paraphrases: list[Text] = []
    paper_id: Text | None = None


@dataclass(frozen=True, slots=True)
class EvidenceBenchFile:
    """The task instances of a file, in its order, and its broken records."""

    instances: tuple[Instance, ...]
    broken: tuple[BrokenRecord, ...]


def is_evidencebench(data: bytes) -> bool:
    """Whether the content looks like JSON with candidate pools. Cheap, because it parses nothing."""
    return _START.match(data) is not None and f'"{_POOL}"'.encode() in data


def read_evidencebench(data: bytes, *, name: str) -> EvidenceBenchFile:
    """Every instance of a file: id -> record as published, a list of records, one record per line, or a single record.

    Broken records are listed, and the others are still read. Raises `DatasetError` if the file is not JSON or has no record.
    """
    found = list(_instances(BytesIO(data), name))
    if not found:
        raise DatasetError(
            f"“{name}” holds no EvidenceBench record. Upload a file with records as its paper describes them."
        )
    return EvidenceBenchFile(
        tuple(entry for entry in found if isinstance(entry, Instance)),
        tuple(entry for entry in found if isinstance(entry, BrokenRecord)),
    )


def stream_evidencebench(path: Path) -> Iterator[Instance | BrokenRecord]:
    """The same one by one, for a file that need not fit in memory. Raises `DatasetError` if it is not JSON."""
    with opened(path) as stream:
        yield from _instances(stream, path.name)


def count_evidencebench(path: Path, items_in: Callable[[Mapping[str, Any]], int]) -> int:
    """Count the items of a file: `items_in` gives the number per record; a record that is no object counts as one.

    No paper is built. Raises what `stream_evidencebench` raises.
    """
    with opened(path) as stream:
        found = records(stream, name=path.name, fields=_Record.model_fields)
        return sum(items_in(raw) if isinstance(raw, Mapping) else 1 for _, raw in found)


def _instances(stream: BinaryIO, name: str) -> Iterator[Instance | BrokenRecord]:
    for id, raw in records(stream, name=name, fields=_Record.model_fields):
        try:
            yield _instance(id, _Record.model_validate(raw), name)
        except ValidationError as error:
            yield BrokenRecord(name, id, *first_fault(error))
        except BrokenError as error:
            yield BrokenRecord(name, id, error.key, error.reason)


def _instance(record_id: str, record: _Record, file: str) -> Instance:
    _check(record)
    return Instance(
        id=record_id,
        hypothesis=record.hypothesis,
        paper=_paper(record, name=f"{record.paper_id or record_id} ({file})"),
        gold=Gold(
            aspects={aspect: frozenset(record.aspect2sentence_indices[aspect]) for aspect in record.aspect_list_ids},
            results=frozenset(record.results_aspect_list_ids or ()),
            labels=record.aspect_labels or None,
        ),
        paraphrases=tuple(record.paraphrases),
    )


def _check(record: _Record) -> None:
    """Check the rules between keys. Raises `BrokenError` for the first that does not hold."""
    pool, types = record.paper_as_candidate_pool, record.sentence_types_in_candidate_pool
    known = set(record.aspect_list_ids)
    covering = record.aspect2sentence_indices
    inverse = {(i, aspect) for i, aspects in (record.sentence_index2aspects or {}).items() for aspect in aspects}
    rules = (
        (record.hypothesis.strip(), "hypothesis", "it is empty"),
        (_can_be_asked(record.hypothesis), "hypothesis", f"it has more than {MAX_HYPOTHESIS_WORDS} words"),
        (
            all(map(_can_be_asked, record.paraphrases)),
            "paraphrases",
            f"one has more than {MAX_HYPOTHESIS_WORDS} words",
        ),
        (any(map(str.strip, pool)), _POOL, "it holds no text"),
        (
            len(types) == len(pool),
            "sentence_types_in_candidate_pool",
            f"{len(types)} types for {len(pool)} sentences",
        ),
        (known, "aspect_list_ids", "it lists no aspect"),
        (len(known) == len(record.aspect_list_ids), "aspect_list_ids", "an aspect is listed twice"),
        (set(covering) == known, "aspect2sentence_indices", "its aspects are not those of aspect_list_ids"),
        (
            all(index < len(pool) for indices in covering.values() for index in indices),
            "aspect2sentence_indices",
            f"an index lies beyond the {len(pool)} sentences",
        ),
        (
            known.issuperset(record.results_aspect_list_ids or ()),
            "results_aspect_list_ids",
            "it names an aspect that is not in aspect_list_ids",
        ),
        (
            record.sentence_index2aspects is None
            or inverse == {(index, aspect) for aspect, indices in covering.items() for index in indices},
            "sentence_index2aspects",
            "it contradicts aspect2sentence_indices",
        ),
    )
    for holds, key, reason in rules:
        if not holds:
            raise BrokenError(key, reason)


def _can_be_asked(hypothesis: str) -> bool:
    return len(hypothesis.split()) <= MAX_HYPOTHESIS_WORDS


def _paper(record: _Record, *, name: str) -> Paper:
    """Build a paper whose sentences are exactly those of the candidate pool, in order.

    Its id is the hash of the pool, so that hypotheses on one paper share it.
    """
    pool, types = record.paper_as_candidate_pool, record.sentence_types_in_candidate_pool
    kinds = [_KINDS[sentence_type] for sentence_type in types]
    draft = PaperDraft()
    if kinds[0] is Kind.HEADING and main_kind(pool[0]) is None:
        draft.title = squeeze(pool[0]) or None
        # The published files often give the title twice.
        for index in takewhile(lambda i: types[i] == "section_name" and pool[i] == pool[0], range(len(pool))):
            kinds[index] = Kind.TITLE
    below_main = False
    for kind, members in groupby(range(len(pool)), key=kinds.__getitem__):
        sentences = tuple(pool[index] for index in members)
        if kind in {Kind.ABSTRACT, Kind.BODY}:
            # The layout has no paragraphs, so the text between two headings becomes one.
            draft.blocks.append(Block(kind, squeeze(" ".join(sentences)), sentences=sentences))
            continue
        for sentence in sentences:
            # Nor does it have levels, so the usual names of a paper's parts are taken as level 1.
            main = main_kind(sentence) is not None or is_left_out(sentence)
            below_main |= main
            draft.blocks.append(
                Block(kind, squeeze(sentence), 1 if main or not below_main else 2, sentences=(sentence,))
            )
    data = json.dumps([pool, types]).encode()
    return assemble(draft, data=data, name=name, format=Format.EVIDENCEBENCH)
