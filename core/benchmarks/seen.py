"""Whether an engine learned from the very file that it is measured on."""

from __future__ import annotations

from core.entailment import was_trained_on
from core.llm import model_named

SEEN = (
    "The reader behind offline was trained on this very file, so that its figures here say nothing of new papers. "
    "docs/reader.md says which papers it has not seen."
)


def seen_by_reader(engine: str, sha256: str) -> tuple[str, ...]:
    """Says so where the reader was trained on the file; engines on this machine rest on it."""
    return (SEEN,) if model_named(engine) is None and was_trained_on(sha256) else ()
