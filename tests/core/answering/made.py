"""Answers made up by hand: by quotations, and written by a model that does not exist."""

from __future__ import annotations

from dataclasses import replace

from core.answering import (
    Answer,
    Citation,
    CitationStatus,
    Gathered,
    PaperAnswer,
    Question,
    ReportedChange,
    Statement,
    TrailStep,
)
from core.answering.model import Action
from core.grounding.model import ModelRun, Step
from core.library import LibraryPaper, Passage, Years
from core.llm.model import Usage

ASKED = Question(
    "Does walking improve sleep?",
    k=20,
    years=Years(1990, None),
    only=frozenset({"a", "b", "c"}),
    without=frozenset({"z", "y"}),
    sources=9,
    spread=0.7,
    options=("yes", "no"),
    fields=("dose", "“age” of the people"),
    passages=frozenset({"a/3", "b/0"}),
    design="randomised trial",
    screened="not excluded",
    everywhere=True,
)


def paper(id: str) -> LibraryPaper:
    """A paper of a library."""
    return LibraryPaper(
        id, f"{id}.pdf", f"Walking: {id}", ("Rossi, A.",), None, 2020, "10.1/x", None, 12, "made",
        ("randomised trial", "trial"), retracted=id == "b", cited=3,
    )  # fmt: skip


def gathered(id: str, first: int = 3, score: float = 8.5) -> Gathered:
    """A passage of two sentences that was read."""
    texts = (f"Sleep was better in {id} (P\u2009<\u20090.05).", "So was mood.")
    passage = Passage(id, first, "Results", "results", 4, texts, (0.9, 0.1 + 0.2), "Before it.")
    return Gathered(passage, score, first, "It says so.", (("dose", "daily"),))


def says(id: str, told: ReportedChange | None = ReportedChange.INCREASED, first: int = 3) -> PaperAnswer:
    """What a paper says."""
    return PaperAnswer(paper(id), 0.85, told, None if told is None else 0.9, gathered(id, first))


def quoted(*papers: PaperAnswer, searched: int = 3) -> Answer:
    """An answer by quotations."""
    evidence, sources = tuple(one.strongest for one in papers), tuple(one.paper for one in papers)
    return Answer("offline", Question(ASKED.text), papers, not papers, evidence, sources, searched, 0.25)


def statement(text: str, *cited: str) -> Statement:
    """A written sentence."""
    citations = tuple(Citation(f"{id}/3", (4, 3), CitationStatus.SUPPORTED) for id in cited)
    return Statement(text, citations, begins_paragraph=True)


def written() -> Answer:
    """An answer with something of everything."""
    steps = (
        Step("Planning", "First search.", (), cost_usd=None, usage=Usage(100, None, 20)),
        Step("a", "It says so.", (0, 2), ("no number",), ("“Nowhere”",), "No answer.", "{", Usage(1, 2), 0.1, True),
    )
    run = ModelRun("made:up", "agent", (("gather", "0f" * 8),), steps)
    return replace(
        quoted(says("a"), says("b", ReportedChange.NO_DIFFERENCE), says("c", None)),
        engine="made:up@agent",
        question=ASKED,
        cost_usd=None,
        statements=(statement("Sleep improves.", "a", "b"), statement("Mood may.")),
        option=1,
        steps=(
            TrailStep(Action.SEARCH, "walking", "3 papers found.", "To begin.", 0.5, None),
            TrailStep(Action.ANSWER, ASKED.text, "Written."),
        ),
        run=run,
        notes=("Every reply was kept.",),
    )
