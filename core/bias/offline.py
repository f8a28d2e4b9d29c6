"""`offline` for risk of bias: a trained ranker finds the sentences. It needs no key, no network and no encoder."""

from __future__ import annotations

from collections.abc import Sequence

from core.bias.engine import SUPPORT_SENTENCES
from core.bias.model import Domain, Judgement, StudyContext, Support
from core.bias.ranker.ranking import ranked
from core.bias.ranker.topics import TOPICS_OF
from core.bias.retrieval import query_of
from core.evidence import EvidenceQuery, engine_named
from core.paper import Paper
from core.progress import Progress, silent
from core.settings import Settings


class OfflineEngine:
    """Ranks with the shipped model."""

    name = "offline"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def support(
        self, domain: Domain, paper: Paper, study: StudyContext, *, k: int, progress: Progress = silent
    ) -> tuple[Support, ...]:
        """A domain that the model was not trained for is searched as evidence for its own definition."""
        if domain.id in TOPICS_OF:
            return ranked(domain.id, paper, k=k)
        engine = engine_named("offline", settings=self._settings)
        found = engine.find(paper, EvidenceQuery(query_of(domain), k=k), progress=progress)
        return tuple(Support(sentence.index, sentence.score) for sentence in found.sentences)

    def judge(self, domain: Domain, paper: Paper, study: StudyContext, *, progress: Progress = silent) -> Judgement:
        support = self.support(domain, paper, study, k=SUPPORT_SENTENCES, progress=progress)
        return Judgement(domain.id, None, "No judgement: no rule of the engine offline decides this domain.", support)

    def judge_from_sentences(self, domain: Domain, sentences: Sequence[str]) -> Judgement:
        return Judgement(domain.id, None, "No judgement: no rule of the engine offline decides this domain.")
