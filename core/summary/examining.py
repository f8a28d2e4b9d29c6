"""One source, and what the sentences of a summary look like beside it: nearest sentences, findings, features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.evidence.embedding import Embedder
from core.paper import Paper
from core.progress import Progress, silent
from core.summary.checks import MEASURES, TELLING, Claim, Finding, Source, findings_on
from core.summary.likeness import LIKENESS, WordVectors, likeness
from core.summary.model import SummarySource
from core.summary.source import source_sentences
from core.summary.support import Nearest, Retrieval

# New words that are no names are told, and not counted: how far they are from the support's words is in the likeness.
_COUNTED = tuple(measure for measure in MEASURES if measure not in ("word", "group_unknown"))
FEATURES = ("against", *_COUNTED, *LIKENESS)
_MOST = 3.0  # findings of one measure that count

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Examined:
    """A summary sentence beside its source. `features` are in the order of `FEATURES`."""

    nearest: Nearest
    findings: tuple[Finding, ...]
    features: Vector


class Examiner:
    """Looks at sentences beside one source of one paper."""

    def __init__(
        self,
        embedder: Embedder,
        paper: Paper,
        source: SummarySource = SummarySource.WHOLE,
        *,
        words: WordVectors | None = None,
        progress: Progress = silent,
    ) -> None:
        sentences = source_sentences(paper, source)
        self._words = words or WordVectors(embedder)
        self._source = Source(paper, sentences, self._words.is_common)
        self._retrieval = Retrieval(embedder, paper, sentences, progress=progress)

    def examine(self, texts: Sequence[str], *, progress: Progress = silent) -> list[Examined]:
        """Each of the texts, in order."""
        examined = []
        for number, (text, nearest) in enumerate(zip(texts, self._retrieval.nearest(texts), strict=True)):
            progress(number / len(texts), f"Checking sentence {number + 1} of {len(texts)}")
            claim = Claim(text, nearest.candidates, self._source)
            findings = findings_on(claim)
            features = dict.fromkeys(FEATURES, 0.0)
            features["against"] = sum(finding.weight for finding in findings if finding.measure in TELLING)
            for finding in findings:
                if finding.measure in _COUNTED:
                    features[finding.measure] = min(_MOST, features[finding.measure] + finding.weight)
            features |= likeness(claim, self._words)
            examined.append(Examined(nearest, findings, np.array([features[name] for name in FEATURES])))
        return examined
