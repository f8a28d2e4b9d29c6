"""A checked summary beside what people said of it: agreement, kappa, what was missed, and false alarms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.benchmarks.farebio import SCALE, FarebioFile, GoldSentence, GoldSummary, on_scale
from core.benchmarks.farebio_rows import NOT_SUPPORTED
from core.benchmarks.metrics.labels import Labelled, accuracy, kappa
from core.evidence.llm.checking import letters
from core.paper import Paper
from core.summary.model import FaithfulnessReport

_PIECE = 6  # letters and digits of the shortest piece of a sentence


@dataclass(frozen=True, slots=True)
class GoldOverlay:
    """Gold by the places of the report's sentences. Agreement and kappa are None where they are not defined.

    They are over the sentences that people labelled supported or not; one that the engine did not label disagrees.
    """

    gold: tuple[GoldSentence | None, ...]  # None: nobody labelled this sentence
    unmatched: tuple[GoldSentence, ...]  # gold whose sentence the summary does not have
    missed: tuple[int, ...]  # wrong, and not flagged
    false_alarms: tuple[int, ...]  # supported, and flagged
    agreement: float | None
    kappa: float | None


def gold_for_paper(file: FarebioFile, paper: Paper) -> tuple[GoldSummary, ...]:
    """The labelled summaries of a paper, known by its title."""
    title = letters(paper.title or "")
    return tuple(one for one in file.summaries if title and letters(one.paper.title or "") == title)


def overlay(report: FaithfulnessReport, summary: GoldSummary) -> GoldOverlay:
    """Gold laid over a report on the same summary.

    The same sentence is the same letters and digits. Where the file splits a sentence otherwise than we do, its first
    piece that is not supported counts, or else its first one.
    """
    gold = tuple(gold_of(sentence.text, summary.sentences) for sentence in report.sentences)
    texts = [letters(sentence.text) for sentence in report.sentences]
    unmatched = tuple(one for one in summary.sentences if not any(_alike(letters(one.text), text) for text in texts))
    pairs = [
        (place, wanted, on_scale(sentence.label))
        for place, (one, sentence) in enumerate(zip(gold, report.sentences, strict=True))
        if one is not None and (wanted := one.on_scale) is not None
    ]
    labelled = Labelled([wanted for _, wanted, _ in pairs], [given for _, _, given in pairs], SCALE)
    return GoldOverlay(
        gold=gold,
        unmatched=unmatched,
        missed=tuple(p for p, wanted, given in pairs if wanted == NOT_SUPPORTED and given != wanted),
        false_alarms=tuple(p for p, wanted, given in pairs if wanted != NOT_SUPPORTED and given == NOT_SUPPORTED),
        agreement=labelled.value(accuracy) if pairs else None,
        kappa=labelled.value(kappa) if pairs else None,
    )


def gold_of(text: str, gold: Sequence[GoldSentence]) -> GoldSentence | None:
    """The gold of a sentence: its own, or that of the pieces or the whole that the file has instead."""
    own = letters(text)
    found = [one for one in gold if letters(one.text) == own] or [one for one in gold if _alike(letters(one.text), own)]
    wrong = [one for one in found if one.on_scale == NOT_SUPPORTED]
    return next(iter(wrong or found), None)


def _alike(one: str, other: str) -> bool:
    """Whether one is the other, or a piece of it that is long enough to tell."""
    shorter, longer = sorted((one, other), key=len)
    return one == other or (len(shorter) >= _PIECE and shorter in longer)
