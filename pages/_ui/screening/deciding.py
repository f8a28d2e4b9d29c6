"""Decisions from the browser to the store: a reviewer's own, what is taken back, and what reviewers settle on."""

from __future__ import annotations

from dataclasses import replace

from core.errors import StoreError, VouchError
from core.screening.model import ScreeningVerdict
from core.store import Conflict, ScreeningConsensus, ScreeningDecision, Store, Writing
from pages._ui.paper_view.screening import Sent, Settled
from pages._ui.screening.seen import look
from pages._ui.screening.work import Entry, ScreeningWork


def decide(store: Store, work: ScreeningWork, item: str, sent: Sent, number: int, *, order: list[str]) -> None:
    """Store a decision. After a verdict on the item on the desk the next one comes, by `order`."""
    entry = work.entry(item)
    if number <= entry.number:
        return
    if sent.version < entry.since:
        entry.number = number
        entry.tell()
        return
    try:
        with store.writing(work.reviewer or "") as change:
            _store(change, work, item, sent, entry)
    except Conflict as conflict:
        other = conflict.other
        if other is None or isinstance(other.record, ScreeningDecision):
            entry.number = number  # the browser takes what is stored
            entry.meet(other.record if other else None, other.version if other else 0)
            entry.tell()
        else:  # the project, whose list of reasons was to grow
            entry.failed, entry.problem = number, "The project's settings were changed meanwhile. Decide again."
        return
    except StoreError as error:
        entry.failed, entry.problem = number, str(error)
        return
    entry.number, entry.problem = number, None
    if sent.acted and sent.verdict is not None and item == work.item:
        work.go_to(work.after([other for other in order if other != item]) or item)
        work.onward = work.item != item


def _store(change: Writing, work: ScreeningWork, item: str, sent: Sent, entry: Entry) -> None:
    project, reviewer = work.project or "", work.reviewer or ""
    own = entry.own
    known = {one.engine for one in change.criteria(project, item=item)}
    seen = {*(own.suggestions_seen if own else ()), *(known & set(sent.seen))}
    reason = sent.reason if sent.verdict is ScreeningVerdict.EXCLUDE else ""
    record = ScreeningDecision(
        project, item, reviewer, sent.verdict, reason, sent.note, sent.fits, suggestions_seen=tuple(sorted(seen))
    )
    saved = change.save(record, seen=entry.version)
    _keep_reason(change, project, reason)
    entry.own, entry.version = saved.record, saved.version
    if sent.acted:
        work.taken_back.append((item, own))


def _keep_reason(change: Writing, project: str, reason: str) -> None:
    """A reason that somebody typed is one of the project's from then on."""
    saved = change.project(project)
    if reason and reason not in saved.record.reasons:
        change.save(replace(saved.record, reasons=(*saved.record.reasons, reason)), seen=saved.version)


def undo(store: Store, work: ScreeningWork) -> None:
    """Take the last verdict back, and return to its item."""
    if not work.taken_back:
        return
    item, before = work.taken_back[-1]
    entry = work.entry(item)
    try:
        with store.writing(work.reviewer or "") as change:
            seen = look(change, work.project or "", work.reviewer or "").view(item).own
            if seen is not None:
                undone = before or replace(seen, verdict=None, reason="")
                undone = replace(undone, suggestions_seen=seen.suggestions_seen, note=seen.note, fits=seen.fits)
                saved = change.save(undone, seen=entry.version)
                entry.own, entry.version = saved.record, saved.version
        entry.problem = None
        work.taken_back.pop()
    except VouchError as error:
        entry.problem = str(error)
    work.go_to(item)


def settle(store: Store, work: ScreeningWork, item: str, sent: Settled) -> None:
    """Store what the reviewers settled on, and go on to the next conflict."""
    if sent.number <= work.settled:
        return
    work.settled, work.unsettled = sent.number, None
    project, reviewer = work.project or "", work.reviewer or ""
    reason = sent.reason if sent.verdict is ScreeningVerdict.EXCLUDE else ""
    try:
        with store.writing(reviewer) as change:
            seen = look(change, project, reviewer)
            by = seen.view(item).by
            change.save(
                ScreeningConsensus(project, item, sent.verdict, reason, sent.why.strip(), by), seen=sent.version
            )
            _keep_reason(change, project, reason)
    except StoreError as error:
        work.unsettled = str(error)
        return
    left = [other for other in seen.conflicts if other != item]
    work.go_to(next_conflict(left, seen.conflicts, item) or item)


def next_conflict(left: list[str], all_of_them: list[str], item: str) -> str | None:
    """The one after the item, or from the beginning again."""
    after = all_of_them[all_of_them.index(item) + 1 :] if item in all_of_them else []
    return next((other for other in (*after, *left) if other in left), None)
