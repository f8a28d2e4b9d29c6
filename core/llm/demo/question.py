"""What a request asks, as the demo server understands it: numbered sentences, a hypothesis and a number."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.llm.wire import Json

_DOCUMENT = re.compile(r"<(document-[0-9a-f]{12})>\n(.*?)\n</\1>", re.DOTALL)
_NUMBERED = re.compile(r"^[ \t]*[\[(]?(\d+)[\])]?[.:]?[ \t]+(\S.*)$", re.MULTILINE)
_HYPOTHESIS = re.compile(r"hypothesis(?:>|:)\**\s*(\S[^\n<]*)", re.IGNORECASE)
_DOMAIN = re.compile(r"^Domain: .*\n.*(?:\n- .*|\n.*:$|\n)*", re.MULTILINE)
_PLAIN = re.compile(r"\b(?:DECISION|ANSWER):")
_LIMIT = re.compile(r"(?:more than|at most|up to)\s+\**(\d+)", re.IGNORECASE)
_RESULTS_ONLY = re.compile(r"only[^.\n]*\bresults?\b|\bresults?\b[^.\n]*\bonly\b", re.IGNORECASE)
_DEFAULT_LIMIT = 10


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, whichever interface it came by."""

    model: str
    system: str
    text: str  # all that the user says, the document included
    schema: Json | None
    max_tokens: int
    cacheable: str = ""  # the beginning that the provider's cache would keep


@dataclass(frozen=True, slots=True)
class Numbered:
    """A sentence with the index that the request gives it."""

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """The task in a request."""

    pool: tuple[Numbered, ...]
    hypothesis: str
    limit: int
    results_only: bool
    plain: bool  # wants `REASON: ... DECISION: [...]` or the like


def question_in(asked: Asked) -> Question:
    """The task, by the words around the document; what stands inside the document is never taken for one."""
    documents, task = documents_in(asked), task_in(asked)
    numbered = _NUMBERED.findall(documents[0] if documents else asked.text)
    limits = _LIMIT.findall(task)
    return Question(
        tuple(Numbered(int(index), text) for index, text in numbered),
        _sought(task),
        int(limits[-1]) if limits else _DEFAULT_LIMIT,
        bool(_RESULTS_ONLY.search(task)),
        asked.schema is None and bool(_PLAIN.search(task)),
    )


def documents_in(asked: Asked) -> list[str]:
    """The texts that are set apart as data, in order."""
    return [text for _, text in _DOCUMENT.findall(asked.text)]


def task_in(asked: Asked) -> str:
    """All that stands outside of them."""
    return _DOCUMENT.sub("", asked.text)


def _sought(task: str) -> str:
    """What sentences are to be about: a hypothesis, or a domain of risk of bias with its criteria."""
    if hypotheses := _HYPOTHESIS.findall(task):
        return str(hypotheses[-1]).strip()
    if domain := _DOMAIN.search(task):
        return domain[0]
    return task
