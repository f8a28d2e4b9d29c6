"""What a summary is held against: the whole paper, or what FaReBio's summarisers and doctors saw."""

from __future__ import annotations

from core.paper import Kind, Paper, SectionKind, Sentence
from core.summary.model import SummarySource

NO_ABSTRACT = "The paper has no abstract: the summary was held against the title and the first section alone."


def source_sentences(paper: Paper, source: SummarySource) -> tuple[Sentence, ...]:
    """The sentences of the source in the paper's order, title and headings among them.

    `FRONT` (FaReBio, section 3.1) is the title, the abstract, and the first section with its subsections; the authors
    are in `Paper.authors`.
    """
    if source is SummarySource.WHOLE:
        return paper.pool
    first = first_section(paper)
    return tuple(
        sentence
        for sentence in paper.pool
        if sentence.kind in (Kind.TITLE, Kind.ABSTRACT) or in_abstract(paper, sentence) or sentence.section in first
    )


def in_abstract(paper: Paper, sentence: Sentence) -> bool:
    """Whether a sentence stands in the abstract, its headings included."""
    return sentence.kind is Kind.ABSTRACT or paper.section_of(sentence).kind is SectionKind.ABSTRACT


def first_section(paper: Paper) -> range:
    """The indices of the first section of the body that has text, with its subsections."""
    holds_text = {sentence.section for sentence in paper.pool if sentence.kind is Kind.BODY}
    for section in paper.sections:
        if section.kind is SectionKind.ABSTRACT:
            continue
        last = next(
            (other.index for other in paper.sections[section.index + 1 :] if other.level <= section.level),
            len(paper.sections),
        )
        if holds_text.intersection(range(section.index, last)):
            return range(section.index, last)
    return range(0)


def notes_on_source(paper: Paper, source: SummarySource) -> tuple[str, ...]:
    """What a reviewer should know about the source."""
    has_abstract = any(in_abstract(paper, sentence) for sentence in paper.pool)
    return () if has_abstract or source is SummarySource.WHOLE else (NO_ABSTRACT,)
