"""Whether an engine was trained on the file that it is measured on. A module of its own, because it loads the reader."""

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
    """A note if the reader was trained on the file; engines on this machine depend on the reader."""
    return () if asks_model(engine) or not was_trained_on(sha256) else (SEEN_BY_READER,)


# The development sets: the reader was not trained on any of their papers.
_FOR_DEVELOPMENT = ("review_matrix/dev", "plain_summaries/dev", "plain_summaries/editors", "rob1_papers/dev")


def for_development(folder: Path) -> frozenset[str]:
    """The names of the papers in the development sets; empty if the data folder has none of them."""
    files = (folder / f"{name}.jsonl" for name in _FOR_DEVELOPMENT)
    lines = (line for file in files if file.is_file() for line in file.read_text(encoding="utf-8").splitlines())
    return frozenset(json.loads(line)["paper"] for line in lines if line.strip())
