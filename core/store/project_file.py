"""A whole project as one file: its document, and beside it, where they are wanted, the files of its papers.

A ZIP, so that hundreds of papers need not go through one JSON text. The same project gives the same bytes.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import replace

from core.errors import DamagedProject, NotStorable
from core.store.checking import checked
from core.store.document import project_from_json, project_to_json, read_document
from core.store.model import ProjectState
from core.untrusted_json import has_too_many_values

_DOCUMENT = "project.json"
_FILES = "files/"
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest moment that a ZIP can name: when it was written is in the history
_DAMAGED = (zipfile.BadZipFile, zlib.error, KeyError, NotImplementedError, RuntimeError, EOFError, ValueError)
_WAYS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # of packing: others unpack to any size at once
_MOST, _MOST_OF_ONE = 4_000_000_000, 500_000_000  # bytes that are unpacked, together and of one entry
_MOST_OF_DOCUMENT = 1_000_000_000  # about 80,000 references with their abstracts
_FREE, _RATIO = (
    10_000_000,
    100,
)  # bytes that may be any number of times what they were packed in; and times of all beyond
_LEVEL, _PIECE = 6, 1_000_000  # of packing; bytes that are packed at once to see how well they do
_END, _ELSEWHERE = 22, 0xFFFF  # bytes of an archive's end; a number in it that stands elsewhere
_NO_FILE = (
    "This project is larger than a .vouch file can be. To take it to another computer, close Vouch and copy "
    "its database, which the list of all projects names; or let both computers use one PostgreSQL database."
)
_TOO_MUCH = "This file would unpack to more than a review can hold. Ask for another copy."


def project_to_file(state: ProjectState) -> bytes:
    """The file, which `project_from_file` opens. The papers' own files are in it where `state.files` holds them.

    Raises `NotStorable` where it would be larger than is opened.
    """
    document = project_to_json(replace(state, files={})).encode()
    if len(document) > _MOST_OF_DOCUMENT or has_too_many_values(document):
        raise NotStorable(_NO_FILE)
    sizes = [len(body) for body in state.files.values()]
    if max(sizes, default=0) > _MOST_OF_ONE or len(document) + sum(sizes) > _MOST:
        raise NotStorable(
            "The papers' files are larger than a .vouch file can be. Take the project without them, on its page."
        )
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        _put(archive, _DOCUMENT, document)
        for digest in sorted(state.files):
            _put(archive, f"{_FILES}{digest}", state.files[digest])
    return made.getvalue()


def project_from_file(data: bytes) -> ProjectState:
    """The project in a file of `project_to_file`, or in a JSON document. Raises `DamagedProject` or `NewerStore`."""
    if not data.startswith(b"PK"):
        return project_from_json(data)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if len(archive.infolist()) != _entries(data, archive):
                raise zipfile.BadZipFile("entries are missing")
            entries = {entry.filename: entry for entry in archive.infolist()}
            names = entries.keys() - {_DOCUMENT}
            if len(entries) < len(archive.infolist()) or not all(name.startswith(_FILES) for name in names):
                raise DamagedProject("This file holds something that no project of Vouch does. Ask for another copy.")
            left = min(_MOST, _FREE + _RATIO * len(data))
            unpacked: dict[str, bytes] = {}
            for name in (_DOCUMENT, *sorted(names)):
                unpacked[name] = _unpacked(archive, entries[name], left)
                left -= len(unpacked[name])
    except _DAMAGED as error:
        raise DamagedProject(f"This is no project that Vouch saved, or it was changed ({error}).") from None
    state = read_document(unpacked.pop(_DOCUMENT))
    return checked(replace(state, files={name.removeprefix(_FILES): body for name, body in unpacked.items()}))


def _entries(data: bytes, archive: zipfile.ZipFile) -> int:
    """How many entries the end of an archive tells of (APPNOTE.TXT, 4.3.16): Python reads fewer of a damaged one.

    One of the large kind, which tells it elsewhere, has as many as were read.
    """
    end = len(data) - len(archive.comment) - _END
    told = int.from_bytes(data[end + 10 : end + 12], "little")
    return len(archive.infolist()) if told == _ELSEWHERE else told


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, left: int) -> bytes:
    """The bytes of an entry, of which no more is unpacked than may be: what it says of its size is not believed.

    Raises `DamagedProject` if there are more.
    """
    most_of_one = _MOST_OF_DOCUMENT if entry.filename == _DOCUMENT else _MOST_OF_ONE
    most = min(left, most_of_one, _FREE + _RATIO * entry.compress_size)
    if entry.compress_type not in _WAYS:
        raise DamagedProject("This file is packed in a way that Vouch does not use. Ask for another copy.")
    if entry.file_size > most:
        raise DamagedProject(_TOO_MUCH)
    with archive.open(entry) as stream:
        found = stream.read(most + 1)
        if len(found) > most:
            raise DamagedProject(_TOO_MUCH)
    return found


def _put(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """Add an entry: packed, or as it is where it would be taken for a bomb when it is opened."""
    entry = zipfile.ZipInfo(name, _LONG_AGO)
    entry.compress_type = zipfile.ZIP_STORED if _packs_too_well(data) else zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data, compresslevel=_LEVEL)


def _packs_too_well(data: bytes) -> bool:
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    most, size = len(data) // _RATIO, 0
    for start in range(0, len(data), _PIECE):
        size += len(packer.compress(data[start : start + _PIECE]))
        if size > most:
            return False
    return size + len(packer.flush()) < most
