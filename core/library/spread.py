"""Spread passages over papers: maximal marginal relevance (Carbonell and Goldstein 1998), with similarity by paper."""

from __future__ import annotations

from collections.abc import Sequence

from core.library.model import Found


def spread_over_papers(found: Sequence[Found], amount: float) -> list[Found]:
    """The passages, given best first, reordered by `spread_order`. An `amount` of 1 leaves the order as it is."""
    return [found[place] for place in spread_order([one.passage.paper for one in found], amount)]


def spread_order(papers: Sequence[str], amount: float) -> list[int]:
    """The indices of passages in their new order, given the paper of each, best passage first.

    The next one is always that with the greatest `amount` * relevance - (1 - `amount`) * similarity. Relevance
    decreases linearly from 1 to 0 along the list, because ranks of different searches can be compared but scores
    cannot. Similarity is 1 if the paper already has a passage, else 0. So every passage but the first of a paper moves
    back by (1 - amount) / amount of the list's length. With an `amount` of 0, each paper gets one passage before any
    gets two.
    """
    if amount >= 1 or not papers:
        return list(range(len(papers)))
    order: list[int] = []
    firsts = [place for place, paper in enumerate(papers) if papers.index(paper) == place]
    others = [place for place, paper in enumerate(papers) if papers.index(paper) < place]
    behind = round((1 - amount) / amount * len(papers), 6) if amount > 0 else float("inf")
    # The best is at the head of one of two queues, both in order of rank. A paper's first passage is always taken before
    # its others, because it comes earlier in the list and is never moved back.
    while firsts and others:
        order.append((firsts if firsts[0] <= others[0] + behind else others).pop(0))
    return [*order, *firsts, *others]
