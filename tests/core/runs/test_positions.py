"""Where sentences stand: read again from the data of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.benchmarks.contents import gold_sentences, paper_of
from core.benchmarks.model import BrokenRecord
from core.benchmarks.samples import SAMPLE_DATA
from core.benchmarks.tasks import TASKS, task_named
from core.errors import DatasetError
from core.runs.order import Order, carry_out
from core.runs.positions import GOLD, positions
from tests.core.runs.sitting import write_data

WITHOUT_PAPERS = {"bias/from-sentences"}
WITHOUT_GOLD_SENTENCES = {
    "bias/from-sentences",
    "robbr/main",
    "robbr/sjs",
    "robbr/two-stages",
    "farebio/faithfulness",
    "summary/editors",
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
    run = carry_out(Order("evidencebench/er@10", "bm25", SAMPLE_DATA, limit=2))
    found = positions([run], SAMPLE_DATA)
    task = task_named("evidencebench/er@10")
    first, second = list(task.items(task.source(SAMPLE_DATA)))[:2]
    assert len(found.of[GOLD]) == len(gold_sentences(first)) + len(gold_sentences(second))
    assert len(found.of["bm25"]) == 20
    gold, last = gold_sentences(first), len(paper_of(first).sentences) - 1
    assert sorted(found.of[GOLD][: len(gold)]) == pytest.approx([index / last for index in sorted(gold)])
    assert all(0 <= place <= 1 for places in found.of.values() for place in places)


def test_other_data_are_refused(tmp_path: Path) -> None:
    run = carry_out(Order("evidencebench/er@10", "bm25", write_data(tmp_path), limit=1))
    with pytest.raises(DatasetError, match="checksum differs"):
        positions([run], SAMPLE_DATA)


def test_a_task_without_papers_has_no_places() -> None:
    run = carry_out(Order("bias/from-sentences", "offline", SAMPLE_DATA, limit=1))
    with pytest.raises(DatasetError, match="name no sentences"):
        positions([run], SAMPLE_DATA)
