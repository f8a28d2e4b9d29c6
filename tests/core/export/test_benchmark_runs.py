"""Runs as tables: figures, published ones beside them, and pairs, in three formats."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from core.benchmarks.model import CompleteRun
from core.benchmarks.published import published
from core.benchmarks.run_comparison import compared
from core.benchmarks.samples import SAMPLE_DATA
from core.export.benchmark_runs import (
    COLUMNS,
    HERE,
    comparison_rows,
    number,
    result_table,
    results_csv,
    results_latex,
    results_markdown,
    with_unique_names,
)
from core.export.table import table_latex, table_markdown
from core.runs import RunOrder, carry_out

TASK = "robbr/ssr"


@pytest.fixture(scope="module")
def runs() -> tuple[CompleteRun, ...]:
    return tuple(carry_out(RunOrder(TASK, engine, SAMPLE_DATA)) for engine in ("bm25", "embedding"))


def test_ours_come_first_and_published_ones_name_their_table(runs: tuple[CompleteRun, ...]) -> None:
    table = result_table(runs, published(TASK))
    assert [(row.system, row.source) for row in table.rows[:2]] == [("bm25", HERE), ("embedding", HERE)]
    assert {row.source for row in table.rows[2:]} == {"RoBBR, table 3 and 13"}
    own = runs[0].run.metrics["aspect_recall"]
    assert table.rows[0].figures["aspect_recall"].in_words("aspect_recall") == (
        f"{100 * own.value:.1f} ({100 * own.low:.1f} to {100 * own.high:.1f})"
    )


def test_few_items_say_so_beside_published_figures(runs: tuple[CompleteRun, ...]) -> None:
    table = result_table(runs, published(TASK))
    for text in (results_markdown(table, note="Note."), results_latex(table, note="Note.")):
        assert "17 (few)" in text
        assert "fewer than 100 items" in text
    alone = results_markdown(result_table(runs), note="Note.")
    assert "few" not in alone


def test_the_csv_has_exact_figures_in_columns_of_their_own(runs: tuple[CompleteRun, ...]) -> None:
    rows = list(csv.DictReader(io.StringIO(results_csv(result_table(runs, published(TASK))).lstrip("\ufeff"))))
    own = runs[0].run.metrics["aspect_recall"]
    assert float(rows[0]["aspect_recall low"]) == own.low
    assert rows[0]["failed"] == "0"
    assert (rows[-1]["items"], rows[-1]["aspect_recall low"]) == ("", "")


def test_markdown_and_latex_have_a_line_a_system(runs: tuple[CompleteRun, ...]) -> None:
    table = result_table(runs)
    assert results_markdown(table, note="A note.").count("\n| ") == 3
    latex = results_latex(table, note="A note.")
    assert latex.count(r"\\") == 3
    assert r"aspect\_recall" in latex


def test_what_has_a_meaning_in_a_format_is_escaped() -> None:
    rows = [{"a": "x|y *z*", "b": "50 % & \\more_"}]
    assert r"x\|y \*z\*" in table_markdown(["a", "b"], rows)
    assert r"50 \% \& \textbackslash{}more\_" in table_latex(["a", "b"], rows, caption="")


def test_coefficients_are_no_percentages() -> None:
    assert (number("kappa", 0.425), number("agreement", 0.425)) == ("0.42", "42.5")


def test_two_runs_of_one_engine_are_told_apart(runs: tuple[CompleteRun, ...]) -> None:
    seeded = replace(runs[0], setup=replace(runs[0].setup, seed=3))
    assert [run.run.engine for run in with_unique_names([runs[0], seeded])] == ["bm25", "bm25, seed 3"]
    again = replace(runs[0], origin=replace(runs[0].origin, started=runs[0].origin.started.replace(year=2020)))
    names = {run.run.engine for run in with_unique_names([runs[0], again])}
    assert len(names) == 2
    assert any(name.startswith("bm25, 2020-") for name in names)


def test_pairs_have_a_row_each(runs: tuple[CompleteRun, ...]) -> None:
    found = compared([run.run for run in runs])
    rows = comparison_rows(found)
    assert len(rows) == len(found) == 1
    assert tuple(rows[0]) == COLUMNS
    assert (rows[0]["first"], rows[0]["second"]) == ("bm25", "embedding")
    assert float(rows[0]["second minus first"]) == pytest.approx(100 * found[0].difference.value, abs=0.051)
