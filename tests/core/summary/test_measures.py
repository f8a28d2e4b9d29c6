"""Readability by the published formulas, and novelty by hand."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib.metadata import distribution, version
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from core.paper import Kind, read_paper
from core.summary.measures import (
    TextCounts,
    by_formula,
    coleman_liau_index,
    count,
    dale_chall_score,
    flesch_kincaid_grade,
    hard_words,
    novelty,
    readability,
)

# ---- readability ----
# Readability: the published formulas by hand, and every difference from textstat 0.7.4 explained by them.

SAMPLES = Path(__file__).parents[3] / "sample_data"


@pytest.fixture(scope="module")
def textstat() -> Any:
    """Its class (an object keeps what it once worked out), with the function that it takes from an old setuptools."""
    assert version("textstat") == "0.7.4"
    resources = ModuleType("pkg_resources")

    def resource_stream(package: str, name: str) -> Any:
        return Path(str(distribution(package).locate_file(f"{package}/{name}"))).open("rb")

    vars(resources)["resource_stream"] = resource_stream
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "pkg_resources", resources)
        import textstat as package

        yield package.textstat.__class__


def fifty_texts() -> list[str]:
    """The longest paragraphs of the sample papers, whatever numbers and abbreviations stand in them."""
    paragraphs = []
    for name in ("leg-cramps.xml", "pharmacy-ecg-screening.md", "sleep-app.pdf", "stair-climbing.tei.xml"):
        paper = read_paper((SAMPLES / name).read_bytes(), name=name)
        for section in paper.sections:
            for paragraph in paper.paragraphs_of(section):
                if paragraph[0].kind in {Kind.BODY, Kind.ABSTRACT}:
                    paragraphs.append(" ".join(sentence.text for sentence in paragraph))
    return sorted(paragraphs, key=len, reverse=True)[:50]


TEXTS = fifty_texts()


def test_there_are_fifty_texts() -> None:
    assert len(TEXTS) == 50


def test_the_counts_of_a_text() -> None:
    # The-new-tablet-was-no-bet-ter, Place-bo-was-15: hyphenation misses a syllable of "tablet" and one of "placebo".
    text = "The new tablet was no better. Placebo was 1.5."
    assert count(text) == TextCounts(letters=35, syllables=7 + 4, words=9, hard_words=3, sentences=2)
    assert hard_words(text) == ["placebo", "1", "5"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (flesch_kincaid_grade(20, 1.5), 9.91),  # 7.8 + 17.7 - 15.59
        (coleman_liau_index(500, 5), 12.12),  # 29.4 - 1.48 - 15.8
        (dale_chall_score(5, 20), 1.7815),  # 0.7895 + 0.992
        (dale_chall_score(10, 20), 6.2075),  # 1.579 + 0.992 + 3.6365
    ],
)
def test_the_formulas_by_hand(value: float, expected: float) -> None:
    assert value == pytest.approx(expected)


def test_a_text_without_a_word_has_no_grade() -> None:
    assert readability(" … – ") is None


@pytest.mark.parametrize("text", TEXTS)
def test_letters_words_and_syllables_are_those_of_textstat(text: str, textstat: Any) -> None:
    counts, theirs = count(text), textstat()
    assert counts is not None
    assert counts.letters == theirs.letter_count(text)
    assert counts.words == theirs.lexicon_count(text)
    assert counts.syllables == theirs.syllable_count(text)
    assert set(hard_words(text)) == set(theirs.difficult_words_list(text, 0))


@pytest.mark.parametrize("text", TEXTS)
def test_every_difference_from_textstat_is_one_of_four(text: str, textstat: Any) -> None:
    """Textstat's own figure follows from the published formula once it is given textstat's departures from it.

    They are: averages rounded before they are used; 0.058 for 0.0588 in Coleman and Liau's formula; a hard word counted
    once, however often it occurs; a sentence ended by every point, that in "1.5" too, and none of one or two words.
    """
    rounding, counts = textstat(), count(text)
    assert counts is not None
    sentences = rounding.sentence_count(text)
    length = round(counts.words / sentences, 1)
    letters = 100 * round(counts.letters / counts.words, 2)
    expected = (
        flesch_kincaid_grade(length, round(counts.syllables / counts.words, 1)),
        coleman_liau_index(letters, 100 * round(sentences / counts.words, 2)) - 0.0008 * letters,
        dale_chall_score(100 * len(set(hard_words(text))) / counts.words, length),
    )
    assert rounding.flesch_kincaid_grade(text) == pytest.approx(expected[0], abs=0.1)
    assert rounding.coleman_liau_index(text) == pytest.approx(expected[1], abs=0.1)
    assert rounding.dale_chall_readability_score(text) == pytest.approx(expected[2], abs=0.1)


@pytest.mark.parametrize("text", TEXTS)
def test_without_those_four_the_figures_are_the_same(text: str, textstat: Any) -> None:
    assert_the_same_without_those_four(text, textstat)


def test_the_same_holds_for_50_abstracts(shared_data: Path, textstat: Any) -> None:
    files = sorted((shared_data / "evidence_inference" / "xml").glob("*.nxml"))
    papers = (read_paper(file.read_bytes(), name=file.name) for file in files)
    abstracts = (" ".join(s.text for s in paper.sentences if s.kind is Kind.ABSTRACT) for paper in papers)
    checked = list(islice(filter(None, abstracts), 50))
    assert len(checked) == 50
    for text in checked:
        assert_the_same_without_those_four(text, textstat)


def assert_the_same_without_those_four(text: str, textstat: Any) -> None:
    exact, counts = textstat(), count(text)
    assert counts is not None
    exact.set_rounding(False)
    sentences = exact.sentence_count(text)
    assert sentences == counts.sentences or "." in text[:-1], "only a point within makes another number of sentences"
    ours = by_formula(replace(counts, sentences=sentences))
    letters = 100 * counts.letters / counts.words
    repeated = len(hard_words(text)) - len(set(hard_words(text)))
    assert exact.flesch_kincaid_grade(text) == pytest.approx(ours.flesch_kincaid, abs=1e-6)
    assert exact.coleman_liau_index(text) + 0.0008 * letters == pytest.approx(ours.coleman_liau, abs=1e-6)
    each_time = exact.dale_chall_readability_score(text) + 15.79 * repeated / counts.words
    assert each_time == pytest.approx(ours.dale_chall, abs=1e-6)


# ---- novelty ----
# Novelty by hand.

SOURCE = ["Exercise improved sleep in older adults.", "Pain did not change."]


@pytest.mark.parametrize(
    ("summary", "n", "share"),
    [
        ("Exercise improved sleep.", 1, 0.0),
        ("Exercise improved sleep.", 3, 0.0),
        ("Exercise eased pain.", 1, 1 / 3),  # eased
        ("Exercise eased pain.", 2, 1.0),  # "exercise eased", "eased pain"
        ("Sleep in older adults improved.", 2, 1 / 4),  # "adults improved"
        ("Sleep in older adults improved.", 3, 1 / 3),  # "older adults improved"
        ("Adults pain", 2, 1.0),  # both words are there, and a sentence ends between them
        ("new new sleep", 1, 2 / 3),  # each counts as often as it occurs
        ("EXERCISE", 1, 0.0),
    ],
)
def test_shares_by_hand(summary: str, n: int, share: float) -> None:
    assert novelty([summary], SOURCE, n) == pytest.approx(share)


def test_a_summary_that_is_too_short_has_none() -> None:
    assert novelty(["Sleep."], SOURCE, 2) is None
    assert novelty([], SOURCE, 1) is None


def test_ngrams_end_with_their_sentence() -> None:
    assert novelty(["Exercise.", "Sleep."], SOURCE, 2) is None


def test_figures_stay_whole() -> None:
    assert novelty(["It fell by 1.5"], ["It fell by 5 or 1"], 1) == pytest.approx(1 / 4)


def test_contractions_do_not_depend_on_the_apostrophe() -> None:
    assert novelty(["It didn’t."], ["It didn't."], 1) == 0.0
