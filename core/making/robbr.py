"""RoBBR's pipeline (sections 4.3 to 4.5, appendices B, D and H): make its three tasks from reviewers' judgements.

Main: the paper and the level. SSR: the support text is cut into pieces, and those specific to the paper are aligned
with its sentences. SJS: the right judgement among six wrong ones, three that imitate other papers' judgements of the
same bias and three that are other papers' judgements, each checked not to be right after all.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from core.benchmarks.gold import Gold
from core.export.gold import full_paper, support_fields
from core.grounding.model import Step
from core.grounding.questions import Price, Prompts, Stages, run_together
from core.llm import Request
from core.making.alignment import TEMPLATE, aligned, alignment_requests
from core.making.asking import Listed, Numbered, PieceKind, Unusable, alone, answers_of, hashes, numbered, put, request
from core.making.evidencebench import known_numbers, pieces_of
from core.making.journal import data_of
from core.making.judgements import Judgement, OtherJudgements, judgements
from core.making.outcome import Outcome
from core.making.shelf import Shelf, Shelved

PROMPTS = hashes(
    (
        "making-aspects",
        "making-comment",
        TEMPLATE,
        "making-options",
        "making-shorter",
        "making-others",
        "making-entails",
    )
)
ONLY_COMMENTS = "no piece of the judgement is specific to the paper"
NOT_COVERED = "no sentence of the paper covers a piece of the judgement"
TOO_FEW = "fewer than three judgements of other papers on the same bias differ"
RIGHT_AFTER_ALL = "a wrong option is right after all"
_OF_EACH = 3  # wrong options of each kind
_USUAL_ASPECTS = 3


@dataclass(frozen=True, slots=True)
class Prepared:
    """A judgement with its paper, and the judgements of the same bias of other papers."""

    judgement: Judgement
    shelved: Shelved
    others: tuple[str, ...]


class RobbrPipeline:
    """The pipeline on a table of judgements and a folder of papers (`core.making.carrying_out.Pipeline`)."""

    name = "robbr"

    def __init__(self, source: Path, shelf: Shelf, *, any_licence: bool = False) -> None:
        self.source = source
        self.prompts: Prompts = PROMPTS
        self._shelf = shelf
        self._any_licence = any_licence
        self._others: OtherJudgements | None = None

    def data(self) -> Mapping[str, Any]:
        return data_of(self.source) | self._shelf.told(any_licence=self._any_licence)

    def candidates(self) -> Iterator[Judgement]:
        return judgements(self.source)

    def prepared(self, candidate: Judgement) -> Prepared | str:
        if self._others is None:
            self._others = OtherJudgements(self.source)
        found = self._shelf.take(candidate.papers, licence=candidate.licence, any_licence=self._any_licence)
        return found if isinstance(found, str) else Prepared(candidate, found, self._others.of(candidate))

    @staticmethod
    def plan(prepared: Prepared, price: Price) -> Stages[Outcome]:
        return plan(prepared, price)

    def expected_requests(self, prepared: Prepared) -> Iterator[Request]:
        paper, judgement = prepared.shelved.paper, prepared.judgement
        yield pieces_of(judgement.support, paper)
        pieces = [judgement.support] * _USUAL_ASPECTS
        yield from (_kind(piece, judgement) for piece in pieces)
        yield from alignment_requests(paper, pieces, _statement(judgement))
        yield _options(prepared)
        others = list(prepared.others[:_OF_EACH])
        yield _listed("making-shorter", Listed, judgement, others)
        yield _listed("making-others", Numbered, judgement, prepared.others)
        yield _listed("making-entails", Numbered, judgement, others * 2)


def plan(prepared: Prepared, price: Price) -> Stages[Outcome]:
    """Make the records of all three tasks. If a task cannot be made from the judgement, the reason is recorded."""
    judgement, shelved, steps = prepared.judgement, prepared.shelved, list[Step]()
    if judgement.level is None:
        raise ValueError("a judgement without a level is excluded")
    case = {
        "paper_doi": shelved.id,
        "bias": judgement.bias,
        "PICO": judgement.pico,
        "objective": judgement.objective,
    }
    text = full_paper(shelved.paper)
    records: dict[str, Any] = {"Main_task": case | {"full_paper": text, "label": str(judgement.level)}}
    told: dict[str, Any] = {}
    try:
        gold = yield from _support(prepared, steps, price)
        records["SSR"] = case | support_fields(shelved.paper, gold)
    except Unusable as reason:
        told["no SSR"] = str(reason)
    try:
        options, label = yield from _selection(prepared, steps, price)
        records["SJS"] = case | {"full_paper": text, "options": options, "label": label}
    except Unusable as reason:
        told["no SJS"] = str(reason)
    return Outcome(
        judgement.key,
        judgement.review,
        paper=shelved.id,
        paper_key=shelved.key,
        licence=shelved.licence,
        told=told,
        records=records,
        steps=tuple(steps),
    )


def _support(prepared: Prepared, steps: list[Step], price: Price) -> Stages[Gold]:
    judgement, paper = prepared.judgement, prepared.shelved.paper
    found = yield from alone(put(pieces_of(judgement.support, paper), Listed, price, _some), steps)
    pieces = [" ".join(piece.split()) for piece in found.said.items]
    kinds = yield from run_together([put(_kind(piece, judgement), PieceKind, price) for piece in pieces])
    answers = answers_of(kinds, steps)
    specific = [piece for piece, kind in zip(pieces, answers, strict=True) if kind.said.decision == "specific"]
    if not specific:
        raise Unusable(ONLY_COMMENTS)
    sources = yield from aligned(paper, specific, _statement(judgement), steps, price)
    covered = {
        f"aspect_{number}": (piece, found)
        for number, (piece, found) in enumerate(zip(specific, sources, strict=True))
        if found
    }
    if not covered:
        raise Unusable(NOT_COVERED)
    return Gold(
        {id: found for id, (_, found) in covered.items()}, labels={id: piece for id, (piece, _) in covered.items()}
    )


def _selection(prepared: Prepared, steps: list[Step], price: Price) -> Stages[tuple[list[str], int]]:
    """The seven options and the index of the right one. Order and lengths are random, but the same in every run."""
    judgement, others = prepared.judgement, prepared.others
    chance = random.Random(judgement.key)  # noqa: S311  a draw, not a secret
    if len(others) < _OF_EACH:
        raise Unusable(TOO_FEW)
    imitated = yield from alone(put(_options(prepared), Listed, price, _three), steps)
    long = list(imitated.said.items)
    asked = _listed("making-shorter", Listed, judgement, long)
    shortened = yield from alone(put(asked, Listed, price, _three), steps)
    imitations = [chance.choice(pair) for pair in zip(long, shortened.said.items, strict=True)]
    asked = _listed("making-others", Numbered, judgement, others)
    chosen = yield from alone(put(asked, Numbered, price, partial(known_numbers, others)), steps)
    foreign = [others[number] for number in dict.fromkeys(chosen.said.decision)][:_OF_EACH]
    if len(foreign) < _OF_EACH:
        raise Unusable(TOO_FEW)
    wrong = [" ".join(option.split()) for option in (*imitations, *foreign)]
    asked = _listed("making-entails", Numbered, judgement, wrong)
    after_all = yield from alone(put(asked, Numbered, price, partial(known_numbers, wrong)), steps)
    if after_all.said.decision or judgement.support in wrong or len(set(wrong)) < len(wrong):
        raise Unusable(RIGHT_AFTER_ALL)
    options = [judgement.support, *wrong]
    chance.shuffle(options)
    return options, options.index(judgement.support)


def _kind(piece: str, judgement: Judgement) -> Request:
    return request(
        "making-comment", PieceKind, piece, f"The whole judgement: {judgement.support}", label="Kind of piece"
    )


def _options(prepared: Prepared) -> Request:
    judgement = prepared.judgement
    return request(
        "making-options",
        Listed,
        numbered(one.text for one in prepared.shelved.paper.pool),
        f"The right judgement: {judgement.support}",
        numbered(prepared.others),
        bias=judgement.bias,
        label="Options",
    )


def _listed(name: str, schema: type[Listed] | type[Numbered], judgement: Judgement, texts: Sequence[str]) -> Request:
    """A question about numbered judgements and the right one."""
    return request(name, schema, judgement.support, numbered(texts), bias=judgement.bias, label="Options")


def _statement(judgement: Judgement) -> str:
    return f"On {judgement.bias}: {judgement.support}"


def _some(said: Listed) -> list[str]:
    return [] if said.items and all(any(map(str.isalnum, item)) for item in said.items) else ["It lists no piece."]


def _three(said: Listed) -> list[str]:
    whole = [item for item in said.items if any(map(str.isalnum, item))]
    return [] if len(whole) == len(said.items) == _OF_EACH else [f"It lists {len(whole)} of {_OF_EACH}."]
