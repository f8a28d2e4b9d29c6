"""The default engine, with a counting encoder and without any."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from core.evidence import EvidenceQuery, offline
from core.evidence.offline import NO_ENCODER, SimpleOfflineEngine
from core.evidence.selection import Redundancy
from core.paper import Kind, Paper, SectionKind
from tests.core.evidence.fakes import fake_embedder
from tests.core.evidence.papers import HYPOTHESIS, bee_trial, body, heading, paper_of


@pytest.fixture(params=["with encoder", "without"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> SimpleOfflineEngine:
    return SimpleOfflineEngine(fake_embedder(tmp_path)[0] if request.param == "with encoder" else None)


def texts(engine: SimpleOfflineEngine, paper: Paper, query: EvidenceQuery) -> list[str]:
    return [paper.sentences[index].text for index in engine.find(paper, query).indices]


def test_results_come_before_background(engine: SimpleOfflineEngine) -> None:
    paper = paper_of(
        heading("Introduction"), body("Naps and memory in honey bees were studied before [4]."),
        heading("Methods"), body("Naps and memory in honey bees were timed."),
        heading("Results"), body("Naps and memory in honey bees went together (r = 0.6, P = 0.01)."),
    )  # fmt: skip
    assert texts(engine, paper, EvidenceQuery(HYPOTHESIS, k=1))[0].endswith("P = 0.01).")


def test_it_says_when_the_encoder_is_missing(tmp_path: Path) -> None:
    assert SimpleOfflineEngine(None).find(bee_trial(), EvidenceQuery(HYPOTHESIS)).notes[0] == NO_ENCODER
    with_encoder = SimpleOfflineEngine(fake_embedder(tmp_path)[0])
    assert with_encoder.find(bee_trial(), EvidenceQuery(HYPOTHESIS, k=2)).notes == ()


def test_a_copy_is_not_chosen_again(engine: SimpleOfflineEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    paper = bee_trial(more=["Memory scores were higher with a nap (82 versus 64 points, P = 0.003)."])

    def copies() -> int:
        return sum(
            "82 versus 64" in text for text in texts(engine, paper, EvidenceQuery(HYPOTHESIS, k=4, results_only=True))
        )

    assert copies() == 1
    for name in ("_ALIKE_IN_MEANING", "_ALIKE_IN_WORDS"):
        monkeypatch.setattr(offline, name, Redundancy(free=0.6, penalty=0.0))
    assert copies() == 2


def test_results_only_prefers_results(engine: SimpleOfflineEngine) -> None:
    paper = bee_trial()

    def background(*, results_only: bool) -> float:
        found = engine.find(paper, EvidenceQuery(HYPOTHESIS, k=99, tables=False, results_only=results_only)).indices
        kinds = [paper.sections[paper.sentences[index].section].kind for index in found]
        return sum(place for place, kind in enumerate(kinds) if kind in {SectionKind.METHODS, SectionKind.INTRODUCTION})

    assert background(results_only=True) > background(results_only=False)


def test_the_same_answer_every_time(engine: SimpleOfflineEngine) -> None:
    query = EvidenceQuery(HYPOTHESIS, k=12)
    answers = [engine.find(bee_trial(), query).sentences for _ in range(2)]
    assert answers[0] == answers[1]


def test_scores_never_rise_and_are_chances(engine: SimpleOfflineEngine) -> None:
    scores = [sentence.score for sentence in engine.find(bee_trial(), EvidenceQuery(HYPOTHESIS, k=99)).sentences]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_k_beyond_the_pool_gives_all_and_says_so(engine: SimpleOfflineEngine) -> None:
    paper = bee_trial()
    query = EvidenceQuery(HYPOTHESIS, k=1000)
    evidence = engine.find(paper, query)
    assert sorted(evidence.indices) == [sentence.index for sentence in query.candidates(paper)]
    assert f"k is 1000, but only {len(evidence.sentences)}" in evidence.notes[-1]


def test_tables_can_be_left_out(engine: SimpleOfflineEngine) -> None:
    paper = bee_trial()
    found = engine.find(paper, EvidenceQuery(HYPOTHESIS, k=99, tables=False)).indices
    assert {paper.sentences[index].kind for index in found} == {Kind.ABSTRACT, Kind.BODY}


def test_a_paper_without_candidates(engine: SimpleOfflineEngine) -> None:
    evidence = engine.find(paper_of(heading("Results")), EvidenceQuery(HYPOTHESIS))
    assert evidence.sentences == ()
    assert "no sentence that can be chosen" in evidence.notes[-1]


@pytest.mark.parametrize(
    "hypothesis", ["the of and", "?!", "<script>alert(1)</script> $x$ :red[x]", "qqqq zzzz", "\x00", "眠り"]
)
def test_any_hypothesis_gets_an_answer(engine: SimpleOfflineEngine, hypothesis: str) -> None:
    assert len(engine.find(bee_trial(), EvidenceQuery(hypothesis, k=3)).sentences) == 3


def test_hostile_sentences(engine: SimpleOfflineEngine) -> None:
    paper = paper_of(
        body(
            "<script>alert(1)</script>",
            "\x1b[31m $\\frac{1}{0}$ :red[x]",
            "(((((((",
            "x" * 50_000,
            "9" * 5_000,
            "1," * 50_000,
            "p" + " " * 50_000,
        )
    )
    assert len(engine.find(paper, EvidenceQuery(HYPOTHESIS, k=9)).sentences) == len(paper.sentences)


def test_sections_without_a_telling_title_go_with_the_part_before() -> None:
    # The same sentence under "Statistics" after Methods, and under "Flowers" after Results.
    paper = paper_of(
        heading("Methods"), heading("Statistics"), body("Memory was compared between naps."),
        heading("Results"), heading("Flowers"), body("Memory was compared between naps."),
    )  # fmt: skip
    assert SimpleOfflineEngine(None).find(paper, EvidenceQuery(HYPOTHESIS, k=1, results_only=True)).indices == (5,)


@pytest.mark.slow
def test_twenty_thousand_sentences_in_seconds() -> None:
    sentences = [f"Memory of bee {n} was {n % 97} points higher after a nap (P = 0.0{n % 10})." for n in range(20_000)]
    started = time.process_time()
    assert len(SimpleOfflineEngine(None).find(paper_of(body(*sentences)), EvidenceQuery(HYPOTHESIS)).sentences) == 10
    assert time.process_time() - started < 20  # about 1 s on an idle machine
