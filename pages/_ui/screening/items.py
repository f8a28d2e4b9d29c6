"""An item of screening: its text, and the decisions on it in the store."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from core.errors import NotStored, StoreError, VouchError
from core.paper import Paper, read_paper
from core.references import as_paper
from core.screening.model import ScreeningVerdict
from core.store import (
    Conflict,
    ReviewItem,
    ScreeningConsensus,
    ScreeningDecision,
    Store,
    StoreReader,
    StoreWriter,
    paper_of,
)
from pages._ui.open_paper import OpenPaper
from pages._ui.paper_view.screening import SentDecision, SentScreeningConsensus
from pages._ui.screening.state import ItemEntry, ScreeningWork, read_screening
from pages._ui.state import Session

# ---- texts ----

_MOST_KEPT = 8  # texts kept in a session


def open_text(session: Session, store: Store, project: str, item: ReviewItem, *, who: str) -> OpenPaper:
    """The item's text as an open paper, kept for a while. Raises what `text_of` raises."""
    found = session.texts.pop(item.id, None) or OpenPaper(text_of(store, project, item, who=who))
    session.texts[item.id] = found
    for old in list(session.texts)[:-_MOST_KEPT]:
        del session.texts[old]
    return found


def text_of(store: Store, project: str, item: ReviewItem, *, who: str) -> Paper:
    """The paper, or a reference's title and abstract. For a paper without a stored file, title and abstract as known.

    Raises `NotStored` if the item is no longer in the project, and `PaperError` if a reference cannot be read.
    """
    with store.reading() as now:
        kept = now.text(project, item.id)
        if kept is not None:
            return kept
        stored = now.paper(project, item.id).record if item.is_paper else None
        data = now.file(project, stored.file) if stored is not None and stored.file else None
        paper = None if item.is_paper else _reference(now, project, item.id)
    if stored is not None and data is not None:
        paper = paper_of(stored, data)
    if paper is None:
        return _known(item)  # not stored, as it is not the whole paper
    with suppress(StoreError), store.writing(who) as change:  # if this fails, it is read again next time
        change.keep_text(project, item.id, paper)
    return paper


def _reference(now: StoreReader, project: str, item: str) -> Paper:
    for saved in now.references(project):
        if saved.record.id == item:
            return as_paper(saved.record.reference, name=saved.record.source)
    raise NotStored("This reference is not in the project any more.")


def _known(item: ReviewItem) -> Paper:
    """The item's title and abstract as a paper."""
    title, abstract = (" ".join(part.split()) for part in (item.title, item.abstract))
    return read_paper(f"# {title}\n\n## Abstract\n\n{abstract}\n".encode(), name=f"{item.id}.md")


# ---- decisions ----


def decide(store: Store, work: ScreeningWork, item: str, sent: SentDecision, number: int, *, order: list[str]) -> None:
    """Store a decision. After a verdict on the item on the desk, the next one in `order` follows."""
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
            entry.number = number  # the browser takes over what is stored
            entry.meet(other.record if other else None, other.version if other else 0)
            entry.tell()
        else:  # the project, to whose reasons one was to be added
            entry.failed, entry.problem = number, "The project's settings were changed meanwhile. Decide again."
        return
    except StoreError as error:
        entry.failed, entry.problem = number, str(error)
        return
    entry.number, entry.problem = number, None
    if sent.acted and sent.verdict is not None and item == work.item:
        work.go_to(work.after([other for other in order if other != item]) or item)
        work.onward = work.item != item


def _store(change: StoreWriter, work: ScreeningWork, item: str, sent: SentDecision, entry: ItemEntry) -> None:
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


def _keep_reason(change: StoreWriter, project: str, reason: str) -> None:
    """Add a typed reason to the project's list of reasons."""
    saved = change.project(project)
    if reason and reason not in saved.record.reasons:
        change.save(replace(saved.record, reasons=(*saved.record.reasons, reason)), seen=saved.version)


def undo(store: Store, work: ScreeningWork) -> None:
    """Undo the last verdict, and return to its item."""
    if not work.taken_back:
        return
    item, before = work.taken_back[-1]
    entry = work.entry(item)
    try:
        with store.writing(work.reviewer or "") as change:
            seen = read_screening(change, work.project or "", work.reviewer or "").view(item).own
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


def settle(store: Store, work: ScreeningWork, item: str, sent: SentScreeningConsensus) -> None:
    """Store what the reviewers settled on, and go to the next conflict."""
    if sent.number <= work.settled:
        return
    work.settled, work.unsettled = sent.number, None
    project, reviewer = work.project or "", work.reviewer or ""
    reason = sent.reason if sent.verdict is ScreeningVerdict.EXCLUDE else ""
    try:
        with store.writing(reviewer) as change:
            seen = read_screening(change, project, reviewer)
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
    """The conflict after the item, starting over at the end."""
    after = all_of_them[all_of_them.index(item) + 1 :] if item in all_of_them else []
    return next((other for other in (*after, *left) if other in left), None)
