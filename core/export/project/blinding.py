"""Whether reviewers judged blind, as far as the history of the project tells: blindness can be switched at any time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.store.model import ProjectState

_KIND = "projects"  # what the history calls them
_WHAT = "The suggestions on a domain, and what others made of it,"


@dataclass(frozen=True, slots=True)
class Setting:
    """Blind or not, from a moment (UTC) on."""

    since: datetime
    blind: bool


def blind_settings(state: ProjectState) -> tuple[Setting, ...]:
    """The project's settings from its beginning on, each unlike the one before; none where the history lacks any."""
    changes = [change for change in state.history if change.kind == _KIND]
    if not changes or changes[0].before is not None:
        return ()  # it began elsewhere, or before there was a history
    settings: list[Setting] = []
    for change in changes:
        if change.after is None:  # deleted; what comes next restores it
            continue
        blind = change.after.get("blind")
        if not isinstance(blind, bool):
            return ()
        blind = blind and len(change.after.get("reviewers", ())) != 1
        if not settings or settings[-1].blind is not blind:
            settings.append(Setting(change.at, blind))
    return tuple(settings) if settings and settings[-1].blind is state.project.record.is_blind else ()


def blinding(state: ProjectState, first_given: Sequence[datetime | None]) -> str:
    """What was hidden from the reviewers, and when; `first_given`: the moment of each judgement, None if unknown."""
    settings = blind_settings(state)
    if not settings:
        now = "hidden from reviewers until" if state.project.record.is_blind else "not hidden from reviewers before"
        return f"{_WHAT} are {now} they have judged it, as the project is set now; earlier settings are not recorded."
    if len(settings) == 1:
        always = "hidden from reviewers until" if settings[0].blind else "not hidden from reviewers before"
        return f"{_WHAT} were {always} they had judged it."
    return " ".join(_switched(settings, first_given))


def _switched(settings: Sequence[Setting], first_given: Sequence[datetime | None]) -> Iterator[str]:
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


def _blind_at(when: datetime, settings: Sequence[Setting]) -> bool:
    past = [one.blind for one in settings if one.since <= when]
    return past[-1] if past else settings[0].blind
