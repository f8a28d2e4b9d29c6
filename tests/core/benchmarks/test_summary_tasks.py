"""FaReBio's tasks: figures by hand, failures in every denominator, and the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.__main__ import main
from core.benchmarks.model import Item, ItemResult, Response
from core.benchmarks.runner import here, run_task
from core.benchmarks.samples import SAMPLE_DATA
from core.benchmarks.summary_tasks import FAITHFULNESS, SUPPORT, ask, faithfulness, support
from core.benchmarks.task import EngineChoice
from core.llm.demo import DemoServer
from core.progress import silent

YES, NO = "supported", "not supported"
FILE = SAMPLE_DATA / "farebio" / "farebio_sample.json"


def labelled(gold: str, given: str | None, summary: str = "s1", error: str | None = None) -> ItemResult:
    response = Response(labels=(given,), error=error)
    return ItemResult("", summary[0], response, {"correct": 0.0}, category=summary, labels=(gold,))


def values(found: dict[str, object]) -> dict[str, float]:
    return {name: round(interval.value, 6) for name, interval in found.items()}  # type: ignore[attr-defined]


def test_the_figures_of_labels_by_hand() -> None:
    results = [
        labelled(YES, YES, "a1"),
        labelled(YES, NO, "a1"),
        labelled(NO, NO, "a2"),
        labelled(NO, YES, "a2"),
        labelled(YES, YES, "b1"),
        labelled(YES, YES, "b1"),
        labelled(NO, None, "b2"),
        labelled(YES, YES, "b2", error="no answer"),
    ]
    # Of 8: given YES 4 (three rightly), NO 2 (one rightly), none 2. Agreement 4/8; chance 5/8 * 4/8 + 3/8 * 2/8.
    chance = 26 / 64
    # Shares supported: gold 1, 0, 1, 1/2; given 1/2, 1/2, 1, 0: products 1/4, squares 11/16 and 1/2.
    assert values(faithfulness(results)) == {
        "kappa": round((0.5 - chance) / (1 - chance), 6),
        "agreement": 0.5,
        "recall not supported": round(1 / 3, 6),
        "precision not supported": 0.5,
        "given not supported": 0.25,
        "pearson": round(0.25 / (11 / 16 * 0.5) ** 0.5, 6),
        "spearman": round(2.25 / (4.5 * 4.5) ** 0.5, 6),
    }


def chosen(category: str, chosen: int, gold: int, both: int) -> ItemResult:
    scores = {"chosen": chosen, "gold": gold, "both": both}
    return ItemResult("", category, Response(), scores, category=category)


def test_the_figures_of_support_by_hand() -> None:
    results = [chosen("high", 2, 1, 1), chosen("high", 0, 2, 0), chosen("low", 2, 1, 1)]
    assert values(support(results)) == {
        "precision": 0.5,
        "recall": 0.5,
        "F1": 0.5,
        "precision high": 0.5,
        "recall high": round(1 / 3, 6),
        "F1 high": 0.4,
        "precision low": 0.5,
        "recall low": 1.0,
        "F1 low": round(2 / 3, 6),
    }


def test_bm25_on_the_sample_as_in_table_10() -> None:
    runs = {}
    for depth in (1, 2, 3):
        engine = SUPPORT.open(EngineChoice(f"bm25@{depth}"))
        runs[depth] = values(dict(run_task(SUPPORT, SUPPORT.items(FILE), here(SUPPORT, engine)).metrics))
    assert runs[1]["precision"] > runs[2]["precision"] > runs[3]["precision"]
    assert runs[1]["recall"] < runs[3]["recall"]
    assert runs[1]["F1 low"] > runs[1]["F1 high"]
    assert runs[1]["precision low"] == 1.0


def test_a_sentence_that_nobody_could_judge_is_no_item() -> None:
    assert len(list(FAITHFULNESS.items(FILE))) == 19
    assert len(list(SUPPORT.items(FILE))) == 13


def test_what_is_not_in_the_paper_was_chosen_and_can_be_nobodys_hit(demo: DemoServer) -> None:
    engine = SUPPORT.open(EngineChoice("openai:demo-invented"))
    run = run_task(SUPPORT, SUPPORT.items(FILE), here(SUPPORT, engine), limit=3)
    assert all(index < 0 for item in run.items for index in item.response.sentences)
    assert run.failed == 0
    assert run.metrics["precision"].value == 0.0


def test_gold_that_is_not_in_the_paper_stays_in_the_denominator(tmp_path: Path) -> None:
    rows = json.loads(FILE.read_text(encoding="utf-8"))[:1]
    rows[0]["support"] = ["Nobody wrote this sentence anywhere.", rows[0]["support"][0]]
    path = tmp_path / "farebio.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    engine = SUPPORT.open(EngineChoice("bm25@3"))
    run = run_task(SUPPORT, SUPPORT.items(path), here(SUPPORT, engine))
    assert run.items[0].scores == {"chosen": 3.0, "gold": 2.0, "both": 1.0}


def test_half_an_answer_is_a_failure(demo: DemoServer) -> None:
    engine = FAITHFULNESS.open(EngineChoice("openai:demo-cutjsonx1"))
    [item, *_] = FAITHFULNESS.items(FILE)
    assert isinstance(item, Item)
    response = ask(engine, replace(item.question, text="Sleep did not change. Tea did not help."), silent)
    assert response.error is not None
    assert response.error.startswith("The model's reply")


def test_a_failed_item_counts(demo: DemoServer) -> None:
    engine = FAITHFULNESS.open(EngineChoice("openai:demo-cutjson"))
    run = run_task(FAITHFULNESS, FAITHFULNESS.items(FILE), here(FAITHFULNESS, engine), limit=3)
    assert run.failed == len(run.items) == 3
    assert run.metrics["agreement"].value == 0.0
    assert run.usage is not None  # what was asked in vain counts, too
    assert run.usage.input_tokens


@pytest.mark.slow
def test_the_command_line(demo: DemoServer, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "farebio/faithfulness", "--data", str(FILE), "--engine", "openai:demo@label", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["n"], document["papers"], document["failed"]) == (19, 2, 0)
    assert set(document["metrics"]) >= {"kappa", "agreement", "recall not supported", "pearson", "spearman"}


def test_a_task_knows_what_it_will_cost() -> None:
    [item, *_] = SUPPORT.items(FILE)
    assert SUPPORT.estimate("bm25@1", item.question) is None  # type: ignore[union-attr]
    estimate = SUPPORT.estimate("openai:gpt-5@label", item.question)  # type: ignore[union-attr]
    assert estimate is not None
    assert estimate.calls == 1
