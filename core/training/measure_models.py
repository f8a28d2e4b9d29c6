"""How long language models take, against a loop that asks one thing at a time: `python -m core.training.measure_models`.

The demo server stands in for a provider that takes a second for each reply. Papers are made up, of ten sections each.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from core.evidence import EvidenceQuery
from core.evidence.llm.engine import ModelEngine
from core.llm import ModelName, Provider, open_model
from core.llm.cache import ReplyCache
from core.llm.demo import DemoServer
from core.llm.runner import AT_ONCE, ModelRunner
from core.paper import Paper, read_paper

SECTIONS = 10
PAPERS = 50
ONE_BY_ONE = 3  # papers of the loop: each takes eleven seconds
QUERY = EvidenceQuery("The treatment reduces pain.", k=5)


def main() -> None:
    """Print the times and their ratios, all of one run."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--latency", type=float, default=1.0, help="seconds for each reply")
    latency = arguments.parse_args().latency
    papers = [_paper(number) for number in range(PAPERS)]
    with DemoServer(latency=latency) as server:
        os.environ |= server.environment
        _seconds(papers[:1], at_once=1, papers_at_once=1)  # loads the client
        loop = _seconds(papers[:ONE_BY_ONE], at_once=1, papers_at_once=1) / ONE_BY_ONE
        one = _seconds(papers[:1], at_once=AT_ONCE, papers_at_once=1)
        many = _seconds(papers, at_once=AT_ONCE, papers_at_once=AT_ONCE) / PAPERS
    print(f"a reply takes {latency:g} s; {SECTIONS} sections and a choice make {SECTIONS + 1} replies a paper")
    print(f"one reply at a time: {loop:6.2f} s a paper")
    print(f"one paper by itself: {one:6.2f} s ({loop / one:.1f} times as fast)")
    print(f"{PAPERS} papers, {AT_ONCE} replies at once: {many:.2f} s a paper ({loop / many:.1f} times the rate)")


def _seconds(papers: Sequence[Paper], *, at_once: int, papers_at_once: int) -> float:
    """How long it takes to find evidence in all papers, with nothing kept from before."""
    name = ModelName(Provider.OPENAI, "demo")
    with tempfile.TemporaryDirectory() as home:
        runner = ModelRunner(open_model(name), cache=ReplyCache(Path(home)), at_once=at_once)
        with runner, ThreadPoolExecutor(papers_at_once) as pool:
            engine = ModelEngine(name, runner)
            started = time.perf_counter()
            for evidence in pool.map(lambda paper: engine.find(paper, QUERY), papers):
                if evidence.run is None or evidence.run.failed or len(evidence.run.steps) != SECTIONS + 1:
                    raise SystemExit("A paper was not answered as it should be: the times would mean nothing.")
            return time.perf_counter() - started


def _paper(number: int) -> Paper:
    sentences = "The treatment reduced pain in group {0} of trial {1}. Pain was scored daily. Nothing else changed."
    sections = "\n\n".join(f"## Part {part}\n\n{sentences.format(part, number)}" for part in range(SECTIONS))
    return read_paper(f"# Trial {number}\n\n{sections}\n".encode(), name=f"trial-{number}.md")


if __name__ == "__main__":
    main()
