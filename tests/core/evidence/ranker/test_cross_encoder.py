"""What the cross-encoder reads, and that it scores as it was trained."""

from __future__ import annotations

import inspect
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.evidence import EvidenceQuery
from core.evidence.ranker.cross_encoder import LONGEST, CrossEncoder, in_context, pairs
from core.evidence.ranker.model import Training, cross_encoder_path
from core.text.encoder import Encoder, load_encoder
from core.text.encoder_files import model_folder
from tests.core.evidence.papers import HYPOTHESIS, bee_trial, body, paper_of


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    folder = model_folder()
    assert folder is not None
    return load_encoder(folder)


def letters(texts: Sequence[str]) -> list[list[int]]:
    """A tokeniser by hand: one piece a letter, 1 and 2 at the ends."""
    return [[1, *(ord(letter) for letter in text), 2] for text in texts]


def test_a_sentence_is_read_with_where_it_stands() -> None:
    paper = bee_trial()
    texts = in_context(paper, EvidenceQuery(HYPOTHESIS).candidates(paper))
    assert texts[2].startswith("abstract, ")
    assert texts[2].endswith("1: Memory scores were higher with a nap (82 versus 64 points; P = 0.003).")
    assert "results, Results, 7: Two bees flew away." in texts
    assert any(text.startswith("table, ") and text.endswith(": Nap | 82 | 64 | 0.003") for text in texts)


def test_a_pair_is_cut_to_length_and_the_sentence_keeps_room() -> None:
    paper = paper_of(body("s" * 500))
    short = pairs(paper, paper.sentences, "hy", letters)[0]
    assert short.pieces[: short.second] == (1, ord("h"), ord("y"), 2)
    long = pairs(paper, paper.sentences, "h" * 500, letters)[0]
    for pair in (short, long):
        assert len(pair.pieces) == LONGEST
        assert pair.pieces[-1] == 2
    assert long.second < LONGEST / 2


def test_only_the_paper_and_the_hypothesis_come_in() -> None:
    """Gold, aspects and the direction of an effect have no way in."""
    assert list(inspect.signature(pairs).parameters) == ["paper", "sentences", "hypothesis", "pieces"]
    assert list(inspect.signature(CrossEncoder.log_odds).parameters) == ["self", "paper", "sentences", "hypothesis"]


@pytest.mark.slow
@pytest.mark.parametrize("training", list(Training))
def test_it_scores_alike_alone_and_among_others(encoder: Encoder, training: Training) -> None:
    paper = bee_trial(more=("Naps. " * 60, "x" * 3000, "\ud800 half", "..."))
    candidates = EvidenceQuery(HYPOTHESIS).candidates(paper)
    cross = CrossEncoder.from_file(cross_encoder_path(training), encoder)
    together = cross.log_odds(paper, candidates, HYPOTHESIS)
    alone = np.concatenate([cross.log_odds(paper, [sentence], HYPOTHESIS) for sentence in candidates])
    assert together.shape == (len(candidates), 2)
    np.testing.assert_allclose(together, alone, atol=0.0011)  # rounded to three decimals
    assert cross.log_odds(paper, [], HYPOTHESIS).shape == (0, 2)


@pytest.mark.parametrize("training", list(Training))
def test_results_stand_above_the_garden(encoder: Encoder, training: Training) -> None:
    paper = bee_trial()
    candidates = EvidenceQuery(HYPOTHESIS).candidates(paper)
    scores = CrossEncoder.from_file(cross_encoder_path(training), encoder).log_odds(paper, candidates, HYPOTHESIS)
    by_text = {sentence.text[:12]: score for sentence, score in zip(candidates, scores, strict=True)}
    assert (by_text["Napping bees"] > by_text["Hives stood "] + 1).all()


def test_the_files_are_small_and_load_in_milliseconds(encoder: Encoder) -> None:
    files = [cross_encoder_path(training) for training in Training]
    assert sum(file.stat().st_size for file in files) < 50_000_000
    for file in files:
        started = time.process_time()
        CrossEncoder.from_file(file, encoder)
        assert time.process_time() - started < 1.0  # tens of milliseconds on an idle machine


@pytest.mark.slow
def test_torch_and_the_runtime_agree(encoder: Encoder) -> None:
    """The network that learns is the one that ranks: the same weights give the same log-odds."""
    torch = pytest.importorskip("torch")
    from safetensors.torch import load_file

    from core.training.cross_encoder import Net

    folder = model_folder()
    assert folder is not None
    file = cross_encoder_path(Training.ALL)
    tuned = {name: tensor.float() for name, tensor in load_file(Path(file)).items()}
    net = Net(load_file(folder / "model.safetensors") | tuned).eval()
    assert net.tuned().keys() == tuned.keys()
    paper = bee_trial()
    candidates = EvidenceQuery(HYPOTHESIS).candidates(paper)
    with torch.no_grad():
        expected = net(pairs(paper, candidates, HYPOTHESIS, encoder.pieces)).numpy()
    found = CrossEncoder.from_file(file, encoder).log_odds(paper, candidates, HYPOTHESIS)
    np.testing.assert_allclose(found, expected, atol=0.002)
