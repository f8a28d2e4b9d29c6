"""A language model compares statements with a library: it reads passages and judges them together (PaperQA2, 8.4).

The passages are searched and read as for an answer (`core.answering.gathering`). One more question asks for the
reasons, the place on the scale and the side of every source. Naming a source that was not given is a fault.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from core.answering.gathering import GatheringPrompts, gather
from core.answering.model import SOURCES, Gathered, Question
from core.answering.workspace import as_found
from core.answering.writing import source_block
from core.claims.model import Contested, Place, Side, Statement, Way
from core.grounding.questions import ModelEngine, ask, repeated_request, run_plan, run_together
from core.library.index import Library
from core.library.model import Found, LibraryPaper
from core.llm import CostEstimate, ModelName, Reply, ReplySchema, Request, estimate
from core.llm.model import NotPlain, fields
from core.llm.provider import set_apart
from core.progress import Progress, silent
from core.prompts import Prompt, load_prompt

REFUSED = "The model's judgement did not hold together, not even when it was asked again, and is left out."
_READING = 0.7  # the share of reading passages in the progress
_PLACES = {place.in_words: place for place in Place}
_SIDE = re.compile(r"^\[?(?P<source>\d{1,4})\]?\s+(?P<way>agrees|contradicts)\s*:?\s*(?P<why>.*)$", re.IGNORECASE)


class ContradictionStrategy(StrEnum):
    """How a statement is compared with a library. The first is the default."""

    READ = "read"  # every passage is first read by itself
    PASSAGES = "passages"  # the nearest passages are judged without being read first


class SourceSide(BaseModel):
    """How a source bears on the claim."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: int = Field(description="The source's number.")
    way: Literal["agrees", "contradicts"]
    why: str = Field(description="Why, in one short sentence.")
    differs: str = Field(description="What differs in dose, population, time or measure; empty if nothing does.")


class JudgedClaim(ReplySchema):
    """The reasons, the place, and the sides."""

    reason: str = Field(description="Your reasons, in a few sentences, before any decision.")
    place: str = Field(description="One of the places, in the words of the task.")
    sources: list[SourceSide] = Field(description="Every source that bears on the claim.")

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """Parse the plain form, which has no place for what differs."""
        reason, place, listed = fields(text, "REASON", "PLACE", "SOURCES")
        sides = []
        for line in filter(None, map(str.strip, listed.splitlines())):
            if line.lower().strip(" .") == "none":
                continue
            if (match := _SIDE.match(line)) is None:
                raise NotPlain("a line after SOURCES: is not a number and “agrees” or “contradicts”")
            way: Literal["agrees", "contradicts"] = "agrees" if match["way"].lower() == "agrees" else "contradicts"
            sides.append(SourceSide(source=int(match["source"]), way=way, why=match["why"], differs=""))
        return cls(reason=reason, place=place, sources=sides)


@dataclass(frozen=True, slots=True)
class CheckedJudgement:
    """A model's judgement, checked against the sources it was given (a `core.grounding.questions.VerifiedAnswer`)."""

    said: JudgedClaim
    given: int  # sources, numbered from 1

    @property
    def reasoning(self) -> str:
        return self.said.reason

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(self.sides)

    @property
    def sides(self) -> dict[int, SourceSide]:
        """The sides by the source's number, without sources that were not given."""
        return {one.source: one for one in self.said.sources if 1 <= one.source <= self.given}

    @property
    def place(self) -> Place | None:
        """The place that it chose; None if it is not on the scale."""
        return _PLACES.get(" ".join(self.said.place.lower().split()).strip(" ."))

    @property
    def not_in_paper(self) -> tuple[str, ...]:
        return tuple(f"[{one.source}]" for one in self.said.sources if not 1 <= one.source <= self.given)

    @property
    def faults(self) -> tuple[str, ...]:
        found = [f"{number} is not the number of a source that was given." for number in self.not_in_paper]
        ways = {one.way for one in self.sides.values()}
        if self.place is None:
            found.append("The place is not one of those in the task.")
        elif self.place > Place.LACK_OF_EVIDENCE and "contradicts" not in ways:
            found.append("The claim is said to be contradicted, and no source that was given contradicts it.")
        elif self.place < Place.LACK_OF_EVIDENCE and "agrees" not in ways:
            found.append("Agreement is said, and no source that was given agrees.")
        return tuple(found)


class ModelContradictionEngine(ModelEngine[ContradictionStrategy]):
    """Searches, lets the model read passages, and asks it to place the claim on the scale."""

    strategies = ContradictionStrategy
    task = "for contradictions"

    def compare(self, statement: Statement, library: Library, *, progress: Progress = silent) -> Contested:
        """What the library says about the statement.

        Raises `NoAnswer`, with every question, without a usable answer.
        """
        started = time.perf_counter()
        judge, again = _judge_prompt(), load_prompt("claims-again", variables=("task", "faults"))
        prompts = tuple((prompt.name, prompt.hash) for prompt in (judge, again))
        papers = {paper.id: paper for paper in library.papers()}
        question, near = _nearest(statement, library)
        searched = sum(
            (statement.only is None or id in statement.only) and id not in statement.without for id in papers
        )
        if not near:
            return Contested(
                self.name, statement, Place.LACK_OF_EVIDENCE, "The library holds no other paper.", (), searched, 0.5
            )
        if self.strategy is ContradictionStrategy.READ:
            # The statement comes from a paper or a model, so it is marked as data as well.
            read = gather(
                question, near, papers, self.runner, lambda done, step: progress(done * _READING, step), shown=set_apart
            )
            if read.error is not None:
                self.run_of(prompts, read.steps, error=read.error)
        else:
            read = as_found(question, near, papers, silent)
        evidence: Sequence[Gathered] = [one for one in read.gathered if one.score > 0][:SOURCES]
        request = _request(judge, statement, evidence, papers)
        exchange = ask(
            request,
            partial(_held, len(evidence)),
            lambda answer: repeated_request(again, request, answer.faults),
            self.runner.cost_of,
        )
        [result] = run_plan(
            run_together([exchange]), self.runner, lambda done, step: progress(_READING + done * (1 - _READING), step)
        )
        run = self.run_of(prompts, (*read.steps, result.step), error=result.error if result.answer is None else None)
        assert result.answer is not None  # else `run_of` has raised  # noqa: S101
        judged = result.answer
        # A judgement that still has faults after the question was repeated cannot be relied on.
        # `is None`, because explicit agreement is place 0, which is falsy.
        place = Place.LACK_OF_EVIDENCE if judged.faults or judged.place is None else judged.place
        sides = () if judged.faults else _one_a_paper(judged.sides, evidence, papers, place)
        refused = f"{REFUSED} {' '.join(judged.faults)}" if judged.faults else ""
        progress(1.0, "Done")
        return Contested(
            self.name,
            statement,
            place,
            refused or " ".join(judged.reasoning.split()),
            sides,
            searched,
            likely=place / 10,
            seconds=time.perf_counter() - started,
            cost_usd=run.cost_usd,
            run=run,
            notes=run.gaps,
        )


def estimate_comparison(model: ModelName, statements: Iterable[Statement], library: Library) -> CostEstimate:
    """What comparing statements will use if no question is repeated and no reply is cached. Nothing is sent."""
    papers, judge = {paper.id: paper for paper in library.papers()}, _judge_prompt()
    reads = ModelContradictionEngine.strategy_of(model) is ContradictionStrategy.READ
    requests: list[Request] = []
    for statement in statements:
        question, near = _nearest(statement, library)
        if not near:
            continue
        if reads:
            wording = GatheringPrompts(question, shown=set_apart)
            requests += [wording.request(one.passage, papers.get(one.passage.paper)) for one in near]
        evidence = as_found(question, near, papers, silent).gathered[:SOURCES]
        requests.append(_request(judge, statement, evidence, papers))
    return estimate(requests, f"{model.provider}:{model.model}")


def _nearest(statement: Statement, library: Library) -> tuple[Question, list[Found]]:
    """The question for which passages are read, and the nearest passages."""
    question = Question(statement.text, without=statement.without, only=statement.only)
    near = library.search(question.text, depth=question.k, only=statement.only, without=statement.without)
    return question, near


def _judge_prompt() -> Prompt:
    return load_prompt(
        "claims-contradiction",
        variables=("evidence", "claim", "around", "scale"),
        parts=("system", "context", "task", "plain"),
    )


def _request(
    judge: Prompt, statement: Statement, evidence: Sequence[Gathered], papers: Mapping[str, LibraryPaper]
) -> Request:
    """The request to place the statement on the scale, given the evidence."""
    blocks = [source_block(number, one, papers) for number, one in enumerate(evidence, 1)]
    return Request(
        system=judge.fill("system"),
        context=judge.fill("context", evidence="\n\n".join(blocks) or "Nothing was found."),
        task=judge.fill(
            "task",
            claim=set_apart(" ".join(statement.text.split())),
            around=set_apart(" ".join(statement.context.split()) or "Nothing is given."),
            scale="; ".join(_PLACES),
        ),
        schema=JudgedClaim,
        plain=judge.fill("plain"),
        label="Who contradicts it",
    )


def _held(given: int, reply: Reply) -> CheckedJudgement | None:
    return CheckedJudgement(reply.data, given) if isinstance(reply.data, JudgedClaim) else None


def _one_a_paper(
    said: Mapping[int, SourceSide], evidence: Sequence[Gathered], papers: Mapping[str, LibraryPaper], place: Place
) -> tuple[Side, ...]:
    """One side per paper, from its best passage. Passages on the side of `place` are preferred to others."""
    way = "contradicts" if place > Place.LACK_OF_EVIDENCE else "agrees"
    best_first = sorted(said, key=lambda number: (said[number].way != way, -evidence[number - 1].score))
    chosen: dict[str, int] = {}
    for number in best_first:
        chosen.setdefault(evidence[number - 1].passage.paper, number)
    return tuple(
        _side(evidence[number - 1], said[number], papers[paper]) for paper, number in chosen.items() if paper in papers
    )


def _side(one: Gathered, said: SourceSide, paper: LibraryPaper) -> Side:
    return Side(
        paper,
        Way.AGREES if said.way == "agrees" else Way.CONTRADICTS,
        sure=None,  # a model scores how much a passage bears on it, but not how certain its side is
        passage=one.passage,
        strongest=one.strongest,
        reason=" ".join(said.why.split()),
        differences=tuple(filter(None, [" ".join(said.differs.split())])),
    )
