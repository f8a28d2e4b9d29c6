"""`offline` on whole papers: sentences, levels, proof that nothing was found, and nothing made up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.bias import Answer, Domain, Level, StudyContext, bias_engine_named, judge, judge_from_sentences, tool_named
from core.bias.model import LOW
from core.bias.tools.rob1 import UNCLEAR
from core.engines import TaskKind, names
from core.errors import EngineError, QueryError
from core.paper import Paper, read_paper
from run import ROOT

ROB1, ROB2 = tool_named("rob1"), tool_named("rob2")
OFFLINE = bias_engine_named("offline")
STUDY = StudyContext()
OWN = Domain("own:adherence", "Adherence", "adherence", "Whether participants took the magnesium.", {}, "")


def sample(name: str) -> Paper:
    path = ROOT / "sample_data" / name
    return read_paper(path.read_bytes(), name=path.name)


@pytest.fixture(scope="module")
def cramps() -> Paper:
    return sample("leg-cramps.xml")


@pytest.mark.parametrize(
    ("domain", "level", "word"),
    [
        ("sequence", LOW, "random number generator"),
        ("concealment", LOW, "central pharmacy"),
        ("performance", LOW, "did not know"),
        ("detection", LOW, "did not know"),
    ],
)
def test_a_trial_that_says_how_it_was_done(cramps: Paper, domain: str, level: Level, word: str) -> None:
    judgement = judge(ROB1.domain(domain), cramps, STUDY, engine=OFFLINE)
    assert judgement.level == level
    assert word in " ".join(cramps.sentences[support.index].text for support in judgement.support[:3])
    decided = cramps.sentences[judgement.support[0].index].text
    assert judgement.deciding_words[0] in judgement.rationale
    assert any(words in decided for words in judgement.deciding_words)
    assert judgement.support[0].reason
    assert len({support.index for support in judgement.support}) == len(judgement.support) <= 5


def test_nothing_found_comes_with_its_proof() -> None:
    """A study that was not randomised says nothing of a sequence."""
    paper = sample("pharmacy-ecg-screening.md")
    judgement = judge(ROB1.domain("sequence"), paper, STUDY, engine=OFFLINE)
    assert judgement.level == UNCLEAR  # RoB 1's word for "not described"
    assert judgement.rationale.startswith("The text is silent")
    assert judgement.searched == tuple(section.title for section in paper.sections)
    assert len(judgement.rejected) == 3
    assert judgement.support == judgement.deciding_words == ()


def test_rob_2_gives_only_answers_that_a_sentence_holds(cramps: Paper) -> None:
    found = {domain.id: judge(domain, cramps, STUDY, engine=OFFLINE) for domain in ROB2.domains}
    assert found["D1"].answers == {"1.1": Answer.YES, "1.2": Answer.YES}
    assert found["D1"].level == LOW
    assert "Provisional" in found["D1"].rationale
    assert found["D2"].answers == {"2.1": Answer.NO, "2.2": Answer.NO}
    assert found["D2"].level is None
    assert "2.6" in found["D2"].rationale
    assert found["D5"].answers == {}
    assert found["D5"].level is None
    assert ROB2.overall_level({id: judgement.level for id, judgement in found.items()}) is None


def test_a_domain_of_ones_own_gets_sentences_and_no_level(cramps: Paper) -> None:
    judgement = judge(OWN, cramps, STUDY, engine=OFFLINE)
    assert judgement.level is None
    assert "Adherence" in judgement.rationale
    assert len(judgement.support) == 5


@pytest.mark.parametrize("name", ["bm25", "embedding"])
def test_engines_that_only_retrieve_say_so(cramps: Paper, name: str) -> None:
    judgement = judge(ROB1.domain("sequence"), cramps, STUDY, engine=bias_engine_named(name))
    assert judgement.level is None
    assert f"the engine {name} finds" in judgement.rationale
    assert any("random number generator" in cramps.sentences[s.index].text for s in judgement.support)


def test_from_sentences_points_at_the_sentence_that_decided() -> None:
    sentences = ["Gout is painful.", "Computer-generated random list of numbers; adequate."]
    judgement = judge_from_sentences(ROB1.domain("sequence"), sentences, engine=OFFLINE)
    assert (judgement.level, judgement.support[0].index) == (LOW, 1)
    with pytest.raises(QueryError, match="no sentence"):
        judge_from_sentences(ROB1.domain("attrition"), [" "], engine=OFFLINE)


def test_an_unknown_engine_names_those_there_are() -> None:
    with pytest.raises(EngineError, match=", ".join(names(TaskKind.BIAS))):
        bias_engine_named("oracle")


def test_a_paper_without_words_to_judge_by_is_silent_and_not_a_failure() -> None:
    paper = read_paper(b"# Gout\n\nGout hurts.\n", name="short.md")
    for domain in ROB1.domains:
        level = UNCLEAR if domain.id in {"sequence", "concealment", "reporting"} else None
        assert judge(domain, paper, STUDY, engine=OFFLINE).level == level


def test_real_trials_are_judged_whole(shared_data: Path, read_once: Callable[[Path], Paper]) -> None:
    """Every domain gets a level or none, with a reason, and support that stands in the paper."""
    for path in sorted((shared_data / "evidence_inference" / "xml").glob("*.nxml"))[:5]:
        paper = read_once(path)
        for domain in ROB1.domains:
            judgement = judge(domain, paper, STUDY, engine=OFFLINE)
            assert judgement.level in {*ROB1.scale, None}
            assert judgement.rationale
            assert all(support.index < len(paper.sentences) for support in judgement.support)


@pytest.mark.parametrize("id", ["rob2-cluster", "rob2-crossover-adhering", "robins-i", "quadas-2"])
def test_other_tools_get_sentences_and_no_level_that_nobody_learned(cramps: Paper, id: str) -> None:
    for domain in tool_named(id).domains:
        found = judge(domain, cramps, STUDY, engine=OFFLINE)
        assert 0 < len(found.support) <= 5
        if found.level is not None:
            assert domain.id in {"D1", "D2", "D3", "D4"}, "as RoB 2 for parallel trials, by a wording's answer"
            assert found.answers
