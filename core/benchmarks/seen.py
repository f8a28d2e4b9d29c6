"""Whether an engine learned from the very file that it is measured on. Alone, because it loads the reader's libraries."""

from __future__ import annotations

from core.engines import asks_model
from core.entailment import was_trained_on

SEEN_BY_READER = (
    "The reader behind offline was trained on this very file, so that its figures here say nothing of new papers. "
    "docs/reader.md says which papers it has not seen."
)


def seen_by_reader(engine: str, sha256: str) -> tuple[str, ...]:
    """Says so where the reader was trained on the very file; engines on this machine rest on it."""
    return () if asks_model(engine) or not was_trained_on(sha256) else (SEEN_BY_READER,)
