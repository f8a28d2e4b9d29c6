"""How long putting papers in order takes: `python -m core.training.measure_ordering [--papers 500 5000]`.

The papers are made up: sentences of the trials' abstracts, shuffled, ten to a paper. Half of them are decided, one in
ten of those included. Seconds of the processor beside those of the clock, which other work on the machine lengthens.
"""

from __future__ import annotations

import argparse
import pickle
import random
import time
from collections.abc import Callable

from core.screening.ordering import Corpus
from core.training.evidence_data import data_folder
from core.training.simulate_screening import outcomes_by_trial, texts_of

_SENTENCES = 10
_QUESTION = "Does exercise reduce pain and improve quality of life in adults, compared with usual care?"


def main() -> None:
    """Print the times for each number of papers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, nargs="+", default=[500, 5000])
    options = parser.parse_args()
    folder = data_folder()
    abstracts = texts_of(folder, outcomes_by_trial(folder))
    sentences = [line for abstract in abstracts for line in abstract.splitlines() if line]
    for papers in options.papers:
        _measure(made_up(sentences, papers))


def made_up(sentences: list[str], papers: int) -> list[str]:
    """So many texts of ten sentences each."""
    chance = random.Random(0)  # noqa: S311
    return ["\n".join(chance.sample(sentences, _SENTENCES)) for _ in range(papers)]


def _measure(texts: list[str]) -> None:
    corpus = Corpus(texts)
    half = random.Random(0).sample(range(len(texts)), len(texts) // 2)  # noqa: S311
    decisions: dict[int, bool | None] = {place: number % 10 == 0 for number, place in enumerate(half)}
    print(f"{len(texts):,} papers")
    _timed("  first order, by the question", lambda: corpus.order({}, question=_QUESTION))
    _timed("  first order after decisions", lambda: corpus.order(decisions, question=_QUESTION))
    for _ in range(3):
        _timed("  order again", lambda: corpus.order(decisions, question=_QUESTION))
    print(f"  pickled: {len(pickle.dumps(corpus)) / 1e6:.1f} MB")


def _timed(name: str, work: Callable[[], object]) -> None:
    clock, processor = time.perf_counter(), time.process_time()
    work()
    print(f"{name}: {time.perf_counter() - clock:.3f} s, processor {time.process_time() - processor:.3f} s", flush=True)


if __name__ == "__main__":
    main()
