"""`offline` on an invented paper: planted errors are told with their reasons, and the bad cases give a clear answer."""

from __future__ import annotations

import pytest

from core.errors import QueryError
from core.paper import Paper, read_paper
from core.settings import load_settings
from core.summary import Check, FaithfulnessReport, Label, SummarySource, check_summary
from core.summary.engines import summary_engine_named
from core.summary.judgeable import HEADING, OTHER_LANGUAGE, QUESTION
from core.summary.offline import OTHER_PAPER, OfflineEngine
from core.summary.source import NO_ABSTRACT

TEXT = """# Walking and knee pain in older women

## Abstract

Knee pain is common in older women. We asked whether a walking programme reduces it.
In a randomised trial, 120 women aged 60 to 75 years walked three times a week or were put on a waiting list for 12 weeks.
Pain was significantly lower in the walking group than in the waiting-list group (P = 0.01).
There was no significant difference in sleep quality between the groups.
Walking may prevent falls in this group.

## Introduction

Osteoarthritis of the knee limits daily life. Exercise is recommended, but few women take it up.

## Methods

Women with osteoarthritis of the knee were recruited in four general practices. Ibuprofen was allowed as rescue medication.

## Results

Of 120 women, 108 (90%) completed the trial. The pain score fell by 23.7% in the walking group and by 4.1% in the other.

## Discussion

A simple walking programme reduced pain in older women with osteoarthritis of the knee.
"""
FAITHFUL = (
    "Knee pain is common in older women.",
    "120 women walked three times a week or were put on a waiting list for 12 weeks.",
    "Pain was lower in the walking group than in the waiting-list group.",
    "Nine out of ten women completed the trial.",
    "There was no clear difference in sleep between the groups.",
)


@pytest.fixture(scope="module")
def engine() -> OfflineEngine:
    found = summary_engine_named("offline", settings=load_settings())
    assert isinstance(found, OfflineEngine)
    return found


@pytest.fixture(scope="module")
def paper() -> Paper:
    return read_paper(TEXT.encode(), name="paper.md")


def check(summary: str, paper: Paper, engine: OfflineEngine) -> FaithfulnessReport:
    report = check_summary(summary, paper, engine=engine)
    assert all(summary[one.start : one.end] == one.text for one in report.sentences)
    return report


@pytest.mark.parametrize("sentence", FAITHFUL)
def test_what_the_paper_says_is_supported(sentence: str, paper: Paper, engine: OfflineEngine) -> None:
    [found] = check(sentence, paper, engine).sentences
    assert found.label is Label.SUPPORTED
    assert found.flags == ()
    assert found.support[0].index is not None


@pytest.mark.parametrize(
    ("sentence", "expected", "label", "part"),
    [
        ("120 women walked three times a week for 12 months.", Check.NUMBER, Label.CONTRADICTS, "12 months"),
        (
            "Pain was significantly higher in the walking group than in the waiting-list group.",
            Check.DIRECTION,
            Label.CONTRADICTS,
            "higher",
        ),
        ("Knee pain is common in older men.", Check.ROLE, Label.CONTRADICTS, "men"),
        ("Walking definitely prevents falls in this group.", Check.CERTAINTY, Label.CONTRADICTS, "definitely"),
        ("Walking cured knee pain in every single woman.", Check.ABSOLUTE, Label.NOT_IN_PAPER, None),
        ("Paracetamol was allowed as rescue medication.", Check.ENTITY, Label.NOT_IN_PAPER, "Paracetamol"),
    ],
)
def test_what_is_wrong_is_told(
    sentence: str, expected: Check, label: Label, part: str | None, request: pytest.FixtureRequest
) -> None:
    [found] = check(sentence, request.getfixturevalue("paper"), request.getfixturevalue("engine")).sentences
    assert found.label.flagged
    assert expected in {flag.check for flag in found.flags}
    assert found.reason == found.flags[0].reason
    if part:
        assert found.label is label
        assert found.part is not None
        assert found.text[found.part.start : found.part.end] == part


def test_the_threshold_is_a_setting(paper: Paper, engine: OfflineEngine) -> None:
    [found] = check(FAITHFUL[0], paper, engine).sentences
    assert found.score is not None
    strict = summary_engine_named("offline", settings=load_settings(), threshold=1.0)
    [refused] = check_summary(FAITHFUL[0], paper, engine=strict).sentences
    assert refused.label.flagged
    assert refused.score == found.score
    assert refused.reason


@pytest.mark.parametrize("threshold", [-0.1, 1.5])
def test_a_threshold_that_is_no_probability_is_told(threshold: float) -> None:
    with pytest.raises(QueryError, match="between 0 and 1"):
        summary_engine_named("offline", settings=load_settings(), threshold=threshold)


def test_headings_questions_and_bullets(paper: Paper, engine: OfflineEngine) -> None:
    summary = f"## What was found\n\nWhy was this study done?\n\n- {FAITHFUL[0]}\n- {FAITHFUL[2]}\n"
    labels = [(one.label, one.reason) for one in check(summary, paper, engine).sentences]
    assert labels[0] == (Label.NOT_JUDGED, HEADING)
    assert labels[1] == (Label.NOT_JUDGED, QUESTION)
    assert [label for label, _ in labels[2:]] == [Label.SUPPORTED, Label.SUPPORTED]


def test_another_language_cannot_be_judged(paper: Paper, engine: OfflineEngine) -> None:
    report = check("Das Gehen hat die Schmerzen im Knie bei den meisten Frauen gelindert.", paper, engine)
    assert [(one.label, one.score, one.reason) for one in report.sentences] == [
        (Label.CANNOT_TELL, None, OTHER_LANGUAGE)
    ]


def test_a_summary_of_another_paper_is_told(paper: Paper, engine: OfflineEngine) -> None:
    summary = (
        "Graphene sheets were grown on copper foil. Their conductivity rose with temperature. "
        "The authors built a transistor from them."
    )
    report = check(summary, paper, engine)
    assert OTHER_PAPER in report.notes
    assert all(one.label.flagged for one in report.sentences)
    assert OTHER_PAPER not in check(" ".join(FAITHFUL), paper, engine).notes


def test_three_hundred_sentences(paper: Paper, engine: OfflineEngine) -> None:
    assert len(check(" ".join((FAITHFUL * 100)[:300]), paper, engine).sentences) == 300


def test_the_front_alone(paper: Paper, engine: OfflineEngine) -> None:
    sentence = "Ibuprofen was allowed as rescue medication."
    [whole] = check_summary(sentence, paper, engine=engine).sentences
    [front] = check_summary(sentence, paper, engine=engine, source=SummarySource.FRONT).sentences
    assert whole.label is Label.SUPPORTED
    assert front.label.flagged


def test_a_paper_without_an_abstract(engine: OfflineEngine) -> None:
    paper = read_paper(TEXT.replace("## Abstract", "## Introduction").encode(), name="paper.md")
    report = check_summary(FAITHFUL[0], paper, engine=engine, source=SummarySource.FRONT)
    assert report.notes == (NO_ABSTRACT,)
    assert report.sentences[0].label is Label.SUPPORTED


def test_what_raises_while_it_reports_cancels(paper: Paper, engine: OfflineEngine) -> None:
    def stop(done: float, step: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.check(FAITHFUL[0], paper, progress=stop)
