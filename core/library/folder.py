"""Use a folder of papers as a library: new and changed files are added, and deleted ones are removed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from core.errors import QueryError, VouchError
from core.library.index import Library, open_library
from core.library.indexing import PaperFile, index, indexing_pool
from core.paper import Paper, read_paper
from core.progress import Progress, silent
from core.settings import Settings, load_settings
from core.text.similarity import Embedder

PAPER_SUFFIXES = frozenset({".xml", ".nxml", ".pdf", ".md", ".txt", ".json"})


@dataclass(frozen=True, slots=True)
class FolderLibrary:
    """A folder's library, and the files that could not be read."""

    library: Library
    failures: tuple[str, ...]  # per file, its path and one sentence


def library_of_folder(
    folder: Path,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Progress = silent,
    settings: Settings | None = None,
) -> FolderLibrary:
    """The folder's library, brought up to date. A file is read and indexed only once.

    `workers` is a number of processes, and `cluster` the address of a Dask scheduler, that index instead of this
    process. Raises `QueryError` if it is not a folder or holds no paper, `LibraryError` if the index fails, and
    `NoCluster` if no scheduler answers.
    """
    if not folder.is_dir():
        raise QueryError(f"“{folder}” is no folder. Name the folder that holds the papers.")
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in PAPER_SUFFIXES and path.is_file())
    if not files:
        raise QueryError(f"“{folder}” holds no paper. Put PDF, XML, Markdown or text files into it.")
    settings = settings or load_settings()
    name = "folder-" + sha256(str(folder.resolve()).encode()).hexdigest()[:16]
    library = open_library(name, Embedder.installed(settings.embeddings), settings)
    indexed = {paper.id for paper in library.papers()}
    known = indexed - {paper.id for paper in library.stale()}
    failures: list[str] = []
    contents = {path: id for path in files if (id := _id(path, failures)) is not None}
    library.remove(indexed - set(contents.values()))
    new = {id: path for path, id in contents.items() if id not in known}
    if workers is None and cluster is None:
        library.add(_read(new.values(), folder, failures), progress=progress, count=len(new))
    elif new:
        waiting = (
            PaperFile(path.relative_to(folder).as_posix(), content)
            for path in new.values()
            if (content := _content(path, failures)) is not None
        )
        with indexing_pool(workers or 1, cluster) as pool:
            unread = index(waiting, library, pool, progress=progress, count=len(new))
        failures += [f"{folder / one.name}: {one.why}" for one in unread]
    return FolderLibrary(library, tuple(sorted(failures)))


def _id(path: Path, failures: list[str]) -> str | None:
    """The `Paper.id` of a file; None if it cannot be opened, and `failures` then says why."""
    content = _content(path, failures)
    return None if content is None else sha256(content).hexdigest()


def _content(path: Path, failures: list[str]) -> bytes | None:
    """The content of a file; None if it cannot be opened (any more), and `failures` then says why."""
    try:
        return path.read_bytes()
    except OSError as error:
        failures.append(f"{path}: It cannot be opened ({error.strerror}). Check the path and its permissions.")
        return None


def _read(files: Iterable[Path], folder: Path, failures: list[str]) -> Iterator[Paper]:
    """Read the papers one by one, because thousands would not fit into memory."""
    for path in files:
        if (content := _content(path, failures)) is None:
            continue
        try:
            paper = read_paper(content, name=path.relative_to(folder).as_posix())
        except VouchError as error:
            failures.append(f"{path}: {error}")
        else:
            yield paper
