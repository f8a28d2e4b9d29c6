"""The last step of EvidenceBench's pipeline: from aligned sentences to an instance in the published layout."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from core.benchmarks.gold import Gold, Instance
from core.export.gold import evidencebench_record
from core.paper import Paper

_RESULTS = "results_"


def instance_of(
    id: str,
    hypothesis: str,
    paper: Paper,
    *,
    aspects: Mapping[str, str],
    aligned: Mapping[str, Collection[int]],
    results: Collection[str],
) -> Instance | None:
    """An instance with the aspects that at least one sentence covers; None if there is no such aspect.

    `aspects`: id -> wording; `aligned`: id -> the sentences that cover it; `results`: the ids of results. Aspects
    without a sentence are dropped, because in the published files every aspect is covered (EvidenceBench, appendix
    A.5).
    """
    covered = {aspect: frozenset(aligned.get(aspect, ())) for aspect in aspects if aligned.get(aspect)}
    if not covered:
        return None
    labels = {aspect: aspects[aspect] for aspect in covered}
    return Instance(id, hypothesis, paper, Gold(covered, frozenset(results) & covered.keys(), labels))


def published_record(instance: Instance, *, paper_id: str | None = None) -> dict[str, Any]:
    """A record in the published layout, with the smallest cover and the best coverage by 10 and by 5 sentences.

    If no aspect is a result, the fields about results are null, as in the published files.
    """
    record = evidencebench_record(instance, paper_id=paper_id)
    if instance.gold.results:
        return record
    return {key: None if key.startswith(_RESULTS) else value for key, value in record.items()}
