"""What the figures of docs/references.md are made with, on two invented papers."""

from __future__ import annotations

import pytest

from core.references import Entry
from core.training import references

PAPERS = (
    Entry("a", "Randomised trial of naps in honey bees", ("Ada Rossi",), 2020, "10.1000/a", "1"),
    Entry("b", "Flight of bumble bees after continuous rainfall", ("Bo Ng",), 2018, "10.1000/b", "2"),
)


def test_every_duplicate_and_no_other_paper_is_pointed_out(capsys: pytest.CaptureFixture[str]) -> None:
    references._planted(PAPERS)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 17
    for line in lines:
        assert ("2 of 2 pointed out, 0 other pairs" if line.startswith("duplicate") else "0 of 2 pointed out") in line
        assert "0 wrongly" in line


def test_files_are_written_and_read_back(capsys: pytest.CaptureFixture[str]) -> None:
    references._files(PAPERS, PAPERS)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 6
    assert all("2 matched rightly, 0 wrongly" in line for line in lines)
