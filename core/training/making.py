"""Make a benchmark from many synthetic reviews: measure memory, and check that killed runs end with the same files."""

from __future__ import annotations

import argparse
import hashlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from core.llm import model_named
from core.llm.demo.inline import InlineDemo
from core.making.carrying_out import Making
from core.making.evidencebench import EvidenceBenchPipeline
from core.making.shelf import Shelf
from core.paper.xml import squeeze

_PAPERS = 50
_THINGS = "Walking Swimming Reading Singing Napping Stretching Gardening Cycling Dancing Knitting".split()
_OUTCOMES = "sleep pain mood fatigue balance appetite memory strength".split()


def measure_making() -> int:
    """The command; see `--help`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reviews", type=int, nargs="+", default=[1000, 10_000], help="how many; each number is a run")
    parser.add_argument(
        "--kills", type=int, default=0, help="how often the last of them is run again and killed on the way"
    )
    parser.add_argument("--run", type=Path, help=argparse.SUPPRESS)  # a folder of reviews, for a separate process
    parser.add_argument("--out", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        _make(arguments.run, arguments.out)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        for size in arguments.reviews:
            source = Path(folder) / str(size)
            write_synthetic(source, size)
            started = time.perf_counter()
            done = subprocess.run(_command(source, source / "made"), check=True, capture_output=True, text=True)  # noqa: S603
            print(f"{size:,} reviews: {time.perf_counter() - started:.0f} s, {done.stdout.strip()}")
        if arguments.kills:
            _kill(source, arguments.kills)
    return 0


def write_synthetic(folder: Path, reviews: int) -> None:
    """Write synthetic reviews in JATS, each of which cites one paper, and the papers; the same in every run."""
    draw = random.Random(0)  # noqa: S311  a draw, not a secret
    (folder / "papers").mkdir(parents=True)
    (folder / "reviews").mkdir()
    claims = []
    for paper in range(_PAPERS):
        thing, outcome = draw.choice(_THINGS), draw.choice(_OUTCOMES)
        claim = f"{thing} improved {outcome} by {paper + 10} percent in {paper + 40} adults"
        claims.append((thing, outcome, claim))
        body = "".join(f"<p>In week {week} nothing of note was seen in group {week % 3}.</p>" for week in range(1, 9))
        licence = '<license xlink:href="https://creativecommons.org/licenses/by/4.0/"/>'
        (folder / "papers" / f"{paper}.xml").write_text(
            f'<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta><article-id pub-id-type="doi">'
            f"10.5555/synthetic.{paper}</article-id><title-group><article-title>A trial of {thing.lower()}</article-title>"
            f"</title-group><permissions>{licence}</permissions></article-meta></front><body><sec><title>Results</title>"
            f"<p>{claim}.</p>{body}</sec></body></article>",
            encoding="utf-8",
        )
    for review in range(reviews):
        paper = draw.randrange(_PAPERS)
        thing, outcome, claim = claims[paper]
        (folder / "reviews" / f"{review:06}.xml").write_text(
            f'<article><front><article-meta><article-id pub-id-type="doi">10.5555/review.{review}</article-id>'
            f"<title-group><article-title>A review</article-title></title-group></article-meta></front><body><sec>"
            f'<p>{thing} helps with {outcome}.</p><p>{claim} [<xref ref-type="bibr" rid="a">1</xref>].</p></sec></body>'
            f'<back><ref-list><ref id="a"><element-citation><pub-id pub-id-type="doi">10.5555/synthetic.{paper}</pub-id>'
            f"</element-citation></ref></ref-list></back></article>",
            encoding="utf-8",
        )


def making_of(folder: Path, out: Path) -> Making[object, object]:  # type: ignore[type-var]
    """The making of a benchmark from such a folder."""
    model = model_named("openai:demo")
    if model is None:
        raise ValueError("the demo's name is that of a model")
    pipeline = EvidenceBenchPipeline(folder / "reviews", Shelf(folder / "papers"))
    return Making(pipeline, model, out, test_share=0.0)  # type: ignore[arg-type]


def _make(folder: Path, out: Path) -> None:
    making_of(folder, out).asking(InlineDemo(), at_once=1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(squeeze(f"at most {peak:.0f} MB of memory"))


def _command(folder: Path, out: Path) -> list[str]:
    return [sys.executable, "-m", "core.training", "making", "--run", str(folder), "--out", str(out)]


def _kill(folder: Path, times: int) -> None:
    """Run again, kill the run `times` times as its journal grows, let it finish, and compare all files."""
    out, whole = folder / "again", (folder / "made" / "done.jsonl").stat().st_size
    for number in range(1, times + 1):
        process = subprocess.Popen(_command(folder, out))  # noqa: S603
        journal = out / "done.jsonl"
        while process.poll() is None and (
            not journal.exists() or journal.stat().st_size < whole * number / (times + 1)
        ):
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run(_command(folder, out), check=True, capture_output=True)  # noqa: S603
    same = _hashes(out) == _hashes(folder / "made")
    print(f"killed {times} times: {'the same files' if same else 'OTHER FILES'}")


def _hashes(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir() if file.is_file()}
