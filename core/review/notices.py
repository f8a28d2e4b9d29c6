"""Asking about retractions, concerns and corrections of a review's papers and references, and keeping what was said."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

from core.errors import NotStored
from core.progress import Progress, silent
from core.review.intake import QUEUE
from core.review.marks import to_check
from core.settings import Settings
from core.sources.client import SourceClient
from core.sources.crossref import RETRACTION_WATCH
from core.sources.notices import ASKED, notices_on
from core.store import Store, StoredNotices


def check_notices(store: Store, project: str, settings: Settings, *, progress: Progress = silent) -> int:
    """Ask about every item and keep what was said, of all or, where a service fails, of none; how many are marked.

    Raises `SourceError`.
    """
    with store.reading() as now:
        asked = to_check(now, project)
    at = datetime.now(UTC)
    with SourceClient(settings, asked_anew=at.isoformat()) as client:
        found = notices_on(client, asked.dois, asked.pmids, progress)
    services = tuple(service.name for service in ASKED)
    marked = 0
    with store.writing(QUEUE) as change:
        said = change.notices(project)
        for item, some in found.items():
            before = said[item].notices if item in said else ()
            # What another service said when a search brought the item in still holds.
            others = tuple(one for one in before if one.service not in (*services, RETRACTION_WATCH))
            marked += bool(some or others)
            with suppress(NotStored):  # a reviewer took it out meanwhile
                change.put(StoredNotices(project, item, (*some, *others), at, services))
    return marked
