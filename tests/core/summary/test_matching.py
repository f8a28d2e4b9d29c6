"""Quotations found in the paper again, on an invented trial with bees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.paper import Kind, Paper, read_paper
from core.summary.matching import Matcher
from core.summary.model import QuoteStatus

EXACT, REPAIRED, INVENTED = QuoteStatus.EXACT, QuoteStatus.REPAIRED, QuoteStatus.NOT_IN_PAPER

TEXT = """# Caffeine and the sleep of bees

## Abstract

The Hive Activity Index (HAI) was recorded every hour. Bees slept 2.3 hours less with caffeine
[4,5] than without it.
Caffeine did not change the number of flights. The colony was rarely disturbed (Maier 2019). Keepers saw no harm.
One of them said that bees rarely complain ... in public.

## Introduction

Bees sleep at night, as other insects do. Activity is scored by the scale HB12 on every second day.
We asked whether the HAI rises with caffeine in the water.
"""


@pytest.fixture(scope="module")
def paper() -> Paper:
    return read_paper(TEXT.encode(), name="bees.md")


def found(paper: Paper, quotation: str) -> list[tuple[str, QuoteStatus]]:
    """(first words of the sentence, status) of what a quotation gives."""
    supports = Matcher(paper, paper.sentences).find(quotation)
    assert all(support.quoted == quotation for support in supports)
    return [
        (" ".join(paper.sentences[s.index].text.split()[:2]) if s.index is not None else "", s.status) for s in supports
    ]


@pytest.mark.parametrize(
    ("quotation", "expected"),
    [
        ("Caffeine did not change the number of flights.", [("Caffeine did", EXACT)]),
        ("“caffeine DID not change the number of flights”", [("Caffeine did", EXACT)]),
        ("Caffeine did not change the number", [("Caffeine did", EXACT)]),
        ("- **Keepers saw no harm.**", [("Keepers saw", EXACT)]),
        ("2. Keepers saw no harm.", [("Keepers saw", EXACT)]),
        ("Bees sleep at night...", [("Bees sleep", EXACT)]),
        ("One of them said that bees rarely complain ... in public.", [("One of", EXACT)]),
        ("Caffeine and the sleep of bees", [("Caffeine and", EXACT)]),
        # Sentences run together, in one quotation.
        (
            "Caffeine did not change the number of flights. The colony was rarely disturbed (Maier 2019).",
            [("Caffeine did", EXACT), ("The colony", EXACT)],
        ),
        (
            "Bees sleep at night, as other insects do. Caffeine did not change the number of flights.",
            [("Bees sleep", EXACT), ("Caffeine did", EXACT)],
        ),
        # Citations dropped.
        ("Bees slept 2.3 hours less with caffeine than without it.", [("Bees slept", REPAIRED)]),
        ("The colony was rarely disturbed.", [("The colony", EXACT)]),
        # Abbreviations used, or spelt out, where the paper does otherwise.
        ("The HAI was recorded every hour.", [("The Hive", REPAIRED)]),
        ("We asked whether the Hive Activity Index rises with caffeine in the water.", [("We asked", REPAIRED)]),
        # Small differences.
        ("Bees typically sleep at night, as other insects do.", [("Bees sleep", REPAIRED)]),
        # Words left out within a sentence, and from one sentence to another of the paragraph.
        ("Bees slept 2.3 hours ... than without it", [("Bees slept", REPAIRED)]),
        (
            "Bees slept 2.3 hours less [...] the number of flights",
            [("Bees slept", REPAIRED), ("Caffeine did", REPAIRED)],
        ),
        (
            "Bees slept 2.3 hours less … The colony was rarely disturbed",
            [("Bees slept", REPAIRED), ("Caffeine did", REPAIRED), ("The colony", REPAIRED)],
        ),
        # An ellipsis from one paragraph to another stands for nothing in between.
        ("Caffeine did not change the … Bees sleep at night", [("Caffeine did", REPAIRED), ("Bees sleep", REPAIRED)]),
    ],
)
def test_what_is_there_is_found(paper: Paper, quotation: str, expected: list[tuple[str, QuoteStatus]]) -> None:
    assert found(paper, quotation) == expected


@pytest.mark.parametrize(
    "quotation",
    [
        "Caffeine makes bees happier in the long run.",
        "Bees slept 3.2 hours less with caffeine than without it.",  # another number
        "Activity is scored by the scale HB13 on every second day.",  # another scale
        "Caffeine did change the number of flights.",  # a negation dropped
        "Bees do not sleep at night, as other insects do.",  # a negation added
        "of the",  # words that stand anywhere
        "Introduction",
        "",
        "...",
    ],
)
def test_what_is_not_there_is_not_made_to_fit(paper: Paper, quotation: str) -> None:
    assert found(paper, quotation) == [("", INVENTED)]


def test_an_invention_beside_a_real_sentence_is_told(paper: Paper) -> None:
    quotation = "Keepers saw no harm. Everybody was glad that the bees were so healthy."
    assert found(paper, quotation) == [("Keepers saw", EXACT), ("", INVENTED)]


def test_only_the_sentences_of_the_source_count(paper: Paper) -> None:
    abstract = [sentence for sentence in paper.sentences if sentence.kind == "abstract"]
    [support] = Matcher(paper, abstract).find("Bees sleep at night, as other insects do.")
    assert support.index is None


def test_sentences_of_real_papers_are_found_in_their_own_and_in_no_other(
    shared_data: Path, read_once: Callable[[Path], Paper]
) -> None:
    files = sorted((shared_data / "evidence_inference" / "xml").glob("*.nxml"))[::40]
    papers = [read_once(file) for file in files]
    for paper, other in zip(papers, [*papers[1:], papers[0]], strict=True):
        own, foreign = Matcher(paper, paper.sentences), Matcher(other, other.sentences)
        for sentence in [s for s in paper.sentences if s.kind is Kind.BODY and len(s.text.split()) >= 8][::5]:
            first, *_ = own.find(sentence.text)
            assert first.status is EXACT
            assert [found.index for found in foreign.find(sentence.text)] == [None]
