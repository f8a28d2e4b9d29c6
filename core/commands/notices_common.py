"""Shared by the commands: checks for retractions under a standing consent. Each first prints who is asked."""

from __future__ import annotations

import sys
from datetime import timedelta

from core.commands.common import printable, say_where
from core.progress import Progress, silent
from core.review.notices import agreed_checks, check_as_agreed, due
from core.settings import Settings
from core.sources.notices import ASKED
from core.store import Store

PLACES = " and ".join(f"{service.name} ({service.host})" for service in ASKED)


def say_agreed(store: Store, project: str, settings: Settings) -> None:
    """Print who will be asked about new papers, if a reviewer has consented."""
    with store.reading() as now:
        agreed = agreed_checks(now, project)
    if agreed is not None:
        say_where(f"the DOIs and PMIDs of what comes in go to {PLACES}, as {agreed.by} agreed.", settings)


def checked_by_itself(
    store: Store, project: str, settings: Settings, *, older: timedelta | None = None, progress: Progress = silent
) -> None:
    """Check what is due, if a reviewer has consented. Prints a failure and goes on."""
    with store.reading() as now:
        items = due(now, project, older=older)
    if items:
        say_where(f"{len(items):,} numbers go to {PLACES}, as was agreed.", settings)
    if problem := check_as_agreed(store, project, settings, older=older, progress=progress):
        print(f"vouch: {printable(problem)}", file=sys.stderr)
