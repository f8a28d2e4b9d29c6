"""A language model reads passages for a question, and gives each a contextual summary and a score from 0 to 10.

See PaperQA2, section 8.1.1, "Gather Evidence": a summary contains what helps to answer, never the answer itself. It
names the sentences that it rests on, which are checked against the passage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from core.answering.model import Gathered, Question
from core.errors import ModelError
from core.grounding.checking import CheckedPicks, Pick, check_picks
from core.grounding.model import Step
from core.grounding.questions import Asker, ask, repeated_request, run_plan, run_together
from core.library.model import Found, LibraryPaper, Passage
from core.llm import Reply, ReplySchema, Request
from core.llm.model import Form, NotPlain, fields, numbers
from core.paper import cite_authors, study_name
from core.progress import Progress
from core.prompts import Prompt, load_prompt

HIGHEST = 10  # the highest score
GOOD = 5  # from this score on, a passage must come with a summary and sentences, and counts as good for the planner
STRONG = 8  # from this score on, the citations of a passage's paper are worth following (section 8.1.1: theta_score)
_WORDS = 60  # the most words of a summary
_MOST_SENTENCES = 4

# ---- forms ----


class FieldRead(BaseModel):
    """What a passage tells of a field that was asked for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    value: str


class PassageNote(ReplySchema):
    """What of a passage helps, and how much."""

    summary: str = Field(description="What in the passage helps to answer the question; empty if nothing does.")
    sentences: list[Pick] = Field(description="The sentences that it rests on, the most important first.")
    fields: list[FieldRead] = Field(description="What else was asked for and the passage tells; mostly empty.")
    score: int = Field(description="From 0 to 10, how far the passage helps to answer the question.")

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """Parse the plain form, which has no place for fields."""
        summary, decision, score = fields(text, "SUMMARY", "DECISION", "SCORE")
        scores = numbers(score if score.startswith("[") else f"[{score}]", "SCORE")
        if len(scores) != 1:
            raise NotPlain("after SCORE: there is something other than one number")
        picks = [Pick(number=number, quote="") for number in numbers(decision, "DECISION")]
        return cls(summary="" if summary.lower() == "none" else summary, sentences=picks, fields=[], score=scores[0])


@dataclass(frozen=True, slots=True)
class CheckedNote:
    """A model's note, with its checked picks (a `core.grounding.questions.VerifiedAnswer`)."""

    said: PassageNote
    checked: CheckedPicks[Pick]

    @property
    def reasoning(self) -> str:
        return self.said.summary

    @property
    def numbers(self) -> tuple[int, ...]:
        return self.checked.numbers

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong with it. If a passage helps, its note must not be empty and must name sentences."""
        found = list(self.checked.faults)
        if not 0 <= self.said.score <= HIGHEST:
            found.append(f"The score is not a number from 0 to {HIGHEST}.")
        if self.said.score >= GOOD and not self.said.summary.strip():
            found.append("The passage is said to help, and the note is empty.")
        if self.said.score >= GOOD and not self.checked.right and not self.checked.faults:
            found.append("The passage is said to help, and no sentence is named.")
        return tuple(found)

    @property
    def not_in_paper(self) -> tuple[str, ...]:
        return self.checked.not_in_paper


# ---- wording ----


class GatheringPrompts:
    """Fills the templates for one question. Raises `PromptError` if a template is invalid."""

    def __init__(self, question: Question, shown: Callable[[str], str] = str) -> None:
        """`shown` formats the question in the task: a question that others wrote is marked as data there."""
        self.question = question
        self.shown = shown
        self.passage = load_prompt(
            "answering-passage",
            variables=("title", "citation", "section", "sentences", "question", "fields", "words"),
            parts=("system", "context", "task", "fields", "plain"),
        )
        self.again = again_prompt()
        self.hashes = tuple((prompt.name, prompt.hash) for prompt in (self.passage, self.again))

    def request(self, passage: Passage, paper: LibraryPaper | None) -> Request:
        """The request to read a passage."""
        wanted = ", ".join(self.question.fields)
        context = self.passage.fill(
            "context",
            title=_line(paper.title or paper.name) if paper else "unknown",
            citation=citation(paper),
            section=_line(passage.section) or "without a title",
            sentences="\n".join(
                f"[{passage.first + offset}] {_line(text)}" for offset, text in enumerate(passage.sentences)
            ),
        )
        task = self.passage.fill(
            "task",
            question=self.shown(_line(self.question.text)),
            words=_WORDS,
            fields=self.passage.fill("fields", fields=wanted) if wanted else "",
        )
        return Request(
            system=self.passage.fill("system"),
            context=context,
            task=task.strip(),
            schema=PassageNote,
            plain=self.passage.fill("plain"),
            label=place_of(passage, paper),
        )

    def once_more(self, request: Request, answer: CheckedNote) -> Request:
        """The request repeated, with the faults of the first answer."""
        return repeated_request(self.again, request, answer.faults)


def again_prompt() -> Prompt:
    """The template that repeats a question about a library."""
    return load_prompt("answering-again", variables=("task", "faults"))


def place_of(passage: Passage, paper: LibraryPaper | None) -> str:
    """The paper and section of a passage, for people, such as "Lee 2020, Results"."""
    name = study_name(paper.authors, paper.year, otherwise=(paper.title or paper.name)[:80]) if paper else ""
    return ", ".join(filter(None, (_line(name), _line(passage.section))))


def citation(paper: LibraryPaper | None) -> str:
    """A paper's authors, journal and year, how many papers cite it, and whether it was retracted, as far as known."""
    if paper is None:
        return ""
    published = " ".join(filter(None, (paper.journal, str(paper.year or ""))))
    cited = f"Cited by {paper.cited} of the library's papers" if paper.cited else ""
    retracted = "RETRACTED: its results may not be relied on" if paper.retracted else ""
    return ". ".join(filter(None, (_line(cite_authors(paper.authors)), _line(published), cited, retracted)))


def _line(text: str) -> str:
    return " ".join(text.split())


# ---- gathering ----


@dataclass(frozen=True, slots=True)
class GatheredEvidence:
    """Passages that were read, best first, and every question that was asked about them."""

    gathered: tuple[Gathered, ...]
    steps: tuple[Step, ...] = ()
    error: ModelError | None = None  # why no passage could be read; not raised, so that the steps are not lost


def gather(
    question: Question,
    found: Sequence[Found],
    papers: Mapping[str, LibraryPaper],
    asker: Asker,
    progress: Progress,
    *,
    shown: Callable[[str], str] = str,
) -> GatheredEvidence:
    """Let a model read each passage. A passage without a usable answer is left out, and its step says why.

    If no passage has one, the result says so in its `error`.
    `shown` formats the question in the task (`core.llm.provider.set_apart` for a question that others wrote).
    """
    wording = GatheringPrompts(question, shown)
    exchanges = [
        ask(
            request := wording.request(one.passage, papers.get(one.passage.paper)),
            partial(_held, one.passage),
            partial(wording.once_more, request),
            asker.cost_of,
        )
        for one in found
    ]
    results = run_plan(run_together(exchanges), asker, progress)
    read = [(one.passage, result) for one, result in zip(found, results, strict=True)]
    errors = [result.error for result in results if result.error is not None]
    none_read = bool(errors) and len(errors) == len(results)
    gathered = [_gathered(passage, result.answer) for passage, result in read if result.answer is not None]
    steps = tuple(result.step for result in results)
    return GatheredEvidence(best_first(gathered), steps, errors[0] if none_read else None)


def best_first(gathered: Iterable[Gathered]) -> tuple[Gathered, ...]:
    """Passages by decreasing score; passages with equal scores keep their order."""
    return tuple(sorted(gathered, key=lambda one: -one.score))


def likeliest_finding(passage: Passage) -> int:
    """The index of the sentence that is likeliest to report a finding, judged by its own words."""
    return passage.first + int(np.argmax(passage.findings))


def _held(passage: Passage, reply: Reply) -> CheckedNote | None:
    said = reply.data
    if not isinstance(said, PassageNote):
        return None
    shown = {passage.first + offset: text for offset, text in enumerate(passage.sentences)}
    quoted = reply.form is Form.SCHEMA
    return CheckedNote(said, check_picks(said.sentences, reply.sent(shown), _MOST_SENTENCES, quoted=quoted))


def _gathered(passage: Passage, answer: CheckedNote) -> Gathered:
    """A passage with its note. What rests on no sentence of it helps nothing, whatever the model says."""
    said, named = answer.said, answer.numbers
    score = min(max(said.score, 0), HIGHEST) if named else 0
    read = tuple((one.name, one.value) for one in said.fields if one.name.strip() and one.value.strip())
    return Gathered(passage, float(score), named[0] if named else likeliest_finding(passage), _line(said.summary), read)
