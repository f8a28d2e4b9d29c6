"""What a summary is like beside how faithful it is: the plainer a text, the less faithful it tends to be (FaReBio, table 7)."""

from __future__ import annotations

from core.paper import Kind, Paper
from core.summary.model import Measures, SummarySource
from core.summary.novelty import SIZES, novelty
from core.summary.readability import readability
from core.summary.source import source_sentences
from core.summary.splitting import split_summary


def measures(summary: str, paper: Paper, source: SummarySource) -> Measures:
    """The measures of a summary against its source."""
    sentences = [sentence.text for sentence in split_summary(summary)]
    wording = [sentence.text for sentence in source_sentences(paper, source) if sentence.kind is not Kind.HEADING]
    return Measures(readability(summary), tuple(novelty(sentences, wording, n) for n in SIZES))
