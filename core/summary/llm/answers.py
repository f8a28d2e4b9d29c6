"""The forms in which a model judges a summary sentence. What a label rests on comes before it, so that it can guide it."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field

from core.llm import ReplySchema
from core.llm.plain import NotPlain, fields

LabelWord = Literal["supported", "contradicts the paper", "not in the paper", "not judged"]


class LabelAlone(ReplySchema):
    """Nothing but the label."""

    label: LabelWord

    @classmethod
    def from_plain(cls, text: str) -> Self:
        (label,) = fields(text, "LABEL")
        return cls.model_validate({"label": _word(label)})


class LabelAndSentences(ReplySchema):
    """The label and the sentences that it rests on."""

    sentences: list[str] = Field(
        description="Sentences of the source, copied letter by letter, the most important first."
    )
    reason: str = Field(description="In one or two sentences, what they show.")
    label: LabelWord

    @classmethod
    def from_plain(cls, text: str) -> Self:
        sentences, reason, label = fields(text, "SENTENCES", "REASON", "LABEL")
        return cls.model_validate({"sentences": _lines(sentences), "reason": reason, "label": _word(label)})


class LabelAndParts(LabelAndSentences):
    """The same, and what of the sentence is wrong."""

    part: str | None = Field(description="The words of the summary sentence that are wrong; null where none are.")

    @classmethod
    def from_plain(cls, text: str) -> Self:
        sentences, reason, label, part = fields(text, "SENTENCES", "REASON", "LABEL", "PART")
        judged = {"sentences": _lines(sentences), "reason": reason, "label": _word(label)}
        return cls.model_validate(judged | {"part": _or_none(part)})


def _word(value: str) -> str:
    return value.strip(" .“”\"'").lower()


def _or_none(value: str) -> str | None:
    return None if _word(value) in {"", "none"} else value


def _lines(text: str) -> list[str]:
    """A list with a hyphen before each sentence, or “none”. Raises `NotPlain` for anything else."""
    if _or_none(text) is None:
        return []
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not all(line.startswith("- ") for line in lines):
        raise NotPlain("after SENTENCES: stands something else than lines with a hyphen")
    return [line.removeprefix("- ").strip() for line in lines]
