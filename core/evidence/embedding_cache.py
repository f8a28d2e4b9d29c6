"""Sentence vectors on disk, by model and paper. Deleting the folder costs time only."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.evidence.embedding_model import Matrix
from core.paper import Paper


class EmbeddingCache:
    """One `.npy` file a paper. Safe to share between processes: a file is replaced whole or not at all."""

    def __init__(self, folder: Path, *, model: str) -> None:
        self._folder = folder / model

    def path(self, paper: Paper, texts: Sequence[str]) -> Path:
        """The paper's file. The texts are part of its name: another way of splitting sentences needs other vectors."""
        split = hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / paper.id[:2] / f"{paper.id}-{split[:16]}.npy"

    def load(self, paper: Paper, texts: Sequence[str], dimensions: int) -> Matrix | None:
        """The stored vectors, (len(texts), dimensions); None where there are none or the file is damaged."""
        try:
            with self.path(paper, texts).open("rb") as file:
                vectors = np.lib.format.read_array(file, allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        if vectors.shape != (len(texts), dimensions) or vectors.dtype != np.float32:
            return None
        lengths = np.einsum("nd,nd->n", vectors, vectors)
        return vectors if np.all(np.abs(lengths - 1) < 1e-3) else None

    def store(self, paper: Paper, texts: Sequence[str], vectors: Matrix) -> None:
        """Keep the vectors. A full or read-only disk is no reason to fail: they are computed again next time."""
        path = self.path(paper, texts)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
            try:
                with os.fdopen(handle, "wb") as file:
                    np.lib.format.write_array(file, vectors, allow_pickle=False)
                Path(temporary).replace(path)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
