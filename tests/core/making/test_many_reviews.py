"""Many reviews stream: memory does not grow with their number, and killed in the middle of them a run ends with the same files."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from core.llm.demo.inline import InlineDemo
from core.training.making import making_of, write_synthetic


def peak_of(folder: Path, reviews: int) -> int:
    """The most memory in bytes that making these takes, beyond what was there before."""
    write_synthetic(folder, reviews)
    tracemalloc.start()
    try:
        making_of(folder, folder / "made").asking(InlineDemo(), at_once=1)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_reviews(tmp_path: Path) -> None:
    peak_of(tmp_path / "warm", 3)  # templates, and what libraries keep
    few, many = peak_of(tmp_path / "few", 20), peak_of(tmp_path / "many", 80)
    assert (tmp_path / "many" / "made" / "done.jsonl").read_bytes().count(b"\n") == 81
    assert many < 2 * few  # four times as many reviews


def test_an_asker_that_fails_leaves_what_is_done_and_the_run_goes_on(tmp_path: Path) -> None:
    class Failing(InlineDemo):
        asked = 0

        def ask_all(self, requests, *, progress=lambda done, step: None):  # type: ignore[no-untyped-def]
            self.asked += len(requests)
            if self.asked > 40:
                raise KeyboardInterrupt
            return super().ask_all(requests, progress=progress)

    write_synthetic(tmp_path, 12)
    making_of(tmp_path, tmp_path / "whole").asking(InlineDemo(), at_once=1)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            making_of(tmp_path, tmp_path / "broken").asking(Failing(), at_once=1)
    making_of(tmp_path, tmp_path / "broken").asking(InlineDemo(), at_once=3)
    for name in ("done.jsonl", "evidencebench_train_set.json", "datasheet.json"):
        assert (tmp_path / "broken" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
