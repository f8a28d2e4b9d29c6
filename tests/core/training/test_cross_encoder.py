"""What the cross-encoder is shown in training, and that it learns from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file

from core.benchmarks.gold import Gold
from core.evidence import EvidenceQuery
from core.evidence.ranker.features import Features
from core.evidence.ranker.model import Training, cross_encoder_path
from core.paper import Paper
from core.text.encoder import load_encoder
from core.text.encoder_files import model_folder
from core.training.cross_encoder import (
    OF_SPANS,
    Net,
    PairExample,
    example,
    sample_read,
    scores,
    sets,
    steps_of_both,
    steps_of_trials,
    tune,
)
from core.training.ranker import (
    AspectFeatures,
    HeldOutScores,
    QuestionFeatures,
    SpanFeatures,
    held_back_trials,
    key,
    reworded,
)
from tests.core.evidence.papers import HYPOTHESIS, bee_trial

pytestmark = pytest.mark.slow

pytest.importorskip("torch", reason="torch is needed for training only")
pytest.importorskip("lightgbm", reason="LightGBM is needed for training only")


TRIAL = "naps compared with none: memory"


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """As in training: sums in one order, whatever machine."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def described(paper: Paper) -> tuple[Features, np.ndarray, np.ndarray]:
    index = np.array([sentence.index for sentence in EvidenceQuery(HYPOTHESIS).candidates(paper)])
    return Features(("one",), np.zeros((len(index), 1))), np.zeros((len(index), 2), dtype=np.float16), index


def of_aspects(name: str = "1", covered: int = 2) -> AspectFeatures:
    paper = bee_trial(more=(f"Hive {name} was the first to wake.",))
    gold = Gold(aspects={"a": frozenset({covered}), "b": frozenset({covered, 3})}, results=frozenset({"b"}))
    return AspectFeatures(name, HYPOTHESIS, paper, name, *described(paper), gold, 1, 1)


def of_spans(name: str = "1") -> SpanFeatures:
    paper = bee_trial(more=(f"Hive {name} was the first to wake.",))
    found, vectors, index = described(paper)
    return SpanFeatures(name, TRIAL, paper, name, found, vectors, index, frozenset({3}), found)


def shown(question: QuestionFeatures) -> PairExample:
    folder = model_folder()
    assert folder is not None
    falling = -np.arange(len(question.index), dtype=np.float64)
    return example(question, [falling], load_encoder(folder).pieces, seed=0)


def fresh() -> Net:
    folder = model_folder()
    assert folder is not None
    return Net(load_file(folder / "model.safetensors"))


def test_other_gold_changes_the_target_and_not_what_is_read() -> None:
    one, two = shown(of_aspects(covered=2)), shown(of_aspects(covered=6))
    read = [{int(p): pair for p, pair in zip(e.places, e.pairs[0], strict=True)} for e in (one, two)]
    common = read[0].keys() & read[1].keys()
    assert len(common) > 5
    assert all(read[0][place] == read[1][place] for place in common)
    assert one.target.tolist() != two.target.tolist()


def test_the_target_is_that_of_the_trees() -> None:
    question = of_aspects()
    seen = shown(question)
    for output, results_only in enumerate((False, True)):
        expected = question.target(results_only=results_only)[seen.places]
        np.testing.assert_allclose(seen.target[:, output], expected, atol=1e-6)
    assert set(seen.gold).isdisjoint({*seen.hard, *seen.easy})


def test_a_trial_is_asked_in_two_wordings() -> None:
    seen = shown(of_spans())
    assert len(seen.pairs) == 2
    assert seen.pairs[0] != seen.pairs[1]


def test_every_question_comes_once_an_epoch() -> None:
    aspects, spans = [shown(of_aspects(str(n))) for n in range(3)], [shown(of_spans(str(n))) for n in range(5)]
    steps = steps_of_trials(spans, epochs=2, together=2, seed=0)
    assert Counter(e.question.id for step in steps for e, *_ in step) == dict.fromkeys("01234", 2)
    mixed = steps_of_both(aspects, spans, epochs=4, beside=2, seed=0)
    first = [step[0] for step in mixed]
    assert Counter(e.question.id for e, *_ in first) == dict.fromkeys("012", 4)
    assert all(both for *_, both in first)
    beside = [one for step in mixed for one in step[1:]]
    assert len(beside) == 2 * len(mixed)
    assert all(isinstance(e.question, SpanFeatures) and not both for e, _, both in beside)


def test_it_learns_and_the_same_every_time() -> None:
    seen = shown(of_spans())
    nets = []
    for _ in range(2):
        net = fresh()
        tune(net, [[(seen, OF_SPANS, True)]] * 3, rate=5e-4, seed=0, name="a test")
        nets.append(scores(net, seen))
    before = scores(fresh(), seen)
    answer = int(np.flatnonzero(seen.question.index == 3)[0])
    others = np.delete(np.arange(len(before)), answer)

    def ahead(found: np.ndarray) -> float:
        return float(found[answer, 1] - found[others, 1].mean())

    assert ahead(nets[0]) > ahead(before) + 0.5
    np.testing.assert_array_equal(nets[0], nets[1])


def test_scores_of_unseen_papers_are_kept_and_checked(tmp_path: Path) -> None:
    kept = HeldOutScores.at(tmp_path)
    questions: list[QuestionFeatures] = [of_aspects("a"), *(of_spans(str(n)) for n in range(20))]
    held_back = held_back_trials(questions)
    assert 0 < len(held_back) < 10
    assert "a" not in held_back
    needed = [q for q in questions if isinstance(q, AspectFeatures) or q.group in held_back]
    assert kept.load("trials") is None
    with pytest.raises(SystemExit, match=r"core\.training cross-encoder"):
        kept.unseen(Training.TRIALS, questions)
    found = {key(q): np.ones((len(q.index), 2)) for q in needed}
    kept.save("trials", found | {reworded(needed[-1]): np.zeros((3, 2))})
    again = kept.unseen(Training.TRIALS, questions)
    np.testing.assert_array_equal(again[key(needed[0])], found[key(needed[0])])
    assert again.keys() == found.keys() | {reworded(needed[-1])}
    kept.save("trials", found | {key(needed[-1]): np.ones((3, 2))})  # another way of splitting sentences
    with pytest.raises(SystemExit, match=r"core\.training cross-encoder"):
        kept.unseen(Training.TRIALS, questions)


def test_no_part_is_measured_on_a_paper_that_it_has_seen() -> None:
    examples = [shown(of_aspects(f"a{n}")) for n in range(6)] + [shown(of_spans(f"s{n}")) for n in range(10)]
    aspects, held_back = {f"a{n}" for n in range(6)}, held_back_trials([e.question for e in examples])
    groups = {
        part: [{e.question.group for e in some} for some in sets(part, examples)]
        for part in ("trials", "0", "1", "2", "all")
    }
    assert all(seen.isdisjoint(measured) for seen, measured in groups.values())
    assert all(seen.isdisjoint(held_back) for seen, _ in groups.values())
    assert groups["trials"][0].isdisjoint(aspects)  # free of CC BY-NC-SA
    assert groups["trials"][1] == aspects | held_back
    assert set().union(*(groups[fold][1] for fold in "012")) == aspects
    assert groups["all"][1] == held_back


@pytest.mark.parametrize("training", list(Training))
def test_it_was_trained_on_what_is_read_now(training: Training) -> None:
    """Fails when reading, splitting or the wording of pairs changes: then train it again."""
    with safe_open(cross_encoder_path(training), "pt") as file:
        assert file.metadata()["reads"] == sample_read()
