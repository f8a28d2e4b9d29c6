"""From a result back to its question, in the data of its run."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import DatasetError
from core.runs.lookup import item_of
from core.runs.order import Order, carry_out
from tests.core.runs.sitting import TASK, write_data


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
