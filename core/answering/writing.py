"""Let a language model write an answer from gathered passages, in which every sentence cites some of these passages.

See PaperQA2, section 8.1.1, "Generate Answer". A citation of a source that was not given is a fault. If the second
answer has one too, the whole answer is refused. Code and the reader then check each citation (`checking`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from string import ascii_uppercase
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from core.answering.checking import CitationChecker
from core.answering.gathering import again_prompt, citation
from core.answering.model import Gathered, Question, ReportedChange, Statement
from core.grounding.model import Step
from core.grounding.questions import Asker, QuestionResult, ask, repeated_request, run_plan, run_together
from core.library.model import LibraryPaper
from core.llm import Reply, ReplySchema, Request
from core.llm.model import NotPlain, fields
from core.llm.provider import set_apart
from core.progress import Progress
from core.prompts import Prompt, load_prompt

WRITING = "The answer"  # the label of the request
NOT_GIVEN = (
    "The model's answer names sources that it was not given, and did so again when it was told. It is refused, and the "
    "evidence is kept. Ask again, or choose another model."
)
_WORDS = 150
_CANNOT = "cannot answer"
_AT_END = re.compile(r"\s*\[\s*(\d{1,4}(?:\s*,\s*\d{1,4})*)\s*\](?=[.\s]*$)")
_SOURCES = re.compile(r"\s*\[\s*(\d{1,4}(?:\s*,\s*\d{1,4})*)?\s*\]\s*$")

# ---- forms ----


class WrittenSentence(BaseModel):
    """A sentence of the answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str = Field(description="One sentence, without the numbers of its sources.")
    sources: list[int] = Field(description="The numbers in square brackets of the sources that say it.")
    new_paragraph: bool = Field(description="Whether a paragraph begins with it.")


class ReportedDirection(BaseModel):
    """Which way an outcome went in a source."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: int = Field(description="The source's number.")
    says: Literal["increased", "decreased", "no difference", "something else"]


class WrittenAnswer(ReplySchema):
    """The answer, or that there is none."""

    reason: str = Field(description="Your reasoning, in a few sentences, before any decision.")
    cannot_answer: bool = Field(description="True if the sources do not report what the question asks.")
    sentences: list[WrittenSentence] = Field(description="The answer; empty if it cannot be given.")
    reports: list[ReportedDirection] = Field(description="Each source with a result on what is asked.")
    option: str | None = Field(description="The letter of the option chosen; null where no options are given.")

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """Parse the plain form, which has no place for directions."""
        reason, option, answer = fields(text, "REASON", "OPTION", "ANSWER")
        if answer.strip(" .\n").lower() == _CANNOT:
            return cls(reason=reason, cannot_answer=True, sentences=[], reports=[], option=_letter(option))
        sentences: list[WrittenSentence] = []
        begins = True
        for line in answer.splitlines():
            if not line.strip():
                begins = True
                continue
            found = _SOURCES.search(line)
            if found is None:
                raise NotPlain("a line after ANSWER: does not end with numbers in square brackets")
            numbers = [int(number) for number in re.findall(r"\d+", found[1] or "")]
            sentences.append(WrittenSentence(text=line[: found.start()].strip(), sources=numbers, new_paragraph=begins))
            begins = False
        return cls(reason=reason, cannot_answer=False, sentences=sentences, reports=[], option=_letter(option))


def _letter(text: str) -> str | None:
    return None if text.strip(" .").lower() in {"", "none"} else text.strip(" .")


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """A model's answer, checked against the sources it was given (a `core.grounding.questions.VerifiedAnswer`)."""

    said: WrittenAnswer
    given: int  # sources, numbered from 1
    options: int

    @property
    def reasoning(self) -> str:
        return self.said.reason

    @property
    def numbers(self) -> tuple[int, ...]:
        """The sources that it cites and that were given, in the answer's order."""
        return tuple(dict.fromkeys(number for number in self._cited if self._is_given(number)))

    @property
    def not_in_paper(self) -> tuple[str, ...]:
        """The sources that it cites and that were not given."""
        return tuple(dict.fromkeys(f"[{number}]" for number in self._cited if not self._is_given(number)))

    @property
    def faults(self) -> tuple[str, ...]:
        found = [f"{number} is not the number of a source that was given." for number in self.not_in_paper]
        if self.said.cannot_answer:
            return tuple(found)
        sentences = self.said.sentences
        if not any(one.text.strip() for one in sentences):
            found.append("There is no sentence, and it is not said that the question cannot be answered.")
        found += [f"Sentence {place} names no source." for place, one in enumerate(sentences, 1) if not one.sources]
        if self.options and self.option is None:
            found.append(f"The option is not one of {letters(self.options)}.")
        return tuple(found)

    @property
    def option(self) -> int | None:
        """The index of the option that it chooses."""
        chosen = (self.said.option or "").strip().upper()
        known = ascii_uppercase[: self.options]
        return known.index(chosen) if len(chosen) == 1 and chosen in known else None

    @property
    def _cited(self) -> list[int]:
        sentences = [] if self.said.cannot_answer else self.said.sentences
        return [number for one in sentences for number in one.sources]

    def _is_given(self, number: int) -> bool:
        return 1 <= number <= self.given


# ---- wording ----


class WritingPrompts:
    """Fills the templates for one question. Raises `PromptError` if a template is invalid."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.write = load_prompt(
            "answering-write",
            variables=("evidence", "question", "options", "letters", "words", "found"),
            parts=("system", "context", "task", "options", "before", "plain"),
        )
        self.again = again_prompt()
        self.hashes = tuple((prompt.name, prompt.hash) for prompt in (self.write, self.again))

    def request(self, evidence: Sequence[Gathered], papers: Mapping[str, LibraryPaper]) -> Request:
        """The request for the answer."""
        return self.request_from([source_block(number, one, papers) for number, one in enumerate(evidence, 1)])

    def request_from(self, sources: Sequence[str]) -> Request:
        """The request for the answer from source texts, each of which begins with its number in square brackets."""
        task = self.write.fill(
            "task", question=with_before(self.question, self.write), words=_WORDS, options=self._options()
        )
        return Request(
            system=self.write.fill("system"),
            context=self.write.fill("context", evidence="\n\n".join(sources)),
            task=task.strip(),
            schema=WrittenAnswer,
            plain=self.write.fill("plain"),
            label=WRITING,
        )

    def once_more(self, request: Request, answer: CheckedAnswer) -> Request:
        """The request repeated, with the faults of the first answer."""
        return repeated_request(self.again, request, answer.faults)

    def _options(self) -> str:
        options = self.question.options
        if not options:
            return ""
        listed = "\n".join(f"{letter}: {option}" for letter, option in zip(ascii_uppercase, options, strict=False))
        chosen = f"name the one that the evidence speaks for by its letter ({letters(len(options))})"
        return self.write.fill("options", letters=chosen, options=listed)


def with_before(question: Question, prompt: Prompt) -> str:
    """The question for a task, followed by the findings of earlier questions, which are marked as data."""
    asked = " ".join(question.text.split())
    if not question.before:
        return asked
    found = "\n".join(" ".join(one.split()) for one in question.before)
    return f"{asked}\n\n{prompt.fill('before', found=set_apart(found))}"


def letters(count: int) -> str:
    """The letters of so many options, as a list for people and models."""
    return ", ".join(ascii_uppercase[:count])


def source_block(number: int, one: Gathered, papers: Mapping[str, LibraryPaper]) -> str:
    """A source as the writer sees it: its note and strongest sentence, or the passage if there is no note."""
    paper, passage = papers.get(one.passage.paper), one.passage
    head = f"[{number}] {(paper.title or paper.name) if paper else ''}"
    place = ". ".join(filter(None, (citation(paper), passage.section)))
    fields = [f"{name}: {value}" for name, value in one.fields]
    if one.summary:
        quoted = passage.sentences[one.strongest - passage.first]
        body = [f"Note: {one.summary}", f"Its strongest sentence: “{quoted}”"]
    else:
        body = [passage.text]
    # Each part is put on one line, because a text with line breaks could be mistaken for another source.
    return "\n".join(filter(None, (" ".join(line.split()) for line in (head, place, *fields, *body))))


# ---- writing ----


@dataclass(frozen=True, slots=True)
class Writing:
    """The result of asking for an answer."""

    step: Step | None  # None: nothing was asked
    statements: tuple[Statement, ...] = ()
    told: Mapping[str, ReportedChange | None] | None = (
        None  # of each paper with a result, by id; None: no clear direction
    )
    option: int | None = None
    cannot_answer: bool = False
    problem: str | None = None  # why there is no answer


def write(
    question: Question,
    evidence: Sequence[Gathered],
    papers: Mapping[str, LibraryPaper],
    *,
    asker: Asker,
    checker: CitationChecker,
    progress: Progress,
) -> Writing:
    """The answer from these passages, which are numbered from 1 in this order, with its citations checked."""
    wording = WritingPrompts(question)
    request = wording.request(evidence, papers)
    hold = partial(held, len(evidence), len(question.options))
    exchange = ask(request, hold, partial(wording.once_more, request), asker.cost_of)
    [result] = run_plan(run_together([exchange]), asker, progress)
    if result.answer is None:
        return Writing(result.step, problem=str(result.error))
    if result.answer.not_in_paper:
        return Writing(result.step, problem=NOT_GIVEN)
    if result.answer.said.cannot_answer:
        return Writing(result.step, cannot_answer=True)
    return _written(result, result.answer, evidence, papers, checker)


def held(given: int, options: int, reply: Reply) -> CheckedAnswer | None:
    """A reply as an answer from so many sources; None if it is not an answer."""
    said = reply.data
    return CheckedAnswer(said, given, options) if isinstance(said, WrittenAnswer) else None


def without_numbers(sentence: WrittenSentence) -> str:
    """The text on one line, without its sources' numbers, which models may repeat at its end."""
    text = " ".join(sentence.text.split())
    found = _AT_END.search(text)
    if found is None or not set(map(int, re.findall(r"\d+", found[1]))) <= set(sentence.sources):
        return text
    return text[: found.start()] + text[found.end() :]


def _written(
    result: QuestionResult[CheckedAnswer],
    answer: CheckedAnswer,
    evidence: Sequence[Gathered],
    papers: Mapping[str, LibraryPaper],
    checker: CitationChecker,
) -> Writing:
    statements: list[Statement] = []
    for one in answer.said.sentences:
        cited = [evidence[number - 1].passage for number in dict.fromkeys(one.sources)]
        if text := without_numbers(one):
            citations = tuple(checker.check(text, passage, papers.get(passage.paper)) for passage in cited)
            statements.append(Statement(text, citations, one.new_paragraph or not statements))
    told: dict[str, ReportedChange | None] = {}
    for report in answer.said.reports:
        if 1 <= report.source <= len(evidence):
            says = None if report.says == "something else" else ReportedChange(report.says)
            told.setdefault(evidence[report.source - 1].passage.paper, says)
    if not statements:
        return Writing(result.step, problem="The model wrote no answer. Ask again, or choose another model.")
    return Writing(result.step, tuple(statements), told, answer.option)
