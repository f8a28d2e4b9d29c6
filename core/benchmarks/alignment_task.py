"""Alignment on real gold: pieces of information from Evidence Inference's annotations, and the sentences that state them.

The pipelines of `core.making` ask which sentences are sources of a piece of information. Here a template makes the pieces
from the annotations: intervention, comparator, outcome and direction. Gold are the sentences that annotators marked. They
mark only one or two of the spans that state a result, so precision by this gold is a lower bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from core.benchmarks.bootstrap import Interval, estimate
from core.benchmarks.evidence_tasks import (
    EvidenceQuestion,
    article_files,
    ask,
    count_prompts,
    estimated,
    open_engine,
    read_directions,
    read_evidence_inference,
    seen,
)
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response, Scores
from core.benchmarks.selection_metrics import Overlap, overlap, precision, recall
from core.benchmarks.task import Stream, Task, data_file
from core.engines import TaskKind
from core.evidence.model import EvidenceEngine, EvidenceQuery, cut_to_question

_DEPTHS = (1, 3, 10)
_DIRECTIONS: Mapping[str, str] = {
    "significantly increased": "was significantly increased with",
    "significantly decreased": "was significantly decreased with",
    "no significant difference": "did not differ significantly with",
}


def aspect(intervention: str, comparator: str, outcome: str, direction: str) -> str | None:
    """An annotation as a piece of information; None for an unknown direction."""
    told = _DIRECTIONS.get(direction.strip().lower())
    if told is None:
        return None
    return cut_to_question(f"{outcome} {told} {intervention} compared with {comparator}.")


def aspects(
    folder: Path, wanted: Callable[[str], bool] = lambda _: True
) -> Iterator[Item[EvidenceQuestion, frozenset[int]] | BrokenRecord]:
    """Items for the prompts with an agreed direction and a marked sentence in the paper. `wanted` filters by prompt id."""
    directions = read_directions(folder)
    for prompt in read_evidence_inference(folder, wanted):
        if isinstance(prompt, BrokenRecord):
            yield prompt
            continue
        said = aspect(prompt.intervention, prompt.comparator, prompt.outcome, directions.get(prompt.id, ""))
        if said is not None and prompt.gold:
            query = EvidenceQuery(said, k=max(_DEPTHS), results_only=True)
            yield Item(prompt.id, prompt.article, EvidenceQuestion(prompt.paper, query), prompt.gold)


def _items(path: Path) -> Stream[Item[EvidenceQuestion, frozenset[int]] | BrokenRecord]:
    return Stream(count_prompts(path.parent), partial(aspects, path.parent))


def _scores(item: Item[EvidenceQuestion, frozenset[int]], response: Response) -> Scores:
    """The number of gold sentences and, at each depth, of chosen sentences and of right ones."""
    counts = {depth: overlap(response.sentences[:depth], item.gold) for depth in _DEPTHS}
    return {
        "gold sentences": float(len(item.gold)),
        **{f"chosen@{depth}": float(found.chosen) for depth, found in counts.items()},
        **{f"right@{depth}": float(found.both) for depth, found in counts.items()},
    }


def _metrics(results: Sequence[ItemResult]) -> dict[str, Interval]:
    """Recall and precision over the sentences of all items together, with intervals from resampling papers."""
    papers, found = [result.group for result in results], {}
    for depth in _DEPTHS:
        counts = [
            Overlap(*(int(result.scores[name]) for name in (f"chosen@{depth}", "gold sentences", f"right@{depth}")))
            for result in results
        ]
        for name, statistic in (("recall", recall(counts)), ("precision", precision(counts))):
            if (figure := estimate(statistic, papers)) is not None:
                found[f"{name}@{depth}"] = figure
    return found


ALIGNMENT: Task[EvidenceEngine, EvidenceQuestion, frozenset[int]] = Task(
    name="evidence-inference/alignment",
    about="Which sentences tell a result that is given with its direction: recall and precision of marked sentences.",
    kind=TaskKind.EVIDENCE,
    open=open_engine,
    source=partial(data_file, "evidence_inference", "items.json"),
    items=_items,
    ask=ask,
    score=_scores,
    metrics=_metrics,
    files=article_files,
    notes=seen,
    estimate=estimated,
)
