"""What the trained reader makes of a paper's sentences, asked about one hypothesis."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.entailment import Direction, Probabilities, Reader, in_context, part_of, readable
from core.entailment.nearest import nearest, share, stems
from core.evidence.embedding import Embedder
from core.paper import Paper, Sentence
from core.progress import Progress, silent

READ = 36  # sentences that are read of a paper: those that are most likely a result on the hypothesis
# What is more often a result than it looks by likeness alone, and what less.
RESULT = re.compile(
    r"\bp\s*[<=>]|significan|\bCI\b|differ|compared|versus|higher|lower|reduc|increas|improv", re.IGNORECASE
)
_TOLD, _ABSTRACT, _TABLE, _COLD = 0.2, 0.15, -0.1, -0.5  # added to the likeness: of cosine and shared words
_LIKELY = {"abstract": _ABSTRACT, "table": _TABLE, "caption": _TABLE, "introduction": _COLD, "methods": _COLD}
# How much a result counts by where it stands: elsewhere it is an aim, a plan, or another study's.
_PART = {"abstract": 1.0, "results": 1.0, "table": 1.0, "discussion": 0.8, "other": 0.8, "caption": 0.7}
_ELSEWHERE = 0.15

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Reading:
    """The sentences that were read, best first, and what each says of the hypothesis. Rows of all arrays are these."""

    hypothesis: str
    sentences: tuple[Sentence, ...]
    parts: tuple[str, ...]  # where each stands: "abstract", "results", "table", ...
    about: Vector  # the probability that it is a result on the question, less where results seldom stand
    placed: Vector  # what `about` was multiplied by for its place
    directions: Probabilities  # (n, 4), by `Direction`
    support: Probabilities  # (n, 3) of the hypothesis as a claim, by `Entailment`
    cosines: Vector
    claimed: Probabilities  # (4,): which way the hypothesis claims the outcome to go, by `Direction`
    title: float  # cosine of the hypothesis and the paper's title
    named: float  # the share of the hypothesis' words in title and abstract
    named_best: float  # and in the sentence that is most about it


def read(
    paper: Paper,
    hypothesis: str,
    reader: Reader,
    embedder: Embedder,
    *,
    among: Iterable[int] | None = None,
    progress: Progress = silent,
) -> Reading | None:
    """Read the sentences nearest to the hypothesis, `among` those of these numbers; None where there is none to read."""
    everything, wanted = readable(paper), None if among is None else set(among)
    pool = [one for one in everything if wanted is None or one.index in wanted]
    if not pool:
        return None
    meaning = embedder.compare(paper, hypothesis, progress=progress)
    cosines = meaning.to_hypothesis.astype(np.float64)[[one.index for one in pool]]
    likely = np.array([_LIKELY.get(part_of(paper, one), 0.0) + _TOLD * bool(RESULT.search(one.text)) for one in pool])
    near = nearest(hypothesis, pool, cosines + likely)[:READ]
    sentences, asked = [pool[place] for place in near], stems(hypothesis)
    progress(0.97, "Reading the nearest sentences")
    directions, support = reader.of_hypothesis(hypothesis, [in_context(paper, one) for one in sentences])
    parts = [part_of(paper, one) for one in sentences]
    placed = np.array([_PART.get(part, _ELSEWHERE) for part in parts])
    about = (1 - directions[:, Direction.NOT_ON_THIS]) * placed
    best = np.argsort(-about, kind="stable")
    front = [one.text for one in everything if part_of(paper, one) == "abstract"]
    return Reading(
        hypothesis,
        tuple(sentences[place] for place in best),
        tuple(parts[place] for place in best),
        about[best],
        placed[best],
        directions[best],
        support[best],
        cosines[near][best],
        reader.claimed(hypothesis),
        title=float(embedder.encode([paper.title])[0] @ meaning.hypothesis) if paper.title else 0.0,
        named=share(asked, stems(" ".join([paper.title or "", *front]))),
        named_best=share(asked, stems(sentences[int(best[0])].text)),
    )
