"""What a review says of the engines that its queue ran for screening and for the evidence table."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from core.export.project.levels import papers_of, present
from core.store.model import ProjectState, Saved
from core.store.review_model import StoredCriterion, StoredFinding


@dataclass(frozen=True, slots=True)
class Made:
    """What one engine made, over all papers and references."""

    engine: str
    number: int
    items: int
    days: tuple[date, date]  # the first and the last
    costs: tuple[float | None, ...]
    prompts: tuple[tuple[str, str], ...]  # (name, hash)


def machines(state: ProjectState) -> Iterator[str]:
    """Sentences on screening, the evidence table and the queue, as far as the project has any of them."""
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
        yield _checked(state, papers)


def _checked(state: ProjectState, papers: Container[str]) -> str:
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


def _by_engine(records: Sequence[Saved[StoredCriterion]] | Sequence[Saved[StoredFinding]]) -> Iterator[Made]:
    by_engine: dict[str, list[Saved[StoredCriterion] | Saved[StoredFinding]]] = {}
    for saved in records:
        by_engine.setdefault(saved.record.engine, []).append(saved)
    for engine in sorted(by_engine):
        here = by_engine[engine]
        bodies = [
            one.record.suggestion if isinstance(one.record, StoredCriterion) else one.record.finding for one in here
        ]
        days = [one.changed.date() for one in here]
        yield Made(
            engine,
            len(here),
            len({one.record.item if isinstance(one.record, StoredCriterion) else one.record.paper for one in here}),
            (min(days), max(days)),
            tuple(body.cost_usd for body in bodies),
            tuple(sorted({prompt for body in bodies for prompt in body.prompts})),
        )


def _of(made: Made) -> str:
    asked = ""
    if made.prompts:
        asked = f" (prompts, with hash: {', '.join(f'{name} {digest}' for name, digest in made.prompts)})"
    return f"{engine_in_words(made.engine)} {in_days(*made.days)}, {cost_in_words(made.costs)}{asked}"


def engine_in_words(engine: str) -> str:
    """What kind of engine it is, and its name."""
    return f"the language model {engine}" if ":" in engine else f"the engine {engine}"


def in_days(first: date, last: date) -> str:
    """One day, or from one to another."""
    return f"on {first}" if first == last else f"from {first} to {last}"


def cost_in_words(costs: Sequence[float | None]) -> str:
    """What was paid, and of how many it is unknown."""
    unknown = costs.count(None)
    if unknown == len(costs):
        return "at unknown cost"
    rest = f", the cost of {unknown} unknown" if unknown else ""
    known = sum(cost for cost in costs if cost is not None)
    return f"for {known:.2f} USD{rest}" if known else f"at no cost{rest}"


def counted(number: int, noun: str) -> str:
    """Such as "2 papers"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
