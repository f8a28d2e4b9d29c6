"""What a job brought, put into the store: all of it at once, or, if this process is killed, nothing of it."""

from __future__ import annotations

from dataclasses import replace

from core.errors import NotStored
from core.review.job import READ, Job, Outcome
from core.store import Project, StoredCriterion, StoredFinding, Suggestion, Writing, record_of

QUEUE = "Vouch"  # whose the queue's changes are in the history: no person's


def keep_read(change: Writing, project: Project, job: Job, outcome: Outcome) -> None:
    """A file was read: it becomes a paper, or waits with the reason why it cannot be one."""
    if outcome.paper is None:
        change.refuse(project.id, job.item, outcome.unreadable or "It holds no paper.")
        return
    paper = outcome.paper
    waiting = next((one for one in change.incoming(project.id) if one.sha256 == job.item), None)
    if waiting is None:
        return  # taken out meanwhile
    known = change.known_paper(project.id, paper.id)
    if known is None:
        change.save(replace(record_of(paper, project=project.id), file=job.item), came=waiting.added)
    else:
        known = change.restore(known) if known.removed else known
        if known.record.file is None:  # it was added before without its file
            change.save(replace(known.record, file=job.item), seen=known.version)
        change.forget_failures(project.id, paper.id, READ)
    change.keep_text(project.id, paper.id, paper)
    change.take_out(project.id, job.item)


def keep_work(change: Writing, project: Project, job: Job, outcome: Outcome) -> None:
    """What engines made of an item, and what they could not."""
    try:
        change.require_item(project.id, job.item)
    except NotStored:
        return  # a reviewer took it out meanwhile
    if outcome.unreadable is not None:
        change.note_failure(project.id, job.item, READ, outcome.unreadable)
    elif outcome.paper is not None:
        change.keep_text(project.id, job.item, outcome.paper)
    for criterion in outcome.criteria:
        change.put(StoredCriterion(project.id, job.item, criterion))
    for finding in outcome.findings:
        change.put(StoredFinding(project.id, job.item, finding))
    for made in outcome.suggestions:
        record = Suggestion(project.id, job.item, made.engine, made.judgement, made.prompts, made.cost_usd)
        change.put(record)
    for task, why in outcome.failures:
        change.note_failure(project.id, job.item, task, why)
