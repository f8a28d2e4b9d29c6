"""Whether a project that comes from elsewhere is whole: anyone may have changed its document, or written one by hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from hashlib import sha256
from typing import Any

from core.errors import DamagedProject
from core.store.model import Change, ProjectState, Saved
from core.store.rows import LONGEST_NAME, read_body
from core.store.tables import TABLES, key_of

_HIGHEST = 2**31 - 1  # number that a column holds
_LONGEST_KEY = 1_000  # bytes of what failed, and of what was to be done with it
_SHA256 = re.compile(r"[0-9a-f]{64}")
_YEARS = range(2, 9999)  # that a moment can be in, wherever on earth it is told
_KINDS = {table.name: kind for kind, table in TABLES.items()}


def checked(state: ProjectState) -> ProjectState:
    """The state, if a store could have given it: all belongs together, nothing is there twice, and files are whole.

    Raises `DamagedProject` if not.
    """
    for wrong, said in _faults(state):
        if wrong:
            raise DamagedProject(said)
    return state


def _faults(state: ProjectState) -> Iterator[tuple[bool, str]]:
    """What could be wrong, in order: whether it is, and the sentence that says so."""
    saved: list[Saved[Any]] = [
        state.project, *state.papers, *state.of_papers, *state.of_items, *state.of_project
    ]  # fmt: skip
    yield not _belongs(state), "The document holds something that belongs to none of its project's papers."
    keys = [(TABLES[type(one.record)].name, tuple(key_of(one.record).values())) for one in saved]
    yield _twice(keys), "The document holds the same record twice."
    names = [*(one.by for one in saved), *(name for _, key in keys for name in key)]
    names += [*(one.who for one in state.history), *(one.by for one in state.incoming)]
    yield not all(map(_is_name, names)), f"In the document a name is missing, or longer than {LONGEST_NAME} characters."
    known = set(keys)
    wrong = any((one.kind, one.key) not in known or not _is_history(one) for one in state.history)
    yield wrong, "The document's history tells of something that is not in it, or not as it was."
    versions = ((one.kind, one.key, one.version) for one in state.history)
    yield _twice(versions), "The document's history tells of the same change twice."
    waiting = [one.sha256 for one in state.incoming]
    odd = _twice(waiting) or not all(map(_SHA256.fullmatch, waiting))
    yield odd, "The document names a file that waits twice, or by no hash."
    failed = [(one.item, one.task) for one in state.failures]
    odd = _twice(failed) or any(len(part.encode(errors="replace")) > _LONGEST_KEY for one in failed for part in one)
    yield odd, "The document holds the same failure twice, or one with a name that is too long."
    numbers = [
        *(one.version for one in saved),
        *(one.version for one in state.history),
        *(f.tries for f in state.failures),
    ]
    yield not all(1 <= number <= _HIGHEST for number in numbers), "A number in the document cannot be."
    yield not all(map(_is_moment, _moments(state, saved))), "A moment in the document has no time zone, or cannot be."
    hashes = (sha256(data).hexdigest() == digest for digest, data in state.files.items())
    yield not all(hashes), "A file in the document is not the one that was put in."


def _belongs(state: ProjectState) -> bool:
    """Whether everything is the project's, and points at papers and items that are there."""
    project, papers = state.project.record.id, {saved.record.id for saved in state.papers}
    items = papers | {saved.record.id for saved in state.references}
    everything: list[Saved[Any]] = [*state.papers, *state.of_papers, *state.of_items, *state.of_project]
    return (
        all(saved.record.project == project for saved in everything)
        and all(saved.record.paper in papers for saved in state.of_papers)
        and all(saved.record.item in items for saved in state.of_items)
        and all(saved.record.paper in {None, *papers} for saved in state.references)
        and all({saved.record.first, saved.record.second} <= items for saved in state.pairings)
    )


def _is_history(change: Change) -> bool:
    """Whether what a change says of a record's states is of that record."""
    kind = _KINDS[change.kind]
    states = [body for body in (change.before, change.after) if body is not None]
    read = [read_body(kind, body) for body in states]
    return all(one is not None and tuple(key_of(one).values()) == change.key for one in read)


def _twice(keys: Iterable[object]) -> bool:
    return any(number > 1 for number in Counter(keys).values())


def _is_name(name: str) -> bool:
    return bool(name.strip()) and len(name) <= LONGEST_NAME


def _moments(state: ProjectState, saved: Iterable[Saved[Any]]) -> Iterator[datetime]:
    for one in saved:
        yield from (one.changed, one.added)
    for sitting in state.sittings:
        yield from (sitting.record.started, sitting.record.ended)
    yield from (change.at for change in state.history)
    yield from (failure.at for failure in state.failures)
    yield from (file.added for file in state.incoming)


def _is_moment(moment: datetime) -> bool:
    return moment.tzinfo is not None and moment.year in _YEARS
