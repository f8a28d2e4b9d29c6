"""Measure how a library scales, with synthetic libraries of any size, and the cost of indexing real papers."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.answering import Question, answer_engine_named
from core.library import Library, LibraryPaper, Passage, SearchMethod, open_library, passages_of
from core.library.encoding import MADE_BY, EncodedPaper, encoded, searched_text
from core.paper import read_paper
from core.progress import Progress, silent
from core.settings import Settings
from core.text.encoder import DIMENSIONS
from core.text.similarity import Embedder
from core.training import data, parser_of

PASSAGES = 50  # per paper
SIZES = (1_000, 10_000, 100_000)
QUESTIONS = 20
NEAREST = 30  # the number of nearest passages for recall
AN_HOUR = 3600
_TOGETHER = 1_000  # papers that are made and written in one batch
_TOPICS = 2_000
_WORDS = 50_000  # in the vocabulary; the n-th is used 1/n times as often as the first (Zipf)
_SENTENCES, _SENTENCE_WORDS = 5, 20  # sentences per passage, words per sentence
_OF_PAPER, _OF_PASSAGE = (
    0.7,
    0.9,
)  # distances of papers from their topic, and of passages from their paper; a topic's vector has length 1
_SEED = 19

Vectors = NDArray[np.float32]


def measure_library() -> None:
    """How a library of passages grows, and what it takes to index real papers.

        python -m core.training library-scale                         # 1,000, 10,000 and 100,000 made-up papers
        python -m core.training library-scale --papers 1000           # another size
        python -m core.training library-scale --adding                # 320 real trials, and one more
        python -m core.training library-scale --adding --papers 40    # 40 of them

    Synthetic papers have 50 passages of 100 words each, generated from a seed. Their vectors are scattered around their
    paper's, and papers' around 2,000 topics. Every library is built by its own process, which is stopped after an hour,
    and searched by another process, which also answers the same questions offline. Recall is that of the 30 nearest by
    vectors, compared with an exact search. 100,000 papers need 30 GB of disk. `--adding` reads the trials of Evidence
    Inference in the data folder (VOUCH_DATA, or ../shared/data beside the repository).
    """
    parser = parser_of(measure_library)
    every = ",".join(map(str, SIZES))
    parser.add_argument("--papers", help=f"sizes (default: {every}, or all real ones)")
    parser.add_argument("--adding", action="store_true", help="index real papers instead")
    parser.add_argument("--limit", type=int, default=AN_HOUR, help="seconds to build one (default: %(default)s)")
    parser.add_argument("--step", nargs=3, metavar=("STEP", "PAPERS", "HOME"), help="one step, in this process")
    options = parser.parse_args()
    if options.step:
        step, papers, home = options.step
        print(json.dumps(_STEPS[step](int(papers), Path(home)) | _memory()))
        return
    print(f"{os.cpu_count()} processors, load before: {os.getloadavg()[0]:.1f}", flush=True)
    for size in map(int, (options.papers or ("0" if options.adding else every)).split(",")):
        with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as home:
            for step in ("adding",) if options.adding else ("build", "search"):
                print(f"{size:,} {step}: {_in_a_process(step, size, home, options.limit)}", flush=True)


def _in_a_process(step: str, papers: int, home: str, limit: int) -> str:
    words = [sys.executable, "-m", "core.training", "library-scale", "--step", step, str(papers), home]
    try:
        done = subprocess.run(words, cwd=data.ROOT, stdout=subprocess.PIPE, check=True, timeout=limit)  # noqa: S603
    except subprocess.TimeoutExpired:
        return f"given up after {limit:,} s"
    return done.stdout.decode().strip()


def _memory() -> dict[str, int]:
    return {"megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}


# ---- made-up papers ----


@dataclass(frozen=True, slots=True)
class MadeUpQuestion:
    """Some words of a passage, a vector near it, and the passages that are nearest to that vector."""

    text: str
    vector: list[float]
    nearest: list[str]  # ids of passages


class _Planned(Embedder):
    """An embedder that knows only the vectors of synthetic questions."""

    def __init__(self, questions: Sequence[MadeUpQuestion] = ()) -> None:
        self._of = {one.text: np.asarray(one.vector, dtype=np.float32) for one in questions}

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        return np.stack([self._of[text] for text in texts])


def made_up(papers: int) -> Iterator[list[EncodedPaper]]:
    """Synthetic papers in batches, which are the same in every run."""
    topics = _around(np.zeros((_TOPICS, DIMENSIONS), dtype=np.float32), 1.0, np.random.default_rng(_SEED))
    words = np.array([_word(number) for number in range(_WORDS)], dtype=object)
    often = np.cumsum(1 / np.arange(1, _WORDS + 1))
    for begin in range(0, papers, _TOGETHER):
        rng = np.random.default_rng((_SEED, begin))
        size = min(_TOGETHER, papers - begin)
        middles = _around(topics[rng.integers(_TOPICS, size=size)], _OF_PAPER, rng)
        vectors = _around(np.repeat(middles, PASSAGES, axis=0), _OF_PASSAGE, rng)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        drawn = np.searchsorted(often, rng.random((size * PASSAGES * _SENTENCES, _SENTENCE_WORDS)) * often[-1])
        sentences = [" ".join(row) + "." for row in words[drawn].tolist()]
        yield [_paper(begin + place, place, sentences, vectors) for place in range(size)]


def _paper(number: int, place: int, sentences: Sequence[str], vectors: Vectors) -> EncodedPaper:
    """A synthetic paper. `place` is its index in the batch."""
    id = sha256(str(number).encode()).hexdigest()
    passages = tuple(
        Passage(
            id,
            passage * _SENTENCES,
            "Results",
            "results",
            None,
            tuple(sentences[begin : begin + _SENTENCES]),
            (0.5,) * _SENTENCES,
        )
        for passage, begin in enumerate(
            range(place * PASSAGES * _SENTENCES, (place + 1) * PASSAGES * _SENTENCES, _SENTENCES)
        )
    )
    entry = LibraryPaper(
        id, f"{number}.xml", f"Paper {number}", ("Made, U.",), None, 1990 + number % 35, None, None, PASSAGES, MADE_BY
    )
    return EncodedPaper(entry, passages, vectors[place * PASSAGES : (place + 1) * PASSAGES])


def _around(middles: Vectors, far: float, rng: np.random.Generator) -> Vectors:
    """A random point around each of these, at about this distance."""
    away = rng.standard_normal(middles.shape, dtype=np.float32) * np.float32(far / np.sqrt(DIMENSIONS))
    points: Vectors = middles + away
    return points


def _word(number: int) -> str:
    """An invented word of one or more syllables."""
    syllables = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split()
    word = syllables[number % 20]
    while number := number // 20:
        word += syllables[number % 20]
    return word + "n"  # so that it is neither a stop word nor stemmed


# ---- steps, each of which runs in its own process ----


def _build(papers: int, home: Path) -> dict[str, Any]:
    library = _opened(home, _Planned())
    rng = np.random.default_rng(_SEED)
    making = writing = 0.0
    asked: list[tuple[str, Vectors]] = []
    best: list[list[tuple[float, str]]] = [[] for _ in range(QUESTIONS)]
    started = time.perf_counter()
    for batch in made_up(papers):
        asked = asked or _asked(batch, rng)
        _compare(batch, asked, best)
        making += time.perf_counter() - started
        started = time.perf_counter()
        library.put(batch)
        writing += time.perf_counter() - started
        started = time.perf_counter()
    library.tidy()
    indexing = time.perf_counter() - started
    questions = [
        MadeUpQuestion(text, vector.tolist(), [id for _, id in nearest])
        for (text, vector), nearest in zip(asked, best, strict=True)
    ]
    (home / "questions.json").write_text(json.dumps([asdict(one) for one in questions]))
    disk = sum(file.stat().st_size for file in home.rglob("*") if file.is_file())
    return {
        "passages": len(library),
        "making_s": round(making, 1),
        "writing_s": round(writing, 1),
        "indexing_s": round(indexing, 1),
        "disk_mb": disk // 1_000_000,
    }


def _asked(batch: Sequence[EncodedPaper], rng: np.random.Generator) -> list[tuple[str, Vectors]]:
    """A question to one passage of each of the first papers: some of its words, and a vector near the passage's."""
    asked = []
    for number, paper in enumerate(batch[:QUESTIONS]):
        place = number % PASSAGES
        words = paper.passages[place].text.replace(".", "").split()
        vector = _around(paper.vectors[place : place + 1], _OF_PASSAGE, rng)[0]
        asked.append((" ".join(rng.choice(words, 8, replace=False)), vector / np.linalg.norm(vector)))
    return asked


def _compare(
    batch: Sequence[EncodedPaper], asked: Sequence[tuple[str, Vectors]], best: list[list[tuple[float, str]]]
) -> None:
    """Update the nearest passages found so far for every question."""
    vectors = np.concatenate([one.vectors for one in batch])
    cosines = vectors @ np.stack([vector for _, vector in asked]).T
    for question, nearest in enumerate(best):
        places = np.argpartition(-cosines[:, question], NEAREST)[:NEAREST]
        nearest += [
            (float(cosines[place, question]), batch[place // PASSAGES].passages[place % PASSAGES].id)
            for place in places.tolist()
        ]
        nearest[:] = sorted(nearest, reverse=True)[:NEAREST]


def _search(papers: int, home: Path) -> dict[str, Any]:
    questions = [MadeUpQuestion(**one) for one in json.loads((home / "questions.json").read_text())]
    library = _opened(home, _Planned(questions))
    with _Timed() as first:
        library.search(questions[0].text)
    found: dict[str, Any] = {"first_search_s": first.seconds}
    for method in SearchMethod:
        found[f"{method}_s"] = _median_of(library, questions, method)
    found["slowest_s"] = max(_times(library, questions, SearchMethod.HYBRID))
    found[f"recall@{NEAREST}"] = round(
        statistics.mean(
            len({one.passage.id for one in library.search(question.text, method=SearchMethod.MEANING, depth=NEAREST)} & {*question.nearest})
            for question in questions
        )
        / NEAREST,
        3,
    )  # fmt: skip
    with _Timed() as listing:
        library.papers()
    answers = _answers(library, questions)
    found |= {
        "first_answer_s": answers[0],
        "answer_s": statistics.median(answers[1:]),
        "slowest_answer_s": max(answers),
    }
    one_more = next(made_up(1))
    number = sha256(b"one more").hexdigest()
    [entry] = _renamed(one_more, number)
    with _Timed() as adding:
        library.put([entry])
        library.tidy()
    return found | {"papers_listed_s": listing.seconds, "one_more_s": adding.seconds}


def _renamed(papers: Sequence[EncodedPaper], id: str) -> list[EncodedPaper]:
    return [
        replace(one, paper=replace(one.paper, id=id), passages=tuple(replace(each, paper=id) for each in one.passages))
        for one in papers
    ]


def _median_of(library: Library, questions: Sequence[MadeUpQuestion], method: SearchMethod) -> float:
    return round(statistics.median(_times(library, questions, method)), 3)


def _times(library: Library, questions: Sequence[MadeUpQuestion], method: SearchMethod) -> list[float]:
    times = []
    for question in questions:
        with _Timed() as timed:
            library.search(question.text, method=method)
        times.append(timed.seconds)
    return times


def _answers(library: Library, questions: Sequence[MadeUpQuestion]) -> list[float]:
    """The seconds of each answer. Invented words have many word pieces, so real passages take less time."""
    engine, times = answer_engine_named("offline"), []
    for question in questions:
        with _Timed() as timed:
            engine.answer(Question(question.text), library)
        times.append(timed.seconds)
    return times


def _adding(count: int, home: Path) -> dict[str, Any]:
    """Times for `count` real papers (0: all): to index all but one, to index that one, and only to encode passages."""
    files = sorted((data.data_folder() / "evidence_inference" / "xml").glob("*.nxml"))[: count or None]
    papers = [read_paper(file.read_bytes(), name=file.name) for file in files]
    embedder = Embedder.installed(home / "vectors")
    *most, last = papers
    library = _opened(home, embedder)
    with _Timed() as indexing:
        library.add(most)
    with _Timed() as encoding_one:
        encoded([last], embedder)
    with _Timed() as one_more:
        library.add([last])
    texts = [searched_text(paper.title, one) for paper in most for one in passages_of(paper)]
    with _Timed() as encoding:
        for begin in range(0, len(texts), 1_000):
            embedder.encode(texts[begin : begin + 1_000])
    return {
        "papers": len(most),
        "passages": len(library),
        "indexing_s": indexing.seconds,
        "encoding_s": encoding.seconds,
        "times": round(indexing.seconds / encoding.seconds, 2),
        "one_more_s": one_more.seconds,
        "of_it_encoding_s": encoding_one.seconds,
    }


def _opened(home: Path, embedder: Embedder) -> Library:
    return open_library("measured", embedder, Settings(home, None))


class _Timed:
    """Measures the elapsed seconds of a `with` block."""

    seconds = 0.0

    def __enter__(self) -> _Timed:
        self._started = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = round(time.perf_counter() - self._started, 3)


_STEPS = {"build": _build, "search": _search, "adding": _adding}
