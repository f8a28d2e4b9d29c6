"""The record of a run of questions to a model: its steps, verdict and cost, or why there is no answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from core.errors import ModelError

if TYPE_CHECKING:  # not imported at run time, so that engines without a language model start sooner
    from core.llm.model import Usage


class Match(StrEnum):
    """How certain it is that a model meant this sentence of the paper."""

    EXACT = "exact"  # named correctly in the first answer
    REPAIRED = "repaired"  # named correctly only when the question was repeated


class PaperVerdict(StrEnum):
    """What a paper as a whole says of a hypothesis."""

    SUPPORTS = "supports"
    REFUTES = "refutes"
    MIXED = "mixed"  # its own results on the question point both ways
    NOT_REPORTED = "not reported"  # it reports no result on the question; this is a finding too
    UNCLEAR = "unclear"  # it may report one, but there is too little to tell


@dataclass(frozen=True, slots=True)
class Verdict:
    """A model's judgement of the paper as a whole. The strongest sentences are among those chosen."""

    judgement: PaperVerdict
    strongest_for: int | None
    strongest_against: int | None


@dataclass(frozen=True, slots=True)
class Step:
    """One question to a model within a run, with its repetition if the first answer had faults."""

    label: str  # a section's title, or what the question is about
    reasoning: str  # the model's own words
    chosen: tuple[int, ...]
    faults: tuple[str, ...] = ()  # of the first answer, one sentence each
    not_in_paper: tuple[str, ...] = ()  # what the final answer named or quoted wrongly: shown, never highlighted
    error: str | None = None  # why there is no answer
    text: str | None = None  # the raw reply, if it could not be used
    usage: Usage | None = None  # of the question and its repetition; None if no reply came
    cost_usd: float | None = None  # None: unknown
    from_cache: bool = False  # nothing was sent
    left_out: int = 0  # lines of the text that were not sent, because the model's context is too short


@dataclass(frozen=True, slots=True)
class ModelRun:
    """How a language model arrived at its answer."""

    model: str  # "openai:MODEL"
    strategy: str
    prompts: tuple[tuple[str, str], ...]  # (name, hash) of every template that was used
    steps: tuple[Step, ...]
    verdict: Verdict | None = None  # None if not asked for, without a schema, or based on no sentence of the paper

    @property
    def cost_usd(self) -> float | None:
        """What the run cost; None if the cost of any step is unknown."""
        costs = [step.cost_usd for step in self.steps]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    @property
    def from_cache(self) -> bool:
        """Whether every reply came from the cache, so that nothing was sent."""
        return bool(self.steps) and all(step.from_cache for step in self.steps)

    @property
    def shortened(self) -> str | None:
        """A message that says what the context was too short for, and what to do; None if everything was read."""
        short = [step for step in self.steps if step.left_out]
        if not short:
            return None
        lines = sum(step.left_out for step in short)
        named = ", ".join(f"“{step.label}”" for step in short[:3]) + (" and others" if len(short) > 3 else "")
        return (
            f"The server gives this model too short a context: of {named} the last {lines:,} lines were not read. "
            "Start it with a longer one, as docs/local-models.md says."
        )

    @property
    def failed(self) -> tuple[Step, ...]:
        """The steps without an answer."""
        return tuple(step for step in self.steps if step.error is not None)

    @property
    def not_read(self) -> str | None:
        """A message that names the steps without an answer, and says why; None if there are none."""
        if not self.failed:
            return None
        labels = ", ".join(f"“{step.label}”" for step in self.failed[:3])
        more = f" and {len(self.failed) - 3} more" if len(self.failed) > 3 else ""
        return f"Not read: {labels}{more}. {self.failed[0].error}"

    @property
    def incomplete(self) -> str:
        """What of the paper the answer does not rest on, in sentences; empty if everything was read."""
        return " ".join(filter(None, (self.shortened, self.not_read)))


class NoAnswer(ModelError):
    """Raised when a run ends without an answer. `run` holds every step, so that the replies are not lost."""

    def __init__(self, cause: ModelError, run: ModelRun) -> None:
        super().__init__(str(cause))
        self.cause = cause
        self.run = run
