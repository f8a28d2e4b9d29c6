"""The tasks on risk of bias with a language model: what an answer used is counted, as was expected before."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from core.benchmarks.bias_tasks import FROM_SENTENCES
from core.benchmarks.model import BrokenRecord
from core.benchmarks.robbr_tasks import MAIN, SUPPORT_JUDGEMENTS, SUPPORT_SENTENCES, TWO_STAGES
from core.benchmarks.runner import here, run_task
from core.benchmarks.samples import SAMPLE_DATA
from core.benchmarks.task import AnyTask, EngineChoice
from core.llm.demo import DemoServer

ENGINE = "openai:gpt-5.4"  # its price is known; the demo server answers to any name


@pytest.fixture(autouse=True)
def own_home(demo: DemoServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Replies of another test are not taken for this one's."""
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path))


@pytest.mark.parametrize(
    ("task", "calls"), [(FROM_SENTENCES, 1), (MAIN, 1), (SUPPORT_SENTENCES, 1), (SUPPORT_JUDGEMENTS, 1)]
)
def test_what_is_expected_is_what_is_used(task: AnyTask, calls: int, demo: DemoServer) -> None:
    items = [item for item in task.items(task.source(SAMPLE_DATA)) if not isinstance(item, BrokenRecord)][:3]
    expected = [task.estimate(f"{ENGINE}@whole", item.question) for item in items]
    assert demo.desk.statistics()["calls"] == 0
    result = run_task(task, items, here(task, task.open(EngineChoice(ENGINE))))
    assert result.failed == 0
    assert demo.desk.statistics()["calls"] == calls * len(items)
    for estimate, item in zip(expected, result.items, strict=True):
        assert estimate is not None
        assert item.response.usage is not None
        assert (estimate.calls, estimate.input_tokens) == (
            calls,
            pytest.approx(item.response.usage.input_tokens, rel=0.2),
        )
    assert result.cost_usd is not None
    assert result.cost_usd > 0
    assert "bias-frame" in result.prompts
    assert task.estimate("offline", items[0].question) is None


def test_both_stages_are_paid_for() -> None:
    items = list(islice(TWO_STAGES.items(TWO_STAGES.source(SAMPLE_DATA)), 2))
    cost = {}
    for name in (f"gold+{ENGINE}", f"{ENGINE}+{ENGINE}", f"{ENGINE}+offline"):
        result = run_task(TWO_STAGES, items, here(TWO_STAGES, TWO_STAGES.open(EngineChoice(name, seed=len(cost)))))
        assert result.failed == 0
        assert result.cost_usd is not None
        cost[name] = result.cost_usd
    judging, both, finding = cost.values()
    assert both > max(judging, finding) > 0


def test_an_answer_in_vain_is_paid_for_too() -> None:
    items = list(islice(FROM_SENTENCES.items(FROM_SENTENCES.source(SAMPLE_DATA)), 2))
    result = run_task(
        FROM_SENTENCES, items, here(FROM_SENTENCES, FROM_SENTENCES.open(EngineChoice("openai:demo-prose")))
    )
    assert result.failed == 2
    assert all(item.response.usage is not None for item in result.items)
    assert result.metrics["macro-F1"].value == 0.0
