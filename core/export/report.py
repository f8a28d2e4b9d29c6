"""Export a review, or one paper's assessment, as one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from markupsafe import Markup

from core.bias.agreement import FEWEST_FOR_INTERVAL, AgreementEstimate
from core.bias.assessment import Assessment
from core.bias.model import OVERALL, Domain, LevelStyle, StudyContext, Tool
from core.export.bias_plots import (
    NO_INFORMATION,
    css_class,
    css_of,
    heading,
    style_of,
    summary_bars,
    traffic_light,
)
from core.export.disclosure import disclosure
from core.export.drawing import svg_of
from core.export.html_page import place_in_words, render
from core.export.levels import (
    Basis,
    LevelCell,
    LevelTable,
    Study,
    open_places,
    papers_of,
    reviewer_agreement,
    settled_levels,
)
from core.export.search_report import search_lines, searched_in_words, searches_of
from core.paper import Paper, Sentence
from core.store.items import record_of
from core.store.model import (
    Consensus,
    Place,
    Project,
    ProjectState,
    ReviewerJudgement,
    Saved,
    StoredPaper,
    StoredSuggestion,
    place_of,
    stored_judgement,
    stored_suggestion,
)
from core.store.notices import checked_of, marks_of

# ---- Support sentences, quoted in their paragraph with section and page ----

_WHOLE = 1_200  # characters; of a longer paragraph, only the parts around the chosen sentences are shown
_AROUND = 2  # sentences shown before and after a chosen one


@dataclass(frozen=True, slots=True)
class ChosenBy:
    """The people who chose a sentence, and the engines that suggested it."""

    people: tuple[str, ...] = ()
    engines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PassageSentence:
    """A sentence of a passage; without a choice, it is only context."""

    text: str
    choice: ChosenBy | None


@dataclass(frozen=True, slots=True)
class QuotedPassage:
    """A paragraph, or its part around the chosen sentences."""

    place: str  # section and page of the first chosen sentence
    pieces: tuple[PassageSentence, ...]
    begins: bool  # whether it starts where the paragraph starts
    ends: bool


def passages(paper: Paper, chosen: Mapping[int, ChosenBy]) -> Iterator[QuotedPassage]:
    """The passages around the chosen sentences, in reading order. Unknown indices are ignored."""
    wanted = {index for index in chosen if 0 <= index < len(paper.sentences)}
    for section in sorted({paper.sentences[index].section for index in wanted}):
        for paragraph in paper.paragraphs_of(paper.sections[section]):
            here = [place for place, sentence in enumerate(paragraph) if sentence.index in wanted]
            for first, last in _parts(paragraph, here):
                shown = paragraph[first : last + 1]
                yield QuotedPassage(
                    place=place_in_words(paper, next(one.index for one in shown if one.index in wanted)),
                    pieces=tuple(PassageSentence(each.text, chosen.get(each.index)) for each in shown),
                    begins=first == 0,
                    ends=last == len(paragraph) - 1,
                )


def _parts(paragraph: Sequence[Sentence], chosen: Sequence[int]) -> list[tuple[int, int]]:
    """The first and last index in the paragraph of each part that is shown."""
    end = len(paragraph) - 1
    if chosen and sum(len(sentence.text) for sentence in paragraph) <= _WHOLE:
        return [(0, end)]
    parts: list[tuple[int, int]] = []
    for place in chosen:
        first, last = max(0, place - _AROUND), min(end, place + _AROUND)
        if parts and first <= parts[-1][1] + 1:
            parts[-1] = parts[-1][0], last
        else:
            parts.append((first, last))
    return parts


# ---- The report's content for each paper, which the template only lays out ----


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A signalling question and what somebody answered."""

    id: str
    text: str
    answer: str


@dataclass(frozen=True, slots=True)
class DomainOpinion:
    """One person's or engine's judgement of a domain."""

    who: str
    style: LevelStyle
    words: str  # comment or reason
    answers: tuple[AnsweredQuestion, ...]
    when: str
    beside: str  # for a person: the suggestions that were in view; for an engine: where it searched without a result
    invented: tuple[str, ...] = ()  # what an engine named or quoted that is not in the paper


@dataclass(frozen=True, slots=True)
class DomainPart:
    """One domain of one paper."""

    id: str
    name: str
    cell: LevelCell
    style: LevelStyle
    consensus: Saved[Consensus] | None
    people: tuple[DomainOpinion, ...]
    engines: tuple[DomainOpinion, ...]
    passages: tuple[QuotedPassage, ...]
    lost: int  # the number of chosen sentences that are not in the paper as it is read here


@dataclass(frozen=True, slots=True)
class PaperPart:
    """One paper."""

    anchor: str
    study: Study
    record: StoredPaper
    unread: bool  # its text is not available, so no sentence can be quoted
    domains: tuple[DomainPart, ...]
    whole: DomainPart | None  # the overall judgement; None: the tool has none
    rule: LevelStyle | None  # the overall level that follows from the domains, if people set another one


def paper_parts(state: ProjectState, table: LevelTable, papers: Mapping[str, Paper]) -> Iterator[PaperPart]:
    """Every paper of the table, in its order."""
    stored = papers_of(state)
    for number, study in enumerate(table.studies, 1):
        whole = study.cells.get(OVERALL)
        yield PaperPart(
            anchor=f"paper-{number}",
            study=study,
            record=stored[study.paper],
            unread=study.paper not in papers,
            domains=tuple(
                _domain(domain, study, table.tool, state, papers.get(study.paper)) for domain in table.tool.domains
            ),
            whole=_domain(table.tool.whole, study, table.tool, state, papers.get(study.paper))
            if table.tool.whole
            else None,
            rule=style_of(replace(whole, level=whole.rule), table.tool) if whole and whole.overrides else None,
        )


def _domain(domain: Domain, study: Study, tool: Tool, state: ProjectState, paper: Paper | None) -> DomainPart:
    place = study.paper, tool.id, study.outcome, domain.id
    judged = [saved for saved in state.judgements if _at(saved, place) and (domain.id != OVERALL or saved.record.level)]
    suggested = [saved for saved in state.suggestions if _at(saved, place)]
    chosen = _chosen(judged, suggested)
    known = [] if paper is None else [index for index in chosen if 0 <= index < len(paper.sentences)]
    return DomainPart(
        id=domain.id,
        name=domain.name,
        cell=study.cells[domain.id],
        style=style_of(study.cells[domain.id], tool),
        consensus=next((saved for saved in state.consensus if _at(saved, place)), None),
        people=tuple(_person(saved, domain, tool) for saved in judged),
        engines=tuple(_engine(saved, domain, tool) for saved in suggested),
        passages=() if paper is None else tuple(passages(paper, chosen)),
        lost=0 if paper is None else len(chosen) - len(known),
    )


def _at(saved: Saved[ReviewerJudgement] | Saved[StoredSuggestion] | Saved[Consensus], place: Place) -> bool:
    return not saved.removed and place_of(saved.record) == place


def _chosen(
    judged: Sequence[Saved[ReviewerJudgement]], suggested: Sequence[Saved[StoredSuggestion]]
) -> dict[int, ChosenBy]:
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
        index: ChosenBy(tuple(people.get(index, ())), tuple(engines.get(index, ()))) for index in {**people, **engines}
    }


def _person(saved: Saved[ReviewerJudgement], domain: Domain, tool: Tool) -> DomainOpinion:
    own = saved.record
    applicable = {question.id for question in domain.applicable(own.answers)}
    return DomainOpinion(
        who=own.reviewer,
        style=style_of(LevelCell(own.level, Basis.OPEN), tool),
        words=own.comment,
        answers=_answers(domain, {id: word for id, word in own.answers.items() if id in applicable}),
        when=f"{saved.changed:%Y-%m-%d}",
        beside=", ".join(own.suggestions_seen),
    )


def _engine(saved: Saved[StoredSuggestion], domain: Domain, tool: Tool) -> DomainOpinion:
    judgement = saved.record.judgement
    nothing = judgement.level is None and bool(judgement.searched)
    return DomainOpinion(
        who=saved.record.engine,
        style=style_of(LevelCell(judgement.level, Basis.SUGGESTED, no_information=nothing), tool),
        words=judgement.rationale,
        answers=_answers(domain, judgement.answers),
        when=f"{saved.changed:%Y-%m-%d}",
        beside="; ".join(judgement.searched),
        invented=judgement.not_in_paper,
    )


def _answers(domain: Domain, answers: Mapping[str, str]) -> tuple[AnsweredQuestion, ...]:
    asked = (question for question in domain.questions if question.id in answers)
    return tuple(AnsweredQuestion(question.id, question.text, answers[question.id]) for question in asked)


# ---- The report of a project ----

_PANEL = 25  # studies in one plot: as many as fit on a printed page


def project_report(
    state: ProjectState,
    table: LevelTable,
    papers: Mapping[str, Paper],
    *,
    date: datetime,
    note: str = "",
    hidden: int = 0,
) -> str:
    """The report. `papers`, by id, are quoted; a missing one is marked as unread.

    `note` is a sentence at the top on what the report leaves out. `hidden`: see `disclosure`.
    """
    return render(
        "report",
        filters={"css_class": css_class, "share": _share, "figure": _figure},
        project=state.project.record,
        table=table,
        tool=table.tool,
        style_of=partial(style_of, tool=table.tool),
        more_css=css_of([*table.tool.levels.values(), NO_INFORMATION]),
        heading=heading,
        plots=list(_plots(table)),
        parts=list(paper_parts(state, table, papers)),
        pairs=list(reviewer_agreement(state, table.tool)),
        fewest=FEWEST_FOR_INTERVAL,
        disclosure=disclosure(state, table.tool, hidden=hidden),
        open_places=open_places(table),
        searched=searched_in_words(searches_of(state), state.retrievals),
        searches=search_lines(searches_of(state)),
        notices={item: notice.in_words for item, notice in marks_of(state).items()},
        checked=checked_of(state).in_words if state.project.record.id != _PROJECT else "",
        note=note,
        date=date,
    )


def _plots(table: LevelTable) -> Iterator[Markup]:
    """The plots as SVG, which is already escaped."""
    if not table.studies:
        return
    parts = [table.studies[first : first + _PANEL] for first in range(0, len(table.studies), _PANEL)]
    yield Markup(svg_of(summary_bars(table), inline=True))  # noqa: S704
    several = table.by_outcome if len(table.by_outcome) > 1 else {}
    for outcome, of_outcome in several.items():
        bars = summary_bars(of_outcome, title=f"Risk of bias by domain: {outcome or 'no outcome named'}")
        yield Markup(svg_of(bars, inline=True))  # noqa: S704
    for number, studies in enumerate(parts, 1):
        title = "Risk of bias" if len(parts) == 1 else f"Risk of bias ({number} of {len(parts)})"
        yield Markup(svg_of(traffic_light(replace(table, studies=studies), title=title), inline=True))  # noqa: S704


def _share(estimate: AgreementEstimate) -> str:
    return _with_interval(estimate, "{:.0%}")


def _figure(estimate: AgreementEstimate) -> str:
    return _with_interval(estimate, "{:.2f}")


def _with_interval(estimate: AgreementEstimate, form: str) -> str:
    """The value and its interval. A missing one is a dash, because it is not zero."""
    if estimate.value is None:
        return "–"
    value = form.format(estimate.value)
    if estimate.low is None or estimate.high is None:
        return f"{value} (–)"
    return f"{value} ({form.format(estimate.low)} to {form.format(estimate.high)})"


# ---- The report of one paper, as a project of one paper and one reviewer ----

_PROJECT = "single"
REVIEWER = "Reviewer"


_NO_DATES = "An assessment of one paper keeps no dates: those beside judgements are the date of this report."


def assessment_report(
    paper: Paper, assessments: Sequence[Assessment], study: StudyContext, *, date: datetime, blind: bool
) -> str:
    """One HTML file on one or more outcomes of a paper, judged with one tool.

    `blind`: the reviewer saw no suggestion before judging; otherwise it is assumed that they did.
    """
    state = _as_project(paper, assessments, study, date=date, blind=blind)
    levels = settled_levels(state, assessments[0].tool)
    return project_report(state, levels, {paper.id: paper}, date=date, note=_NO_DATES)


def _as_project(
    paper: Paper, assessments: Sequence[Assessment], study: StudyContext, *, date: datetime, blind: bool
) -> ProjectState:
    def saved(record: Any) -> Saved[Any]:
        return Saved(record, 1, REVIEWER, date, date)

    tool = assessments[0].tool
    judgements: list[ReviewerJudgement] = []
    suggestions: list[StoredSuggestion] = []
    for one in assessments:
        place = {"project": _PROJECT, "paper": paper.id, "tool": tool.id, "outcome": one.outcome}
        for domain in tool.with_whole:
            if one.of(domain).begun:
                seen = () if blind or domain.id not in one.suggestions else (one.suggestions[domain.id].engine,)
                own = one.of(domain)
                judgements.append(stored_judgement(own, domain, **place, reviewer=REVIEWER, seen=seen))
        suggestions += (stored_suggestion(made, **place) for made in one.suggestions.values())
    name = paper.title or paper.name
    outcomes = tuple(one.outcome for one in assessments)
    project = Project(_PROJECT, name, (REVIEWER,), tool.id, study, blind, outcomes=outcomes)
    return ProjectState(
        project=saved(project),
        papers=(saved(record_of(paper, project=_PROJECT)),),
        judgements=tuple(map(saved, judgements)),
        suggestions=tuple(map(saved, suggestions)),
        consensus=(),
        decisions=(),
        history=(),
    )
