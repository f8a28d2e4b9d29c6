"""An embedder for the tests of the library, which put the same few papers into one index after another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from core.text.encoder import Matrix
from core.text.similarity import Embedder


class RememberingEmbedder(Embedder):
    """The installed one, which encodes each text once."""

    def encode(self, texts: Sequence[str]) -> Matrix:
        known = self.__dict__.setdefault("known", {})
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, super().encode(new), strict=True))
        return np.stack([known[text] for text in texts]) if texts else super().encode([])


@pytest.fixture(scope="package")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    return RememberingEmbedder.installed(tmp_path_factory.mktemp("vectors"))
