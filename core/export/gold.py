"""Evidence that a reviewer marked, as gold: study aspects and the sentences that cover them, in EvidenceBench's layout."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.benchmarks.gold import Gold, Instance
from core.benchmarks.max_coverage import best_cover, optimal
from core.paper import Kind, Paper

_TYPES = {Kind.TITLE: "section_name", Kind.HEADING: "section_name", Kind.ABSTRACT: "abstract"}
_OTHER_TYPE = "normal_paragraph"  # the layout has no word for captions and table rows


@dataclass(frozen=True, slots=True)
class OwnAspect:
    """One piece of information, in the reviewer's words, and the sentences that each tell it."""

    label: str
    sentences: frozenset[int]
    result: bool = False  # whether it is a result or an analysis, which Result-ER asks for


def own_gold(paper: Paper, aspects: Sequence[OwnAspect], accepted: Iterable[int] = ()) -> Gold:
    """The reviewer's aspects; an accepted sentence that covers none of them is an aspect by itself.

    Raises `ValueError` if a sentence is not the paper's.
    """
    covered = {index for aspect in aspects for index in aspect.sentences}
    alone = sorted(frozenset(accepted) - covered)
    if any(index not in range(len(paper.sentences)) for index in (*covered, *alone)):
        raise ValueError("a sentence of the gold is not in the paper")
    every = [*aspects, *(OwnAspect(paper.sentences[index].text, frozenset({index})) for index in alone)]
    named = {f"aspect_{number}": aspect for number, aspect in enumerate(every)}
    return Gold(
        aspects={id: aspect.sentences for id, aspect in named.items()},
        results=frozenset(id for id, aspect in named.items() if aspect.result),
        labels={id: aspect.label for id, aspect in named.items()},
    )


def evidencebench_json(instances: Sequence[Instance]) -> str:
    """A file in EvidenceBench's layout (its appendix A.5), with the aspects' wording, that `bench` and Vouch can read.

    The candidate pool holds every sentence of the paper, captions and table rows too, so that indices stay the same.
    """
    return _json({instance.id: evidencebench_record(instance) for instance in instances})


def evidencebench_record(instance: Instance, *, paper_id: str | None = None) -> dict[str, Any]:
    """One record. Aspects that no sentence covers stay in it."""
    gold, sentences = instance.gold, instance.paper.pool
    results = gold.results_only.aspects
    record = {
        "hypothesis": instance.hypothesis,
        "paper_as_candidate_pool": [sentence.text for sentence in sentences],
        "aspect_list_ids": list(gold.aspects),
        "results_aspect_list_ids": list(results),
        "aspect2sentence_indices": {id: sorted(covering) for id, covering in gold.aspects.items()},
        "sentence_index2aspects": {
            str(index): [id for id, covering in gold.aspects.items() if index in covering]
            for index in range(len(sentences))
        },
        "evidence_retrieval_at_optimal_evaluation": at_optimal(gold.aspects),
        "evidence_retrieval_at_10_evaluation": _at(10, gold.aspects, len(sentences)),
        "results_evidence_retrieval_at_optimal_evaluation": at_optimal(results),
        "results_evidence_retrieval_at_5_evaluation": _at(5, results, len(sentences)),
        "sentence_types_in_candidate_pool": [_TYPES.get(sentence.kind, _OTHER_TYPE) for sentence in sentences],
        "paper_id": paper_id or instance.paper.doi or instance.paper.id,
        "aspect_labels": dict(gold.labels or {}),
    }
    return record | ({"paraphrases": list(instance.paraphrases)} if instance.paraphrases else {})


def at_optimal(aspects: Mapping[str, frozenset[int]]) -> dict[str, Any]:
    """The fewest sentences that cover all that any sentence covers, as both benchmarks tell it."""
    fewest = optimal(aspects)
    cover = best_cover(aspects, fewest)
    return {
        "optimal": fewest,
        "one_selection_of_sentences": list(cover.sentences),
        "covered_aspects": [id for id in aspects if id in cover.aspects],
    }


def _at(k: int, aspects: Mapping[str, frozenset[int]], size: int) -> dict[str, Any]:
    cover = best_cover(aspects, k)
    # The layout wants exactly k sentences: further sources, then whatever comes first.
    sources = sorted({index for covering in aspects.values() for index in covering})
    selection = list(dict.fromkeys([*cover.sentences, *sources, *range(size)]))[:k]
    return {
        "one_selection_of_sentences": selection,
        "covered_aspects": [id for id in aspects if id in cover.aspects],
    }


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"
