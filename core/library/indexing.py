"""Papers indexed by workers: they read, cut and encode, each paper by itself; one process writes what they bring."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from core.errors import PaperError
from core.library.encoding import EncodedPaper, encoded
from core.library.index import AT_ONCE, Library
from core.paper import Paper, read_paper
from core.progress import Progress, silent
from core.settings import load_settings
from core.text.similarity import Embedder
from core.work.identity import fingerprint
from core.work.pools import ProcessWorkers, WorkerPool, once_per_process, work_through


@dataclass(frozen=True, slots=True)
class PaperFile:
    """A file that is to be read where it is encoded."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that is no paper, and why."""

    name: str
    why: str


ToIndex = Paper | PaperFile
Indexed = EncodedPaper | Unreadable


def encode_one(paper: ToIndex, progress: Progress = silent) -> Indexed:
    """What a worker does."""
    progress(0.0, paper.name)
    try:
        read = read_paper(paper.content, name=paper.name) if isinstance(paper, PaperFile) else paper
    except PaperError as error:
        return Unreadable(paper.name, str(error))
    return encoded([read], _embedder())[0]


def indexing_pool(workers: int = 1, cluster: str | None = None) -> WorkerPool[ToIndex, Indexed]:
    """Processes of this machine, or the workers of a Dask scheduler at this address. Raises `NoCluster`."""
    if cluster is None:
        return ProcessWorkers(encode_one, workers=workers, in_background=True)
    from core.work.cluster import ClusterWorkers  # loads Dask  # noqa: PLC0415

    return ClusterWorkers(
        encode_one, cluster, fingerprint=partial(fingerprint, ("answers",)), lost=partial(Unreadable, "a paper")
    )


def index(
    papers: Iterable[ToIndex],
    library: Library,
    pool: WorkerPool[ToIndex, Indexed],
    *,
    progress: Progress = silent,
    count: int = 0,
) -> list[Unreadable]:
    """Take in papers that the library lacks, encoded by the pool. Returns those that cannot be read.

    `count`: how many papers come, for the progress, which cancels by raising. Papers are saved a few at a time: what is
    saved before it is cancelled or killed stays, and the next run begins with what is missing. Raises `LibraryError`.
    """
    there = library.indexed()
    unread: list[Unreadable] = []
    waiting: list[EncodedPaper] = []
    done = saved = 0

    def jobs() -> Iterator[tuple[str, ToIndex]]:
        for paper in papers:
            if not (isinstance(paper, Paper) and paper.id in there):
                yield paper.name, paper

    def keep(name: str, made: Indexed) -> None:
        nonlocal done
        done += 1
        if isinstance(made, Unreadable):
            unread.append(Unreadable(name, made.why))
        elif made.paper.id not in there:
            there.add(made.paper.id)
            waiting.append(made)
            save(AT_ONCE - 1)

    def save(most: int) -> None:
        nonlocal saved
        if len(waiting) > most:
            library.put(waiting)
            saved += len(waiting)
            waiting.clear()

    def report() -> None:
        progress(min(1.0, done / max(count, done, 1)), f"Indexing papers ({done:,} of {max(count, done):,})")

    try:
        work_through(jobs(), pool, keep=keep, report=report)
    finally:
        save(0)  # what is encoded is not lost to a cancel
        if saved:
            library.tidy()
    return unread


@once_per_process
def _embedder() -> Embedder:
    return Embedder.installed(load_settings().embeddings)
