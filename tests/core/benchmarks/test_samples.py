"""Gold carried over to another reading of the paper."""

from dataclasses import replace

import pytest

from core.benchmarks.evidencebench import read_evidencebench
from core.benchmarks.gold import Instance
from core.benchmarks.samples import gold_for
from core.errors import DatasetError
from core.paper import read_paper
from tests.core.benchmarks.evidencebench_records import encoded, record

MARKDOWN = """# Tea and sleep

## Abstract

Tea may shorten sleep. We gave  tea to 40 ADULTS.

## Methods

### Participants

Adults drank tea at night.

| Group | Minutes |
|---|---|
| Tea | 389 |

## Results

Sleep was 31 minutes shorter. Nobody left the study.
"""


def _instance() -> Instance:
    return read_evidencebench(encoded(record()), name="x").instances[0]


def test_gold_finds_its_sentences_in_another_reading() -> None:
    paper = read_paper(MARKDOWN.encode(), name="tea.md")
    aligned = gold_for(paper, _instance())
    assert aligned.unmatched == ()
    texts = {
        aspect: {paper.sentences[index].text for index in covering} for aspect, covering in aligned.gold.aspects.items()
    }
    assert texts == {
        "a": {"We gave tea to 40 ADULTS.", "Adults drank tea at night."},
        "b": {"Sleep was 31 minutes shorter."},
        "c": {"Sleep was 31 minutes shorter.", "Nobody left the study."},
    }
    assert aligned.gold.results == {"b", "c"}


def test_a_sentence_that_differs_is_reported_and_not_guessed() -> None:
    paper = read_paper(MARKDOWN.replace("31 minutes", "32 minutes").encode(), name="tea.md")
    aligned = gold_for(paper, _instance())
    assert aligned.unmatched == (8,)
    assert aligned.gold.aspects["b"] == frozenset()
    assert len(aligned.gold.aspects["c"]) == 1


def test_equal_sentences_are_told_apart_by_their_order() -> None:
    twice = [("abstract", "It was safe."), ("section_name", "Results"), ("normal_paragraph", "It was safe.")]
    raw = record(
        paper_as_candidate_pool=[text for _, text in twice],
        sentence_types_in_candidate_pool=[kind for kind, _ in twice],
        aspect_list_ids=["a"],
        results_aspect_list_ids=["a"],
        aspect2sentence_indices={"a": [2]},
        sentence_index2aspects={"2": ["a"]},
    )
    instance = read_evidencebench(encoded(raw), name="x").instances[0]
    paper = read_paper(b"# Tea\n\n## Abstract\n\nIt was safe.\n\n## Results\n\nIt was safe.\n", name="x.md")
    (index,) = gold_for(paper, instance).gold.aspects["a"]
    assert index == len(paper.sentences) - 1


def test_a_sentence_that_recurs_in_a_long_paper_is_found_too() -> None:
    lines = [f"Sentence number {number} of many." if number % 20 else "It was safe." for number in range(1, 300)]
    raw = record(
        paper_as_candidate_pool=lines,
        sentence_types_in_candidate_pool=["normal_paragraph"] * len(lines),
        aspect_list_ids=["a"],
        results_aspect_list_ids=["a"],
        aspect2sentence_indices={"a": [0, 19]},
        sentence_index2aspects=None,
    )
    instance = read_evidencebench(encoded(raw), name="x").instances[0]
    # Only the recurring sentences stand alone, between others that the pool does not have.
    own = "\n\n".join(
        line if line == "It was safe." or number == 0 else f"Truly: {line}" for number, line in enumerate(lines)
    )
    paper = read_paper(own.encode(), name="x.txt")
    assert gold_for(paper, instance).unmatched == ()


def test_gold_of_another_paper_is_an_error() -> None:
    paper = read_paper(b"# Coffee\n\nCoffee is another drink. It was studied elsewhere.\n", name="coffee.md")
    with pytest.raises(DatasetError, match="does not belong to “coffee"):
        gold_for(paper, replace(_instance(), id="tea"))
