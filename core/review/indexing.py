"""The library of a project, or of all that is kept: which papers it lacks, and the part of the queue that adds them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock

from filelock import BaseFileLock, FileLock, Timeout

from core.errors import LibraryError
from core.library.index import Library, drop_library, open_library
from core.library.indexing import index, indexing_pool
from core.paper import Paper
from core.progress import Progress, silent
from core.review.intake import QUEUE
from core.settings import Settings
from core.store import Store, StoredPaper, StoreReader
from core.store.items import paper_of
from core.text.similarity import Embedder

FEW = 20  # up to so many papers are indexed in this process; for more, it is worth starting others
_EARLIER_OF_ALL = "all-projects"  # what an older Vouch called the library of all projects
_CHANGING: dict[str, Lock] = {}  # by library that is not in a folder: one writer at a time


@dataclass(frozen=True, slots=True)
class ProjectLibrary:
    """The library that a project's questions search: of its papers, or of those of all projects of the store."""

    library: Library
    projects: tuple[str, ...]

    def missing(self, now: StoreReader) -> list[StoredPaper]:
        """The papers that are not indexed, or were indexed by an older Vouch, by name."""
        here = self._here(now)
        indexed = self.library.indexed()
        return sorted((one for id, one in here.items() if id not in indexed), key=lambda one: one.name)

    def take_out_gone(self, now: StoreReader) -> None:
        """Remove papers that are in none of the projects any more. Raises `LibraryError`."""
        here = self._here(now)
        self.library.remove({paper.id for paper in self.library.papers()} - here.keys())

    def add(
        self,
        store: Store,
        papers: Sequence[StoredPaper],
        *,
        workers: int = 1,
        cluster: str | None = None,
        progress: Progress = silent,
    ) -> None:
        """Index these papers, many of them in `workers` processes or on a Dask cluster. Skips those without a text."""
        with self.alone(progress):
            if len(papers) <= FEW or (workers == 1 and cluster is None):
                self.library.add(texts(store, papers), progress=progress, count=len(papers))
                return
            with indexing_pool(workers, cluster) as pool:
                index(texts(store, papers), self.library, pool, progress=progress, count=len(papers))

    def unread(self, store: Store) -> list[StoredPaper]:
        """The papers that cannot be indexed, because neither their text nor their file is kept."""
        with store.reading() as now:
            missing = self.missing(now)
        return [one for one in missing if text_of(one, store) is None]

    def alone(self, progress: Progress = silent) -> _Alone:
        """A lock that keeps others on this machine from indexing. `progress` is called while waiting, and may raise.

        A library in an object storage has no file to lock, so there the lock holds only within this process.
        """
        if self.library.folder is not None:
            return _Alone(FileLock(self.library.folder / f"{self.library.name}.lock"), progress)
        return _Alone(_CHANGING.setdefault(self.library.name, Lock()), progress)

    def _here(self, now: StoreReader) -> dict[str, StoredPaper]:
        return {saved.record.id: saved.record for one in self.projects for saved in now.stored_papers(one)}


def project_library(
    now: StoreReader, project: str | None, settings: Settings, *, everywhere: bool = False
) -> ProjectLibrary:
    """The library of a project or (`everywhere`, or None) of all that is kept, as far as it is indexed.

    The name of the library of all projects contains the store's id, because several stores may share one address.
    Raises `LibraryError`.
    """
    of_all = everywhere or project is None
    name = f"all-of-{now.identity}" if of_all else f"project-{project}"
    # The asking project comes last: for a paper that is in several, its record counts.
    others = [saved.record.id for saved in now.projects() if saved.record.id != project] if of_all else []
    library = open_library(name, Embedder.installed(settings.embeddings), settings)
    if of_all and settings.library_url is None and not library.indexed():  # it is new, so it replaces an older Vouch's
        drop_library(_EARLIER_OF_ALL, settings)
    return ProjectLibrary(library, (*others, *filter(None, (project,))))


def texts(store: Store, papers: Sequence[StoredPaper]) -> Iterator[Paper]:
    """The papers as they were read, one by one; those whose text is not kept are skipped."""
    return filter(None, (text_of(record, store) for record in papers))


def text_of(record: StoredPaper, store: Store) -> Paper | None:
    """A paper as it was read, or read again from its file; None if neither is kept."""
    with store.reading() as now:
        paper = now.text(record.project, record.id)
        data = now.file(record.project, record.file) if paper is None and record.file else None
    return paper_of(record, data) if paper is None and data is not None else paper


def index_wanted(
    store: Store,
    project: str,
    settings: Settings,
    told: Callable[[int, int], bool],
    *,
    workers: int = 1,
    cluster: str | None = None,
) -> int:
    """Index what the library of a project lacks, if somebody asked for it, until `told` says to stop. Returns how many.

    Uses `workers` processes, or the workers of a Dask cluster. Papers are saved one by one and the store keeps how many
    are left, so that a paused or killed queue resumes with what is missing. Raises `LibraryError` and `NoCluster`.
    """
    with store.reading() as now:
        wanted = now.queue.to_index(project)
        if not wanted:
            return 0
        of_project = project_library(now, project, settings)

    def waits(done: float, step: str) -> None:
        told(0, wanted)  # it may raise, to end the wait

    with of_project.alone(waits):
        return _index_missing(store, project, of_project, told, workers=workers, cluster=cluster)


def _index_missing(
    store: Store,
    project: str,
    of_project: ProjectLibrary,
    told: Callable[[int, int], bool],
    *,
    workers: int,
    cluster: str | None,
) -> int:
    with store.reading() as now:
        of_project.take_out_gone(now)
        missing = of_project.missing(now)
    before, known, stopped, ended = len(missing), -1, False, False

    def waiting() -> Iterator[Paper]:
        for paper in texts(store, missing):
            if stopped:
                return
            yield paper

    def progress(done: float, step: str) -> None:
        nonlocal stopped, known
        number = round(done * before)
        if number > known:
            known = number
            _note_left(store, project, before - number)
        stopped = stopped or not told(number, before)

    try:
        with indexing_pool(workers, cluster) as pool:
            index(waiting(), of_project.library, pool, progress=progress, count=before)
        ended = not stopped
    finally:
        with store.reading() as now:
            left = len(of_project.missing(now))
        _note_left(store, project, 0 if ended else left)
    return before - left


def _note_left(store: Store, project: str, papers: int) -> None:
    with store.writing(QUEUE) as change:
        if change.queue.to_index(project) != papers:
            change.queue.want_indexed(project, papers)


class _Alone:
    """A lock whose waiting can be interrupted, by a `progress` that raises."""

    def __init__(self, lock: Lock | BaseFileLock, progress: Progress) -> None:
        self._lock, self._progress = lock, progress

    def __enter__(self) -> None:
        while not self._acquired():
            self._progress(0.0, "Waiting for another window, which is indexing papers")

    def _acquired(self) -> bool:
        try:
            return bool(self._lock.acquire(timeout=0.5))
        except Timeout:
            return False
        except OSError as error:
            raise LibraryError(
                f"The library cannot be locked ({error.strerror}). Check VOUCH_LIBRARY_URL, or the folder “library” in VOUCH_HOME, "
                "and its permissions."
            ) from error

    def __exit__(self, *_: object) -> None:
        self._lock.release()
