"""Orders: what is saved, what is gone on with, what makes another run, and the document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.__main__ import main
from core.benchmarks.model import BrokenRecord
from core.benchmarks.samples import SAMPLE_DATA
from core.benchmarks.tasks import TASKS, gold_sentences, paper_of, task_named
from core.errors import DatasetError, EngineUnavailable, NotStored, QueryError
from core.evidence.baselines import Bm25Engine
from core.llm import Budget
from core.llm.demo import DemoServer
from core.runs import GOLD, RunOrder, carry_out, item_of, positions, saved_run
from core.settings import Settings
from core.store import BenchmarkRuns, open_store
from core.work.progress import WorkProgress
from tests.conftest import copy_database
from tests.core.runs.run_to_kill import ITEMS, TASK, write_data


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_data(tmp_path)


@pytest.fixture
def runs(tmp_path: Path, migrated_file: Path) -> BenchmarkRuns:
    settings = Settings(home=tmp_path / "home", data=None)
    copy_database(migrated_file, settings)
    return open_store(settings).runs


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The hypotheses that bm25 was asked, in order; those of `failing` fail."""
    hypotheses: list[str] = []
    find = Bm25Engine.find

    def noting(self, paper, query, **others):
        hypotheses.append(query.hypothesis)
        return find(self, paper, query, **others)

    monkeypatch.setattr(Bm25Engine, "find", noting)
    return hypotheses


class Stop(Exception):
    """Cancels a run."""


def stop_at(number: int):
    def report(standing: WorkProgress) -> None:
        if standing.done >= number:
            raise Stop

    return report


def test_a_cancelled_run_keeps_what_is_there_and_goes_on(data: Path, runs: BenchmarkRuns, asked: list[str]) -> None:
    order = RunOrder(TASK, "bm25", data)
    with pytest.raises(Stop):
        carry_out(order, runs, report=stop_at(7))
    (saved,) = runs.all()
    assert (saved.done, saved.failed, saved.finished, saved.metrics) == (len(runs.items(saved.setup.id)), 0, None, {})
    assert 7 <= saved.done < ITEMS
    with pytest.raises(NotStored, match="not finished"):
        saved_run(saved.setup.id, runs)
    complete = carry_out(order, runs)
    assert len(complete.run.items) == ITEMS
    assert len(asked) == len(set(asked)) + (len(asked) - ITEMS)
    assert len(asked) <= ITEMS + 1  # the one in hand at the cancel
    assert complete.run.metrics == carry_out(order).run.metrics
    (saved,) = runs.all()
    assert saved.finished
    assert saved.metrics == complete.run.metrics


def test_a_finished_run_is_not_done_again_unless_asked(data: Path, runs: BenchmarkRuns, asked: list[str]) -> None:
    order = RunOrder(TASK, "bm25", data)
    first = carry_out(order, runs)
    assert carry_out(order, runs) == first == saved_run(first.setup.id, runs)
    assert len(asked) == ITEMS
    assert carry_out(order, runs, anew=True).origin.started > first.origin.started
    assert len(asked) == 2 * ITEMS
    assert len(runs.all()) == 1


def test_failed_items_stay_failed_until_they_are_tried_again(
    data: Path, runs: BenchmarkRuns, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = RunOrder(TASK, "bm25", data, limit=8)
    with monkeypatch.context() as broken:
        find = Bm25Engine.find

        def failing(self, paper, query, **others):
            if query.hypothesis == "Adults 1":
                raise EngineUnavailable("out of order\0")
            return find(self, paper, query, **others)

        broken.setattr(Bm25Engine, "find", failing)
        first = carry_out(order, runs)
    assert (first.run.failed, runs.all()[0].failed) == (1, 1)
    assert first.run.items[1].error == "out of order\ufffd"
    assert carry_out(order, runs) == first
    mended = carry_out(order, runs, retry=True)
    assert mended.run.failed == 0
    assert mended.run.metrics == carry_out(order).run.metrics
    assert [item.id for item in mended.run.items] == [f"item-{number}" for number in range(8)]


def test_what_decides_results_makes_another_run(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = carry_out(RunOrder(TASK, "bm25", data, limit=2)).setup
    same = carry_out(RunOrder(TASK, "bm25", data.parent, limit=2, at_once=3)).setup
    assert same.id == first.id
    others = [
        carry_out(RunOrder(TASK, "bm25", data, limit=3)).setup,
        carry_out(RunOrder(TASK, "bm25", data, limit=2, seed=1)).setup,
        carry_out(RunOrder("evidencebench/er@10", "bm25", data, limit=2)).setup,
    ]
    with monkeypatch.context() as changed:
        changed.setattr("core.runs.code_sha256", lambda *kinds: "another")
        others.append(carry_out(RunOrder(TASK, "bm25", data, limit=2)).setup)
    with monkeypatch.context() as changed:
        changed.setenv("VOUCH_RANKER", "trials")
        others.append(carry_out(RunOrder(TASK, "bm25", data, limit=2)).setup)
    data.write_bytes(data.read_bytes() + b"\n")
    others.append(carry_out(RunOrder(TASK, "bm25", data, limit=2)).setup)
    assert len({first.id, *(setup.id for setup in others)}) == 1 + len(others)


def test_the_seed_of_a_language_model_asks_anew_and_nothing_is_paid_twice(
    data: Path, runs: BenchmarkRuns, demo: DemoServer
) -> None:
    def calls() -> int:
        return demo.desk.statistics()["calls"]

    order = RunOrder(TASK, "openai:demo@whole", data, limit=3)
    first = carry_out(order, runs)
    assert first.setup.engine == "openai:demo@whole"
    assert first.setup.options == (("server", demo.environment["OPENAI_BASE_URL"]),)
    assert first.run.usage
    assert first.run.prompts
    paid = calls()
    carry_out(order, runs)
    carry_out(order, runs, anew=True)  # from the cache of replies
    assert calls() == paid
    carry_out(RunOrder(TASK, "openai:demo@whole", data, limit=3, seed=1))
    assert calls() == 2 * paid


def test_the_document_has_all_that_a_repetition_needs(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["bench", TASK, "--data", str(data), "--engine", "bm25", "--limit", "4", "--save", "--json"]
    assert main(words) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["n"], document["failed"], document["seed"], document["cost_usd"]) == (4, 0, 0, 0.0)
    repeat = document["repeat"]
    assert repeat["command"] == f"python -m core bench {TASK} --data PATH --engine bm25 --limit 4"
    assert len(repeat["data"]["sha256"]) == len(repeat["code_sha256"]) == 64
    assert {"python", "numpy", "vouch"} <= set(repeat["versions"])
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out) == document  # from the store, its seconds and all


def test_several_engines_and_tasks_are_one_document(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["bench", TASK, "evidencebench/er@10", "--data", str(data), "--limit", "2", "--json"]
    assert main([*words, "--engine", "bm25", "--engine", "offline"]) == 0
    found = [(run["task"], run["engine"]) for run in json.loads(capsys.readouterr().out)["runs"]]
    assert found == [(task, engine) for task in (TASK, "evidencebench/er@10") for engine in ("bm25", "offline")]


def test_a_mistake_in_the_last_order_is_told_before_the_first_begins(
    data: Path, asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", TASK, "--data", str(data), "--engine", "bm25", "--engine", "oracle"]) == 2
    assert "no engine called “oracle”" in capsys.readouterr().err
    assert asked == []


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"workers": 0}, "--workers is 0"),
        ({"at_once": 0}, "--at-once is 0"),
        ({"limit": 0}, "--limit is 0"),
        ({"workers": 2, "budget": Budget(usd=1)}, "kept by one process"),
        ({"workers": 2, "cluster": "tcp://127.0.0.1:1"}, "workers of its own"),
    ],
)
def test_orders_that_cannot_be_kept(data: Path, changes, told: str) -> None:
    with pytest.raises(QueryError, match=told):
        RunOrder(TASK, "bm25", data, **changes)


def test_saving_options_without_saving(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", TASK, "--data", str(data), "--anew"]) == 2
    assert "Add --save" in capsys.readouterr().err


# From a result back to its question, in the data of its run.


def test_a_row_leads_to_its_paper(tmp_path: Path) -> None:
    data = write_data(tmp_path)
    setup = carry_out(RunOrder(TASK, "bm25", data, limit=3)).setup
    item = item_of(setup, "item-2", tmp_path)
    assert item.question.query.hypothesis == "minutes 2"
    assert "centre 2" in item.question.paper.text
    with pytest.raises(DatasetError, match="no item “item-99”"):
        item_of(setup, "item-99", data)
    data.write_bytes(data.read_bytes() + b" ")
    with pytest.raises(DatasetError, match="checksum differs"):
        item_of(setup, "item-2", data)


# Where sentences stand: read again from the data of a run.

OF_LIBRARIES = {name for name in TASKS if name.startswith(("library/", "litqa2/", "contradetect/"))}
WITHOUT_PAPERS = {"bias/from-sentences", *OF_LIBRARIES}
WITHOUT_GOLD_SENTENCES = {
    "bias/from-sentences",
    "robbr/main",
    "robbr/sjs",
    "robbr/two-stages",
    "farebio/faithfulness",
    "summary/editors",
    "screening/criteria",
    *OF_LIBRARIES,
}


@pytest.mark.parametrize("name", TASKS)
def test_every_task_tells_its_paper_and_its_gold(name: str) -> None:
    task = task_named(name)
    items = [item for item in task.items(task.source(SAMPLE_DATA)) if not isinstance(item, BrokenRecord)]
    assert items
    assert all((paper_of(item) is None) == (name in WITHOUT_PAPERS) for item in items)
    with_gold = [item for item in items if gold_sentences(item) is not None]  # of an added fact no sentence tells
    assert bool(with_gold) == (name not in WITHOUT_GOLD_SENTENCES)


def test_gold_and_chosen_sentences_have_their_places() -> None:
    run = carry_out(RunOrder("evidencebench/er@10", "bm25", SAMPLE_DATA, limit=2))
    found = positions([run], SAMPLE_DATA)
    task = task_named("evidencebench/er@10")
    first, second = list(task.items(task.source(SAMPLE_DATA)))[:2]
    assert len(found.of[GOLD]) == len(gold_sentences(first)) + len(gold_sentences(second))
    assert len(found.of["bm25"]) == 20
    gold, last = gold_sentences(first), len(paper_of(first).sentences) - 1
    assert sorted(found.of[GOLD][: len(gold)]) == pytest.approx([index / last for index in sorted(gold)])
    assert all(0 <= place <= 1 for places in found.of.values() for place in places)


def test_other_data_are_refused(tmp_path: Path) -> None:
    run = carry_out(RunOrder("evidencebench/er@10", "bm25", write_data(tmp_path), limit=1))
    with pytest.raises(DatasetError, match="checksum differs"):
        positions([run], SAMPLE_DATA)


def test_a_task_without_papers_has_no_places() -> None:
    run = carry_out(RunOrder("bias/from-sentences", "offline", SAMPLE_DATA, limit=1))
    with pytest.raises(DatasetError, match="name no sentences"):
        positions([run], SAMPLE_DATA)
