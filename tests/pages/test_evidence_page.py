"""The Evidence page without a browser: how clicks change the session."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Toggle

from core.benchmarks.samples import SAMPLE_DATA
from core.engines import DEFAULT_ENGINE
from core.errors import DamagedFile
from core.evidence.model import Decision
from core.export.evidence import EvidenceReview
from core.paper import PaperWarning
from pages._ui import downloads, opening
from pages._ui.open_paper import OpenPaper
from pages._ui.paper_bar import with_page
from pages._ui.paper_view.payload import BrowserRequest
from tests.pages.waiting import session_of, settle

ROOT = Path(__file__).resolve().parents[2]
PAPER = b"""# Tea for headache

## Results

Green tea reduced headache pain. Sleep did not change. Two people felt restless.
"""
OTHER_PAPER = PAPER.replace(b"headache", b"backache")
HYPOTHESIS = "Green tea reduces headache pain"


@pytest.fixture
def app() -> AppTest:
    at = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    assert not at.exception
    return at


def desk(at: AppTest) -> OpenPaper:
    opened = session_of(at).open
    assert opened is not None
    return opened


def upload(at: AppTest, data: bytes, name: str = "tea.md") -> None:
    """Drop a file on any upload field of the page."""
    at.file_uploader[0].set_value((name, data, "text/plain")).run()
    assert not at.exception


def find(at: AppTest, hypothesis: str = HYPOTHESIS) -> None:
    at.text_area[0].set_value(hypothesis)
    at.selectbox(key="engine").set_value("bm25")
    at.button(key="find").click().run()
    settle(at)
    assert not at.exception


def test_the_first_screen_offers_an_upload(app: AppTest) -> None:
    assert len(app.file_uploader) == 1
    assert not app.error


def test_a_paper_opens_and_evidence_is_found(app: AppTest) -> None:
    upload(app, PAPER)
    assert desk(app).paper.title == "Tea for headache"
    assert session_of(app).engine == DEFAULT_ENGINE
    find(app)
    evidence = desk(app).evidence
    assert evidence is not None
    assert evidence.engine == "bm25"
    assert desk(app).paper.sentences[evidence.indices[0]].text == "Green tea reduced headache pain."
    assert session_of(app).searches.request is session_of(app).searches.running is None


def test_a_click_before_the_file_is_read_does_not_lose_it(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    spinner, clicks = opening.st.spinner, iter([opening.st.rerun])

    def clicked_meanwhile(text: str) -> AbstractContextManager[None]:
        """Simulate a click while an element is drawn, where Streamlit ends the run and starts the next one."""
        next(clicks, lambda: None)()
        return spinner(text)

    monkeypatch.setattr(opening.st, "spinner", clicked_meanwhile)
    upload(app, PAPER)
    assert desk(app).paper.title == "Tea for headache"


def test_everything_is_there_after_a_visit_to_another_page(app: AppTest) -> None:
    upload(app, PAPER)
    app.number_input(key="k").set_value(2)
    app.toggle(key="tables").set_value(False)
    find(app)
    desk(app).decided.decisions = {2: Decision.ACCEPTED}
    app.switch_page("pages/engines.py").run()
    assert not app.exception
    app.switch_page("pages/evidence.py").run()
    assert not app.exception
    assert app.text_area[0].value == HYPOTHESIS
    assert app.number_input(key="k").value == 2
    assert app.toggle(key="tables").value is False
    assert app.selectbox(key="engine").value == "bm25"
    assert desk(app).evidence is not None
    assert desk(app).decided.decisions == {2: Decision.ACCEPTED}


def test_two_papers_keep_what_was_done_on_each(app: AppTest) -> None:
    upload(app, PAPER)
    find(app)
    first = desk(app).paper.id
    upload(app, OTHER_PAPER, "backache.md")
    assert app.text_area[0].value == ""
    assert desk(app).evidence is None
    app.button(key=f"open-{first}").click().run()
    assert app.text_area[0].value == HYPOTHESIS
    assert desk(app).evidence is not None
    app.button(key=f"close-{first}").click().run()
    app.button(key="forget").click().run()
    assert desk(app).paper.name == "backache.md"


@pytest.mark.parametrize(
    ("name", "data"),
    [("empty.pdf", b""), ("word.pdf", b"PK\x03\x04...."), ("cut.xml", b"<?xml version='1.0'?><article>")],
)
def test_a_bad_file_leaves_everything_as_it_was(app: AppTest, name: str, data: bytes) -> None:
    upload(app, PAPER)
    find(app)
    upload(app, data, name)
    assert len(app.error) == 1
    assert name.replace(".", "\\.") in app.error[0].value
    assert app.text_area[0].value == HYPOTHESIS
    assert desk(app).evidence is not None
    upload(app, OTHER_PAPER)
    assert not app.error


@pytest.mark.parametrize("hypothesis", ["", " \n ", "word " * 5000])
def test_a_bad_hypothesis_leaves_everything_as_it_was(app: AppTest, hypothesis: str) -> None:
    upload(app, PAPER)
    find(app)
    answer = desk(app).evidence
    find(app, hypothesis)
    assert len(app.error) == 1
    assert desk(app).evidence == answer


@pytest.mark.parametrize("k", [0, -3])
def test_a_bad_k_leaves_everything_as_it_was(app: AppTest, k: int) -> None:
    upload(app, PAPER)
    find(app)
    answer = desk(app).evidence
    app.number_input(key="k").set_value(k)
    find(app)
    assert "ask for at least 1 sentence" in app.error[0].value
    assert desk(app).evidence == answer
    assert app.text_area[0].value == HYPOTHESIS


def outcome(app: AppTest) -> str:
    """The line above the desk."""
    return next(caption.value for caption in app.caption if "by bm25 in" in caption.value)


def test_more_sentences_than_there_are_is_told(app: AppTest) -> None:
    upload(app, PAPER)
    app.number_input(key="k").set_value(9999)
    find(app)
    assert "only 3 sentences can be chosen" in outcome(app)


def test_an_answer_to_other_settings_says_so(app: AppTest) -> None:
    upload(app, PAPER)
    find(app)
    assert "settings have changed" not in outcome(app)
    for field, other in (("k", 2), ("tables", False), ("engine", "embedding")):
        before = getattr(session_of(app), field)
        app.session_state[field] = other
        app.run()
        assert "settings have changed; press Find evidence" in outcome(app)
        app.session_state[field] = before
        app.run()
        assert "settings have changed" not in outcome(app)


def results_first(at: AppTest) -> Toggle:
    return next(toggle for toggle in at.toggle if toggle.label == "Results first")


def test_results_stand_first_where_the_hypothesis_is_about_an_effect_until_somebody_says_otherwise(
    app: AppTest,
) -> None:
    def asked(hypothesis: str) -> tuple[bool, bool]:
        find(app, hypothesis)
        evidence = desk(app).evidence
        assert evidence is not None
        assert not evidence.query.results_only  # the gold is shown whole
        return results_first(app).value, evidence.query.results_first

    upload(app, PAPER)
    assert asked("Tea reduces headache.") == (True, True)
    assert asked("Allocation was concealed.") == (False, False)
    results_first(app).set_value(True).run()
    assert "settings have changed; press Find evidence" in outcome(app)
    assert asked("Allocation was concealed.") == (True, True)
    assert asked("Outcome assessors were blinded.") == (True, True)
    results_first(app).set_value(False).run()  # the same as such a hypothesis asks for
    assert asked("Tea reduces headache.") == (True, True)


def test_a_paper_with_decisions_is_closed_after_a_question(app: AppTest) -> None:
    upload(app, PAPER)
    find(app)
    desk(app).decided.decisions = {2: Decision.ACCEPTED}
    close = f"close-{desk(app).paper.id}"
    app.button(key=close).click().run()
    assert desk(app).decision_count == 1
    app.button(key="keep-open").click().run()
    assert desk(app).decision_count == 1
    app.button(key=close).click().run()
    app.button(key="forget").click().run()
    assert session_of(app).open is None


def test_a_warning_names_its_page_once() -> None:
    assert with_page(PaperWarning("x", "Page 21 holds no text.", 21)) == "Page 21 holds no text."
    assert with_page(PaperWarning("x", "Page 211 differs.", 21)) == "Page 211 differs. (page 21)"
    assert with_page(PaperWarning("x", "A page holds no text.", 21)) == "A page holds no text. (page 21)"
    assert with_page(PaperWarning("x", "A file.")) == "A file."


def test_decisions_belong_to_paper_and_hypothesis_whatever_the_engine(app: AppTest) -> None:
    upload(app, PAPER)
    find(app)
    desk(app).decided.decisions = {2: Decision.ACCEPTED}
    app.number_input(key="k").set_value(1)
    find(app)
    assert desk(app).decided.decisions == {2: Decision.ACCEPTED}
    find(app, "Tea disturbs sleep")
    assert desk(app).decided.decisions == {}
    find(app, f"  {HYPOTHESIS} ")
    assert desk(app).decided.decisions == {2: Decision.ACCEPTED}


def records(count: int) -> bytes:
    """A file in EvidenceBench's format."""
    pool = ["Results", "Green tea reduced headache pain.", "Sleep did not change."]
    record = {
        "paper_as_candidate_pool": pool,
        "sentence_types_in_candidate_pool": ["section_name", "normal_paragraph", "normal_paragraph"],
        "aspect_list_ids": ["a0", "a1"],
        "results_aspect_list_ids": ["a0"],
        "aspect2sentence_indices": {"a0": [1], "a1": [2]},
    }
    titles = [f"Paper number {number}" for number in range(count)]
    return json.dumps(
        {
            f"id{number}": record
            | {"hypothesis": f"Tea helps $ {number}", "paper_as_candidate_pool": [title, *pool[1:]]}
            for number, title in enumerate(titles)
        }
    ).encode()


def test_a_benchmark_file_offers_its_records_and_keeps_gold_until_asked(app: AppTest) -> None:
    upload(app, records(3), "bench.json")
    assert app.text_area[0].value == "Tea helps $ 0"
    assert desk(app).gold_here is not None
    assert desk(app).show_gold is False
    app.selectbox(key="record").set_value(2).run()
    assert not app.exception
    assert app.text_area[0].value == "Tea helps $ 2"
    find(app, "Tea helps $ 2")
    app.toggle(key=f"gold-{desk(app).paper.id}").set_value(True).run()
    assert not app.exception
    assert desk(app).show_gold is True
    find(app, "Another hypothesis, which has no gold")
    assert desk(app).gold_here is None
    assert not [toggle for toggle in app.toggle if toggle.label == "Show gold"]


def test_one_click_opens_a_sample_with_its_evidence_and_gold(app: AppTest) -> None:
    session_of(app).engine = "bm25"
    app.button(key="try-sample").click().run()
    settle(app)
    assert not app.exception
    assert not app.error
    assert app.text_area[0].value == desk(app).question != ""
    assert desk(app).gold_here is not None
    assert desk(app).evidence is not None
    app.toggle(key=f"gold-{desk(app).paper.id}").set_value(True).run()
    assert not app.exception


def test_a_mistake_of_ours_is_seen_once_and_does_not_block_the_page(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a mistake")

    upload(app, PAPER)
    with monkeypatch.context() as patch:
        patch.setattr("core.evidence.baselines.Bm25Engine.find", broken)
        app.text_area[0].set_value(HYPOTHESIS)
        app.selectbox(key="engine").set_value("bm25")
        app.button(key="find").click().run()
        settle(app)
        assert app.exception[0].message == "a mistake"
    find(app)
    assert desk(app).evidence is not None


def browser_gets(app: AppTest) -> dict[str, Any]:
    """The data that the desk's component got in the last run."""
    data: dict[str, Any] = json.loads(app.get("bidi_component")[0].proto.json)
    return data


def test_the_paper_goes_to_the_browser_once_and_again_when_it_is_asked_for(app: AppTest) -> None:
    upload(app, PAPER)
    assert "Sleep did not change." in browser_gets(app)["paper"]["sentences"]
    find(app)
    assert browser_gets(app)["paper"] is None
    desk(app).asked = BrowserRequest(number=4, paper=True)
    app.run()
    assert "Sleep did not change." in browser_gets(app)["paper"]["sentences"]
    assert browser_gets(app)["reply"] == {"number": 4, "pictures": [], "boxes": []}
    app.run()
    assert browser_gets(app)["paper"] is None


def test_the_pages_of_a_pdf_go_to_the_browser_when_they_are_asked_for(app: AppTest) -> None:
    upload(app, (SAMPLE_DATA / "sleep-app.pdf").read_bytes(), "sleep-app.pdf")
    assert len(browser_gets(app)["paper"]["pageSizes"]) == 2
    assert browser_gets(app)["reply"] == {"number": 0, "pictures": [], "boxes": []}
    desk(app).asked = BrowserRequest(number=1, boxes=[1], pictures=[2], width=320)
    app.run()
    reply = browser_gets(app)["reply"]
    assert reply["number"] == 1
    assert [(page, width) for page, width, _ in reply["pictures"]] == [(2, 320)]
    [[page, rows]] = reply["boxes"]
    assert page == 1
    assert rows
    app.run()
    assert browser_gets(app)["reply"] == {"number": 1, "pictures": [], "boxes": []}


def test_other_formats_have_no_pages_and_their_bytes_are_not_kept(app: AppTest) -> None:
    upload(app, PAPER)
    assert browser_gets(app)["paper"]["pageSizes"] == []
    assert desk(app).data is None


def test_the_line_under_the_title_says_who_where_and_when(app: AppTest) -> None:
    upload(app, (ROOT / "sample_data" / "leg-cramps.xml").read_bytes(), "leg-cramps.xml")
    title = desk(app).paper.title
    assert [heading.value.replace("\\", "") for heading in app.subheader] == [title]
    lines = [caption.value.replace("\\", "").replace("\u2060", "") for caption in app.caption]
    assert "Anna Sample and Ben Example · Vouch Sample Papers 2026 · doi:10.5555/vouch.sample.1" in lines


def test_only_a_pdf_can_be_taken_away_highlighted(app: AppTest) -> None:
    upload(app, PAPER)
    find(app)
    assert [button.label for button in app.get("download_button")] == ["CSV", "JSON"]
    upload(app, (SAMPLE_DATA / "sleep-app.pdf").read_bytes(), "sleep-app.pdf")
    find(app)
    assert [button.label for button in app.get("download_button")] == ["CSV", "JSON", "PDF with highlights"]


def test_a_pdf_that_cannot_be_highlighted_says_why(app: AppTest) -> None:
    upload(app, (SAMPLE_DATA / "sleep-app.pdf").read_bytes(), "sleep-app.pdf")
    find(app)
    opened = desk(app)
    assert opened.evidence is not None
    with pytest.raises(DamagedFile):
        downloads._highlighted(opened, b"%PDF-1.4 nothing else", EvidenceReview(opened.paper.id, opened.evidence))
    app.run()
    assert any("sleep" in caption.value and "CSV or JSON" in caption.value for caption in app.caption)
