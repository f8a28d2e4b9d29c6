"""Passages spread over papers: a worked example, and what holds for any list."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.library import Found, Passage, spread_order, spread_over_papers


def plainly(papers: list[str], amount: float) -> list[int]:
    """Maximal marginal relevance as it is defined, one choice after the other."""
    left, order = list(range(len(papers))), list[int]()

    def worth(place: int) -> float:
        relevance = 1 - place / len(papers)
        likeness = float(papers[place] in {papers[chosen] for chosen in order})
        return round(amount * relevance - (1 - amount) * likeness, 9)

    while left:
        best = max(left, key=lambda place: (worth(place), papers[place] not in {papers[one] for one in order}))
        left.remove(best)
        order.append(best)
    return order


def test_a_worked_example() -> None:
    # Ten passages: relevance 1.0, 0.9, 0.8 ... 0.1. With 0.8 a further passage of a paper costs 0.2 / 0.8 = 0.25 of
    # relevance: those of A at 0.9, 0.8, 0.7 and 0.4 count as 0.65, 0.55, 0.45 and 0.15; B at 0.6, C at 0.5 and D at 0.1
    # count in full, and what follows of B and C as 0.05 and -0.05.
    papers = list("AAAABCABCD")
    assert spread_order(papers, 0.8) == [0, 1, 4, 2, 5, 3, 6, 9, 7, 8]
    assert spread_order(papers, 0.0) == [0, 4, 5, 9, 1, 2, 3, 6, 7, 8], "every paper once, and then the rest"
    assert spread_order(papers, 1.0) == list(range(10))


@given(st.lists(st.sampled_from("ABCD"), max_size=25), st.sampled_from([0.0, 0.3, 0.55, 0.8, 0.9, 0.97, 1.0]))
def test_it_is_maximal_marginal_relevance(papers: list[str], amount: float) -> None:
    assert spread_order(papers, amount) == plainly(papers, amount)


def test_found_passages_are_reordered_and_none_is_lost() -> None:
    found = [
        Found(Passage(paper, place, "", "body", None, ("It helped.",), (0.5,)), 1.0, 0.5)
        for place, paper in enumerate("AAB")
    ]
    assert spread_over_papers(found, 1.0) == found
    assert [one.passage.first for one in spread_over_papers(found, 0.5)] == [0, 2, 1]
    assert spread_over_papers([], 0.5) == []
