"""EvidenceBench's pipeline (section 3, appendices C, F and G): turn a citation in a review into a task instance.

A plan sends nothing itself: it yields the requests of a stage and receives the replies (`core.grounding.questions`). So
the same plan runs live, from batch files, on a cluster and from the cache.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from core.evidence.model import MAX_HYPOTHESIS_WORDS
from core.grounding.checking import Selection
from core.grounding.model import Step
from core.grounding.questions import Price, Prompts, Stages
from core.llm import Request
from core.making.alignment import TEMPLATE, aligned, alignment_requests
from core.making.asking import (
    Listed,
    Numbered,
    Stated,
    SummaryKind,
    Unusable,
    alone,
    hashes,
    numbered,
    put,
    put_for_sources,
    request,
)
from core.making.journal import data_of
from core.making.outcome import Outcome
from core.making.reviews import ANOTHER, THIS, Candidate, candidates
from core.making.sets import instance_of, published_record
from core.making.shelf import Shelf, Shelved
from core.paper import Paper

PROMPTS = hashes(
    (
        "making-cut",
        "making-suitable",
        "making-claim",
        "making-trim",
        "making-aspects",
        "making-leaks",
        "making-results",
        TEMPLATE,
    )
)
NOT_SUITABLE = "the summary tells no results"
LEAKS = "an aspect holds what the summary does not tell"
NOT_COVERED = "no sentence of the paper covers an aspect"
_USUAL_ASPECTS = 10  # the average number of aspects of a summary (EvidenceBench, section 3.2)
_MOST_ASPECTS = 60  # the published records have at most 36
_SUITABLE = {"results", "both"}


@dataclass(frozen=True, slots=True)
class Prepared:
    """A candidate with its paper."""

    candidate: Candidate
    shelved: Shelved


@dataclass(frozen=True, slots=True)
class EvidenceBenchPipeline:
    """The pipeline on a source of reviews and a folder of papers (`core.making.carrying_out.Pipeline`)."""

    source: Path
    shelf: Shelf
    any_licence: bool = False
    name: str = "evidencebench"
    prompts: Prompts = PROMPTS

    def data(self) -> Mapping[str, Any]:
        return data_of(self.source) | self.shelf.told(any_licence=self.any_licence)

    def candidates(self) -> Iterator[Candidate]:
        return candidates(self.source)

    def prepared(self, candidate: Candidate) -> Prepared | str:
        found = self.shelf.take(candidate.papers, licence=candidate.licence, any_licence=self.any_licence)
        return found if isinstance(found, str) else Prepared(candidate, found)

    @staticmethod
    def plan(prepared: Prepared, price: Price) -> Stages[Outcome]:
        return plan(prepared.candidate, prepared.shelved, price)

    def expected_requests(self, prepared: Prepared) -> Iterator[Request]:
        return expected_requests(prepared.candidate, prepared.shelved.paper, _USUAL_ASPECTS)


def plan(candidate: Candidate, shelved: Shelved, price: Price) -> Stages[Outcome]:
    """The whole pipeline from the paragraph to the record. Raises `ModelError` if a question gets no reply."""
    steps: list[Step] = []
    try:
        return (yield from _made(candidate, shelved, steps, price))
    except Unusable as reason:
        return Outcome(candidate.key, candidate.review, dropped=str(reason), steps=tuple(steps))


def _made(candidate: Candidate, shelved: Shelved, steps: list[Step], price: Price) -> Stages[Outcome]:
    summary = yield from _summary(candidate, steps, price)
    hypothesis = yield from _hypothesis(candidate, summary, steps, price)
    aspects = yield from decomposed(summary, shelved.paper, steps, price)
    results = yield from alone(put(_results(aspects), Numbered, price, partial(known_numbers, aspects)), steps)
    sources = yield from aligned(shelved.paper, aspects, summary, steps, price)
    named = {f"{candidate.key}/{number}": aspect for number, aspect in enumerate(aspects)}
    instance = instance_of(
        candidate.key,
        hypothesis,
        shelved.paper,
        aspects=named,
        aligned=dict(zip(named, sources, strict=True)),
        results=[id for number, id in enumerate(named) if number in results.said.decision],
    )
    if instance is None:
        raise Unusable(NOT_COVERED)
    return Outcome(
        candidate.key,
        candidate.review,
        paper=shelved.id,
        paper_key=shelved.key,
        licence=shelved.licence,
        told={
            "summary": summary,
            "not covered": [text for id, text in named.items() if id not in instance.gold.aspects],
        },
        records={"evidencebench": published_record(instance, paper_id=shelved.id)},
        steps=tuple(steps),
    )


def _summary(candidate: Candidate, steps: list[Step], price: Price) -> Stages[str]:
    """The sentences about the paper, without marks. Raises `Unusable` if they report no results."""
    shown = dict(enumerate(candidate.sentences))

    def holds_mark(chosen: Sequence[int]) -> list[str]:
        return [] if candidate.citing in chosen else [f"Sentence {candidate.citing}, which has the mark, was left out."]

    asked = request("making-cut", Selection, numbered(candidate.sentences), label="Cutting out")
    cut = yield from alone(put_for_sources(asked, shown, price, holds_mark), steps)
    summary = without_marks(" ".join(shown[number] for number in cut.numbers))
    suitable = yield from alone(
        put(request("making-suitable", SummaryKind, summary, label="Sorting"), SummaryKind, price), steps
    )
    if suitable.said.decision not in _SUITABLE:
        raise Unusable(NOT_SUITABLE)
    return summary


def _hypothesis(candidate: Candidate, summary: str, steps: list[Step], price: Price) -> Stages[str]:
    claim = yield from alone(put(_claim(candidate, summary), Stated, price, _is_hypothesis), steps)
    context = f"{_around(candidate)}\n\nThe summary: {summary}"
    asked = request("making-trim", Stated, context, f"The claim: {claim.said.hypothesis}", label="Hypothesis, trimmed")
    trimmed = yield from alone(put(asked, Stated, price, _is_hypothesis), steps)
    return " ".join(trimmed.said.hypothesis.split())


def decomposed(statement: str, paper: Paper, steps: list[Step], price: Price) -> Stages[list[str]]:
    """The aspects of a statement. Raises `Unusable` if one says more than the statement."""
    pieces = yield from alone(put(pieces_of(statement, paper), Listed, price, _are_pieces), steps)
    aspects = [" ".join(piece.split()) for piece in pieces.said.items]
    asked = request("making-leaks", Numbered, statement, numbered(aspects), label="Aspects, checked")
    leaks = yield from alone(put(asked, Numbered, price, partial(known_numbers, aspects)), steps)
    if leaks.said.decision:
        raise Unusable(LEAKS)
    return aspects


def expected_requests(candidate: Candidate, paper: Paper, aspects: int) -> Iterator[Request]:
    """The approximate requests for a candidate with so many aspects.

    Its citing sentence stands in for unknown texts.
    """
    summary = without_marks(candidate.sentences[candidate.citing])
    yield request("making-cut", Selection, numbered(candidate.sentences), label="")
    yield request("making-suitable", SummaryKind, summary, label="")
    yield _claim(candidate, summary)
    yield request("making-trim", Stated, _around(candidate), summary, label="")
    yield pieces_of(summary, paper)
    stand_in = [summary[: max(20, len(summary) // aspects)]] * aspects
    yield request("making-leaks", Numbered, summary, numbered(stand_in), label="")
    yield _results(stand_in)
    yield from alignment_requests(paper, stand_in, summary)


def without_marks(text: str) -> str:
    """A summary without the marks of citations."""
    bare = " ".join(text.replace(THIS, "").replace(ANOTHER, "").split())
    return bare.replace(" .", ".").replace(" ,", ",").replace("()", "").replace("[]", "").strip()


def known_numbers(listed: Sequence[str], said: Numbered) -> list[str]:
    """Faults for numbers that are not in the list."""
    return [
        f"{number} is not the number of anything listed."
        for number in said.decision
        if number not in range(len(listed))
    ]


def _claim(candidate: Candidate, summary: str) -> Request:
    return request("making-claim", Stated, _around(candidate), f"The summary: {summary}", label="Hypothesis")


def _around(candidate: Candidate) -> str:
    own = without_marks(" ".join(candidate.sentences))
    return f"{own}\n\n{candidate.surroundings}".strip()


def pieces_of(statement: str, paper: Paper) -> Request:
    """The request for the aspects of a statement about a paper."""
    return request(
        "making-aspects",
        Listed,
        numbered(one.text for one in paper.pool),
        f"The statement: {statement}",
        label="Aspects",
    )


def _results(aspects: Sequence[str]) -> Request:
    return request("making-results", Numbered, numbered(aspects), label="Results")


def _is_hypothesis(said: Stated) -> list[str]:
    words = len(said.hypothesis.split())
    if not words:
        return ["It states no hypothesis."]
    return (
        [f"It has {words} words, and at most {MAX_HYPOTHESIS_WORDS} are allowed."]
        if words > MAX_HYPOTHESIS_WORDS
        else []
    )


def _are_pieces(said: Listed) -> list[str]:
    if not said.items or not all(any(map(str.isalnum, item)) for item in said.items):
        return ["It lists no piece, or one without a word."]
    return (
        [f"It lists {len(said.items)} pieces, and at most {_MOST_ASPECTS} are allowed."]
        if len(said.items) > _MOST_ASPECTS
        else []
    )
