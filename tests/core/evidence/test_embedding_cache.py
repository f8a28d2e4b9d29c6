"""Vectors on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.evidence.embedding_cache import EmbeddingCache
from tests.core.evidence.papers import bee_trial

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
