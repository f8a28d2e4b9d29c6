"""`offline` on an invented paper: what a reader thinks becomes labels, and the bad cases give a clear answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from core.entailment import InContext, Probabilities, Reader
from core.errors import QueryError
from core.paper import Kind, Paper, read_paper
from core.settings import load_settings
from core.summary import Check, FaithfulnessReport, Label, SummarySource, check_summary, summary_engine_named
from core.summary.model import NO_ABSTRACT
from core.summary.offline import CHANGED, COPIED, OTHER_PAPER, READ, REASONS, OfflineSummaryEngine
from core.summary.splitting import HEADING, OTHER_LANGUAGE, QUESTION
from core.text.similarity import Embedder

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


class Scripted(Reader):
    """A reader that thinks the same of everything, and keeps what it was shown."""

    def __init__(self, *probabilities: float) -> None:
        self.probabilities = probabilities
        self.seen: list[tuple[str, list[InContext]]] = []

    def support(self, claim: str, sentences: Sequence[InContext]) -> Probabilities:
        self.seen.append((claim, list(sentences)))
        return np.array([self.probabilities] * len(sentences)).reshape(-1, 3)

    def support_of_all(self, claim: str, several: Sequence[Sequence[InContext]]) -> Probabilities:
        return np.array([self.probabilities] * len(several))


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return Embedder.installed(load_settings().embeddings)


@pytest.fixture(scope="module")
def engine(embedder: Embedder) -> OfflineSummaryEngine:
    return OfflineSummaryEngine(embedder, Scripted(0.98, 0.01, 0.01))


@pytest.fixture(scope="module")
def paper() -> Paper:
    return read_paper(TEXT.encode(), name="paper.md")


def check(summary: str, paper: Paper, engine: OfflineSummaryEngine) -> FaithfulnessReport:
    report = check_summary(summary, paper, engine=engine)
    assert all(summary[one.start : one.end] == one.text for one in report.sentences)
    return report


@pytest.mark.parametrize(
    ("probabilities", "labels"),
    [
        ((0.98, 0.01, 0.01), {Label.SUPPORTED}),
        ((0.01, 0.98, 0.01), {Label.CONTRADICTS}),
        ((0.01, 0.01, 0.98), {Label.NOT_IN_PAPER}),
        ((0.45, 0.25, 0.3), {Label.CANNOT_TELL}),
    ],
)
def test_the_label_is_what_the_reader_makes_of_it(
    probabilities: tuple[float, ...], labels: set[Label], paper: Paper, embedder: Embedder
) -> None:
    [found] = check(FAITHFUL[2], paper, OfflineSummaryEngine(embedder, Scripted(*probabilities))).sentences
    assert found.label in labels
    assert (found.reason, found.flags) == (REASONS[found.label], ())
    assert found.score is not None
    assert len(found.support) == 3


def test_what_stands_in_the_paper_word_for_word_is_supported_whatever_the_reader_says(
    paper: Paper, embedder: Embedder
) -> None:
    engine = OfflineSummaryEngine(embedder, Scripted(0.01, 0.98, 0.01))
    original = next(one for one in paper.sentences if "P =" in one.text or "p =" in one.text)
    [found] = check(original.text, paper, engine).sentences
    assert (found.label, found.reason, found.flags) == (Label.SUPPORTED, COPIED, ())
    assert found.support[0].index == original.index
    assert len({one.index for one in found.support}) == 3
    for turned in (original.text.replace("=", ">", 1), original.text.upper()):
        [found] = check(turned, paper, engine).sentences
        assert found.reason != COPIED, "signs and case are of the words"


def test_a_copy_that_was_changed_is_not_supported_however_sure_the_reader_is(
    paper: Paper, engine: OfflineSummaryEngine
) -> None:
    [copy] = check("Ibuprofen was not allowed as rescue medication.", paper, engine).sentences
    assert (copy.label, copy.reason) == (Label.CANNOT_TELL, CHANGED.format("not"))
    [other] = check("Of 210 women, 108 (90%) completed the trial.", paper, engine).sentences
    assert (other.label, other.reason) == (Label.CANNOT_TELL, CHANGED.format("210"))
    [number] = check("About 300 women took part in this study of walking.", paper, engine).sentences
    assert number.label is Label.CANNOT_TELL
    assert all(one.score is not None and one.score < engine.threshold for one in (copy, other, number))


def test_each_sentence_is_read_with_the_nearest_of_the_paper(paper: Paper, embedder: Embedder) -> None:
    reader = Scripted(0.9, 0.05, 0.05)
    check(" ".join(FAITHFUL), paper, OfflineSummaryEngine(embedder, reader))
    assert [claim for claim, _ in reader.seen] == list(FAITHFUL)
    headings = {sentence.text for sentence in paper.sentences if sentence.kind is Kind.HEADING}
    for _, near in reader.seen:
        assert len(near) == READ
        assert not headings & {one.text for one in near}
    assert reader.seen[0][1][0].text == "Knee pain is common in older women."


def test_a_number_that_differs_is_told_where_the_sentence_is_wrong(paper: Paper, embedder: Embedder) -> None:
    sentence = "120 women walked three times a week for 12 months."
    [found] = check(sentence, paper, OfflineSummaryEngine(embedder, Scripted(0.01, 0.97, 0.02))).sentences
    assert found.label is Label.CONTRADICTS
    [flag] = found.flags
    assert (flag.check, flag.reason) == (Check.NUMBER, "The paper has “12 weeks” where the summary has “12 months”.")
    assert found.part == flag.span
    [untold] = check(sentence, paper, OfflineSummaryEngine(embedder, Scripted(0.5, 0.2, 0.3))).sentences
    assert (untold.label.flagged, untold.flags) == (False, ())  # no alarm


@pytest.mark.parametrize(
    ("sentence", "label"),
    [
        ("120 older women were looked at by the team.", Label.CANNOT_TELL),  # a number of a sentence that is shown
        ("3 times a week the women went for a walk.", Label.NOT_IN_PAPER),  # too small to tell anything
        ("130 women were looked at by the team.", Label.NOT_IN_PAPER),  # beside the 120 of the paper
        ("228 older women were looked at by the team.", Label.NOT_IN_PAPER),  # only as a sum of two numbers
    ],
)
def test_nothing_is_said_to_be_missing_beside_its_own_number(
    sentence: str, label: Label, paper: Paper, embedder: Embedder
) -> None:
    [found] = check(sentence, paper, OfflineSummaryEngine(embedder, Scripted(0.01, 0.01, 0.98))).sentences
    assert (found.label, found.reason) == (label, REASONS[label])


def test_its_own_number_excuses_no_contradiction(paper: Paper, embedder: Embedder) -> None:
    sentence = "120 older women were looked at by the team."
    [found] = check(sentence, paper, OfflineSummaryEngine(embedder, Scripted(0.01, 0.98, 0.01))).sentences
    assert found.label is Label.CONTRADICTS


@pytest.mark.slow
def test_the_reader_is_what_is_installed(paper: Paper) -> None:
    found = check_summary(" ".join(FAITHFUL), paper, engine=summary_engine_named("offline", settings=load_settings()))
    assert {one.label for one in found.sentences} <= {Label.SUPPORTED, Label.CANNOT_TELL}
    assert all(one.score is not None for one in found.sentences)


def test_the_threshold_is_a_setting(paper: Paper, embedder: Embedder) -> None:
    strict = OfflineSummaryEngine(embedder, Scripted(0.9, 0.05, 0.05), threshold=1.0)
    [refused] = check_summary(FAITHFUL[2], paper, engine=strict).sentences
    assert refused.label is Label.CANNOT_TELL


@pytest.mark.parametrize("threshold", [-0.1, 1.5])
def test_a_threshold_that_is_no_probability_is_told(threshold: float) -> None:
    with pytest.raises(QueryError, match="between 0 and 1"):
        summary_engine_named("offline", settings=load_settings(), threshold=threshold)


def test_headings_questions_and_bullets(paper: Paper, engine: OfflineSummaryEngine) -> None:
    summary = f"## What was found\n\nWhy was this study done?\n\n- {FAITHFUL[0]}\n- {FAITHFUL[2]}\n"
    labels = [(one.label, one.reason) for one in check(summary, paper, engine).sentences]
    assert labels[0] == (Label.NOT_JUDGED, HEADING)
    assert labels[1] == (Label.NOT_JUDGED, QUESTION)
    assert [label for label, _ in labels[2:]] == [Label.SUPPORTED, Label.SUPPORTED]


def test_another_language_cannot_be_judged(paper: Paper, engine: OfflineSummaryEngine) -> None:
    report = check("Das Gehen hat die Schmerzen im Knie bei den meisten Frauen gelindert.", paper, engine)
    assert [(one.label, one.score, one.reason) for one in report.sentences] == [
        (Label.CANNOT_TELL, None, OTHER_LANGUAGE)
    ]


def test_a_summary_of_another_paper_is_told(paper: Paper, engine: OfflineSummaryEngine) -> None:
    summary = (
        "Graphene sheets were grown on copper foil. Their conductivity rose with temperature. "
        "The authors built a transistor from them."
    )
    report = check(summary, paper, engine)
    assert OTHER_PAPER in report.notes
    assert OTHER_PAPER not in check(" ".join(FAITHFUL), paper, engine).notes


@pytest.mark.slow
def test_three_hundred_sentences(paper: Paper, engine: OfflineSummaryEngine) -> None:
    assert len(check(" ".join((FAITHFUL * 100)[:300]), paper, engine).sentences) == 300


def test_the_front_alone(paper: Paper, embedder: Embedder) -> None:
    reader = Scripted(0.9, 0.05, 0.05)
    engine = OfflineSummaryEngine(embedder, reader)
    check_summary("Ibuprofen was allowed as rescue medication.", paper, engine=engine, source=SummarySource.FRONT)
    [(_, near)] = reader.seen
    assert near
    assert not any("Ibuprofen" in one.text for one in near)


def test_a_paper_without_an_abstract(engine: OfflineSummaryEngine) -> None:
    paper = read_paper(TEXT.replace("## Abstract", "## Introduction").encode(), name="paper.md")
    report = check_summary(FAITHFUL[0], paper, engine=engine, source=SummarySource.FRONT)
    assert report.notes == (NO_ABSTRACT,)
    assert report.sentences[0].label is Label.SUPPORTED


def test_what_raises_while_it_reports_cancels(paper: Paper, engine: OfflineSummaryEngine) -> None:
    def stop(done: float, step: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.check(FAITHFUL[0], paper, progress=stop)
