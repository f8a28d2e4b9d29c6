"""What a run of questions to a model leaves behind: its steps, its verdict, what it cost; or that there is no answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from core.errors import ModelError

if TYPE_CHECKING:  # engines that ask no language model start sooner without
    from core.llm.model import Usage


class Match(StrEnum):
    """How sure it is that a model meant this sentence of the paper."""

    EXACT = "exact"  # named right at once
    REPAIRED = "repaired"  # named right after it was asked again


class PaperVerdict(StrEnum):
    """What a paper as a whole says of a hypothesis."""

    SUPPORTS = "supports"
    REFUTES = "refutes"
    MIXED = "mixed"  # its own results on the question point both ways
    NOT_REPORTED = "not reported"  # a finding of its own: it reports no result on the question
    UNCLEAR = "unclear"  # it may report one, but there is too little to tell


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a model makes of the paper as a whole. The strongest sentences are among those chosen."""

    judgement: PaperVerdict
    strongest_for: int | None
    strongest_against: int | None


@dataclass(frozen=True, slots=True)
class Step:
    """One question to a model within a run, asked again where its first answer had faults."""

    label: str  # a section's title, or what the question is about
    reasoning: str  # the model's own words
    chosen: tuple[int, ...]
    faults: tuple[str, ...] = ()  # of the first answer, in words
    not_in_paper: tuple[str, ...] = ()  # what the model still named or quoted wrongly: shown, never highlighted
    error: str | None = None  # why there is no answer
    text: str | None = None  # the reply as it came, where it could not be used
    usage: Usage | None = None  # of the question and its repetition; None: nothing came back
    cost_usd: float | None = None  # None: unknown
    from_cache: bool = False  # nothing was sent
    left_out: int = 0  # lines of the text that were not sent: the model's context is too short for them


@dataclass(frozen=True, slots=True)
class ModelRun:
    """How a language model came to its answer."""

    model: str  # "openai:MODEL"
    strategy: str
    prompts: tuple[tuple[str, str], ...]  # (name, hash) of every template that was used
    steps: tuple[Step, ...]
    verdict: Verdict | None = None  # None: not asked for, no schema, or it rests on no sentence of the paper

    @property
    def cost_usd(self) -> float | None:
        """What the run cost; None if that of any step is unknown."""
        costs = [step.cost_usd for step in self.steps]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    @property
    def from_cache(self) -> bool:
        """Whether every reply was kept from an earlier run, so that nothing was sent."""
        return bool(self.steps) and all(step.from_cache for step in self.steps)

    @property
    def shortened(self) -> str | None:
        """What was not read for want of context, in one sentence that says what to do; None where all was."""
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


class NoAnswer(ModelError):
    """A run ended without an answer. `run` holds every step, so that what came back is not lost."""

    def __init__(self, cause: ModelError, run: ModelRun) -> None:
        super().__init__(str(cause))
        self.cause = cause
        self.run = run
