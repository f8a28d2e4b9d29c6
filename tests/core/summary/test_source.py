from __future__ import annotations

from core.paper import read_paper
from core.summary.model import SummarySource
from core.summary.source import NO_ABSTRACT, notes_on_source, source_sentences

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
