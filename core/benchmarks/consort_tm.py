"""CONSORT-TM, trial reports with labelled sentences, and the tasks on it: `consort/support` and `consort/unseen`."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from core.benchmarks.bootstrap import Interval, interval
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response, Scores
from core.benchmarks.records import Text, first_fault, records
from core.benchmarks.selection_metrics import hit
from core.bias.engine import BiasEngine, LearnedEngine
from core.bias.llm.engine import estimate_support
from core.bias.model import Domain, StudyContext, Topic
from core.bias.tools import tool_named
from core.errors import DatasetError
from core.llm import CostEstimate, model_named
from core.paper import Format, Kind, Paper, SectionKind
from core.paper.draft import Block, PaperDraft
from core.paper.read import assemble
from core.paper.sections import main_kind
from core.progress import Progress
from core.settings import load_settings

# ---- consort tm ----
# Read CONSORT-TM: reports of randomised trials in which each sentence is labelled with the CONSORT items it reports.
#
# Kilicoglu et al. 2021; Jiang et al. 2024. A file maps a paper's PMC number to its sentences in order, each with its
# section (a path such as "Methods / Randomisation"), its offsets in the article and its items, such as "8a". The sentences of
# items on how bias was prevented are the support sentences of a domain of risk of bias.

# The CONSORT 2010 items that report on each scored domain.
ITEMS_OF: Mapping[str, frozenset[str]] = {
    "sequence": frozenset({"8a"}),
    "concealment": frozenset({"9"}),
    "blinding": frozenset({"11a", "11b"}),
    "attrition": frozenset({"13a", "13b", "16"}),
    "reporting": frozenset({"23", "24"}),
}


class _Sentence(BaseModel):
    text: Text
    section: Text
    start: int
    end: int
    consort_items: list[str]


_SENTENCES = TypeAdapter(Annotated[list[_Sentence], Field(min_length=1)])


@dataclass(frozen=True, slots=True)
class LabelledPaper:
    """A paper and the CONSORT items of each of its sentences: `items[i]` belongs to `paper.sentences[i]`."""

    id: str
    paper: Paper
    items: tuple[frozenset[str], ...]

    def gold(self, domain: str) -> frozenset[int]:
        """The indices of the sentences that report on a domain of `ITEMS_OF`; empty if there are none."""
        wanted = ITEMS_OF[domain]
        return frozenset(index for index, items in enumerate(self.items) if items & wanted)


def read_consort_tm(data: bytes, *, name: str) -> Iterator[LabelledPaper | BrokenRecord]:
    """Yield every paper of a file, and a `BrokenRecord` for each that does not have the layout described above.

    Raises `DatasetError` if the file is not JSON, or has no paper.
    """
    found = False
    for id, raw in records(BytesIO(data), name=name, fields=()):
        found = True
        try:
            yield _labelled(id, _SENTENCES.validate_python(raw))
        except ValidationError as error:
            yield BrokenRecord(name, id, *first_fault(error))
    if not found:
        raise DatasetError(f"“{name}” holds no paper. Download it again.")


def _labelled(id: str, sentences: Sequence[_Sentence]) -> LabelledPaper:
    """Build a paper with exactly these sentences, in order. Its id is a hash of sections and texts, without labels."""
    draft = PaperDraft(blocks=list(_blocks(sentences)))
    title = next((s.text for s in sentences[1:2] if s.section == "Title"), None)
    draft.title = title
    data = json.dumps([[s.section, s.text] for s in sentences]).encode()
    paper = assemble(draft, data=data, name=id, format=Format.TEXT, keep_set_aside=True)
    return LabelledPaper(id, paper, tuple(frozenset(s.consort_items) for s in sentences))


@dataclass(frozen=True, slots=True)
class _Place:
    """What a sentence is part of, as far as the file shows."""

    kind: Kind
    in_abstract: bool
    paragraph: int


def _blocks(sentences: Sequence[_Sentence]) -> Iterator[Block]:
    """Headings and paragraphs, in order."""
    places = _places(sentences)
    below_main = False
    for place, group in groupby(range(len(sentences)), key=places.__getitem__):
        members = tuple(sentences[index] for index in group)
        texts = tuple(member.text for member in members)
        if place.kind is not Kind.HEADING:
            yield Block(place.kind, " ".join(texts), sentences=texts)
            continue
        main = main_kind(texts[0])
        if place.in_abstract and main is not SectionKind.ABSTRACT:
            yield Block(Kind.HEADING, texts[0], section_kind=SectionKind.ABSTRACT, sentences=texts)
            continue
        below_main |= main is not None
        level = 1 if main is not None or not below_main else 1 + len(members[0].section.split(" / "))
        yield Block(Kind.HEADING, texts[0], level, sentences=texts)


def _places(sentences: Sequence[_Sentence]) -> list[_Place]:
    """Find title and headings by their sections' names, and the abstract by the positions of its headings.

    A heading, or a gap in the article's text, starts a new paragraph. The section "" contains the article's main headings.
    """
    places: list[_Place] = []
    in_abstract, has_text = False, False  # has_text: text of the abstract, not only headings, has been seen
    paragraph, end = 0, -1
    for sentence in sentences:
        own = sentence.section.split(" / ")[-1].strip()
        text = sentence.text.strip()
        main = main_kind(text) if text == own or not own else None
        is_heading = text == own or main is not None
        if own and main_kind(own) is SectionKind.ABSTRACT:
            in_abstract = True
        elif is_heading and (not own or main is SectionKind.INTRODUCTION):
            # A "background" before any text of the abstract belongs to the abstract; a later one starts the article.
            in_abstract = main is SectionKind.ABSTRACT or (in_abstract and bool(own) and not has_text)
        has_text = in_abstract and (has_text or not is_heading)
        paragraph += is_heading or sentence.start != end + 1
        end = sentence.end
        if sentence.section == "Title":
            kind = Kind.TITLE
        elif is_heading:
            kind = Kind.HEADING
        else:
            kind = Kind.ABSTRACT if in_abstract else Kind.BODY
        places.append(_Place(kind, in_abstract, paragraph))
    return places


# ---- support ----
# `consort/support`: whether an engine's first sentences for a domain of risk of bias are those that report on it.
#
# A paper without a sentence on a domain has no item for that domain.

DEPTHS = (1, 3)


@dataclass(frozen=True, slots=True)
class ConsortQuestion:
    """One domain of one paper."""

    domain: str  # the id of one of `scored_domains`
    paper: Paper


ConsortItem = Item[
    ConsortQuestion, frozenset[int]
]  # the gold: indices of the sentences that report on it, at least one


def read_support_items(path: Path) -> list[ConsortItem | BrokenRecord]:
    """The items of a CONSORT-TM file, and its broken records. Raises `DatasetError` if it is not such a file."""
    found: list[ConsortItem | BrokenRecord] = []
    for entry in read_consort_tm(path.read_bytes(), name=path.name):
        found += [entry] if isinstance(entry, BrokenRecord) else support_items(entry)
    return found


def support_items(labelled: LabelledPaper) -> Iterator[ConsortItem]:
    """Yield one item for each domain that the paper reports on."""
    for domain in scored_domains():
        gold = labelled.gold(domain)
        if gold:
            question = ConsortQuestion(domain, labelled.paper)
            yield Item(f"{labelled.id}/{domain}", labelled.id, question, gold, category=domain)


@cache
def scored_domains() -> Mapping[str, Domain]:
    """The domains of RoB 1 for which CONSORT has items, by id; the two domains of blinding share one."""
    rob1 = tool_named("rob1")
    performance, detection = rob1.domain("performance"), rob1.domain("detection")
    blinding = Domain(
        id="blinding",
        name="Blinding of participants, personnel and outcome assessment",
        bias=f"{performance.bias}, {detection.bias}",
        definition=f"{performance.definition} {detection.definition}",
        criteria=performance.criteria,
        robvis="",
        topics=(Topic.BLINDING,),
    )
    return {id: blinding if id == "blinding" else rob1.domain(id) for id in ITEMS_OF}


def ask(engine: BiasEngine, question: ConsortQuestion, progress: Progress) -> Response:
    """The engine's support sentences."""
    started = time.perf_counter()
    domain = scored_domains()[question.domain]
    found = engine.support(domain, question.paper, StudyContext(), k=max(DEPTHS), progress=progress)
    chosen = tuple(sentence.index for sentence in found.support)
    return Response(chosen, seconds=time.perf_counter() - started).of_run(found.run)


def estimated(engine: str, question: ConsortQuestion) -> CostEstimate | None:
    """Estimate a language model's cost for a question; None for an engine on this machine."""
    model, domain = model_named(engine), scored_domains()[question.domain]
    return estimate_support(model, domain, question.paper, StudyContext(), max(DEPTHS)) if model else None


def hits(item: Item[Any, frozenset[int]], response: Response) -> dict[str, float]:
    """Whether one of the first 1, or the first 3, sentences reports on the domain, by metric."""
    chosen = response.sentences
    return {_metric(item.category, depth): hit(chosen, item.gold, depth) for depth in DEPTHS}


def metrics(results: Sequence[ItemResult]) -> dict[str, Interval]:
    """The metrics of a run."""
    return summary((result.group, result.scores) for result in results)


def summary(results: Iterable[tuple[str, Scores]]) -> dict[str, Interval]:
    """Each domain's metrics, then their averages over the domains. `results`: (paper, scores of one item)."""
    results = list(results)
    metrics: dict[str, Interval] = {}
    for depth in DEPTHS:
        names = [_metric(domain, depth) for domain in ITEMS_OF]
        found = [(name, paper, scores[name]) for paper, scores in results for name in names if name in scores]
        for name in names:
            own = [(value, paper) for other, paper, value in found if other == name]
            if own:
                metrics[name] = interval([value for value, _ in own], [paper for _, paper in own])
        metrics[f"average hit@{depth}"] = interval(
            [value for _, _, value in found], [paper for _, paper, _ in found], [name for name, _, _ in found]
        )
    return metrics


def _metric(domain: str, depth: int) -> str:
    return f"{domain} hit@{depth}"


# ---- unseen ----
# `consort/unseen`: the same with definitions that nothing was trained for, from a file next to the papers. If an engine was
# trained on a domain, a variant trained without it is asked.

DEFINITIONS = "definitions.json"


class _Definition(BaseModel):
    name: Text
    definition: Text


_DEFINITIONS = TypeAdapter(dict[str, _Definition])


@dataclass(frozen=True, slots=True)
class UnseenQuestion:
    """One paper, and a domain with only a name and a definition."""

    domain: Domain
    paper: Paper


UnseenItem = Item[UnseenQuestion, frozenset[int]]


def read_unseen_items(path: Path) -> list[UnseenItem | BrokenRecord]:
    """The items of a CONSORT-TM file, with the definitions beside it. Raises `DatasetError` if a file is unusable."""
    domains = unseen_domains(path)
    found: list[UnseenItem | BrokenRecord] = []
    for entry in read_consort_tm(path.read_bytes(), name=path.name):
        found += [entry] if isinstance(entry, BrokenRecord) else unseen_items(entry, domains)
    return found


def unseen_domains(path: Path) -> dict[str, Domain]:
    """The definitions for a CONSORT-TM file, by domain. Raises `DatasetError` if one of the five is missing."""
    file = definitions_file(path)
    try:
        found = _DEFINITIONS.validate_json(file.read_bytes())
    except OSError as error:
        raise DatasetError(f"“{file}” cannot be read: {error.strerror}.") from None
    except ValidationError as error:
        where, why = first_fault(error)
        raise DatasetError(
            f"“{file}” has another layout ({where}: {why}). Give each domain a name and a definition."
        ) from None
    if missing := [id for id in ITEMS_OF if id not in found]:
        raise DatasetError(f"“{file}” has no definition of {', '.join(missing)}. Add what is missing.")
    return {id: Domain(id, found[id].name, "", found[id].definition, {}, "") for id in ITEMS_OF}


def definitions_file(path: Path) -> Path:
    """The file of definitions for a file of papers: beside it, or else in the data folder. Raises `DatasetError`."""
    folders = [path.parent, *(data / "consort_tm" for data in filter(None, [load_settings().data]))]
    files = (folder / DEFINITIONS for folder in folders)
    if found := next((file for file in files if file.is_file()), None):
        return found
    raise DatasetError(f"There is no {DEFINITIONS} beside “{path}”. Put the file with the definitions there.")


def unseen_files(path: Path) -> list[Path]:
    """The papers and the definitions."""
    return [path, definitions_file(path)]


def unseen_items(labelled: LabelledPaper, domains: Mapping[str, Domain]) -> Iterator[UnseenItem]:
    """One item for each domain that the paper reports on."""
    for id, domain in domains.items():
        if gold := labelled.gold(id):
            yield Item(f"{labelled.id}/{id}", labelled.id, UnseenQuestion(domain, labelled.paper), gold, category=id)


def ask_unseen(engine: BiasEngine, question: UnseenQuestion, progress: Progress) -> Response:
    """The support sentences of the engine, or of its variant trained without the domain, if there is one."""
    started = time.perf_counter()
    unlearned = engine.without(question.domain.id) if isinstance(engine, LearnedEngine) else engine
    found = unlearned.support(question.domain, question.paper, StudyContext(), k=max(DEPTHS), progress=progress)
    chosen = tuple(sentence.index for sentence in found.support)
    return Response(chosen, seconds=time.perf_counter() - started).of_run(found.run)


def estimated_unseen(engine: str, question: UnseenQuestion) -> CostEstimate | None:
    """Estimate a language model's cost for a question; None for an engine on this machine."""
    model = model_named(engine)
    return estimate_support(model, question.domain, question.paper, StudyContext(), max(DEPTHS)) if model else None
