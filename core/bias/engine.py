"""What every engine for risk of bias can do, and the questions a reviewer asks of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from core.bias.assessment import Suggestion
from core.bias.model import Domain, Judgement, Picked, Retrieved, StudyContext
from core.errors import EngineError, QueryError
from core.paper import Paper
from core.progress import Progress, silent

SUPPORT_SENTENCES = 5  # shown for a domain
MOST_OPTIONS = 26  # each has a letter


class BiasEngine(Protocol):
    """A named way of finding support sentences and judging by them.

    Where a language model is asked in vain, `NoAnswer` is raised, with every step that was made.
    """

    @property
    def name(self) -> str: ...

    def support(
        self, domain: Domain, paper: Paper, study: StudyContext, *, k: int, progress: Progress = silent
    ) -> Retrieved:
        """The `k` sentences that tell most about the domain, best first."""
        ...

    def suggest(self, domain: Domain, paper: Paper, study: StudyContext, *, progress: Progress = silent) -> Suggestion:
        """The domain's level with its sentences and reason; a level of None where the engine cannot tell, with why."""
        ...

    def suggest_from_sentences(
        self, domain: Domain, sentences: Sequence[str], *, progress: Progress = silent
    ) -> Suggestion:
        """The same from given sentences alone. Support indices point into `sentences`."""
        ...


@runtime_checkable
class PickingEngine(Protocol):
    """One that can tell which of several support judgements fits a study."""

    def pick(
        self,
        domain: Domain,
        paper: Paper,
        study: StudyContext,
        options: Sequence[str],
        *,
        progress: Progress = silent,
    ) -> Picked:
        """The one that fits."""
        ...


def suggest(
    domain: Domain, paper: Paper, study: StudyContext, *, engine: BiasEngine, progress: Progress = silent
) -> Suggestion:
    """Judge one domain of a study from its paper, and tell how."""
    return engine.suggest(domain, paper, study, progress=progress)


def judge(
    domain: Domain, paper: Paper, study: StudyContext, *, engine: BiasEngine, progress: Progress = silent
) -> Judgement:
    """The same without how."""
    return suggest(domain, paper, study, engine=engine, progress=progress).judgement


def suggest_from_sentences(
    domain: Domain, sentences: Sequence[str], *, engine: BiasEngine, progress: Progress = silent
) -> Suggestion:
    """Judge one domain from given sentences alone: the second of two stages (RoBBR, section 6.3).

    Raises `QueryError` if no sentence holds any text.
    """
    if not any(sentence.strip() for sentence in sentences):
        raise QueryError(
            "There is no sentence to judge. Give at least one, such as a reviewer's support for judgement."
        )
    return engine.suggest_from_sentences(domain, sentences, progress=progress)


def judge_from_sentences(domain: Domain, sentences: Sequence[str], *, engine: BiasEngine) -> Judgement:
    """The same without how."""
    return suggest_from_sentences(domain, sentences, engine=engine).judgement


def pick(
    domain: Domain,
    paper: Paper,
    study: StudyContext,
    options: Sequence[str],
    *,
    engine: BiasEngine,
    progress: Progress = silent,
) -> Picked:
    """Which of several support judgements fits the study (RoBBR, section 4.5).

    Raises `EngineError` if the engine cannot tell, `QueryError` for fewer than 2 options or more than 26.
    """
    picker = must_pick(engine)
    if not 2 <= len(options) <= MOST_OPTIONS:
        raise QueryError(f"There are {len(options)} support judgements: give 2 to {MOST_OPTIONS} to choose from.")
    return picker.pick(domain, paper, study, options, progress=progress)


def must_pick(engine: BiasEngine) -> PickingEngine:
    """The engine, if it can tell which support judgement fits. Raises `EngineError` if not."""
    if not isinstance(engine, PickingEngine):
        raise EngineError(
            f"The engine {engine.name} cannot choose among support judgements. Name a language model, as openai:MODEL."
        )
    return engine
