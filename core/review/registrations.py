"""Registrations of a review's trials: fetching them, and comparing planned outcomes with what the paper reports.

This supports a reviewer's judgement of selective reporting (RoB 1; RoB 2, domain 5) and is not a judgement: it compares
words, so an outcome that a paper calls something else is shown as not found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from core.paper import Paper
from core.paper.identifiers import bare_nct
from core.progress import Progress, silent
from core.review.intake import QUEUE
from core.settings import Settings
from core.sources.client import SourceClient
from core.sources.clinicaltrials import registration
from core.sources.model import PlannedOutcome, Registration
from core.store import Store, StoredRegistration, StoreReader

_WORD = re.compile(r"[^\W\d_]{3,}")
_NO_CONTENT = frozenset(
    "and the for with from that was were are change changes mean rate rates score scores measured assessed using number "
    "time week weeks month months day days year years baseline outcome outcomes level levels".split()
)
_DECLARES = re.compile(
    r"\b(primary|secondary)\s+(?:\w+\s+){0,2}?(?:outcomes?|end\s?-?points?|measures?)\b", re.IGNORECASE
)
_SHARE = 0.6  # a sentence must have this share of an outcome's words
_MOST_SHOWN = 3  # sentences shown for one outcome
_DURATION = re.compile(
    r"\b(\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve)[\s-]*(day|week|month|year)s?\b"
)
_NUMBERS = dict(
    zip("one two three four five six seven eight nine ten twelve".split(), (*range(1, 11), 12), strict=True)
)


class OutcomeState(StrEnum):
    """How a planned outcome compares with the paper."""

    MATCHED = "reported as planned"
    CHANGED = "changed"
    MISSING = "not found in the paper"
    ADDED = "not planned"


@dataclass(frozen=True, slots=True)
class OutcomeBeside:
    """A planned outcome and the sentences that name it; for `ADDED` the outcome is in the paper's own words."""

    outcome: PlannedOutcome
    state: OutcomeState
    why: str
    sentences: tuple[int, ...] = ()  # indices in the paper


def numbers_of(now: StoreReader, project: str) -> dict[str, tuple[str, ...]]:
    """The NCT numbers of each paper, including those of its references."""
    found = {saved.record.id: list(saved.record.registrations) for saved in now.stored_papers(project)}
    for saved in now.references(project):
        if saved.record.paper in found:
            found[saved.record.paper] += saved.record.reference.registrations
    return {paper: tuple(dict.fromkeys(one for one in numbers if bare_nct(one))) for paper, numbers in found.items()}


def fetch_registrations(store: Store, project: str, settings: Settings, *, progress: Progress = silent) -> int:
    """Fetch the registrations of all papers anew. Returns how many the register has. Raises `SourceError`."""
    with store.reading() as now:
        numbers = sorted({one for some in numbers_of(now, project).values() for one in some})
    at, fetched = datetime.now(UTC), 0
    with SourceClient(settings, asked_anew=at.isoformat()) as client:
        for place, number in enumerate(numbers):
            progress(place / len(numbers), f"{place + 1} of {len(numbers)}: {number}")
            found = registration(client, number, keep=False)
            if found is not None:
                fetched += 1
                with store.writing(QUEUE) as change:
                    change.put(StoredRegistration(project, number, found, at))
    return fetched


def registered_late(found: Registration) -> bool:
    """Whether the trial was registered after its first participant, as far as the dates show."""
    length = min(len(found.registered), len(found.started))
    return length >= 4 and found.registered[:length] > found.started[:length]


def outcomes_beside(paper: Paper, found: Registration) -> tuple[OutcomeBeside, ...]:
    """Every planned outcome, followed by the outcomes that the paper declares but did not plan."""
    texts = [sentence.text for sentence in paper.sentences]
    bags = [_words(text) for text in texts]
    declared = [_declared(texts, place) for place in range(len(texts))]
    made = [_beside(one, texts, bags, declared) for one in found.outcomes]
    planned = [_words(one.measure) for one in found.outcomes]
    for place, text in enumerate(texts):
        own = _DECLARES.search(text)
        about = bags[place] - _words(own.group()) if own else set()
        if own and about and not any(words and len(words & about) >= _SHARE * len(words) for words in planned):
            said = PlannedOutcome(own.group(1).lower(), text)
            made.append(OutcomeBeside(said, OutcomeState.ADDED, "No planned outcome has these words.", (place,)))
    return tuple(made)


def _beside(
    one: PlannedOutcome, texts: Sequence[str], bags: Sequence[set[str]], declared: Sequence[str]
) -> OutcomeBeside:
    words = _words(one.measure)
    naming = tuple(place for place, bag in enumerate(bags) if words and len(words & bag) >= _SHARE * len(words))
    if not naming:
        return OutcomeBeside(one, OutcomeState.MISSING, "No sentence has its words: look for it under another name.")
    kinds = {declared[place] for place in naming} - {""}
    shown = tuple(sorted(naming, key=lambda place: (declared[place] == "", place)))[:_MOST_SHOWN]
    if one.kind in ("primary", "secondary") and kinds and one.kind not in kinds:
        said = " and ".join(sorted(kinds))
        return OutcomeBeside(one, OutcomeState.CHANGED, f"Planned as {one.kind}; the paper calls it {said}.", shown)
    planned = _durations(one.time_frame)
    told = {duration for text in texts for duration in _durations(text)}
    if planned and not planned & told:
        why = f"Its time frame, {one.time_frame}, is not in the paper."
        return OutcomeBeside(one, OutcomeState.CHANGED, why, shown)
    called = f"The paper calls it {one.kind}, too." if one.kind in kinds else "The paper does not say which kind it is."
    return OutcomeBeside(one, OutcomeState.MATCHED, called, shown)


def _words(text: str) -> set[str]:
    """Content words, without the ending of a plural."""
    return {word.rstrip("s") for word in _WORD.findall(text.casefold()) if word not in _NO_CONTENT}


def _declared(texts: Sequence[str], place: int) -> str:
    """The kind of outcome that a sentence declares; empty if none."""
    own = _DECLARES.search(texts[place])
    return own.group(1).lower() if own else ""


def _durations(text: str) -> set[tuple[int, str]]:
    return {
        (int(number) if number.isdigit() else _NUMBERS[number], unit)
        for number, unit in _DURATION.findall(text.casefold())
    }
