"""Checks for retractions that a reviewer has agreed to in advance: of new papers, and of all before a file is made."""

from __future__ import annotations

import time
from datetime import timedelta
from functools import partial
from threading import Lock

from core.errors import VouchError
from core.review.notices import EXPORT_AGE, check_as_agreed, due
from core.settings import load_settings
from pages._ui.jobs import BackgroundJob
from pages._ui.stored import the_store

PATIENCE = (
    20.0  # seconds that a file waits for a check; the check goes on, and the file says when papers were last checked
)

_lock = Lock()
_at_work: dict[tuple[str, str, timedelta | None], BackgroundJob[str]] = {}  # by store, project and age


def before_export(*projects: str) -> None:
    """Check what was not checked within a day, waiting at most `PATIENCE` for all projects together.

    The file is made whatever the outcome. Raises `StoreError`.
    """
    until = time.monotonic() + PATIENCE
    for job in filter(None, [_begin(project, EXPORT_AGE) for project in projects]):
        job.wait(max(0.0, until - time.monotonic()))
        _forget_ended(job)


def what_came_in(project: str) -> None:
    """Start checking what was never checked, without waiting. Raises `StoreError`."""
    _begin(project, None)


def _begin(project: str, older: timedelta | None) -> BackgroundJob[str] | None:
    """The check, perhaps one already running for another window; None if nothing is due."""
    store = the_store()
    with store.reading() as now:
        if not due(now, project, older=older):
            return None
    with _lock:
        place = store.name, project, older
        job = _at_work.get(place)
        if job is not None:
            _forget_ended(job)  # nobody waited for its end
        job = _at_work.get(place)
        if job is None:
            job = _at_work[place] = BackgroundJob(partial(_check, project, older))
        return job


def _forget_ended(job: BackgroundJob[str]) -> None:
    """Remove a check that has ended. An unexpected exception of it is raised once."""
    if not job.ended:
        return
    for place in [place for place, other in list(_at_work.items()) if other is job]:
        _at_work.pop(place, None)
    if job.error is not None and not isinstance(job.error, VouchError):
        raise job.error


def _check(project: str, older: timedelta | None, report: BackgroundJob[str]) -> str:
    return check_as_agreed(the_store(), project, load_settings(), older=older, progress=report)
