"""`consort/support`: which sentences count, how they are averaged, and what becomes of failures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from core.benchmarks.answering import here
from core.benchmarks.bias_tasks import SUPPORT
from core.benchmarks.model import Response, Run
from core.benchmarks.record_fields import all_whole
from core.benchmarks.runner import run_task
from core.benchmarks.support import SupportItem, hits, read_support_items, summary
from core.bias import Domain, StudyContext
from core.bias.engines import bias_engine_named
from core.bias.model import Retrieved, Support
from core.errors import DatasetError, EngineUnavailable
from core.paper import Paper
from core.progress import Progress, silent
from tests.core.benchmarks.trial_file import trial_file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "train.json"
    path.write_bytes(trial_file())
    return path


def run(engine: Any, items: Sequence[SupportItem], limit: int | None = None) -> Run:
    return run_task(SUPPORT, items, here(SUPPORT, engine), limit=limit)


class Oracle:
    """Finds the gold, but fails on one domain."""

    name = "oracle"

    def __init__(self, path: Path) -> None:
        self._gold = {
            (item.question.paper.id, item.category): item.gold for item in all_whole(read_support_items(path))
        }

    def support(
        self, domain: Domain, paper: Paper, study: StudyContext, *, k: int, progress: Progress = silent
    ) -> Retrieved:
        if domain.id == "concealment":
            raise EngineUnavailable("not today")
        wrong = [Support(0), Support(1)] if domain.id == "blinding" else []
        return Retrieved((*wrong, *(Support(index) for index in self._gold[paper.id, domain.id]))[:k])


def test_each_domain_counts_alike_and_a_failure_counts_as_a_failure(file: Path) -> None:
    result = run(Oracle(file), read_support_items(file))
    assert result.failed == 3
    values = {name: found.value for name, found in result.metrics.items()}
    assert values == {
        "sequence hit@1": 1.0,
        "concealment hit@1": 0.0,
        "blinding hit@1": 0.0,
        "attrition hit@1": 1.0,
        "reporting hit@1": 1.0,
        "average hit@1": pytest.approx(0.6),
        "sequence hit@3": 1.0,
        "concealment hit@3": 0.0,
        "blinding hit@3": 1.0,
        "attrition hit@3": 1.0,
        "reporting hit@3": 1.0,
        "average hit@3": pytest.approx(0.8),
    }


def test_a_domain_without_a_sentence_is_no_item(file: Path) -> None:
    file.write_bytes(trial_file(1).replace(b'"8a"', b'"8b"'))
    items = all_whole(read_support_items(file))
    assert [item.category for item in items] == ["concealment", "blinding", "attrition", "reporting"]
    found = summary([("PMC0", hits(item, Response())) for item in items])
    assert "sequence hit@1" not in found
    with pytest.raises(DatasetError, match="no item"):
        run(Oracle(file), [])


@pytest.mark.parametrize("name", ["offline", "bm25"])
def test_the_engines_that_need_no_encoder_run_it(file: Path, name: str) -> None:
    result = run(bias_engine_named(name), read_support_items(file), limit=10)
    assert (result.engine, len(result.items), result.failed) == (name, 10, 0)
    assert all(len(item.response.sentences) == 3 for item in result.items)
    if name == "offline":
        assert result.metrics["average hit@3"].value == 1.0


def test_the_shipped_model_on_the_real_papers(shared_data: Path) -> None:
    """Of papers that it was trained on: this shows that the shipped file is the trained one, no more."""
    items = read_support_items(shared_data / "consort_tm" / "train30.json")
    result = run(bias_engine_named("offline"), items, limit=30)
    assert result.metrics["average hit@1"].value > 0.9
