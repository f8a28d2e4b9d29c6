"""Show a paper to a model, and check every sentence number and quotation in its answer against what it was shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, Literal, Protocol, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from core.grounding.questions import Exchange, Price, QuestionResult, ask
from core.llm import Reply, ReplySchema, Request
from core.llm.model import Form, reason_and_numbers
from core.paper import Kind, Paper, Sentence
from core.text.words import is_quoted_from, letters_and_digits

# ---- parts ----
# The text that a model sees in one request, with a number for each sentence.


@dataclass(frozen=True, slots=True)
class Part:
    """The sentences that a model sees in one request.

    `shown` maps the numbers of those that it may choose to their text.
    """

    title: str
    listing: str  # one line per sentence: "[number] text", or a heading without a number
    shown: Mapping[int, str]

    @classmethod
    def whole(cls, paper: Paper, candidates: Iterable[Sentence]) -> Part:
        """The whole paper."""
        return cls._listed("The whole", paper.pool, candidates)

    @classmethod
    def sections(cls, paper: Paper, candidates: Iterable[Sentence]) -> tuple[Part, ...]:
        """The paper's main sections, each with its subsections. Sections without a sentence to choose are left out."""
        candidates = tuple(candidates)
        parts = (cls._listed(title, sentences, candidates) for title, sentences in _main_sections(paper))
        return tuple(part for part in parts if part.shown)

    @classmethod
    def chosen(cls, paper: Paper, numbers: Iterable[int]) -> Part:
        """The sentences with these numbers, in the paper's order, each under its section's heading."""
        wanted = [paper.sentences[number] for number in sorted(numbers)]
        lines: list[str] = []
        section = -1
        for sentence in wanted:
            if sentence.section != section:
                section = sentence.section
                lines.append(_heading(paper.sections[section].title))
            lines.append(_numbered(sentence))
        return cls("What was chosen", "\n".join(lines), {s.index: s.text for s in wanted})

    @classmethod
    def given(cls, sentences: Sequence[str]) -> Part:
        """Sentences that need not come from one paper, numbered from 0."""
        lines = [f"[{number}] {_one_line(text)}" for number, text in enumerate(sentences)]
        return cls("What was given", "\n".join(lines), dict(enumerate(sentences)))

    @classmethod
    def _listed(cls, title: str, sentences: Iterable[Sentence], candidates: Iterable[Sentence]) -> Part:
        may_be_chosen = {sentence.index for sentence in candidates}
        sentences = tuple(sentences)
        lines = [
            _numbered(s) if s.index in may_be_chosen else _heading(s.text)
            for s in sentences
            if _is_listed(s, may_be_chosen)
        ]
        return cls(title, "\n".join(lines), {s.index: s.text for s in sentences if s.index in may_be_chosen})


def _main_sections(paper: Paper) -> Iterator[tuple[str, tuple[Sentence, ...]]]:
    """(title, sentences) of each top-level section, subsections included."""
    starts = [section for section in paper.sections if section.level <= 1] or list(paper.sections[:1])
    firsts = [0, *(section.first for section in starts[1:]), len(paper.sentences)]
    for section, first, end in zip(starts, firsts, firsts[1:], strict=False):
        yield section.title, paper.sentences[first:end]


def _is_listed(sentence: Sentence, may_be_chosen: set[int]) -> bool:
    return sentence.index in may_be_chosen or sentence.kind in {Kind.TITLE, Kind.HEADING}


def _numbered(sentence: Sentence) -> str:
    return f"[{sentence.index}] {_one_line(sentence.text)}"


def _heading(text: str) -> str:
    return f"## {_one_line(text)}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


# ---- answers ----
# The forms in which a model answers. The reason comes before the decision, so that it can guide the decision.

_REASON = Field(description="Your reasoning, in a few sentences, before any decision.")
_NUMBER = Field(description="The number in square brackets before the sentence.")
_QUOTE = Field(description="The sentence's first five to ten words, copied letter by letter.")


class Pick(BaseModel):
    """A chosen sentence."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: int = _NUMBER
    quote: str = _QUOTE  # empty only where the plain form has no place for it


class JudgedPick(Pick):
    """A chosen sentence, and how it bears on the hypothesis."""

    why: str = Field(description="In one short sentence, how it bears on the hypothesis.")
    stance: Literal["supports", "refutes", "neutral"] | None  # None: the plain form has no place for it


class Selection(ReplySchema):
    """A choice of sentences alone."""

    reason: str = _REASON
    decision: list[Pick] = Field(description="The chosen sentences, the most important first.")

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """The numbers alone: the plain form has no words to compare."""
        reason, decision = reason_and_numbers(text)
        return cls(reason=reason, decision=[Pick(number=number, quote="") for number in decision])


class Choice(ReplySchema):
    """The final choice, with stances and a verdict on the paper."""

    reason: str = _REASON
    decision: list[JudgedPick] = Field(description="The chosen sentences, the most important first.")
    verdict: Literal["supports", "refutes", "mixed", "not reported", "unclear"] | None
    strongest_for: int | None = Field(description="Number of the strongest chosen sentence for the hypothesis.")
    strongest_against: int | None = Field(description="Number of the strongest chosen sentence against it.")

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """The numbers alone, with nothing judged."""
        reason, decision = reason_and_numbers(text)
        picks = [JudgedPick(number=number, quote="", why="", stance=None) for number in decision]
        return cls(reason=reason, decision=picks, verdict=None, strongest_for=None, strongest_against=None)


# ---- checking ----
# Every number and quotation in a model's answer is compared with the sentences that the model was shown.

_SHOWN = 80  # characters of a quotation that are shown in a message

P = TypeVar("P", bound=Pick)


@dataclass(frozen=True, slots=True)
class CheckedPicks(Generic[P]):
    """The correct picks (at most k, best first), and what was wrong with the others."""

    right: tuple[P, ...]
    faults: tuple[str, ...]  # one sentence each, for the model and the reviewer; they quote neither paper nor model
    not_in_paper: tuple[str, ...]  # the numbers and quotations that match no sentence

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the right picks, as the model was shown them."""
        return tuple(pick.number for pick in self.right)


class HasReason(Protocol):
    """An answer that gives its reason."""

    @property
    def reason(self) -> str: ...


S = TypeVar("S", bound=HasReason)


@dataclass(frozen=True, slots=True)
class VerifiedPicks(Generic[S, P]):
    """An answer that names sentences, with its checked picks (a `core.grounding.questions.VerifiedAnswer`)."""

    said: S
    checked: CheckedPicks[P]

    @property
    def reasoning(self) -> str:
        return self.said.reason

    @property
    def numbers(self) -> tuple[int, ...]:
        return self.checked.numbers

    @property
    def faults(self) -> tuple[str, ...]:
        return self.checked.faults

    @property
    def not_in_paper(self) -> tuple[str, ...]:
        return self.checked.not_in_paper


@dataclass(frozen=True)
class WithoutSentences(Generic[S]):
    """An answer that names no sentence of a paper. Subclasses define `faults`."""

    said: S

    @property
    def reasoning(self) -> str:
        return self.said.reason

    @property
    def numbers(self) -> tuple[int, ...]:
        return ()

    @property
    def not_in_paper(self) -> tuple[str, ...]:
        return ()


def check_picks(picks: Sequence[P], shown: Mapping[int, str], k: int, *, quoted: bool) -> CheckedPicks[P]:
    """Check picks against the sentences that were shown, which `shown` maps by number.

    A quotation matches if the sentence contains its letters and digits; typography and case may differ. `quoted` says
    that a quotation is required: the plain form has no place for one.
    """
    right: dict[int, P] = {}
    faults: list[str] = []
    not_in_paper: list[str] = []
    for pick in picks:
        sentence = shown.get(pick.number)
        if sentence is None:
            faults.append(f"{pick.number} is not the number of a sentence that was shown.")
            not_in_paper.append(f"[{pick.number}] {pick.quote[:_SHOWN]}".strip())
        elif not is_quoted_from(pick.quote, sentence):
            faults.append(f"The words copied for {pick.number} do not stand in that sentence.")
            if not any(is_quoted_from(pick.quote, other) for other in shown.values()):
                not_in_paper.append(pick.quote[:_SHOWN])
        elif quoted and not letters_and_digits(pick.quote) and letters_and_digits(sentence):
            faults.append(f"No words were copied for {pick.number}.")
        elif pick.number in right:
            faults.append(f"{pick.number} was chosen twice.")
        else:
            right[pick.number] = pick
    if len(right) > k:
        faults.append(f"{len(right)} sentences were chosen, and at most {k} are allowed.")
    return CheckedPicks(tuple(right.values())[:k], tuple(faults), tuple(not_in_paper))


# ---- choosing ----
# Ask a model to choose sentences from a part of a paper, and check its choice against that part.

RepeatRequest = Callable[
    [Request, Selection | Choice, tuple[str, ...]], Request
]  # the request, its answer, and its faults


class VerifiedChoice(VerifiedPicks[Selection | Choice, Pick]):
    """A choice of sentences, alone or with stances and a verdict."""

    __slots__ = ()


def choose(
    request: Request, part: Part, k: int, again: RepeatRequest, price: Price
) -> Exchange[QuestionResult[VerifiedChoice]]:
    """Ask for at most `k` sentences of a part, and once more if the answer has faults."""

    return ask(request, partial(_held, part, k), lambda answer: again(request, answer.said, answer.faults), price)


def _held(part: Part, k: int, reply: Reply) -> VerifiedChoice | None:
    said = reply.data
    if not isinstance(said, Selection | Choice):
        return None
    return VerifiedChoice(
        said, check_picks(list(said.decision), reply.sent(part.shown), k, quoted=reply.form is Form.SCHEMA)
    )
