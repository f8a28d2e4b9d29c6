"""`consort/support`: whether an engine's first sentences for a domain of risk of bias are those that report on it.

A paper without a sentence on a domain is no item of that domain.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.benchmarks.bootstrap import Interval, interval
from core.benchmarks.consort_tm import ITEMS_OF, LabelledPaper, read_consort_tm
from core.benchmarks.metrics.selections import hit
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response, Scores
from core.bias.engine import BiasEngine
from core.bias.llm.estimating import estimate_support
from core.bias.model import Domain, StudyContext
from core.bias.registry import tool_named
from core.llm import Estimate, model_named
from core.paper import Paper
from core.progress import Progress

DEPTHS = (1, 3)


@dataclass(frozen=True, slots=True)
class SupportQuestion:
    """One domain of one paper."""

    domain: str  # the id of one of `scored_domains`
    paper: Paper


SupportItem = Item[
    SupportQuestion, frozenset[int]
]  # the gold: indices of the sentences that report on it, at least one


def read_support_items(path: Path) -> list[SupportItem | BrokenRecord]:
    """The items of a CONSORT-TM file, and its broken records. Raises `DatasetError` if it is none."""
    found: list[SupportItem | BrokenRecord] = []
    for entry in read_consort_tm(path.read_bytes(), name=path.name):
        found += [entry] if isinstance(entry, BrokenRecord) else support_items(entry)
    return found


def support_items(labelled: LabelledPaper) -> Iterator[SupportItem]:
    """An item a domain that the paper reports on."""
    for domain in scored_domains():
        gold = labelled.gold(domain)
        if gold:
            question = SupportQuestion(domain, labelled.paper)
            yield Item(f"{labelled.id}/{domain}", labelled.id, question, gold, category=domain)


@cache
def scored_domains() -> Mapping[str, Domain]:
    """The domains of RoB 1 that CONSORT has items for, by id; it has one item for both domains of blinding."""
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
    return {id: blinding if id == "blinding" else rob1.domain(id) for id in ITEMS_OF}


def ask(engine: BiasEngine, question: SupportQuestion, progress: Progress) -> Response:
    """The engine's support sentences."""
    started = time.perf_counter()
    domain = scored_domains()[question.domain]
    found = engine.support(domain, question.paper, StudyContext(), k=max(DEPTHS), progress=progress)
    chosen = tuple(sentence.index for sentence in found.support)
    return Response(chosen, seconds=time.perf_counter() - started).of_run(found.run)


def estimated(engine: str, question: SupportQuestion) -> Estimate | None:
    """What a language model will use for a question; None for an engine on this machine."""
    model, domain = model_named(engine), scored_domains()[question.domain]
    return estimate_support(model, domain, question.paper, StudyContext(), max(DEPTHS)) if model else None


def hits(item: SupportItem, response: Response) -> dict[str, float]:
    """Whether one of the first 1 and 3 sentences reports on the domain, by metric."""
    chosen = response.sentences
    return {_metric(item.category, depth): hit(chosen, item.gold, depth) for depth in DEPTHS}


def metrics(results: Sequence[ItemResult]) -> dict[str, Interval]:
    """Those of a run."""
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
