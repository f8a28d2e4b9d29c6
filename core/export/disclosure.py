"""The disclosure of a review: which engines it used, how people checked them, and blinding."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from core import __version__
from core.bias.model import OVERALL, Level, Tool
from core.export.levels import papers_of, papers_to_judge, present, settled_levels
from core.store.model import ProjectState, ReviewerJudgement, Saved, StoredSuggestion, place_of
from core.store.review_model import StoredCriterion, StoredFinding
from core.text.words import counted

# ---- Blinding, which can be switched at any time, as far as it is known from the project's history ----

_OF_PROJECTS = "projects"  # their kind in the history
_WHAT = "The suggestions on a domain, and what others made of it,"


@dataclass(frozen=True, slots=True)
class BlindSetting:
    """Whether the project was blind from this time (UTC) on."""

    since: datetime
    blind: bool


def blind_settings(state: ProjectState) -> tuple[BlindSetting, ...]:
    """The setting at the start and after each change, in order; empty if the history is incomplete."""
    changes = [change for change in state.history if change.kind == _OF_PROJECTS]
    if not changes or changes[0].before is not None:
        return ()  # the project was created elsewhere, or before histories were recorded
    settings: list[BlindSetting] = []
    for change in changes:
        if change.after is None:  # the project was deleted; the next change restores it
            continue
        blind = change.after.get("blind")
        if not isinstance(blind, bool):
            return ()
        blind = blind and len(change.after.get("reviewers", ())) != 1
        if not settings or settings[-1].blind is not blind:
            settings.append(BlindSetting(change.at, blind))
    return tuple(settings) if settings and settings[-1].blind is state.project.record.is_blind else ()


def blinding(state: ProjectState, first_given: Sequence[datetime | None]) -> str:
    """What was hidden from the reviewers, and when. `first_given` holds the time of each judgement, None if unknown."""
    settings = blind_settings(state)
    if not settings:
        now = "hidden from reviewers until" if state.project.record.is_blind else "not hidden from reviewers before"
        return f"{_WHAT} are {now} they have judged it, as the project is set now; earlier settings are not recorded."
    if len(settings) == 1:
        always = "hidden from reviewers until" if settings[0].blind else "not hidden from reviewers before"
        return f"{_WHAT} were {always} they had judged it."
    return " ".join(_switched(settings, first_given))


def _switched(settings: Sequence[BlindSetting], first_given: Sequence[datetime | None]) -> Iterator[str]:
    spans = [f"{'on' if one.blind else 'off'} from {one.since:%Y-%m-%d %H:%M} UTC" for one in settings]
    yield (
        f"{_WHAT} were hidden from reviewers until they had judged it during a part of the project only: "
        f"blinding was {', '.join(spans)}."
    )
    known = [when for when in first_given if when is not None]
    off = sum(not _blind_at(when, settings) for when in known)
    unknown = len(first_given) - len(known)
    rest = f", and of {unknown} the time is not recorded" if unknown else ""
    yield f"Of {len(first_given)} judgements, {len(known) - off} came first while it was on and {off} while it was off{rest}."
    if any(not one.blind for one in settings[:-1]):
        yield "What was looked at while it was off, and judged only when it was on again, is not recorded."


def _blind_at(when: datetime, settings: Sequence[BlindSetting]) -> bool:
    past = [one.blind for one in settings if one.since <= when]
    return past[-1] if past else settings[0].blind


# ---- Engines that the queue ran, for screening and for the evidence table ----


@dataclass(frozen=True, slots=True)
class EngineOutput:
    """One engine's output on all papers and references."""

    engine: str
    number: int
    items: int
    days: tuple[date, date]  # the first and the last
    costs: tuple[float | None, ...]
    prompts: tuple[tuple[str, str], ...]  # (name, hash)


def engine_statements(state: ProjectState) -> Iterator[str]:
    """Sentences on screening, the evidence table and the queue, if the project used them."""
    yield from _screening(state)
    yield from _evidence(state)
    yield from _queue(state)


def _screening(state: ProjectState) -> Iterator[str]:
    items = {*papers_of(state), *(one.id for one in present(state.references))}
    suggested = [saved for saved in state.criteria if not saved.removed and saved.record.item in items]
    for made in _by_engine(suggested):
        yield (
            f"Screening: {counted(made.number, 'suggestion')} on criteria, for {counted(made.items, 'item')} (papers and "
            f"references), came from {_of(made)}."
        )
    given = [one for one in present(state.screenings) if one.verdict is not None and one.item in items]
    if not given:
        if suggested:
            yield "No person has decided on a paper or reference yet."
        return
    seen = sum(bool(one.suggestions_seen) for one in given)
    settled = len(present(state.screening_consensus))
    yield (
        f"People gave {counted(len(given), 'decision')} in screening, {seen} of them with a suggestion in view; no "
        f"suggestion became a decision by itself, and {settled} {'was' if settled == 1 else 'were'} settled by consensus."
    )


def _evidence(state: ProjectState) -> Iterator[str]:
    papers = papers_of(state)
    found = [saved for saved in state.findings if not saved.removed and saved.record.paper in papers]
    for made in _by_engine(found):
        yield (
            f"Evidence table: {counted(made.number, 'verdict')} on hypotheses, for {counted(made.items, 'paper')}, came "
            f"from {_of(made)}."
        )
    if found:
        yield _checked_verdicts(state, papers)


def _checked_verdicts(state: ProjectState, papers: Container[str]) -> str:
    given = [one for one in present(state.verdicts) if one.verdict is not None and one.paper in papers]
    if not given:
        return "These verdicts are the engine's; no person has given one of their own yet."
    settled = len(present(state.verdict_consensus))
    return (
        f"People gave {counted(len(given), 'verdict')} of their own, {sum(bool(one.suggestions_seen) for one in given)} of "
        f"them with an engine's in view; no engine's became a person's by itself, and {settled} "
        f"{'was' if settled == 1 else 'were'} settled by consensus."
    )


def _queue(state: ProjectState) -> Iterator[str]:
    sittings = sorted(present(state.sittings), key=lambda one: one.started)
    if not sittings:
        return
    workers = ", ".join(dict.fromkeys(one.workers for one in sittings))
    days = in_days(sittings[0].started.date(), max(one.ended for one in sittings).date())
    versions = ", ".join(f"{name} {version}" for name, version in sittings[-1].versions)
    failed = sum(one.failed for one in sittings)
    yield (
        f"Engines were run by the queue of Vouch in {counted(len(sittings), 'sitting')} {days}, with {workers}, "
        f"{cost_in_words([one.cost_usd for one in sittings])}; {counted(failed, 'piece')} of its work failed."
    )
    if versions:
        yield f"Versions in the last sitting: {versions}."


def _by_engine(records: Sequence[Saved[StoredCriterion]] | Sequence[Saved[StoredFinding]]) -> Iterator[EngineOutput]:
    by_engine: dict[str, list[Saved[StoredCriterion] | Saved[StoredFinding]]] = {}
    for saved in records:
        by_engine.setdefault(saved.record.engine, []).append(saved)
    for engine in sorted(by_engine):
        here = by_engine[engine]
        bodies = [
            one.record.suggestion if isinstance(one.record, StoredCriterion) else one.record.finding for one in here
        ]
        days = [one.changed.date() for one in here]
        yield EngineOutput(
            engine,
            len(here),
            len({one.record.item if isinstance(one.record, StoredCriterion) else one.record.paper for one in here}),
            (min(days), max(days)),
            tuple(body.cost_usd for body in bodies),
            tuple(sorted({prompt for body in bodies for prompt in body.prompts})),
        )


def _of(made: EngineOutput) -> str:
    asked = ""
    if made.prompts:
        asked = f" (prompts, with hash: {', '.join(f'{name} {digest}' for name, digest in made.prompts)})"
    return f"{engine_in_words(made.engine)} {in_days(*made.days)}, {cost_in_words(made.costs)}{asked}"


def engine_in_words(engine: str) -> str:
    """The kind and name of an engine."""
    return f"the language model {engine}" if ":" in engine else f"the engine {engine}"


def in_days(first: date, last: date) -> str:
    """A day, or the first and the last."""
    return f"on {first}" if first == last else f"from {first} to {last}"


def cost_in_words(costs: Sequence[float | None]) -> str:
    """The total cost, and for how many the cost is unknown."""
    unknown = costs.count(None)
    if unknown == len(costs):
        return "at unknown cost"
    rest = f", the cost of {unknown} unknown" if unknown else ""
    known = sum(cost for cost in costs if cost is not None)
    return f"for {known:.2f} USD{rest}" if known else f"at no cost{rest}"


# ---- The statement ----
# Cochrane, JBI, Campbell and CEE require all of this if software suggests a judgement: the model, its version, the
# date, the prompts, and how people checked the suggestions.

_OF_JUDGEMENTS = "judgements"  # their kind in the history
HISTORY = ("projects", _OF_JUDGEMENTS)  # the kinds of changes that are used here


@dataclass(frozen=True, slots=True)
class EngineUse:
    """What one engine suggested, and how people's judgements compare with it."""

    engine: str
    suggestions: int
    first: date
    last: date
    costs: tuple[float | None, ...]  # in USD; None: unknown
    prompts: tuple[tuple[str, str], ...]  # (name, hash)
    seen: int  # judgements given with its suggestion in view
    same: int  # how many of these have the level that it suggested
    other: int  # how many of these have another level; those for which it suggested no level count as neither


@dataclass(frozen=True, slots=True)
class HumanChecks:
    """How people checked suggestions."""

    judgements: int  # judgements by a person with a level
    with_suggestion: int  # how many judgements were given with a suggestion in view
    changed: int  # how many judgements have another level than was first given
    changed_after_seeing: int  # how many changed ones had no suggestion in view at first, and one later
    settled: int  # domains with a consensus
    unjudged: int  # domains of papers with a suggestion and no person's judgement


@dataclass(frozen=True, slots=True)
class _First:
    """The first level of a judgement, and whether a suggestion was in view at that time."""

    at: datetime
    level: Level
    beside: bool


def engine_uses(state: ProjectState) -> tuple[EngineUse, ...]:
    """Every engine of the project, by name."""
    papers = papers_to_judge(state)
    made: dict[str, list[Saved[StoredSuggestion]]] = {}
    for saved in state.suggestions:
        if not saved.removed and saved.record.paper in papers:
            made.setdefault(saved.record.engine, []).append(saved)
    return tuple(_use(engine, made[engine], _given(state)) for engine in sorted(made))


def checks(state: ProjectState) -> HumanChecks:
    """How people checked the project's suggestions."""
    given, papers = _given(state), papers_to_judge(state)
    places = {place_of(one) for one in given}
    suggested = {place_of(one) for one in present(state.suggestions) if one.paper in papers}
    first = _first_given(state)
    changed = [one for one in given if _key(one) in first and first[_key(one)].level != one.level]
    return HumanChecks(
        judgements=len(given),
        with_suggestion=sum(bool(one.suggestions_seen) for one in given),
        changed=len(changed),
        changed_after_seeing=sum(bool(one.suggestions_seen) and not first[_key(one)].beside for one in changed),
        settled=sum(one.paper in papers and one.domain != OVERALL for one in present(state.consensus)),
        unjudged=len(suggested - places),
    )


def disclosure(state: ProjectState, tool: Tool, *, hidden: int = 0) -> str:
    """One paragraph of plain text, ready for a review's methods section.

    `hidden` is the number of papers' domains that `state` leaves out in part, for a reader who is still blind.
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
            yield _checked_use(use)
    if done.changed:
        yield (
            f"{counted(done.changed, 'judgement')} {_were(done.changed)} given one level first and another later, "
            f"{done.changed_after_seeing} of them after a suggestion had come into view."
        )
    if done.settled:
        yield f"{counted(done.settled, 'domain')} {_were(done.settled)} settled by consensus, with a reason for each."
    set_ = [study.cells[OVERALL] for study in settled_levels(state, tool).studies if tool.overall]
    if others := sum(cell.overrides for cell in set_):
        yield (
            f"The overall level of {counted(others, 'result')} "
            f"{_were(others)} set by people to another than follows from the domains, with a reason for each."
        )
    if done.unjudged:
        yield f"In {counted(done.unjudged, 'domain')} there is a suggestion that no person has judged yet."
    yield from engine_statements(state)


def _machine(use: EngineUse) -> str:
    prompts = ", ".join(f"{name} {digest}" for name, digest in use.prompts)
    asked = f" Prompts (with hash): {prompts}." if prompts else ""
    days, cost = in_days(use.first, use.last), cost_in_words(use.costs)
    return f"{counted(use.suggestions, 'suggestion')} came from {engine_in_words(use.engine)} {days}, {cost}.{asked}"


def _checked_use(use: EngineUse) -> str:
    none = use.seen - use.same - use.other
    rest = f", and {none} where it suggested no level" if none else ""
    return (
        f"Suggestions of {use.engine} were in view for {counted(use.seen, 'judgement')}: "
        f"{use.same} at the suggested level, {use.other} at another{rest}."
    )


def _use(engine: str, made: list[Saved[StoredSuggestion]], given: list[ReviewerJudgement]) -> EngineUse:
    levels = {place_of(saved.record): saved.record.judgement.level for saved in made}
    seen = [one for one in given if engine in one.suggestions_seen]
    suggested = [(one.level, levels.get(place_of(one))) for one in seen]
    days = [saved.changed.date() for saved in made]
    return EngineUse(
        engine=engine,
        suggestions=len(made),
        first=min(days),
        last=max(days),
        costs=tuple(saved.record.cost_usd for saved in made),
        prompts=tuple(sorted({prompt for saved in made for prompt in saved.record.prompts})),
        seen=len(seen),
        same=sum(level == wanted for level, wanted in suggested),
        other=sum(wanted is not None and level != wanted for level, wanted in suggested),
    )


def _given(state: ProjectState) -> list[ReviewerJudgement]:
    """The judgements of domains that have a level, on papers that are in the review."""
    papers = papers_to_judge(state)
    judged = (one for one in present(state.judgements) if one.level is not None and one.domain != OVERALL)
    return [one for one in judged if one.paper in papers]


def _first_given(state: ProjectState) -> dict[tuple[str, ...], _First]:
    """The first level of each judgement, by the judgement's key."""
    first: dict[tuple[str, ...], _First] = {}
    for change in state.history:
        if change.kind == _OF_JUDGEMENTS and change.after and change.after.get("level"):
            beside = bool(change.after.get("suggestions_seen"))
            first.setdefault(change.key, _First(change.at, Level(change.after["level"]), beside))
    return first


def _key(one: ReviewerJudgement) -> tuple[str, ...]:
    return one.project, *place_of(one), one.reviewer


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
