"""`bm25` and `embedding` for risk of bias: the evidence engines, asked with the domain's own definition."""

from __future__ import annotations

from collections.abc import Sequence

from core.bias.engine import SUPPORT_SENTENCES
from core.bias.model import Domain, Judgement, StudyContext, Support
from core.evidence.model import MAX_HYPOTHESIS_WORDS, EvidenceEngine, EvidenceQuery
from core.paper import Paper
from core.progress import Progress, silent


class RetrievalEngine:
    """Finds sentences and judges nothing, which it says in words."""

    def __init__(self, engine: EvidenceEngine) -> None:
        self._engine = engine
        self.name = engine.name

    def support(
        self, domain: Domain, paper: Paper, study: StudyContext, *, k: int, progress: Progress = silent
    ) -> tuple[Support, ...]:
        found = self._engine.find(paper, EvidenceQuery(query_of(domain), k=k), progress=progress)
        return tuple(Support(sentence.index, sentence.score) for sentence in found.sentences)

    def judge(self, domain: Domain, paper: Paper, study: StudyContext, *, progress: Progress = silent) -> Judgement:
        support = self.support(domain, paper, study, k=SUPPORT_SENTENCES, progress=progress)
        return Judgement(domain.id, None, self._no_level(domain), support)

    def judge_from_sentences(self, domain: Domain, sentences: Sequence[str]) -> Judgement:
        return Judgement(domain.id, None, self._no_level(domain))

    def _no_level(self, domain: Domain) -> str:
        return (
            f"No judgement: the engine {self.name} finds the sentences nearest to what “{domain.name}” asks for, "
            "and gives no level."
        )


def query_of(domain: Domain) -> str:
    """The domain in words, as a question to an evidence engine: its criteria name what such sentences speak of."""
    words = " ".join([f"{domain.name}.", domain.definition, *domain.criteria.values()]).split()
    return " ".join(words[:MAX_HYPOTHESIS_WORDS])
