"""Files of lines that a killed process left in the middle of one."""

from __future__ import annotations

from pathlib import Path

from core.work.lines import mend_tail, whole_lines


def test_what_is_added_after_a_kill_is_a_line_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "done.jsonl"
    mend_tail(file)
    assert not file.exists()
    for left in ('{"a": 1}\n{"cut o', '{"a": 1}\n' + "x" * 70_000, '{"a": 1}\n'):
        file.write_text(left, encoding="utf-8")
        mend_tail(file)
        with file.open("a", encoding="utf-8") as added:
            added.write('{"b": 2}\n')
        assert list(whole_lines(file.read_text(encoding="utf-8").splitlines(keepends=True), file)) == [
            {"a": 1},
            {"b": 2},
        ]
    file.write_text("never ended", encoding="utf-8")
    mend_tail(file)
    assert file.read_bytes() == b""
