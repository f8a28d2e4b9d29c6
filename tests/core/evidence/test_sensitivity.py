"""The same search in other words, and `evidence ... --check-wording`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.__main__ import main
from core.evidence import Evidence, EvidenceQuery, EvidenceSentence, Stance, engine_named
from core.evidence.sensitivity import Rewording, compare, negated, sensitivity
from core.llm.demo import DemoServer
from tests.core.evidence.papers import HYPOTHESIS, bee_trial

# ---- sensitivity ----
# The same search in other words.


def answer(**stances: Stance | None) -> Evidence:
    """Sentences by number, as s4=Stance.SUPPORTS."""
    sentences = tuple(
        EvidenceSentence(int(name[1:]), 1 - place / 10, stance) for place, (name, stance) in enumerate(stances.items())
    )
    return Evidence("made-up", EvidenceQuery("It works."), sentences, 0.1)


def test_a_paraphrase_should_change_nothing() -> None:
    before = answer(s4=Stance.SUPPORTS, s7=Stance.REFUTES, s9=None)
    change = compare(before, answer(s7=Stance.SUPPORTS, s9=Stance.NEUTRAL, s2=None), Rewording.PARAPHRASE)
    assert (change.kept, change.lost, change.gained) == ((7, 9), (4,), (2,))
    assert change.contradictions == (7,)
    assert change.overlap == 0.5


def test_a_negation_should_turn_the_stances_round() -> None:
    before = answer(s1=Stance.SUPPORTS, s2=Stance.SUPPORTS, s3=Stance.NEUTRAL)
    change = compare(before, answer(s1=Stance.REFUTES, s2=Stance.SUPPORTS, s3=Stance.NEUTRAL), Rewording.NEGATION)
    assert change.contradictions == (2,)
    assert change.overlap == 1.0


def test_two_empty_answers_have_no_overlap_to_speak_of() -> None:
    assert compare(answer(), answer(), Rewording.PARAPHRASE).overlap is None


def test_any_engine_can_be_checked() -> None:
    paper, query, seen = bee_trial(), EvidenceQuery(HYPOTHESIS, k=3), []
    engine = engine_named("bm25")
    wordings = {
        Rewording.PARAPHRASE: "Sleeping by day helps bees to remember.",
        Rewording.NEGATION: negated(HYPOTHESIS),
    }
    changes = sensitivity(
        engine, paper, engine.find(paper, query), wordings, progress=lambda done, _: seen.append(done)
    )
    assert [change.rewording for change in changes] == list(wordings)
    assert changes[1].evidence.query == EvidenceQuery(f"It is not the case that {HYPOTHESIS}", k=3)
    assert changes[1].overlap == 1.0  # bm25 does not read the word “not”
    assert seen == sorted(seen)


# ---- check wording ----
# `evidence ... --check-wording`.

TEXT = """# Naps in bees

## Results

Napping bees remembered more flowers. Naps did not change honey. Hives stood in a garden. Bees fly.
"""
BEE_HYPOTHESIS = "Naps help bees to remember flowers."


@pytest.fixture
def paper(tmp_path: Path) -> str:
    path = tmp_path / "naps.md"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def wording(capsys: pytest.CaptureFixture[str], paper: str, *words: str) -> list[dict[str, object]]:
    assert main(["evidence", paper, "--hypothesis", BEE_HYPOTHESIS, "-k", "2", "--json", *words]) == 0
    found: list[dict[str, object]] = json.loads(capsys.readouterr().out)["wording"]
    return found


def test_an_offline_engine_takes_the_negation_and_a_paraphrase_of_ours(
    paper: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = ["--paraphrase", "A garden is where hives stand."]
    negation, paraphrase = wording(capsys, paper, "--engine", "bm25", "--check-wording", *ours)
    assert negation["hypothesis"] == "It is not the case that Naps help bees to remember flowers."
    assert (negation["overlap"], negation["lost"], negation["gained"]) == (1.0, [], [])
    assert paraphrase["hypothesis"] == ours[1]
    assert paraphrase["gained"]
    assert paraphrase["lost"]


def test_a_model_writes_both(paper: str, demo: DemoServer, capsys: pytest.CaptureFixture[str]) -> None:
    paraphrase, negation = wording(capsys, paper, "--engine", "openai:demo", "--check-wording")
    assert (paraphrase["rewording"], negation["rewording"]) == ("paraphrase", "negation")
    assert negation["stances"]
    assert paraphrase["contradictions"] == []


def test_without_the_option_there_is_no_such_key(paper: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evidence", paper, "--hypothesis", BEE_HYPOTHESIS, "--engine", "bm25", "--json"]) == 0
    assert "wording" not in json.loads(capsys.readouterr().out)


def test_the_list_for_people_says_what_changed(paper: str, capsys: pytest.CaptureFixture[str]) -> None:
    ask = [
        "--hypothesis",
        BEE_HYPOTHESIS,
        "--engine",
        "bm25",
        "-k",
        "2",
        "--paraphrase",
        "A garden is where hives stand.",
    ]
    assert main(["evidence", paper, *ask]) == 0
    printed = capsys.readouterr().out
    assert "paraphrase: A garden is where hives stand." in printed
    assert "gained: [" in printed
