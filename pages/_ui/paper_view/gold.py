"""Gold beside an answer, as the plain data that the desk's scripts expect."""

from __future__ import annotations

from collections.abc import Mapping

from core.benchmarks.aspect_recall import aspect_recall, compare
from core.benchmarks.gold import Gold
from core.benchmarks.max_coverage import optimal
from core.evidence import Evidence
from core.evidence.model import Decision


def gold_for_question(gold: Gold, evidence: Evidence | None) -> Gold:
    """The gold that an answer is measured by: results and analyses only, where only these were asked for and the file tells which they are."""
    only = evidence is not None and evidence.query.results_only
    return gold.results_only if only and gold.results else gold


def gold_payload(
    gold: Gold, evidence: Evidence | None, decisions: Mapping[int, Decision], *, k: int
) -> dict[str, object]:
    """Hits, extras and misses, each aspect with its sentences, and the scores.

    `k` stands for the number of sentences where there is no answer yet.
    """
    gold = gold_for_question(gold, evidence)
    k = evidence.query.k if evidence is not None else max(1, k)  # the field takes any number until it is searched by
    chosen = evidence.indices if evidence else ()
    comparison = compare(chosen, gold, k=k)
    kept = reviewed(chosen, decisions)
    return {
        "k": k,
        "named": bool(gold.labels),
        "hits": comparison.hits,
        "extras": comparison.extras,
        "missed": comparison.misses,
        "spares": comparison.spares,
        "recall": comparison.recall if evidence else None,
        "reviewed": aspect_recall(kept, gold.aspects) if decisions else None,
        "best": comparison.best_recall,
        "fewest": optimal(gold.aspects),
        "aspects": [
            {
                "label": gold.label(aspect) if gold.labels else f"Aspect {number}",  # its id says nothing to a reader
                "result": aspect in gold.results,
                "covered": bool(comparison.covered_by[aspect]),
                "sentences": sorted(covering, key=lambda index: (index not in chosen, index)),
            }
            for number, (aspect, covering) in enumerate(gold.aspects.items(), start=1)
        ],
    }


def reviewed(chosen: tuple[int, ...], decisions: Mapping[int, Decision]) -> set[int]:
    """The evidence as the reviewer left it: what was chosen or added, without what was rejected."""
    rejected = {index for index, decision in decisions.items() if decision is Decision.REJECTED}
    return (set(chosen) | set(decisions)) - rejected
