"""A person's own papers outside projects: they form a private project that nobody else is shown.

A private project is stored like any other, so that work on its papers is kept in the same records by the same calls.
It is in no list of projects. The only way to it is its id, which is kept in this installation's home (`own_id`).
Forgetting a paper erases it with its history.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from uuid import uuid4

from pydantic import ValidationError
from sqlalchemy import delete, insert, select, update

from core.errors import NotStorable, NotStored, StoreUnreachable
from core.evidence.model import Evidence
from core.settings import Settings
from core.store.model import (
    Project,
    ReviewerJudgement,
    SentenceDecisions,
    StoredPaper,
    StoredSuggestion,
    StoredSummary,
    scope_of,
    tool_of,
)
from core.store.reader import StoreReader
from core.store.rows import adapter_of, item_of, require_storable
from core.store.tables import TABLES, desks, failures, files, history, key_of, papers, texts
from core.store.writer import StoreWriter

OWNER = "you"  # the reviewer of a private project

Work = SentenceDecisions | ReviewerJudgement | StoredSuggestion | StoredSummary


@dataclass(frozen=True, slots=True)
class PageState:
    """What is open on the page of a paper, beside the reviewer's decisions. It has no history."""

    hypothesis: str = ""  # as typed in its field
    evidence: Evidence | None = None  # the answer on the page
    draft: str = ""  # of a summary

    @property
    def empty(self) -> bool:
        """Whether nothing was asked yet."""
        return self == PageState()


_PAGE_STATE = adapter_of(PageState)


def own_id(settings: Settings) -> str:
    """The id of the private project of whoever works with this home; made on the first call.

    Raises `StoreUnreachable` if the home cannot be read or written.
    """
    path = settings.home / "person"
    try:
        for _ in range(100):
            with suppress(FileNotFoundError):
                if known := path.read_text(encoding="ascii", errors="replace").strip():
                    return known[:64]
                time.sleep(0.01)  # another process has made the file and is about to write it
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError), path.open("x", encoding="ascii") as file:
                path.chmod(0o600)
                file.write(uuid4().hex)
    except OSError as error:
        raise StoreUnreachable(f"Cannot use {path} ({error.strerror}). Check that the folder can be written.") from None
    raise StoreUnreachable(f"The file {path} is empty. Delete it: papers outside projects begin anew.")


def create_own_project(change: StoreWriter, id: str) -> None:
    """Make the private project of this id, unless it exists."""
    try:
        change.project(id)
    except NotStored:
        change.save(Project(id, "Papers outside projects", (OWNER,), private=True))


def own_papers(now: StoreReader, id: str) -> tuple[StoredPaper, ...]:
    """The papers of a private project, the one opened last at the end; none if the project does not exist yet."""
    seen = dict(map(tuple, now.connection.execute(select(desks.c.paper, desks.c.seen_at).where(desks.c.project == id))))
    found = now.stored_papers(id)
    return tuple(
        saved.record for saved in sorted(found, key=lambda one: (seen.get(one.record.id, one.added), one.record.id))
    )


def save_page_state(change: StoreWriter, project: str, paper: str, state: PageState) -> None:
    """Save what the writer has open on the page of a paper, and that it was opened now."""
    body = _PAGE_STATE.dump_python(state, mode="json")
    require_storable(body)
    at = (desks.c.project == project, desks.c.paper == paper, desks.c.reviewer == change.who)
    values = {"body": body, "seen_at": datetime.now(UTC)}
    if not change.connection.execute(update(desks).where(*at).values(values)).rowcount:
        change.connection.execute(insert(desks).values(project=project, paper=paper, reviewer=change.who, **values))


def page_state_of(now: StoreReader, project: str, paper: str, *, reader: str) -> PageState:
    """What was open on the page; an empty state if nothing was kept, or if it is damaged."""
    at = (desks.c.project == project, desks.c.paper == paper, desks.c.reviewer == reader)
    body = now.connection.execute(select(desks.c.body).where(*at)).scalar()
    try:
        return PageState() if body is None else _PAGE_STATE.validate_python(body)
    except ValidationError:
        return PageState()


def forget(change: StoreWriter, project: str, paper: str) -> None:
    """Erase a paper of a private project with all work on it and its history.

    Raises `NotStorable` for a project that is not private, because others rely on its history.
    """
    if not change.project(project).record.private:
        raise NotStorable("Only papers outside projects can be forgotten. Delete it from its project.")
    known = change.known_paper(project, paper)
    for table in TABLES.values():
        if "paper" in table.c:
            change.connection.execute(delete(table).where(table.c.project == project, table.c.paper == paper))
    change.connection.execute(delete(desks).where(desks.c.project == project, desks.c.paper == paper))
    for table in (texts, failures):
        change.connection.execute(delete(table).where(table.c.project == project, table.c.item == paper))
    change.connection.execute(delete(papers).where(papers.c.project == project, papers.c.id == paper))
    begin = item_of((project, paper)).removesuffix("]")
    of_paper = history.c.item.startswith(begin, autoescape=True)
    change.connection.execute(delete(history).where(history.c.project == project, of_paper))
    change.answers.forget_paper(project, paper)
    digest = known.record.file if known else None
    if digest is not None and not any(saved.record.file == digest for saved in change.stored_papers(project)):
        change.connection.execute(delete(files).where(files.c.project == project, files.c.sha256 == digest))


def move_to_project(change: StoreWriter, own: str, paper: str, project: str) -> bool:
    """Move a paper of the private project `own` into a project, with all work on it, as the writer's work there.

    Judgements with a tool other than the project's, or for an outcome that it does not list, are not moved; if there
    are any, the paper stays outside projects too. Returns whether everything was moved.

    Raises `NotStorable`, and changes nothing, if the writer has already said something else in the project or is not
    one of its reviewers.
    """
    stored, work = change.paper(own, paper).record, change.work(own, paper, reader=OWNER)
    target = change.project(project).record
    results = {(target.tool, outcome) for outcome in scope_of(target, tool_of(target)).outcomes}
    if target.private or change.who not in target.reviewers:
        raise NotStorable(f"{change.who} is not a reviewer of this project: add the name to it first.")
    known = change.known_paper(project, paper)
    if known is None:
        change.save(replace(stored, project=project))
    elif known.removed:
        change.restore(known)
    _copy_text_and_file(change, own, stored, project)
    stays = False
    for saved in work:
        record: Work = saved.record
        if isinstance(record, ReviewerJudgement | StoredSuggestion) and (record.tool, record.outcome) not in results:
            stays = stays or isinstance(record, ReviewerJudgement)
        elif isinstance(record, StoredSuggestion):
            change.put(replace(record, project=project))
        else:
            _put_own(change, replace(record, project=project, reviewer=change.who))
    state = page_state_of(change, own, paper, reader=OWNER)
    there = page_state_of(change, project, paper, reader=change.who)
    together = PageState(
        there.hypothesis or state.hypothesis, there.evidence or state.evidence, there.draft or state.draft
    )
    if together != there:
        save_page_state(change, project, paper, together)
    if not stays:
        forget(change, own, paper)
    return not stays


def _put_own(change: StoreWriter, record: SentenceDecisions | ReviewerJudgement | StoredSummary) -> None:
    place = key_of(record)
    there = change.work(record.project, record.paper, reader=record.reviewer)
    same = next((one for one in there if type(one.record) is type(record) and key_of(one.record) == place), None)
    if same is None:
        change.put(record)
    elif same.record != record:
        raise NotStorable(
            f"{change.who} has worked on this paper in the project already, and came to something else. Open it there; "
            "here nothing was changed."
        )


def _copy_text_and_file(change: StoreWriter, own: str, stored: StoredPaper, project: str) -> None:
    """Copy the text, so that the paper need not be read again, and the file, so that its pages can be shown.

    Does not overwrite what the project has already.
    """
    if (text := change.text(own, stored.id)) is not None and stored.id not in change.texts(project):
        change.keep_text(project, stored.id, text)
    data = change.file(own, stored.file) if stored.file else None
    if data is not None:
        change.keep_file(change.paper(project, stored.id), data)
