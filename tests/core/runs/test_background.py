"""What a page needs of a run: to begin it, look at it, cancel it, go on, and open a row."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import DatasetError
from core.evidence.bm25 import Bm25Engine
from core.runs.background import BackgroundRun
from core.runs.lookup import item_of
from core.runs.order import Order, carry_out
from core.settings import Settings
from core.store import Runs, open_store
from tests.core.runs.sitting import ITEMS, TASK, write_data

LONG = 60.0  # seconds in which anything must have ended


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return open_store(Settings(home=tmp_path / "home", data=None)).runs


def test_a_run_in_the_background_is_cancelled_and_gone_on_with(
    tmp_path: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = Order(TASK, "bm25", write_data(tmp_path))
    find = Bm25Engine.find

    def cancelling(self, paper, query, **others):
        if query.hypothesis.endswith(" 9"):
            first.cancel()
        return find(self, paper, query, **others)

    with monkeypatch.context() as patch:
        patch.setattr(Bm25Engine, "find", cancelling)
        first = BackgroundRun(order, runs)
        assert first.wait(LONG)
    assert (first.cancelled, first.complete, first.error) == (True, None, None)
    assert first.standing
    assert 0 < first.standing.done < ITEMS
    second = BackgroundRun(order, runs)
    assert second.wait(LONG)
    assert second.complete
    assert len(second.complete.run.items) == ITEMS
    assert second.standing
    assert second.standing.share == 1.0


def test_what_a_run_fails_with_is_there_to_be_shown(tmp_path: Path, runs: Runs) -> None:
    run = BackgroundRun(Order(TASK, "bm25", tmp_path), runs)
    assert run.wait(LONG)
    assert isinstance(run.error, DatasetError)


def test_a_row_leads_to_its_paper(tmp_path: Path) -> None:
    data = write_data(tmp_path)
    setup = carry_out(Order(TASK, "bm25", data, limit=3)).setup
    item = item_of(setup, "item-2", tmp_path)
    assert item.question.query.hypothesis == "minutes 2"
    assert "centre 2" in item.question.paper.text
    with pytest.raises(DatasetError, match="no item “item-99”"):
        item_of(setup, "item-99", data)
    data.write_bytes(data.read_bytes() + b" ")
    with pytest.raises(DatasetError, match="checksum differs"):
        item_of(setup, "item-2", data)
