"""What was found for a part of a criterion, and how parts make a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.screening.model import Fit

_LONGEST = 90  # characters of the paper that a reason quotes
_ORDER = (Fit.NOT_MET, Fit.UNCLEAR, Fit.MET)


@dataclass(frozen=True, slots=True)
class Finding:
    """A fit, a clause that says why, and the sentences that it rests on."""

    fit: Fit
    reason: str  # without a full stop: 'the title says “randomised”'
    sentences: tuple[int, ...] = ()

    def inverted(self) -> Finding:
        """For a criterion that excludes: what is met becomes a ground against, and the reverse; unclear stays."""
        opposite = {Fit.MET: Fit.NOT_MET, Fit.NOT_MET: Fit.MET, Fit.UNCLEAR: Fit.UNCLEAR}
        return replace(self, fit=opposite[self.fit])


def all_of(findings: Sequence[Finding]) -> Finding:
    """Every part must be met. The parts that decide are named: those not met, else those unclear, else all."""
    return _joined(findings, min(findings, key=lambda one: _ORDER.index(one.fit)).fit)


def any_of(findings: Sequence[Finding]) -> Finding:
    """One part is enough."""
    return _joined(findings, max(findings, key=lambda one: _ORDER.index(one.fit)).fit)


def _joined(findings: Sequence[Finding], fit: Fit) -> Finding:
    deciding = [one for one in findings if one.fit is fit]
    others = [one for one in findings if one.fit is not fit]
    reasons = dict.fromkeys(one.reason for one in deciding)
    sentences = dict.fromkeys(index for one in [*deciding, *others] for index in one.sentences)
    return Finding(fit, "; ".join(reasons), tuple(sentences))


def quoted(words: str) -> str:
    """Words of paper or criterion for a reason: one line, cut at a word, in quotation marks."""
    line = " ".join(words.split()).strip(" ,;:.")
    return f"“{line if len(line) <= _LONGEST else line[:_LONGEST].rsplit(' ', 1)[0] + ' …'}”"


def sentence_of(reason: str) -> str:
    """A clause as a sentence."""
    return f"{reason[:1].upper()}{reason[1:].rstrip('.')}."
