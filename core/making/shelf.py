"""A folder of papers, which are found by DOI, PMC number, PMID or file name, and their licences."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import DatasetError, PaperError
from core.paper import Paper
from core.paper.identifiers import bare_doi, bare_pmid
from core.paper.jats_citing import bare_pmcid, licence_in
from core.paper.read import read_paper

NOT_THERE = "its full text is not in the folder of papers"
NO_LICENCE = "its licence does not allow it, or is not told"
CANNOT_BE_READ = "its full text cannot be read"
_HEAD = 65_536  # bytes at the beginning of a file that are searched for the article's identifiers
_OWN_ID = re.compile(rb"<article-id[^>]*pub-id-type=\"(doi|pmid|pmcid|pmc)\"[^>]*>([^<]+)<")
_XML = {".xml", ".nxml", ".jats"}


@dataclass(frozen=True, slots=True)
class Shelved:
    """A paper from the folder."""

    id: str  # the identifier it was found by, which the published layout uses
    key: str  # identifies the paper, whichever of its identifiers was used to find it
    paper: Paper
    licence: str | None


class Shelf:
    """A folder of papers. Only their names are kept in memory."""

    def __init__(self, folder: Path) -> None:
        """Raises `DatasetError` if there is no such folder, or it is empty."""
        if not folder.is_dir():
            raise DatasetError(f"“{folder}” is no folder. Name the folder of the cited papers with --papers.")
        self._files: dict[str, Path] = {}
        self._keys: dict[
            str, str
        ] = {}  # identifier -> the paper's main identifier; files that share an identifier are the same paper
        listing = hashlib.sha256()
        for file in sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith(".")):
            ids = _ids(file)
            key = next((self._keys[id] for id in ids if id in self._keys), ids[-1])
            for id in ids:
                self._files.setdefault(id, file)
                self._keys.setdefault(id, key)
            listing.update(f"{file.name}\0{file.stat().st_size}\0".encode("utf-8", "surrogateescape"))
        self._listing = listing.hexdigest()
        if not self._files:
            raise DatasetError(f"“{folder}” holds no paper. Put the cited papers there.")

    def ids(self) -> list[str]:
        """The main identifier of each paper, in the order of files: the one in the article, or else the file's name."""
        return list(dict.fromkeys(self._keys.values()))

    def told(self, *, any_licence: bool) -> dict[str, Any]:
        """What must not change when a run on these papers is continued: names and sizes, and the rule on licences."""
        return {"set of papers": self._listing, "rule on licences": "any" if any_licence else "open"}

    def find(self, ids: Iterable[str]) -> tuple[str, Path] | None:
        """The first of these identifiers that is in the folder, and its file."""
        return next(((id, self._files[_key(id)]) for id in ids if _key(id) in self._files), None)

    def take(self, ids: Iterable[str], *, licence: str | None = None, any_licence: bool = False) -> Shelved | str:
        """The paper, or why it cannot be used. `licence` is one that is known from elsewhere."""
        found = self.find(ids)
        if found is None:
            return NOT_THERE
        id, file = found
        try:
            data = file.read_bytes()
            allowed = licence or (licence_in(data, name=file.name) if file.suffix.lower() in _XML else None)
            if allowed is None and not any_licence:
                return NO_LICENCE
            return Shelved(id, self._keys[_key(id)], read_paper(data, name=file.name), allowed)
        except PaperError as error:
            return f"{CANNOT_BE_READ}: {error}"


def _ids(file: Path) -> list[str]:
    """The file's name, which may be a DOI with `_` for `/`, and the identifiers in an XML article."""
    own = [file.stem, file.stem.replace("_", "/", 1)]
    if file.suffix.lower() in _XML:
        with file.open("rb") as stream:
            own += [text.decode("utf-8", "replace") for _, text in _OWN_ID.findall(stream.read(_HEAD))]
    return [_key(text) for text in own]


def _key(text: str) -> str:
    text = text.strip()
    return (
        bare_doi(text) or (bare_pmcid(text) if text[:3].upper() == "PMC" else None) or bare_pmid(text) or text
    ).lower()
