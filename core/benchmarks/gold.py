"""Gold evidence: which sentences are sources of information for which study aspects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.paper import Paper


@dataclass(frozen=True, slots=True)
class Gold:
    """The evidence set of one hypothesis (EvidenceBench, section 2.1).

    `aspects` maps each study aspect to the indices, into `paper.sentences`, of the sentences that cover it.
    """

    aspects: Mapping[str, frozenset[int]]
    results: frozenset[str] = frozenset()  # the aspects that are results or analyses (Result-ER, section 2.2)
    labels: Mapping[str, str] | None = None  # an aspect's wording, where the file gives one


@dataclass(frozen=True, slots=True)
class Instance:
    """One task instance: a hypothesis, its paper and its gold."""

    id: str
    hypothesis: str
    paper: Paper
    gold: Gold
