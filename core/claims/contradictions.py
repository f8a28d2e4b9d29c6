"""Statements held against a library on this machine: which way each paper's result goes, beside which way is claimed."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from core.answering.model import CANDIDATES, Told
from core.answering.reading import AnswerModel, ReadPassages, ReadSentence, of_paper, of_passages, read_passages
from core.answering.reading import shipped as shipped_answers
from core.claims.differences import differences
from core.claims.model import Contested, ContradictionEngine, Place, Side, Statement, Way
from core.claims.statements import Claimed, aligned, claimed_by, comparison_in, same_parts
from core.engines import Opening
from core.entailment import Reader, installed_reader
from core.entailment.regression import log_odds
from core.library.index import Library
from core.library.model import LibraryPaper, SearchMethod
from core.progress import Progress, silent

SCALE = Path(__file__).parent / "scale.json"
_AGREE = (
    Place.POSSIBLY_AGREEMENT,
    Place.NUANCED_AGREEMENT,
    Place.AGREEMENT,
    Place.STRONG_AGREEMENT,
    Place.EXPLICIT_AGREEMENT,
)
_COMPARED, _ABOUT = (
    8,
    0.3,
)  # sentences of a paper that are taken apart, those most about the question, and how much they must be
_AGAINST = tuple(Place)[Place.POSSIBLY_CONTRADICTION :]


@dataclass(frozen=True, slots=True)
class Scale:
    """From probabilities to a place, fitted by folds of trials (`python -m core.training contradictions`)."""

    reports: float  # the least probability that a paper reports before it says anything of a statement
    against: tuple[float, ...]  # the least likelihoods of the places 6 to 10
    agreeing: tuple[float, ...]  # of the places 4 to 0
    aligned: float  # by how much, in log-odds, a sentence that makes the same comparison tells more than the reader

    def place(self, against: float, agreeing: float) -> Place:
        """Of what the likeliest paper on either side gives; 0: there is none."""
        if max(against, agreeing) == 0:
            return Place.LACK_OF_EVIDENCE
        # A sure contradiction counts, whoever agrees beside it.
        contradicted = against >= min(agreeing, self.against[2])
        places, cuts, sure = (_AGAINST, self.against, against) if contradicted else (_AGREE, self.agreeing, agreeing)
        above = [place for place, least in zip(places, cuts, strict=True) if sure >= least]
        return above[-1] if above else Place.LACK_OF_EVIDENCE

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Scale:
        """What `core.training contradictions` wrote."""
        return cls(found["reports"], tuple(found["against"]), tuple(found["agreeing"]), found["aligned"])


@cache
def shipped() -> Scale:
    """The scale that comes with the product, loaded once per process."""
    return Scale.from_json(json.loads(SCALE.read_text(encoding="utf-8")))


@dataclass(frozen=True, slots=True)
class PaperOnStatement:
    """What the reader makes of one paper beside a statement."""

    paper: str
    reports: float  # probability that it reports on it
    agrees: float  # probability that its result goes as claimed, if it reports, by the reader
    aligned: bool | None  # whether a sentence that makes the same comparison goes as claimed; None: there is none
    told: Told  # its likeliest direction
    strongest: int  # place in `ReadPassages.found` of the passage to quote

    def as_claimed(self, shift: float) -> float:
        """`agrees`, and what a sentence that makes the same comparison adds to it."""
        if self.aligned is None:
            return self.agrees
        odds = log_odds(self.agrees) + (shift if self.aligned else -shift)
        return float(1 / (1 + np.exp(-odds)))


def papers_on(
    claimed: Claimed, reading: ReadPassages, papers: Mapping[str, LibraryPaper], model: AnswerModel
) -> list[PaperOnStatement]:
    """Every paper of which sentences were read, the likeliest to report first."""
    scores = [round(model.passage.probability(row), 6) for row in of_passages(reading)]
    found = []
    for id, places in reading.by_paper.items():
        read = reading.sentences_of(id)
        if id not in papers or not read:
            continue
        shares = model.shares(claimed.question, read)
        agrees = sum(shares[told] * share for told, share in zip(Told, claimed.shares, strict=True))
        holds = {sentence.index for sentence in read[:1]}
        best = max(places, key=lambda place: (_holds(reading, place, holds), scores[place]))
        same, surely = _aligned(claimed, read)
        # The regression was fitted to libraries in which one paper reports; where two do, it thinks less of the second.
        reports = max(surely, model.reports.probability(of_paper(reading, papers[id], scores)))
        likeliest = max(shares, key=shares.__getitem__)
        found.append(PaperOnStatement(id, round(reports, 4), round(agrees, 4), same, likeliest, best))
    return sorted(found, key=lambda one: -one.reports)


def _aligned(claimed: Claimed, read: Sequence[ReadSentence]) -> tuple[bool | None, float]:
    """Whether the first sentence on the question that makes the claim's comparison goes as claimed, None: there is none.

    Beside it how likely the paper reports by this sentence alone, where it names both arms and the outcome as the claim does.
    """
    for one in read[:_COMPARED] if claimed.comparison is not None else ():
        comparison = comparison_in(one.text) if one.about >= _ABOUT else None
        told = aligned(claimed.comparison, comparison) if claimed.comparison and comparison else None
        if claimed.comparison and comparison and told is not None:
            return told is claimed.comparison.told, one.about if same_parts(claimed.comparison, comparison) else 0.0
    return None, 0.0


def _holds(reading: ReadPassages, place: int, sentences: set[int]) -> bool:
    passage = reading.found[place].passage
    return any(passage.first <= index <= passage.last for index in sentences)


@dataclass(frozen=True, slots=True)
class OfflineContradictions:
    """Searches, reads what is nearest, and sets what each paper reports beside what is claimed."""

    name: str
    method: SearchMethod
    reader: Reader

    def hold(self, statement: Statement, library: Library, *, progress: Progress = silent) -> Contested:
        """What the library says of it. Raises `LibraryError` where the index fails."""
        started = time.perf_counter()
        progress(0.05, "Searching the library")
        papers = {paper.id: paper for paper in library.papers()}
        claimed = claimed_by(statement.text, self.reader)
        found = library.search(
            claimed.question, depth=CANDIDATES, method=self.method, only=statement.only, without=statement.without
        )
        progress(0.3, "Reading the nearest passages")
        reading = read_passages(claimed.question, found, papers, self.reader)
        scale = shipped()
        on_it = papers_on(claimed, reading, papers, shipped_answers())
        sides = [_side(one, scale, statement, reading, papers) for one in on_it if one.reports >= scale.reports]
        sides.sort(key=lambda one: -one.sure)
        against = max((one.sure for one in sides if one.way is Way.CONTRADICTS), default=0.0)
        agreeing = max((one.sure for one in sides if one.way is Way.AGREES), default=0.0)
        place = scale.place(against, agreeing)
        progress(1.0, "Done")
        return Contested(
            self.name,
            statement,
            place,
            _reason(place, sides),
            tuple(sides) if place is not Place.LACK_OF_EVIDENCE else (),
            searched=sum(
                (statement.only is None or id in statement.only) and id not in statement.without for id in papers
            ),
            likely=round(0.5 + (against - agreeing) / 2, 4),
            claims=claimed.told,
            seconds=time.perf_counter() - started,
        )


def _side(
    one: PaperOnStatement, scale: Scale, statement: Statement, reading: ReadPassages, papers: Mapping[str, LibraryPaper]
) -> Side:
    agrees = one.as_claimed(scale.aligned)
    way = Way.AGREES if agrees >= 0.5 else Way.CONTRADICTS
    passage = reading.found[one.strongest].passage
    paper = papers[one.paper]
    read = reading.read.get(passage.id, ())
    return Side(
        paper,
        way,
        sure=round(one.reports * max(agrees, 1 - agrees), 4),
        passage=passage,
        strongest=read[0].index if read else passage.first,
        told=one.told,
        differences=differences(
            " ".join((statement.context, statement.text)), " ".join((paper.title or "", passage.text))
        ),
    )


def _reason(place: Place, sides: Sequence[Side]) -> str:
    """In a sentence of ours: how many papers stand on which side, and what may explain the difference."""
    if place is Place.LACK_OF_EVIDENCE:
        return "No paper of the library seems to report on it surely enough."
    against = [one for one in sides if one.way is Way.CONTRADICTS]
    agreeing = len(sides) - len(against)
    counts = [
        f"{_papers(len(against))} the other way" if against else "",
        f"{_papers(agreeing)} the same way" if agreeing else "",
    ]
    explained = against[0].differences if against else ()
    why = f" What may explain it: {'; '.join(explained)}." if explained else ""
    return f"{' and '.join(filter(None, counts))}, as far as the reader can tell.{why}"


def _papers(count: int) -> str:
    return "1 paper reports" if count == 1 else f"{count:,} papers report"


def open_offline(opening: Opening) -> ContradictionEngine:
    """Searches by words and meaning."""
    return OfflineContradictions("offline", SearchMethod.HYBRID, installed_reader())


def open_bm25(opening: Opening) -> ContradictionEngine:
    """Reads what BM25 finds."""
    return OfflineContradictions("bm25", SearchMethod.WORDS, installed_reader())


def open_embedding(opening: Opening) -> ContradictionEngine:
    """Reads what the encoder finds."""
    return OfflineContradictions("embedding", SearchMethod.MEANING, installed_reader())
