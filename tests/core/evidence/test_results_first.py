"""Results first: for which questions, and what then stands where."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.engines import TaskKind, names
from core.evidence import EvidenceEngine, EvidenceQuery, engine_named
from core.evidence.model import candidates
from core.evidence.offline import SimpleOfflineEngine
from core.evidence.results_first import behind, is_about_an_effect, results_before, sets_the_scene, share_of_results
from core.evidence.selection import RankedChoice
from core.paper import Kind, Paper
from core.paper.draft import Block
from tests.core.evidence.fakes import fake_embedder
from tests.core.evidence.papers import HYPOTHESIS, body, heading, paper_of

SCENE = (
    "Sleep is thought to help memory in honey bees.",
    "To test whether daily naps improve memory in honey bees.",
    "Daily naps and memory in honey bees have been studied before [4].",
    "This study aimed to find out whether daily naps improve memory in honey bees.",
    "Honey bees were excluded if they had daily naps, were pregnant or younger than 18 years.",
    "Healthy honey bees older than ten days could take a daily nap and a memory test.",
    "Daily naps and memory in honey bees: registered at ClinicalTrials.gov, NCT01234567.",
)
RESULTS = (
    "Memory scores were higher with daily naps (82 versus 64 points; P = 0.003).",
    "Honey bees with daily naps remembered 41% more flowers (95% CI 22 to 60).",
    "To compare memory we counted flowers, and found significantly more of them with naps.",
)
OTHER = ("Memory was tested with coloured discs by a blinded observer.", "Bees flew for an hour.")


def trial() -> Paper:
    """A trial with lines that set the scene in every part of it, each nearer to the hypothesis than its results."""
    return paper_of(
        Block(Kind.TITLE, "Naps and memory"),
        heading("Abstract"),
        Block(Kind.HEADING, "Background", level=2),
        Block(Kind.ABSTRACT, "", sentences=SCENE[:1]),
        Block(Kind.HEADING, "Objective", level=2),
        Block(Kind.ABSTRACT, "", sentences=SCENE[1:2]),
        Block(Kind.HEADING, "Results", level=2),
        Block(Kind.ABSTRACT, "", sentences=RESULTS[:1]),
        heading("Introduction"),
        body(SCENE[2]),
        heading("Methods"),
        body(*SCENE[3:5], OTHER[0]),
        Block(Kind.HEADING, "Eligibility criteria", level=2),
        body(SCENE[5]),
        Block(Kind.HEADING, "Procedure", level=2),
        body(SCENE[6], OTHER[1]),
        heading("Results"),
        body(*RESULTS[1:]),
    )


def engines(folder: Path) -> list[EvidenceEngine]:
    embedder = fake_embedder(folder)[0]
    return [
        *map(engine_named, names(TaskKind.EVIDENCE)),
        SimpleOfflineEngine(embedder),
        SimpleOfflineEngine(None),
    ]


@pytest.mark.parametrize(
    "hypothesis",
    [
        HYPOTHESIS,
        "Magnesium causes gastrointestinal complaints.",
        "Screening in pharmacies finds unknown atrial fibrillation.",
        "Patients who were randomised to early surgery had a lower mortality.",
        "Coffee consumption does not affect the risk of breast cancer.",
        "What is the effect of statins on stroke?",
        "Does exercise reduce fatigue?",
    ],
)
def test_a_claim_or_question_about_an_effect(hypothesis: str) -> None:
    assert is_about_an_effect(hypothesis)


@pytest.mark.parametrize(
    "question",
    [
        "Allocation was concealed from those who enrolled the participants.",
        "Outcome assessors were blinded.",
        "How was the effect on pain measured?",
        "Which patients were eligible?",
        "What was the primary outcome?",
        "The trial was registered before recruitment began.",
        "",
    ],
)
def test_a_question_about_how_a_study_was_done(question: str) -> None:
    assert not is_about_an_effect(question)


def test_lines_that_set_the_scene_are_told_from_results_and_methods() -> None:
    paper = trial()
    pool = candidates(paper)
    told = {sentence.text for sentence, scene in zip(pool, sets_the_scene(paper, pool), strict=True) if scene}
    assert told == set(SCENE)


def test_a_paper_that_stands_beneath_one_title_is_not_all_background() -> None:
    paper = paper_of(heading("Introduction"), body("The drug damaged the marrow of all rabbits."))
    assert not sets_the_scene(paper, candidates(paper)).any()


def test_the_scene_stands_in_an_answer_where_nothing_better_is_left(tmp_path: Path) -> None:
    paper, better = trial(), len(RESULTS) + len(OTHER)
    for engine in engines(tmp_path):
        for k in (better, better + 2):
            found = engine.find(paper, EvidenceQuery(HYPOTHESIS, k=k, results_first=True))
            scene = [paper.sentences[index].text in SCENE for index in found.indices]
            assert scene == [False] * better + [True] * (k - better), engine
            scores = [sentence.score for sentence in found.sentences]
            assert scores == sorted(scores, reverse=True)


def test_without_it_the_engine_keeps_its_own_order() -> None:
    paper = trial()
    found = engine_named("bm25").find(paper, EvidenceQuery(HYPOTHESIS, k=5))
    assert any(paper.sentences[index].text in SCENE for index in found.indices)


def test_results_then_what_else_is_evidence() -> None:
    results = [RankedChoice(place, 3.0 - place) for place in range(12)]
    rest = [RankedChoice(place, 9.0) for place in (11, 0, 20, 21, 22, 23, 24)]
    chosen = results_before(results, rest, 10)
    assert [choice.place for choice in chosen] == [0, 1, 2, 3, 4, 11, 20, 21, 22, 23]
    assert [choice.score for choice in chosen] == [3.0, 2.0, 1.0, 0.0, *[-1.0] * 6]  # they never rise
    assert [share_of_results(k) for k in (1, 5, 9, 10, 15)] == [1, 5, 5, 5, 8]


def test_what_stands_behind_is_below_all_others() -> None:
    moved = behind(np.array([1.0, 50.0, -7.0, 2.0]), np.array([False, True, False, True]))
    assert moved[[0, 2]].tolist() == [1.0, -7.0]
    assert moved[1] < -7.0 - 10
    assert moved[1] > moved[3]
