"""How much sooner two processes are through than one, and what that means for 107,461 papers.

    python -m core.training.measure_workers                  # EvidenceBench's 96 instances through `offline`, some minutes

Each run is a new process with an empty cache. Reads the data folder (VOUCH_DATA, or ../shared/data beside the
repository). Worth something on a quiet machine only: the load before each run is printed with it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import Any

from core.training import evidence_data as data

LARGE = 107_461  # papers of EvidenceBench-100k (EvidenceBench, section 3)
MACHINES = 10
TASK = "evidencebench/er@10"


@dataclass(frozen=True)
class Measured:
    """One run: seconds of the clock and of processors, from start to end, and its document."""

    seconds: float
    processor_seconds: float
    document: dict[str, Any]

    @property
    def each(self) -> float:
        """Seconds of the clock for a paper."""
        return self.seconds / len(self.document["items"])


def main() -> None:
    """Print the times, their ratio, and the projection."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="offline")
    parser.add_argument("--papers", type=int, default=96)
    parser.add_argument("--most", type=int, default=2, metavar="N", help="workers of the last run")
    options = parser.parse_args()
    print(f"{options.papers} papers, engine {options.engine}, {os.cpu_count()} processors")
    whole = _run("one process, all processors", options, [])
    one = _run("--workers 1", options, ["--workers", "1"])
    most = _run(f"--workers {options.most}", options, ["--workers", str(options.most)])
    if not whole.document["metrics"] == one.document["metrics"] == most.document["metrics"]:
        sys.exit("The runs came to different results: the times mean nothing.")
    print(f"--workers {options.most} takes {most.seconds / one.seconds:.2f} of the time of --workers 1,")
    print(f"and {most.seconds / whole.seconds:.2f} of that of one process on all processors")
    hours = most.each * LARGE / 3600
    print(f"{LARGE:,} papers: {hours:.0f} h on one such machine, {hours / MACHINES:.1f} h on {MACHINES}")


def _run(title: str, options: argparse.Namespace, more: list[str]) -> Measured:
    load = os.getloadavg()[0]
    words = [sys.executable, "-m", "core", "bench", TASK, "--data", str(data.data_folder()), "--json", *more]
    words += ["--engine", options.engine, "--limit", str(options.papers)]
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryFile() as out:
        started = time.perf_counter()
        process = subprocess.Popen(  # noqa: S603
            words, cwd=data.ROOT, env={**os.environ, "VOUCH_HOME": home}, stdout=out, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"exit status {process.returncode}: {' '.join(words)}")
        out.seek(0)
        found = Measured(seconds, usage.ru_utime + usage.ru_stime, json.load(out))
    print(
        f"{title:28} {found.seconds:7.1f} s  {found.each:6.3f} s a paper  "
        f"{found.processor_seconds:7.1f} s of processors  (load before: {load:.1f})",
        flush=True,
    )
    return found


if __name__ == "__main__":
    main()
