"""`bm25@K`: the K sentences that BM25 ranks highest for a summary sentence, FaReBio's baseline (section 5, appendix J).

It finds support and judges nothing.
"""

from __future__ import annotations

import time

import numpy as np

from core.engines import Opening
from core.paper import Kind, Paper
from core.progress import Progress, silent
from core.summary.model import (
    FaithfulnessReport,
    Label,
    SentenceCheck,
    SummarySource,
    Support,
    notes_on_source,
    source_sentences,
)
from core.summary.splitting import split_summary
from core.text.bm25 import bm25_scores

NO_JUDGEMENT = "This engine finds support and does not judge."


class Bm25SummaryEngine:
    """Finds support by shared words only."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.name = f"bm25@{depth}"

    def check(
        self,
        summary: str,
        paper: Paper,
        *,
        source: SummarySource = SummarySource.WHOLE,
        progress: Progress = silent,
    ) -> FaithfulnessReport:
        """Find at most `depth` sentences for each sentence of the summary, each sharing a word with it."""
        started = time.perf_counter()
        pool = [sentence for sentence in source_sentences(paper, source) if sentence.kind is not Kind.HEADING]
        texts = [sentence.text for sentence in pool]
        sentences = []
        for one in split_summary(summary):
            scores = bm25_scores(texts, one.text)
            best = np.argsort(-scores, kind="stable")[: self.depth]
            support = tuple(Support(pool[i].index, score=float(scores[i])) for i in best if scores[i] > 0)
            sentences.append(
                SentenceCheck(
                    one.text, one.start, one.end, Label.CANNOT_TELL, None, support=support, reason=NO_JUDGEMENT
                )
            )
        progress(1.0, "Done")
        return FaithfulnessReport(
            summary=summary,
            paper=paper.id,
            engine=self.name,
            source=source,
            sentences=tuple(sentences),
            seconds=time.perf_counter() - started,
            cost_usd=0.0,
            notes=notes_on_source(paper, source),
        )


def open_bm25(opening: Opening) -> Bm25SummaryEngine:
    """See `core.engines`. The strategy is how many sentences to show for each summary sentence."""
    return Bm25SummaryEngine(int(opening.strategy))
