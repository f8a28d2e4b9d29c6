"""A checked summary in a co-author's hands: page, table and document."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, datetime
from html import unescape

from core.export.summary import summary_csv, summary_document, summary_page
from core.paper import read_paper
from core.summary import FaithfulnessReport, Label, QuoteStatus, SentenceCheck, SummarySource, Support
from core.summary.measures import measures

HOSTILE = "<script>alert(1)</script>"
PAPER = read_paper(
    f"# Tea {HOSTILE}\n\n## Results\n\nPain fell. Sleep did not {HOSTILE} change.\n".encode(), name="tea.md"
)
SUMMARY = f"=Pain rose.\n\n- Sleep {HOSTILE} changed."
DATE = datetime(2026, 1, 2, tzinfo=UTC)


def report() -> FaithfulnessReport:
    last = len(PAPER.sentences) - 1
    first = SentenceCheck("=Pain rose.", 0, 11, Label.CONTRADICTS, 0.2, (Support(last - 1),))
    start = SUMMARY.index("Sleep")
    invented = Support(None, QuoteStatus.NOT_IN_PAPER, quoted=f"Made up {HOSTILE}")
    second = SentenceCheck(
        SUMMARY[start:], start, len(SUMMARY), Label.SUPPORTED, None, (Support(last), invented), reason=HOSTILE
    )
    return FaithfulnessReport(SUMMARY, PAPER.id, "offline", SummarySource.WHOLE, (first, second), 0.1, notes=(HOSTILE,))


def page(own: dict[int, Label]) -> str:
    return summary_page(report(), PAPER, measures(SUMMARY, PAPER, SummarySource.WHOLE), own, date=DATE)


def test_the_page_needs_nothing_else_and_runs_nothing() -> None:
    text = page({})
    assert "<script" not in text.lower()
    assert not re.search(r"(?:src|href)=\"(?!#)|url\(|@import", text)
    assert "default-src 'none'" in text


def test_every_quotation_is_in_the_paper_and_none_is_invented() -> None:
    quoted = [unescape(words) for words in re.findall(r"<blockquote><p>(.*?)</p>", page({}), re.S)]
    assert quoted == [PAPER.sentences[-2].text, PAPER.sentences[-1].text]
    assert "Made up" not in page({})


def test_the_reviewers_label_stands_and_the_engines_is_named_beside_it() -> None:
    text = page({0: Label.SUPPORTED})
    assert "by the reviewer; the engine: contradicts the paper" in text
    assert re.search(r"<b>2</b> supported", text)


def test_the_table_keeps_the_engines_label_and_the_reviewers_apart() -> None:
    own = {0: Label.NOT_IN_PAPER}
    text = summary_csv(report(), PAPER, own, date=DATE)
    first, second = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    assert first["label"] == "contradicts the paper"
    assert first["own_label"] == "not in the paper"
    assert first["text"] == "'=Pain rose."
    assert (second["own_label"], second["score"]) == ("", "")
    assert second["support_sentences"] == PAPER.sentences[-1].text
    assert second["not_in_paper"] == f"Made up {HOSTILE}"


def test_the_document_has_the_reviewers_labels() -> None:
    own = {1: Label.NOT_JUDGED}
    sentences = summary_document(report(), PAPER, measures(SUMMARY, PAPER, SummarySource.WHOLE), own)["sentences"]
    assert [sentence["own"] for sentence in sentences] == [None, "not judged"]
