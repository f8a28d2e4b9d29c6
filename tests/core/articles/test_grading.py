"""Blinded statements and their figures."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from core.__main__ import main
from core.articles.grading import Grade, GradedStatement, drawn, figures, grade_from, statements_of_text
from core.errors import QueryError

OTHER = """Heading

Magnesium relieves cramps in some people [3]. It causes loose stools (Rossi, 2019). Nobody knows why it does."""


def graded(origin: str, *grades: str) -> tuple[list[GradedStatement], dict[str, Grade]]:
    statements = [GradedStatement(f"{origin}{place}", origin, "It is so.", ()) for place in range(len(grades))]
    given = {one.id: Grade(grade) for one, grade in zip(statements, grades, strict=True) if grade}
    return statements, given


def test_another_text_is_cut_into_statements_with_its_citations() -> None:
    found = list(statements_of_text(OTHER))
    assert [one.sources for one in found] == [("[3]",), ("(Rossi, 2019)",), ()]
    assert {one.origin for one in found} == {"other"}
    assert drawn(found, 1) == drawn(found, 1) != drawn(found, 5)
    assert sorted(one.id for one in drawn([*found, *found], 1)) == sorted(one.id for one in found)


def test_shares_are_of_what_was_graded_and_precision_of_what_is_cited() -> None:
    ours, of_ours = graded("article", *["cited and supported"] * 8, "missing citation", "cited and unsupported", "")
    theirs, of_theirs = graded("other", "cited and supported", "missing citation")
    found = figures([*ours, *theirs], of_ours | of_theirs)
    supported, precision = found["article"]["cited and supported"], found["article"]["precision"]
    assert (supported.count, supported.of, supported.share) == (8, 10, 80.0)
    assert (supported.low, supported.high) == (49.0, 94.3)  # Wilson's interval of 8 in 10, by hand
    assert (precision.count, precision.of) == (8, 9)
    assert found["other"]["precision"].of == 1
    with pytest.raises(QueryError, match="No statement is graded"):
        figures(ours, {})


def test_a_word_that_is_no_grade_is_told() -> None:
    assert grade_from("  Cited and  supported ") is Grade.SUPPORTED
    assert grade_from(" ") is None
    with pytest.raises(QueryError, match="is no grade"):
        grade_from("good")


def test_the_command_reads_the_list_and_its_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "list.csv"
    with file.open("w", encoding="utf-8", newline="") as table:
        rows = csv.writer(table)
        rows.writerows([("id", "grade"), ("a", "cited and supported"), ("b", ""), ("c", "missing citation")])
    assert main(["grades", str(file)]) == 2
    assert "list.key.json" in capsys.readouterr().err
    (tmp_path / "list.key.json").write_text(json.dumps({"a": "article", "b": "article", "c": "other"}))
    assert main(["grades", str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["article"]["cited and supported"]["of"] == 1
    assert found["other"]["missing citation"]["share"] == 100.0
    (tmp_path / "list.key.json").write_text("{}")
    assert main(["grades", str(file)]) == 2
    assert "is not in" in capsys.readouterr().err
