"""Embedding a paper: what is encoded, when, and that the forward pass is the model's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.evidence import EvidenceQuery, engine_named
from core.evidence.baselines import EmbeddingEngine
from core.text.encoder import MAX_PIECES, load_encoder
from core.text.encoder_files import model_folder
from core.text.similarity import Embedder
from tests.core.evidence.fakes import fake_embedder
from tests.core.evidence.papers import HYPOTHESIS, bee_trial, body, paper_of


def test_a_paper_is_encoded_once(tmp_path: Path) -> None:
    paper = bee_trial()
    embedder, encoder = fake_embedder(tmp_path)
    first = embedder.compare(paper, HYPOTHESIS)
    assert encoder.encoded == len(paper.sentences) + 1
    again, other_encoder = fake_embedder(tmp_path)  # as another process would
    assert (again.compare(paper, HYPOTHESIS).vectors == first.vectors).all()
    assert other_encoder.encoded == 1  # the hypothesis


def test_a_damaged_entry_is_computed_again(tmp_path: Path) -> None:
    embedder, encoder = fake_embedder(tmp_path)
    expected = embedder.compare(bee_trial(), HYPOTHESIS).vectors
    (entry,) = tmp_path.rglob("*.npy")
    entry.write_bytes(entry.read_bytes()[:200])
    before = encoder.encoded
    assert (embedder.compare(bee_trial(), HYPOTHESIS).vectors == expected).all()
    assert encoder.encoded > before + 1
    assert entry.stat().st_size > 200


def test_equal_sentences_are_encoded_once(tmp_path: Path) -> None:
    embedder, encoder = fake_embedder(tmp_path)
    vectors = embedder.compare(paper_of(body("Bees nap.", "Wasps hunt.", "Bees nap.")), HYPOTHESIS).vectors
    assert encoder.encoded == 2 + 1
    assert (vectors[0] == vectors[2]).all()
    assert not (vectors[0] == vectors[1]).all()


def test_rows_follow_the_paper_though_short_sentences_go_first(tmp_path: Path) -> None:
    sentences = ["One two three four five six.", "Seven.", "Eight nine ten."] * 200
    paper = paper_of(body(*(f"{text} {number}" for number, text in enumerate(sentences))))
    embedder, encoder = fake_embedder(tmp_path)
    vectors = embedder.compare(paper, HYPOTHESIS).vectors
    alone = encoder.encode(encoder.pieces([sentence.text for sentence in paper.sentences]))
    assert (vectors == alone).all()
    assert len(encoder.batches) > 3  # in batches, and not one by one
    assert max(encoder.batches) > 10


def test_progress_rises_and_can_cancel(tmp_path: Path) -> None:
    paper = paper_of(body(*(f"Bee number {n} took a nap in the sun." for n in range(2000))))
    engine = EmbeddingEngine(fake_embedder(tmp_path)[0])
    seen: list[float] = []
    engine.find(paper, EvidenceQuery(HYPOTHESIS), progress=lambda done, step: seen.append(done))
    assert seen == sorted(seen)
    assert len(seen) > 5
    assert seen[-1] == 1.0

    class Cancelled(Exception):
        pass

    def cancel(done: float, step: str) -> None:
        if done > 0.3:
            raise Cancelled

    other = EmbeddingEngine(fake_embedder(tmp_path / "other")[0])
    with pytest.raises(Cancelled):
        other.find(paper, EvidenceQuery(HYPOTHESIS), progress=cancel)
    assert list((tmp_path / "other").rglob("*.npy")) == []


@pytest.mark.slow
def test_the_forward_pass_is_the_models() -> None:
    """The same vectors as sentence-transformers, to 1e-5, truncation and odd text included."""
    from sentence_transformers import SentenceTransformer

    folder = model_folder()
    assert folder is not None
    texts = [sentence.text for sentence in bee_trial().sentences]
    texts += ["", " ", "α-synuclein ± 0.5 µg/mL", "眠り 😀", "<b>$x$</b>", "nap " * 700, "y" * 300]
    expected = SentenceTransformer(str(folder), device="cpu").encode(texts)
    encoder = load_encoder(folder)
    pieces = encoder.pieces(texts)
    assert max(map(len, pieces)) == MAX_PIECES
    assert np.abs(encoder.encode(pieces) - expected).max() < 1e-5
    one_by_one = np.concatenate([encoder.encode([text]) for text in pieces])
    assert np.abs(one_by_one - expected).max() < 1e-5  # padding does not leak


def test_half_a_surrogate_pair_is_read() -> None:
    folder = model_folder()
    assert folder is not None
    encoder = load_encoder(folder)
    assert np.isfinite(encoder.encode(encoder.pieces(["nap \ud800 nap"]))).all()


def test_meaning_beats_words() -> None:
    folder = model_folder()
    assert folder is not None
    encoder = load_encoder(folder)
    query, near, far = encoder.encode(
        encoder.pieces(["Naps help memory.", "Sleeping improves recall.", "Hives are made of wood."])
    )
    assert query @ near > query @ far + 0.2


@pytest.mark.slow
def test_a_cancelled_search_goes_on_where_it_stopped(tmp_path: Path) -> None:
    paper = paper_of(
        *(body(f"Bee number {number} slept for {number} hours and {number * 7} minutes.") for number in range(300))
    )
    embedder = Embedder.installed(tmp_path)

    def cancel(done: float, step: str) -> None:
        if done > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        embedder.compare(paper, HYPOTHESIS, progress=cancel)
    reported: list[float] = []
    vectors = embedder.compare(paper, HYPOTHESIS, progress=lambda done, step: reported.append(done)).vectors
    assert reported[0] > 0.5
    assert np.allclose(vectors, Embedder.installed(tmp_path / "new").compare(paper, HYPOTHESIS).vectors, atol=1e-5)


@pytest.mark.parametrize("engine", ["offline", "embedding"])
def test_a_hypothesis_about_something_else_is_said(engine: str) -> None:
    evidence = engine_named(engine).find(bee_trial(), EvidenceQuery("Interest rates drive house prices in cities."))
    assert any("comes close" in note for note in evidence.notes)
    fitting = engine_named(engine).find(bee_trial(), EvidenceQuery(HYPOTHESIS))
    assert not any("comes close" in note for note in fitting.notes)
