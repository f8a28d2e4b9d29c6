"""The interface of risk-of-bias engines, the functions that call it, and the judging of all domains of a paper."""

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
    """An engine that finds support sentences and judges by them.

    Raises `NoAnswer`, with every step taken, if a language model gives no usable answer.
    """

    @property
    def name(self) -> str: ...

    def support(
        self, domain: Domain, paper: Paper, study: StudyContext, *, k: int, progress: Progress = silent
    ) -> Retrieved:
        """The `k` sentences most informative about the domain, best first."""
        ...

    def suggest(self, domain: Domain, paper: Paper, study: StudyContext, *, progress: Progress = silent) -> Suggestion:
        """The domain's level with its sentences and reason; if the engine cannot tell, the level is None."""
        ...

    def suggest_from_sentences(
        self, domain: Domain, sentences: Sequence[str], *, progress: Progress = silent
    ) -> Suggestion:
        """The same, from the given sentences only. Support indices point into `sentences`."""
        ...


@runtime_checkable
class PickingEngine(Protocol):
    """An engine that can choose which of several support judgements fits a study."""

    def pick(
        self,
        domain: Domain,
        paper: Paper,
        study: StudyContext,
        options: Sequence[str],
        *,
        progress: Progress = silent,
    ) -> Picked:
        """Choose the one that fits."""
        ...


@runtime_checkable
class LearnedEngine(Protocol):
    """An engine with variants trained without one domain, which show how well it does on unseen definitions."""

    def without(self, domain: str) -> BiasEngine:
        """The same engine, with no part trained on sentences of this domain of RoB 1."""
        ...


def suggest(
    domain: Domain, paper: Paper, study: StudyContext, *, engine: BiasEngine, progress: Progress = silent
) -> Suggestion:
    """Judge one domain of a study from its paper. The result includes the engine and the run."""
    return engine.suggest(domain, paper, study, progress=progress)


def judge(
    domain: Domain, paper: Paper, study: StudyContext, *, engine: BiasEngine, progress: Progress = silent
) -> Judgement:
    """Judge one domain of a study from its paper, and return only the judgement."""
    return suggest(domain, paper, study, engine=engine, progress=progress).judgement


def suggest_from_sentences(
    domain: Domain, sentences: Sequence[str], *, engine: BiasEngine, progress: Progress = silent
) -> Suggestion:
    """Judge one domain from the given sentences only: the second of two stages (RoBBR, section 6.3).

    Raises `QueryError` if no sentence has any text.
    """
    if not any(sentence.strip() for sentence in sentences):
        raise QueryError(
            "There is no sentence to judge. Give at least one, such as a reviewer's support for judgement."
        )
    return engine.suggest_from_sentences(domain, sentences, progress=progress)


def judge_from_sentences(domain: Domain, sentences: Sequence[str], *, engine: BiasEngine) -> Judgement:
    """Judge one domain from the given sentences only, and return only the judgement."""
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
    """Choose which of several support judgements fits the study (RoBBR, section 4.5).

    Raises `EngineError` if the engine cannot choose, `QueryError` for fewer than 2 options or more than 26.
    """
    picker = must_pick(engine)
    if not 2 <= len(options) <= MOST_OPTIONS:
        raise QueryError(f"There are {len(options)} support judgements: give 2 to {MOST_OPTIONS} to choose from.")
    return picker.pick(domain, paper, study, options, progress=progress)


def must_pick(engine: BiasEngine) -> PickingEngine:
    """The engine, if it can choose among support judgements. Raises `EngineError` if it cannot."""
    if not isinstance(engine, PickingEngine):
        raise EngineError(
            f"The engine {engine.name} cannot choose among support judgements. Name a language model, as openai:MODEL."
        )
    return engine


# ---- all domains of a paper: one after another, or concurrently for a language model ----

_TICK = 0.2  # seconds between progress reports while waiting, so that a cancel is noticed


@dataclass(frozen=True, slots=True)
class DomainOutcome:
    """The outcome of a domain: a suggestion, or the error that prevented it (`NoAnswer` has every step)."""

    domain: Domain
    suggestion: Suggestion | None = None
    error: VouchError | None = None


def suggest_each(
    domains: Sequence[Domain], paper: Paper, study: StudyContext, *, engine: BiasEngine, progress: Progress = silent
) -> Iterator[DomainOutcome]:
    """Yield each domain's outcome as it is ready. Raising from `progress`, or leaving the loop, cancels the rest.

    A language model is asked about the first domain alone, so that the provider has cached the paper when the others follow,
    all at once. If an error would recur for every domain, the remaining ones get it without being tried.
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
            cancelled.set()  # stops running domains at their next progress report


def _counted(domains: int) -> str:
    return f"{domains} domain{'s' * (domains != 1)}"


class _Cancelled(Exception):
    """Stops a running domain after a cancel."""


def _outcome(
    domain: Domain, *, paper: Paper, study: StudyContext, engine: BiasEngine, progress: Progress
) -> DomainOutcome:
    try:
        return DomainOutcome(domain, engine.suggest(domain, paper, study, progress=progress))
    except VouchError as error:
        return DomainOutcome(domain, error=error)


def _share(progress: Progress, number: int, of: int, *, many: int = 1) -> Progress:
    """Progress on `many` of the domains, starting at `number`, as a share of the total."""
    return lambda done, step: progress((number + done * many) / of, step)


def stops_everything(error: VouchError) -> bool:
    """Whether every further question would fail in the same way: no key, no credit, no server, no budget left."""
    if not isinstance(error, NoAnswer):
        return False
    from core.llm.runner import HOPELESS  # only needed if a language model fails  # noqa: PLC0415

    return isinstance(error.cause, (*HOPELESS, BudgetUsedUp))
