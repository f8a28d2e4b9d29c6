"""The encoder's forward pass, and vectors on disk."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import psutil
import pytest

from core.text.encoder import (
    DIMENSIONS,
    EmbeddingCache,
    Embeddings,
    Matrix,
    Transformer,
    in_batches,
    load_weights,
    threads,
)
from core.text.encoder_files import model_folder
from tests.core.evidence.papers import bee_trial

# ---- embedding transformer ----
# The forward pass: what decides its vectors, and what does not.

PIECES = [[101, 2000 + 7 * row, *range(3000, 3000 + row), 102] for row in range(40)]


@pytest.fixture(scope="module")
def weights() -> dict[str, Matrix]:
    folder = model_folder()
    assert folder is not None
    return load_weights(folder / "model.safetensors")


def transformer(weights: dict[str, Matrix], at_once: int, monkeypatch: pytest.MonkeyPatch) -> Transformer:
    """One that computes with so many threads."""
    monkeypatch.setenv("OMP_NUM_THREADS", str(at_once))
    return Transformer(Embeddings(weights), weights)


def test_threads_are_those_that_other_libraries_are_told() -> None:
    assert threads({"OMP_NUM_THREADS": "1"}) == 1
    assert threads({"OMP_NUM_THREADS": "3"}) == 3
    for told in ({}, {"OMP_NUM_THREADS": ""}, {"OMP_NUM_THREADS": "0"}, {"OMP_NUM_THREADS": "4,2"}):
        assert threads(told) == os.cpu_count()


@pytest.mark.skipif(not psutil.LINUX, reason="counts the threads of this process, which other systems add to")
def test_one_thread_starts_no_other(weights: dict[str, Matrix], monkeypatch: pytest.MonkeyPatch) -> None:
    process = psutil.Process()
    before = process.num_threads()
    alone = transformer(weights, 1, monkeypatch)
    assert process.num_threads() == before
    three = transformer(weights, 3, monkeypatch)
    assert process.num_threads() == before + 2
    assert alone.pooled(PIECES[:1]).shape == three.pooled(PIECES[:1]).shape == (1, DIMENSIONS)


@pytest.mark.slow
def test_threads_do_not_move_the_vectors(weights: dict[str, Matrix], monkeypatch: pytest.MonkeyPatch) -> None:
    one, three = (transformer(weights, at_once, monkeypatch).pooled(PIECES) for at_once in (1, 3))
    assert (one == three).all()


@pytest.mark.slow
def test_a_batch_moves_the_last_bits_at_most(weights: dict[str, Matrix]) -> None:
    layers = Transformer(Embeddings(weights), weights)
    alone = np.concatenate([layers.pooled([text]) for text in PIECES])
    assert np.abs(layers.pooled(PIECES) - alone).max() < 2e-6
    pairs = layers.pooled(PIECES, second=[len(text) // 2 for text in PIECES])
    assert np.abs(pairs - alone).max() > 0.01  # the second text is read as another


def test_batches_hold_every_text_once_the_short_ones_first() -> None:
    lengths = [5, 300, 7, 256, 256, 256, 1]
    batches = list(in_batches(lengths))
    assert batches == [[6, 0, 2], [3, 4, 5], [1]]
    assert list(in_batches([])) == []


# ---- embedding cache ----
# Vectors on disk.

PAPER = bee_trial()
TEXTS = [sentence.text for sentence in PAPER.sentences]
VECTORS = np.eye(len(TEXTS), 20, dtype=np.float32)


@pytest.fixture
def cache(tmp_path: Path) -> EmbeddingCache:
    return EmbeddingCache(tmp_path, model="made-up")


def test_what_is_stored_is_loaded(cache: EmbeddingCache) -> None:
    assert cache.load(PAPER, TEXTS, 20) is None
    cache.store(PAPER, TEXTS, VECTORS)
    loaded = cache.load(PAPER, TEXTS, 20)
    assert loaded is not None
    assert (loaded == VECTORS).all()


def test_other_sentences_are_another_entry(cache: EmbeddingCache) -> None:
    cache.store(PAPER, TEXTS, VECTORS)
    assert cache.load(PAPER, [*TEXTS[:-1], "Changed."], 20) is None
    assert cache.load(PAPER, TEXTS, 21) is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:-7]),
        lambda path: path.write_bytes(b"PK\x03\x04" + path.read_bytes()),
        lambda path: np.save(path, VECTORS * 3),
        lambda path: np.save(path, np.full_like(VECTORS, np.nan)),
        lambda path: np.save(path, np.array([{"a": "pickle"}]), allow_pickle=True),
    ],
)
def test_a_damaged_file_counts_as_none(cache: EmbeddingCache, damage: object) -> None:
    cache.store(PAPER, TEXTS, VECTORS)
    damage(cache.path(PAPER, TEXTS))  # type: ignore[operator]
    assert cache.load(PAPER, TEXTS, 20) is None


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "embeddings").write_text("a file where the folder should be")
    cache = EmbeddingCache(tmp_path / "embeddings", model="made-up")
    cache.store(PAPER, TEXTS, VECTORS)
    assert cache.load(PAPER, TEXTS, VECTORS.shape[1]) is None


def test_nothing_half_written_stays(cache: EmbeddingCache, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(np.lib.format, "write_array", stop)
    with pytest.raises(KeyboardInterrupt):
        cache.store(PAPER, TEXTS, VECTORS)
    assert list(cache.path(PAPER, TEXTS).parent.iterdir()) == []
