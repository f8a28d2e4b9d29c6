"""What a review says of the machines that it used, and of how people checked them.

Cochrane, JBI, Campbell and CEE ask for all of it wherever software suggests a judgement: model, version, date, prompts,
and how people checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime

from core import __version__
from core.bias.model import Level, Tool
from core.export.project.blinding import blinding
from core.export.project.levels import papers_to_judge, present
from core.export.project.machines import cost_in_words, counted, engine_in_words, in_days, machines
from core.store.judging import OVERALL
from core.store.model import ProjectState, ReviewerJudgement, Saved, Suggestion

_KIND = "judgements"  # what the history calls them
HISTORY = ("projects", _KIND)  # the kinds of changes that are looked at here


@dataclass(frozen=True, slots=True)
class EngineUse:
    """What one engine did, and what became of it."""

    engine: str
    suggestions: int
    first: date
    last: date
    costs: tuple[float | None, ...]  # in USD; None: unknown
    prompts: tuple[tuple[str, str], ...]  # (name, hash)
    seen: int  # judgements that were given with its suggestion in view
    same: int  # of these, those at the level that it suggested
    other: int  # of these, those at another level; where it suggested none, neither


@dataclass(frozen=True, slots=True)
class Checks:
    """What people did."""

    judgements: int  # by a person, with a level
    with_suggestion: int  # of these, given with a suggestion in view
    changed: int  # of all, those whose level is not the one that was given first
    changed_after_seeing: int  # of these, those that came before a suggestion was in view, and were changed after
    settled: int  # domains with a consensus
    unjudged: int  # domains of papers with a suggestion, and without any person's judgement


@dataclass(frozen=True, slots=True)
class _First:
    """The first level of a judgement, and whether a suggestion was in view then."""

    at: datetime
    level: Level
    beside: bool


def engine_uses(state: ProjectState) -> tuple[EngineUse, ...]:
    """Every engine of the project, by name."""
    papers = papers_to_judge(state)
    made: dict[str, list[Saved[Suggestion]]] = {}
    for saved in state.suggestions:
        if not saved.removed and saved.record.paper in papers:
            made.setdefault(saved.record.engine, []).append(saved)
    return tuple(_use(engine, made[engine], _given(state)) for engine in sorted(made))


def checks(state: ProjectState) -> Checks:
    """What people did with the suggestions and beside them."""
    given, papers = _given(state), papers_to_judge(state)
    places = {(one.paper, one.domain) for one in given}
    suggested = {(one.paper, one.domain) for one in present(state.suggestions) if one.paper in papers}
    first = _first_given(state)
    changed = [one for one in given if _key(one) in first and first[_key(one)].level is not one.level]
    return Checks(
        judgements=len(given),
        with_suggestion=sum(bool(one.suggestions_seen) for one in given),
        changed=len(changed),
        changed_after_seeing=sum(bool(one.suggestions_seen) and not first[_key(one)].beside for one in changed),
        settled=sum(one.paper in papers and one.domain != OVERALL for one in present(state.consensus)),
        unjudged=len(suggested - places),
    )


def disclosure(state: ProjectState, tool: Tool, *, hidden: int = 0) -> str:
    """One paragraph of plain text, ready for a review's methods section.

    `hidden`: the domains of papers of which `state` leaves something out, because its blind reader may not see it yet.
    """
    return " ".join(_sentences(state, tool, hidden))


def _sentences(state: ProjectState, tool: Tool, hidden: int) -> Iterator[str]:
    project, done = state.project.record, checks(state)
    papers, judged = len(papers_to_judge(state)), len({one.paper for one in _given(state)})
    where = counted(papers, "paper") if judged == papers else f"{judged:,} of {counted(papers, 'paper')}"
    yield f"Risk of bias was assessed with {tool.name} ({tool.source}) in {where}, using Vouch {__version__}."
    uses = engine_uses(state)
    if hidden:
        domains = "1 domain of a paper" if hidden == 1 else f"{hidden:,} domains of papers"
        yield f"Not told yet: suggestions and others' judgements on {domains}, which are hidden until they are judged."
    elif not uses:
        yield "No software suggested a judgement."
    for use in uses:
        yield _machine(use)
    if project.reviewers:
        people = _listed(project.reviewers)
        yield f"{'Reviewer' if len(project.reviewers) == 1 else 'Reviewers'}: {people}."
    if done.judgements == 0:
        yield "No person has judged a domain yet: nothing here may be taken for a reviewer's judgement."
    else:
        yield f"People gave {counted(done.judgements, 'judgement')}; no suggestion became a judgement by itself."
    if done.judgements:
        first = _first_given(state)
        yield blinding(state, [first[_key(one)].at if _key(one) in first else None for one in _given(state)])
    if (uses or done.with_suggestion) and done.judgements:
        without = done.judgements - done.with_suggestion
        yield (
            f"A suggestion was in view when {counted(done.with_suggestion, 'judgement')} {_were(done.with_suggestion)} "
            f"given or last changed, and none when {without} {_were(without)}."
        )
        for use in uses:
            yield _checked(use)
    if done.changed:
        yield (
            f"{counted(done.changed, 'judgement')} {_were(done.changed)} given one level first and another later, "
            f"{done.changed_after_seeing} of them after a suggestion had come into view."
        )
    if done.settled:
        yield f"{counted(done.settled, 'domain')} {_were(done.settled)} settled by consensus, with a reason for each."
    if done.unjudged:
        yield f"In {counted(done.unjudged, 'domain')} there is a suggestion that no person has judged yet."
    yield from machines(state)


def _machine(use: EngineUse) -> str:
    prompts = ", ".join(f"{name} {digest}" for name, digest in use.prompts)
    asked = f" Prompts (with hash): {prompts}." if prompts else ""
    days, cost = in_days(use.first, use.last), cost_in_words(use.costs)
    return f"{counted(use.suggestions, 'suggestion')} came from {engine_in_words(use.engine)} {days}, {cost}.{asked}"


def _checked(use: EngineUse) -> str:
    none = use.seen - use.same - use.other
    rest = f", and {none} where it suggested no level" if none else ""
    return (
        f"Suggestions of {use.engine} were in view for {counted(use.seen, 'judgement')}: "
        f"{use.same} at the suggested level, {use.other} at another{rest}."
    )


def _use(engine: str, made: list[Saved[Suggestion]], given: list[ReviewerJudgement]) -> EngineUse:
    levels = {(saved.record.paper, saved.record.domain): saved.record.judgement.level for saved in made}
    seen = [one for one in given if engine in one.suggestions_seen]
    suggested = [(one.level, levels.get((one.paper, one.domain))) for one in seen]
    days = [saved.changed.date() for saved in made]
    return EngineUse(
        engine=engine,
        suggestions=len(made),
        first=min(days),
        last=max(days),
        costs=tuple(saved.record.cost_usd for saved in made),
        prompts=tuple(sorted({prompt for saved in made for prompt in saved.record.prompts})),
        seen=len(seen),
        same=sum(level is wanted for level, wanted in suggested),
        other=sum(wanted is not None and level is not wanted for level, wanted in suggested),
    )


def _given(state: ProjectState) -> list[ReviewerJudgement]:
    """Judgements of domains with a level, on papers that are in the review."""
    papers = papers_to_judge(state)
    judged = (one for one in present(state.judgements) if one.level is not None and one.domain != OVERALL)
    return [one for one in judged if one.paper in papers]


def _first_given(state: ProjectState) -> dict[tuple[str, ...], _First]:
    """How each judgement was first given a level, by its key."""
    first: dict[tuple[str, ...], _First] = {}
    for change in state.history:
        if change.kind == _KIND and change.after and change.after.get("level"):
            beside = bool(change.after.get("suggestions_seen"))
            first.setdefault(change.key, _First(change.at, Level(change.after["level"]), beside))
    return first


def _key(one: ReviewerJudgement) -> tuple[str, ...]:
    return (one.project, one.paper, one.domain, one.reviewer)


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
