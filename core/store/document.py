"""A project as one JSON document that reads back to the same state."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError

from core.errors import DamagedProject, NewerStore
from core.store.checking import checked
from core.store.model import FORMAT, ProjectState
from core.store.rows import adapter_of
from core.untrusted_json import TooManyValues, holds_more, parsed

_STATE = adapter_of(ProjectState)
_TYPES = get_type_hints(ProjectState, include_extras=True)
_REQUIRED = {one.name for one in fields(ProjectState) if one.default is MISSING and one.default_factory is MISSING}
_MANY = {name for name, kind in _TYPES.items() if get_origin(kind) is tuple}  # parts that are any number of records
_PARTS: dict[str, TypeAdapter[Any]] = {
    name: adapter_of(get_args(kind)[0] if name in _MANY else kind) for name, kind in _TYPES.items()
}
_MOST_OF_RECORD = 100_000  # values in a record; of ours, a paper's authors and a reviewer's decisions come to thousands
_NO_PROJECT = "This is not a project that Vouch saved, or it was changed: see {}."
_TOO_MUCH = "This document holds more than a review can. Ask for another copy."


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
        document = parsed(text)
    except TooManyValues:
        raise DamagedProject(_TOO_MUCH) from None
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise DamagedProject(_NO_PROJECT.format("its start"))
    for name in _PARTS:  # in their order, so that the first one that is missing is told
        if name in _REQUIRED and name not in document:
            raise DamagedProject(_NO_PROJECT.format(name))
    state = ProjectState(**{name: _part(name, document.pop(name)) for name in _PARTS if name in document})
    if state.format > FORMAT:
        raise NewerStore("A newer version of Vouch wrote this project: update Vouch on this machine to open it.")
    return state


def _part(name: str, values: object) -> Any:
    """A part of the document, checked record by record: the first that is wrong ends it, whatever follows."""
    if name not in _MANY:
        return _read(values, name, name)
    if not isinstance(values, list):
        raise DamagedProject(_NO_PROJECT.format(name))
    return tuple(_read(one, name, f"{name}.{number}") for number, one in enumerate(values))


def _read(value: object, name: str, place: str) -> object:
    if holds_more(value, _MOST_OF_RECORD):
        raise DamagedProject(_TOO_MUCH)
    try:
        return _PARTS[name].validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]["loc"]
        raise DamagedProject(_NO_PROJECT.format(".".join(map(str, (place, *first))))) from None
