"""A project as one JSON document that reads back to the same state."""

from __future__ import annotations

from pydantic import TypeAdapter, ValidationError

from core.errors import DamagedProject, NewerStore
from core.store.checking import checked
from core.store.model import FORMAT, ProjectState

_STATE = TypeAdapter(ProjectState)


def project_to_json(state: ProjectState) -> str:
    """The document: the same state gives the same text. Files are in base64."""
    return _STATE.dump_json(state, indent=1).decode()


def project_from_json(text: str | bytes) -> ProjectState:
    """The state that a document holds. Raises `DamagedProject` if `project_to_json` did not write it so.

    Raises `NewerStore` if a newer Vouch wrote it.
    """
    return checked(read_document(text))


def read_document(text: str | bytes) -> ProjectState:
    """The same, before it is checked whether it is whole."""
    try:
        state = _STATE.validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "its start"
        raise DamagedProject(f"This is not a project that Vouch saved, or it was changed: see {place}.") from None
    if state.format > FORMAT:
        raise NewerStore("A newer version of Vouch wrote this project: update Vouch on this machine to open it.")
    return state
