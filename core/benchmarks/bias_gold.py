"""Gold on risk of bias from files in RoBBR's layout, matched with a paper and a tool: levels and sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from core.benchmarks.domain_gold import DomainGold, level_in_robbr
from core.benchmarks.gold import Gold, Instance
from core.benchmarks.model import BrokenRecord
from core.benchmarks.robbr import JudgedCase, SupportGold, domain_of, read_gold
from core.benchmarks.samples import SAMPLE_DATA, gold_for
from core.bias.model import Domain, Level, Tool
from core.errors import DatasetError
from core.paper import Paper

_SAME = 0.5  # minimum share of a record's sentences that its paper must contain


@dataclass(frozen=True, slots=True)
class LabelledBias:
    """People's judgement on one bias of a paper. The gold's indices point into the paper that it is matched with."""

    bias: str  # as the file calls it
    level: Level | None = None  # in the layout's words: low, unclear, high; None: the file has none
    gold: Gold | None = None  # None: the file has no sentences


@dataclass(frozen=True, slots=True)
class BiasGoldFile:
    """A file's gold for one paper."""

    paper: Paper
    labelled: tuple[LabelledBias, ...]
    others: int = 0  # records of other papers
    broken: tuple[BrokenRecord, ...] = ()


def read_bias_gold(data: bytes, *, name: str, paper: Paper | None = None) -> BiasGoldFile:
    """Read the gold for `paper` from a file in RoBBR's layout. If there is none, or no `paper`, use the file's first paper.

    Raises `DatasetError` if the file is not JSON, or no record can be used.
    """
    found = list(read_gold(data, name=name))
    broken = tuple(one for one in found if isinstance(one, BrokenRecord))
    usable = [one for one in found if not isinstance(one, BrokenRecord)]
    if not usable:
        why = f" {broken[0]}" if broken else ""
        raise DatasetError(f"“{name}” holds no judgement on a bias that can be used.{why}")
    ours = [one for one in usable if paper is not None and _is_of(one, paper)]
    on_desk = paper if paper is not None and ours else usable[0].case.paper
    ours = ours or [one for one in usable if _is_of(one, on_desk)]
    labelled = merged(_laid(one, on_desk) for one in ours)
    return BiasGoldFile(on_desk, labelled, len(usable) - len(ours), broken)


def sample_bias_gold(paper: Paper) -> tuple[LabelledBias, ...]:
    """The gold for a paper from our sample files in RoBBR's layout."""
    files = sorted((SAMPLE_DATA / "robbr").glob("*.json"))
    return merged(_laid(one, paper) for file in files for one in _sample_records(file) if _is_of(one, paper))


@cache
def _sample_records(file: Path) -> tuple[_Labelled, ...]:
    found = (one for one in read_gold(file.read_bytes(), name=file.name) if not isinstance(one, BrokenRecord))
    return tuple(found)


def merged(labelled: Iterable[LabelledBias]) -> tuple[LabelledBias, ...]:
    """Merge to one per bias. Level and sentences may come from different records; the first that has each counts."""
    found: dict[str, LabelledBias] = {}
    for one in labelled:
        known = found.setdefault(_plain(one.bias), one)
        found[_plain(one.bias)] = replace(known, level=known.level or one.level, gold=known.gold or one.gold)
    return tuple(found.values())


def for_tool(labelled: Iterable[LabelledBias], tool: Tool) -> dict[str, DomainGold]:
    """The gold of a tool's domains, by id. A bias belongs to the domain of that name or, in RoB 1, else the nearest."""
    found: dict[str, DomainGold] = {}
    for one in labelled:
        domain = _domain_of(one.bias, tool)
        if domain is not None and domain.id not in found:
            levels = tuple(level for level in domain.scale if level_in_robbr(level, domain.scale) == one.level)
            found[domain.id] = DomainGold(levels, one.gold)
    return found


def best_tool(labelled: Iterable[LabelledBias], tools: Iterable[Tool]) -> Tool:
    """The tool with the most domains that match a bias by name."""
    names = {_plain(one.bias) for one in labelled}
    return max(tools, key=lambda tool: sum(not names.isdisjoint(_names(domain)) for domain in tool.domains))


def _domain_of(bias: str, tool: Tool) -> Domain | None:
    named = next((domain for domain in tool.domains if _plain(bias) in _names(domain)), None)
    if named is None and tool.id == "rob1":
        return tool.domain(domain_of(bias))
    return named


def _names(domain: Domain) -> set[str]:
    """The names of a domain in files: its name, its kind of bias, or both (see `core.export.gold`)."""
    return {_plain(domain.name), _plain(domain.bias), _plain(f"{domain.name} ({domain.bias})")}


def _plain(words: str) -> str:
    return " ".join(words.lower().replace("z", "s").split())


_Labelled = JudgedCase[Level] | JudgedCase[SupportGold]


def _is_of(record: _Labelled, paper: Paper) -> bool:
    if paper.doi and record.doi == paper.doi.lower():
        return True
    texts, here = _texts(record.case.paper), set(_texts(paper))
    return len(here.intersection(texts)) >= _SAME * len(texts)


def _laid(record: _Labelled, paper: Paper) -> LabelledBias:
    """Match a record with a paper. If the paper has none of the gold sentences, the result has no gold."""
    if not isinstance(record.gold, SupportGold):
        return LabelledBias(record.case.bias, level=record.gold)
    instance = Instance(record.id, record.case.bias, record.case.paper, record.gold.gold)
    try:
        return LabelledBias(record.case.bias, gold=gold_for(paper, instance).gold)
    except DatasetError:
        return LabelledBias(record.case.bias)


def _texts(paper: Paper) -> list[str]:
    return [" ".join(sentence.text.split()) for sentence in paper.sentences]
