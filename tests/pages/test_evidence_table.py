"""The evidence table: its component's data and messages, and the links to sentences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.bias import tool_named
from core.evidence.model import EvidenceSentence, Stance
from core.export.evidence_table import BiasCell, TableCell, TableRow
from core.export.prisma import FlowCounts, FlowStream
from core.findings.model import Effect, Finding, Passage
from core.grounding.model import PaperVerdict
from core.paper import read_paper
from core.settings import load_settings
from core.store import Plan, Project, QueueMode, Store, StoredFinding, open_store, question_key, record_of
from pages._ui.review.outputs import waiting_in_words
from pages._ui.review.state import OpenedPaper
from pages._ui.review.tables import OpenedSentence, _judged, _opened, _shown, evidence_payload
from tests.core.export.evidence_rows import HYPOTHESES, NOT_REPORTED, PAIN, ROWS, SLEEP

ROOT = Path(__file__).resolve().parents[2]
TEA = b"# Tea for headache\n\n## Results\n\nPain fell with tea. Sleep did not change.\n"
PAPER = read_paper(TEA, name="tea.md")
LAST = len(PAPER.sentences) - 1
ROB2 = tool_named("rob2")


def payload(*rows: TableRow) -> dict[str, object]:
    return evidence_payload(rows, HYPOTHESES, ROB2, project="p", stamp="1")


def test_every_cell_is_there_and_numbers_stand_for_texts() -> None:
    made = payload(*ROWS)
    texts = made["texts"]
    first, second, third = made["papers"]  # type: ignore[misc]
    sleep, pain = first["cells"]
    assert (sleep["verdict"], texts[sleep["why"]]) == ("supports", "Two sentences of the results say so.")
    assert (texts[sleep["for"]["text"]][:6], sleep["for"]["page"], sleep["for"]["index"]) == ("=Sleep", 4, 7)
    assert "page" not in sleep["against"]
    assert texts[sleep["against"]["section"]] == "Discussion"
    _, value, sentence, printed = sleep["effect"]
    assert (value, sentence, texts[printed]) == (-2.5, 7, "-2.5 (95% CI -3.75 to -1.0; p = 0.01)")
    assert texts[sleep["check"]] == "The sentence does not name the outcome: check."
    assert texts[sleep["sure"]] == "likely, 0.87"
    assert not {"check", "sure", "nearest"} & pain.keys()
    assert texts[pain["why"]] == "No sentence comes close to the hypothesis."
    assert "verdict" not in pain
    assert texts[second["cells"][0]["why"]] == "The model did not answer in time."
    assert (second["level"], texts[second["bias"]]) == ("low", "suggested by offline")
    assert (third.get("level"), texts[third["bias"]]) == (None, "Ann and Ben differ.")
    assert [one["id"] for one in made["levels"]] == ["low", "some concerns", "high"]  # type: ignore[attr-defined]


def test_not_reported_is_among_the_verdicts_and_leads_to_the_nearest_sentence() -> None:
    made = payload(TableRow("x", "Ito", cells={PAIN: TableCell(NOT_REPORTED)}))
    assert [one["id"] for one in made["verdicts"]] == ["supports", "mixed", "refutes", "unclear", "not reported"]  # type: ignore[attr-defined]
    assert len({one["sign"] for one in made["verdicts"]}) == len(PaperVerdict)  # type: ignore[attr-defined]
    (paper,) = made["papers"]  # type: ignore[misc]
    (nearest,) = paper["cells"][1]["nearest"]
    assert (made["texts"][nearest["text"]], nearest["index"]) == ("Pain was asked about at the start.", 3)  # type: ignore[index]


def test_a_text_goes_once_and_what_is_not_shown_stays_here() -> None:
    navigation = Passage(3, "The same sentence for both.", 1, "Results")
    chosen = tuple(EvidenceSentence(i, 0.123456, Stance.SUPPORTS, "A rationale.") for i in range(10))
    cells = {
        words: TableCell(
            Finding("offline", words, PaperVerdict.MIXED, "Because.", navigation, navigation, sentences=chosen)
        )
        for words in HYPOTHESES
    }
    said = json.dumps(payload(TableRow("x", "Ito", cells=cells), TableRow("y", "Ivy", cells=cells)))
    assert said.count("The same sentence for both.") == 1
    assert "0.123456" not in said
    assert "rationale" not in said


def test_five_hundred_papers_are_less_than_a_megabyte() -> None:
    def row(number: int) -> TableRow:
        def passage(side: str) -> Passage:
            return Passage(number, f"{side} {number} " + "w" * 180, 4, "Results")

        effect = Effect("MD", 1.0, 0.5, 1.5, 95, "p = 0.01", "", 7)
        cells = {
            words: TableCell(
                Finding("offline", words, PaperVerdict.MIXED, "Because.", passage("a"), passage("b"), effect)
            )
            for words in (SLEEP, PAIN, "Tea is safe")
        }
        return TableRow(f"{number:064}", f"Ito {number}", "t" * 100, "c" * 80, bias=BiasCell(why="No."), cells=cells)

    rows = [row(number) for number in range(500)]
    made = evidence_payload(rows, (SLEEP, PAIN, "Tea is safe"), ROB2, project="p", stamp="1")
    assert len(json.dumps(made)) < 1_000_000


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (["open", "x", 0, 3], OpenedSentence("x", 0, 3)),
        (["open", "x", 0], None),
        (["open", "x", "0", 3], None),
        (["open", 5, 0, 3], None),
        (None, None),
        ("open", None),
    ],
)
def test_only_what_the_table_says_is_heard(said: object, meant: OpenedSentence | None) -> None:
    assert _opened(said) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [(["judge", "x", 0], ("x", 0)), (["judge", "x", 0, 3], None), (["judge", 5, 0], None), (["open", "x", 0, 3], None)],
)
def test_a_verdict_is_asked_for_by_a_paper_and_a_hypothesis(said: object, meant: tuple[str, int] | None) -> None:
    assert _judged(said) == meant


def test_papers_that_are_shown_are_names_or_nothing() -> None:
    assert _shown(["x", "y"]) == ("x", "y")
    assert _shown([]) == ()
    assert _shown(["x", 1]) is None
    assert _shown(None) is None


def test_what_waits_is_said_in_words() -> None:
    assert waiting_in_words(FlowCounts()) == "Every record has been decided on."
    open_ = FlowCounts(FlowStream(waiting_screening=1, waiting_assessment=2), FlowStream(waiting_assessment=1_000))
    said = "Still open: 1 waits for a decision by title and abstract; 1,002 wait for a decision by full text."
    assert waiting_in_words(open_) == said


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """The page's store, with a finding for one paper."""
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path))
    opened = open_store(load_settings())
    finding = Finding(
        "offline",
        SLEEP,
        PaperVerdict.REFUTES,
        "A result tells no difference.",
        strongest_against=Passage(LAST, PAPER.sentences[LAST].text, None, "Results"),
        sentences=(EvidenceSentence(LAST, 0.9, Stance.REFUTES),),
        check="The sentence does not name the outcome: check.",
    )
    with opened.writing("Ann") as change:
        change.save(Project("p", "Tea", ("Ann",), "rob2", hypotheses=(SLEEP,), plan=Plan(None, None, None)))
        change.keep_file(change.save(record_of(PAPER, project="p")), TEA)
        change.put(StoredFinding("p", PAPER.id, finding))
    return opened


@pytest.fixture
def app(store: Store) -> AppTest:
    """The project's page at the evidence table."""
    at = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    at.session_state["vouch"].review.enter("p", "Ann")
    at.session_state["vouch"].review.tab = "Evidence table"
    return at.switch_page("pages/review.py").run()


def test_a_hypothesis_goes_into_the_project_and_the_queue_is_told(app: AppTest, store: Store) -> None:
    assert not app.exception
    app.text_input(key="new-hypothesis").set_value("  Tea lowers   pain ")
    next(button for button in app.button if button.label == "Add").click()
    app.run()
    assert not app.exception
    with store.reading() as now:
        assert now.project("p").record.hypotheses == (SLEEP, "Tea lowers pain")
        assert now.queue.state("p").mode in (QueueMode.RUNNING, QueueMode.IDLE)
    app.text_input(key="new-hypothesis").set_value("tea lowers pain")
    next(button for button in app.button if button.label == "Add").click()
    app.run()
    assert any("already" in error.value for error in app.error)
    app.button(key="remove-hypothesis-0").click()
    app.run()
    with store.reading() as now:
        assert now.project("p").record.hypotheses == ("Tea lowers pain",)


def at_address(**names: str) -> AppTest:
    """The Evidence page in a new window at this address."""
    at = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    for name, value in names.items():
        at.query_params[name] = value
    return at.run()


def test_an_address_brings_a_new_window_to_the_sentence_or_says_why_not(store: Store) -> None:
    asked = {"project": "p", "reviewer": "Ann", "question": question_key(SLEEP), "sentence": str(LAST)}
    at = at_address(paper=PAPER.id, **asked)
    assert not at.exception
    now = at.session_state["vouch"]
    assert (now.open.paper, now.open.question, now.open.begin_at) == (PAPER, SLEEP, (1, LAST))
    assert now.review.opened == OpenedPaper(PAPER.id, SLEEP, LAST)
    assert dict(at.query_params) == asked | {"paper": PAPER.id}
    now.close(PAPER.id)
    now.put_on_desk(read_paper(b"# Another paper", name="other.md"))
    assert not at.run().query_params, "another paper is on the desk"
    gone = at_address(paper="gone", **asked)
    assert not gone.exception
    assert len(gone.error) == 1
    whole = {"project": "p", "reviewer": "Ann", "paper": PAPER.id}
    at = at_address(**whole)
    assert (at.session_state["vouch"].open.paper, dict(at.query_params)) == (PAPER, whole)
    taken_out = at_address(paper=PAPER.id, **asked | {"question": "0"})
    assert "does not ask this hypothesis" in taken_out.error[0].value


def test_a_sentence_is_opened_with_what_was_found(app: AppTest, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    from pages._ui.review import navigation

    now = app.session_state["vouch"]
    monkeypatch.setattr("pages._ui.state.st.session_state", {})
    assert navigation.go_to_sentence(now, PAPER.id, SLEEP, LAST)
    opened = now.open
    assert opened is not None
    assert (opened.question, opened.begin_at) == (SLEEP, (1, LAST))
    assert opened.evidence is not None
    assert opened.evidence.indices == (LAST,)
    assert opened.evidence.notes == (
        "refutes: A result tells no difference.",
        "The sentence does not name the outcome: check.",
    )
    answers = opened.answers
    assert navigation.go_to_sentence(now, PAPER.id, SLEEP, 0)
    assert (opened.answers, opened.begin_at) == (answers, (2, 0)), "the answer on the desk stays"
    with store.writing("Vouch") as change:
        change.keep_text("p", PAPER.id, PAPER)
    now.close(PAPER.id)
    monkeypatch.setattr("pages._ui.review.navigation.read_paper", lambda *_, **__: pytest.fail("it was read again"))
    assert navigation.go_to_sentence(now, PAPER.id, SLEEP, 0)
    assert now.open is not None
    assert now.open.paper == PAPER
    assert not navigation.go_to_sentence(now, "gone", SLEEP, 0)
    assert now.problem
