"""Check that a benchmark too large for memory is streamed.

A separate module, because it measures its own process's memory.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

from core.benchmarks.runner import here, run_task
from core.benchmarks.tasks import task_named
from core.evidence.model import Evidence, EvidenceQuery, EvidenceSentence
from core.paper import Paper
from core.progress import Progress, silent
from core.training import parser_of
from core.work.progress import WorkProgress

SENTENCES, ASPECTS = 168, 10  # EvidenceBench, table 1
_WORDS = "the trial of participants who took part in both groups was found to show that pain fell after weeks".split()


def measure_streaming() -> None:
    """Check that a benchmark too large for memory is streamed: `python -m core.training streaming --papers 100000`.

    A file of made-up papers in EvidenceBench's layout, each as long as the published ones are on average, is written beside
    other temporary files (about 3 GB for 100,000 papers), read, answered by the first ten sentences, scored, and deleted.
    """
    arguments = parser_of(measure_streaming)
    arguments.add_argument("--papers", type=int, default=100_000)
    papers = arguments.parse_args().papers
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "evidencebench_made_up.json"
        write(path, papers)
        task = task_named("evidencebench/er@10")
        started = time.perf_counter()
        items = task.items(path)
        counted = time.perf_counter() - started
        result = run_task(task, items, here(task, FirstTen()), report=_report)
        size = path.stat().st_size
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(
        f"{papers:,} papers, {size / 1e9:.2f} GB: counted in {counted:.0f} s, read and scored in {result.seconds:.0f} s"
    )
    print(f"{len(result.items):,} results; at most {memory / 1e6:,.0f} MB of memory")


def write(path: Path, papers: int) -> None:
    """Write a file of so many papers, in which all sentences differ."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(papers):
            file.write(("," if number else "{") + json.dumps(str(number)) + ":" + json.dumps(_record(number)) + "\n")
        file.write("}")


def _record(number: int) -> dict[str, object]:
    words = len(_WORDS)
    pool = [
        f"In paper {number}, sentence {index}, {' '.join(_WORDS[(index + i) % words] for i in range(22))}."
        for index in range(SENTENCES)
    ]
    types = ["abstract" if 0 < index < 11 else "normal_paragraph" for index in range(SENTENCES)]
    for index in range(0, SENTENCES, 21):
        pool[index], types[index] = ("Results" if index else "Title"), "section_name"
    covering = {f"aspect_{aspect}": [3 + aspect, 50 + 7 * aspect] for aspect in range(ASPECTS)}
    inverse: dict[str, list[str]] = {str(index): [] for index in range(SENTENCES)}
    for aspect, indices in covering.items():
        for index in indices:
            inverse[str(index)].append(aspect)
    return {
        "hypothesis": "The treatment reduces pain.",
        "paper_as_candidate_pool": pool,
        "sentence_types_in_candidate_pool": types,
        "aspect_list_ids": list(covering),
        "results_aspect_list_ids": list(covering)[5:],
        "aspect2sentence_indices": covering,
        "sentence_index2aspects": inverse,
    }


class FirstTen:
    """An engine that takes no time, so that only reading is measured."""

    name = "first ten sentences"

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        """The first k candidates."""
        chosen = query.candidates(paper)[: query.k]
        return Evidence(self.name, query, tuple(EvidenceSentence(sentence.index, 1.0) for sentence in chosen), 0.0)


def _report(progress: WorkProgress) -> None:
    if progress.done % 10_000 == 0:
        print(f"\r{progress.in_words}", end="", file=sys.stderr, flush=True)
