"""Reports on summaries, and what a summary is checked against."""

from __future__ import annotations

import pytest

from core.errors import QueryError
from core.paper import read_paper
from core.summary import FaithfulnessReport, Label, SentenceCheck, SummarySource, check_summary
from core.summary.model import NO_ABSTRACT, notes_on_source, source_sentences


def report(*labels: Label, scores: tuple[float | None, ...] = ()) -> FaithfulnessReport:
    scores = scores or (None,) * len(labels)
    sentences = tuple(SentenceCheck("x", 0, 1, label, score) for label, score in zip(labels, scores, strict=True))
    return FaithfulnessReport("x", "id", "engine", SummarySource.WHOLE, sentences, seconds=0.0)


def test_a_summary_is_faithful_if_all_that_can_be_judged_is_supported() -> None:
    assert report(Label.SUPPORTED, Label.NOT_JUDGED).faithful is True
    assert report(Label.SUPPORTED, Label.NOT_IN_PAPER).faithful is False
    assert report(Label.CANNOT_TELL, Label.CONTRADICTS).faithful is False
    assert report(Label.NOT_JUDGED).faithful is None
    assert report(Label.SUPPORTED, Label.CANNOT_TELL).faithful is None  # what it cannot tell may be wrong


def test_sentences_without_a_score_are_not_counted_as_zero() -> None:
    assert report(Label.SUPPORTED, Label.NOT_JUDGED, scores=(0.8, None)).mean_score == pytest.approx(0.8)
    assert report(Label.SUPPORTED).mean_score is None


def test_what_is_sure_counts_for_more_in_the_score_of_a_summary() -> None:
    assert report(Label.SUPPORTED, Label.CONTRADICTS, scores=(0.8, 0.2)).mean_score == pytest.approx(0.5)
    surely_wrong = report(Label.SUPPORTED, Label.CONTRADICTS, scores=(0.6, 0.01)).mean_score
    assert surely_wrong is not None
    assert surely_wrong < (0.6 + 0.01) / 2
    assert report(Label.SUPPORTED, Label.CONTRADICTS, scores=(1.0, 0.0)).mean_score == pytest.approx(0.5)


@pytest.mark.parametrize("summary", ["", " \n", "…", "---"])
def test_an_empty_summary_is_told(summary: str) -> None:
    class Never:
        name = "never"

        def check(self, *_: object, **__: object) -> FaithfulnessReport:
            raise AssertionError

    paper = read_paper(b"# Walking\n\nPain is common.\n", name="paper.md")
    with pytest.raises(QueryError, match="empty"):
        check_summary(summary, paper, engine=Never())


PAPER = b"""# Walking and pain

## Abstract

Walking may help. We asked whether it does.

## Introduction

Pain is common.

### Earlier work

Little is known.

## Methods

We enrolled 40 adults.
"""


def texts(data: bytes, source: SummarySource) -> list[str]:
    return [sentence.text for sentence in source_sentences(read_paper(data, name="paper.md"), source)]


def test_the_front_is_title_abstract_and_first_section() -> None:
    front = texts(PAPER, SummarySource.FRONT)
    assert front[0] == "Walking and pain"
    assert {"Walking may help.", "Pain is common.", "Earlier work", "Little is known."} <= set(front)
    assert not {"Methods", "We enrolled 40 adults."} & set(front)


def test_the_whole_paper_is_every_sentence() -> None:
    paper = read_paper(PAPER, name="paper.md")
    assert source_sentences(paper, SummarySource.WHOLE) == paper.sentences


def test_a_paper_without_an_abstract_says_so() -> None:
    data = b"# Walking\n\n## Introduction\n\nPain is common.\n\n## Methods\n\nWe enrolled 40 adults.\n"
    assert texts(data, SummarySource.FRONT)[-1] == "Pain is common."
    paper = read_paper(data, name="paper.md")
    assert notes_on_source(paper, SummarySource.FRONT) == (NO_ABSTRACT,)
    assert notes_on_source(paper, SummarySource.WHOLE) == ()
    assert notes_on_source(read_paper(PAPER, name="paper.md"), SummarySource.FRONT) == ()
