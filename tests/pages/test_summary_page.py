"""The Plain summary page without a browser."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from core.benchmarks.farebio import gold_for_paper, read_farebio
from core.benchmarks.samples import SAMPLE_DATA, SUMMARIES
from core.paper import read_paper
from core.summary import Label, SummarySource, check_summary, summary_engine_named
from core.summary.measures import measures
from pages._ui.state import Session
from pages._ui.summary.form import gold_in_words, overlay_of
from pages._ui.summary.state import CheckedSummary, SummaryWork
from run import ROOT
from tests.pages.waiting import settle

SAMPLE = SAMPLE_DATA / "leg-cramps.xml"


def opened_page() -> AppTest:
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    now: Session = app.session_state["vouch"]
    now.put_on_desk(read_paper(SAMPLE.read_bytes(), name=SAMPLE.name))
    now.summary.engine = "bm25"
    return app.switch_page("pages/summary.py").run()


def checked(text: str) -> CheckedSummary:
    paper = read_paper(SAMPLE.read_bytes(), name=SAMPLE.name)
    report = check_summary(text, paper, engine=summary_engine_named("bm25"))
    return CheckedSummary(report, measures(text, paper, SummarySource.WHOLE))


def test_a_summary_is_checked_and_its_figures_shown() -> None:
    app = opened_page()
    app.text_area[0].input("Magnesium was no better than placebo. It caused diarrhoea.")
    app.button(key="check-summary").click().run()
    settle(app)
    work = app.session_state["vouch"].open.summary
    assert len(work.version.report.sentences) == 2
    assert any("Flesch-Kincaid" in caption.value for caption in app.caption)
    assert not app.exception


def test_an_empty_summary_is_one_clear_sentence_and_nothing_is_lost() -> None:
    app = opened_page()
    app.text_area[0].input(" … ")
    app.button(key="check-summary").click().run()
    settle(app)
    assert "The summary is empty" in app.error[0].value
    assert app.text_area[0].value == " … "


def test_the_sample_paper_comes_with_a_labelled_summary() -> None:
    app = opened_page()
    app.button(key="gold-summary-0").click().run()
    settle(app)
    opened = app.session_state["vouch"].open
    laid = overlay_of(opened, opened.summary.version)
    assert laid is not None
    assert all(laid.gold)
    assert gold_in_words(laid) in [markdown.value for markdown in app.markdown]


def test_the_same_summary_checked_again_keeps_the_reviewers_labels() -> None:
    work = SummaryWork()
    work.add(checked("Magnesium was no better than placebo."))
    assert work.version is not None
    work.version.own[0] = Label.SUPPORTED
    work.add(checked("Cramps were counted."))
    work.add(checked("Magnesium was no better than placebo."))
    assert len(work.versions) == 2
    assert work.version.own == {0: Label.SUPPORTED}


def test_gold_of_another_summary_is_not_laid_over_this_one() -> None:
    paper = read_paper(SAMPLE.read_bytes(), name=SAMPLE.name)
    opened = Session().put_on_desk(paper)
    opened.summary.golds = gold_for_paper(read_farebio(SUMMARIES.read_bytes(), name=SUMMARIES.name), paper)
    assert opened.summary.golds
    assert overlay_of(opened, checked("Something else altogether.")) is None


def test_the_field_for_labelled_summaries_stands_apart_and_a_paper_put_there_is_opened() -> None:
    app = opened_page()
    (loader,) = [one for one in app.expander if one.label == "Open summaries that people have labelled"]
    (field,) = loader.file_uploader
    field.set_value(("tea.md", b"# Tea\n\n## Results\n\nTea helped.\n", "text/markdown"))
    app.run()
    assert app.session_state["vouch"].open.paper.title == "Tea"
    assert not app.error
