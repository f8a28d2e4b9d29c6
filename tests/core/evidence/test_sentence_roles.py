"""What a sentence does in its paper, by its words and by the title above it."""

from __future__ import annotations

import pytest

from core.evidence.sentence_roles import ROLES, SentenceRole, column_names, load_roles, role_by_title, to_json
from core.paper import Kind, SectionKind
from core.paper.draft import Block
from tests.core.evidence.papers import body, heading, paper_of

ABSTRACT = (
    "Sleep disorders are common in shift workers and their treatment is poorly understood.",
    "We aimed to assess whether light therapy improves sleep in nurses.",
    "Nurses were randomly assigned to light therapy or to a dim lamp for six weeks.",
    "Sleep was 41 minutes longer with light therapy (95% CI 22 to 60; P < 0.001).",
    "Light therapy improves sleep in nurses who work at night.",
)


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Women were eligible if they had had a stroke within six months.", SentenceRole.ELIGIBILITY),
        ("Patients were excluded if they had diabetes or used insulin.", SentenceRole.ELIGIBILITY),
        ("Blood was drawn after an overnight fast and stored at −80 °C.", SentenceRole.CONDUCT),
        ("Mortality did not differ between the groups (12 versus 14 deaths; P = 0.71).", SentenceRole.FINDING),
    ],
)
def test_a_sentence_is_told_by_its_own_words(text: str, role: SentenceRole) -> None:
    paper = paper_of(heading("Part"), body(text))
    (row,) = load_roles().probabilities(paper, [one for one in paper.pool if one.kind is Kind.BODY])
    assert ROLES[int(row.argmax())] is role
    assert row.sum() == pytest.approx(1)


def test_an_abstract_without_headings_is_told_apart_by_its_order_too() -> None:
    paper = paper_of(heading("Abstract"), Block(Kind.ABSTRACT, "", sentences=ABSTRACT))
    likely = load_roles().probabilities(paper, [one for one in paper.pool if one.text in ABSTRACT])
    found = [ROLES[int(row.argmax())] for row in likely]
    assert found == [*[SentenceRole.SCENE] * 2, SentenceRole.CONDUCT, *[SentenceRole.FINDING] * 2]


def test_titles_tell_what_stands_below_them() -> None:
    paper = paper_of(
        heading("Abstract"),
        Block(Kind.HEADING, "Background", level=2),
        Block(Kind.ABSTRACT, "", sentences=ABSTRACT[:1]),
        Block(Kind.HEADING, "Findings", level=2),
        Block(Kind.ABSTRACT, "", sentences=ABSTRACT[3:4]),
        heading("Methods"),
        body(ABSTRACT[2]),
        Block(Kind.HEADING, "Exclusion criteria", level=2),
        body("A lamp at home."),
        heading("Results"),
        body(ABSTRACT[4]),
    )
    told = {one.text: role for one, role in zip(paper.sentences, role_by_title(paper), strict=True)}
    assert told[ABSTRACT[0]] is SentenceRole.SCENE
    assert told[ABSTRACT[3]] is told[ABSTRACT[4]] is SentenceRole.FINDING
    assert told[ABSTRACT[2]] is SentenceRole.CONDUCT
    assert told["A lamp at home."] is SentenceRole.ELIGIBILITY


def test_a_paper_beneath_one_title_is_told_nothing_by_it() -> None:
    paper = paper_of(heading("Introduction"), body(ABSTRACT[3]))
    assert paper.section_roles[-1] is SectionKind.INTRODUCTION
    assert set(role_by_title(paper)) == {None}


def test_the_shipped_model_knows_the_columns_of_this_version() -> None:
    model = load_roles()
    assert model.columns == column_names()
    assert '"terms"' in to_json(model)
