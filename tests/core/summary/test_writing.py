"""Summaries written, checked and repaired by a demo model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.engines import writer_named
from core.errors import QueryError
from core.grounding.model import NoAnswer
from core.llm import model_named
from core.llm.demo import DemoServer
from core.llm.model import Form, Reply, Request, Usage
from core.progress import Progress, silent
from core.settings import Settings
from core.summary import Label, SummaryEngine, SummarySource, summary_engine_named
from core.summary.model import Check, Flag, SentenceCheck, Span, Support
from core.summary.writing import (
    Mended,
    Mending,
    ReadingLevel,
    VerifiedText,
    estimate_writing,
    repair_summary,
    verify_repair,
    why_unsupported,
    with_changes,
    write_summary,
)
from tests.core.summary.test_llm import PAPER

NAMES = ["openai:demo", "anthropic:demo", "compatible:demo-noschema"]
HOPE = "One day this could help everybody."


@pytest.fixture
def settings(demo: DemoServer, tmp_path: Path) -> Settings:
    return Settings(home=tmp_path, data=None)


@pytest.fixture
def checker(settings: Settings) -> SummaryEngine:
    return summary_engine_named("openai:demo@parts", settings=settings)


@pytest.mark.parametrize("name", NAMES)
def test_a_summary_is_checked_at_once(name: str, settings: Settings, checker: SummaryEngine) -> None:
    version = write_summary(PAPER, writer=writer_named(name, settings=settings), checker=checker)
    assert version.text == version.report.summary
    assert version.report.source is SummarySource.FRONT
    assert [one.text for one in version.report.labelled(Label.NOT_IN_PAPER)] == [HOPE]
    assert version.measures.readability is not None
    assert version.measures.novelty[0] == pytest.approx(
        6 / 36
    )  # the six words of the hope, none of which the paper has
    assert version.run.strategy == "write"
    assert [name for name, _ in version.run.prompts] == ["summary-write"]


@pytest.mark.parametrize("name", NAMES)
def test_a_repair_changes_what_was_unsupported_and_nothing_else(
    name: str, settings: Settings, checker: SummaryEngine
) -> None:
    writer = writer_named(name, settings=settings)
    first = write_summary(PAPER, writer=writer, checker=checker)
    second = repair_summary(first.report, PAPER, writer=writer, checker=checker)
    assert second.text == first.text.removesuffix(f" {HOPE}")
    assert second.mended == (5,)
    assert second.report.faithful
    assert second.run.strategy == "repair"
    with pytest.raises(QueryError, match="nothing to repair"):
        repair_summary(second.report, PAPER, writer=writer, checker=checker)


class Repeating:
    """Gives every sentence back as it was."""

    name = "openai:made-up"

    def ask_all(self, requests: Sequence[Request], *, progress: Progress = silent) -> list[Reply]:
        data = Mending(sentences=[Mended(number=5, text=HOPE)])
        return [Reply("", data, None, Usage(1, 1), 0.0, "made-up", Form.SCHEMA) for _ in requests]

    def cost_of(self, reply: Reply) -> float | None:
        return 0.0


def test_a_repair_that_changes_nothing_makes_no_version(settings: Settings, checker: SummaryEngine) -> None:
    first = write_summary(PAPER, writer=writer_named("openai:demo", settings=settings), checker=checker)
    with pytest.raises(QueryError, match="the same sentences again"):
        repair_summary(first.report, PAPER, writer=Repeating(), checker=checker)


def test_each_level_asks_in_its_own_words(demo: DemoServer, settings: Settings, checker: SummaryEngine) -> None:
    writer = writer_named("openai:demo", settings=settings)
    asked = demo.desk.statistics()["calls"]
    for level in ReadingLevel:
        write_summary(PAPER, writer=writer, checker=checker, level=level)
    checks = 6  # sentences of the one summary that the demo model always writes; later checks come from the cache
    assert demo.desk.statistics()["calls"] == asked + len(ReadingLevel) + checks


def test_the_full_text_can_be_the_source(settings: Settings, checker: SummaryEngine) -> None:
    writer = writer_named("openai:demo", settings=settings)
    version = write_summary(PAPER, writer=writer, checker=checker, source=SummarySource.WHOLE)
    assert version.report.source is SummarySource.WHOLE


@pytest.mark.parametrize("fault", ["empty", "cutoff", "refusal"])
def test_no_summary_is_a_failure_with_its_run(fault: str, settings: Settings, checker: SummaryEngine) -> None:
    with pytest.raises(NoAnswer) as error:
        write_summary(PAPER, writer=writer_named(f"openai:demo-{fault}", settings=settings), checker=checker)
    assert error.value.run.steps[0].error


def test_sentences_are_changed_where_they_stand() -> None:
    text = "- One is wrong.\n- Two is right. Three goes. Right. Five goes.\nFour too is wrong."

    def check(sentence: str) -> SentenceCheck:
        start = text.index(sentence)
        return SentenceCheck(sentence, start, start + len(sentence), Label.CONTRADICTS, None)

    changes = {check("One is wrong."): "One.", check("Four too is wrong."): "Four."}
    changes |= {check("Three goes."): "", check("Five goes."): ""}
    assert with_changes(text, changes) == "- One.\n- Two is right. Right. \nFour."


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("- It fell.\n- Wrong.\n- It was safe.", "- It fell.\n- It was safe."),
        ("1. Wrong.\n2. It was safe.", "2. It was safe."),
        ("It fell.\n\nWrong.\n\nIt was safe.", "It fell.\n\nIt was safe."),
        ("It fell.\nWrong.\n\nIt was safe.", "It fell.\n\nIt was safe."),
        ("It fell.\n\nWrong. It was safe.", "It fell.\n\nIt was safe."),
        ("It fell.\n\nWrong.", "It fell."),
    ],
)
def test_a_line_that_is_left_without_a_sentence_goes_too(text: str, left: str) -> None:
    start = text.index("Wrong.")
    wrong = SentenceCheck("Wrong.", start, start + len("Wrong."), Label.CONTRADICTS, None)
    assert with_changes(text, {wrong: ""}) == left


def test_only_the_sentences_that_were_asked_for_are_mended() -> None:
    given = Mending(sentences=[Mended(number=n, text=t) for n, t in [(2, " Two.\n"), (2, "Again."), (7, "Seven.")]])
    held = verify_repair({2: "wrong", 3: "wrong"}, Reply("", given, None, Usage(1, 1), 0.1, "demo", Form.SCHEMA))
    assert held == VerifiedText(
        sentences={2: "Two."},
        faults=(
            "2 was given twice.",
            "7 is not the number of a sentence that was to be written anew.",
            "3 was not given.",
        ),
    )


def test_an_estimate_sends_nothing(demo: DemoServer) -> None:
    model = model_named("openai:gpt-5")
    assert model is not None
    front, whole = (estimate_writing(model, PAPER, source, ReadingLevel.EASY) for source in SummarySource)
    assert (front.calls, demo.desk.statistics()["calls"]) == (1, 0)
    assert whole.input_tokens > front.input_tokens


def test_a_model_is_told_all_that_is_wrong_and_what_the_paper_says() -> None:
    text = "Sleep rose in 50 people."
    flags = (
        Flag(Check.NUMBER, "The paper says 40.", Label.CONTRADICTS, index=2),
        Flag(Check.DIRECTION, "Sleep did not change.", Label.CONTRADICTS),
    )
    support = (Support(None, quoted="Nobody wrote this."), Support(2), Support(3), Support(4))
    check = SentenceCheck(text, 0, 24, Label.CONTRADICTS, 0.1, support=support, part=Span(14, 16), flags=flags)
    told = why_unsupported(check, PAPER)
    assert told == (
        "The paper says 40. Sleep did not change. Not supported: “50”. "
        f"The source says: “{PAPER.sentences[2].text}” The source says: “{PAPER.sentences[3].text}”"
    )
    bare = SentenceCheck(text, 0, 24, Label.CONTRADICTS, 0.1)
    assert why_unsupported(bare, PAPER) == "The source does not support it."
