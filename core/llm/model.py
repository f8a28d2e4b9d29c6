"""Requests and replies, and the plain form of an answer for servers without schemas."""

from __future__ import annotations

import re
from dataclasses import astuple, dataclass
from enum import StrEnum
from typing import Protocol, Self

from pydantic import BaseModel, ConfigDict

from core.errors import ModelError

# ---- plain ----
# The plain form of an answer, for servers without schemas: keywords in capitals, numbers in square brackets.
#
# `REASON: ... DECISION: [3, 7]`. Read strictly: what is not exactly right is no answer.

_NUMBERS = re.compile(r"\[\s*(?:[0-9]{1,9}\s*(?:,\s*[0-9]{1,9}\s*)*)?\]")


class NotPlain(ValueError):
    """The text is not in the plain form; the message says what is amiss, without a word of the text."""


def fields(text: str, *keywords: str) -> tuple[str, ...]:
    """What stands after each keyword. The text begins with the first one, and each stands once, in this order.

    Raises `NotPlain`.
    """
    values = []
    before, rest = "", text
    for keyword in keywords:
        if rest.count(f"{keyword}:") != 1:
            raise NotPlain(_amiss(keywords))
        before, _, rest = rest.partition(f"{keyword}:")
        values.append(before.strip())
    if values[0]:
        raise NotPlain(_amiss(keywords))
    return (*values[1:], rest.strip())


def numbers(text: str, keyword: str) -> list[int]:
    """The numbers of a list that is all there is after a keyword. Raises `NotPlain`."""
    if not _NUMBERS.fullmatch(text):
        raise NotPlain(f"after {keyword}: stands something else than numbers in square brackets")
    return [int(number) for number in re.findall(r"[0-9]+", text)]  # models write 07, which JSON does not know


def reason_and_numbers(text: str) -> tuple[str, list[int]]:
    """A choice of numbers: `REASON: ... DECISION: [3, 7]`. Raises `NotPlain`."""
    reason, decision = fields(text, "REASON", "DECISION")
    return reason, numbers(decision, "DECISION")


def _amiss(keywords: tuple[str, ...]) -> str:
    named = " ".join(f"{keyword}: ..." for keyword in keywords)
    return f"it is not “{named}” with each word once"


# ---- model ----
# What is asked of a language model, and what comes back: the types every provider shares.


class ReplySchema(BaseModel):
    """Base class of what a request asks for: a subclass names and types the fields of the answer.

    Keep to what every provider's strict mode takes: text, numbers, booleans, enums, lists, `X | None`, and other such
    classes; describe a field by `Field(description=...)`. Reasoning comes before the decision, so that it can guide it.
    What only the paper can tell (is the index in the pool, are there too many) is checked by who asked.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """The answer of a model without schemas, in the form that `Request.plain` asks for (core/llm/model.py).

        Raises `NotPlain` or `ValidationError` where it is unreadable. As it stands it reads `REASON: ... DECISION: [i, j]`
        and needs the fields `reason` and `decision`, and defaults for all others.
        """
        reason, decision = reason_and_numbers(text)
        return cls.model_validate({"reason": reason, "decision": decision})


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model. Every field but the last two decides the answer, and so is part of the cache's key."""

    system: str  # who the model is to be; the same for many requests
    context: str  # the text to be read, a paper or a section; sent before the task, set apart as data (`set_apart`)
    task: str  # the instructions, repeated after the long text
    schema: type[ReplySchema] | None  # the form of the answer; None: any text
    plain: str = ""  # asks for the plain form; sent after `task` to a server that takes no schema
    max_output_tokens: int = 8192  # what a model spends on thinking before it answers counts too
    cache_context: bool = False  # several requests with the same system and context follow within minutes
    label: str = ""  # for progress and messages, such as "Methods"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call; None where the server does not say."""

    input_tokens: int | None  # all that was sent, the two below included
    output_tokens: int | None  # thinking included
    cached_input_tokens: int | None = None  # read from the provider's prompt cache
    written_input_tokens: int | None = None  # written to the provider's prompt cache

    def __add__(self, other: Usage) -> Usage:
        """The tokens of both calls; unknown where one is unknown."""
        return Usage(
            *(
                None if mine is None or theirs is None else mine + theirs
                for mine, theirs in zip(astuple(self), astuple(other), strict=True)
            )
        )


class Form(StrEnum):
    """How a model was asked to answer."""

    SCHEMA = "schema"  # JSON by a schema that the server enforces
    PLAIN = "plain"  # keywords in capitals, such as `REASON: ... DECISION: [i, j]`
    TEXT = "text"  # any text


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model said. The text is kept as it came, whatever could be made of it."""

    text: str
    data: ReplySchema | None  # an instance of the request's schema; None without a schema, or with a problem
    problem: ModelError | None  # why there is no usable answer
    usage: Usage
    seconds: float  # of the call that was paid for
    model: str  # the name that the server gives itself
    form: Form  # how it was asked to answer
    from_cache: bool = False  # found on disk: nothing was sent or paid
    left_out: int = 0  # lines of the text that were not sent, as the model's context is too short for them


class LanguageModel(Protocol):
    """A model at a provider, such as `openai:MODEL`."""

    @property
    def name(self) -> str: ...

    @property
    def address(self) -> str:
        """The server's base URL. The same model name at another address is another model."""
        ...

    async def fitted(self, request: Request) -> tuple[Request, int]:
        """The request as it can be sent, and how many lines of its text had to be left out. Raises as `complete` does."""
        ...

    async def complete(self, request: Request) -> Reply:
        """Ask once, with the client's own retries. A reply that cannot be used comes back with its problem.

        Raises `ModelError` where no reply came: no key, a refused key, too many requests, no answer in time ...
        """
        ...

    async def close(self) -> None:
        """Give the connections back; the model opens new ones if it is asked again."""
        ...
