"""The reader: whether a sentence of a paper is on a question, and the direction of its result."""

from core.entailment.reader import (
    Direction,
    Entailment,
    InContext,
    Probabilities,
    Reader,
    in_context,
    installed_reader,
    part_of,
    readable,
    reader,
    was_trained_on,
)

__all__ = [
    "Direction",
    "Entailment",
    "InContext",
    "Probabilities",
    "Reader",
    "in_context",
    "installed_reader",
    "part_of",
    "readable",
    "reader",
    "was_trained_on",
]
