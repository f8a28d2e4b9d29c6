"""Read RoBBR's three files in their published layout (RoBBR, appendix A.5, and the readme beside the data).

A file maps an id to a record: one bias of one study in one paper. A record may also hold `bias_definition`, in which the
criteria of the levels follow the definition, as in the files that were released. The level "unclear" is some concerns
where the review follows RoB 2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, BeforeValidator, Field, NonNegativeInt, PositiveInt, ValidationError

from core.benchmarks.bias_names import categories_of, domain_of
from core.benchmarks.gold import Gold
from core.benchmarks.json_records import count_records, opened, records
from core.benchmarks.max_coverage import best_cover, optimal
from core.benchmarks.model import BrokenRecord
from core.benchmarks.record_fields import BrokenError, Text, first_fault
from core.benchmarks.text_elements import elements_of, paper_of
from core.bias.model import Domain, Level, StudyContext
from core.bias.registry import tool_named
from core.paper import Paper

_CRITERION = re.compile(r"^\s*(low|unclear|high|some concerns?)(?: risk)?\s*:\s*", re.IGNORECASE | re.MULTILINE)
_PART = re.compile(
    r"^\s*(methods|participants|population|interventions?|compar\w+|outcomes?|notes)\s*:\s*", re.I | re.M
)
_LEVELS = {"some concern": Level.UNCLEAR, "some concerns": Level.UNCLEAR}


def _joined(value: Any) -> Any:
    """A PICO given as an object of its parts is written as the text that the released files hold."""
    return "\n\n".join(f"{key}: {text}" for key, text in value.items()) if isinstance(value, Mapping) else value


class _Record(BaseModel):
    """What a bias of a study is told by, in every file."""

    paper_doi: Text
    bias: Text
    bias_definition: Text = ""
    PICO: Annotated[Text, BeforeValidator(_joined)]
    objective: Text


class _MainRecord(_Record):
    full_paper: Text
    label: Text


class _SelectionRecord(_Record):
    full_paper: Text
    options: Annotated[list[Text], Field(min_length=2)]
    label: NonNegativeInt


class _Optimal(BaseModel):
    optimal: PositiveInt
    one_selection_of_sentences: list[NonNegativeInt] | None = None


class _SupportRecord(_Record):
    paper_as_candidate_pool: list[Text]
    aspects: dict[str, Text]
    aspect2sentence_indices: dict[str, list[NonNegativeInt]]
    sentence_index2aspects: dict[NonNegativeInt, list[str]] | None = None
    bias_retrieval_at_optimal_evaluation: _Optimal | None = None


_FIELDS = frozenset(_Record.model_fields)


@dataclass(frozen=True, slots=True)
class Case:
    """A bias to be judged for a study: all that a reviewer sees."""

    bias: str  # as the review calls it
    domain: Domain
    study: StudyContext
    paper: Paper


G = TypeVar("G")


@dataclass(frozen=True, slots=True)
class Judged(Generic[G]):
    """A record: a case and its gold."""

    id: str
    doi: str
    case: Case
    gold: G

    @property
    def categories(self) -> tuple[str, ...]:
        """The bias's categories, of the six; it may have several, or none."""
        return categories_of(self.case.bias)


@dataclass(frozen=True, slots=True)
class SupportGold:
    """The aspects of a reviewer's judgement, and the fewest sentences that cover all that any sentence covers."""

    gold: Gold  # aspects that no sentence covers are left out, as in the benchmark's own count
    optimal: int
    selection: tuple[int, ...]  # one choice of so many sentences that covers them


@dataclass(frozen=True, slots=True)
class Options:
    """The support judgements to choose from, and the place of the right one."""

    texts: tuple[str, ...]
    right: int


Record = TypeVar("Record", bound=_Record)


def read_main(path: Path) -> Iterator[Judged[Level] | BrokenRecord]:
    """The main task's records, one by one. Raises `DatasetError` as `_read` does."""
    return _read(path, _MainRecord, _level)


def read_support(path: Path) -> Iterator[Judged[SupportGold] | BrokenRecord]:
    """Support Sentence Retrieval's records, one by one. Raises `DatasetError` as `_read` does."""
    return _read(path, _SupportRecord, _support)


def read_selection(path: Path) -> Iterator[Judged[Options] | BrokenRecord]:
    """Support Judgment Selection's records, one by one. Raises `DatasetError` as `_read` does."""
    return _read(path, _SelectionRecord, _options)


def count(path: Path) -> int:
    """How many records a file of any of the three tasks has. Raises `DatasetError` as `_read` does."""
    return count_records(path, fields=_FIELDS)


def _read(path: Path, layout: type[Record], gold: Callable[[Record], G]) -> Iterator[Judged[G] | BrokenRecord]:
    """Every record that has the layout, and every other as what is wrong with it.

    Raises `DatasetError` if the file cannot be opened, or is not JSON.
    """
    with opened(path) as stream:
        for id, raw in records(stream, name=path.name, fields=_FIELDS):
            try:
                record = layout.model_validate(raw)
                yield Judged(id, record.paper_doi.strip().lower(), _case(record), gold(record))
            except ValidationError as error:
                yield BrokenRecord(path.name, id, *first_fault(error))
            except BrokenError as error:
                yield BrokenRecord(path.name, id, error.key, error.reason)


def _case(record: _Record) -> Case:
    if not record.bias.strip():
        raise BrokenError("bias", "it is empty")
    return Case(record.bias.strip(), _domain(record), _study(record), _paper(record))


def _domain(record: _Record) -> Domain:
    """The nearest domain of RoB 1, under the review's own name, definition and criteria where it gives them."""
    nearest = tool_named("rob1").domain(domain_of(record.bias))
    definition, criteria = _definition(record.bias_definition)
    return Domain(
        id=nearest.id,
        name=record.bias.strip(),
        bias=" and ".join(f"{category} bias" for category in categories_of(record.bias)) or nearest.bias,
        definition=definition or nearest.definition,
        criteria=criteria or nearest.criteria,
        robvis=nearest.robvis,
    )


def _definition(text: str) -> tuple[str, dict[Level, str]]:
    """The definition, and what follows each level's name at the beginning of a line."""
    definition, *rest = _CRITERION.split(text)
    named = zip(rest[::2], rest[1::2], strict=True)
    return definition.strip(), {_level_of(name): criterion.strip() for name, criterion in named if criterion.strip()}


def _level_of(name: str) -> Level:
    plain = " ".join(name.lower().split())
    return _LEVELS.get(plain) or Level(plain)


def _study(record: _Record) -> StudyContext:
    """The parts of the PICO by their names at the beginning of a line; methods and notes go with the participants."""
    _, *rest = _PART.split(record.PICO)
    parts = {name.lower()[:4]: text.strip() for name, text in zip(rest[::2], rest[1::2], strict=True)}
    people = parts.get("part") or parts.get("popu", "")
    beside = [f"{name}: {parts[key]}" for name, key in (("Methods", "meth"), ("Notes", "note")) if parts.get(key)]
    return StudyContext(
        objective=record.objective.strip(),
        population=" ".join(filter(None, [people, *beside])),
        intervention=parts.get("inte", ""),
        comparator=parts.get("comp", ""),
        outcome=parts.get("outc", ""),
    )


def _paper(record: _Record) -> Paper:
    key, elements = "full_paper", []
    if isinstance(record, _SupportRecord):
        key, elements = "paper_as_candidate_pool", record.paper_as_candidate_pool
    elif isinstance(record, _MainRecord | _SelectionRecord):
        elements = elements_of(record.full_paper)
    if not any(map(str.strip, elements)):
        raise BrokenError(key, "it holds no text")
    return paper_of(elements, name=record.paper_doi)


def _level(record: _MainRecord) -> Level:
    try:
        found = _level_of(record.label)
    except ValueError:
        found = Level.SOME_CONCERNS
    if found is Level.SOME_CONCERNS:  # only ever unclear, in this layout
        raise BrokenError("label", "it is none of low, high, unclear")
    return found


def _support(record: _SupportRecord) -> SupportGold:
    covering = record.aspect2sentence_indices
    size = len(record.paper_as_candidate_pool)
    told = {(index, aspect) for aspect, indices in covering.items() for index in indices}
    inverse = {(i, aspect) for i, aspects in (record.sentence_index2aspects or {}).items() for aspect in aspects}
    if not told:
        raise BrokenError("aspect2sentence_indices", "no sentence covers an aspect")
    if unknown := covering.keys() - record.aspects.keys():
        raise BrokenError("aspects", f"it lacks {', '.join(sorted(unknown))}")
    if any(index >= size for index, _ in told):
        raise BrokenError("aspect2sentence_indices", f"an index lies beyond the {size} text elements")
    if record.sentence_index2aspects is not None and inverse != told:
        raise BrokenError("sentence_index2aspects", "it contradicts aspect2sentence_indices")
    aspects = {aspect: frozenset(indices) for aspect, indices in covering.items() if indices}
    published = record.bias_retrieval_at_optimal_evaluation
    fewest = published.optimal if published else optimal(aspects)
    chosen = published.one_selection_of_sentences if published else None
    return SupportGold(
        Gold(aspects, labels={aspect: record.aspects[aspect] for aspect in aspects}),
        fewest,
        tuple(chosen) if chosen else best_cover(aspects, fewest).sentences,
    )


def _options(record: _SelectionRecord) -> Options:
    if record.label >= len(record.options):
        raise BrokenError("label", f"it is {record.label}, for {len(record.options)} options counted from 0")
    return Options(tuple(record.options), record.label)
