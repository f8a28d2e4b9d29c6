"""Tables of effects from an evidence table, and in an article's files."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from docx import Document

from core.articles import Article
from core.export.answer_view import NO_NOTICES
from core.export.article import ARTICLE_FILES, article_document
from core.export.effects import HEADS, effect_tables
from core.export.evidence_table import TableCell
from core.grounding.model import PaperVerdict
from tests.core.export.evidence_rows import HYPOTHESES, PAIN, ROWS, SETTLED, SLEEP, SUPPORTS
from tests.core.export.reviews import DATE, HOSTILE

HOSTILE_ROW = replace(ROWS[2], study=HOSTILE, cells={PAIN: TableCell(SUPPORTS, people=SETTLED)})
TABLES = effect_tables([*ROWS[:2], HOSTILE_ROW], HYPOTHESES)


def test_those_that_report_a_result_have_a_row_by_the_verdict_that_counts() -> None:
    sleep, pain = TABLES
    assert (sleep.hypothesis, sleep.papers) == (SLEEP, 2), "what screening excluded is not of the review"
    effect = "MD −2.5 (95% CI −3.75 to −1), p = 0.01".replace("p = 0.01", "p\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}0.01")
    said = "“=Sleep improved by -2.5 (95% CI -3.75 to -1.0; p = 0.01).” (p. 4, Results)"
    assert sleep.rows == (("Ito 2019", "✓ supports", effect, said),)
    assert sleep.lead.startswith("1 of 2 papers report")
    assert pain.rows == ((HOSTILE, "± mixed", "p = 0.04", "“It hurt less.” (p. 5, Results)"),), "the reviewers' own"
    refutes = replace(ROWS[0], cells={SLEEP: TableCell(replace(SUPPORTS, verdict=PaperVerdict.REFUTES, effect=None))})
    [[row]] = (one.rows for one in effect_tables([refutes], [SLEEP]))
    assert row[2:] == ("", "“It was the same at 24 weeks.” (Discussion)"), "what is not known is empty"


@pytest.mark.slow
def test_they_stand_in_an_articles_files_and_nothing_in_them_is_active() -> None:
    article = Article("Tea", "tea", "mine.md", "0f", "offline", ())
    made = {ending: file(article, DATE, NO_NOTICES, TABLES) for ending, file in ARTICLE_FILES.items()}
    for ending in (".md", ".html"):
        text = made[ending].decode()
        assert f"Effects: {SLEEP}" in text
        assert "It hurt less." in text
        assert "<script>" not in text
    word = Document(io.BytesIO(made[".docx"]))
    assert [[cell.text for cell in grid.rows[0].cells] for grid in word.tables] == [list(HEADS)] * 2
    assert word.tables[1].rows[1].cells[3].text == "“It hurt less.” (p. 5, Results)"
    document = article_document(article, DATE, NO_NOTICES, TABLES)
    assert document["effects"][0]["rows"][0]["Study"] == "Ito 2019"
