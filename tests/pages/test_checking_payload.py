"""What the browser gets of a checked summary, and what is believed of what it sends."""

from __future__ import annotations

from core.paper import read_paper
from core.summary import (
    Check,
    FaithfulnessReport,
    Flag,
    Label,
    QuoteStatus,
    SentenceCheck,
    Span,
    SummarySource,
    Support,
)
from pages._ui.paper_view.checking import checking_payload, labels_from, parts

PAPER = read_paper(b"# Tea\n\nOne. Two. Three.\n\nPain fell by 3.\n", name="tea.md")
SUMMARY = "- Pain 👍 fell by 5.\n- Tea cures."


def report() -> FaithfulnessReport:
    flag = Flag(Check.NUMBER, "The paper says 3.", Label.CONTRADICTS, Span(15, 16), index=4)
    first = SentenceCheck(
        "Pain 👍 fell by 5.", 2, 19, Label.CONTRADICTS, 0.1,
        (Support(4, score=2.0), Support(None, QuoteStatus.NOT_IN_PAPER, quoted="Made up."), Support(4, score=1.0)),
        flags=(flag,),
    )  # fmt: skip
    second = SentenceCheck("Tea cures.", 22, 32, Label.CANNOT_TELL, None, reason="Why.")
    return FaithfulnessReport(SUMMARY, "p", "offline", SummarySource.WHOLE, (first, second), 0.0)


def test_the_pieces_make_the_whole_summary() -> None:
    payload = checking_payload(report(), PAPER, {})
    claims = payload["claims"]
    assert isinstance(claims, list)
    whole = "".join(claim["before"] + "".join(piece for piece, _ in claim["parts"]) for claim in claims)
    assert whole + str(payload["rest"]) == SUMMARY
    assert [piece for piece, wrong in claims[0]["parts"] if wrong] == ["5"]


def test_an_invented_quotation_is_named_and_never_ranked() -> None:
    [first, _] = checking_payload(report(), PAPER, {})["claims"]  # type: ignore[misc]
    assert [found["index"] for found in first["ranked"]] == [4]
    assert first["ranked"][0]["bar"] == 1.0
    assert first["invented"] == ["Made up."]


def test_spans_that_overlap_are_marked_once() -> None:
    assert parts("abcdef", [Span(3, 5), Span(1, 4)]) == [("a", False), ("bcd", True), ("e", True), ("f", False)]
    assert parts("abc", []) == [("abc", False)]


def test_labels_come_back_as_they_were_sent() -> None:
    own = {1: Label.NOT_IN_PAPER}
    sent = checking_payload(report(), PAPER, own)["own"]
    assert labels_from(sent, sentences=2) == own


def test_what_is_no_label_is_not_believed() -> None:
    assert labels_from({"2": "supported"}, sentences=2) is None
    assert labels_from({"0": "good"}, sentences=2) is None
    assert labels_from({"-1": "supported"}, sentences=2) is None
    assert labels_from([1], sentences=2) is None
    assert labels_from({}, sentences=2) == {}


def test_the_reviewers_label_stands_in_place_of_the_engines() -> None:
    own = {0: Label.SUPPORTED}
    assert report().standing(own) == (Label.SUPPORTED, Label.CANNOT_TELL)
    assert report().standing({})[0] is Label.CONTRADICTS


def test_the_numbers_of_both_sides_are_marked() -> None:
    [first, second] = checking_payload(report(), PAPER, {})["claims"]  # type: ignore[misc]
    assert PAPER.sentences[4].text == "Pain fell by 3."
    assert first["said"] == [("Pain 👍 fell by ", None), ("5", "not found"), (".", None)]
    assert first["nearest"] == [{"index": 4, "pieces": [("Pain fell by 3.", None)]}]
    assert second["nearest"] == []
