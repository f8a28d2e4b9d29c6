"""`bm25`: sentences that share the hypothesis' rarer words (Robertson and Zaragoza 2009, by rank_bm25)."""

from __future__ import annotations

import time

from core.evidence.model import Evidence, EvidenceQuery
from core.evidence.results_first import behind, sets_the_scene
from core.evidence.selection import best, local_evidence
from core.paper import Paper
from core.progress import Progress, silent
from core.text.bm25 import bm25_scores

NO_SHARED_WORD = "No sentence shares a word with the hypothesis: the order is the paper's own."


class Bm25Engine:
    """Rank the candidates by BM25 against the hypothesis."""

    name = "bm25"

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        started = time.perf_counter()
        progress(0.0, "Matching words")
        candidates = query.candidates(paper)
        scores = bm25_scores([sentence.text for sentence in candidates], query.hypothesis)
        notes = () if scores.any() else (NO_SHARED_WORD,)
        if query.results_first:
            scores = behind(scores, sets_the_scene(paper, candidates))
        ranked = [(place, float(scores[place])) for place in best(scores, query.k)]
        progress(1.0, "Done")
        return local_evidence(self.name, query, candidates, ranked, started=started, notes=notes)
