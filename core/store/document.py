"""A project as one JSON document that reads back to the same state."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from pydantic import TypeAdapter, ValidationError

from core.errors import DamagedProject, NewerStore
from core.store.model import FORMAT, ProjectState
from core.store.tables import key_of

_STATE = TypeAdapter(ProjectState)


def project_to_json(state: ProjectState) -> str:
    """The document: the same state gives the same text. Files are in base64."""
    return _STATE.dump_json(state, indent=1).decode()


def project_from_json(text: str | bytes) -> ProjectState:
    """The state that a document holds. Raises `DamagedProject` if `project_to_json` did not write it so.

    Raises `NewerStore` if a newer Vouch wrote it.
    """
    try:
        state = _STATE.validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "its start"
        raise DamagedProject(f"This is not a project that Vouch saved, or it was changed: see {place}.") from None
    if state.format > FORMAT:
        raise NewerStore("A newer version of Vouch wrote this project: update Vouch on this machine to open it.")
    return checked(state)


def checked(state: ProjectState) -> ProjectState:
    """The state, if everything belongs to the project and its papers, nothing is there twice, and files are whole.

    Raises `DamagedProject` if not.
    """
    project = state.project.record.id
    ids = {saved.record.id for saved in state.papers}
    belonging = [saved.record for saved in state.of_papers]
    items = ids | {saved.record.id for saved in state.references}
    of_items = [saved.record for saved in state.of_items]
    pairs = [saved.record for saved in state.pairings]
    of_project = [saved.record for saved in state.of_project]
    records: list[Any] = [*(saved.record for saved in state.papers), *belonging, *of_items, *of_project]
    if (
        any(record.project != project for record in records)
        or any(record.paper not in ids for record in belonging)
        or any(record.item not in items for record in of_items)
        or any(not {pair.first, pair.second} <= items for pair in pairs)
    ):
        raise DamagedProject("The document holds something that belongs to none of its project's papers.")
    if len({(type(record), *key_of(record).values()) for record in records}) < len(records):
        raise DamagedProject("The document holds the same record twice.")
    if any(sha256(data).hexdigest() != digest for digest, data in state.files.items()):
        raise DamagedProject("A file in the document is not the one that was put in.")
    return state
