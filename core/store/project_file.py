"""A project as one file or one JSON document. Both are checked when read, because anyone may have changed them."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, dataclass, fields, replace
from datetime import datetime
from hashlib import sha256
from typing import Any, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError

from core.bias.tools import known_tools
from core.errors import AnswerError, DamagedProject, NewerStore, NotStorable
from core.sources.services import SERVICES, Kind
from core.store.model import FORMAT, ProjectState, RecordChange, Saved
from core.store.older import brought_up_to_date
from core.store.rows import LONGEST_NAME, adapter_of, is_name, read_body
from core.store.source_model import StoredSearch
from core.store.tables import TABLES, key_of, names_in
from core.untrusted_json import VALUE_LIMITS, TooManyValues, ValueLimits, holds_more, parsed

# Whether a project from elsewhere is complete and consistent: anyone may have changed its document, or written one.

_HIGHEST = 2**31 - 1  # the largest number that a column can hold
_LONGEST_KEY = 1_000  # in bytes: a failed item's id, or its task's name
_SHA256 = re.compile(r"[0-9a-f]{64}")
_YEARS = range(2, 9999)  # leaves room at both ends for conversion between time zones
_KINDS = {table.name: kind for kind, table in TABLES.items()}


def checked(state: ProjectState) -> ProjectState:
    """Return the state if a store could have produced it: consistent, without duplicates, and with intact files.

    Raises `DamagedProject` if not.
    """
    for wrong, said in _faults(state):
        if wrong:
            raise DamagedProject(said)
    return state


def _faults(state: ProjectState) -> Iterator[tuple[bool, str]]:
    """Every check in order: whether it failed, and the sentence that says so."""
    saved: list[Saved[Any]] = [
        state.project, *state.papers, *state.of_papers, *state.of_items, *state.of_project
    ]  # fmt: skip
    yield not _belongs(state), "The document holds something that belongs to none of its project's papers."
    keys = [(TABLES[type(one.record)].name, tuple(key_of(one.record).values())) for one in saved]
    yield _twice(keys), "The document holds the same record twice."
    names = [*(one.by for one in saved), *(name for one in saved for name in names_in(key_of(one.record)))]
    names += [*(one.who for one in state.history), *(one.by for one in state.incoming)]
    names += [name for one in state.answers for name in (one.id, one.by)]
    names += [one.by for one in state.retrievals]
    yield not all(map(is_name, names)), f"In the document a name is missing, or longer than {LONGEST_NAME} characters."
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
    sought = [one.item for one in state.retrievals]
    odd = _twice(sought) or not {*sought} <= {saved.record.id for saved in state.references}
    yield odd, "The document seeks the same full text twice, or one of a reference that is not in it."
    asked = {id for saved in state.searches for id in _services(saved.record)}
    yield not asked <= _SEARCHED, "The document tells of a search in a service that Vouch does not know."
    odd = _twice(one.id for one in state.answers) or _twice(one.number for one in state.answers)
    yield odd, "The document holds the same answer twice."
    numbers = [
        *(one.version for one in saved),
        *(one.version for one in state.history),
        *(f.tries for f in state.failures),
        *(one.number for one in state.answers),
    ]
    yield not all(1 <= number <= _HIGHEST for number in numbers), "A number in the document cannot be."
    yield not all(map(_is_moment, _moments(state, saved))), "A moment in the document has no time zone, or cannot be."
    odd_level = next(_unknown_levels(state), "")
    yield bool(odd_level), _NO_PROJECT.format(odd_level)
    damaged = next(_damaged_answers(state), "")
    yield bool(damaged), _NO_PROJECT.format(damaged)
    hashes = (sha256(data).hexdigest() == digest for digest, data in state.files.items())
    yield not all(hashes), "A file in the document is not the one that was put in."


def _belongs(state: ProjectState) -> bool:
    """Whether everything belongs to the project and points at papers and items that exist."""
    project, papers = state.project.record.id, {saved.record.id for saved in state.papers}
    items = papers | {saved.record.id for saved in state.references}
    everything: list[Saved[Any]] = [*state.papers, *state.of_papers, *state.of_items, *state.of_project]
    return (
        all(saved.record.project == project for saved in everything)
        and all(saved.record.paper in papers for saved in state.of_papers)
        and all(saved.record.item in items for saved in state.of_items)
        and all(saved.record.paper in {None, *papers} for saved in state.references)
        and all({saved.record.first, saved.record.second} <= items for saved in state.pairings)
        and {id for saved in state.articles if not saved.removed for id in saved.record.answers}
        <= {one.id for one in state.answers}
        and {saved.record.grading for saved in state.grades} <= {saved.record.id for saved in state.gradings}
    )


_SEARCHED = {service.id for service in SERVICES if service.kind is not Kind.LOOK_UP}


def _services(search: StoredSearch) -> Iterator[str]:
    yield from search.strings
    for run in search.runs:
        yield from (*run.found, *run.taken, *run.problems)


def _unknown_levels(state: ProjectState) -> Iterator[str]:
    """Where the document names a level of risk of bias that no tool has.

    Deleted records, and those of a tool that the project no longer has, may name levels of former scales.
    """
    tools = known_tools() | state.project.record.tools
    known = {None, *(level for tool in tools.values() for level in tool.levels)}

    def present(saved: Saved[Any]) -> bool:
        return not saved.removed and saved.record.tool in tools

    for number, judged in enumerate(state.judgements):
        if present(judged) and not {judged.record.level, judged.record.set_level} <= known:
            yield f"judgements.{number}.record.level"
    for number, made in enumerate(state.suggestions):
        if present(made) and made.record.judgement.level not in known:
            yield f"suggestions.{number}.record.judgement.level"
    for number, settled in enumerate(state.consensus):
        if present(settled) and settled.record.level not in known:
            yield f"consensus.{number}.record.level"


def _damaged_answers(state: ProjectState) -> Iterator[str]:
    """Where the document holds an answer that cannot be read back."""
    for place, kept in enumerate(state.answers):
        try:
            searched = kept.answer.searched
        except AnswerError:
            yield f"answers.{place}.record"
        else:
            if not 0 <= searched <= _HIGHEST:
                yield f"answers.{place}.record.searched"


def _is_history(change: RecordChange) -> bool:
    """Whether the states in a change are of the record that it names."""
    kind = _KINDS[change.kind]
    states = [body for body in (change.before, change.after) if body is not None]
    read = [read_body(kind, body) for body in states]
    return all(one is not None and tuple(key_of(one).values()) == change.key for one in read)


def _twice(keys: Iterable[object]) -> bool:
    return any(number > 1 for number in Counter(keys).values())


def _moments(state: ProjectState, saved: Iterable[Saved[Any]]) -> Iterator[datetime]:
    for one in saved:
        yield from (one.changed, one.added)
    for run in state.sittings:
        yield from (run.record.started, run.record.ended)
    yield from (change.at for change in state.history)
    yield from (failure.at for failure in state.failures)
    yield from (file.added for file in state.incoming)
    yield from (answer.asked for answer in state.answers)
    yield from (one.at for one in state.retrievals)
    yield from (claim.record.contest.at for claim in state.claims if claim.record.contest)
    yield from (run.at for search in state.searches for run in search.record.runs)
    yield from (found.record.checked for found in state.notices)
    yield from (found.record.fetched for found in state.registrations)


def _is_moment(moment: datetime) -> bool:
    return moment.tzinfo is not None and moment.year in _YEARS


# A project as one JSON document that reads back to the same state.

_STATE = adapter_of(ProjectState)
_TYPES = get_type_hints(ProjectState, include_extras=True)
_REQUIRED = {one.name for one in fields(ProjectState) if one.default is MISSING and one.default_factory is MISSING}
_MANY = {name for name, kind in _TYPES.items() if get_origin(kind) is tuple}  # parts that hold any number of records
_PARTS: dict[str, TypeAdapter[Any]] = {
    name: adapter_of(get_args(kind)[0] if name in _MANY else kind) for name, kind in _TYPES.items()
}
_MOST_OF_RECORD = 100_000  # values in a record; a real one has thousands at most, as authors or decisions
_NO_PROJECT = "This is not a project that Vouch saved, or it was changed: see {}."
_DOCUMENT_TOO_LARGE = "This document holds more than a review can. Ask for another copy."


def project_to_json(state: ProjectState) -> str:
    """The document: the same state always gives the same text. Files are in base64."""
    return _STATE.dump_json(state, indent=1).decode()


def project_from_json(text: str | bytes) -> ProjectState:
    """The state that a document holds. Raises `DamagedProject` if it is not as `project_to_json` writes it.

    Raises `NewerStore` if a newer Vouch wrote it.
    """
    return checked(read_document(text))


def read_document(text: str | bytes, values: ValueLimits = VALUE_LIMITS) -> ProjectState:
    """The state that a document holds, not yet checked for consistency."""
    try:
        document = parsed(text, values)
    except TooManyValues:
        raise DamagedProject(_DOCUMENT_TOO_LARGE) from None
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise DamagedProject(_NO_PROJECT.format("its start"))
    for name in _PARTS:  # in order, so that the error names the first missing part
        if name in _REQUIRED and name not in document:
            raise DamagedProject(_NO_PROJECT.format(name))
    try:
        brought_up_to_date(document)
    except (LookupError, TypeError, AttributeError):
        raise DamagedProject(_NO_PROJECT.format("its judgements")) from None
    state = ProjectState(**{name: _part(name, document.pop(name)) for name in _PARTS if name in document})
    if state.format > FORMAT:
        raise NewerStore("A newer version of Vouch wrote this project: update Vouch on this machine to open it.")
    return state


def _part(name: str, values: object) -> Any:
    """A part of the document, checked record by record, so that reading stops at the first wrong one."""
    if name not in _MANY:
        return _read(values, name, name)
    if not isinstance(values, list):
        raise DamagedProject(_NO_PROJECT.format(name))
    return tuple(_read(one, name, f"{name}.{number}") for number, one in enumerate(values))


def _read(value: object, name: str, place: str) -> object:
    if holds_more(value, _MOST_OF_RECORD):
        raise DamagedProject(_DOCUMENT_TOO_LARGE)
    try:
        return _PARTS[name].validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]["loc"]
        raise DamagedProject(_NO_PROJECT.format(".".join(map(str, (place, *first))))) from None


# A whole project as one file: its document and, if wanted, the files of its papers.
#
# It is a ZIP, so that the files of hundreds of papers need not be in one JSON text. Equal projects give equal bytes.

_DOCUMENT = "project.json"
_FILES = "files/"
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest date a ZIP allows, so that equal projects give equal bytes
_DAMAGED = (zipfile.BadZipFile, zlib.error, KeyError, NotImplementedError, RuntimeError, EOFError, ValueError)
_WAYS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # compression methods; others may unpack to any size at once
_LEVEL = 6  # of compression
_END, _ELSEWHERE = 22, 0xFFFF  # bytes of the end record; its count in a ZIP64 archive
_NO_FILE = (
    "This project is larger than a .vouch file can be. To take it to another computer, close Vouch and copy "
    "its database, which the list of all projects names; or let both computers use one PostgreSQL database."
)
_FILE_TOO_LARGE = "This file would unpack to more than a review can hold. Ask for another copy."


@dataclass(frozen=True, slots=True)
class FileLimits:
    """How much a project file may unpack to, in bytes."""

    total: int = 4_000_000_000
    entry: int = 500_000_000
    document: int = 1_000_000_000  # about 80,000 references with their abstracts
    free: int = 10_000_000  # unpacked bytes allowed at any ratio, on top of `ratio` times the packed size
    ratio: int = 100
    piece: int = 1_000_000  # compressed at a time, to measure the ratio
    values: ValueLimits = VALUE_LIMITS

    def unpacked(self, packed: int) -> int:
        """The largest size that so many packed bytes may unpack to."""
        return self.free + self.ratio * packed


FILE_LIMITS = FileLimits()


def project_to_file(state: ProjectState, limits: FileLimits = FILE_LIMITS) -> bytes:
    """The file, which `project_from_file` opens. It holds the papers' own files if `state.files` does.

    Raises `NotStorable` if it would be too large to be opened again.
    """
    document = project_to_json(replace(state, files={})).encode()
    if len(document) > limits.document or not limits.values.allow(document):
        raise NotStorable(_NO_FILE)
    sizes = [len(body) for body in state.files.values()]
    if max(sizes, default=0) > limits.entry or len(document) + sum(sizes) > limits.total:
        raise NotStorable(
            "The papers' files are larger than a .vouch file can be. Take the project without them, on its page."
        )
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        _put(archive, _DOCUMENT, document, limits)
        for digest in sorted(state.files):
            _put(archive, f"{_FILES}{digest}", state.files[digest], limits)
    return made.getvalue()


def project_from_file(data: bytes, limits: FileLimits = FILE_LIMITS) -> ProjectState:
    """The project in a file of `project_to_file` or in a JSON document. Raises `DamagedProject` or `NewerStore`."""
    if not data.startswith(b"PK"):
        return checked(read_document(data, limits.values))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if len(archive.infolist()) != _entries(data, archive):
                raise zipfile.BadZipFile("entries are missing")
            entries = {entry.filename: entry for entry in archive.infolist()}
            names = entries.keys() - {_DOCUMENT}
            if len(entries) < len(archive.infolist()) or not all(name.startswith(_FILES) for name in names):
                raise DamagedProject("This file holds something that no project of Vouch does. Ask for another copy.")
            left = min(limits.total, limits.unpacked(len(data)))
            unpacked: dict[str, bytes] = {}
            for name in (_DOCUMENT, *sorted(names)):
                unpacked[name] = _unpacked(archive, entries[name], left, limits)
                left -= len(unpacked[name])
    except _DAMAGED as error:
        raise DamagedProject(f"This is no project that Vouch saved, or it was changed ({error}).") from None
    state = read_document(unpacked.pop(_DOCUMENT), limits.values)
    return checked(replace(state, files={name.removeprefix(_FILES): body for name, body in unpacked.items()}))


def _entries(data: bytes, archive: zipfile.ZipFile) -> int:
    """How many entries the end of an archive declares (APPNOTE.TXT, 4.3.16). Python reads fewer of a damaged one.

    A ZIP64 archive declares the number elsewhere: for it, the number of entries that were read is returned.
    """
    end = len(data) - len(archive.comment) - _END
    told = int.from_bytes(data[end + 10 : end + 12], "little")
    return len(archive.infolist()) if told == _ELSEWHERE else told


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, left: int, limits: FileLimits) -> bytes:
    """The bytes of an entry. Its declared size is not trusted, so unpacking stops at the limit.

    Raises `DamagedProject` if there are more.
    """
    most_of_one = limits.document if entry.filename == _DOCUMENT else limits.entry
    most = min(left, most_of_one, limits.unpacked(entry.compress_size))
    if entry.compress_type not in _WAYS:
        raise DamagedProject("This file is packed in a way that Vouch does not use. Ask for another copy.")
    if entry.file_size > most:
        raise DamagedProject(_FILE_TOO_LARGE)
    with archive.open(entry) as stream:
        found = stream.read(most + 1)
        if len(found) > most:
            raise DamagedProject(_FILE_TOO_LARGE)
    return found


def _put(archive: zipfile.ZipFile, name: str, data: bytes, limits: FileLimits) -> None:
    """Add an entry, uncompressed if it would compress so well that it would be refused as a ZIP bomb on opening."""
    entry = zipfile.ZipInfo(name, _LONG_AGO)
    entry.compress_type = zipfile.ZIP_STORED if _packs_too_well(data, limits) else zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data, compresslevel=_LEVEL)


def _packs_too_well(data: bytes, limits: FileLimits) -> bool:
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    most, size = len(data) // limits.ratio, 0
    for start in range(0, len(data), limits.piece):
        size += len(packer.compress(data[start : start + limits.piece]))
        if size > most:
            return False
    return size + len(packer.flush()) < most
