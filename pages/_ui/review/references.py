"""The references of a project: which papers they match, and why others have none. Read once after each change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from core.references import PossibleDuplicate
from core.review.intake import BY_HAND, possible_duplicates_of, unmatched_references
from core.store import StoredPaper, StoredReference, StoreReader, items_of
from pages._ui.stored import the_store


@dataclass(frozen=True, slots=True)
class References:
    """What the page shows of references, and of items that look alike."""

    papers: Mapping[str, StoredPaper] = field(default_factory=dict)
    all: Mapping[str, StoredReference] = field(default_factory=dict)
    citations: Mapping[str, str] = field(default_factory=dict)  # by id, of references without a paper
    notes: Mapping[str, str] = field(default_factory=dict)  # by id, why a paper here was not matched
    alike: tuple[PossibleDuplicate, ...] = ()  # pairs without a decision

    @property
    def without_paper(self) -> tuple[StoredReference, ...]:
        """References whose paper is not in the project."""
        return tuple(one for one in self.all.values() if one.paper not in self.papers)

    @property
    def of_papers(self) -> dict[str, list[StoredReference]]:
        """The references of each paper, by its id."""
        found: dict[str, list[StoredReference]] = {}
        for one in self.all.values():
            if one.paper is not None and one.paper in self.papers:
                found.setdefault(one.paper, []).append(one)
        return found


def read(project: str) -> References:
    """The current references. Raises `StoreError`."""
    with the_store().reading() as store:
        return _made(project, repr(store.state_of_items(project)), store)


@st.cache_resource(max_entries=8, show_spinner=False)  # not copied at each use, as nothing in it changes
def _made(project: str, state: str, _store: StoreReader) -> References:
    papers = {saved.record.id: saved.record for saved in _store.stored_papers(project)}
    references = {saved.record.id: saved.record for saved in _store.references(project)}
    return References(
        papers,
        references,
        {item.id: item.citation for item in items_of((), references.values(), ())},
        {one.reference: one.reason for one in unmatched_references(_store, project) if one.is_ambiguous}
        | {one.id: "No paper here is its own, a reviewer says" for one in references.values() if denied(one)},
        possible_duplicates_of(_store, project),
    )


def denied(one: StoredReference) -> bool:
    """Whether a reviewer said that none of the papers is the reference's own."""
    return one.paper is None and one.matched == BY_HAND
