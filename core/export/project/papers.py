"""The papers of a project, read from the files that are kept in it."""

from __future__ import annotations

from collections.abc import Mapping

from core.export.project.levels import papers_of
from core.paper import Paper
from core.progress import Progress, silent
from core.store.model import ProjectState
from core.store.papers import paper_of


def read_papers(
    state: ProjectState, *, known: Mapping[str, Paper] | None = None, progress: Progress = silent
) -> dict[str, Paper]:
    """By id, those in `known` as they are; a paper whose file is not kept, or gives another paper, is not there."""
    read = dict(known or {})
    wanted = papers_of(state)
    for number, (id, record) in enumerate(wanted.items()):
        progress(number / len(wanted), f"Reading {record.name}")
        data = state.files.get(record.file) if record.file else None
        if id not in read and data is not None and (paper := paper_of(record, data)) is not None:
            read[id] = paper
    return {id: read[id] for id in wanted if id in read}
