"""Prepare papers for the index: cut them into passages and encode these. Workers can do this expensive part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.library.model import LibraryPaper, Passage
from core.library.passages import SPLITTER, passages_of
from core.paper import CitedWork, Paper
from core.screening.model import Fit
from core.screening.offline.designs import Design, design_statements, has_design
from core.screening.offline.reading import read_for_screening
from core.text.encoder import MODEL_NAME, Matrix
from core.text.similarity import Embedder

MADE_BY = f"{MODEL_NAME}, {SPLITTER}, entry-2"
# The study designs that a question may be limited to.
DESIGNS = tuple(
    design.value
    for design in (
        Design.RANDOMISED, Design.QUASI, Design.TRIAL, Design.COHORT, Design.CASE_CONTROL, Design.CROSS_SECTIONAL,
        Design.OBSERVATIONAL, Design.CASE_REPORT, Design.META_ANALYSIS, Design.REVIEW, Design.QUALITATIVE, Design.ANIMAL,
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class EncodedPaper:
    """A paper ready to be added to the index."""

    paper: LibraryPaper
    passages: tuple[Passage, ...]
    vectors: Matrix  # (passages, 384), each of length 1
    references: tuple[CitedWork, ...] = ()  # the works that it cites


def searched_text(title: str | None, passage: Passage) -> str:
    """The text that is searched: the passage, preceded by the titles of paper and section for context."""
    return ". ".join(filter(None, (title, passage.section, passage.text)))


def designs_of(paper: Paper) -> list[str]:
    """The study designs that a paper reports, such as "randomised trial", "trial" or "study of humans"."""
    reading = read_for_screening(paper, None)
    signs = design_statements(reading)
    return [design.value for design in Design if has_design(design, reading, signs).fit is Fit.MET]


def encoded(papers: Sequence[Paper], embedder: Embedder) -> list[EncodedPaper]:
    """Each paper with its passages and their vectors."""
    cut = [tuple(passages_of(paper)) for paper in papers]
    texts = [searched_text(paper.title, one) for paper, passages in zip(papers, cut, strict=True) for one in passages]
    vectors, begin, made = embedder.encode(texts), 0, []
    for paper, passages in zip(papers, cut, strict=True):
        entry = LibraryPaper.of(paper, passages=len(passages), made_by=MADE_BY, designs=designs_of(paper))
        made.append(EncodedPaper(entry, passages, vectors[begin : begin + len(passages)], paper.references))
        begin += len(passages)
    return made
