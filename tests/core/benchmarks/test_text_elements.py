"""Papers given as lists of text elements."""

from __future__ import annotations

import pytest

from core.benchmarks.text_elements import elements_of, paper_of
from core.errors import NoText
from core.paper import Kind, SectionKind


@pytest.mark.parametrize(
    ("element", "kind"),
    [
        ("Background", Kind.HEADING),
        ("2.1 Study design, setting and participants", Kind.HEADING),
        ("IV. Results", Kind.HEADING),
        ("Tea was drunk.", Kind.BODY),
        ("PATH.", Kind.BODY),
        ("The groups were:", Kind.BODY),
        ("p < 0.05 was significant", Kind.BODY),
        ("Nobody left. All were well", Kind.BODY),
        ("We asked whether tea that is drunk in the evening shortens the sleep of adults", Kind.BODY),
        ("Flow of participants.Fig. 1", Kind.CAPTION),
        ("Fig. 2 Sleep in both groups", Kind.CAPTION),
        ("\nBaseline values.\nTable 1\n", Kind.CAPTION),
        ("\nBaseline values.\nTable 1\n\n | Tea (n = 3) | Water\nAge | 40 | 41\n", Kind.TABLE),
        ("", Kind.BODY),
    ],
)
def test_what_an_element_is(element: str, kind: Kind) -> None:
    paper = paper_of(["We drank tea.", element, "We slept."], name="x")
    assert [sentence.text for sentence in paper.sentences] == ["We drank tea.", element, "We slept."]
    assert paper.sentences[1].kind is kind
    assert all(paper.text[s.start : s.end] == s.text for s in paper.sentences)


def test_sections_go_by_their_headings() -> None:
    paper = paper_of(["Methods", "Participants", "Adults came.", "Results", "They slept."], name="x")
    assert [(s.title, s.kind, s.level) for s in paper.sections] == [
        ("Methods", SectionKind.METHODS, 1),
        ("Participants", SectionKind.METHODS, 2),
        ("Results", SectionKind.RESULTS, 1),
    ]


def test_a_whole_text_has_an_element_a_line() -> None:
    assert elements_of("Methods\nTea\u2028was drunk.\n\n\nAge | 40\n") == ["Methods", "Tea\u2028was drunk.", "Age | 40"]


def test_no_element_is_an_error() -> None:
    with pytest.raises(NoText):
        paper_of([], name="x")
