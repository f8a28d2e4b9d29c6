"""Features by hand, and that nothing but the paper and the hypothesis reaches them."""

from __future__ import annotations

import inspect
from dataclasses import fields

import numpy as np
import pytest

from core.evidence.model import EvidenceQuery
from core.evidence.ranker.features import SentenceVectors, clauses_of, features
from core.evidence.ranker.sentence_features import place_features, ranks, telling_numbers, wording_features
from core.paper import Paper, SectionKind
from tests.core.evidence.papers import HYPOTHESIS, bee_trial


@pytest.mark.parametrize(
    ("text", "found", "absent"),
    [
        (
            "Pain fell (OR 0.61, 95% CI 0.4-0.9; P = 0.01).",
            ("interval", "ratio", "p_value", "direction"),
            ("citation",),
        ),
        ("We found no difference between groups.", ("own_result", "significant", "comparison", "negation"), ("hedge",)),
        ("Earlier studies agree [12].", ("citation", "other_studies"), ("own_result", "p_value")),
        ("We recruited 120 patients in a cohort study.", ("participants", "design"), ("percentage",)),
        ("Results: as in Fig. 2, 40% improved.", ("shout", "figure", "percentage", "direction"), ("aim",)),
        ("The aim was to assess whether it may help.", ("aim", "hedge"), ("figure",)),
    ],
)
def test_wording(text: str, found: tuple[str, ...], absent: tuple[str, ...]) -> None:
    columns = wording_features([text])
    assert {name: columns[name][0] for name in found} == dict.fromkeys(found, 1.0)
    assert {name: columns[name][0] for name in absent} == dict.fromkeys(absent, 0.0)


def test_telling_numbers_are_those_hardly_shared_by_chance() -> None:
    assert telling_numbers("In 2 of 85 (0.61; 1,204; 7 days)") == {"85", "0.61", "1204"}


def test_the_clauses_of_a_trials_question_end_with_its_outcome() -> None:
    assert clauses_of("vitamin D compared with placebo: bone density") == ["vitamin D", "placebo", "bone density"]
    assert clauses_of("?") == ["?"]


def test_ranks_share_the_first_of_equals() -> None:
    assert ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [2 / 3, 0.0, 2 / 3, 1 / 3]
    assert ranks(np.array([5.0])).tolist() == [1.0]


def test_place_in_the_paper() -> None:
    paper = bee_trial()
    candidates = EvidenceQuery(HYPOTHESIS).candidates(paper)
    columns = place_features(paper, candidates)
    kinds = [paper.section_of(sentence).kind for sentence in candidates]
    assert columns["in_abstract"].tolist() == [float(kind is SectionKind.ABSTRACT) for kind in kinds]
    assert columns["in_results"].tolist() == [float(kind is SectionKind.RESULTS) for kind in kinds]
    assert columns["part_from_end"][:3].tolist() == [2, 1, 0]  # the abstract's three sentences
    assert columns["position"][-1] <= 1


def test_only_the_paper_and_the_hypothesis_come_in() -> None:
    """Gold, aspects and the direction of an effect have no way in: neither as an argument nor with the paper."""
    assert list(inspect.signature(features).parameters) == ["paper", "candidates", "hypothesis", "meaning"]
    assert [field.name for field in fields(SentenceVectors)] == ["vectors", "hypothesis", "clauses"]
    known = {field.name for field in fields(Paper)}
    assert known.isdisjoint({"gold", "aspects", "results", "annotations", "label", "labels"})


def test_a_sentence_of_another_paper_changes_nothing() -> None:
    def values(more: tuple[str, ...]) -> np.ndarray:
        paper = bee_trial(more=more)
        candidates = EvidenceQuery(HYPOTHESIS).candidates(paper)
        vectors = np.ones((len(paper.sentences), 4)) / 2
        return features(paper, candidates, HYPOTHESIS, SentenceVectors(vectors, vectors[0], vectors[:2])).values

    before = values(())
    values(("Another paper says something else.",))
    np.testing.assert_array_equal(before, values(()))
