"""A paper's domains judged one after another, or many at a time by a model that answers from elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from threading import Event

from core.bias.assessment import Suggestion
from core.bias.engine import BiasEngine
from core.bias.model import Domain, StudyContext
from core.errors import BudgetUsedUp, VouchError
from core.evidence.engines import asks_a_model
from core.evidence.model import NoAnswer
from core.paper import Paper
from core.progress import Progress, silent

_TICK = 0.2  # seconds between reports while nothing comes, so that a cancel is noticed


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a domain: a suggestion, or the error that kept it away (`NoAnswer` tells every step)."""

    domain: Domain
    suggestion: Suggestion | None = None
    error: VouchError | None = None


def suggest_each(
    domains: Sequence[Domain], paper: Paper, study: StudyContext, *, engine: BiasEngine, progress: Progress = silent
) -> Iterator[Outcome]:
    """Each domain's outcome as it comes. Raising from `progress`, or leaving the loop, cancels the rest.

    A language model is asked about the first domain alone, so that the provider has the paper in its cache when the
    others follow, all at once. What would fail again in the same way is not tried again.
    """
    judged = partial(_outcome, paper=paper, study=study, engine=engine)
    ahead = domains[:1] if asks_a_model(engine.name) else domains
    for number, domain in enumerate(ahead):
        outcome = judged(domain, progress=_share(progress, number, len(domains)))
        yield outcome
        if outcome.error is not None and stops_everything(outcome.error):
            yield from (Outcome(other, error=outcome.error) for other in domains[number + 1 :])
            return
    if rest := domains[len(ahead) :]:
        yield from _at_once(rest, judged, _share(progress, len(ahead), len(domains), many=len(rest)))
    progress(1.0, "Done")


def _at_once(domains: Sequence[Domain], judged: Callable[..., Outcome], progress: Progress) -> Iterator[Outcome]:
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


def _outcome(domain: Domain, *, paper: Paper, study: StudyContext, engine: BiasEngine, progress: Progress) -> Outcome:
    try:
        return Outcome(domain, engine.suggest(domain, paper, study, progress=progress))
    except VouchError as error:
        return Outcome(domain, error=error)


def _share(progress: Progress, number: int, of: int, *, many: int = 1) -> Progress:
    """Progress on some of all domains, as a share of the whole."""
    return lambda done, step: progress((number + done * many) / of, step)


def stops_everything(error: VouchError) -> bool:
    """Whether whatever is asked next would fail in the same way: no key, no credit, no server, no budget left."""
    if not isinstance(error, NoAnswer):
        return False
    from core.llm.runner import HOPELESS  # only a language model's failure comes here  # noqa: PLC0415

    return isinstance(error.cause, (*HOPELESS, BudgetUsedUp))
