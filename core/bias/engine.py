"""What every engine for risk of bias can do, the questions that are put to it, and all domains of a paper at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import Protocol, runtime_checkable

from core.bias.assessment import Suggestion
from core.bias.model import Domain, Judgement, Picked, Retrieved, StudyContext
from core.engines import asks_model
from core.errors import BudgetUsedUp, EngineError, QueryError, VouchError
from core.grounding.model import NoAnswer
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


@runtime_checkable
class LearnedEngine(Protocol):
    """One that can do as if it had never learned of a domain, which tells what it is worth on another's definition."""

    def without(self, domain: str) -> BiasEngine:
        """The same engine, of which no part has learned from the sentences of this domain of RoB 1."""
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


# ---- all domains of a paper: one after another, or many at a time by a model that answers from elsewhere ----

_TICK = 0.2  # seconds between reports while nothing comes, so that a cancel is noticed


@dataclass(frozen=True, slots=True)
class DomainOutcome:
    """What came of a domain: a suggestion, or the error that kept it away (`NoAnswer` tells every step)."""

    domain: Domain
    suggestion: Suggestion | None = None
    error: VouchError | None = None


def suggest_each(
    domains: Sequence[Domain], paper: Paper, study: StudyContext, *, engine: BiasEngine, progress: Progress = silent
) -> Iterator[DomainOutcome]:
    """Each domain's outcome as it comes. Raising from `progress`, or leaving the loop, cancels the rest.

    A language model is asked about the first domain alone, so that the provider has the paper in its cache when the
    others follow, all at once. What would fail again in the same way is not tried again.
    """
    judged = partial(_outcome, paper=paper, study=study, engine=engine)
    ahead = domains[:1] if asks_model(engine.name) else domains
    for number, domain in enumerate(ahead):
        outcome = judged(domain, progress=_share(progress, number, len(domains)))
        yield outcome
        if outcome.error is not None and stops_everything(outcome.error):
            yield from (DomainOutcome(other, error=outcome.error) for other in domains[number + 1 :])
            return
    if rest := domains[len(ahead) :]:
        yield from _at_once(rest, judged, _share(progress, len(ahead), len(domains), many=len(rest)))
    progress(1.0, "Done")


def _at_once(
    domains: Sequence[Domain], judged: Callable[..., DomainOutcome], progress: Progress
) -> Iterator[DomainOutcome]:
    cancelled = Event()

    def stop_if_cancelled(done: float, step: str) -> None:
        if cancelled.is_set():
            raise _Cancelled

    with ThreadPoolExecutor(len(domains)) as pool:
        waiting = {pool.submit(judged, domain, progress=stop_if_cancelled) for domain in domains}
        try:
            while waiting:
                progress(1 - len(waiting) / len(domains), f"Waiting for {_counted(len(waiting))}")
                done, waiting = wait(waiting, _TICK, FIRST_COMPLETED)
                for task in done:
                    yield task.result()
        finally:
            cancelled.set()  # reaches those in hand at their next report


def _counted(domains: int) -> str:
    return f"{domains} domain{'s' * (domains != 1)}"


class _Cancelled(Exception):
    """Ends a domain in hand after a cancel."""


def _outcome(
    domain: Domain, *, paper: Paper, study: StudyContext, engine: BiasEngine, progress: Progress
) -> DomainOutcome:
    try:
        return DomainOutcome(domain, engine.suggest(domain, paper, study, progress=progress))
    except VouchError as error:
        return DomainOutcome(domain, error=error)


def _share(progress: Progress, number: int, of: int, *, many: int = 1) -> Progress:
    """Progress on some of all domains, as a share of the whole."""
    return lambda done, step: progress((number + done * many) / of, step)


def stops_everything(error: VouchError) -> bool:
    """Whether whatever is asked next would fail in the same way: no key, no credit, no server, no budget left."""
    if not isinstance(error, NoAnswer):
        return False
    from core.llm.runner import HOPELESS  # only a language model's failure comes here  # noqa: PLC0415

    return isinstance(error.cause, (*HOPELESS, BudgetUsedUp))
