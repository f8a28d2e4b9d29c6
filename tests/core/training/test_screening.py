"""Simulated screening: labels, figures and the order in which papers are read."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from core.errors import DatasetError
from core.screening.ordering import Corpus
from core.training import screening
from core.training.screening import (
    CHOSEN_ON,
    FEWEST,
    HELD_OUT,
    READERS,
    SHARE,
    TOPICS,
    OutcomeTopic,
    ScreeningRun,
    by_bm25,
    by_learner,
    in_words,
    outcomes_by_trial,
    relevance,
    report,
    simulate,
    texts_of,
    topic_in_words,
)

# Ten papers, of which the 1st, the 2nd and the 5th read are relevant.
RUN = ScreeningRun("t", "r", 0, (True, True, False, False, True, False, False, False, False, False))
TEXTS = [f"{word} in adults, trial {number % 2}" for number in range(6) for word in ("headache", "sleep")]
PAIN = OutcomeTopic("pain", "headache", "pain")
LABELS = [text.startswith("headache") for text in TEXTS]

ARTICLE = """<article><front><article-meta><title-group><article-title>{title}</article-title></title-group>
<abstract><p>{abstract}</p></abstract></article-meta></front><body><p>Only the body tells of nausea.</p></body></article>"""


def test_figures_by_hand() -> None:
    assert RUN.read_to(0.95) == 5  # all three are needed: two are 67%
    assert RUN.read_to(2 / 3) == 2
    assert RUN.work_saved(0.95) == pytest.approx(0.5 - 0.05)
    assert RUN.work_saved(1.0) == pytest.approx(0.5)
    assert RUN.time_to_discovery == pytest.approx((1 + 2 + 5) / 3 / 10)


def test_recall_of_95_percent_may_leave_one_of_twenty() -> None:
    run = ScreeningRun("t", "r", 0, (*[True] * 19, *[False] * 80, True))
    assert run.work_saved(0.95) == pytest.approx(0.81 - 0.05)
    assert run.work_saved(1.0) == pytest.approx(0.0)


def test_the_hint_is_judged_by_what_had_been_found() -> None:
    run = ScreeningRun("t", "r", 0, (True, *[False] * 50, True, *[False] * 48))
    assert run.at_hint == (0.51, 0.5)
    assert RUN.at_hint is None


def test_every_reader_reads_every_paper_once() -> None:
    for reader in READERS.values():
        order = reader(Corpus(TEXTS), TEXTS, LABELS, "headache")
        assert sorted(order) == list(range(len(TEXTS)))


def test_the_learner_sees_a_label_only_after_the_paper_was_read() -> None:
    """Until both kinds were found it goes by the question, which here points the wrong way."""
    read = by_learner(Corpus(TEXTS), TEXTS, LABELS, "sleep")
    assert [LABELS[place] for place in read[:7]] == [False] * 6 + [True]
    wrong = [not label for label in LABELS]
    assert by_learner(Corpus(TEXTS), TEXTS, wrong, "sleep")[0] == read[0]


def test_the_learner_follows_the_labels_of_what_was_read() -> None:
    read = by_learner(Corpus(TEXTS), TEXTS, LABELS, "")
    assert read[:2] == [0, 1]
    assert [LABELS[place] for place in read[2:]] == [True] * 5 + [False] * 5


def test_bm25_knows_no_label() -> None:
    assert [LABELS[place] for place in by_bm25(Corpus(TEXTS), TEXTS, [], "headache")] == [True] * 6 + [False] * 6


def test_topics_keep_to_their_rule_on_paper() -> None:
    assert set(CHOSEN_ON).isdisjoint(HELD_OUT)
    assert {*CHOSEN_ON, *HELD_OUT} == set(TOPICS)
    assert len({topic.name for topic in TOPICS}) == len(TOPICS)


def test_topics_keep_to_their_rule_on_the_data(shared_data: Path) -> None:
    trials = outcomes_by_trial(shared_data)
    assert len(trials) == 320
    for topic in TOPICS:
        relevant = sum(relevance(topic, trials))
        assert relevant >= FEWEST, topic.name
        assert SHARE[0] <= relevant / 320 <= SHARE[1], topic.name


def test_a_topic_in_words() -> None:
    assert topic_in_words("pain=pain|analges") == OutcomeTopic("pain", "pain analges", "pain|analges")
    assert topic_in_words("bp: blood pressure=\\bbp\\b") == OutcomeTopic("bp", "blood pressure", r"\bbp\b")
    assert topic_in_words("a b=\\bsugar").question == "a b sugar"


@pytest.mark.parametrize("words", ["pain", "=pain", "pain=", "pain=(", "pain= "])
def test_what_is_no_topic_is_refused(words: str) -> None:
    with pytest.raises(DatasetError, match=re.escape(words.partition("=")[2].strip() or words)):
        topic_in_words(words)


def test_labels_come_from_any_outcome_in_any_case() -> None:
    trials = {"1": ["Weight", "PAIN at rest"], "2": ["weight"]}
    assert relevance(PAIN, trials) == [True, False]
    with pytest.raises(DatasetError, match="matches no trial"):
        relevance(OutcomeTopic("x", "x", "sleep"), trials)
    with pytest.raises(DatasetError, match="matches every trial"):
        relevance(OutcomeTopic("x", "x", "weight"), trials)


def test_the_report_gives_what_the_runs_were_worth() -> None:
    labels = {"pain": LABELS}
    document = report([PAIN], labels, simulate([PAIN], labels, TEXTS, 2))
    assert document["papers"] == 12
    assert document["resampled"] == "starts"
    assert document["topics"][0]["within_rule"] is False
    # Six of twelve, all found first: half is left at any recall.
    assert document["mean"]["bm25"]["WSS@100"]["value"] == pytest.approx(0.5)
    assert document["mean"]["learner"]["WSS@95"]["value"] == pytest.approx(0.45)
    assert document["learner_less_bm25"]["WSS@95"] == {"value": 0, "low": 0, "high": 0}
    lines = "\n".join(in_words(document))
    assert "| pain * | 6 |" in lines
    assert "starts resampled" in lines


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three made-up trials in the layout of Evidence Inference."""
    (tmp_path / "xml").mkdir()
    items = []
    for number, (title, outcome) in enumerate((("Aspirin", "pain"), ("Yoga", "pain & sleep"), ("Light", "sleep"))):
        items.append({"pmcid": f"PMC{number}", "outcome": outcome, "prompt_id": number})
        text = ARTICLE.format(title=title, abstract=f"{title} was tried.")
        (tmp_path / "xml" / f"PMC{number}.nxml").write_text(text)
    (tmp_path / "items.json").write_text(json.dumps(items))
    return tmp_path


def test_labels_do_not_leak_into_the_texts(folder: Path) -> None:
    texts = texts_of(folder, outcomes_by_trial(folder))
    assert texts == ["Aspirin\nAspirin was tried.", "Yoga\nYoga was tried.", "Light\nLight was tried."]


def test_the_command(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    command = [
        "simulate",
        "--data",
        str(folder),
        "--topic",
        "pain=pain",
        "--topic",
        "rest=sleep",
        "--json",
        "--starts",
        "1",
    ]
    monkeypatch.setattr(sys, "argv", command)
    screening.simulate_screening()
    document = json.loads(capsys.readouterr().out)
    assert [(topic["name"], topic["relevant"]) for topic in document["topics"]] == [("pain", 2), ("rest", 2)]
    assert set(document["mean"]) == set(READERS)
    assert document["resampled"] == "topics"


@pytest.mark.parametrize("lost", ["items.json", "xml/PMC1.nxml"])
def test_a_missing_file_ends_it_in_words(folder: Path, lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / lost).unlink()
    monkeypatch.setattr(sys, "argv", ["simulate", "--data", str(folder), "--topic", "pain=pain"])
    with pytest.raises(SystemExit, match=lost):
        screening.simulate_screening()


def test_another_layout_ends_it_in_words(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "items.json").write_text('{"a": 1}')
    monkeypatch.setattr(sys, "argv", ["simulate", "--data", str(folder), "--topic", "pain=pain"])
    with pytest.raises(SystemExit, match="layout"):
        screening.simulate_screening()
