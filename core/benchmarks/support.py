"""`consort/support`: whether an engine's first sentences for a domain of risk of bias are those that report on it.

A paper without a sentence on a domain is no item of that domain.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from core.benchmarks.bootstrap import Interval, interval
from core.benchmarks.consort_tm import ITEMS_OF, LabelledPaper, read_consort_tm
from core.benchmarks.runner import ItemResult, Run
from core.bias.engine import BiasEngine
from core.bias.model import Domain, StudyContext
from core.bias.registry import tool_named
from core.errors import DatasetError, VouchError
from core.paper import Paper
from core.progress import Progress, silent

TASK = "consort/support"
DEPTHS = (1, 3)


@dataclass(frozen=True, slots=True)
class SupportItem:
    """One domain of one paper. `gold` are the indices of the sentences that report on it, at least one."""

    domain: Domain
    paper_id: str
    paper: Paper
    gold: frozenset[int]


def read_support_items(path: Path, limit: int | None = None) -> list[SupportItem]:
    """The items of the first `limit` papers of a CONSORT-TM file. Raises `DatasetError` if it cannot be read."""
    labelled = read_consort_tm(path.read_bytes(), name=path.name)
    return [item for paper in islice(labelled, limit) for item in support_items(paper)]


def support_items(labelled: LabelledPaper) -> Iterator[SupportItem]:
    """An item a domain that the paper reports on."""
    for domain in scored_domains():
        gold = labelled.gold(domain.id)
        if gold:
            yield SupportItem(domain, labelled.id, labelled.paper, gold)


def scored_domains() -> tuple[Domain, ...]:
    """The domains of RoB 1 that CONSORT has items for; it has one item for both domains of blinding."""
    rob1 = tool_named("rob1")
    performance, detection = rob1.domain("performance"), rob1.domain("detection")
    blinding = Domain(
        id="blinding",
        name="Blinding of participants, personnel and outcome assessment",
        bias=f"{performance.bias}, {detection.bias}",
        definition=f"{performance.definition} {detection.definition}",
        criteria=performance.criteria,
        robvis="",
    )
    return tuple(blinding if id == "blinding" else rob1.domain(id) for id in ITEMS_OF)


def hits(item: SupportItem, chosen: Sequence[int]) -> dict[str, float]:
    """Whether one of the first 1 and 3 sentences reports on the domain, by metric."""
    return {_metric(item.domain.id, depth): float(not item.gold.isdisjoint(chosen[:depth])) for depth in DEPTHS}


def summary(results: Iterable[tuple[str, dict[str, float]]]) -> dict[str, Interval]:
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


def run_support(engine: BiasEngine, items: Sequence[SupportItem], *, progress: Progress = silent) -> Run:
    """Ask the engine for support sentences on every item. Raises `DatasetError` if there is no item."""
    if not items:
        raise DatasetError(f"The data holds no item for {TASK}.")
    started = time.perf_counter()
    results = []
    for number, item in enumerate(items):
        progress(number / len(items), f"{number:,} of {len(items):,} done")
        results.append(_one(engine, item))
    progress(1.0, "Done")
    metrics = summary((result.group, dict(result.scores)) for result in results)
    return Run(TASK, engine.name, tuple(results), metrics, time.perf_counter() - started)


def _one(engine: BiasEngine, item: SupportItem) -> ItemResult:
    started = time.perf_counter()
    try:
        support = engine.support(item.domain, item.paper, StudyContext(), k=max(DEPTHS))
        chosen, error = tuple(sentence.index for sentence in support), None
    except VouchError as failure:
        chosen, error = (), str(failure)
    seconds = time.perf_counter() - started
    name = f"{item.paper_id}/{item.domain.id}"
    return ItemResult(name, item.paper_id, chosen, hits(item, chosen), seconds, 0.0, error)


def _metric(domain: str, depth: int) -> str:
    return f"{domain} hit@{depth}"
