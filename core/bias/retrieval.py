"""`bm25` and `embedding` for risk of bias: the evidence engines, asked with the domain's own definition."""

from __future__ import annotations

from collections.abc import Sequence

from core.bias.assessment import Suggestion
from core.bias.engine import SUPPORT_SENTENCES
from core.bias.model import Domain, Judgement, Retrieved, StudyContext, Support
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
    ) -> Retrieved:
        return retrieved(self._engine, domain, paper, k=k, progress=progress)

    def suggest(self, domain: Domain, paper: Paper, study: StudyContext, *, progress: Progress = silent) -> Suggestion:
        found = self.support(domain, paper, study, k=SUPPORT_SENTENCES, progress=progress)
        return Suggestion(self.name, Judgement(domain.id, None, self._no_level(domain), found.support))

    def suggest_from_sentences(
        self, domain: Domain, sentences: Sequence[str], *, progress: Progress = silent
    ) -> Suggestion:
        return Suggestion(self.name, Judgement(domain.id, None, self._no_level(domain)))

    def _no_level(self, domain: Domain) -> str:
        return (
            f"No judgement: the engine {self.name} finds the sentences nearest to what “{domain.name}” asks for, "
            "and gives no level."
        )


def retrieved(engine: EvidenceEngine, domain: Domain, paper: Paper, *, k: int, progress: Progress) -> Retrieved:
    """The `k` sentences that an evidence engine finds for a domain's own words."""
    found = engine.find(paper, EvidenceQuery(query_of(domain), k=k), progress=progress)
    return Retrieved(tuple(Support(sentence.index, sentence.score) for sentence in found.sentences))


def query_of(domain: Domain) -> str:
    """The domain in words, as a question to an evidence engine: its criteria name what such sentences speak of."""
    words = " ".join([f"{domain.name}.", domain.definition, *domain.criteria.values()]).split()
    return " ".join(words[:MAX_HYPOTHESIS_WORDS])
