"""What a paper says about a hypothesis: one cell of the evidence table."""

from __future__ import annotations

from dataclasses import dataclass

from core.evidence.model import EvidenceSentence
from core.grounding.model import PaperVerdict

_SURE = ((0.95, "very likely"), (0.8, "likely"), (0.6, "rather likely"), (0.0, "not sure"))  # (minimum, word)


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of a paper, with its place: `paper.sentences[index].text == text` always holds."""

    index: int
    text: str
    page: int | None
    section: str  # the title of its section


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect as a sentence states it. `text` is the part of the sentence that states it, verbatim."""

    measure: str  # in the field's short form: HR, OR, RR, RD, MD, SMD, mean difference, ...; as printed if unknown
    value: float
    low: float | None
    high: float | None
    level: float | None  # of the interval in per cent, such as 95; None: the sentence does not say
    p: str  # as printed, such as "p = 0.03"; empty: not stated
    text: str
    sentence: int


@dataclass(frozen=True, slots=True)
class Finding:
    """An engine's result for a paper and a hypothesis."""

    engine: str
    hypothesis: str
    verdict: PaperVerdict | None  # None: not judged; `reason` says why
    reason: str  # one sentence
    strongest_for: Passage | None = None
    strongest_against: Passage | None = None
    effect: Effect | None = None  # None: no chosen sentence states one
    sentences: tuple[
        EvidenceSentence, ...
    ] = ()  # at most `k` of those read, best first, the strongest always among them
    seconds: float = 0.0
    cost_usd: float | None = 0.0  # None: unknown
    prompts: tuple[tuple[str, str], ...] = ()  # (name, hash) of every template that was used
    # What to look at in the deciding sentence, or what was not read; empty: nothing; None: not known.
    check: str | None = None
    probability: float | None = None  # that the verdict is right, calibrated; None: the engine gives none
    reported: float | None = None  # that the paper reports a result on the question; None: the engine gives none
    nearest: tuple[Passage, ...] = ()  # the first sentences, if none decides: not reported, unclear, or no verdict

    @property
    def sureness(self) -> str:
        """The probability as a word and a number, such as "likely, 0.87"; empty if there is none."""
        if self.probability is None:
            return ""
        word = next(word for least, word in _SURE if self.probability >= least)
        return f"{word}, {min(self.probability, 0.99):.2f}"  # a probability measured on a sample is never 1
