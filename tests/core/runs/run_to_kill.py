"""A run in a process of its own, which may be killed; and the data for it."""

from __future__ import annotations

import contextlib
import io
import os
import time
from pathlib import Path

from tests.core.benchmarks.evidencebench_records import POOL, encoded, record

TASK = "evidencebench/er@optimal"
ITEMS = 40


def write_data(folder: Path, items: int = ITEMS, *, sentences: int = 0) -> Path:
    """A file of so many records, each on a paper of its own, with so many more sentences; the scores differ."""
    path = folder / "evidencebench_test.json"
    more = [f"Cup {number} was filled with green tea for {number % 7} minutes." for number in range(sentences)]
    texts = [text for _, text in POOL]
    records = {}
    for number in range(items):
        words = ("Tea", "Adults", "minutes", "study")[number % 4]
        pool = [*texts[:-2], f"Nobody left the study of centre {number}.", texts[-1], *more]
        kinds = [*(kind for kind, _ in POOL), *("normal_paragraph" for _ in more)]
        records[f"item-{number}"] = record(
            hypothesis=f"{words} {number}", paper_as_candidate_pool=pool, sentence_types_in_candidate_pool=kinds
        )
    path.write_bytes(encoded(records))
    return path


def sit(home: Path, data: Path, *options: str) -> None:
    """`bench --save` with bm25, to its end. What is computed is first noted in a file, hypothesis by hypothesis."""
    os.environ["VOUCH_HOME"] = str(home)
    from core.__main__ import main
    from core.evidence.baselines import Bm25Engine

    find = Bm25Engine.find

    def noting(self, paper, query, **others):
        with (home / "computed").open("a") as log:
            log.write(f"item-{query.hypothesis.split()[1]}\n")
        time.sleep(0.01)  # so that most kills come while there is work in hand
        return find(self, paper, query, **others)

    Bm25Engine.find = noting
    with contextlib.redirect_stdout(io.StringIO()):
        status = main(["bench", TASK, "--data", str(data), "--engine", "bm25", "--save", *options])
    os._exit(status)


def computed(home: Path) -> list[str]:
    """The items that were computed so far, some perhaps twice."""
    log = home / "computed"
    return log.read_text().split() if log.exists() else []
