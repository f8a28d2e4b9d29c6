"""What the report shows of each paper, taken from the records; the template only lays it out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.bias.model import Domain
from core.export.plots.palette import Style, style_of
from core.export.project.levels import Basis, Cell, LevelTable, Study, papers_of
from core.export.project.passages import Choice, Passage, passages
from core.paper import Paper
from core.store.judging import OVERALL
from core.store.model import Consensus, ProjectState, ReviewerJudgement, Saved, StoredPaper, Suggestion


@dataclass(frozen=True, slots=True)
class Answered:
    """A signalling question and what somebody answered."""

    id: str
    text: str
    answer: str


@dataclass(frozen=True, slots=True)
class Said:
    """What one person or engine says of a domain."""

    who: str
    style: Style
    words: str  # comment or reason
    answers: tuple[Answered, ...]
    when: str
    beside: str  # for a person, whose suggestions were in view; for an engine, where it looked in vain
    invented: tuple[str, ...] = ()  # what an engine named or quoted that the paper does not have


@dataclass(frozen=True, slots=True)
class DomainPart:
    """One domain of one paper."""

    id: str
    name: str
    cell: Cell
    style: Style
    consensus: Saved[Consensus] | None
    people: tuple[Said, ...]
    engines: tuple[Said, ...]
    passages: tuple[Passage, ...]
    lost: int  # chosen sentences that the paper, as it is read here, does not have


@dataclass(frozen=True, slots=True)
class PaperPart:
    """One paper."""

    anchor: str
    study: Study
    record: StoredPaper
    overall: Style | None  # None: the tool has none
    unread: bool  # its text is not at hand, so no sentence can be quoted
    domains: tuple[DomainPart, ...]


def paper_parts(state: ProjectState, table: LevelTable, papers: Mapping[str, Paper]) -> Iterator[PaperPart]:
    """Every paper of the table, in its order."""
    stored = papers_of(state)
    for number, study in enumerate(table.studies, 1):
        whole = study.cells.get(OVERALL)
        yield PaperPart(
            anchor=f"paper-{number}",
            study=study,
            record=stored[study.paper],
            overall=style_of(whole) if whole else None,
            unread=study.paper not in papers,
            domains=tuple(
                _domain(domain, study, state, papers.get(study.paper)) for domain in table.tool.domains
            ),
        )  # fmt: skip


def _domain(domain: Domain, study: Study, state: ProjectState, paper: Paper | None) -> DomainPart:
    place = study.paper, domain.id
    judged = [saved for saved in state.judgements if _at(saved, place)]
    suggested = [saved for saved in state.suggestions if _at(saved, place)]
    chosen = _chosen(judged, suggested)
    known = [] if paper is None else [index for index in chosen if 0 <= index < len(paper.sentences)]
    return DomainPart(
        id=domain.id,
        name=domain.name,
        cell=study.cells[domain.id],
        style=style_of(study.cells[domain.id]),
        consensus=next((saved for saved in state.consensus if _at(saved, place)), None),
        people=tuple(_person(saved, domain) for saved in judged),
        engines=tuple(_engine(saved, domain) for saved in suggested),
        passages=() if paper is None else tuple(passages(paper, chosen)),
        lost=0 if paper is None else len(chosen) - len(known),
    )


def _at(saved: Saved[ReviewerJudgement] | Saved[Suggestion] | Saved[Consensus], place: tuple[str, str]) -> bool:
    return not saved.removed and (saved.record.paper, saved.record.domain) == place


def _chosen(judged: Sequence[Saved[ReviewerJudgement]], suggested: Sequence[Saved[Suggestion]]) -> dict[int, Choice]:
    """Who chose which sentence."""
    people: dict[int, list[str]] = {}
    engines: dict[int, list[str]] = {}
    for one in judged:
        for index in one.record.support:
            people.setdefault(index, []).append(one.record.reviewer)
    for made in suggested:
        for support in made.record.judgement.support:
            engines.setdefault(support.index, []).append(made.record.engine)
    return {
        index: Choice(tuple(people.get(index, ())), tuple(engines.get(index, ()))) for index in {**people, **engines}
    }


def _person(saved: Saved[ReviewerJudgement], domain: Domain) -> Said:
    own = saved.record
    applicable = {question.id for question in domain.applicable(own.answers)}
    return Said(
        who=own.reviewer,
        style=style_of(Cell(own.level, Basis.OPEN)),
        words=own.comment,
        answers=_answers(domain, {id: word for id, word in own.answers.items() if id in applicable}),
        when=f"{saved.changed:%Y-%m-%d}",
        beside=", ".join(own.suggestions_seen),
    )


def _engine(saved: Saved[Suggestion], domain: Domain) -> Said:
    judgement = saved.record.judgement
    nothing = judgement.level is None and bool(judgement.searched)
    return Said(
        who=saved.record.engine,
        style=style_of(Cell(judgement.level, Basis.SUGGESTED, no_information=nothing)),
        words=judgement.rationale,
        answers=_answers(domain, judgement.answers),
        when=f"{saved.changed:%Y-%m-%d}",
        beside="; ".join(judgement.searched),
        invented=judgement.not_in_paper,
    )


def _answers(domain: Domain, answers: Mapping[str, str]) -> tuple[Answered, ...]:
    asked = (question for question in domain.questions if question.id in answers)
    return tuple(Answered(question.id, question.text, answers[question.id]) for question in asked)
