"""Requests, replies, and the plain form of an answer for servers that take no schema."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from enum import StrEnum
from typing import Protocol, Self

from pydantic import BaseModel, ConfigDict

from core.errors import ModelError

# ---- plain ----
# The plain form of an answer, for servers that take no schema: keywords in capitals, numbers in square brackets.
#
# Example: `REASON: ... DECISION: [3, 7]`. It is parsed strictly: any deviation makes the answer unreadable.

_NUMBERS = re.compile(r"\[\s*(?:[0-9]{1,9}\s*(?:,\s*[0-9]{1,9}\s*)*)?\]")


class NotPlain(ValueError):
    """The text is not in the plain form; the message says what is wrong, without quoting the text."""


def fields(text: str, *keywords: str) -> tuple[str, ...]:
    """The text after each keyword.

    Raises `NotPlain` unless the text begins with the first keyword and has each keyword once, in this order.
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
    """The numbers of the list `[...]` that follows a keyword. Raises `NotPlain` if there is anything else."""
    if not _NUMBERS.fullmatch(text):
        raise NotPlain(f"after {keyword}: there is something other than numbers in square brackets")
    return [int(number) for number in re.findall(r"[0-9]+", text)]  # models write 07, which is not valid JSON


def reason_and_numbers(text: str) -> tuple[str, list[int]]:
    """The reason and the numbers of `REASON: ... DECISION: [3, 7]`. Raises `NotPlain`."""
    reason, decision = fields(text, "REASON", "DECISION")
    return reason, numbers(decision, "DECISION")


def _amiss(keywords: tuple[str, ...]) -> str:
    named = " ".join(f"{keyword}: ..." for keyword in keywords)
    return f"it is not “{named}” with each word once"


# ---- model ----
# The types of requests and replies, shared by all providers.


class ReplySchema(BaseModel):
    """Base class for answers: a subclass defines the names and types of an answer's fields.

    Use only what every provider's strict mode accepts: text, numbers, booleans, enums, lists, `X | None`, and other
    such classes. Describe a field with `Field(description=...)`. Put the reason before the decision, so that it can
    guide it. What depends on the paper (is the number in the pool, are there too many) is checked by the caller.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """Parse an answer in the plain form that `Request.plain` asks for.

        Raises `NotPlain` or `ValidationError` if it is unreadable. The default implementation parses
        `REASON: ... DECISION: [i, j]`: it requires the fields `reason` and `decision`, and defaults for all others.
        """
        reason, decision = reason_and_numbers(text)
        return cls.model_validate({"reason": reason, "decision": decision})


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model. All fields but the last two affect the answer and are part of the cache key."""

    system: str  # the model's role; the same for many requests
    context: str  # the text to read, such as a paper or a section; sent before the task, marked as data (`set_apart`)
    task: str  # the instructions, repeated after the long text
    schema: type[ReplySchema] | None  # the form of the answer; None: any text
    plain: str = ""  # instructions for the plain form; sent after `task` to a server that takes no schema
    max_output_tokens: int = 8192  # includes the tokens that a model spends on thinking
    cache_context: bool = False  # whether requests with the same system and context follow within minutes
    label: str = ""  # for progress and messages, such as "Methods"


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of one call; None if the server does not report them."""

    input_tokens: int | None  # everything that was sent, including the cached and written tokens below
    output_tokens: int | None  # thinking included
    cached_input_tokens: int | None = None  # read from the provider's prompt cache
    written_input_tokens: int | None = None  # written to the provider's prompt cache

    def __add__(self, other: Usage) -> Usage:
        """The tokens of both calls; a count is unknown if it is unknown for one of them."""
        return Usage(
            *(
                None if mine is None or theirs is None else mine + theirs
                for mine, theirs in zip(astuple(self), astuple(other), strict=True)
            )
        )


_NUMBERED = re.compile(r"^\[([0-9]{1,9})\]", re.MULTILINE)


def sentence_numbers(context: str) -> frozenset[int]:
    """The numbers of the sentences in a request's text, whose lines begin with "[number]"."""
    return frozenset(map(int, _NUMBERED.findall(context)))


class Form(StrEnum):
    """How a model was asked to answer."""

    SCHEMA = "schema"  # JSON by a schema that the server enforces
    PLAIN = "plain"  # keywords in capitals, such as `REASON: ... DECISION: [i, j]`
    TEXT = "text"  # any text


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply. The text is kept as it came, even if it could not be used."""

    text: str
    data: ReplySchema | None  # an instance of the request's schema; None without a schema or if there is a problem
    problem: ModelError | None  # why there is no usable answer
    usage: Usage
    seconds: float  # of the call that was paid for
    model: str  # the model's name as the server reports it; empty if no server answered
    form: Form  # how it was asked to answer
    from_cache: bool = False  # found on disk: nothing was sent or paid
    left_out: int = 0  # lines of the text that were not sent, because the model's context is too short
    unsent: frozenset[int] = frozenset()  # the numbers of the sentences in these lines

    def sent(self, sentences: Mapping[int, str]) -> dict[int, str]:
        """Of numbered sentences that were to be shown to the model, those that were sent."""
        return {number: text for number, text in sentences.items() if number not in self.unsent}


class LanguageModel(Protocol):
    """A model at a provider, such as `openai:MODEL`."""

    @property
    def name(self) -> str: ...

    @property
    def address(self) -> str:
        """The server's base URL. The same model name at another address counts as another model."""
        ...

    async def fitted(self, request: Request) -> tuple[Request, int]:
        """The request, shortened if necessary, and how many lines of its text were left out.

        Raises as `complete` does.
        """
        ...

    def most_calls(self, request: Request) -> int:
        """The most calls that `complete` may pay for."""
        ...

    async def complete(self, request: Request) -> Reply:
        """Ask once, with the client's own retries. A reply that cannot be used is returned with its `problem`.

        Raises `ModelError` if no reply came: no key, a refused key, too many requests, a timeout and so on.
        """
        ...

    async def close(self) -> None:
        """Close the connections; the model opens new ones if it is asked again."""
        ...
