"""What is added to a review: files, references, hypotheses, and the results of jobs."""

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
from core.store.own_tools import changed_domains

# The results of a job, put into the store: all at once, or nothing if this process is killed.

QUEUE = "Vouch"  # the author of the queue's changes in the history


def keep_read(change: StoreWriter, project: Project, job: Job, outcome: JobResult) -> None:
    """Keep what came of reading a file: a paper, or the reason why it cannot be one."""
    if outcome.paper is None:
        change.queue.set_error(project.id, job.item, outcome.unreadable or "It holds no paper.")
        return
    paper = outcome.paper
    waiting = next((one for one in change.queue.incoming(project.id) if one.sha256 == job.item), None)
    if waiting is None:
        return  # removed meanwhile
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
    """Keep what engines made of an item, and their failures."""
    try:
        change.require_item(project.id, job.item)
    except NotStored:
        return  # a reviewer deleted it meanwhile
    if outcome.unreadable is not None:
        change.queue.note_failure(project.id, job.item, READ, outcome.unreadable)
    elif outcome.paper is not None:
        change.keep_text(project.id, job.item, outcome.paper)
    for criterion in outcome.criteria:
        change.put(StoredCriterion(project.id, job.item, criterion))
    for finding in outcome.findings:
        change.put(StoredFinding(project.id, job.item, finding))
    outdated = _outdated_domains(job, change.project(project.id).record)
    for judged, made in outcome.suggestions:
        if made.judgement.domain in outdated:
            continue  # the queue asks again
        change.put(stored_suggestion(made, project=project.id, paper=job.item, tool=job.tool, outcome=judged))
    for task, why in outcome.failures:
        change.queue.note_failure(project.id, job.item, task, why)


def _outdated_domains(job: Job, project: Project) -> frozenset[str]:
    """The domains of the job's own tool whose words were changed after the engine was given them."""
    asked = next((one for one in job.own_tools if one.id == job.tool), None)
    now = next((one for one in project.own_tools if one.id == job.tool), None)
    if asked is None:
        return frozenset()  # a published tool, which nobody changes
    return changed_domains(asked, now) if now is not None else frozenset(domain.id for domain in asked.domains)


# The hypotheses of a review. They can be added and removed at any time, without reading a paper again.


def add_hypothesis(store: Store, project: str, text: str, *, who: str) -> str:
    """Add a hypothesis to the project. Returns it as it is kept: on one line.

    Raises `QueryError` if it is not a valid hypothesis or is in the project already.
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
    """Remove a hypothesis from the project. What was found for it is kept, and shown again if it is added again."""
    with store.writing(who) as change:
        saved = change.project(project)
        left = tuple(one for one in saved.record.hypotheses if one != hypothesis)
        change.save(replace(saved.record, hypotheses=left), seen=saved.version)


# Files, references, and which belong together. Nothing is merged here.

BY_HAND = "a reviewer"  # `matched` once a reviewer has said which paper it is, or that it is none
SAME = "a reference that a reviewer called the same"  # `matched` for the reference that stands for a matched one
FETCHED = "the full text that was fetched for it"  # `matched` for a full text that was fetched for the reference
REFERENCE = "reference"  # starts the names of the tasks for wrong entries in files of references


@dataclass(frozen=True, slots=True)
class AddedReferences:
    """The result of adding a file of references."""

    added: int
    again: int  # in the project already, from the same file
    wrong: int  # entries that are wholly or partly wrong, listed among the project's failures


def files_of(folder: Path, *, without: Sequence[Path] = ()) -> list[Path]:
    """The files of a folder and its subfolders in order, without hidden ones and those in `without`.

    Raises `QueryError` if there are none.
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
    """Whether a file holds references, by its ending or its start: a .txt file may also be a paper's text."""
    if name.lower().endswith((".ris", ".nbib", ".csv", ".tsv")):
        return True
    start = data[:2000].lstrip(b"\xef\xbb\xbf \r\n")
    return start.startswith((b"TY  -", b"PMID- "))


def add_references(store: Store, project: str, data: bytes, *, name: str, who: str) -> AddedReferences:
    """Add the entries of a RIS, NBIB or CSV file to the project, and match them to its papers.

    Wrong entries are listed among the project's failures with their place in the file. Raises as `read_references` does
    if the file holds no entries at all.
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
        wrong: dict[str, list[str]] = {}
        for one in (*file.broken, *file.doubts):
            wrong.setdefault(one.place, []).append(one.reason)
        for place, reasons in wrong.items():
            task = f"{REFERENCE} {begin}: {place}"  # two files may have one name
            change.queue.forget_failures(project, name, task)
            change.queue.note_failure(project, name, task, " ".join(reasons))
    match_references(store, project)
    return AddedReferences(added, len(file.references) - added, len(wrong))


def begin_of_entries(data: bytes) -> str:
    """The start of the ids of a file's entries; `-` and the entry's number follow."""
    return sha256(data).hexdigest()[:32]


def match_references(store: Store, project: str) -> int:
    """Match references to papers where that is certain and was not done yet. Returns how many were matched.

    A reviewer's decision on a reference stays, also that none of the papers is its own. Of two papers that a reviewer
    called the same, only the one that stands for both can be matched. Of two references that a reviewer called the
    same, the one that stands for both gets the other's paper if it has none.
    """
    with store.writing(QUEUE) as change:
        left_out = change.left_out(project)
        papers = [entry_of(saved.record) for saved in change.stored_papers(project) if saved.record.id not in left_out]
        here = {*change.paper_ids(project)}
        references = [saved for saved in change.references(project) if saved.record.matched != BY_HAND]
        open_ = {saved.record.id: saved for saved in references if saved.record.paper not in here}
        matched = _match_fetched(change, project, open_, left_out)
        found = match([entry_of(saved.record) for saved in open_.values()], papers)
        sure = {one.reference: (one.paper, one.by.value if one.by else "") for one in found if one.paper is not None}
        for reference, (paper, _) in tuple(sure.items()):
            stands_for_it = left_out.get(reference)
            if stands_for_it in open_:
                sure.setdefault(stands_for_it, (paper, SAME))
        for reference, (paper, by) in sure.items():
            saved = open_[reference]
            with suppress(Conflict):  # a reviewer has just decided: keep that
                change.save(replace(saved.record, paper=paper, matched=by), seen=saved.version)
                matched += 1
        return matched


def _match_fetched(
    change: StoreWriter, project: str, open_: dict[str, Saved[StoredReference]], left_out: Collection[str]
) -> int:
    """Match full texts to the references they were fetched for, whatever the file says. Returns how many."""
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
    """The items that look like one another, and that no reviewer has said to be the same or different.

    Leaves out matched references, because their paper stands for them, and duplicates that are left out already.
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
    """Why references have no paper, with candidates; without those for which a reviewer said that there is none."""
    papers = {saved.record.id: saved.record for saved in now.stored_papers(project)}
    references = [saved.record for saved in now.references(project)]
    open_ = [one for one in references if one.paper not in papers and one.matched != BY_HAND]
    left_out = now.left_out(project)
    return match([entry_of(one) for one in open_], [entry_of(one) for id, one in papers.items() if id not in left_out])


def entry_of(record: StoredPaper | StoredReference) -> Entry:
    """What is compared of a paper or reference to match it."""
    if isinstance(record, StoredReference):
        return entry_of_reference(record.id, record.reference)
    return Entry(
        record.id, record.title, record.authors, record.year, record.doi, record.pmid, record.registrations
    )  # fmt: skip
