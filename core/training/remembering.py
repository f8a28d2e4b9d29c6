"""A reader that caches its output in a file, so that regressions on top of it can be fitted again quickly."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Self

import numpy as np

from core.entailment import InContext, Reader, installed_reader
from core.entailment.reader import WEIGHTS, Probabilities
from core.settings import load_settings


class RememberingReader(Reader):
    """Caches the directions of another reader."""

    def __init__(self, reader: Reader, kept: Path) -> None:
        self._reader, self._kept = reader, kept
        self._known: dict[str, list[float]] = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else {}

    @classmethod
    def installed(cls) -> Self:
        """A cache for the shipped reader. Each version of the reader has its own file."""
        weights = sha256(WEIGHTS.read_bytes()).hexdigest()[:16]
        return cls(installed_reader(), load_settings().home / "training" / f"reader-{weights}.json")

    def directions(self, question: str, sentences: Sequence[InContext]) -> Probabilities:
        """See `Reader.directions`."""
        keys = [_key(question, one) for one in sentences]
        new = {key: one for key, one in zip(keys, sentences, strict=True) if key not in self._known}
        if new:
            read = self._reader.directions(question, list(new.values()))
            self._known |= dict(zip(new, read.tolist(), strict=True))
        return np.array([self._known[key] for key in keys])

    def keep(self) -> None:
        """Write the cache to its file."""
        self._kept.parent.mkdir(parents=True, exist_ok=True)
        self._kept.write_text(json.dumps(self._known), encoding="utf-8")


def _key(question: str, one: InContext) -> str:
    written = json.dumps([question, one.text, one.title, one.part, one.before])
    return sha256(written.encode()).hexdigest()[:24]
