"""The questions that make a benchmark: their templates, the forms of their answers, and checks of the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, Self, TypeVar

from pydantic import Field

from core.errors import ReplyError, RequestRefused
from core.grounding.checking import Selection, WithoutSentences, check_picks
from core.grounding.model import Step
from core.grounding.questions import (
    Exchange,
    Price,
    Prompts,
    QuestionResult,
    Stages,
    VerifiedAnswer,
    ask,
    repeated_request,
    run_together,
)
from core.llm import Reply, ReplySchema, Request
from core.llm.model import Form, NotPlain, fields, numbers
from core.llm.provider import set_apart
from core.prompts import Prompt, load_prompt

# ---- forms of answers ----

_REASON = Field(description="Your reasoning, in a few sentences, before any decision.")
_KINDS_OF_SUMMARY = ("experiment", "results", "both", "neither")
_KINDS_OF_PIECE = ("specific", "general", "comment")


class SummaryKind(ReplySchema):
    """What a summary tells."""

    reason: str = _REASON
    decision: Literal["experiment", "results", "both", "neither"]

    @classmethod
    def from_plain(cls, text: str) -> Self:
        reason, decision = fields(text, "REASON", "DECISION")
        return cls.model_validate({"reason": reason, "decision": decision.strip(". ").lower()})


class PieceKind(ReplySchema):
    """What a piece of a judgement is."""

    reason: str = _REASON
    decision: Literal["specific", "general", "comment"]

    @classmethod
    def from_plain(cls, text: str) -> Self:
        reason, decision = fields(text, "REASON", "DECISION")
        return cls.model_validate({"reason": reason, "decision": decision.strip(". ").lower()})


class Stated(ReplySchema):
    """A hypothesis."""

    reason: str = _REASON
    hypothesis: str = Field(description="The hypothesis, in one sentence.")

    @classmethod
    def from_plain(cls, text: str) -> Self:
        reason, hypothesis = fields(text, "REASON", "HYPOTHESIS")
        return cls(reason=reason, hypothesis=hypothesis)


class Listed(ReplySchema):
    """Texts, in order."""

    reason: str = _REASON
    items: list[str]

    @classmethod
    def from_plain(cls, text: str) -> Self:
        reason, listed = fields(text, "REASON", "ITEMS")
        lines = [line.strip() for line in listed.splitlines() if line.strip()]
        if not all(line.startswith("- ") for line in lines):
            raise NotPlain("after ITEMS: there is something other than lines that begin with a dash")
        return cls(reason=reason, items=[line.removeprefix("- ").strip() for line in lines])


class Numbered(ReplySchema):
    """Numbers of what was listed."""

    reason: str = _REASON
    decision: list[int] = Field(description="The numbers, in any order; empty if it is none.")

    @classmethod
    def from_plain(cls, text: str) -> Self:
        reason, decision = fields(text, "REASON", "DECISION")
        return cls(reason=reason, decision=numbers(decision, "DECISION"))


S = TypeVar("S", SummaryKind, PieceKind, Stated, Listed, Numbered)


@dataclass(frozen=True)
class CheckedAnswer(WithoutSentences[S]):
    """An answer, with its faults."""

    faults: tuple[str, ...]


# ---- templates ----

_VARIABLES: Mapping[str, tuple[str, ...]] = {
    "making-cut": (),
    "making-suitable": ("kinds",),
    "making-claim": (),
    "making-trim": (),
    "making-aspects": (),
    "making-leaks": (),
    "making-results": (),
    "making-align": ("aspect", "statement"),
    "making-comment": ("kinds",),
    "making-options": ("bias",),
    "making-shorter": ("bias",),
    "making-others": ("bias",),
    "making-entails": ("bias",),
}
KINDS = {"making-suitable": ", ".join(_KINDS_OF_SUMMARY), "making-comment": ", ".join(_KINDS_OF_PIECE)}


@cache
def template(name: str) -> Prompt:
    """The template of this name. Raises `PromptError` if the file is invalid."""
    if name == "making-frame":
        return load_prompt(name, variables=(), parts=("system",))
    if name == "making-again":
        return load_prompt(name, variables=("task", "faults"))
    return load_prompt(name, variables=_VARIABLES[name], parts=("task", "plain"))


def hashes(names: Iterable[str]) -> Prompts:
    """(name, hash) of the templates, including those that all questions share."""
    return tuple((name, template(name).hash) for name in ("making-frame", "making-again", *names))


def request(
    name: str, schema: type[ReplySchema], *texts: str, label: str, cache_context: bool = False, **values: str
) -> Request:
    """A question: the first text is the context, and the others are marked as data in the task.

    `values` fill the template.
    """
    prompt = template(name)
    given = dict(values) | ({"kinds": KINDS[name]} if name in KINDS else {})
    shown = "\n\n".join(set_apart(text) for text in texts[1:])
    task = prompt.fill("task", **{key: set_apart(text) if key in _DATA else text for key, text in given.items()})
    return Request(
        system=template("making-frame").fill("system"),
        context=texts[0],
        task=f"{shown}\n\n{task}" if shown else task,
        schema=schema,
        plain=prompt.fill("plain", **({"kinds": given["kinds"]} if "kinds" in given else {})),
        cache_context=cache_context,
        label=label,
    )


_DATA = {"aspect", "statement", "bias"}  # values that others wrote


def numbered(texts: Iterable[str]) -> str:
    """Texts as a list numbered from 0, one per line."""
    return "\n".join(f"[{number}] {' '.join(text.split())}" for number, text in enumerate(texts))


# ---- asking ----


class Unusable(Exception):
    """Raised to drop a candidate, for example if the model gave no usable answer. The message says why."""


def put(
    asked: Request, schema: type[S], price: Price, check: Callable[[S], Sequence[str]] = lambda said: ()
) -> Exchange[QuestionResult[CheckedAnswer[S]]]:
    """Ask, and once more if `check` finds faults."""

    def held(reply: Reply) -> CheckedAnswer[S] | None:
        return CheckedAnswer(reply.data, tuple(check(reply.data))) if isinstance(reply.data, schema) else None

    return ask(asked, held, lambda answer: again(asked, answer.faults), price)


def put_for_sources(
    asked: Request,
    shown: Mapping[int, str],
    price: Price,
    check: Callable[[Sequence[int]], Sequence[str]] = lambda chosen: (),
) -> Exchange[QuestionResult[CheckedSources]]:
    """Ask for some of the numbered sentences, check the answer against them, and ask once more if it has faults."""

    def held(reply: Reply) -> CheckedSources | None:
        said = reply.data
        if not isinstance(said, Selection):
            return None
        checked = check_picks(said.decision, reply.sent(shown), len(shown), quoted=reply.form is Form.SCHEMA)
        chosen = tuple(sorted(pick.number for pick in checked.right))
        return CheckedSources(said.reason, chosen, (*checked.faults, *check(chosen)), checked.not_in_paper)

    return ask(asked, held, lambda answer: again(asked, answer.faults), price)


@dataclass(frozen=True, slots=True)
class CheckedSources:
    """Sentences that a model named, checked (a `core.grounding.questions.VerifiedAnswer`)."""

    reasoning: str
    numbers: tuple[int, ...]  # ascending
    faults: tuple[str, ...]
    not_in_paper: tuple[str, ...]


def again(asked: Request, faults: Iterable[str]) -> Request:
    """The question repeated, with the faults of the first answer."""
    return repeated_request(template("making-again"), asked, faults)


H = TypeVar("H", bound=VerifiedAnswer)


def alone(exchange: Exchange[QuestionResult[H]], steps: list[Step], *, strict: bool = True) -> Stages[H]:
    """Ask a single question, and return its answer as `answers_of` does."""
    results = yield from run_together([exchange])
    [answer] = answers_of(results, steps, strict=strict)
    return answer


def answers_of(results: Sequence[QuestionResult[H]], steps: list[Step], *, strict: bool = True) -> list[H]:
    """The answers. All steps are added to `steps` first: the replies are paid for, even if one of them is not usable.

    Raises as `answer_of` does.
    """
    steps += [result.step for result in results]
    return [answer_of(result, strict=strict) for result in results]


def answer_of(result: QuestionResult[H], *, strict: bool = True) -> H:
    """The answer. With `strict`, an answer that still has faults is not usable.

    Raises `Unusable` if the model gave no usable answer, and `ModelError` if no answer came, because then later
    questions would fail too.
    """
    if result.answer is None:
        if isinstance(result.error, ReplyError | RequestRefused) or result.error is None:  # only this question fails
            raise Unusable(f"no usable answer: {result.step.label.lower()}")
        raise result.error
    if strict and result.answer.faults:
        raise Unusable(f"an answer with faults, twice: {result.step.label.lower()}")
    return result.answer
