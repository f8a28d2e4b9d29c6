"""Aspect recall and the best cover."""

import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.benchmarks.evidencebench import read_evidencebench
from core.benchmarks.gold import Gold, aspect_recall, best_cover, compare, covered, optimal, recall_at
from core.errors import DatasetError

# The example of EvidenceBench's figure 1: sentences 9 and 69 both cover the first aspect.
FIGURE_1 = {
    "1": frozenset({9, 69}),
    "2": frozenset({163}),
    "3": frozenset({69, 106}),
    "4": frozenset({106}),
}


@pytest.mark.parametrize(
    ("selected", "recall"),
    [([], 0.0), ([9], 0.25), ([9, 9, 9], 0.25), ([9, 69, 106], 0.75), ([69, 106, 163], 1.0), ([0, 1, 2], 0.0)],
)
def test_recall_by_hand(selected: list[int], recall: float) -> None:
    assert aspect_recall(selected, FIGURE_1) == recall


@given(
    st.sets(st.integers(0, 9), max_size=7), st.integers(1, 4), st.lists(st.frozensets(st.integers(0, 9)), min_size=1)
)
def test_too_many_get_what_a_draw_of_k_would_expect(selected: set[int], k: int, covering: list[frozenset[int]]) -> None:
    aspects = {str(number): indices for number, indices in enumerate(covering)}
    draws = list(combinations(selected, min(k, len(selected))))
    expected = sum(aspect_recall(draw, aspects) for draw in draws) / len(draws)
    assert recall_at(sorted(selected), aspects, k) == pytest.approx(expected)


def test_too_many_by_hand() -> None:
    # Two of 9, 106 and 5: aspect 1 is covered by draws with 9, aspects 3 and 4 by those with 106, each 2 of 3 draws.
    assert recall_at([9, 106, 5], FIGURE_1, 2) == pytest.approx((2 / 3 + 0 + 2 / 3 + 2 / 3) / 4)
    assert recall_at([9, 9, 106], FIGURE_1, 2) == 0.75  # naming a sentence again is not another sentence
    assert recall_at([], FIGURE_1, 2) == 0.0
    with pytest.raises(DatasetError, match="undefined"):
        recall_at([1, 2, 3], {}, 2)


def test_an_aspect_that_no_sentence_covers_stays_in_the_denominator() -> None:
    assert aspect_recall([9, 69, 106, 163], FIGURE_1 | {"5": frozenset()}) == 0.8


def test_recall_without_aspects_is_an_error_and_never_a_number() -> None:
    with pytest.raises(DatasetError, match="undefined"):
        aspect_recall([1, 2], {})


def test_covered() -> None:
    assert covered(iter([69]), FIGURE_1) == {"1", "3"}


def test_best_cover_by_hand() -> None:
    assert best_cover(FIGURE_1, 0).aspects == frozenset()
    assert len(best_cover(FIGURE_1, 1).aspects) == 2
    assert len(best_cover(FIGURE_1, 2).aspects) == 3
    assert best_cover(FIGURE_1, 3).aspects == {"1", "2", "3", "4"}
    assert best_cover(FIGURE_1, 50).sentences == best_cover(FIGURE_1, 3).sentences
    assert optimal(FIGURE_1) == 3
    assert optimal({}) == 0
    assert optimal({str(aspect): frozenset({aspect}) for aspect in range(500)}) == 500
    assert optimal({"never": frozenset(), "once": frozenset({4})}) == 1


def test_best_cover_is_not_merely_greedy() -> None:
    # Greedy takes sentence 0 (four aspects) and then needs two more; 1 and 2 cover all six.
    aspects = {name: frozenset() for name in "abcdef"} | {
        "a": frozenset({1}),
        "b": frozenset({0, 1}),
        "c": frozenset({0, 1}),
        "d": frozenset({0, 2}),
        "e": frozenset({0, 2}),
        "f": frozenset({2}),
    }
    assert best_cover(aspects, 2).sentences == (1, 2)
    assert optimal(aspects) == 2


def test_a_negative_k_is_a_programmers_error() -> None:
    with pytest.raises(ValueError, match="-1"):
        best_cover(FIGURE_1, -1)


@given(st.lists(st.frozensets(st.integers(0, 8), max_size=4), min_size=1, max_size=8), st.integers(0, 4))
def test_best_cover_equals_brute_force(coverings: list[frozenset[int]], k: int) -> None:
    aspects = {str(number): covering for number, covering in enumerate(coverings)}
    cover = best_cover(aspects, k)
    assert cover.proven
    assert len(cover.sentences) <= k
    assert covered(cover.sentences, aspects) == cover.aspects
    assert len(cover.aspects) == max(len(covered(choice, aspects)) for choice in combinations(range(9), k))


def test_a_search_that_is_cut_off_gives_the_greedy_answer_and_says_so() -> None:
    # Sentence s covers the aspects s, s + 1 and s + 5 around a circle of 36; greedy choices leave four gaps.
    circle = {str(aspect): frozenset((aspect - step) % 36 for step in (0, 1, 5)) for aspect in range(36)}
    whole = best_cover(circle, 12)
    assert (len(whole.aspects), whole.proven) == (36, True)
    cut_off = best_cover(circle, 12, max_work=1)
    assert (len(cut_off.aspects), cut_off.proven) == (32, False)
    assert covered(cut_off.sentences, circle) == cut_off.aspects


def test_compare_sorts_every_sentence_into_one_group() -> None:
    gold = Gold(FIGURE_1 | {"5": frozenset({200})}, results=frozenset({"4", "5"}))
    comparison = compare([106, 9, 3], gold)
    assert comparison.hits == (9, 106)
    assert comparison.extras == (3,)
    assert comparison.misses == (163, 200)  # the only sources of aspects 2 and 5
    assert comparison.spares == (69,)  # aspects 1 and 3 are covered already
    assert comparison.covered_by == {"1": (9,), "2": (), "3": (106,), "4": (106,), "5": ()}
    assert comparison.recall == 0.6
    assert comparison.best_recall == 0.8
    assert compare([106, 9, 3], gold, k=4).best_recall == 1.0


def test_compare_on_results_alone() -> None:
    gold = Gold(FIGURE_1, results=frozenset({"2", "4"})).results_only
    comparison = compare([9, 106], gold)
    assert (comparison.hits, comparison.extras, comparison.misses, comparison.spares) == ((106,), (9,), (163,), ())
    assert comparison.recall == 0.5


def test_compare_without_aspects_is_an_error() -> None:
    with pytest.raises(DatasetError):
        compare([1], Gold({}))


def test_optimal_and_best_equal_the_published_values(shared_data: Path) -> None:
    data = (shared_data / "evidencebench" / "evidencebench_train_set.json").read_bytes()
    raw = json.loads(data)
    checked = 0
    for instance in read_evidencebench(data, name="train.json").instances:
        record = raw[instance.id]
        for gold, prefix, k in ((instance.gold, "", 10), (instance.gold.results_only, "results_", 5)):
            at_k, at_optimal = (record[f"{prefix}evidence_retrieval_at_{x}_evaluation"] for x in (k, "optimal"))
            if at_k is None:  # a record without result aspects
                continue
            cover = best_cover(gold.aspects, k)
            assert cover.proven
            assert len(cover.aspects) == len(at_k["covered_aspects"]), instance.id
            assert optimal(gold.aspects) == at_optimal["optimal"], instance.id
            published = at_optimal["one_selection_of_sentences"]
            assert aspect_recall(published, gold.aspects) == 1.0
            checked += 1
    assert checked == 96 + 95
