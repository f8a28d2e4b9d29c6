"""A comparison as tables and as a page."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import UTC, datetime

from core.benchmarks.gold import Gold
from core.benchmarks.side_by_side.model import ComparedTopic, Comparison, Side, TopicAnswer
from core.engines import TaskKind
from core.export.side_by_side import comparison_page, figures_table, pairs_table, sentences_table, topics_table
from core.paper import Paper, read_paper

TEXT = b"# Tea & <b>pain</b>\n\n## Results\n\nPain fell with tea. <script>alert(1)</script> was typed here. Sleep was the same.\n"
DATE = datetime(2026, 1, 2, tzinfo=UTC)


def paper() -> Paper:
    return read_paper(TEXT, name="tea.md")


def compared() -> Comparison:
    first, second, third = (sentence.index for sentence in paper().sentences[-3:])
    sides = (
        Side("A", "=bm25", (TopicAnswer((first, second)),), 0.5),
        Side("B", "openai:m", (TopicAnswer((second,)),), 2.0, None),
        Side("C", "other", error="No key is set."),
    )
    gold = Gold({"a": frozenset({first}), "b": frozenset({third})})
    return Comparison(
        TaskKind.EVIDENCE, "Tea < pain", (ComparedTopic("Tea < pain", gold),), sides, pool=frozenset(range(5))
    )


def test_the_engines_with_what_failed_and_what_is_unknown() -> None:
    one, two, three = figures_table(compared()).rows
    assert (one["sentences"], one["by it alone"], one["aspect recall"]) == (2, 1, 0.5)
    assert two["cost in $"] is None
    assert three["failed"] == "No key is set."
    assert three["sentences"] is None
    assert "stays (Jaccard)" in figures_table(compared()).columns
    assert "stays (Jaccard)" not in figures_table(compared()).filled  # nobody was asked again
    assert pairs_table(compared()).rows[0]["Jaccard"] == 0.5


def test_every_sentence_with_who_chose_it_and_the_gold() -> None:
    table = sentences_table(compared(), paper())
    rows = list(csv.DictReader(io.StringIO(table.csv().removeprefix("\ufeff"))))
    assert [(row["chosen by"], row["rank A"], row["rank B"], row["gold"]) for row in rows] == [
        ("A", "1", "", "gold"),
        ("AB", "2", "1", "not gold"),
        ("", "", "", "gold, missed"),
    ]
    assert "rank C" not in rows[0]


def test_the_tables_are_safe_in_every_format() -> None:
    table = figures_table(compared())
    assert "'=bm25" in table.csv()
    assert table.markdown().startswith("|  | engine |")
    assert r"\toprule" in table.latex()


def test_labels_have_a_table_of_their_own() -> None:
    sides = (Side("A", "x", (TopicAnswer((), "low"),)), Side("B", "y", (TopicAnswer((), None),)))
    comparison = Comparison(
        TaskKind.BIAS, "RoB 1", (ComparedTopic("Blinding", gold_label="high"),), sides, ("low", "high")
    )
    assert topics_table(comparison).rows == ({"topic": "Blinding", "A x": "low", "B y": None, "gold": "high"},)


def test_the_page_needs_nothing_beside_it_and_escapes_what_others_wrote() -> None:
    page = comparison_page(compared(), paper(), date=DATE)
    assert "<script>" not in page
    assert "http" not in page.replace("http-equiv", "")
    assert "Tea &lt; pain" in page
    assert "Chosen by both" in page
    assert "In gold, and chosen by none" in page
    assert page.count("data-disputed>") + page.count("data-disputed ") == 1
    assert page.count(" data-all-wrong>") + page.count(" data-all-wrong ") == 2


def test_without_gold_there_is_nothing_to_be_wrong_about() -> None:
    found = compared()
    page = comparison_page(replace(found, topics=(ComparedTopic("h"),)), paper(), date=DATE)
    assert "Only one wrong" not in page
