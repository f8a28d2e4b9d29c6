"""The hypotheses of a review: added and taken out at any time, without reading a paper again."""

from __future__ import annotations

from dataclasses import replace

from core.errors import QueryError
from core.evidence.model import EvidenceQuery
from core.store import Store


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
