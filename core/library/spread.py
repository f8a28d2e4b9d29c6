"""Passages spread over papers: maximal marginal relevance (Carbonell and Goldstein 1998) with papers for likeness."""

from __future__ import annotations

from collections.abc import Sequence

from core.library.model import Found


def spread_over_papers(found: Sequence[Found], amount: float) -> list[Found]:
    """The same passages, which come best first, reordered by `spread_order`. 1.0 leaves them as they are."""
    return [found[place] for place in spread_order([one.passage.paper for one in found], amount)]


def spread_order(papers: Sequence[str], amount: float) -> list[int]:
    """The places of passages in the order in which to take them, given the paper of each, best passage first.

    Next comes always the one with the greatest `amount` * relevance - (1 - amount) * likeness. Relevance falls evenly from
    1 to 0 along the list: scores of different searches cannot be compared, ranks can. Likeness is 1 to a paper that has a
    passage already, else 0. So every passage of a paper but its first falls behind by (1 - amount) / amount of the list's
    length; with 0 each paper has one passage before any has two.
    """
    if amount >= 1 or not papers:
        return list(range(len(papers)))
    order: list[int] = []
    firsts = [place for place, paper in enumerate(papers) if papers.index(paper) == place]
    others = [place for place, paper in enumerate(papers) if papers.index(paper) < place]
    behind = round((1 - amount) / amount * len(papers), 6) if amount > 0 else float("inf")
    # The best is at the head of one of two queues, both in order of rank. A paper's first passage is always taken before
    # its others: it comes earlier in the list, and nothing puts it back.
    while firsts and others:
        order.append((firsts if firsts[0] <= others[0] + behind else others).pop(0))
    return [*order, *firsts, *others]
