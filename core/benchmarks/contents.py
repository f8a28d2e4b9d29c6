"""What an item holds, whatever its task: the paper that is asked about, and the sentences that its gold names."""

from __future__ import annotations

from typing import Any

from core.benchmarks.bias_papers import PaperGold
from core.benchmarks.gold import Gold
from core.benchmarks.model import Item
from core.benchmarks.robbr import Case, SupportGold
from core.paper import Paper


def paper_of(item: Item[Any, Any]) -> Paper | None:
    """The paper that an item asks about; None where it asks about sentences alone."""
    question = item.question
    for holder in (question, getattr(question, "case", None)):
        paper = getattr(holder, "paper", None)
        if isinstance(paper, Paper):
            return paper
    return None


def case_of(item: Item[Any, Any]) -> Case | None:
    """The bias and study that an item of RoBBR asks about; None for items of other data."""
    found = getattr(item.question, "case", item.question)
    return found if isinstance(found, Case) else None


def gold_of(item: Item[Any, Any]) -> Gold | None:
    """The gold as aspects and their sentences; a set of sentences is one aspect. None where it names no sentence."""
    match item.gold:
        case Gold() as gold:
            return gold
        case SupportGold(gold=gold):
            return gold
        case (frozenset() as sentences) | PaperGold(support=frozenset() as sentences) if sentences:
            return Gold({"gold": sentences}, labels={"gold": "Sentences that are gold"})
        case _:
            return None


def gold_sentences(item: Item[Any, Any]) -> frozenset[int] | None:
    """The indices of the sentences that are gold; None where gold names no sentence."""
    gold = gold_of(item)
    return None if gold is None else frozenset(index for covering in gold.aspects.values() for index in covering)
