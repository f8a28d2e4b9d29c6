"""What every engine for screening can do, and the one question that a reviewer asks of it."""

from __future__ import annotations

from typing import Protocol

from core.errors import QueryError
from core.evidence.model import MAX_HYPOTHESIS_WORDS
from core.paper import Paper
from core.progress import Progress, silent
from core.screening.model import Criterion, CriterionSuggestion

CRITERION_SENTENCES = 5  # at most, shown for a criterion


class ScreeningEngine(Protocol):
    """A named way of telling whether a paper meets a criterion. Safe to share between threads.

    Where a language model is asked in vain, `NoAnswer` is raised, with every step that was made.
    """

    @property
    def name(self) -> str: ...

    def suggest(self, criterion: Criterion, paper: Paper, *, progress: Progress = silent) -> CriterionSuggestion:
        """At most `CRITERION_SENTENCES` sentences of the paper, best first, what follows from them, and why."""
        ...


def suggest(
    criterion: Criterion, paper: Paper, *, engine: ScreeningEngine, progress: Progress = silent
) -> CriterionSuggestion:
    """Whether a paper meets a criterion, in an engine's view.

    A paper that is a title and an abstract alone is judged by these. Raises `QueryError` if the criterion is empty or
    none at all.
    """
    words = len(criterion.text.split())
    if words == 0:
        raise QueryError("The criterion is empty. Say in a few words what a paper must have to be included.")
    if words > MAX_HYPOTHESIS_WORDS:
        raise QueryError(
            f"The criterion has {words:,} words; at most {MAX_HYPOTHESIS_WORDS} are allowed. "
            "Shorten it, or make several of it."
        )
    return engine.suggest(criterion, paper, progress=progress)
