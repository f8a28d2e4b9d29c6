"""Searches of a review: counted before anything is taken, kept with dates and counts, and run again for new records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from core.errors import QueryError, SourceError
from core.progress import Progress, silent
from core.references import Strength
from core.review.intake import match_references, possible_duplicates_of
from core.screening.model import ScreeningVerdict
from core.settings import Settings
from core.sources.asked import batches
from core.sources.client import MOST_CALLS, SourceClient
from core.sources.model import Counted, SearchRun, SourceRecord
from core.sources.searching import MOST_TAKEN, count_all, is_register, records_of
from core.sources.services import service_named
from core.store import (
    Conflict,
    Origin,
    Pairing,
    Store,
    StoredNotices,
    StoredReference,
    StoredSearch,
    StoreReader,
    StoreWriter,
)

_SAVED_AT_ONCE = 200
_SITTING = timedelta(hours=2)  # the same person with the same result within this time is one run


@dataclass(frozen=True, slots=True)
class NewRecords:
    """What a search found that the project does not have yet, by service, and which services failed and why."""

    search: StoredSearch
    records: Mapping[str, tuple[SourceRecord, ...]]
    problems: Mapping[str, str]

    @property
    def count(self) -> int:
        """How many records there are, from all services."""
        return sum(map(len, self.records.values()))


def begin_search(
    store: Store,
    settings: Settings,
    project: str,
    asked: str,
    strings: Mapping[str, Sequence[str]],
    *,
    who: str,
    progress: Progress = silent,
    again: str | None = None,
    most_calls: int = MOST_CALLS,
) -> tuple[StoredSearch, tuple[Counted, ...]]:
    """Ask each service how many records it has, and save that in the project as a run of the search.

    `again`: the id of a search to run again. The same question is kept once. If the same person gets the same result
    within two hours, no second run is kept. A search that no service could answer is not kept and raises `SourceError`.
    """
    at = datetime.now(UTC)
    with SourceClient(settings, most_calls=most_calls, asked_anew=at.isoformat()) as client:
        counted = count_all(client, strings, progress)
    if all(one.count is None for one in counted):
        raise SourceError(" ".join(dict.fromkeys(one.problem for one in counted)))
    run = SearchRun(
        at,
        who,
        {one.service: one.count for one in counted if one.count is not None},
        problems={one.service: one.problem for one in counted if one.problem},
    )
    with store.writing(who) as change:
        known = {saved.record.id: saved for saved in change.searches(project)}
        wanted = {service: tuple(some) for service, some in strings.items()}
        same = next((one for one in known.values() if one.record.strings == wanted), None)
        saved = known.get(again or "") or same
        if saved is None:
            search = StoredSearch(project, uuid4().hex, asked.strip(), wanted, (run,))
            change.save(search)
        elif _same_sitting(saved.record.last, run):
            search = saved.record
        else:
            search = replace(saved.record, runs=(*saved.record.runs, run))
            change.save(search, seen=saved.version)
    return search, counted


def _same_sitting(before: SearchRun | None, run: SearchRun) -> bool:
    return (
        before is not None
        and (before.by, before.found, before.problems) == (run.by, run.found, run.problems)
        and run.at - before.at < _SITTING
    )


def new_records(
    store: Store,
    settings: Settings,
    search: StoredSearch,
    services: Sequence[str],
    *,
    progress: Progress = silent,
    most_calls: int = MOST_CALLS,
) -> NewRecords:
    """The records of the last run that the project never had. Requests made before are answered from the cache.

    Raises `QueryError` if a service has more than can be taken.
    """
    run = search.last
    if run is None:
        raise QueryError("This search was not run yet.")
    for id in services:
        if run.found.get(id, 0) > MOST_TAKEN:
            raise QueryError(
                f"{service_named(id).name} has {run.found[id]:,} records. Narrow the search: {MOST_TAKEN:,} are the most "
                "that can be taken from a service."
            )
    with store.reading() as now:
        here = now.reference_ids(search.project)
    found: dict[str, tuple[SourceRecord, ...]] = {}
    problems: dict[str, str] = {}
    of = max(1, sum(run.found.get(id, 0) for id in services))
    done = 0
    with SourceClient(settings, most_calls=most_calls, asked_anew=run.at.isoformat()) as client:
        for id in services:
            some: list[SourceRecord] = []
            try:
                for record in records_of(client, id, search.strings[id]):
                    done += 1
                    if record.id not in here:
                        some.append(record)
                    progress(min(1.0, done / of), f"{service_named(id).name}: {done:,} of {of:,} records")
            except SourceError as error:
                problems[id] = str(error)
            found[id] = tuple(some)
    return NewRecords(search, found, problems)


def take(store: Store, new: NewRecords, *, who: str, at_once: int = _SAVED_AT_ONCE) -> dict[str, int]:
    """Add the records to the project as references, with the services' notices. Returns how many, by service.

    Saves `at_once` records at a time, together with the run's count: after a kill, the rest can be taken again.
    """
    search, taken = new.search, dict.fromkeys(new.records, 0)
    for id, records in new.records.items():
        for some in batches(records, at_once):
            with store.writing(who) as change:
                number = _take_in(change, search.project, id, some)
                _note_in_run(change, search, {id: number}, {})
            taken[id] += number
    with store.writing(who) as change:
        _note_in_run(change, search, dict.fromkeys(new.records, 0), new.problems)
    match_references(store, search.project)
    return taken


def _take_in(change: StoreWriter, project: str, id: str, records: Sequence[SourceRecord]) -> int:
    """Save the records of a service that the project never had. Returns how many."""
    service = service_named(id)
    origin = Origin.REGISTER if is_register(id) else Origin.DATABASE
    here = change.reference_ids(project)
    before = sum(saved.record.source == service.name for saved in change.references(project))
    fresh = [record for record in records if record.id not in here]
    for number, record in enumerate(fresh, before + 1):
        change.save(StoredReference(project, record.id, service.name, number, record.reference, origin=origin))
        if record.notices:
            change.put(StoredNotices(project, record.id, record.notices, datetime.now(UTC), (service.name,)))
    return len(fresh)


def _note_in_run(
    change: StoreWriter, search: StoredSearch, taken: Mapping[str, int], problems: Mapping[str, str]
) -> None:
    """Add to the counts and failures of the run that was asked. The search may have been run again since."""
    saved = next((one for one in change.searches(search.project) if one.record.id == search.id), None)
    runs = saved.record.runs if saved is not None else ()
    asked = next((run for run in runs if search.last is not None and run.at == search.last.at), None)
    if saved is None or asked is None:
        return
    total = {id: asked.taken.get(id, 0) + number for id, number in taken.items()}
    told = replace(asked, taken={**asked.taken, **total}, problems={**asked.problems, **problems})
    if told != asked:
        runs = tuple(told if run is asked else run for run in runs)
        change.save(replace(saved.record, runs=runs), seen=saved.version)


def certain_pairs(now: StoreReader, project: str) -> tuple[tuple[str, str], ...]:
    """References with the same DOI or PMID and no contradiction, as from two databases. The first of each is kept."""
    references = {saved.record.id for saved in now.references(project)}
    left_out: set[str] = set()
    pairs = []
    for one in possible_duplicates_of(now, project):
        if one.strength is not Strength.CERTAIN or not {one.first, one.second} <= references:
            continue
        if one.first in left_out or one.second in left_out:
            continue
        left_out.add(one.second)
        pairs.append((one.first, one.second))
    return tuple(pairs)


def settle_certain(store: Store, project: str, *, who: str) -> int:
    """Record these as the same, at a reviewer's request; each can be undone. Returns how many."""
    with store.reading() as now:
        pairs = certain_pairs(now, project)
    for some in batches(pairs, _SAVED_AT_ONCE):
        with store.writing(who) as change:
            for first, second in some:
                with suppress(Conflict):  # somebody has just decided on these two: keep that
                    change.save(Pairing(project, first, second, same=True))
    return len(pairs)


def forget_search(store: Store, project: str, id: str, *, who: str) -> None:
    """Remove a search from the list. Its references stay, and the history keeps the search."""
    with store.writing(who) as change:
        for saved in change.searches(project):
            if saved.record.id == id:
                change.remove(saved)


def included_without_text(now: StoreReader, project: str, *, reader: str) -> tuple[StoredReference, ...]:
    """The references that were included by title and abstract and whose papers are not in the project."""
    papers, left_out = {*now.paper_ids(project)}, now.left_out(project)
    views = now.screenings(project, reader=reader)
    return tuple(
        saved.record
        for saved in now.references(project)
        if saved.record.paper not in papers
        and saved.record.id not in left_out
        and (view := views.get(saved.record.id)) is not None
        and view.final is ScreeningVerdict.INCLUDE
    )
