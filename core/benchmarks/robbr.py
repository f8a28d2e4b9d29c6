"""RoBBR's three files in their published layout (appendix A.5), and the names of biases in reviews (section 4.1, table 12)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, BeforeValidator, Field, NonNegativeInt, PositiveInt, ValidationError

from core.benchmarks.domain_gold import ROBBR_LEVELS
from core.benchmarks.gold import Gold, best_cover, optimal
from core.benchmarks.model import BrokenRecord
from core.benchmarks.records import BrokenError, Text, count_records, first_fault, opened, records
from core.bias.model import Domain, Level, StudyContext
from core.bias.tools import tool_named
from core.bias.tools.rob1 import UNCLEAR
from core.paper import Format, Kind, Paper
from core.paper.draft import Block, PaperDraft
from core.paper.read import assemble
from core.paper.sections import is_left_out, main_kind
from core.paper.xml import squeeze

# ---- bias names ----
# Names of biases in reviews: RoBBR's six categories, and the nearest domain of RoB 1 (section 4.1, table 12).
#
# There are hundreds of names. A name that states its categories, as in "... (performance and detection bias)", belongs to
# them, and may belong to several. Any other is classified by its words.

CATEGORIES = ("selection", "attrition", "performance", "detection", "reporting", "deviation")
# RobotReviewer judges only these domains (RoBBR, table 8).
ROBOTREVIEWER = ("concealment", "detection", "performance", "sequence")

_TOLD = re.compile(r"((?:\w+(?: bias)?(?:,? and |, | & | ?/ ?))*\w+) bias\b")  # one kind, or a list of kinds
# If the name states no category, the first of these whose pattern matches counts.
_EQUIVALENT = (
    (("deviation",), re.compile(r"\bdeviat|\bintended intervention")),
    (("reporting",), re.compile(r"\bselective|\breported results?\b|\breporting\b")),
    (("attrition",), re.compile(r"\b(incomplete|missing)\b.*\b(data|outcomes?)\b|\battrition\b|\bdrop-?outs?\b")),
    (
        ("selection",),
        re.compile(r"\brandomi[sz]|\bsequence\b|\bconcealment\b|\ballocation\b|\bbaseline\b|\bselection of partic"),
    ),
    (("detection",), re.compile(r"\bmeasur\w+ of (the )?outcomes?\b|\b(blind|mask)\w+ (of )?(the )?(outcome|assess)")),
    (
        ("performance",),
        re.compile(r"\b(blind|mask)\w+ (of )?(the )?(participant|patient|personnel|caregiver|provider|clinician)"),
    ),
    (("performance", "detection"), re.compile(r"\b(blind|mask)(ing|ed)\b")),
)
_DOMAINS = (
    ("concealment", re.compile(r"\bconceal")),
    ("other", re.compile(r"\bbaseline\b|\bother\b(?! (outcome|adverse))")),
    ("sequence", re.compile(r"\bsequence\b|\brandomi[sz]")),
)
_DOMAIN_OF = {
    "selection": "sequence",
    "attrition": "attrition",
    "performance": "performance",
    "detection": "detection",
    "reporting": "reporting",
    "deviation": "performance",
}


def categories_of(bias: str) -> tuple[str, ...]:
    """The categories of a bias by its name, in the order of `CATEGORIES`; () if it belongs to none."""
    name = _plain(bias)
    told = {word for kinds in _TOLD.findall(name) for word in re.findall(r"\w+", kinds)} & set(CATEGORIES)
    if not told:
        told = set(next((found for found, pattern in _EQUIVALENT if pattern.search(name)), ()))
    return tuple(category for category in CATEGORIES if category in told)


def domain_of(bias: str) -> str:
    """The id of the domain of RoB 1 that is nearest to the bias; "other" if none is near."""
    name = _plain(bias)
    for domain, pattern in _DOMAINS:
        if pattern.search(name):
            return domain
    categories = categories_of(bias)
    return _DOMAIN_OF[categories[0]] if categories else "other"


def robotreviewer_domain(bias: str) -> str | None:
    """The one of RobotReviewer's four domains that the bias's name matches in RoB 1's words; None if it matches none."""
    domain = domain_of(bias)
    by_words = {
        "sequence": "sequence generation",
        "concealment": "allocation concealment",
        "performance": "blinding of participants",
        "detection": "blinding of outcome",
    }
    return domain if domain in by_words and by_words[domain] in _plain(bias) else None


def _plain(bias: str) -> str:
    return " ".join(bias.lower().split())


# ---- text elements ----
# A paper given as a list of text elements without their kinds: RoBBR's candidate pools and papers.

_LONGEST_HEADING = 12  # words
_NUMBERING = re.compile(r"^\s*(?:\d+(?:\.\d+)*|[IVX]+)\.?\s+")
_OF_A_SENTENCE = re.compile(r"[.?!…]|[:;,]\s*$")
_LABEL = r"(fig(ure)?|table|box)s?\.?\s*\w{0,3}\d+"
_CAPTION = re.compile(rf"\s*(supplement\w+ )?{_LABEL}|.*{_LABEL}\s*$", re.IGNORECASE | re.DOTALL)


def paper_of_elements(elements: Sequence[str], *, name: str) -> Paper:
    """Build a paper whose sentences are exactly the elements, in the same order. Its id is their hash.

    An element with cells is a table. One that begins or ends with the number of a figure or table is a caption. A few words
    without sentence punctuation are a heading. In doubt, an element is a sentence, because engines never choose headings.
    Raises `NoText` if there is no element.
    """
    kinds = [_kind(element) for element in elements]
    draft = PaperDraft(blocks=list(_blocks(elements, kinds)))
    data = json.dumps(list(elements)).encode()
    return assemble(draft, data=data, name=name, format=Format.TEXT, keep_set_aside=True)


def elements_of(text: str) -> list[str]:
    """The elements of a paper's full text: each has its own line, except tables, which have many."""
    return [line for line in text.split("\n") if line.strip()]


def _kind(element: str) -> Kind:
    if " | " in element:
        return Kind.TABLE
    if _CAPTION.match(element):
        return Kind.CAPTION
    title = _NUMBERING.sub("", element).strip()
    if title[:1].isupper() and len(title.split()) <= _LONGEST_HEADING and not _OF_A_SENTENCE.search(title):
        return Kind.HEADING
    return Kind.BODY


def _blocks(elements: Sequence[str], kinds: Sequence[Kind]) -> Iterator[Block]:
    """One block per heading, and one per run of consecutive elements of any other kind."""
    below_main = False
    for kind, members in groupby(range(len(elements)), key=kinds.__getitem__):
        sentences = tuple(elements[index] for index in members)
        if kind is not Kind.HEADING:
            yield Block(kind, squeeze(" ".join(sentences)), sentences=sentences)
            continue
        for sentence in sentences:
            main = main_kind(sentence) is not None or is_left_out(sentence)
            below_main |= main
            yield Block(kind, squeeze(sentence), 1 if main or not below_main else 2, sentences=(sentence,))


# ---- robbr ----
# Read RoBBR's three files in their published layout (RoBBR, appendix A.5, and the readme in its folder).
#
# A file maps an id to a record: one bias of one study in one paper. A record may have a `bias_definition`, in which the
# criteria of the levels follow the definition, as in the released files. The level "unclear" means some concerns if the
# review follows RoB 2.

_CRITERION = re.compile(r"^\s*(low|unclear|high|some concerns?)(?: risk)?\s*:\s*", re.IGNORECASE | re.MULTILINE)
_PART = re.compile(
    r"^\s*(methods|participants|population|interventions?|compar\w+|outcomes?|notes)\s*:\s*", re.I | re.M
)


def _joined(value: Any) -> Any:
    """Convert a PICO given as an object of its parts to text as in the released files."""
    return "\n\n".join(f"{key}: {text}" for key, text in value.items()) if isinstance(value, Mapping) else value


class _Record(BaseModel):
    """The fields that the records of all three files share."""

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
    """A bias to judge for a study: all that a reviewer sees."""

    bias: str  # as the review calls it
    domain: Domain
    study: StudyContext
    paper: Paper


G = TypeVar("G")


@dataclass(frozen=True, slots=True)
class JudgedCase(Generic[G]):
    """A record: a case and its gold."""

    id: str
    doi: str
    case: Case
    gold: G

    @property
    def categories(self) -> tuple[str, ...]:
        """Which of the six categories the bias has: one, several or none."""
        return categories_of(self.case.bias)


@dataclass(frozen=True, slots=True)
class SupportGold:
    """The aspects of a reviewer's judgement, and the fewest sentences that cover all aspects that can be covered."""

    gold: Gold  # aspects that no sentence covers are left out, as in the benchmark's own count
    optimal: int  # how many sentences that takes
    selection: tuple[int, ...]  # one choice of sentences that does


@dataclass(frozen=True, slots=True)
class Options:
    """The support judgements to choose from, and the index of the right one."""

    texts: tuple[str, ...]
    right: int


Record = TypeVar("Record", bound=_Record)


def read_main(path: Path) -> Iterator[JudgedCase[Level] | BrokenRecord]:
    """The main task's records, one by one. Raises `DatasetError` as `_read` does."""
    return _read(path, _MainRecord, _level)


def read_support(path: Path) -> Iterator[JudgedCase[SupportGold] | BrokenRecord]:
    """Support Sentence Retrieval's records, one by one. Raises `DatasetError` as `_read` does."""
    return _read(path, _SupportRecord, _support)


def read_selection(path: Path) -> Iterator[JudgedCase[Options] | BrokenRecord]:
    """Support Judgment Selection's records, one by one. Raises `DatasetError` as `_read` does."""
    return _read(path, _SelectionRecord, _options)


def is_robbr(data: bytes) -> bool:
    """Whether the content looks like JSON with a bias and a paper's text. Cheap, because it parses nothing."""
    return (
        data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in {b"{", b"["}
        and b'"bias"' in data
        and (b'"full_paper"' in data or b'"paper_as_candidate_pool"' in data)
    )


def read_gold(data: bytes, *, name: str) -> Iterator[JudgedCase[Level] | JudgedCase[SupportGold] | BrokenRecord]:
    """The records of a file of levels or of support sentences. Raises `DatasetError` as `records` does."""
    for id, raw in records(BytesIO(data), name=name, fields=_FIELDS):
        if isinstance(raw, Mapping) and "paper_as_candidate_pool" in raw:
            yield _checked(id, raw, name, _SupportRecord, _support)
        else:
            yield _checked(id, raw, name, _MainRecord, _level)


def count(path: Path) -> int:
    """How many records a file of any of the three tasks has. Raises `DatasetError` as `_read` does."""
    return count_records(path, fields=_FIELDS)


def _read(path: Path, layout: type[Record], gold: Callable[[Record], G]) -> Iterator[JudgedCase[G] | BrokenRecord]:
    """Yield every record that has the layout, and a `BrokenRecord` for every other.

    Raises `DatasetError` if the file cannot be opened, or is not JSON.
    """
    with opened(path) as stream:
        for id, raw in records(stream, name=path.name, fields=_FIELDS):
            yield _checked(id, raw, path.name, layout, gold)


def _checked(
    id: str, raw: object, name: str, layout: type[Record], gold: Callable[[Record], G]
) -> JudgedCase[G] | BrokenRecord:
    try:
        record = layout.model_validate(raw)
        return JudgedCase(id, record.paper_doi.strip().lower(), _case(record), gold(record))
    except ValidationError as error:
        return BrokenRecord(name, id, *first_fault(error))
    except BrokenError as error:
        return BrokenRecord(name, id, error.key, error.reason)


def _case(record: _Record) -> Case:
    if not record.bias.strip():
        raise BrokenError("bias", "it is empty")
    return Case(record.bias.strip(), _domain(record), _study(record), _paper(record))


def _domain(record: _Record) -> Domain:
    """The nearest domain of RoB 1, with the review's name, and its definition and criteria if it has any."""
    nearest = tool_named("rob1").domain(domain_of(record.bias))
    definition, criteria = _definition(record.bias_definition)
    return replace(
        nearest,
        name=record.bias.strip(),
        bias=" and ".join(f"{category} bias" for category in categories_of(record.bias)) or nearest.bias,
        definition=definition or nearest.definition,
        criteria=criteria or nearest.criteria,
    )


def _definition(text: str) -> tuple[str, dict[Level, str]]:
    """The definition, and the criteria: the text after each level's name at the beginning of a line."""
    definition, *rest = _CRITERION.split(text)
    named = zip(rest[::2], rest[1::2], strict=True)
    return definition.strip(), {level_named(name): criterion.strip() for name, criterion in named if criterion.strip()}


def level_named(name: str) -> Level:
    """The layout's level with this name; "some concerns" becomes unclear. Raises `ValueError` if there is none."""
    plain = " ".join(name.lower().split())
    if plain in {"some concern", "some concerns"}:
        return UNCLEAR
    if plain not in ROBBR_LEVELS:
        raise ValueError(f"“{name}” is no level of the layout")
    return Level(plain)


def _study(record: _Record) -> StudyContext:
    """The parts of the PICO, by their names at the beginning of a line; methods and notes are added to the population."""
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
    return paper_of_elements(elements, name=record.paper_doi)


def _level(record: _MainRecord) -> Level:
    try:
        return level_named(record.label)
    except ValueError:
        raise BrokenError("label", "it is none of low, high, unclear") from None


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
