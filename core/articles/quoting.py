"""What the sections of an article quote where no model writes: sentences of text, each in one section only.

Sections ask of one topic, so the same few sentences are nearest to many of their questions. An answer by itself may quote any
of them; in an article a sentence that stands a second time, or a table's row without its heads, tells a reader nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.answering.model import Answer, Gathered, PaperAnswer
from core.articles.model import Section

_ANSWERS = 0.1  # the least probability that a passage answers, to be quoted in the place of its paper's first
_NEAREST = 3  # papers that are quoted where none answers, as an answer has them
_TABLE = "table"  # the part of a passage that is rows of one
_Claim = tuple[int, str]  # a section's place, and a paper that it quotes
_Words = tuple[str, str]  # a paper and a sentence: the same words of another paper are another sentence


def nothing_left(heading: str) -> str:
    """Why a section quotes no answer although papers seem to report on its question."""
    return f"No sentence is left that answers “{heading}”: what comes nearest is quoted in another section, or is a table's row."


@dataclass(frozen=True, slots=True)
class _Offer:
    """A passage that a section may quote of one of its papers."""

    section: int
    paper: str
    rank: int  # among those of the paper: 0 is what the answer would quote
    passage: Gathered

    @property
    def claim(self) -> _Claim:
        """Who would quote it."""
        return self.section, self.paper

    @property
    def words(self) -> _Words:
        """What would be quoted."""
        passage = self.passage.passage
        return self.paper, passage.sentences[self.passage.strongest - passage.first]


def quoted_once(sections: Sequence[Section]) -> tuple[Section, ...]:
    """The sections, with every sentence in one of them: that of the better evidence, unless the other would have nothing.

    What is next is quoted as an answer where it is likely enough to be one. A section that has nothing left cannot answer,
    and shows the nearest sentences that no other section quotes.
    """
    offers = [_offers(place, one.answer) for place, one in enumerate(sections)]
    answering = [
        offer
        for section, own in zip(sections, offers, strict=True)
        if section.answer.answered
        for offer in own
        if offer.rank == 0 or offer.passage.score >= _ANSWERS
    ]
    quoted = _handed_out(answering, frozenset())
    answered = {section for section, _ in quoted}
    rest = [offer for place, own in enumerate(offers) if place not in answered for offer in own]
    nearest = _handed_out(rest, frozenset(one.words for one in quoted.values()))
    return tuple(
        _quoting(one, place, quoted) if place in answered else _unanswered(one, place, nearest)
        for place, one in enumerate(sections)
    )


def _offers(section: int, answer: Answer) -> list[_Offer]:
    """What of each paper may be quoted, best first: sentences of text alone."""
    return [
        _Offer(section, paper.paper.id, rank, passage)
        for paper in answer.papers
        for rank, passage in enumerate(_passages(paper, answer))
        if passage.passage.part != _TABLE
    ]


def _passages(paper: PaperAnswer, answer: Answer) -> Iterator[Gathered]:
    """The paper's own choice, and the other passages that were gathered of it."""
    yield paper.strongest
    for one in answer.evidence:
        if one.passage.paper == paper.paper.id and one.passage.id != paper.strongest.passage.id:
            yield one


def _handed_out(offers: Iterable[_Offer], quoted: frozenset[_Words]) -> dict[_Claim, _Offer]:
    """One offer for each section and paper, and no sentence twice: the first choice of the likeliest goes first.

    Where nothing free is left for one, another gives way that has a next of its own: as many are quoted as can be.
    """
    claims: dict[_Claim, list[_Offer]] = defaultdict(list)
    for one in offers:
        if one.words not in quoted:
            claims[one.claim].append(one)
    holders: dict[_Words, _Offer] = {}

    def give(claim: _Claim, asked: set[_Words]) -> bool:
        """Whether there is one for it that is free, or whose holder could take another; `asked`: those looked at."""
        for offer in sorted(claims[claim], key=lambda one: one.words in holders):
            if offer.words in asked:
                continue
            asked.add(offer.words)
            holder = holders.get(offer.words)
            if holder is None or give(holder.claim, asked):
                holders[offer.words] = offer
                return True
        return False

    for claim in sorted(claims, key=lambda one: (-claims[one][0].passage.score, one)):
        give(claim, set())
    return {one.claim: one for one in holders.values()}


def _quoting(section: Section, place: int, given: Mapping[_Claim, _Offer]) -> Section:
    papers = tuple(
        replace(one, strongest=given[place, one.paper.id].passage)
        for one in section.answer.papers
        if (place, one.paper.id) in given
    )
    return replace(section, answer=replace(section.answer, papers=papers))


def _unanswered(section: Section, place: int, given: Mapping[_Claim, _Offer]) -> Section:
    """With the nearest that is left; where papers seemed to report, a note says why there is no answer."""
    shown = _quoting(section, place, given)
    why = (nothing_left(section.heading),) if section.answer.answered else ()
    answer = shown.answer
    return replace(
        shown,
        answer=replace(
            answer, papers=answer.papers[:_NEAREST], cannot_answer=answer.problem is None, notes=(*answer.notes, *why)
        ),
    )
