"""A language model finds a paper's claims: candidates from parts of a section, kept from score 8 on (PaperQA2, 8.4)."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Self

from pydantic import BaseModel, ConfigDict, Field

from core.claims.model import Claim, ClaimVerdict, PaperClaims
from core.grounding.checking import CheckedPicks, Pick, VerifiedPicks, check_picks
from core.grounding.questions import (
    H,
    ModelEngine,
    QuestionResult,
    VerifiedAnswer,
    ask,
    repeated_request,
    run_plan,
    run_together,
)
from core.llm import CostEstimate, ModelName, Reply, ReplySchema, Request, estimate
from core.llm.model import Form, NotPlain, fields
from core.paper import Kind, Paper, Sentence
from core.progress import Progress, silent
from core.prompts import load_prompt

KEPT = 8.0  # the least score (section 8.4)
CHARACTERS = 5000  # the most characters of a part, which never spans two sections
_HIGHEST = 10
_READING = 0.7  # the share of finding candidates in the progress
_MOST = 8  # the most claims of a part
_AT_END = re.compile(r"^(?P<text>.+?)\s*\[(?P<number>\d{1,5})\]\s*$")
_SCORED = re.compile(
    r"^\[?(?P<number>\d{1,5})\]?[:.]?\s+(?P<score>\d{1,2})\s+(?P<verdict>.+?)(?:,? as \[?(?P<same_as>\d{1,5})\]?)?\.?\s*$"
)


class ClaimStrategy(StrEnum):
    """How claims are asked for."""

    PARTS = "parts"


class FoundClaim(Pick):
    """A claim, and the sentence that it rests on."""

    claim: str = Field(description="The claim, in one sentence that makes sense by itself.")


class FoundClaims(ReplySchema):
    """The claims of a part."""

    reason: str = Field(description="In a sentence, what the part claims.")
    claims: list[FoundClaim] = Field(description="The claims, the most important first; empty if there is none.")

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """Parse the plain form, which has no place for quotations."""
        reason, listed = fields(text, "REASON", "CLAIMS")
        found = []
        for line in filter(None, map(str.strip, listed.splitlines())):
            if line.lower().strip(" .") == "none":
                continue
            if (match := _AT_END.match(line)) is None:
                raise NotPlain("a line after CLAIMS: does not end with a number in square brackets")
            found.append(FoundClaim(number=int(match["number"]), quote="", claim=match["text"]))
        return cls(reason=reason, claims=found)


class ClaimScore(BaseModel):
    """How good a claim is."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: int = Field(description="The claim's number.")
    score: int = Field(description="From 0 to 10.")
    verdict: ClaimVerdict
    same_as: int | None = Field(description="The number of a claim that says the same, and says it best; null if none.")


class ClaimScores(ReplySchema):
    """The scores of several claims."""

    reason: str = Field(description="In a sentence, what makes the best claims better than the others.")
    scores: list[ClaimScore]

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """Parse the plain form, which has one line per claim."""
        reason, listed = fields(text, "REASON", "SCORES")
        found = []
        for line in filter(None, map(str.strip, listed.splitlines())):
            if (match := _SCORED.match(line)) is None:
                raise NotPlain("a line after SCORES: is not a number, a score and a word")
            score = {"number": int(match["number"]), "score": int(match["score"]), "verdict": match["verdict"].lower()}
            same_as = int(match["same_as"]) if match["same_as"] else None
            found.append(ClaimScore.model_validate(score | {"same_as": same_as}))
        return cls(reason=reason, scores=found)


class CheckedClaims(VerifiedPicks[FoundClaims, FoundClaim]):
    """A model's claims, checked against the part."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class CheckedScores:
    """A model's scores, checked against the claims that it was shown."""

    said: ClaimScores
    claims: int  # the number of claims, which are numbered from 1

    @property
    def reasoning(self) -> str:
        return self.said.reason

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(self.scored)

    @property
    def scored(self) -> Mapping[int, ClaimScore]:
        """The scores by the claim's number, without those of unknown claims or out of range."""
        return {
            one.number: one for one in self.said.scores if 1 <= one.number <= self.claims and 0 <= one.score <= _HIGHEST
        }

    @property
    def faults(self) -> tuple[str, ...]:
        numbers = range(1, self.claims + 1)
        missing = [
            f"Claim {number} has no score from 0 to {_HIGHEST}." for number in numbers if number not in self.scored
        ]
        lost = [
            f"Claim {one.number} is said to be the same as [{one.same_as}], which is no other claim."
            for one in self.scored.values()
            if one.same_as is not None and (one.same_as not in numbers or one.same_as == one.number)
        ]
        return (*missing, *lost)

    def best_of(self, number: int) -> int:
        """The claim that says best what this one says, following `same_as`; the claim itself if it has none."""
        scored, passed = self.scored, {number}
        while (best := scored[number].same_as) is not None and best in scored and best not in passed:
            number = best
            passed.add(number)
        return number

    @property
    def not_in_paper(self) -> tuple[str, ...]:
        return tuple(f"[{one.number}]" for one in self.said.scores if not 1 <= one.number <= self.claims)


class ModelClaimEngine(ModelEngine[ClaimStrategy]):
    """Asks for the candidates of all parts in parallel, and then for their scores."""

    strategies = ClaimStrategy
    task = "for claims"

    def claims(self, paper: Paper, *, progress: Progress = silent) -> PaperClaims:
        """What the paper claims, the best first.

        Raises `NoAnswer`, with every question, if no question was answered.
        """
        started = time.perf_counter()
        wording = ClaimPrompts(_line(paper.title or paper.name))
        results = self._asked(
            [
                (wording.extract(*part), partial(_held, {one.index: one.text for one in part[1]}))
                for part in parts_of(paper)
            ],
            wording,
            lambda done, step: progress(done * _READING, step),
        )
        steps = [result.step for result in results]
        errors = [result.error for result in results if result.error is not None]
        if errors and len(errors) == len(results):
            self.run_of(wording.hashes, steps, error=errors[0])
        candidates = list(_claims_in(results))
        found: list[Claim] = []
        if candidates:
            request = wording.score(candidates, paper)
            [result] = self._asked(
                [(request, partial(_held_scores, len(candidates)))],
                wording,
                lambda done, step: progress(_READING + done * (1 - _READING), step),
            )
            steps.append(result.step)
            if result.answer is None:
                self.run_of(wording.hashes, steps, error=result.error)
            else:
                found = list(_kept(candidates, result.answer))
        run = self.run_of(wording.hashes, steps, error=None)
        progress(1.0, "Done")
        best_first = sorted(found, key=lambda one: (-one.score, one.sentence))
        return PaperClaims(self.name, tuple(best_first), time.perf_counter() - started, run.cost_usd, run, run.gaps)

    def _asked(
        self, requests: Sequence[tuple[Request, Callable[[Reply], H | None]]], wording: ClaimPrompts, progress: Progress
    ) -> list[QuestionResult[H]]:
        exchanges = [
            ask(request, hold, partial(wording.once_more, request), self.runner.cost_of) for request, hold in requests
        ]
        return run_plan(run_together(exchanges), self.runner, progress)


def estimate_claims(model: ModelName, paper: Paper) -> CostEstimate:
    """What finding a paper's claims will use if no question is repeated. Nothing is sent.

    The candidates are unknown beforehand. Their scoring is estimated for as many as a part may have, with the length of
    sentences.
    """
    wording, parts = ClaimPrompts(_line(paper.title or paper.name)), list(parts_of(paper))
    stand_ins = [Claim(_line(one.text), one.index, 0.0) for _, sentences in parts for one in sentences[:_MOST]]
    requests = [wording.extract(*part) for part in parts]
    if stand_ins:
        requests.append(wording.score(stand_ins, paper))
    return estimate(requests, f"{model.provider}:{model.model}")


class ClaimPrompts:
    """Fills the templates for one paper. Raises `PromptError` if a template is invalid."""

    def __init__(self, title: str) -> None:
        self.title = title
        parts = ("system", "context", "task", "plain")
        self._extract = load_prompt("claims-extract", variables=("title", "section", "sentences", "most"), parts=parts)
        self._score = load_prompt("claims-score", variables=("title", "claims"), parts=parts)
        self._again = load_prompt("claims-again", variables=("task", "faults"))
        self.hashes = tuple((prompt.name, prompt.hash) for prompt in (self._extract, self._score, self._again))

    def extract(self, section: str, sentences: Sequence[Sentence]) -> Request:
        """The request for the claims of a part."""
        listed = "\n".join(f"[{one.index}] {_line(one.text)}" for one in sentences)
        name = _line(section)
        return Request(
            system=self._extract.fill("system"),
            context=self._extract.fill(
                "context", title=self.title, section=name or "without a title", sentences=listed
            ),
            task=self._extract.fill("task", most=_MOST),
            schema=FoundClaims,
            plain=self._extract.fill("plain"),
            label=name or "Part",
        )

    def score(self, candidates: Sequence[Claim], paper: Paper) -> Request:
        """The request for the scores of claims, which are numbered from 1."""
        listed = "\n".join(
            f"[{number}] {_line(one.text)}\n    Its sentence: {_line(paper.sentences[one.sentence].text)}"
            for number, one in enumerate(candidates, 1)
        )
        return Request(
            system=self._score.fill("system"),
            context=self._score.fill("context", title=self.title, claims=listed),
            task=self._score.fill("task"),
            schema=ClaimScores,
            plain=self._score.fill("plain"),
            label="How good they are",
        )

    def once_more(self, request: Request, answer: VerifiedAnswer) -> Request:
        """The request repeated, with the faults of the first answer."""
        return repeated_request(self._again, request, answer.faults)


def parts_of(paper: Paper) -> Iterator[tuple[str, tuple[Sentence, ...]]]:
    """The parts of a paper, with their section's title: sentences of one section, at most `CHARACTERS` together."""
    for section in paper.sections:
        part: list[Sentence] = []
        length = 0
        for sentence in paper.sentences_of(section):
            if sentence.kind not in (Kind.ABSTRACT, Kind.BODY) or sentence.index >= len(paper.pool):
                continue
            if part and length + len(sentence.text) > CHARACTERS:
                yield section.title, tuple(part)
                part, length = [], 0
            part.append(sentence)
            length += len(sentence.text) + 1
        if part:
            yield section.title, tuple(part)


def _line(text: str) -> str:
    return " ".join(text.split())


def _held(shown: Mapping[int, str], reply: Reply) -> CheckedClaims | None:
    said = reply.data
    if not isinstance(said, FoundClaims):
        return None
    rounds: list[dict[int, FoundClaim]] = []  # a sentence may have several claims, but a check takes it only once
    for pick in said.claims:
        free = next((one for one in rounds if pick.number not in one), None)
        if free is None:
            rounds.append(free := {})
        free[pick.number] = pick
    quoted, sent = reply.form is Form.SCHEMA, reply.sent(shown)
    checked = [check_picks(list(one.values()), sent, _MOST, quoted=quoted) for one in rounds]
    return CheckedClaims(
        said,
        CheckedPicks(
            tuple(pick for one in checked for pick in one.right),
            tuple(fault for one in checked for fault in one.faults),
            tuple(place for one in checked for place in one.not_in_paper),
        ),
    )


def _held_scores(claims: int, reply: Reply) -> CheckedScores | None:
    return CheckedScores(reply.data, claims) if isinstance(reply.data, ClaimScores) else None


def _claims_in(results: Sequence[QuestionResult[CheckedClaims]]) -> Iterator[Claim]:
    for result in results:
        for pick in result.answer.checked.right if result.answer else ():
            if text := _line(pick.claim):
                yield Claim(text, pick.number, 0.0)


def _kept(candidates: Sequence[Claim], answer: CheckedScores) -> Iterator[Claim]:
    """The good claims. Of claims that say the same, only the best is kept, with the sentences of all."""
    alike: dict[int, list[tuple[bool, Claim]]] = {}  # by the number of the best claim: (whether it is the best, claim)
    for number, one in enumerate(candidates, 1):
        scored = answer.scored.get(number)
        if scored is not None and scored.score >= KEPT:
            best = answer.best_of(number)
            good = replace(one, score=float(scored.score), verdict=scored.verdict)
            alike.setdefault(best, []).append((best == number, good))
    for same in alike.values():
        _, first = max(same, key=lambda row: (row[0], row[1].score))
        yield replace(first, also=tuple(sorted({one.sentence for _, one in same} - {first.sentence})))
