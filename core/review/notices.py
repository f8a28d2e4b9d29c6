"""Asks services about retractions, concerns and corrections of a review's papers and references, and keeps the answers.

A person asks each time, or gives a standing consent: then new items are checked automatically, and all of them before
an export.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from core.errors import NotStored, SourceError
from core.progress import Progress, silent
from core.review.intake import QUEUE
from core.review.marks import to_check
from core.settings import Settings
from core.sources.asked import batches
from core.sources.client import SourceClient
from core.sources.crossref import RETRACTION_WATCH
from core.sources.model import Notice
from core.sources.notices import ASKED, notices_on
from core.store import StandingCheck, Store, StoredNotices, StoreReader
from core.store.notices import last_asked

EXPORT_AGE = timedelta(days=1)  # before an export, only items checked longer ago are asked about again
_AT_ONCE = 200  # items saved together; a killed check repeats at most so many


def check_notices(
    store: Store,
    project: str,
    settings: Settings,
    *,
    only: Collection[str] | None = None,
    at_once: int = _AT_ONCE,
    goes_on: Callable[[], bool] = lambda: True,
    progress: Progress = silent,
) -> int:
    """Ask about every item, or `only` these, and keep the answers. Returns how many items are marked.

    `goes_on` is called before each batch. Raises `SourceError`; the answers until then are kept.
    """
    with store.reading() as now:
        asked = to_check(now, project)
    items = [item for item in asked.items if only is None or item in only]
    at = datetime.now(UTC)
    marked = through = 0
    with SourceClient(settings, asked_anew=at.isoformat()) as client:
        for some in batches(items, at_once):
            if not goes_on():
                break

            def report(done: float, step: str, before: int = through, here: int = len(some)) -> None:
                progress((before + done * here) / len(items), step)

            dois = {item: asked.dois[item] for item in some if item in asked.dois}
            pmids = {item: asked.pmids[item] for item in some if item in asked.pmids}
            marked += _keep(store, project, notices_on(client, dois, pmids, report), at)
            through += len(some)
    return marked


def _keep(store: Store, project: str, found: Mapping[str, tuple[Notice, ...]], at: datetime) -> int:
    """Keep the answers. Returns how many items are marked."""
    services = tuple(service.name for service in ASKED)
    marked = 0
    with store.writing(QUEUE) as change:
        said = change.notices(project)
        for item, some in found.items():
            before = said[item].notices if item in said else ()
            # What another service said when a search added the item still holds.
            others = tuple(one for one in before if one.service not in (*services, RETRACTION_WATCH))
            marked += bool(some or others)
            with suppress(NotStored):  # a reviewer deleted it meanwhile
                change.put(StoredNotices(project, item, (*some, *others), at, services))
    return marked


# ---- standing consent ----


def agree_to_checks(store: Store, project: str, *, who: str) -> None:
    """Consent that services are asked about new papers and before an export. Raises `NotStored` without the project."""
    with store.writing(who) as change:
        change.standing.agree(project, [service.id for service in ASKED])


def take_back_checks(store: Store, project: str, *, who: str) -> None:
    """Withdraw the consent: from now on a person asks each time."""
    with store.writing(who) as change:
        change.standing.take_back(project)


def agreed_checks(now: StoreReader, project: str) -> StandingCheck | None:
    """The reviewer's consent, if it covers every service that would be asked."""
    agreed = now.standing.of(project)
    return agreed if agreed is not None and {service.id for service in ASKED} <= {*agreed.services} else None


def due(now: StoreReader, project: str, *, older: timedelta | None = None) -> tuple[str, ...]:
    """The items to check automatically: those that never were, and those checked longer ago than `older`.

    Empty if nobody has consented.
    """
    if agreed_checks(now, project) is None:
        return ()
    asked, since = to_check(now, project), None if older is None else datetime.now(UTC) - older
    latest = last_asked(asked, now.notices(project))
    return tuple(item for item in asked.items if item not in latest or (since is not None and latest[item] < since))


def check_as_agreed(
    store: Store,
    project: str,
    settings: Settings,
    *,
    older: timedelta | None = None,
    at_once: int = _AT_ONCE,
    goes_on: Callable[[], bool] = lambda: True,
    progress: Progress = silent,
) -> str:
    """Ask about what is due. Returns why that failed, in one sentence, or "". The project keeps it too.

    Stops after the present batch if the consent is withdrawn meanwhile, or if `goes_on` says so.
    """
    with store.reading() as now:
        items = due(now, project, older=older)
    if not items:
        return ""

    def still_agreed() -> bool:
        with store.reading() as now:
            return goes_on() and agreed_checks(now, project) is not None

    problem = ""
    try:
        check_notices(store, project, settings, only={*items}, at_once=at_once, goes_on=still_agreed, progress=progress)
    except SourceError as error:
        problem = f"Papers could not be checked for retractions: {error}"
    with store.writing(QUEUE) as change:
        change.standing.note(project, problem)
    return problem
