"""Papers that an agent found and fetched to answer a question, with a reviewer's consent, and that join the review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from core.answering.beyond import FetchedPaper
from core.review.intake import FETCHED, match_references
from core.sources.model import record_id
from core.store import Origin, Store, StoredNotices, StoredReference, record_of

SOURCE = "Search for an answer"  # its name in the flow diagram, among the other methods
TAKEN_OUT = "It was taken out of the review."


def take_fetched(store: Store, project: str, fetched: Sequence[FetchedPaper], *, who: str) -> Mapping[str, str]:
    """Add papers to the review with their files, to be screened like any other. Returns why some were left out, by id.

    A paper that has no reference in the review gets one, so that the flow diagram counts where it came from. Notices on
    a paper are kept with it. A paper that a reviewer has deleted stays deleted. If the process is killed, a paper may
    be left without its reference.
    """
    left_out: dict[str, str] = {}
    with store.writing(who) as change:
        for one in fetched:
            known = change.known_paper(project, one.paper.id)
            if known is None:
                change.keep_file(change.save(record_of(one.paper, project=project)), one.text.data)
            elif known.removed:
                left_out[one.paper.id] = TAKEN_OUT
                continue
            change.keep_text(project, one.paper.id, one.paper)
    match_references(store, project)
    with store.writing(who) as change:
        matched = {saved.record.paper for saved in change.references(project)}
        number = sum(saved.record.source == SOURCE for saved in change.references(project))
        here = change.reference_ids(project)
        for one in fetched:
            if one.paper.id in left_out:
                continue
            id = record_id("asked", one.paper.id)
            if one.paper.id not in matched and id not in here:
                number += 1
                change.save(
                    StoredReference(project, id, SOURCE, number, one.reference, one.paper.id, FETCHED, Origin.ASKED)
                )
            if one.notices and one.paper.id not in change.notices(project):
                services = tuple(dict.fromkeys(notice.service for notice in one.notices))
                change.put(StoredNotices(project, one.paper.id, one.notices, datetime.now(UTC), services))
    return left_out
