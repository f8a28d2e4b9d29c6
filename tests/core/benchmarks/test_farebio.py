"""Labelled summaries: layouts, what is wrong with a file, and gold beside a checked summary."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.benchmarks.farebio import (
    GoldSentence,
    GoldSummary,
    as_csv,
    converted,
    gold_for_paper,
    gold_overlay,
    read_farebio,
    records_in,
)
from core.benchmarks.samples import SAMPLE_DATA
from core.errors import DatasetError, QueryError
from core.paper import Kind, SectionKind, read_paper
from core.summary import WRONG, FaithfulnessReport, Label, QuoteStatus, SentenceCheck, SummarySource

# ---- farebio ----
# Labelled summaries: our layout, other layouts brought into it, and what is wrong with a file.

ROW: dict[str, Any] = {
    "paper": "p1",
    "title": "Tea and mood",
    "authors": ["A. Sample", "B. Example"],
    "abstract": "Tea made people happier than water did. Sleep did not change.",
    "section": "Background",
    "section_text": "Many people drink tea.\nNobody knows why.",
    "summary": "model-a",
    "text": "People who drank tea were happier.",
    "label": "supported",
    "support": ["Tea made people happier ... water did.", "A sentence that nobody ever wrote down."],
}


def rows(*changes: dict[str, Any]) -> bytes:
    return json.dumps([ROW | change for change in changes]).encode()


def test_a_row_is_a_paper_a_summary_and_gold() -> None:
    [summary] = read_farebio(rows({}), name="x.json").summaries
    assert (summary.id, summary.paper_id) == ("p1/model-a", "p1")
    paper = summary.paper
    assert (paper.title, paper.authors) == ("Tea and mood", ("A. Sample", "B. Example"))
    assert [(section.title, section.kind) for section in paper.sections[-2:]] == [
        ("Abstract", SectionKind.ABSTRACT),
        ("Background", SectionKind.INTRODUCTION),
    ]
    kinds = [sentence.kind for sentence in paper.sentences]
    assert kinds.count(Kind.ABSTRACT) == kinds.count(Kind.BODY) == 2
    [gold] = summary.sentences
    assert gold.labels == (Label.SUPPORTED,)
    found, lost = gold.support
    assert paper.sentences[found.index or 0].text == "Tea made people happier than water did."
    assert (found.status, lost.index) == (QuoteStatus.REPAIRED, None)


def test_the_paper_may_be_told_in_one_row_and_rows_may_be_mixed() -> None:
    bare = dict.fromkeys(("title", "authors", "abstract", "section", "section_text"), "")
    data = rows({**bare, "summary": "b"}, {"summary": "a"}, {**bare, "summary": "b", "text": "Two."})
    file = read_farebio(data, name="x.json")
    assert [(summary.id, len(summary.sentences)) for summary in file.summaries] == [("p1/b", 2), ("p1/a", 1)]
    assert file.summaries[0].paper == file.summaries[1].paper


@pytest.mark.parametrize(
    ("changes", "abstractive"),
    [
        ({"text": "Sleep did not change."}, False),
        ({"text": "Nights stayed as they were."}, True),
        ({"text": "Sleep did not change.", "abstractiveness": "high"}, True),
        ({"text": "Nights stayed as they were.", "abstractiveness": "low"}, False),
    ],
)
def test_abstractiveness_is_told_or_measured(changes: dict[str, Any], abstractive: bool) -> None:
    [summary] = read_farebio(rows(changes), name="x.json").summaries
    assert summary.abstractive is abstractive


@pytest.mark.parametrize(
    ("kept", "labels", "on_scale"),
    [
        ({"label": "supported"}, (Label.SUPPORTED,), "supported"),
        ({"label": "not supported", "kind": "contradicts the paper"}, (Label.CONTRADICTS,), "not supported"),
        ({"label": "not supported", "kind": "not in the paper"}, (Label.NOT_IN_PAPER,), "not supported"),
        ({"label": "not supported"}, WRONG, "not supported"),
        ({"label": "not in the paper"}, (Label.NOT_IN_PAPER,), "not supported"),
        ({"label": "not judgeable"}, (Label.NOT_JUDGED,), None),
        ({"label": "cannot tell"}, (Label.CANNOT_TELL,), None),
    ],
)
def test_labels_of_older_files_are_read_as_they_are_called_now(
    kept: dict[str, Any], labels: tuple[Label, ...], on_scale: str | None
) -> None:
    for data in (rows(kept), as_csv(converted([ROW | kept], {}, {})).encode()):
        [summary] = read_farebio(data, name="x").summaries
        assert (summary.sentences[0].labels, summary.sentences[0].on_scale) == (labels, on_scale)


def test_a_row_that_is_wrong_is_named_and_the_others_stay() -> None:
    file = read_farebio(rows({"label": "maybe"}, {}, {"text": ""}), name="x.json")
    assert len(file.summaries[0].sentences) == 1
    assert [str(record)[:30] for record in file.broken] == [
        "“x.json”, record 1, label: inp",
        "“x.json”, record 3, text: fiel",
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[]", "holds no row"),
        (b"[1]", "something other than records"),
        (b'{"a": ', "neither CSV nor JSON"),
        (b"\xff\xfe\x00", "neither CSV nor JSON"),
        (b"colour,size\nred,2\n", "record 1, paper: field required"),
        (rows({"abstract": "", "section_text": ""}), "tells its abstract"),
    ],
)
def test_a_file_that_is_none_is_told(data: bytes, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        read_farebio(data, name="x.json")


def test_csv_says_the_same_as_json() -> None:
    data = rows({}, {"text": "Tea, “cold”, is bad.", "label": "not supported", "kind": "contradicts the paper"})
    table = as_csv(converted(json.loads(data), {}, {})).encode()
    assert read_farebio(table, name="x.csv") == read_farebio(data, name="x.json")


def test_the_sample_is_the_same_in_both_forms() -> None:
    files = [
        read_farebio((SAMPLE_DATA / "farebio" / f"farebio_sample.{form}").read_bytes(), name=form)
        for form in ("csv", "json")
    ]
    assert files[0].summaries == files[1].summaries
    sentences = [sentence for summary in files[0].summaries for sentence in summary.sentences]
    assert len(sentences) == 20
    assert [sum(one.labels == (label,) for one in sentences) for label in Label] == [13, 3, 3, 0, 1]
    assert all(support.status is QuoteStatus.EXACT for one in sentences for support in one.support)


THEIRS = "Paper ID;Model;Sentence;Faithful?;Why\nx;GPT;Tea helps.;Yes;\nx;GPT;Tea cures.;NO;extrinsic\nx;GPT;Eh;odd;\n"
COLUMNS = {"paper": "Paper ID", "summary": "Model", "text": "Sentence", "label": "Faithful?", "kind": "Why"}


def test_columns_and_values_of_another_layout_are_named() -> None:
    records = converted(records_in(THEIRS.encode(), name="x.csv"), COLUMNS, {"ODD": "not judgeable"})
    assert records == [
        {"paper": "x", "summary": "GPT", "text": "Tea helps.", "label": Label.SUPPORTED},
        {
            "paper": "x",
            "summary": "GPT",
            "text": "Tea cures.",
            "label": Label.NOT_IN_PAPER,
        },
        {"paper": "x", "summary": "GPT", "text": "Eh", "label": "not judged"},
    ]


@pytest.mark.parametrize(
    ("columns", "message"),
    [({"colour": "Model"}, "no column “colour”. Its columns are"), ({"text": "Words"}, "It has: Faithful?, Model")],
)
def test_a_wrong_column_is_told(columns: dict[str, str], message: str) -> None:
    with pytest.raises(QueryError, match=message.replace("?", r"\?")):
        converted(records_in(THEIRS.encode(), name="x.csv"), columns, {})


def test_json_lines_and_other_delimiters_are_read() -> None:
    assert records_in(b'{"a": 1}\n{"a": 2}\n', name="x") == [{"a": 1}, {"a": 2}]
    assert records_in(b"\xef\xbb\xbfa\tb\n1\t2\n", name="x") == [{"a": "1", "b": "2"}]


def test_a_cell_may_hold_a_whole_paper_and_an_id_may_be_a_number() -> None:
    text = "Tea made people happier. " * 20_000
    data = as_csv([ROW | {"section_text": text}]).encode()
    assert len(read_farebio(data, name="x.csv").summaries[0].paper.sentences) > 20_000
    assert read_farebio(rows({"paper": 12}), name="x.json").summaries[0].paper_id == "12"


def test_a_line_with_too_many_cells_is_read_without_them() -> None:
    assert len(read_farebio(b"paper,summary,text,label,abstract\np,s,T.,supported,A.,x,y\n", name="x").summaries) == 1


def test_support_sentences_of_one_cell_are_set_apart() -> None:
    records = [{"support": "One. || Two."}, {"support": ""}]
    assert [row.get("support") for row in converted(records, {}, {}, "||")] == [["One.", "Two."], None]


def test_papers_without_a_name_are_told_apart_by_their_texts() -> None:
    records = [{"abstract": "Tea.", "text": "A"}, {"abstract": "Tea.", "text": "B"}, {"abstract": "Milk.", "text": "C"}]
    one, two, three = converted(records, {}, {})
    assert one["paper"] == two["paper"] != three["paper"]
    assert {row["summary"] for row in (one, two, three)} == {"summary"}


# ---- summary gold ----
# Gold laid over a checked summary.

PAPER = read_paper((SAMPLE_DATA / "leg-cramps.xml").read_bytes(), name="leg-cramps.xml")
FILE = read_farebio((SAMPLE_DATA / "farebio" / "farebio_sample.csv").read_bytes(), name="sample.csv")
YES, NO, UNTOLD = Label.SUPPORTED, Label.NOT_IN_PAPER, Label.NOT_JUDGED


def gold(*sentences: tuple[str, Label]) -> GoldSummary:
    return GoldSummary(
        "p/s", "p", PAPER, tuple(GoldSentence(text, (label,), None, (), "") for text, label in sentences), False
    )


def report(*sentences: tuple[str, Label]) -> FaithfulnessReport:
    checks = tuple(SentenceCheck(text, 0, len(text), label, None) for text, label in sentences)
    return FaithfulnessReport("", "", "demo", SummarySource.FRONT, checks, 0.0)


def test_the_samples_gold_is_known_by_the_papers_title() -> None:
    assert [summary.id for summary in gold_for_paper(FILE, PAPER)] == ["leg-cramps/plain", "leg-cramps/close"]


def test_missed_and_false_alarms() -> None:
    labels = (("One.", YES), ("Two.", NO), ("Three.", NO), ("Four.", YES), ("Five.", UNTOLD), ("Six.", YES))
    given = (("One", YES), ("“Two.”", NO), ("Three.", YES), ("Four.", NO), ("Five.", NO), ("Seven.", YES))
    found = gold_overlay(report(*given), gold(*labels))
    assert [one and one.text for one in found.gold] == ["One.", "Two.", "Three.", "Four.", "Five.", None]
    assert [one.text for one in found.unmatched] == ["Six."]
    assert (found.missed, found.false_alarms) == ((2,), (3,))
    assert found.agreement == 0.5  # of four; chance is 1/2 too
    assert found.kappa == pytest.approx(0.0)


def test_a_sentence_without_a_label_is_missed_and_disagrees() -> None:
    found = gold_overlay(report(("One.", UNTOLD)), gold(("One.", NO)))
    assert (found.missed, found.false_alarms, found.agreement) == ((0,), (), 0.0)


def test_sentences_that_the_file_splits_otherwise() -> None:
    labels = (("It rose", YES), ("by 3 vs. 4 points.", NO), ("Both fell. Both slept.", YES))
    given = (("It rose by 3 vs. 4 points.", NO), ("Both fell.", YES), ("Both slept.", YES))
    found = gold_overlay(report(*given), gold(*labels))
    assert [one and one.labels for one in found.gold] == [(NO,), (YES,), (YES,)]
    assert found.unmatched == ()


def test_nothing_to_agree_on() -> None:
    found = gold_overlay(report(("One.", YES)), gold(("Two.", YES)))
    assert (found.agreement, found.kappa, found.gold) == (None, None, (None,))
