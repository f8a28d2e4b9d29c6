"""EvidenceBench's tasks: engines that deserve what they get, places in the paper, other wordings."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.benchmarks.gold import recall_at
from core.benchmarks.model import BrokenRecord, Item, Run
from core.benchmarks.runner import here, run_task
from core.benchmarks.task import EngineChoice
from core.benchmarks.tasks import task_named
from core.evidence.model import Evidence, EvidenceQuery, EvidenceSentence
from core.paper import Paper
from core.progress import Progress, silent
from tests.core.benchmarks.evidencebench_records import encoded, record


@dataclass
class Engine:
    """Chooses by a rule, and not always as many as it was asked for."""

    choose: Callable[[Paper, EvidenceQuery], Sequence[int]]
    name: str = "by a rule"

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        chosen = self.choose(paper, query)
        return Evidence(self.name, query, tuple(EvidenceSentence(index, 1.0) for index in chosen), 0.0)


def by_chance(seed: int) -> Engine:
    generator = random.Random(seed)
    return Engine(lambda paper, query: generator.sample(range(len(paper.sentences)), query.k))


def run(name: str, engine: Engine, data: Path) -> Run:
    task = task_named(name)
    return run_task(task, task.items(task.source(data)), here(task, engine))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "evidencebench_test.json"
    path.write_bytes(encoded({"one": record(), "broken": record(hypothesis=""), "two": record(paper_id="tea_2")}))
    return path


def test_the_empty_engine_gets_nothing_and_the_best_is_told(data: Path) -> None:
    found = run("evidencebench/er@optimal", Engine(lambda paper, query: ()), data)
    assert (found.metrics["aspect_recall"].value, found.metrics["best_possible"].value) == (0.0, 1.0)
    assert (found.failed, len(found.broken)) == (0, 1)


def test_the_greedy_engine_gains_nothing_by_more_than_it_is_allowed(data: Path) -> None:
    everything = Engine(lambda paper, query: range(len(paper.sentences)))
    found = run("evidencebench/er@optimal", everything, data)
    (item, *_) = [entry for entry in task_named("evidencebench/er@optimal").items(data) if isinstance(entry, Item)]
    by_chance = recall_at(range(11), item.gold.aspects, 2)
    assert found.metrics["aspect_recall"].value == pytest.approx(by_chance)
    assert by_chance < 0.4


# EvidenceBench, table 7, on its test set: other papers of the same kind.
@pytest.mark.parametrize(
    ("name", "published"),
    [("er@10", 0.223), ("er@optimal", 0.096), ("result-er@5", 0.114), ("result-er@optimal", 0.044)],
)
def test_chance_gets_what_the_paper_says(shared_data: Path, name: str, published: float) -> None:
    task = task_named(f"evidencebench/{name}")
    items = [entry for entry in task.items(task.source(shared_data)) if isinstance(entry, Item)]
    expected = [recall_at(range(len(i.question.paper.sentences)), i.gold.aspects, i.question.query.k) for i in items]
    assert sum(expected) / len(expected) == pytest.approx(published, abs=0.03)
    drawn = run(f"evidencebench/{name}", by_chance(1), shared_data).metrics["aspect_recall"]
    assert drawn.value == pytest.approx(sum(expected) / len(expected), abs=4 * drawn.standard_error)


def test_bm25_at_ten(shared_data: Path) -> None:
    task = task_named("evidencebench/er@10")
    found = run("evidencebench/er@10", task.open(EngineChoice("bm25")), shared_data)
    assert len(found.items) == 96
    assert found.metrics["aspect_recall"].value == pytest.approx(0.38, abs=0.02)
    assert found.metrics["best_possible"].value == pytest.approx(0.993, abs=0.007)  # 99.3 on the test set
    places = [item.category for item in found.items]
    assert {place: places.count(place) for place in set(places)} == {"edges": 27, "between": 60, "middle": 9}
    assert found.metrics["aspect_recall edges"].value > found.metrics["aspect_recall middle"].value


def test_the_place_of_the_evidence_is_told(data: Path) -> None:
    found = run("evidencebench/er@10", Engine(lambda paper, query: (3, 8)), data)
    assert [item.category for item in found.items] == ["edges", "edges"]  # a short paper is all edges
    assert found.metrics["aspect_recall edges"] == found.metrics["aspect_recall"]
    assert "aspect_recall middle" not in found.metrics


def test_every_wording_is_asked_and_its_change_told(tmp_path: Path) -> None:
    path = tmp_path / "evidencebench_test.json"
    path.write_bytes(encoded({"one": record(paraphrases=["Tea at night makes sleep short.", "Less sleep by tea."])}))
    asked: list[str] = []

    def choose(paper: Paper, query: EvidenceQuery) -> Sequence[int]:
        asked.append(query.hypothesis)
        return (
            (9,)
            if query.hypothesis.startswith("It is not the case")
            else (8, 9)
            if "night" in query.hypothesis
            else (8,)
        )

    found = run("evidencebench/wording", Engine(choose), path)
    assert asked == [
        "Tea in the evening shortens sleep.",
        "It is not the case that Tea in the evening shortens sleep.",
        "Tea at night makes sleep short.",
        "Less sleep by tea.",
    ]
    assert [item.id for item in found.items] == [
        "one/original", "one/negation", "one/paraphrase", "one/paraphrase 2",
    ]  # fmt: skip
    assert len({item.category for item in found.items}) == 3
    values = {name: metric.value for name, metric in found.metrics.items()}
    # 8 covers b and c of a, b, c; 9 covers c.
    assert values["aspect_recall original"] == values["aspect_recall paraphrase"] == pytest.approx(2 / 3)
    assert values["aspect_recall negation"] == pytest.approx(1 / 3)
    assert (values["change negation"], values["change paraphrase"]) == (pytest.approx(-1 / 3), 0.0)
    assert (values["overlap negation"], values["overlap paraphrase"]) == (0.0, 0.75)  # 1/2 and 1


def test_the_number_of_items_is_known_before_any_paper_is_read(data: Path, tmp_path: Path) -> None:
    for name in ("er@10", "wording"):
        items = task_named(f"evidencebench/{name}").items(data)
        entries = list(items)
        broken = sum(isinstance(entry, BrokenRecord) for entry in entries)
        assert broken == 1
        assert len(items) >= len(entries)
    path = tmp_path / "evidencebench_other.json"
    path.write_bytes(encoded({"one": record(), "two": record(results_aspect_list_ids=None)}))
    items = task_named("evidencebench/result-er@5").items(path)
    assert len(items) == len(list(items)) == 1
