"""Who may see what others make of a domain."""

from __future__ import annotations

from collections.abc import Collection

from core.store.model import Project


def may_see(project: Project, reader: str, done: Collection[str]) -> bool:
    """Whether a reader may see a domain's suggestions, its consensus and the others' judgements.

    `done` are the reviewers who have given a level. In a blind project a reviewer must be one of them; anyone else,
    such as an arbiter, must wait until all of them are.
    """
    waits_for = {reader} if reader in project.reviewers else set(project.reviewers)
    return not project.blind or waits_for <= set(done)
