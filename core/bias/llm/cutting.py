"""A language model cuts a passage of a methods section into definitions; text not in the passage is dropped and reported."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Self

from pydantic import BaseModel, ConfigDict, Field

from core.bias.own import LONGEST_NAME, LONGEST_TEXT, MOST_DOMAINS, OwnDomain, OwnTool, levels_for, own_id
from core.errors import ModelError
from core.grounding.checking import WithoutSentences
from core.grounding.model import Step
from core.grounding.questions import Price, Stages, ask, repeated_request, run_together
from core.llm import Reply, ReplySchema, Request
from core.llm.model import NotPlain, fields
from core.llm.provider import set_apart
from core.prompts import load_prompt
from core.text.words import is_quoted_from

LABEL = "Definition"  # of the question

# ---- reply schemas ----


class CutCriterion(BaseModel):
    """When a level is given."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    level: str = Field(description="The level in a word or two, such as Low or Some concerns.")
    words: str = Field(description="When it is given, copied from the passage letter by letter.")


class CutBias(BaseModel):
    """One bias that the passage defines."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(description="A few words as they stand in the passage.")
    definition: str = Field(description="What the bias is, copied from the passage letter by letter.")
    criteria: list[CutCriterion] = Field(description="From the least risk of bias to the greatest.")


class CutPassage(ReplySchema):
    """The biases that a passage defines."""

    reason: str = Field(description="Which biases you see and where each begins, in a sentence or two.")
    biases: list[CutBias] = Field(description="In the order of the passage.")

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """Parse `REASON: ...`, then for each bias `BIAS: ... DEFINITION: ... LEVELS: level = words`, one level per line."""
        before, *blocks = text.split("BIAS:")
        if not blocks:
            raise NotPlain("it is not “REASON: ... BIAS: ... DEFINITION: ... LEVELS: ...”")
        (reason,) = fields(before, "REASON")
        return cls(
            reason=reason, biases=[_bias(*fields(f"BIAS:{block}", "BIAS", "DEFINITION", "LEVELS")) for block in blocks]
        )


def _bias(name: str, definition: str, levels: str) -> CutBias:
    lines = [line.partition("=") for line in levels.splitlines() if "=" in line]
    criteria = [CutCriterion(level=level.strip(" -•"), words=words.strip()) for level, _, words in lines]
    return CutBias(name=name, definition=definition, criteria=criteria)


# ---- the answer verified against the passage ----


@dataclass(frozen=True)
class VerifiedCut(WithoutSentences[CutPassage]):
    """A model's definitions for a passage, and which of their texts are in the passage."""

    passage: str

    @property
    def not_in_paper(self) -> tuple[str, ...]:
        """The texts that are not quotations of the passage."""
        return tuple(text for text in self._texts() if text and not self._stands(text))

    @cached_property
    def faults(self) -> tuple[str, ...]:
        found = ["A text was given that does not stand in the passage as it is."] * bool(self.not_in_paper)
        if not self.tool:
            found.append("No bias was given that the passage defines.")
        return tuple(found)

    @cached_property
    def tool(self) -> OwnTool | None:
        """The definitions with only verbatim quotations; None if nothing is left."""
        named = list(
            dict.fromkeys(
                " ".join(one.level.split()).capitalize() for bias in self.said.biases for one in bias.criteria
            )
        )
        try:
            levels = tuple(levels_for(named))
        except ValueError:
            levels = tuple(named)
        domains = tuple(
            OwnDomain(
                f"D{number}",
                self._kept(bias.name)[:LONGEST_NAME],
                self._kept(bias.definition)[:LONGEST_TEXT],
                tuple(" ".join(self._criterion(bias, level))[:LONGEST_TEXT] for level in levels),
            )
            for number, bias in enumerate(self._biases[:MOST_DOMAINS], 1)
        )  # fmt: skip
        try:
            own = OwnTool("own-", levels=levels, domains=domains)
        except ValueError:  # no bias, or invalid levels
            return None
        return replace(own, id=own_id(own))

    @property
    def shortened(self) -> str:
        """What of it is more than a tool holds, in words; empty where nothing was left out."""
        said = []
        if (more := len(self._biases) - MOST_DOMAINS) > 0:
            said.append(f"A tool holds {MOST_DOMAINS} definitions: the last {more} were left out.")
        texts = [(self._kept(one.name), LONGEST_NAME) for one in self._biases]
        texts += [
            (self._kept(text), LONGEST_TEXT)
            for one in self._biases
            for text in (one.definition, *(criterion.words for criterion in one.criteria))
        ]
        if cut := next((text for text, most in texts if len(text) > most), ""):
            said.append(f"Texts that are longer than their field were cut, the first “{cut[:40]} …”.")
        return " ".join(said)

    @cached_property
    def _biases(self) -> list[CutBias]:
        return [bias for bias in self.said.biases if self._kept(bias.definition) or self._kept(bias.name)]

    def _texts(self) -> Iterator[str]:
        for bias in self.said.biases:
            yield from (bias.name, bias.definition, *(one.words for one in bias.criteria))

    def _stands(self, text: str) -> bool:
        return is_quoted_from(text, self.passage)

    def _kept(self, text: str) -> str:
        return " ".join(text.split()) if text and self._stands(text) else ""

    def _criterion(self, bias: CutBias, level: str) -> Iterator[str]:
        yield from (
            kept
            for one in bias.criteria
            if " ".join(one.level.split()).lower() == level.lower() and (kept := self._kept(one.words))
        )


# ---- the question ----


@dataclass(frozen=True, slots=True)
class CutResult:
    """The definitions that a passage was cut into. `dropped` are texts of the model that are not in the passage."""

    tool: OwnTool | None
    dropped: tuple[str, ...]
    steps: tuple[Step, ...]
    prompts: tuple[tuple[str, str], ...]
    error: ModelError | None = None
    shortened: str = ""  # what was more than a tool holds, in words


def cut_plan(passage: str, price: Price) -> Stages[CutResult]:
    """Ask for the definitions in a passage, and once more if the answer has faults."""
    parts = ("system", "context", "task", "again", "plain")
    prompt = load_prompt("bias-definition", variables=("passage", "task", "answer", "faults"), parts=parts)
    request = Request(
        system=prompt.fill("system"),
        context=prompt.fill("context", passage=passage),
        task=prompt.fill("task"),
        schema=CutPassage,
        plain=prompt.fill("plain"),
        cache_context=False,
        label=LABEL,
    )
    again = replace(prompt, parts={"task": prompt.parts["again"]})
    [outcome] = yield from run_together(
        [
            ask(
                request,
                partial(_held, passage),
                lambda held: repeated_request(
                    again, request, held.faults, answer=set_apart(held.said.model_dump_json())
                ),
                price,
            )
        ]
    )
    hashes = ((prompt.name, prompt.hash),)
    if outcome.answer is None:
        return CutResult(None, (), (outcome.step,), hashes, outcome.error)
    held = outcome.answer
    return CutResult(held.tool, held.not_in_paper, (outcome.step,), hashes, shortened=held.shortened)


def _held(passage: str, reply: Reply) -> VerifiedCut | None:
    return VerifiedCut(reply.data, passage) if isinstance(reply.data, CutPassage) else None
