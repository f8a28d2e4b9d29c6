"""An engine whose answers are kept in a file, so that what comes after it can be measured again in seconds."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from core.evidence import Evidence, EvidenceEngine, EvidenceQuery, EvidenceSentence
from core.paper import Paper
from core.progress import Progress, silent


class Kept:
    """Asks the engine what the file does not hold. A file fits one version of engines and papers: delete it after changes."""

    def __init__(self, engine: EvidenceEngine, file: Path | None) -> None:
        self._engine = engine
        self._file = file
        self._answers: dict[str, list[tuple[int, float]]] = (
            json.loads(file.read_text(encoding="utf-8")) if file and file.is_file() else {}
        )

    @property
    def name(self) -> str:
        return self._engine.name

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        """The engine's answer, without its rationales where it was kept."""
        key = sha256(f"{self.name}\0{paper.id}\0{query}".encode()).hexdigest()
        if key not in self._answers:
            found = self._engine.find(paper, query, progress=progress)
            self._answers[key] = [(one.index, one.score) for one in found.sentences]
        sentences = tuple(EvidenceSentence(index, score) for index, score in self._answers[key])
        return Evidence(self.name, query, sentences, seconds=0.0, cost_usd=0.0)

    def save(self) -> None:
        """Write what is known now."""
        if self._file is not None:
            self._file.write_text(json.dumps(self._answers), encoding="utf-8")
