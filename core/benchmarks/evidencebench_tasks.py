"""EvidenceBench's tasks: evidence retrieval at k and at the fewest sentences that cover everything (section 4).

An item's category is the position of the evidence in its paper, so that every run shows whether the engine gets "lost in the
middle" (section 6). `evidencebench/wording` also asks about each hypothesis in other words (appendix E, and the authors'
answers to reviewers).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from core.benchmarks.bootstrap import Interval, interval
from core.benchmarks.evidence_tasks import EvidenceQuestion, ask, estimated, open_engine, seen
from core.benchmarks.evidencebench import count_evidencebench, stream_evidencebench
from core.benchmarks.gold import Gold, Instance, best_cover, optimal, recall_at
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response, Scores
from core.benchmarks.selection_metrics import EvidencePosition, evidence_position
from core.benchmarks.task import Stream, Task, data_file, means
from core.engines import TaskKind
from core.evidence.model import EvidenceEngine, EvidenceQuery
from core.evidence.sensitivity import Rewording, negated

ORIGINAL = "original"

EvidenceBenchTask = Task[EvidenceEngine, EvidenceQuestion, Gold]
EvidenceBenchItem = Item[EvidenceQuestion, Gold]


def _task(name: str, about: str, *, k: int | None = None, results_only: bool = False) -> EvidenceBenchTask:
    """The task of aspect recall at `k` or, for None, at the fewest sentences that cover everything."""

    def read(path: Path) -> Iterator[EvidenceBenchItem | BrokenRecord]:
        for entry in stream_evidencebench(path):
            if isinstance(entry, BrokenRecord):
                yield entry
            elif (item := _item(entry, k, results_only=results_only)) is not None:
                yield item

    def items(path: Path) -> Stream[EvidenceBenchItem | BrokenRecord]:
        return Stream(count_evidencebench(path, _has_results if results_only else _any), partial(read, path))

    return Task(
        name=name,
        about=about,
        kind=TaskKind.EVIDENCE,
        open=open_engine,
        source=partial(data_file, "evidencebench", "evidencebench_*.json"),
        items=items,
        ask=ask,
        score=_recall,
        metrics=_by_place,
        notes=seen,
        estimate=estimated,
    )


def _any(raw: Mapping[str, Any]) -> int:
    return 1


def _has_results(raw: Mapping[str, Any]) -> int:
    return bool(raw.get("results_aspect_list_ids"))


def _item(entry: Instance, k: int | None, *, results_only: bool) -> EvidenceBenchItem | None:
    """The item of an instance; None if it has no aspects, as for Result-ER on a paper without results (Table 1)."""
    gold = entry.gold.results_only if results_only else entry.gold
    if not gold.aspects:
        return None
    query = EvidenceQuery(entry.hypothesis, k or max(1, optimal(gold.aspects)), results_only)
    place = evidence_position(gold, len(entry.paper.sentences))
    return Item(entry.id, entry.paper.id, EvidenceQuestion(entry.paper, query), gold, category=place.value)


def _recall(item: EvidenceBenchItem, response: Response) -> Scores:
    """Aspect recall, and the best that as many sentences could reach."""
    k, aspects = item.question.query.k, item.gold.aspects
    return {
        "aspect_recall": recall_at(response.sentences, aspects, k),
        "best_possible": len(best_cover(aspects, k).aspects) / len(aspects),
    }


def _by_place(results: Sequence[ItemResult]) -> dict[str, Interval]:
    """The means, and aspect recall for papers with the evidence at the edges, and in the middle."""
    found = means(results)
    for place in (EvidencePosition.EDGES, EvidencePosition.MIDDLE):
        own = [result for result in results if result.category == place]
        if own:
            recalls = [result.scores["aspect_recall"] for result in own]
            found[f"aspect_recall {place.value}"] = interval(recalls, [result.group for result in own])
    return found


# Results first, as the app asks if a hypothesis is about an effect


def _results_first(path: Path) -> Stream[EvidenceBenchItem | BrokenRecord]:
    """The questions of er@10, with results to be ranked before other evidence."""

    def read() -> Iterator[EvidenceBenchItem | BrokenRecord]:
        for item in _ER_10.items(path):
            if isinstance(item, BrokenRecord):
                yield item
                continue
            query = replace(item.question.query, results_first=True)
            yield replace(item, question=replace(item.question, query=query))

    return Stream(count_evidencebench(path, _any), read)


def _recall_of_results_too(item: EvidenceBenchItem, response: Response) -> Scores:
    """The scores of er@10 and, if the paper has results, the share of them that the first five sentences cover."""
    results = item.gold.results_only.aspects
    early = {"result_recall@5": recall_at(response.sentences[:5], results, 5)} if results else {}
    return dict(_recall(item, response)) | early


# Other wordings


def _wordings(path: Path) -> Stream[EvidenceBenchItem | BrokenRecord]:
    """Every hypothesis unchanged, negated, and in its record's paraphrases, at the fewest sentences that cover all."""

    def read() -> Iterator[EvidenceBenchItem | BrokenRecord]:
        for entry in stream_evidencebench(path):
            if isinstance(entry, BrokenRecord):
                yield entry
                continue
            item = _item(entry, None, results_only=False)
            if item is not None:
                yield from (_in_words(item, name, wording) for name, wording in _worded(entry))

    return Stream(count_evidencebench(path, _wordings_in), read)


def _in_words(item: EvidenceBenchItem, name: str, wording: str) -> EvidenceBenchItem:
    """The item with its hypothesis in other words; the category is the kind of wording."""
    query = replace(item.question.query, hypothesis=wording)
    question = replace(item.question, query=query)
    return replace(item, id=f"{item.id}/{name}", question=question, category=name.partition(" ")[0])


def _wordings_in(raw: Mapping[str, Any]) -> int:
    return 2 + len(raw.get("paraphrases") or ())


def _worded(entry: Instance) -> Iterator[tuple[str, str]]:
    """The wordings by name; a second paraphrase is `paraphrase 2`."""
    yield ORIGINAL, entry.hypothesis
    yield Rewording.NEGATION.value, negated(entry.hypothesis)
    for number, paraphrase in enumerate(entry.paraphrases, 1):
        yield Rewording.PARAPHRASE.value + (f" {number}" if number > 1 else ""), paraphrase


def _by_wording(results: Sequence[ItemResult]) -> dict[str, Interval]:
    """Aspect recall by wording and, for wordings other than the original, its change and the overlap of the answers."""
    originals = {_hypothesis(result): result for result in results if result.category == ORIGINAL}
    found: dict[str, Interval] = {}
    for name in dict.fromkeys(result.category for result in results):
        own = [result for result in results if result.category == name]
        papers = [result.group for result in own]
        recalls = [result.scores["aspect_recall"] for result in own]
        found[f"aspect_recall {name}"] = interval(recalls, papers)
        pairs = [(originals[_hypothesis(result)], result) for result in own if _hypothesis(result) in originals]
        if name == ORIGINAL or not pairs:
            continue
        changes = [other.scores["aspect_recall"] - one.scores["aspect_recall"] for one, other in pairs]
        found[f"change {name}"] = interval(changes, [one.group for one, _ in pairs])
        overlaps = [(one.group, share) for one, other in pairs if (share := _overlap(one, other)) is not None]
        if overlaps:
            found[f"overlap {name}"] = interval([share for _, share in overlaps], [paper for paper, _ in overlaps])
    return found


def _hypothesis(result: ItemResult) -> str:
    """The id of a wording's hypothesis."""
    return result.id.rpartition("/")[0]


def _overlap(one: ItemResult, other: ItemResult) -> float | None:
    """Shared sentences over all sentences of both answers (Jaccard); None if both are empty, or one failed."""
    if one.error is not None or other.error is not None:
        return None
    first, second = set(one.response.sentences), set(other.response.sentences)
    return len(first & second) / len(first | second) if first | second else None


_ER_10 = _task(
    "evidencebench/er@10", "Ten sentences that cover as many study aspects of a hypothesis as possible.", k=10
)
RESULTS_FIRST = replace(
    _ER_10,
    name="evidencebench/results-first@10",
    about="Ten sentences in the order of the page: results before other evidence.",
    items=_results_first,
    score=_recall_of_results_too,
)
WORDING: EvidenceBenchTask = Task(
    name="evidencebench/wording",
    about="The same hypotheses paraphrased and negated: does the answer change?",
    kind=TaskKind.EVIDENCE,
    open=open_engine,
    source=partial(data_file, "evidencebench", "evidencebench_*.json"),
    items=_wordings,
    ask=ask,
    score=_recall,
    metrics=_by_wording,
    notes=seen,
    estimate=estimated,
)
EVIDENCEBENCH_TASKS = (
    _ER_10,
    _task("evidencebench/er@optimal", "As many sentences as the fewest that cover every aspect."),
    _task("evidencebench/result-er@5", "Five sentences, results and analyses alone.", k=5, results_only=True),
    _task("evidencebench/result-er@optimal", "As few sentences as cover the results.", results_only=True),
    RESULTS_FIRST,
    WORDING,
)
