"""Gold evidence: which sentences are sources of information for which study aspects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.paper import Paper


@dataclass(frozen=True, slots=True)
class Gold:
    """The evidence set of one hypothesis (EvidenceBench, section 2.1).

    `aspects` maps each study aspect to the indices, into `paper.sentences`, of the sentences that cover it.
    """

    aspects: Mapping[str, frozenset[int]]
    results: frozenset[str] = frozenset()  # the aspects that are results or analyses (Result-ER, section 2.2)
    labels: Mapping[str, str] | None = None  # an aspect's wording, where the file gives one

    @property
    def results_only(self) -> Gold:
        """The gold of Result-ER: without the aspects on background and methods (EvidenceBench, section 2.2)."""
        return replace(
            self, aspects={aspect: self.aspects[aspect] for aspect in self.aspects if aspect in self.results}
        )

    @property
    def by_sentence(self) -> dict[int, tuple[str, ...]]:
        """Each gold sentence's index, ascending, and the aspects that it covers."""
        indices = sorted({index for covering in self.aspects.values() for index in covering})
        return {i: tuple(aspect for aspect, covering in self.aspects.items() if i in covering) for i in indices}

    def label(self, aspect: str) -> str:
        """The aspect's wording, or its id where the file gives no wording."""
        return (self.labels or {}).get(aspect, aspect)


@dataclass(frozen=True, slots=True)
class Instance:
    """One task instance: a hypothesis, its paper and its gold."""

    id: str
    hypothesis: str
    paper: Paper
    gold: Gold
    paraphrases: tuple[str, ...] = ()  # the same hypothesis in other words, where the file gives them
