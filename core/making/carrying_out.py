"""Run a pipeline over all candidates, live, on a cluster or with batch files; a run that was stopped can be continued.

Candidates are read one by one, and results are written in their order. So memory does not grow with the number of
reviews, and a run that was killed and started again produces the same files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from core.errors import DatasetError, QueryError
from core.grounding.questions import Asker, Price, Prompts, Stages, run_plan
from core.llm import Budget, CostEstimate, ModelName, Request, estimate, open_model, open_runner
from core.llm.batch import POLL, BatchFolder, BatchRunner, Waiting, submit
from core.llm.costs import NO_LIMIT
from core.llm.provider import ServerModel
from core.making.journal import Journal
from core.making.outcome import Outcome
from core.making.output import write_files
from core.progress import Progress, silent
from core.work.identity import fingerprint
from core.work.pools import ThreadWorkers, WorkerPool, once_per_process, work_through

NO_BUDGET_ON_CLUSTER = "The workers of a cluster share no budget. Leave it out, and limit the run with --limit."
AT_ONCE = 8  # candidates that are processed at a time; each asks many questions at once
_WAVE = 2_000  # candidates whose requests are in batches at a time
_SAMPLE = 20  # candidates from which the total cost is estimated


class Keyed(Protocol):
    """A candidate, from which a pipeline may make records."""

    @property
    def key(self) -> str: ...

    @property
    def review(self) -> str: ...

    @property
    def excluded(self) -> str: ...


C = TypeVar("C", bound=Keyed)
P = TypeVar("P")  # a candidate with the texts for its questions


class Pipeline(Protocol[C, P]):
    """Turns candidates into records."""

    name: str
    prompts: Prompts
    source: Path

    def data(self) -> Mapping[str, Any]:
        """The inputs besides model and prompts, by names for people. They must not change when a run is continued."""
        ...

    def candidates(self) -> Iterator[C]:
        """All candidates, always in the same order."""
        ...

    def prepared(self, candidate: C) -> P | str:
        """The candidate with its paper, or why it cannot be used. Not called for excluded candidates."""
        ...

    def plan(self, prepared: P, price: Price) -> Stages[Outcome]:
        """The plan that asks the questions and returns the outcome. May raise `ModelError`."""
        ...

    def expected_requests(self, prepared: P) -> Iterator[Request]:
        """The approximate requests for a candidate."""
        ...


@dataclass(frozen=True, slots=True)
class RunEstimate:
    """What a run will ask, estimated before it starts."""

    candidates: int  # candidates that are not excluded
    sampled: int  # candidates from which the estimate was made
    estimate: CostEstimate | None  # None: none of the sampled candidates can be used


@dataclass(frozen=True, slots=True)
class BatchStage:
    """Requests that must be answered before the run can continue."""

    files: tuple[Path, ...]
    requests: int


@dataclass(frozen=True, slots=True)
class Making(Generic[C, P]):
    """A pipeline, a model, and the output folder."""

    pipeline: Pipeline[C, P]
    model: ModelName
    out: Path
    test_share: float
    limit: int | None = None  # use only the first so many candidates

    def estimated(self, *, batch: bool = False) -> RunEstimate:
        """An estimate of the whole run from the first candidates, if no answer has faults. Nothing is sent."""
        usable = 0
        requests: list[CostEstimate] = []
        tried = 0
        for candidate in self._candidates():
            usable += not candidate.excluded
            if candidate.excluded or tried == _SAMPLE:
                continue
            tried += 1
            prepared = self.pipeline.prepared(candidate)
            if not isinstance(prepared, str):
                asked = self.pipeline.expected_requests(prepared)
                requests.append(estimate(asked, f"{self.model.provider}:{self.model.model}", batch=batch))
        if not requests:
            return RunEstimate(usable, tried, None)
        return RunEstimate(usable, tried, _scaled(requests, usable / tried))

    def live(
        self,
        *,
        budget: Budget | None = None,
        key: str | None = None,
        at_once: int = AT_ONCE,
        cluster: str | None = None,
        progress: Progress = silent,
    ) -> list[Path]:
        """Run live, in this process or with the workers of a Dask scheduler, and write the files.

        Raises `ModelError` if the model cannot be asked any more (results are kept, and the same call continues), and
        `QueryError` for a budget on a cluster.
        """
        if cluster is not None:
            if budget is not None:
                raise QueryError(NO_BUDGET_ON_CLUSTER)
            self._work(_on_cluster(self.pipeline, self.model, cluster), progress)
            return write_files(self.out, test_share=self.test_share)
        with open_runner(self.model, key=key, budget=budget or NO_LIMIT) as runner:
            return self.asking(runner, at_once=at_once, progress=progress)

    def asking(self, asker: Asker, *, at_once: int = AT_ONCE, progress: Progress = silent) -> list[Path]:
        """Run with any asker, and write the files. Raises as `live` does."""
        self._work(ThreadWorkers(partial(_carried_out, self.pipeline.plan, asker), at_once=at_once), progress)
        return write_files(self.out, test_share=self.test_share)

    def advance(
        self, folder: Path, *, results: Path | None = None, progress: Progress = silent
    ) -> list[Path] | BatchStage:
        """Continue as far as the results in batch files allow: to the requests of the next stage, or to the files.

        `results` is a file of results to store first. Nothing is sent, and no key is needed.
        """
        return self._advance(open_model(self.model, sends=False), folder, results, progress)

    def submit(self, folder: Path, *, poll: float = POLL, progress: Progress = silent) -> list[Path]:
        """Submit every stage to the provider, wait for it, and write the files.

        It can be interrupted and called again.
        """
        model = open_model(self.model)
        while isinstance(stage := self._advance(model, folder, None, progress), BatchStage):
            for file in stage.files:
                submit(model, BatchFolder(file.parent), file, progress=progress, poll=poll)
        return stage

    def _candidates(self) -> Iterator[C]:
        return islice(self.pipeline.candidates(), self.limit)

    def _journal(self) -> Journal:
        setup: Mapping[str, Any] = {
            "pipeline": self.pipeline.name,
            "model": f"{self.model.provider}:{self.model.model}",
            "source": self.pipeline.source.name,
            **self.pipeline.data(),
            "prompts": [list(prompt) for prompt in self.pipeline.prompts],
        }
        return Journal(self.out, setup)

    def _undone(self, journal: Journal) -> Iterator[tuple[int, C]]:
        """The candidates that are not done, with their indices."""
        found = self._candidates()
        journal.skip(candidate.key for candidate in islice(found, journal.next))
        yield from enumerate(found, journal.next)

    def _work(self, pool: WorkerPool[P, Outcome], progress: Progress) -> None:
        name = f"{self.model.provider}:{self.model.model}"
        with self._journal() as journal, pool:

            def jobs() -> Iterator[tuple[int, P]]:
                for place, candidate in self._undone(journal):
                    prepared = candidate.excluded or self.pipeline.prepared(candidate)
                    if isinstance(prepared, str):
                        journal.take(place, _dropped(candidate, prepared).line(name, batch=False))
                    else:
                        yield place, prepared

            def keep(place: int, outcome: Outcome) -> None:
                journal.take(place, outcome.line(name, batch=False))

            def report() -> None:
                progress(0.0, f"{journal.next:,} candidates done")

            work_through(jobs(), pool, keep=keep, report=report)

    def _advance(
        self, model: ServerModel, folder: Path, results: Path | None, progress: Progress
    ) -> list[Path] | BatchStage:
        with self._journal() as journal:
            undone = self._undone(journal)
            while (first := next(undone, None)) is not None:
                wave = first[0] // _WAVE
                files = BatchFolder(folder / f"wave-{wave + 1:04}")
                if results is not None:
                    files.take(results.read_bytes(), name=results.name)
                    results = None
                runner = BatchRunner(model, files.results())
                here = islice(undone, (wave + 1) * _WAVE - first[0] - 1)
                for place, candidate in (first, *here):
                    progress(0.0, f"Candidate {place + 1:,}")
                    prepared = candidate.excluded or self.pipeline.prepared(candidate)
                    with suppress(Waiting):
                        outcome = (
                            _dropped(candidate, prepared)
                            if isinstance(prepared, str)
                            else run_plan(self.pipeline.plan(prepared, runner.cost_of), runner, silent)
                        )
                        journal.take(place, outcome.line(runner.name, batch=True))
                if runner.pending:
                    return BatchStage(files.ask(model, runner.pending), len(runner.pending))
        return write_files(self.out, test_share=self.test_share)


def _carried_out(plan: Callable[[P, Price], Stages[Outcome]], asker: Asker, prepared: P, progress: Progress) -> Outcome:
    return run_plan(plan(prepared, asker.cost_of), asker, progress)


def _dropped(candidate: Keyed, reason: str) -> Outcome:
    return Outcome(candidate.key, candidate.review, dropped=reason)


def _scaled(estimates: list[CostEstimate], times: float) -> CostEstimate:
    """The sum of the sampled candidates' estimates, scaled to all candidates."""

    def money(values: list[float | None]) -> float | None:
        return None if None in values else sum(value for value in values if value is not None) * times

    return CostEstimate(
        round(sum(one.calls for one in estimates) * times),
        round(sum(one.input_tokens for one in estimates) * times),
        round(sum(one.least_output_tokens for one in estimates) * times),
        round(sum(one.most_output_tokens for one in estimates) * times),
        money([one.least_usd for one in estimates]),
        money([one.most_usd for one in estimates]),
    )


# ---- cluster ----


def _on_cluster(pipeline: Pipeline[C, P], model: ModelName, address: str) -> WorkerPool[P, Outcome]:
    from core.work.cluster import ClusterWorkers  # loads Dask  # noqa: PLC0415

    name = f"{model.provider}:{model.model}"
    do = partial(_in_worker, pipeline.plan, model)
    return ClusterWorkers(do, address, fingerprint=partial(_fingerprint, name, pipeline.prompts), lost=_lost)


def _fingerprint(model: str, prompts: Prompts) -> str:
    """What a worker must share with this machine: everything that its questions depend on, and this package's code."""
    own = [sha256(file.read_bytes()).hexdigest() for file in sorted(Path(__file__).parent.glob("*.py"))]
    return " ".join([fingerprint(("bias", "evidence", "summary"), model), *own, *(hash for _, hash in prompts)])


def _in_worker(
    plan: Callable[[P, Price], Stages[Outcome]], model: ModelName, prepared: P, progress: Progress
) -> Outcome:
    """Run a plan in a worker, with the worker's own key and cache."""
    return _carried_out(plan, _runner(model), prepared, progress)


@once_per_process
def _runner(model: ModelName) -> Asker:
    return open_runner(model)


def _lost(reason: str) -> Outcome:
    raise DatasetError(f"{reason} What is done is kept; the same command goes on.")
