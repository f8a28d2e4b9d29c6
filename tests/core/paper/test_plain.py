"""Markdown and plain text."""

from __future__ import annotations

import pytest

from core.paper import Format, Kind, SectionKind, read_paper

MARKDOWN = """---
tags: bees
---
# Naps in *Apis mellifera*

doi: 10.1000/made.up.

## Abstract

**Aim:** to see `bees` nap. They
do.

## Methods

### Hives

- Two hives.
- Forty bees.

| Hive | Naps |
|------|-----:|
| A    | 3 \\| 4 |

Table 1. Naps by hive.

## Funding

Honey.

### Donors

Bears.

## Results

They [nap](javascript:alert(1)) at 2 * 3 * 4 o'clock, <script>so</script> [they say](https://example.org).
"""


def test_markdown() -> None:
    paper = read_paper(MARKDOWN.encode(), name="bees.txt")
    assert paper.format is Format.MARKDOWN
    assert (paper.title, paper.doi) == ("Naps in Apis mellifera", "10.1000/made.up")
    assert [(s.title, s.kind, s.level) for s in paper.sections if s.kind is not SectionKind.INTRODUCTION] == [
        ("Title", SectionKind.OTHER, 1),
        ("Abstract", SectionKind.ABSTRACT, 1),
        ("Methods", SectionKind.METHODS, 1),
        ("Hives", SectionKind.METHODS, 2),
        ("Results", SectionKind.RESULTS, 1),
    ]
    by_kind = {kind: [s.text for s in paper.sentences if s.kind is kind] for kind in Kind}
    assert by_kind[Kind.ABSTRACT] == ["Aim: to see bees nap.", "They do."]
    assert by_kind[Kind.TABLE] == ["Hive | Naps", "A | 3 | 4"]
    assert by_kind[Kind.CAPTION] == ["Table 1. Naps by hive."]
    assert paper.sections_left_out == ("Funding",)
    assert "Bears" not in paper.text
    # A link shows as it was written: its target is part of what the reviewer should see.
    assert by_kind[Kind.BODY][-1] == (
        "They [nap](javascript:alert(1)) at 2 * 3 * 4 o'clock, <script>so</script> [they say](https://example.org)."
    )


TEXT = """Naps in bees: a randomised trial

Abstract

Bees nap. It helps
them to recov-
er.

METHODS

Forty bees slept.

Hive\tNaps\tSD
A\t3\t1

4. Results

They nap.

References

Bee A. 2001.
"""


def test_plain_text() -> None:
    paper = read_paper(TEXT.encode(), name="bees.md")
    assert paper.format is Format.TEXT
    assert paper.title == "Naps in bees: a randomised trial"
    assert [(s.title, s.kind) for s in paper.sections] == [
        ("Title", SectionKind.OTHER),
        ("Abstract", SectionKind.ABSTRACT),
        ("METHODS", SectionKind.METHODS),
        ("4. Results", SectionKind.RESULTS),
    ]
    texts = [s.text for s in paper.sentences]
    assert "It helps them to recover." in texts
    assert "A | 3 | 1" in texts
    assert paper.sections_left_out == ("References",)


def test_labelled_export() -> None:
    paper = read_paper(
        b"TITLE: \nNaps in bees\n\nABSTRACT.RESULTS:\nBees nap.\n\nBODY.METHODS:\nForty bees.\n\nBODY.METHODS.HIVES:\nTwo.\n",
        name="bees.txt",
    )
    assert paper.title == "Naps in bees"
    assert [(s.title, s.kind) for s in paper.sections[1:]] == [
        ("Abstract", SectionKind.ABSTRACT),
        ("METHODS", SectionKind.METHODS),
        ("HIVES", SectionKind.METHODS),
    ]


def test_text_without_any_structure_is_body() -> None:
    paper = read_paper(b"Bees nap. It helps.", name="note")
    assert [(s.text, s.kind) for s in paper.sentences] == [("Bees nap.", Kind.BODY), ("It helps.", Kind.BODY)]
    assert paper.title is None
    assert [(s.title, s.kind) for s in paper.sections] == [("Text", SectionKind.OTHER)]


@pytest.mark.parametrize(
    ("under_title", "authors", "year"),
    [
        ("Ada J. Rossi[1], Bo van der Bie[2]\n\nPublished: 3 May 2020", ("Ada J. Rossi", "Bo van der Bie"), 2020),
        ("Authors: Ada J. Rossi and Bo van der Bie\n\n**Year:** 2020", ("Ada J. Rossi", "Bo van der Bie"), 2020),
        ("Bees nap, and nobody knows why.\n\nIn 2020 we asked them.", (), None),
    ],
)
def test_authors_and_year_where_they_are_stated(under_title: str, authors: tuple[str, ...], year: int | None) -> None:
    paper = read_paper(f"# Naps in bees\n\n{under_title}\n\n## Methods\n\nWe asked.\n".encode(), name="bees.md")
    assert (paper.authors, paper.year) == (authors, year)
