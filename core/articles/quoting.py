"""Choose what the sections of an article without a model quote: sentences of prose, each in one section only.

All sections are about the same topic, so the same few sentences are nearest to many of their questions. A single answer
may quote any of them. In an article, a repeated sentence, or a table row without its headers, is of no use to a reader.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.answering.model import Answer, Gathered, PaperAnswer
from core.articles.model import Section

_ANSWERS = 0.1  # the least probability of answering at which a passage may replace its paper's first choice
_NEAREST = 3  # papers that are quoted if none answers, as in an answer
_TABLE = "table"  # `Passage.part` of table rows
_Claim = tuple[int, str]  # the index of a section, and a paper that it quotes
_Words = tuple[str, str]  # a paper and a sentence; the same words in another paper are another sentence


def nothing_left(heading: str) -> str:
    """Why a section quotes no answer although papers seem to report on its question."""
    return f"No sentence is left that answers “{heading}”: what comes nearest is quoted in another section, or is a table's row."


@dataclass(frozen=True, slots=True)
class _Offer:
    """A passage that a section may quote from one of its papers."""

    section: int
    paper: str
    rank: int  # among the paper's passages; 0 is the one that the answer would quote
    passage: Gathered

    @property
    def claim(self) -> _Claim:
        """The section and paper that would quote it."""
        return self.section, self.paper

    @property
    def words(self) -> _Words:
        """The sentence that would be quoted."""
        passage = self.passage.passage
        return self.paper, passage.sentences[self.passage.strongest - passage.first]


def quoted_once(sections: Sequence[Section]) -> tuple[Section, ...]:
    """The sections, with every sentence in only one: the one with better evidence, unless the other would have nothing.

    The next sentence of a paper is quoted instead if it is likely enough to answer. A section with nothing left cannot
    answer, and shows the nearest sentences that no other section quotes.
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
    """The passages of each paper that may be quoted, best first, without table rows."""
    return [
        _Offer(section, paper.paper.id, rank, passage)
        for paper in answer.papers
        for rank, passage in enumerate(_passages(paper, answer))
        if passage.passage.part != _TABLE
    ]


def _passages(paper: PaperAnswer, answer: Answer) -> Iterator[Gathered]:
    """The passage chosen for the paper, then its other passages in the evidence."""
    yield paper.strongest
    for one in answer.evidence:
        if one.passage.paper == paper.paper.id and one.passage.id != paper.strongest.passage.id:
            yield one


def _handed_out(offers: Iterable[_Offer], quoted: frozenset[_Words]) -> dict[_Claim, _Offer]:
    """One offer for each section and paper, without repeating a sentence; the first choices of the likeliest go first.

    If no sentence is free for one, another that has an alternative gives way, so that as many as possible are quoted.
    """
    claims: dict[_Claim, list[_Offer]] = defaultdict(list)
    for one in offers:
        if one.words not in quoted:
            claims[one.claim].append(one)
    holders: dict[_Words, _Offer] = {}

    def give(claim: _Claim, asked: set[_Words]) -> bool:
        """Whether a sentence is free for it, or has a holder that can take another. `asked` are those already tried."""
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
        _quoted(one, given[place, one.paper.id]) for one in section.answer.papers if (place, one.paper.id) in given
    )
    return replace(section, answer=replace(section.answer, papers=papers))


def _quoted(paper: PaperAnswer, offer: _Offer) -> PaperAnswer:
    """The paper with the sentence to quote. What was told of its first choice does not hold for another sentence."""
    if offer.rank == 0:
        return paper
    return replace(paper, strongest=offer.passage, told=None, probability=None)


def _unanswered(section: Section, place: int, given: Mapping[_Claim, _Offer]) -> Section:
    """A section with the nearest sentences left. If papers seemed to report, a note says why there is no answer."""
    shown = _quoting(section, place, given)
    why = (nothing_left(section.heading),) if section.answer.answered else ()
    answer = shown.answer
    return replace(
        shown,
        answer=replace(
            answer, papers=answer.papers[:_NEAREST], cannot_answer=answer.problem is None, notes=(*answer.notes, *why)
        ),
    )
