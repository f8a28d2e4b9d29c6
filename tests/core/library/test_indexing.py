"""Papers indexed by workers: what is killed, cancelled or paused on the way goes on, and nothing is lost or there twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from core.library import Library, SearchMethod, open_library, passages_of
from core.library.encoding import EncodedPaper, encoded
from core.library.indexing import PaperFile, encode_one, index, indexing_pool
from core.paper import Paper, read_paper
from core.settings import Settings
from core.text.similarity import Embedder
from core.work.pools import ThreadWorkers
from run import ROOT
from tests.core.review.papers import trial

REAL = ("leg-cramps.xml", "pharmacy-ecg-screening.md", "stair-climbing.tei.xml")


def files(short: int = 0) -> list[PaperFile]:
    """Real papers, and so many short ones."""
    found = [PaperFile(name, (ROOT / "sample_data" / name).read_bytes()) for name in REAL]
    return found + [PaperFile(f"trial-{number:02}.md", trial(number)) for number in range(short)]


@pytest.fixture(scope="module")
def papers() -> list[Paper]:
    return [read_paper(one.content, name=one.name) for one in files()]


@pytest.fixture(scope="module")
def made(papers: Sequence[Paper], embedder: Embedder) -> list[EncodedPaper]:
    return encoded(papers, embedder)


@pytest.fixture
def library(tmp_path: Path, embedder: Embedder) -> Library:
    return open_library("papers", embedder, Settings(tmp_path, None))


def holds(library: Library, papers: Sequence[Paper]) -> None:
    """All passages of these papers are there, each once, and nothing else."""
    wanted = sorted(passage.id for paper in papers for passage in passages_of(paper))
    found = library.search("the", method=SearchMethod.MEANING, depth=10 * len(wanted))
    assert sorted(one.passage.id for one in found) == wanted
    assert len(library) == len(wanted)
    assert [one.id for one in library.papers()] == [one.id for one in sorted(papers, key=lambda one: one.name)]


@pytest.mark.slow
def test_workers_index_files_and_papers_once_and_tell_what_they_cannot_read(
    library: Library, papers: Sequence[Paper]
) -> None:
    told: list[float] = []
    broken = PaperFile("cut-off.pdf", b"%PDF-1.7\n1 0 obj\n<<")
    with ThreadWorkers(encode_one) as pool:
        unread = index(
            [papers[0], *files(), broken], library, pool, progress=lambda done, step: told.append(done), count=5
        )
        assert [one.name for one in unread] == ["cut-off.pdf"]
        assert unread[0].why
        holds(library, papers)
        assert told == sorted(told)
        assert index(papers, library, pool) == [], "nothing is done again"
    holds(library, papers)
    assert library.search("magnesium leg cramps", method=SearchMethod.WORDS)[0].passage.paper == papers[0].id


@pytest.mark.slow
def test_what_is_encoded_is_kept_when_it_is_cancelled(library: Library, papers: Sequence[Paper]) -> None:
    def cancel(done: float, step: str) -> None:
        if done > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), ThreadWorkers(encode_one) as pool:
        index(papers, library, pool, progress=cancel, count=len(papers))
    assert 0 < len(library.papers()) < len(papers)
    with ThreadWorkers(encode_one) as pool:
        index(papers, library, pool)
    holds(library, papers)


STEPS = ("_papers.delete", "_passages.delete", "_passages.add", "_papers.add")


@pytest.mark.parametrize(("step", "after"), [(step, after) for step in STEPS for after in (False, True)])
def test_ended_at_any_step_of_a_change_it_is_made_whole_again(
    library: Library, made: list[EncodedPaper], papers: Sequence[Paper], step: str, after: bool
) -> None:
    library.put(made[:2])
    table, method = step.split(".")
    real = getattr(getattr(library, table), method)

    def ends(*what: Any) -> None:
        if after:
            real(*what)
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(getattr(library, table), method, ends)
        with pytest.raises(KeyboardInterrupt):
            library.put(made)
    there = library.indexed()
    library.put([one for one in made if one.paper.id not in there])
    holds(library, papers)


KILLED = """
import sys
from pathlib import Path
import core.library.indexing as indexing
from core.library import open_library
from core.settings import Settings
from core.text.similarity import Embedder
from core.work.pools import ThreadWorkers
from tests.core.library.test_indexing import files
indexing.AT_ONCE = 2
home = Path(sys.argv[1])
def said(done, step):
    print(step, flush=True)
if __name__ == "__main__":
    library = open_library("papers", Embedder.installed(home / "vectors"), Settings(home, None))
    with ThreadWorkers(indexing.encode_one) as pool:
        indexing.index(files(9), library, pool, progress=said, count=12)
"""


@pytest.mark.slow
@pytest.mark.repetition("done", "later")  # the start of a process takes most of it
@pytest.mark.parametrize(("done", "later"), [(5, 0.0), (4, 0.03), (7, 0.1)])
def test_killed_while_workers_index_it_goes_on_and_nothing_is_there_twice(
    tmp_path: Path, embedder: Embedder, done: int, later: float
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    for line in process.stdout:
        if f"({done} of" in line:
            break
    time.sleep(later)
    process.send_signal(signal.SIGKILL)
    process.wait()
    library = open_library("papers", embedder, Settings(tmp_path, None))
    assert 0 < len(library.papers()) < 12
    with ThreadWorkers(encode_one) as pool:
        index(files(9), library, pool)
    holds(library, [read_paper(one.content, name=one.name) for one in files(9)])


@pytest.mark.slow
def test_a_cluster_indexes(library: Library, papers: Sequence[Paper]) -> None:
    """Its worker is a thread here, for a process would take most of its time to start: what is sent to it is the same."""
    from distributed import LocalCluster

    quiet = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": False}
    with (
        LocalCluster(processes=False, protocol="tcp://", host="127.0.0.1", **quiet) as cluster,
        indexing_pool(cluster=cluster.scheduler_address) as pool,
    ):
        assert index(files(), library, pool) == []
    holds(library, papers)
