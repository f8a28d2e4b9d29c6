"""Whether an engine learned from the very file that it is measured on. Alone, because it loads the reader's libraries."""

from __future__ import annotations

import json
from pathlib import Path

from core.engines import asks_model
from core.entailment import was_trained_on

SEEN_BY_READER = (
    "The reader behind offline was trained on this very file, so that its figures here say nothing of new papers. "
    "docs/reader.md says which papers it has not seen."
)


def seen_by_reader(engine: str, sha256: str) -> tuple[str, ...]:
    """Says so where the reader was trained on the very file; engines on this machine rest on it."""
    return () if asks_model(engine) or not was_trained_on(sha256) else (SEEN_BY_READER,)


# The sets for development: no paper of theirs gave the reader an example.
_FOR_DEVELOPMENT = ("review_matrix/dev", "plain_summaries/dev", "plain_summaries/editors", "rob1_papers/dev")


def for_development(folder: Path) -> frozenset[str]:
    """The names of the papers that figures are made on; none where the data's folder lacks their sets."""
    files = (folder / f"{name}.jsonl" for name in _FOR_DEVELOPMENT)
    lines = (line for file in files if file.is_file() for line in file.read_text(encoding="utf-8").splitlines())
    return frozenset(json.loads(line)["paper"] for line in lines if line.strip())
