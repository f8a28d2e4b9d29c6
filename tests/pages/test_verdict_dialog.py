"""A reviewer's own verdict, from the table or beside the paper: given, taken back, and settled if two differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.evidence.model import EvidenceSentence
from core.findings.model import Finding, Passage
from core.grounding.model import PaperVerdict
from core.paper import read_paper
from core.settings import load_settings
from core.store import CellView, Plan, Project, Store, StoredFinding, open_store, question_key, record_of
from pages._ui.escape import plain

ROOT = Path(__file__).resolve().parents[2]
TEA = b"# Tea for headache\n\n## Results\n\nPain fell with tea. Sleep did not change.\n"
PAPER = read_paper(TEA, name="tea.md")
SLEEP = "Tea improves sleep"
ASKED = (PAPER.id, SLEEP)
PAIN_FELL, LAST = len(PAPER.sentences) - 2, len(PAPER.sentences) - 1


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """The page's store: a blind project of two reviewers, and an engine's finding on its paper."""
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path))
    opened = open_store(load_settings())
    nearest = Passage(LAST, PAPER.sentences[LAST].text, None, "Results")
    chosen = (EvidenceSentence(LAST, 0.9),)
    finding = Finding(
        "offline", SLEEP, PaperVerdict.UNCLEAR, "Not sure.", sentences=chosen, probability=0.62, nearest=(nearest,)
    )
    with opened.writing("Ann") as change:
        change.save(Project("p", "Tea", ("Ann", "Ben"), "rob2", hypotheses=(SLEEP,), plan=Plan(None, None, None)))
        change.keep_file(change.save(record_of(PAPER, project="p")), TEA)
        change.keep_text("p", PAPER.id, PAPER)
        change.put(StoredFinding("p", PAPER.id, finding))
    return opened


def asked(reviewer: str) -> AppTest:
    """The project's page at the evidence table, with the dialog open."""
    at = AppTest.from_file(ROOT / "app.py", default_timeout=120).run()
    at.session_state["vouch"].review.enter("p", reviewer)
    at.session_state["vouch"].review.tab = "Evidence table"
    at.session_state["vouch"].review.to_judge = ASKED
    at = at.switch_page("pages/review.py").run()
    assert not at.exception
    return at


def press(at: AppTest, label: str) -> None:
    """Press a button of the dialog. AppTest reruns the whole page, not only the dialog, so draw it once more."""
    at.session_state["vouch"].review.to_judge = ASKED
    next(button for button in at.button if button.label == label).click()
    at.run()
    assert not at.exception


def key(form: str, name: str) -> str:
    """The key of a field, while nothing is stored."""
    return f"{form}-{PAPER.id}-{question_key(SLEEP)}-0-{name}"


def said(words: str, at: AppTest) -> bool:
    """Whether any element of the page contains this."""
    shown = [one.value for one in (*at.caption, *at.markdown, *at.error)]
    return any(words in value or plain(words) in value for value in shown)


def give(reviewer: str, verdict: PaperVerdict) -> AppTest:
    at = asked(reviewer)
    at.radio(key=key("own", "verdict")).set_value(verdict)
    press(at, "Save")
    return at


def view(store: Store, reader: str) -> CellView:
    with store.reading() as now:
        return now.verdicts("p", reader=reader)[PAPER.id, question_key(SLEEP)]


def test_a_verdict_with_its_sentence_effect_and_comment_is_kept(store: Store) -> None:
    at = asked("Ann")
    assert said("offline: ? unclear (rather likely, 0.62). Not sure.", at)
    at.radio(key=key("own", "verdict")).set_value(PaperVerdict.REFUTES)
    at.selectbox(key=key("own", "sentence")).set_value(LAST)
    at.text_input(key=key("own", "effect")).set_value(" 3 min ")
    at.text_input(key=key("own", "words")).set_value("As printed.")
    press(at, "Save")
    own = view(store, "Ann").own
    assert own is not None
    assert (own.verdict, own.effect, own.comment) == (PaperVerdict.REFUTES, "3 min", "As printed.")
    assert own.sentence == Passage(LAST, PAPER.sentences[LAST].text, None, "Results")
    assert own.suggestions_seen == ("offline",)


def test_without_a_verdict_nothing_is_kept_and_one_can_be_taken_back(store: Store) -> None:
    at = asked("Ann")
    press(at, "Save")
    assert said("Choose one", at)
    with store.reading() as now:
        assert now.verdicts("p", reader="Ann") == {}
    give("Ann", PaperVerdict.SUPPORTS)
    press(asked("Ann"), "Take it back")
    assert view(store, "Ann").by == ()


def test_the_other_ones_verdict_shows_after_ones_own_and_both_settle_it(store: Store) -> None:
    give("Ben", PaperVerdict.SUPPORTS)
    at = asked("Ann")
    assert not said("Ben: ", at)
    assert said("Hidden until your own verdict is in.", at)
    at.radio(key=key("own", "verdict")).set_value(PaperVerdict.REFUTES)
    press(at, "Save")
    at = asked("Ann")
    assert said("Ben: ✓ supports", at)
    at.radio(key=key("consensus", "verdict")).set_value(PaperVerdict.MIXED)
    press(at, "Settle")
    assert said("needs its reason", at)
    at.text_input(key=key("consensus", "words")).set_value("Two scales.")
    press(at, "Settle")
    settled = view(store, "Ben")
    assert (settled.final, settled.settled_by) == (PaperVerdict.MIXED, "Ann")
    assert settled.consensus is not None
    assert set(settled.consensus.by) == {"Ann", "Ben"}


def test_the_paper_that_was_opened_asks_for_a_verdict_at_its_sentence(store: Store) -> None:
    at = AppTest.from_file(ROOT / "app.py", default_timeout=120)
    where = {"project": "p", "reviewer": "Ann", "paper": PAPER.id, "question": question_key(SLEEP)}
    for name, value in (where | {"sentence": str(PAIN_FELL)}).items():
        at.query_params[name] = value
    at.run()
    at.button(key="own-verdict").click()
    at.run()
    assert not at.exception
    assert at.selectbox(key=key("own", "sentence")).value == PAIN_FELL
