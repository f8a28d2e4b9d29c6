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
from core.findings.model import Finding, Passage
from core.grounding.model import PaperVerdict
from core.store.review_model import CellView, ReviewerVerdict
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


def test_what_may_report_a_result_is_counted_apart_with_its_nearest_sentence() -> None:
    nearest = Passage(3, "Sleep was asked about again.", 2, "Results"), Passage(5, "So was mood.", 2, "Results")
    unclear = Finding("offline", SLEEP, PaperVerdict.UNCLEAR, "It seems to report on this.", nearest=nearest)
    rows = [ROWS[0], replace(ROWS[2], cells={SLEEP: TableCell(unclear)})]
    [sleep] = effect_tables(rows, [SLEEP])
    assert sleep.rows[1] == ("Rossi 2020", "? unclear", "", "“Sleep was asked about again.” (p. 2, Results)")
    assert sleep.lead == (
        "1 of 2 papers report a result on it, as the evidence table has it. 1 more may report one: too little tells which way."
    )
    [alone] = effect_tables(rows[1:], [SLEEP])
    assert alone.lead.startswith("0 of 1 papers"), "what may report one is no result"
    by_people = CellView(
        others=(ReviewerVerdict("p", "x", SLEEP, "Ben", PaperVerdict.UNCLEAR),), by=("Ben",), all_in=True
    )
    [doubted] = effect_tables([replace(ROWS[0], cells={SLEEP: TableCell(SUPPORTS, people=by_people)})], [SLEEP])
    assert doubted.unclear == 1
    assert doubted.rows[0][3].startswith("“=Sleep improved"), "the engine's sentence, which reviewers doubt"


def test_a_reviewers_sentence_and_effect_stand_only_beside_a_final_verdict() -> None:
    worse = Passage(9, "Sleep got worse.", None, "Results")
    ann = ReviewerVerdict("p", "x", SLEEP, "Ann", PaperVerdict.REFUTES, worse, "RR 1.8")
    ben = replace(ann, reviewer="Ben", verdict=PaperVerdict.MIXED, sentence=None, effect="")
    alone = CellView(own=ann, by=("Ann",))
    differ = CellView(own=ann, others=(ben,), by=("Ann", "Ben"), all_in=True)
    agreed = CellView(own=ann, by=("Ann",), all_in=True)

    def shown(view: CellView) -> tuple[str, ...]:
        [table] = effect_tables([replace(ROWS[0], cells={SLEEP: TableCell(SUPPORTS, people=view)})], [SLEEP])
        return table.rows[0][1:]

    assert shown(alone) == shown(differ) == shown(CellView())
    assert shown(agreed) == ("✕ refutes", "RR 1.8", "“Sleep got worse.” (Results)")


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
