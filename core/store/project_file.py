"""A whole project as one file: its document, and beside it, where they are wanted, the files of its papers.

A ZIP, so that hundreds of papers need not go through one JSON text. The same project gives the same bytes.
"""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import replace

from core.errors import DamagedProject
from core.store.document import checked, project_from_json, project_to_json
from core.store.model import ProjectState

_DOCUMENT = "project.json"
_FILES = "files/"
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest moment that a ZIP can name: when it was written is in the history
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError),  # OSError: what bz2 raises
    *(KeyError, NotImplementedError, RuntimeError, EOFError, ValueError),
)
_MOST = 8_000_000_000  # bytes that are unpacked: more is no review


def project_to_file(state: ProjectState) -> bytes:
    """The file. The papers' own files are in it where `state.files` holds them."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        _put(archive, _DOCUMENT, project_to_json(replace(state, files={})).encode())
        for digest in sorted(state.files):
            _put(archive, f"{_FILES}{digest}", state.files[digest])
    return made.getvalue()


def project_from_file(data: bytes) -> ProjectState:
    """The project in a file of `project_to_file`, or in a JSON document. Raises `DamagedProject` or `NewerStore`."""
    if not data.startswith(b"PK"):
        return project_from_json(data)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > _MOST:
                raise DamagedProject("This file would unpack to more than a review can hold. Ask for another copy.")
            state = project_from_json(archive.read(_DOCUMENT))
            names = [name for name in archive.namelist() if name != _DOCUMENT]
            if not all(name.startswith(_FILES) for name in names):
                raise DamagedProject("This file holds something that no project of Vouch does. Ask for another copy.")
            files: Mapping[str, bytes] = {name.removeprefix(_FILES): archive.read(name) for name in names}
    except _DAMAGED as error:
        raise DamagedProject(f"This is no project that Vouch saved, or it was changed ({error}).") from None
    return checked(replace(state, files=files))


def _put(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _LONG_AGO)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data)
