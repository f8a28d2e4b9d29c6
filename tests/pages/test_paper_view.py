"""The desk's data on a paper and its evidence, the validation of the browser's messages, and the list of keys."""

from __future__ import annotations

import io
import json
import re
from base64 import b64decode

import pytest
from PIL import Image

from core.benchmarks.gold import Gold
from core.benchmarks.samples import SAMPLE_DATA
from core.evidence import Evidence, EvidenceQuery, EvidenceSentence, ModelRun, Stance
from core.evidence.model import Decision
from core.evidence.sensitivity import Rewording, compare
from core.grounding.model import Match, PaperVerdict, Step, Verdict
from core.paper import Paper, read_paper
from core.paper.pdf.page_view import page_sizes, sentence_boxes
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
from pages._ui import assets
from pages._ui.paper_view import component
from pages._ui.paper_view.payload import (
    BrowserRequest,
    browser_request_from,
    changes_payload,
    decisions_from,
    decisions_payload,
    gold_payload,
    page_boxes,
    paper_payload,
    picture_source,
    ranked_payload,
    reviewed,
    run_payload,
    verdict_payload,
)
from pages._ui.paper_view.summary import checking_payload, labels_from, parts
from tests.core.paper.pdf.pages import column, pdf, prose

# ---- the list of keys, compared with the scripts ----

_SCRIPT = assets.text("listening.js")


def test_every_key_of_the_desk_is_in_the_list() -> None:
    named = {"Escape": "Esc", "-": "−", "=": "+"}
    for block, tasks in (
        ("const KEYS", {None, "reading", "deciding", "bias"}),
        ("const SCREENING_KEYS", {"screening"}),
    ):
        rest = _SCRIPT[_SCRIPT.index(block) :]
        acting = set(re.findall(r'^  "?([^\s":]+)"?: \(desk\)', rest[: rest.index("\n};")], re.MULTILINE))
        shortcuts = [one for one in component.SHORTCUTS if one.task in tasks]
        listed = {key for one in shortcuts for key in re.split(r" or | and | \+ ", one.keys)}
        assert {"n", "Escape", "["} <= acting
        assert {named.get(key, key) for key in acting} - {"Esc"} == listed - {"Esc", "1 to 9", "Ctrl", "⌘", "Enter"}


def test_the_help_marks_keys_and_whom_they_serve() -> None:
    shown = component.help_html()
    assert (
        '<dt class="reading-only"><kbd>n</kbd> or <kbd>j</kbd></dt><dd class="reading-only">next marked sentence, in the paper\'s order</dd>'
        in shown
    )
    assert '<dt class="bias-only"><kbd>[</kbd> and <kbd>]</kbd></dt>' in shown


# ---- data for the browser, and validation of its messages ----

MARKDOWN = b"""# A trial of tea

## Abstract

Tea was tried. It worked.

## Results

Pain fell. Sleep did not change.

It was safe.
"""


@pytest.fixture
def paper() -> Paper:
    return read_paper(MARKDOWN, name="tea.md")


def test_the_blocks_hold_every_sentence_once_and_in_order(paper: Paper) -> None:
    sent = json.loads(json.dumps(paper_payload(paper)))
    assert sent["sentences"] == [sentence.text for sentence in paper.sentences]
    covered = [index for _, first, last, _ in sent["blocks"] for index in range(first, last + 1)]
    assert covered == list(range(len(paper.sentences)))
    assert ["body", 5, 6, 2] in sent["blocks"]  # one paragraph with two sentences
    assert ["body", 7, 7, 2] in sent["blocks"]


def evidence(*scores: float) -> Evidence:
    sentences = tuple(EvidenceSentence(index, score) for index, score in enumerate(scores, start=3))
    return Evidence("bm25", EvidenceQuery("Tea works"), sentences, seconds=0.1)


def test_bars_run_from_the_lowest_score_to_the_highest() -> None:
    assert [item["bar"] for item in ranked_payload(evidence(4.0, 3.0, 2.0))] == pytest.approx([1.0, 0.6, 0.2])
    assert [item["bar"] for item in ranked_payload(evidence(1.0, -1.0))] == pytest.approx([1.0, 0.2])
    assert [item["bar"] for item in ranked_payload(evidence(0.0, 0.0))] == [1.0, 1.0]
    assert [(item["rank"], item["index"]) for item in ranked_payload(evidence(4.0, 2.0))] == [(1, 3), (2, 4)]
    assert ranked_payload(None) == []


def test_decisions_survive_the_way_to_the_browser_and_back() -> None:
    decisions = {4: Decision.ACCEPTED, 7: Decision.REJECTED, 2: Decision.ADDED}
    sent = json.loads(json.dumps(decisions_payload(decisions)))
    assert decisions_from(sent, sentences=9) == decisions


@pytest.mark.parametrize(
    "words",
    [None, 5, "ab", [[1]], [[1, "accepted", 2]], [["1", "accepted"]], [[9, "accepted"]], [[-1, "added"]], [[1, "x"]]],
)
def test_what_is_no_set_of_decisions_is_not_believed(words: object) -> None:
    assert decisions_from(words, sentences=9) is None


# ---- a PDF's pages for the browser, and validation of its requests ----

DATA = (SAMPLE_DATA / "sleep-app.pdf").read_bytes()
QUESTION = {"number": 3, "paper": False, "boxes": [1], "pictures": [2, 1], "width": 640}


def test_a_picture_has_the_width_asked_for_and_the_proportions_of_its_page() -> None:
    source = picture_source(DATA, 2, width=640)
    assert source is not None
    head, _, body = source.partition(",")
    picture = Image.open(io.BytesIO(b64decode(body)))
    assert head == f"data:image/{(picture.format or '').lower()};base64"
    across, down = page_sizes(DATA)[1]
    assert picture.width == 640
    assert picture.height == pytest.approx(640 * down / across, abs=1)


def test_a_page_that_cannot_be_drawn_has_no_picture() -> None:
    assert picture_source(DATA, 9, width=640) is None


def test_a_page_has_the_boxes_of_every_sentence_that_stands_on_it() -> None:
    first, second = prose("Sleep was longer", 24), prose("Pain was less", 12)
    data = pdf(column(60, 700, first[:-1]), column(60, 700, second))  # one sentence continues on the second page
    paper = read_paper(data, name="two.pdf")
    sent = dict(json.loads(json.dumps(page_boxes(data, paper, [1, 2]))))
    assert {row[0] for row in sent[1]} & {row[0] for row in sent[2]}
    every = sentence_boxes(data, paper, range(len(paper.sentences)))
    for page, rows in sent.items():
        there = [index for index, boxes in every.items() for box in boxes if box.page == page]
        assert sorted(row[0] for row in rows) == there
        for _, left, top, width, height in rows:
            assert 0 <= left <= left + width <= 1
            assert 0 <= top <= top + height <= 1
    assert json.loads(json.dumps(page_boxes(data, paper, [2]))) == [[2, sent[2]]]


def test_a_page_that_is_not_there_has_no_boxes() -> None:
    assert page_boxes(DATA, read_paper(DATA, name="sleep-app.pdf"), [9]) == [(9, [])]


def test_a_question_is_read() -> None:
    assert browser_request_from(json.loads(json.dumps(QUESTION))) == BrowserRequest(
        number=3, boxes=[1], pictures=[2, 1], width=640
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"number": "3"},
        {"number": None},
        {"width": 640.5},
        {"width": 0},
        {"width": 1_000_000},
        {"pictures": [0]},
        {"pictures": ["1"]},
        {"pictures": [True]},
        {"pictures": 1},
        {"pictures": [1] * 5},
        {"boxes": [0]},
        {"boxes": True},
        {"boxes": [1] * 21},
    ],
)
def test_what_is_no_question_is_not_answered(wrong: dict[str, object]) -> None:
    assert browser_request_from(QUESTION | wrong) is None
    assert browser_request_from(QUESTION) is not None


@pytest.mark.parametrize("sent", [None, 3, "ask", [1], {}])
def test_what_is_nothing_like_a_question_is_not_answered(sent: object) -> None:
    assert browser_request_from(sent) is None


# ---- gold on the desk, with figures worked out by hand ----

GOLD = Gold(
    aspects={"who": frozenset({1}), "dose": frozenset({2, 3}), "effect": frozenset({4}), "harm": frozenset({5})},
    results=frozenset({"effect", "harm"}),
)


def evidence_of(*indices: int, results_only: bool = False) -> Evidence:
    sentences = tuple(EvidenceSentence(index, 1.0) for index in indices)
    return Evidence("bm25", EvidenceQuery("Tea helps", k=3, results_only=results_only), sentences, seconds=0.1)


def test_groups_and_scores() -> None:
    shown = gold_payload(GOLD, evidence_of(3, 4, 9), {}, k=10)
    assert (shown["hits"], shown["extras"], shown["missed"], shown["spares"]) == ((3, 4), (9,), (1, 5), (2,))
    assert shown["k"] == 3
    assert shown["recall"] == 0.5
    assert shown["best"] == 0.75
    assert shown["fewest"] == 4
    assert shown["reviewed"] is None
    aspects = shown["aspects"]
    assert isinstance(aspects, list)
    assert [aspect["covered"] for aspect in aspects] == [False, True, True, False]
    assert aspects[1]["sentences"] == [3, 2]  # the chosen sentence comes first
    assert aspects[0]["label"] == "Aspect 1"
    assert shown["named"] is False


def test_a_search_for_results_is_measured_by_results() -> None:
    shown = gold_payload(GOLD, evidence_of(3, 4, results_only=True), {}, k=10)
    assert shown["recall"] == 0.5
    assert shown["extras"] == (3,)
    assert shown["fewest"] == 2


def test_decisions_have_a_score_of_their_own() -> None:
    decisions = {4: Decision.REJECTED, 1: Decision.ADDED, 5: Decision.ADDED, 3: Decision.ACCEPTED}
    shown = gold_payload(GOLD, evidence_of(3, 4, 9), decisions, k=10)
    assert shown["recall"] == 0.5
    assert shown["reviewed"] == 0.75
    assert reviewed((3, 4, 9), decisions) == {1, 3, 5, 9}


def test_a_k_that_cannot_be_searched_by_does_no_harm() -> None:
    assert gold_payload(GOLD, None, {}, k=-3)["k"] == 1


@pytest.mark.parametrize("k", [1, 4])
def test_before_a_search_there_is_no_recall(k: int) -> None:
    shown = gold_payload(GOLD, None, {}, k=k)
    assert shown["recall"] is None
    assert shown["best"] == k / 4
    assert shown["missed"] == (1, 2, 3, 4, 5)


# ---- a language model's run as data for the browser ----

STEP = Step("Results", "Because.", (3,), ("5 was chosen twice.",), ("[99] Invented",) * 3, cost_usd=None)
FAILED = Step("Methods", "", (), error="The model declined.", text="No.", cost_usd=0.0)
RUN = ModelRun("openai:demo", "sections", (), (STEP, FAILED), Verdict(PaperVerdict.MIXED, 3, None))


def answer(*stances: Stance | None, run: ModelRun | None = RUN) -> Evidence:
    sentences = tuple(
        EvidenceSentence(index, 1.0, stance, match=Match.REPAIRED) for index, stance in enumerate(stances, start=3)
    )
    return Evidence("openai:demo@sections", EvidenceQuery("Tea works"), sentences, 0.1, run=run)


def test_every_step_goes_with_its_faults_and_its_failure() -> None:
    sent = json.loads(json.dumps(run_payload(RUN, answered=True)))
    assert (sent["model"], sent["answered"]) == ("openai:demo", True)
    good, bad = sent["steps"]
    assert (good["chosen"], good["faults"]) == ([3], [["5 was chosen twice.", 1]])
    assert good["notInPaper"] == [["[99] Invented", 3]]
    assert (bad["error"], bad["text"]) == ("The model declined.", "No.")
    assert run_payload(None, answered=True) is None


def test_what_is_not_in_the_paper_is_no_item() -> None:
    items = ranked_payload(answer(Stance.SUPPORTS))
    assert [(item["index"], item["stance"], item["match"], item["bar"]) for item in items] == [
        (3, "supports", "repaired", None)
    ]


def test_the_verdict_names_its_sentences() -> None:
    assert verdict_payload(answer()) == {"judgement": "mixed", "for": 3, "against": None, "unread": ["Methods"]}
    assert verdict_payload(answer(run=None)) is None
    assert verdict_payload(None) is None


def test_changes_name_both_stances_of_a_contradiction() -> None:
    before, after = answer(Stance.SUPPORTS, Stance.REFUTES), answer(Stance.SUPPORTS)
    sent = json.loads(json.dumps(changes_payload((compare(before, after, Rewording.NEGATION),), before)))
    assert (sent[0]["kept"], sent[0]["lost"], sent[0]["gained"]) == (1, [4], [])
    assert sent[0]["contradictions"] == [[3, "supports", "supports"]]
    assert sent[0]["judged"]
    unjudged = answer(None)
    assert not changes_payload((compare(unjudged, unjudged, Rewording.PARAPHRASE),), unjudged)[0]["judged"]


# ---- a checked summary as data for the browser, and validation of its messages ----

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
