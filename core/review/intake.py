"""What comes into a review: files, references, hypotheses, and what the jobs brought."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from core.errors import NotStored, QueryError
from core.evidence.model import EvidenceQuery
from core.references import (
    Entry,
    PossibleDuplicate,
    ReferenceMatch,
    entry_of_reference,
    match,
    possible_duplicates,
    read_references,
)
from core.review.planning import READ, Job, JobResult
from core.store import (
    Conflict,
    Project,
    RetrievalState,
    Saved,
    Store,
    StoredCriterion,
    StoredFinding,
    StoredPaper,
    StoredReference,
    StoreReader,
    StoreWriter,
    record_of,
    storable_name,
)
from core.store.model import stored_suggestion

# What a job brought, put into the store: all of it at once, or, if this process is killed, nothing of it.

QUEUE = "Vouch"  # whose the queue's changes are in the history: no person's


def keep_read(change: StoreWriter, project: Project, job: Job, outcome: JobResult) -> None:
    """A file was read: it becomes a paper, or waits with the reason why it cannot be one."""
    if outcome.paper is None:
        change.queue.set_error(project.id, job.item, outcome.unreadable or "It holds no paper.")
        return
    paper = outcome.paper
    waiting = next((one for one in change.queue.incoming(project.id) if one.sha256 == job.item), None)
    if waiting is None:
        return  # taken out meanwhile
    known = change.known_paper(project.id, paper.id)
    if known is None:
        change.save(replace(record_of(paper, project=project.id), file=job.item), came=waiting.added)
    else:
        known = change.restore(known) if known.removed else known
        if known.record.file is None:  # it was added before without its file
            change.save(replace(known.record, file=job.item), seen=known.version)
        change.queue.forget_failures(project.id, paper.id, READ)
    change.keep_text(project.id, paper.id, paper)
    change.queue.remove_file(project.id, job.item)


def keep_work(change: StoreWriter, project: Project, job: Job, outcome: JobResult) -> None:
    """What engines made of an item, and what they could not."""
    try:
        change.require_item(project.id, job.item)
    except NotStored:
        return  # a reviewer took it out meanwhile
    if outcome.unreadable is not None:
        change.queue.note_failure(project.id, job.item, READ, outcome.unreadable)
    elif outcome.paper is not None:
        change.keep_text(project.id, job.item, outcome.paper)
    for criterion in outcome.criteria:
        change.put(StoredCriterion(project.id, job.item, criterion))
    for finding in outcome.findings:
        change.put(StoredFinding(project.id, job.item, finding))
    for judged, made in outcome.suggestions:
        change.put(stored_suggestion(made, project=project.id, paper=job.item, tool=job.tool, outcome=judged))
    for task, why in outcome.failures:
        change.queue.note_failure(project.id, job.item, task, why)


# The hypotheses of a review: added and taken out at any time, without reading a paper again.


def add_hypothesis(store: Store, project: str, text: str, *, who: str) -> str:
    """Put a hypothesis into the project; returns it as it is kept: on one line.

    Raises `QueryError` for what is none, or is there already.
    """
    hypothesis = EvidenceQuery(" ".join(text.split())).hypothesis
    with store.writing(who) as change:
        saved = change.project(project)
        there = saved.record.hypotheses
        if any(hypothesis.casefold() == one.casefold() for one in there):
            raise QueryError("The review has this hypothesis already. Add another one.")
        change.save(replace(saved.record, hypotheses=(*there, hypothesis)), seen=saved.version)
    return hypothesis


def remove_hypothesis(store: Store, project: str, hypothesis: str, *, who: str) -> None:
    """Take a hypothesis out of the project. What was found for it is kept, and is there again if it comes back."""
    with store.writing(who) as change:
        saved = change.project(project)
        left = tuple(one for one in saved.record.hypotheses if one != hypothesis)
        change.save(replace(saved.record, hypotheses=left), seen=saved.version)


# What comes into a review: files, references, and what belongs together. Nothing is merged here.

BY_HAND = "a reviewer"  # by what a reference is matched, or not matched, once a person has said so
FETCHED = "the full text that was fetched for it"  # or by this
REFERENCE = "reference"  # begins the tasks under which wrong entries of files of references are kept


@dataclass(frozen=True, slots=True)
class AddedReferences:
    """What became of a file of references."""

    added: int
    again: int  # were here already, from the same file
    wrong: int  # entries that are wrong in whole or in part, listed among the project's failures


def files_of(folder: Path, *, without: Sequence[Path] = ()) -> list[Path]:
    """The files of a folder and of the folders in it, hidden ones and those `without` apart, in order.

    Raises `QueryError` if there is none.
    """
    if not folder.is_dir():
        raise QueryError(f"“{folder}” is no folder on this computer. Name a folder with papers.")
    left_out = {path.resolve() for path in without}
    found = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and not left_out & {path.resolve(), *path.resolve().parents}
    ]
    if not found:
        raise QueryError(f"There is no file in “{folder}”. Name a folder with papers.")
    return found


def holds_references(name: str, data: bytes) -> bool:
    """Whether a file is one of references, by how it begins; a paper's text may be in a .txt file, too."""
    if name.lower().endswith((".ris", ".nbib", ".csv", ".tsv")):
        return True
    start = data[:2000].lstrip(b"\xef\xbb\xbf \r\n")
    return start.startswith((b"TY  -", b"PMID- "))


def add_references(store: Store, project: str, data: bytes, *, name: str, who: str) -> AddedReferences:
    """Put the entries of a RIS, NBIB or CSV file into the project, and match them to its papers.

    Entries that are wrong are listed among the project's failures with their place in the file. Raises as
    `read_references` does where the file holds none at all.
    """
    name = storable_name(name)
    file = read_references(data, name=name)
    begin = begin_of_entries(data)
    added = 0
    with store.writing(who) as change:
        here = {saved.record.id for saved in change.references(project)}
        for number, reference in file.references:
            record = StoredReference(project, f"{begin}-{number}", name, number, reference)
            if record.id not in here:
                change.save(record)
                added += 1
        for wrong in (*file.broken, *file.doubts):
            change.queue.forget_failures(project, name, f"{REFERENCE}: {wrong.place}")
            change.queue.note_failure(project, name, f"{REFERENCE}: {wrong.place}", wrong.reason)
    match_references(store, project)
    return AddedReferences(added, len(file.references) - added, len(file.broken) + len(file.doubts))


def begin_of_entries(data: bytes) -> str:
    """How the ids of a file's entries begin; `-` and the entry's number follow."""
    return sha256(data).hexdigest()[:32]


def match_references(store: Store, project: str) -> int:
    """Say which paper each reference is of, where that is certain and was not said yet; how many were found.

    What a reviewer said of a reference, also that none of the papers is its own, stays as it is. Of two papers that a
    reviewer called the same, only the one that stands for both can be matched.
    """
    with store.writing(QUEUE) as change:
        left_out = change.left_out(project)
        papers = [entry_of(saved.record) for saved in change.stored_papers(project) if saved.record.id not in left_out]
        here = {*change.paper_ids(project)}
        references = [saved for saved in change.references(project) if saved.record.matched != BY_HAND]
        open_ = {saved.record.id: saved for saved in references if saved.record.paper not in here}
        matched = _match_fetched(change, project, open_, left_out)
        found = match([entry_of(saved.record) for saved in open_.values()], papers)
        for one in found:
            if one.paper is not None:
                saved, by = open_[one.reference], one.by.value if one.by else ""
                with suppress(Conflict):  # a reviewer said at this moment which it is: that stays
                    change.save(replace(saved.record, paper=one.paper, matched=by), seen=saved.version)
                    matched += 1
        return matched


def _match_fetched(
    change: StoreWriter, project: str, open_: dict[str, Saved[StoredReference]], left_out: Collection[str]
) -> int:
    """A full text that was fetched for a reference is its paper, whatever the file says of itself; how many."""
    by_file = {saved.record.file: saved.record.id for saved in change.stored_papers(project) if saved.record.file}
    matched = 0
    for one in change.retrievals.all(project):
        paper = by_file.get(one.sha256 or "") if one.state is RetrievalState.FETCHED else None
        if paper is None or paper in left_out or one.item not in open_:
            continue
        saved = open_.pop(one.item)
        with suppress(Conflict):
            change.save(replace(saved.record, paper=paper, matched=FETCHED), seen=saved.version)
            matched += 1
    return matched


def possible_duplicates_of(now: StoreReader, project: str) -> tuple[PossibleDuplicate, ...]:
    """The items that look like one another and on which nobody has said yet whether they are the same.

    A reference that was matched stands for its paper, and two references of one paper are one already: nobody is asked.
    Nor of an item that is left out as the double of another one.
    """
    papers = {saved.record.id: saved.record for saved in now.stored_papers(project)}
    references = [saved.record for saved in now.references(project)]
    own = {one.id: one.paper if one.paper in papers else one.id for one in references}
    said = {frozenset((saved.record.first, saved.record.second)) for saved in now.pairings(project)}
    left_out = now.left_out(project)

    def worth_telling(one: PossibleDuplicate) -> bool:
        stand_for_themselves = all(own.get(id, id) == id and id not in left_out for id in (one.first, one.second))
        return stand_for_themselves and frozenset((one.first, one.second)) not in said

    entries = [*map(entry_of, papers.values()), *map(entry_of, references)]
    found = possible_duplicates(entries)
    return tuple(filter(worth_telling, found))


def unmatched_references(now: StoreReader, project: str) -> tuple[ReferenceMatch, ...]:
    """Why references have no paper, with those that could be it: of each whose paper is not here, nor was denied by hand."""
    papers = {saved.record.id: saved.record for saved in now.stored_papers(project)}
    references = [saved.record for saved in now.references(project)]
    open_ = [one for one in references if one.paper not in papers and one.matched != BY_HAND]
    left_out = now.left_out(project)
    return match([entry_of(one) for one in open_], [entry_of(one) for id, one in papers.items() if id not in left_out])


def entry_of(record: StoredPaper | StoredReference) -> Entry:
    """What is compared of a paper or a reference."""
    if isinstance(record, StoredReference):
        return entry_of_reference(record.id, record.reference)
    return Entry(
        record.id, record.title, record.authors, record.year, record.doi, record.pmid, record.registrations
    )  # fmt: skip
