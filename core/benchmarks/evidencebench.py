"""Read files in EvidenceBench's published layout (EvidenceBench, appendix A.5).

Beyond that layout a record may hold `aspect_labels`, which is Vouch's own: aspect id -> the aspect in words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field, NonNegativeInt, ValidationError

from core.benchmarks.gold import Gold, Instance
from core.benchmarks.model import BrokenRecord
from core.errors import DatasetError
from core.paper import Format, Kind, Paper
from core.paper.assemble import assemble
from core.paper.draft import Block, Draft
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


def _writable(text: str) -> str:
    """JSON can spell half a character, which no file or screen can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("it holds half a surrogate pair") from None
    return text


_Text = Annotated[str, AfterValidator(_writable)]


class _Record(BaseModel):
    """The keys of a record that are read; the evaluation keys can be computed from them."""

    hypothesis: _Text
    paper_as_candidate_pool: list[_Text]
    sentence_types_in_candidate_pool: list[_SentenceType]
    aspect_list_ids: Annotated[list[_Text], Field(max_length=_MAX_ASPECTS)]
    results_aspect_list_ids: list[str] | None = None  # the published file says null where there are none
    aspect2sentence_indices: dict[str, list[NonNegativeInt]]
    sentence_index2aspects: dict[NonNegativeInt, list[str]] | None = None
    aspect_labels: dict[str, _Text] = {}
    paper_id: _Text | None = None


@dataclass(frozen=True, slots=True)
class EvidenceBenchFile:
    """The task instances of a file, in its order, and the records that had to be left out."""

    instances: tuple[Instance, ...]
    broken: tuple[BrokenRecord, ...]


class _BrokenError(Exception):
    """A record breaks a rule between its keys: (key, reason)."""


def is_evidencebench(data: bytes) -> bool:
    """Whether the content is JSON that speaks of candidate pools. Cheap: parses nothing."""
    return _START.match(data) is not None and f'"{_POOL}"'.encode() in data


def read_evidencebench(data: bytes, *, name: str) -> EvidenceBenchFile:
    """Every instance of a file: id -> record as published, a list of records, or one record alone.

    A broken record is listed and the rest goes on. Raises `DatasetError` if the file is not JSON or holds no record.
    """
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"“{name}” is not complete JSON: it may be cut off. Download or export it again.") from error
    instances: list[Instance] = []
    broken: list[BrokenRecord] = []
    for record_id, raw in _records(content, name):
        try:
            instances.append(_instance(record_id, _Record.model_validate(raw), name))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            key = ".".join(map(str, first["loc"])) or "record"
            broken.append(BrokenRecord(name, record_id, key, first["msg"].rstrip(".").lower()))
        except _BrokenError as error:
            broken.append(BrokenRecord(name, record_id, *error.args))
    return EvidenceBenchFile(tuple(instances), tuple(broken))


def _records(content: Any, name: str) -> Iterator[tuple[str, Any]]:
    if isinstance(content, Mapping) and _POOL in content:
        content = [content]
    if isinstance(content, list):
        content = {f"{number}": record for number, record in enumerate(content, 1)}
    if not isinstance(content, Mapping) or not content:
        raise DatasetError(
            f"“{name}” holds no EvidenceBench record. Upload a file with records as its paper describes them."
        )
    yield from content.items()


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
    )


def _check(record: _Record) -> None:
    """The rules between keys; raises `_BrokenError` for the first that does not hold."""
    pool, types = record.paper_as_candidate_pool, record.sentence_types_in_candidate_pool
    known = set(record.aspect_list_ids)
    covering = record.aspect2sentence_indices
    inverse = {(i, aspect) for i, aspects in (record.sentence_index2aspects or {}).items() for aspect in aspects}
    rules = (
        (record.hypothesis.strip(), "hypothesis", "it is empty"),
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
            raise _BrokenError(key, reason)


def _paper(record: _Record, *, name: str) -> Paper:
    """The candidate pool as a paper: the same sentences, in the same number and order, to the letter.

    The paper's id is the hash of the pool, so that hypotheses on one paper share it.
    """
    pool, types = record.paper_as_candidate_pool, record.sentence_types_in_candidate_pool
    kinds = [_KINDS[sentence_type] for sentence_type in types]
    draft = Draft()
    if kinds[0] is Kind.HEADING and main_kind(pool[0]) is None:
        draft.title = squeeze(pool[0]) or None
        # The published files often give the title twice.
        for index in takewhile(lambda i: types[i] == "section_name" and pool[i] == pool[0], range(len(pool))):
            kinds[index] = Kind.TITLE
    below_main = False
    for kind, members in groupby(range(len(pool)), key=kinds.__getitem__):
        sentences = tuple(pool[index] for index in members)
        if kind in {Kind.ABSTRACT, Kind.BODY}:
            # The layout keeps no paragraphs: what stands between two headings becomes one.
            draft.blocks.append(Block(kind, squeeze(" ".join(sentences)), sentences=sentences))
            continue
        for sentence in sentences:
            # Nor does it keep levels: the usual names of a paper's parts are taken as level 1.
            main = main_kind(sentence) is not None or is_left_out(sentence)
            below_main |= main
            draft.blocks.append(
                Block(kind, squeeze(sentence), 1 if main or not below_main else 2, sentences=(sentence,))
            )
    data = json.dumps([pool, types]).encode()
    return assemble(draft, data=data, name=name, format=Format.EVIDENCEBENCH)
