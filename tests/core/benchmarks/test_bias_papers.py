"""`bias/papers`: whole trials judged, against levels and sentences that readers gave."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.benchmarks.bias_papers import PaperItem, metrics, paper_files, read_paper_items
from core.benchmarks.bias_tasks import PAPERS
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response
from core.benchmarks.runner import here, run_task
from core.benchmarks.samples import SAMPLE_DATA
from core.bias import Domain, Judgement, Level, StudyContext, Support, bias_engine_named
from core.bias.assessment import Suggestion
from core.bias.model import HIGH, LOW
from core.errors import QueryError
from core.paper import Paper
from core.progress import Progress, silent

TRIAL = """<?xml version="1.0"?><article><front><article-meta><title-group><article-title>Tea for gout</article-title>
</title-group></article-meta></front><body><sec><title>Methods</title><p>Lots decided who drank the tea and who drank
warm water at breakfast. The nurse at the desk opened the next grey envelope. Nobody was told what was in a cup.</p></sec>
</body></article>"""
LOTS, ENVELOPE, CUP = (
    "Lots decided who drank the tea and who drank warm water at breakfast.",
    "The nurse at the desk opened the next grey envelope.",
    "Nobody was told what was in a cup.",
)


def written(folder: Path, *records: dict[str, object]) -> Path:
    articles = folder / "evidence_inference" / "xml"
    articles.mkdir(parents=True)
    (articles / "T1.nxml").write_text(TRIAL)
    (folder / "rob1_papers").mkdir()
    path = folder / "rob1_papers" / "dev.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def record(domain: str, level: str, *support: str, paper: str = "T1") -> dict[str, object]:
    return {"paper": paper, "domain": domain, "level": level, "support": support, "reason": "", "sure": True}


class Told:
    """An engine that gives what it was told to, a domain at a time."""

    name = "told"

    def __init__(self, **given: Level | Exception | None) -> None:
        self.given = given

    def suggest(self, domain: Domain, paper: Paper, study: StudyContext, *, progress: Progress = silent) -> Suggestion:
        level = self.given[domain.id]
        if isinstance(level, Exception):
            raise level
        places = [sentence.index for sentence in paper.sentences if sentence.text in (LOTS, ENVELOPE)]
        return Suggestion(self.name, Judgement(domain.id, level, "", tuple(map(Support, places))))


def test_levels_and_sentences_are_scored_by_hand(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        record("sequence", "low", LOTS),
        record("concealment", "high", f"  {ENVELOPE[:-1]} "),  # spaces and signs do not matter
        record("performance", "low", CUP),
        record("detection", "unclear"),
        record("attrition", "high"),
    )
    given = Told(sequence=LOW, concealment=LOW, performance=None, detection=HIGH, attrition=QueryError("No."))
    run = run_task(PAPERS, PAPERS.items(path), here(PAPERS, given))
    found = {name: figure.value for name, figure in run.metrics.items()}
    assert run.failed == 1
    assert found["levels right"] == pytest.approx(1 / 5)
    assert found["shown right"] == pytest.approx(1 / 3)  # low, low and high were shown
    assert found["shown of low and high"] == pytest.approx(2 / 4)  # the failed one is not shown
    assert found["sentence in three"] == pytest.approx(2 / 3)
    assert found["sentence in three performance"] == 0
    assert "sentence in three detection" not in found  # it rests on no sentence
    assert "shown right performance" not in found  # nothing was shown


def test_an_unclear_that_is_right_is_no_level_shown() -> None:
    result = ItemResult("1", "T1", Response(labels=("unclear",)), {"level right": 1.0}, "sequence", ("unclear",))
    assert {name for name in metrics([result]) if "sequence" not in name} == {"levels right"}


def test_intervals_are_over_papers() -> None:
    """Two papers, one all right and one all wrong: a draw may hold either alone."""
    results = [
        ItemResult(f"{paper}/{n}", paper, Response(labels=(level,)), {"level right": right}, "sequence", ("low",))
        for paper, level, right in (("T1", "low", 1.0), ("T2", "high", 0.0))
        for n in range(20)
    ]
    assert (metrics(results)["shown right"].low, metrics(results)["shown right"].high) == (0.0, 1.0)


def test_the_nearest_sentences_count_where_nothing_was_found(tmp_path: Path) -> None:
    path = written(tmp_path, record("sequence", "low", LOTS))
    (item,) = whole(read_paper_items(path))
    assert item.gold.support is not None
    (place,) = item.gold.support

    class Nearest(Told):
        def suggest(
            self, domain: Domain, paper: Paper, study: StudyContext, *, progress: Progress = silent
        ) -> Suggestion:
            return Suggestion(self.name, Judgement(domain.id, None, "Nothing.", rejected=(place,)))

    run = run_task(PAPERS, [item], here(PAPERS, Nearest()))
    assert run.metrics["sentence in three"].value == 1.0


def whole(items: Sequence[PaperItem | BrokenRecord]) -> list[PaperItem]:
    assert all(isinstance(item, Item) for item in items)
    return [item for item in items if isinstance(item, Item)]


@pytest.mark.parametrize(
    ("faulty", "key"),
    [
        (record("sequence", "some concerns"), "level"),
        (record("sequence", "fair"), "level"),
        (record("D1", "low"), "domain"),
        (record("sequence", "low", paper="T9"), "paper"),
        ({"paper": "T1", "domain": "sequence", "level": "low"}, "support"),
    ],
)
def test_a_broken_record_is_named_and_the_rest_goes_on(tmp_path: Path, faulty: dict[str, object], key: str) -> None:
    path = written(tmp_path, faulty, record("attrition", "unclear"))
    broken, item = read_paper_items(path)
    assert isinstance(broken, BrokenRecord)
    assert (broken.file, broken.id, broken.key) == ("dev.jsonl", "1", key)
    assert isinstance(item, Item)
    assert item.gold.support is None


def test_the_files_that_decide_a_run_are_all_named(tmp_path: Path) -> None:
    path = written(
        tmp_path, record("sequence", "low"), record("attrition", "low"), record("sequence", "low", paper="T9")
    )
    assert PAPERS.source(tmp_path) == path
    assert PAPERS.source(path) == path
    assert [file.name for file in paper_files(path)] == ["dev.jsonl", "T1.nxml"]


def test_the_sample_is_judged_offline() -> None:
    items = PAPERS.items(PAPERS.source(SAMPLE_DATA))
    run = run_task(PAPERS, items, here(PAPERS, bias_engine_named("offline")))
    assert (run.failed, run.broken) == (0, ())
    assert run.metrics["sentence in three"].value >= 0.75
