"""The forms in which a model writes a summary and mends one, and the templates that ask for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, field_validator

from core.llm import ReplySchema, Request
from core.llm.plain import NotPlain, fields
from core.llm.wire import set_apart
from core.paper import Paper
from core.prompts import Prompt, load_prompt
from core.summary.llm.wording import one_line, source_fields
from core.summary.model import SummarySource
from core.summary.source import source_sentences

_LINE = re.compile(r"(\d{1,4})\.(?:\s+(\S.*))?")


class Level(StrEnum):
    """For whom a summary is written."""

    PLAIN = "plain"  # who left school at sixteen
    EASY = "easy"  # about twelve years old
    DETAILED = "detailed"  # who finished school and wants the particulars


class Draft(ReplySchema):
    """A summary."""

    summary: str = Field(description="The summary, as running text.")

    @field_validator("summary")
    @classmethod
    def _holds_words(cls, summary: str) -> str:
        if not any(map(str.isalnum, summary)):
            raise ValueError("it holds no word")
        return summary.strip()

    @classmethod
    def from_plain(cls, text: str) -> Self:
        (summary,) = fields(text, "SUMMARY")
        return cls(summary=summary)


class Mended(BaseModel):
    """A sentence written anew."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: int = Field(description="The number of the sentence.")
    text: str = Field(description="The sentence written anew; empty to leave it out.")


class Mending(ReplySchema):
    """Sentences written anew."""

    sentences: list[Mended]

    @classmethod
    def from_plain(cls, text: str) -> Self:
        (listed,) = fields(text, "SENTENCES")
        found = [_LINE.fullmatch(line.strip()) for line in listed.splitlines() if line.strip()]
        if None in found:
            raise NotPlain("after SENTENCES: stands something else than lines with a number")
        return cls(sentences=[Mended(number=int(line[1]), text=line[2] or "") for line in found if line])


class Drafting:
    """Fills the templates for one paper. Raises `PromptError` if a template is wrong."""

    def __init__(self, paper: Paper, source: SummarySource, level: Level) -> None:
        levels = [_part_of(each) for each in Level]
        self._write = load_prompt(
            "summary-write",
            variables=("title", "authors", "text", "reader"),
            parts=("system", "context", "task", "plain", *levels),
        )
        self._repair = load_prompt("summary-repair", variables=("summary", "faulty", "reader"), parts=("task", "plain"))
        self._again = load_prompt("summary-again", variables=("task", "faults"))
        self._reader = self._write.fill(_part_of(level))
        self._context = self._write.fill("context", **source_fields(paper, source_sentences(paper, source)))
        self.written_with = _hashes(self._write)
        self.mended_with = _hashes(self._write, self._repair, self._again)

    def draft(self) -> Request:
        """Ask for a summary."""
        return self._request(self._write.fill("task", reader=self._reader), Draft, self._write, label="Summary")

    def mending(self, sentences: Mapping[int, str], faulty: Mapping[int, str], faults: tuple[str, ...] = ()) -> Request:
        """Ask for some of a summary's sentences anew. `faulty`: why, by number; `faults`: those of a first answer."""
        task = self._repair.fill(
            "task",
            summary=set_apart("\n".join(f"{number}. {one_line(text)}" for number, text in sentences.items())),
            faulty=set_apart("\n".join(f"- {number}: {one_line(reason)}" for number, reason in faulty.items())),
            reader=self._reader,
        )
        if faults:
            task = self._again.fill("task", task=task, faults="\n".join(f"- {fault}" for fault in faults))
        return self._request(task, Mending, self._repair, label="Repair")

    def _request(self, task: str, schema: type[ReplySchema], prompt: Prompt, *, label: str) -> Request:
        return Request(
            system=self._write.fill("system"),
            context=self._context,
            task=task,
            schema=schema,
            plain=prompt.fill("plain"),
            cache_context=True,  # sent again for each repair
            label=label,
        )


def _part_of(level: Level) -> str:
    return "plain-level" if level is Level.PLAIN else level.value  # `plain` is the plain form of an answer


def _hashes(*prompts: Prompt) -> tuple[tuple[str, str], ...]:
    return tuple((prompt.name, prompt.hash) for prompt in prompts)
