"""What every engine for risk of bias can do, and the two questions a reviewer asks of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.bias.model import Domain, Judgement, StudyContext, Support
from core.errors import QueryError
from core.paper import Paper
from core.progress import Progress, silent

SUPPORT_SENTENCES = 5  # shown for a domain


class BiasEngine(Protocol):
    """A named way of finding support sentences and judging by them."""

    @property
    def name(self) -> str: ...

    def support(
        self, domain: Domain, paper: Paper, study: StudyContext, *, k: int, progress: Progress = silent
    ) -> tuple[Support, ...]:
        """The `k` sentences that tell most about the domain, best first."""
        ...

    def judge(self, domain: Domain, paper: Paper, study: StudyContext, *, progress: Progress = silent) -> Judgement:
        """The domain's level with its sentences and reason; a level of None where the engine cannot tell, with why."""
        ...

    def judge_from_sentences(self, domain: Domain, sentences: Sequence[str]) -> Judgement:
        """The same from given sentences alone. Support indices point into `sentences`."""
        ...


def judge(
    domain: Domain, paper: Paper, study: StudyContext, *, engine: BiasEngine, progress: Progress = silent
) -> Judgement:
    """Judge one domain of a study from its whole paper."""
    return engine.judge(domain, paper, study, progress=progress)


def judge_from_sentences(domain: Domain, sentences: Sequence[str], *, engine: BiasEngine) -> Judgement:
    """Judge one domain from given sentences alone: the second of two stages (RoBBR, section 6.3).

    Raises `QueryError` if no sentence holds any text.
    """
    if not any(sentence.strip() for sentence in sentences):
        raise QueryError(
            "There is no sentence to judge. Give at least one, such as a reviewer's support for judgement."
        )
    return engine.judge_from_sentences(domain, sentences)
