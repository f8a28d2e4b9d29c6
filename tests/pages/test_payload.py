"""What goes to the browser, and what is believed of what comes back."""

from __future__ import annotations

import json

import pytest

from core.evidence import Evidence, EvidenceQuery, EvidenceSentence
from core.evidence.model import Decision
from core.paper import Paper, read_paper
from pages._ui.paper_view.payload import decided, decisions_from, ranked, whole

MARKDOWN = b"""# A trial of tea

## Abstract

Tea was tried. It worked.

## Results

Pain fell. Sleep did not change.

It was safe.
"""


@pytest.fixture
def paper() -> Paper:
    return read_paper(MARKDOWN, name="tea.md")


def test_the_blocks_hold_every_sentence_once_and_in_order(paper: Paper) -> None:
    sent = json.loads(json.dumps(whole(paper)))
    assert sent["sentences"] == [sentence.text for sentence in paper.sentences]
    covered = [index for _, first, last, _ in sent["blocks"] for index in range(first, last + 1)]
    assert covered == list(range(len(paper.sentences)))
    assert ["body", 5, 6, 2] in sent["blocks"]  # one paragraph, two sentences
    assert ["body", 7, 7, 2] in sent["blocks"]


def evidence(*scores: float) -> Evidence:
    sentences = tuple(EvidenceSentence(index, score) for index, score in enumerate(scores, start=3))
    return Evidence("bm25", EvidenceQuery("Tea works"), sentences, seconds=0.1)


def test_bars_run_from_the_lowest_score_to_the_highest() -> None:
    assert [item["bar"] for item in ranked(evidence(4.0, 3.0, 2.0))] == pytest.approx([1.0, 0.6, 0.2])
    assert [item["bar"] for item in ranked(evidence(1.0, -1.0))] == pytest.approx([1.0, 0.2])
    assert [item["bar"] for item in ranked(evidence(0.0, 0.0))] == [1.0, 1.0]
    assert [(item["rank"], item["index"]) for item in ranked(evidence(4.0, 2.0))] == [(1, 3), (2, 4)]
    assert ranked(None) == []


def test_decisions_survive_the_way_to_the_browser_and_back() -> None:
    decisions = {4: Decision.ACCEPTED, 7: Decision.REJECTED, 2: Decision.ADDED}
    sent = json.loads(json.dumps(decided(decisions)))
    assert decisions_from(sent, sentences=9) == decisions


@pytest.mark.parametrize(
    "words",
    [None, 5, "ab", [[1]], [[1, "accepted", 2]], [["1", "accepted"]], [[9, "accepted"]], [[-1, "added"]], [[1, "x"]]],
)
def test_what_is_no_set_of_decisions_is_not_believed(words: object) -> None:
    assert decisions_from(words, sentences=9) is None
