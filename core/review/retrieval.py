"""Fetches the open full texts that reviewers want, saving each before the next, so that none is asked for twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256

from core.errors import NoOpenCopy, SourceDown, SourceError
from core.review.intake import QUEUE
from core.settings import Settings
from core.sources.client import SourceClient
from core.sources.full_texts import NO_OTHER_EITHER, open_text
from core.sources.model import FoundText
from core.store import Retrieval, RetrievalState, Store, StoredReference

_DOWN_FOR_GOOD = 3  # after so many failures in a row, it is the service that fails, not the article


def fetch_wanted(
    store: Store, project: str, settings: Settings, told: Callable[[int, int], bool] = lambda done, of: True
) -> int:
    """Fetch what is wanted, until all is done or `told` says to stop. Returns how many were fetched.

    Each becomes a file that waits to be read. One that cannot be had is kept with the reason. Raises `SourceError` if a
    service cannot be asked at all, or, at the end, if it failed for an article; what is still wanted stays wanted.
    """
    with store.reading() as now:
        wanted = now.retrievals.wanted(project)
        references = {saved.record.id: saved.record for saved in now.references(project)}
    if not wanted:
        return 0
    fetched, in_a_row = 0, 0
    down: SourceDown | None = None
    with SourceClient(settings) as client:
        for done, one in enumerate(wanted):
            if not told(done, len(wanted)):
                return fetched
            with store.reading() as now:
                if not now.retrievals.is_wanted(project, one.item):
                    continue  # a reviewer withdrew it meanwhile
            reference = references.get(one.item)
            try:
                outcome, found = _fetched(client, one, reference)
                in_a_row = 0
            except SourceDown as error:
                down, in_a_row = error, in_a_row + 1
                if in_a_row == _DOWN_FOR_GOOD:
                    raise
                continue
            except SourceError as error:
                if isinstance(error, NO_OTHER_EITHER):
                    raise
                outcome, found = replace(one, state=RetrievalState.FAILED, at=datetime.now(UTC), why=str(error)), None
            with store.writing(QUEUE) as change:
                if not change.retrievals.is_wanted(project, one.item):
                    continue
                if found is not None:
                    change.queue.add_file(project, found.name, found.data)
                change.retrievals.keep(project, outcome)
            fetched += found is not None
        told(len(wanted), len(wanted))
    if down is not None:
        raise down
    return fetched


def _fetched(
    client: SourceClient, one: Retrieval, reference: StoredReference | None
) -> tuple[Retrieval, FoundText | None]:
    if reference is None:
        raise NoOpenCopy("The reference is not in the project any more.")
    found = open_text(client, reference.reference)
    return (
        replace(
            one,
            state=RetrievalState.FETCHED,
            at=datetime.now(UTC),
            service=found.service,
            location=found.location,
            sha256=sha256(found.data).hexdigest(),
        ),
        found,
    )
