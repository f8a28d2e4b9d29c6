"""How the demo server parses a request and chooses sentences, and the faults that it can simulate."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum

from core.errors import QueryError
from core.llm.provider import Json

# ---- faults ----
# The faults that the server simulates on demand: for every call (`429`), or for the first N calls (`429x2`).
#
# A fault is set by the header `x-demo-fault`, by the end of the model's name (`demo-429x2`), or for the whole server.


class Fault(StrEnum):
    """A fault to simulate."""

    BAD_REQUEST = "400"  # the message repeats the key
    BAD_KEY = "401"  # the message repeats parts of the key, as some servers do
    NO_MONEY = "402"
    FORBIDDEN = "403"
    NO_MODEL = "404"
    TOO_MANY_REQUESTS = "429"  # with Retry-After
    NO_QUOTA = "quota"
    SERVER_ERROR = "500"
    OVERLOADED = "529"
    HANG = "hang"  # no answer for an hour
    DROP = "drop"  # the connection closes without an answer
    WEB_PAGE = "html"
    OTHER_JSON = "otherjson"
    NO_SCHEMAS = "noschema"  # requests with a schema are refused
    UNHEEDED = "unheeded"  # schemas are accepted and ignored
    NEW_LIMIT = "newlimit"  # chat completions require `max_completion_tokens`
    CUT_OFF = "cutoff"  # the reply ends at the limit of output tokens, and says so
    CUT_JSON = "cutjson"  # the reply ends in the middle, and does not say so
    PROSE = "prose"  # there is text around the JSON
    REFUSAL = "refusal"
    WRONG = "wrong"  # an index that is not in the text
    MANY = "many"  # more indices than allowed
    DUPLICATES = "duplicates"
    INVENTED = "invented"  # quotes that are not in the text
    MISSING = "missing"  # a signalling question is left unanswered
    ODD = "odd"  # a level, an answer or a letter that is not among the allowed ones
    EMPTY = "empty"
    NO_USAGE = "nousage"  # no count of tokens


_NAMED = re.compile(rf"({'|'.join(Fault)})(?:x(\d+))?")


@dataclass(frozen=True, slots=True)
class FaultOrder:
    """A fault, and the number of calls that have it."""

    fault: Fault
    first: int | None = None  # the first so many calls; None: all


def order_named(name: str) -> FaultOrder:
    """The order called `name`, such as `429x2`. Raises `QueryError` if there is no such fault."""
    found = _NAMED.fullmatch(name)
    if found is None:
        raise QueryError(
            f"There is no fault called “{name}”. Choose one of: {', '.join(Fault)}; `x2` limits it to 2 calls."
        )
    return FaultOrder(Fault(found[1]), int(found[2]) if found[2] else None)


def order_in_model(model: str) -> FaultOrder | None:
    """The order at the end of a model's name (`demo-429x2`); None if there is none."""
    last = model.rpartition("-")[2]
    return order_named(last) if "-" in model and _NAMED.fullmatch(last) else None


# ---- question ----
# What the demo server reads from a request: numbered sentences, a hypothesis and a limit.

_DOCUMENT = re.compile(r"<(document-[0-9a-f]{12})>\n(.*?)\n</\1>", re.DOTALL)
_NUMBERED = re.compile(r"^[ \t]*[\[(]?(\d+)[\])]?[.:]?[ \t]+(\S.*)$", re.MULTILINE)
_HYPOTHESIS = re.compile(r"hypothesis(?:>|:)\**\s*(\S[^\n<]*)", re.IGNORECASE)
_DOMAIN = re.compile(r"^Domain: .*\n.*(?:\n- .*|\n.*:$|\n)*", re.MULTILINE)
_PLAIN = re.compile(r"\b(?:DECISION|ANSWER):")
_LIMIT = re.compile(r"(?:more than|at most|up to)\s+\**(\d+)", re.IGNORECASE)
_RESULTS_ONLY = re.compile(r"only[^.\n]*\bresults?\b|\bresults?\b[^.\n]*\bonly\b", re.IGNORECASE)
_DEFAULT_LIMIT = 10


@dataclass(frozen=True, slots=True)
class DemoRequest:
    """A request, in the same form for all APIs."""

    model: str
    system: str
    text: str  # the whole user message, including the document
    schema: Json | None
    max_tokens: int
    cacheable: str = ""  # the beginning that the provider would cache


@dataclass(frozen=True, slots=True)
class NumberedSentence:
    """A sentence with the index that the request gives it."""

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class DemoQuestion:
    """The task in a request."""

    pool: tuple[NumberedSentence, ...]
    hypothesis: str
    limit: int
    results_only: bool
    plain: bool  # whether the plain form is asked for, such as `REASON: ... DECISION: [...]`


def question_in(asked: DemoRequest) -> DemoQuestion:
    """The task, read from the text outside the document only."""
    documents, task = documents_in(asked), task_in(asked)
    numbered = _NUMBERED.findall(documents[0] if documents else asked.text)
    limits = _LIMIT.findall(task)
    return DemoQuestion(
        tuple(NumberedSentence(int(index), text) for index, text in numbered),
        _sought(task),
        int(limits[-1]) if limits else _DEFAULT_LIMIT,
        bool(_RESULTS_ONLY.search(task)),
        asked.schema is None and bool(_PLAIN.search(task)),
    )


def documents_in(asked: DemoRequest) -> list[str]:
    """The texts that are marked as data, in order."""
    return [text for _, text in _DOCUMENT.findall(asked.text)]


def task_in(asked: DemoRequest) -> str:
    """The text outside the documents."""
    return _DOCUMENT.sub("", asked.text)


def _sought(task: str) -> str:
    """What the chosen sentences should be about: a hypothesis, or a domain of risk of bias with its criteria."""
    if hypotheses := _HYPOTHESIS.findall(task):
        return str(hypotheses[-1]).strip()
    if domain := _DOMAIN.search(task):
        return domain[0]
    return task


# ---- choosing ----
# The demo server chooses the sentences that share the hypothesis' rarer words, without any understanding.

_WORD = re.compile(r"[a-z]{3,}|\d+")
_COMMON = frozenset(
    "the and for with that this was were are has have had from than not but its their which between".split()
)
_NEGATIVE = re.compile(r"\b(?:no|not|nor|neither|without|failed|did not|unchanged|similar|lack)\b", re.IGNORECASE)
_FIGURES = re.compile(r"\d[\d.]*\s*%|\bp\s*[<=>]|\d+\.\d+")
_WEAK = 0.35  # share of the best score; below it a sentence counts as neutral


@dataclass(frozen=True, slots=True)
class DemoChoice:
    """A chosen sentence with its stance and the words it shares."""

    sentence: NumberedSentence
    score: float
    stance: str  # supports, refutes or neutral
    shared: tuple[str, ...]

    @property
    def reason(self) -> str:
        """Why it was chosen."""
        return f"It shares “{'”, “'.join(self.shared[:4])}” with the hypothesis."


def choose(question: DemoQuestion) -> list[DemoChoice]:
    """At most `question.limit` sentences that share words with the hypothesis, best first."""
    words = [words_of(sentence.text) for sentence in question.pool]
    counts = Counter(word for one in words for word in one)
    wanted = words_of(question.hypothesis)
    found = []
    for sentence, own in zip(question.pool, words, strict=True):
        shared = sorted(wanted & own, key=lambda word: (counts[word], word))
        score = sum(math.log(1 + len(words) / counts[word]) for word in shared)
        if question.results_only and _FIGURES.search(sentence.text):
            score *= 1.5
        if score > 0:
            found.append(DemoChoice(sentence, score, "neutral", tuple(shared)))
    found.sort(key=lambda chosen: (-chosen.score, chosen.sentence.index))
    return [replace(chosen, stance=_stance(chosen, found[0], question)) for chosen in found[: question.limit]]


def misled(chosen: list[DemoChoice], question: DemoQuestion, fault: Fault | None) -> list[DemoChoice]:
    """The choice, changed as a fault requires."""
    if fault is Fault.MANY:
        more = [DemoChoice(sentence, 0.0, "neutral", ("",)) for sentence in question.pool]
        taken = {one.sentence.index for one in chosen}
        return (chosen + [one for one in more if one.sentence.index not in taken])[: question.limit + 3]
    if not chosen:
        return chosen
    first = chosen[0]
    if fault is Fault.WRONG:
        beyond = max(sentence.index for sentence in question.pool) + 1000
        return [replace(first, sentence=replace(first.sentence, index=beyond)), *chosen[1:]]
    if fault is Fault.DUPLICATES:
        return [first, *chosen][: max(2, question.limit)]
    if fault is Fault.INVENTED:
        return [replace(one, sentence=replace(one.sentence, text="Nothing of the kind was written.")) for one in chosen]
    return chosen


def _stance(chosen: DemoChoice, best: DemoChoice, question: DemoQuestion) -> str:
    if chosen.score < _WEAK * best.score:
        return "neutral"
    agree = is_negative(chosen.sentence.text) == is_negative(question.hypothesis)
    return "supports" if agree else "refutes"


def is_negative(text: str) -> bool:
    """Whether a text contains a negation."""
    return bool(_NEGATIVE.search(text))


def words_of(text: str) -> set[str]:
    """The words that are compared."""
    found: list[str] = _WORD.findall(text.lower())
    return {word.removesuffix("s") for word in found if word not in _COMMON}
