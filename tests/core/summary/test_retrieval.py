"""BM25 as FaReBio's baseline for support sentences."""

from __future__ import annotations

import pytest

from core.errors import EngineError
from core.paper import read_paper
from core.summary import Label, SummarySource, check_summary, summary_engine_named

PAPER = read_paper(
    b"# Tea\n\n## Abstract\n\nTea made people happy. Water made nobody happy.\n\n## Introduction\n\nPeople drink.\n\n"
    b"## Results\n\nHappy people drank tea.\n",
    name="tea.md",
)


@pytest.mark.parametrize(
    ("engine", "support"),
    [
        ("bm25@1", ["Tea made people happy."]),
        ("bm25@2", ["Tea made people happy.", "Water made nobody happy."]),
        ("bm25", ["Tea made people happy."]),
    ],
)
def test_the_best_sentences_of_the_front(engine: str, support: list[str]) -> None:
    report = check_summary(
        "Tea made them happy.", PAPER, engine=summary_engine_named(engine), source=SummarySource.FRONT
    )
    [sentence] = report.sentences
    assert [PAPER.sentences[found.index or 0].text for found in sentence.support] == support
    assert sentence.label is Label.CANNOT_TELL


def test_what_shares_no_word_is_no_support() -> None:
    report = check_summary("Elephants never forget.", PAPER, engine=summary_engine_named("bm25@3"))
    assert report.sentences[0].support == ()


@pytest.mark.parametrize("name", ["bm25@4", "bm25@sections", "magic"])
def test_other_names_are_unknown(name: str) -> None:
    with pytest.raises(EngineError, match="There is no engine"):
        summary_engine_named(name)
