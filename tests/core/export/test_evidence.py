import csv
import io
import json
from datetime import UTC, datetime

import pytest

from core import __version__
from core.evidence.model import Decision, Evidence, EvidenceQuery, EvidenceSentence, Stance
from core.export.evidence import EvidenceReview, evidence_csv, evidence_json, rows_of
from core.paper import Paper, read_paper

DATE = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
HOSTILE = '=HYPERLINK("http://bad.example","a, b") & more'
PAPER = f"""# Tea and sleep

doi: 10.5555/tea.1

## Results

Sleep was 31 minutes shorter, “p” < 0.001.

{HOSTILE}

+1 is a start.

Nobody left.
"""


def _paper() -> Paper:
    return read_paper(PAPER.encode(), name="=tea.md")


def _index(paper: Paper, start: str) -> int:
    return next(s.index for s in paper.sentences if s.text.startswith(start))


def _review(paper: Paper) -> EvidenceReview:
    chosen = (
        EvidenceSentence(_index(paper, "Sleep"), 1.5, Stance.SUPPORTS, "@says so"),
        EvidenceSentence(_index(paper, "=HYPER"), -0.25),
    )
    query = EvidenceQuery("-Tea shortens sleep.", k=2)
    evidence = Evidence("offline", query, chosen, seconds=0.1, cost_usd=0.0, notes=("No model here.",))
    decisions = {
        _index(paper, "Sleep"): Decision.ACCEPTED,
        _index(paper, "Nobody"): Decision.ADDED,
        _index(paper, "+1"): Decision.REJECTED,
    }
    return EvidenceReview(paper.id, evidence, decisions)


def _csv_rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_csv_rows_in_order_with_decisions() -> None:
    paper = _paper()
    rows = _csv_rows(evidence_csv(paper, _review(paper), date=DATE))
    assert [(row["rank"], row["decision"]) for row in rows] == [
        ("1", "accepted"),
        ("2", "undecided"),
        ("", "rejected"),
        ("", "added"),
    ]
    first = rows[0]
    assert first["text"] == "Sleep was 31 minutes shorter, “p” < 0.001."
    assert (first["section"], first["section_kind"], first["kind"]) == ("Results", "results", "body")
    assert (first["page"], first["score"], first["stance"]) == ("", "1.5", "supports")
    assert (first["engine"], first["date"]) == ("offline", "2026-11-20T09:30:00+00:00")
    assert (first["paper_title"], first["doi"], first["paper_id"]) == ("Tea and sleep", "10.5555/tea.1", paper.id)
    assert first["vouch_version"] == __version__
    assert first["sentence"] == str(_index(paper, "Sleep"))
    assert (first["gold"], first["aspects"]) == ("", "")


def test_csv_neutralises_formulas_in_every_text_cell_and_leaves_numbers() -> None:
    paper = _paper()
    rows = _csv_rows(evidence_csv(paper, _review(paper), date=DATE))
    assert rows[1]["text"] == f"'{HOSTILE}"
    assert rows[2]["text"] == "'+1 is a start."
    assert rows[0]["hypothesis"] == "'-Tea shortens sleep."
    assert rows[0]["file"] == "'=tea.md"
    assert rows[0]["rationale"] == "'@says so"
    assert rows[1]["score"] == "-0.25"
    for row in rows:
        assert not [cell for key, cell in row.items() if key != "score" and cell.startswith(("=", "+", "-", "@", "\t"))]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_csv_neutralises_each_start(start: str) -> None:
    paper = _paper()
    query = EvidenceQuery(f"{start}cmd|' /C calc'!A0")
    review = EvidenceReview(paper.id, Evidence("offline", query, (EvidenceSentence(0, 1.0),), seconds=0.0))
    (row,) = _csv_rows(evidence_csv(paper, review, date=DATE))
    assert row["hypothesis"] == f"'{start}cmd|' /C calc'!A0"


def test_csv_opens_in_excel_as_utf_8() -> None:
    paper = _paper()
    data = evidence_csv(paper, _review(paper), date=DATE).encode()
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.count(b"\xef\xbb\xbf") == 1


def test_json_keeps_every_text_exact() -> None:
    paper = _paper()
    review = _review(paper)
    document = json.loads(evidence_json(paper, review, date=DATE))
    assert [s["text"] for s in document["sentences"]] == [row.sentence.text for row in rows_of(paper, review, None)]
    assert document["sentences"][1]["text"] == HOSTILE
    assert document["hypothesis"] == "-Tea shortens sleep."
    for sentence in document["sentences"]:
        assert paper.text[sentence["start"] : sentence["end"]] == sentence["text"]
    assert [s["score"] for s in document["sentences"]] == [1.5, -0.25, None, None]
    assert [s["decision"] for s in document["sentences"]] == ["accepted", "undecided", "rejected", "added"]
    assert document["sentences"][0] | {"gold": None, "aspects": None} == document["sentences"][0]
    assert document["paper"]["file"] == "=tea.md"
    assert (document["date"], document["engine"], document["k"]) == ("2026-11-20T09:30:00+00:00", "offline", 2)
    assert (document["cost_usd"], document["notes"]) == (0.0, ["No model here."])


def test_gold_status_where_gold_is_known() -> None:
    paper = _paper()
    gold = {_index(paper, "Sleep"): ("shorter sleep", "size"), _index(paper, "Nobody"): ("losses",)}
    rows = _csv_rows(evidence_csv(paper, _review(paper), date=DATE, gold=gold))
    assert [(row["gold"], row["aspects"]) for row in rows] == [
        ("yes", "shorter sleep; size"),
        ("no", ""),
        ("no", ""),
        ("yes", "losses"),
    ]
    document = json.loads(evidence_json(paper, _review(paper), date=DATE, gold=gold))
    assert [s["gold"] for s in document["sentences"]] == [True, False, False, True]
    assert document["sentences"][0]["aspects"] == ["shorter sleep", "size"]


def test_an_answer_without_sentences_is_a_table_without_lines() -> None:
    paper = _paper()
    review = EvidenceReview(paper.id, Evidence("bm25", EvidenceQuery("Tea."), (), seconds=0.0))
    assert _csv_rows(evidence_csv(paper, review, date=DATE)) == []
    assert json.loads(evidence_json(paper, review, date=DATE))["sentences"] == []


def test_a_review_of_another_paper_is_a_programmers_error() -> None:
    paper = _paper()
    review = EvidenceReview("other", Evidence("bm25", EvidenceQuery("Tea."), (), seconds=0.0))
    with pytest.raises(ValueError, match="other"):
        rows_of(paper, review, None)
