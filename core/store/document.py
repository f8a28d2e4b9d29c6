"""A project as one JSON document that reads back to the same state."""

from __future__ import annotations

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from core.errors import DamagedProject, NewerStore
from core.store.checking import checked
from core.store.model import FORMAT, ProjectState

_STATE = TypeAdapter(ProjectState)
_NO_PROJECT = "This is not a project that Vouch saved, or it was changed: see {}."


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
    place = "its start"
    try:
        state = _STATE.validate_python(from_json(text))  # of JSON itself, each error would hold a copy of what it is in
    except ValidationError as error:
        place = ".".join(map(str, error.errors(include_url=False, include_input=False)[0]["loc"])) or place
        raise DamagedProject(_NO_PROJECT.format(place)) from None
    except ValueError:  # no JSON
        raise DamagedProject(_NO_PROJECT.format(place)) from None
    if state.format > FORMAT:
        raise NewerStore("A newer version of Vouch wrote this project: update Vouch on this machine to open it.")
    return state
