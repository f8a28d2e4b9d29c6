"""Index papers with workers: each reads, cuts and encodes single papers, and one process writes the results."""

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
    """A file that the worker reads before it encodes it."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that cannot be read as a paper, and why."""

    name: str
    why: str


ToIndex = Paper | PaperFile
Indexed = EncodedPaper | Unreadable


def encode_one(paper: ToIndex, progress: Progress = silent) -> Indexed:
    """Read and encode one paper; workers run this."""
    progress(0.0, paper.name)
    try:
        read = read_paper(paper.content, name=paper.name) if isinstance(paper, PaperFile) else paper
    except PaperError as error:
        return Unreadable(paper.name, str(error))
    return encoded([read], _embedder())[0]


def indexing_pool(workers: int = 1, cluster: str | None = None) -> WorkerPool[ToIndex, Indexed]:
    """Processes on this machine, or workers of the Dask scheduler at this address.

    Raises `NoCluster` if none answers.
    """
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
    """Add papers that the library lacks, encoded by the pool. Returns those that cannot be read.

    `count` is the number of papers, for the progress; raising from `progress` cancels. Papers are saved a few at a
    time: those that are saved before a cancel or a kill stay, and the next run continues with the missing ones. Raises
    `LibraryError` if the database fails.
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
        save(0)  # so that encoded papers are not lost if it is cancelled
        if saved:
            library.tidy()
    return unread


@once_per_process
def _embedder() -> Embedder:
    return Embedder.installed(load_settings().embeddings)
