"""Which of a question's options papers speak for, offline: the direction that is told, or the option in the best sentences."""

from __future__ import annotations

from collections.abc import Sequence

from core.answering.model import Gathered, PaperAnswer, Question, Told
from core.text.words import word_starts

_SENTENCES = 3  # of the best passages, in one of which an option has to stand


def option_told(question: Question, papers: Sequence[PaperAnswer], evidence: Sequence[Gathered]) -> int | None:
    """The place of the option; None where there are none, none is told, or several are.

    Where the options are directions, the likeliest paper decides. Any other option is chosen only where all its words
    stand in one of the best sentences, and no other option does.
    """
    if not question.options or not papers:
        return None
    if set(question.options) <= set(Told):
        told = papers[0].told
        return question.options.index(told) if told in question.options else None
    starts = [word_starts(option) for option in question.options]
    for one in evidence[:_SENTENCES]:
        said = word_starts(one.passage.sentences[one.strongest - one.passage.first])
        standing = [place for place, words in enumerate(starts) if words and words <= said]
        if standing:
            return standing[0] if len(standing) == 1 else None
    return None
