"""The rows of the table, as the plain data that its script expects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from core.paper import study_name
from core.store import DomainLevels, PaperState, Project, StoredReference, study_of, with_bibliography
from pages._ui.review.references import References


def references_payload(
    found: References, left_out: Collection[str], *, excluded: Mapping[str, str]
) -> dict[str, object]:
    """The references without their paper as rows of their own, and those of each paper, with what they were matched by.

    `excluded`: those that screening has excluded, each with the reason; they need no paper.
    """
    return {
        "references": [
            {
                "id": one.id,
                "study": study_name(one.reference.authors, one.reference.year, otherwise=""),
                "title": one.reference.title,
                "citation": found.citations.get(one.id, ""),
                "note": found.notes.get(one.id, ""),
                "excluded": excluded_in_words(excluded, one.id),
            }
            for one in found.without_paper
            if one.id not in left_out
        ],
        "matched": {
            paper: [[one.id, f"Reference in {one.source}, matched by {one.matched}"] for one in several]
            for paper, several in found.of_papers.items()
        },
    }


def table_payload(
    project: Project,
    papers: Sequence[PaperState],
    levels: Sequence[DomainLevels],
    *,
    domains: int,
    reviewer: str | None,
    excluded: Mapping[str, str] | None = None,
    references: Iterable[StoredReference] = (),
) -> dict[str, object]:
    """Every paper with the number of domains that each reviewer has judged, that have a final level, and that differ.

    `excluded`: papers that screening has excluded, each with the reason; nothing is to do on them. `references` tell the
    authors and years that the papers do not.

    What a blind reader may not see yet is in neither count.
    """
    known = with_bibliography((state.paper.record for state in papers), references)
    final = Counter(one.paper for one in levels if one.final is not None)
    conflicts = Counter(one.paper for one in levels if one.final is None and one.differ)
    return {
        "reviewers": project.reviewers,
        "me": reviewer,
        "domains": domains,
        "papers": [
            {
                "id": (id := state.paper.record.id),
                "study": study_of(known[id]),
                "title": state.paper.record.title or state.paper.record.name,
                "citation": state.paper.record.citation,
                "done": [state.done.get(name, 0) for name in project.reviewers],
                "final": final[id],
                "conflicts": conflicts[id],
                "excluded": excluded_in_words(excluded or {}, id),
            }
            for state in papers
        ],
    }


def excluded_in_words(excluded: Mapping[str, str], item: str) -> str | None:
    """That screening has excluded an item, with its reason if there is one; None where it has not."""
    if item not in excluded:
        return None
    return f"Excluded in screening: {excluded[item]}" if excluded[item] else "Excluded in screening"
