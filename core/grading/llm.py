"""Statements graded by a language model, which sees of the works that they cite what a library has of them.

It is shown the same of every statement, wherever it is from: the passages of each work cited that are nearest to the statement.
A work that is not in the library is one that nobody can look into. Support without a sentence that says so is a fault.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Self

from pydantic import Field

from core.grading.model import Grade, GradedStatement
from core.grading.statements import paper_named
from core.grounding.checking import CheckedPicks, Pick, check_picks
from core.grounding.model import ModelRun
from core.grounding.questions import Asker, ask, repeated_request, run_plan, run_together
from core.library.index import Library
from core.library.model import LibraryPaper, Passage
from core.llm import CostEstimate, ModelName, Reply, ReplySchema, Request, estimate
from core.llm.model import Form, fields, numbers
from core.llm.provider import set_apart
from core.progress import Progress, silent
from core.prompts import load_prompt

_PASSAGES = 3  # of each work that is cited, the nearest to the statement
_MOST = 4  # sentences that a grade rests on
_CITED = (Grade.SUPPORTED, Grade.UNSUPPORTED, Grade.NOT_APPLICABLE)
_BARE = (Grade.UNCITED, Grade.NOT_APPLICABLE)


class GivenGrade(ReplySchema):
    """A grade, and what it rests on."""

    reason: str = Field(description="Your reason, in a sentence or two, before any decision.")
    sentences: list[Pick] = Field(description="The sentences that support the statement; empty if none does.")
    grade: str = Field(description="One of the grades, in the words of the task.")

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """Without quotations: the plain form has no place for them."""
        reason, listed, grade = fields(text, "REASON", "SENTENCES", "GRADE")
        picks = [Pick(number=one, quote="") for one in numbers(listed, "SENTENCES")]
        return cls(reason=reason, sentences=picks, grade=grade)


@dataclass(frozen=True, slots=True)
class CheckedGrade:
    """A grade as the model gave it, held against what it was shown (`core.grounding.questions.VerifiedAnswer`)."""

    said: GivenGrade
    allowed: tuple[Grade, ...]
    checked: CheckedPicks[Pick]

    @property
    def reasoning(self) -> str:
        return self.said.reason

    @property
    def numbers(self) -> tuple[int, ...]:
        return self.checked.numbers

    @property
    def grade(self) -> Grade | None:
        """None: it is none of those asked for."""
        word = " ".join(self.said.grade.lower().split()).strip(" .")
        return next((one for one in self.allowed if one == word), None)

    @property
    def faults(self) -> tuple[str, ...]:
        found = list(self.checked.faults)
        if self.grade is None:
            found.append("The grade is not one of those in the task.")
        if self.grade is Grade.SUPPORTED and not self.checked.right:
            found.append("The statement is said to be supported, and no sentence is named that says it.")
        return tuple(found)

    @property
    def not_in_paper(self) -> tuple[str, ...]:
        return self.checked.not_in_paper


@dataclass(frozen=True, slots=True)
class ModelGrades:
    """What a model made of statements. Where it gave no grade that holds, there is none, and the run says why."""

    grades: Mapping[str, Grade]  # by statement
    run: ModelRun


@dataclass(frozen=True, slots=True)
class _Asked:
    """A statement as it is put to a model."""

    statement: GradedStatement
    request: Request
    shown: Mapping[int, str]  # sentences by number
    allowed: tuple[Grade, ...]
    whole: bool  # all that it cites is in the library


class GradingPrompts:
    """Fills the templates. Raises `PromptError` if a template is wrong."""

    def __init__(self) -> None:
        self._grade = load_prompt(
            "grading-statement",
            variables=("sources", "statement", "grades", "most"),
            parts=("system", "context", "task", "plain"),
        )
        self._again = load_prompt("answering-again", variables=("task", "faults"))
        self.hashes = tuple((prompt.name, prompt.hash) for prompt in (self._grade, self._again))

    def asked(
        self, place: int, statement: GradedStatement, papers: Sequence[LibraryPaper], library: Library
    ) -> _Asked | None:
        """The question about a statement; None where it cites nothing that anybody here could look into."""
        blocks: list[str] = []
        shown: dict[int, str] = {}
        whole = True
        for number, source in enumerate(statement.sources, 1):
            paper = paper_named(source, papers)
            near = library.search(statement.text, depth=_PASSAGES, only={paper.id})[:_PASSAGES] if paper else []
            whole = whole and bool(near)
            lines = [
                line
                for one in sorted((one.passage for one in near), key=lambda passage: passage.first)
                for line in _numbered(one, shown)
            ]
            blocks.append("\n".join([f"Work {number}: {_line(source)}", *(lines or ["Its text is not here."])]))
        if statement.sources and not shown:
            return None
        allowed = _CITED if statement.sources else _BARE
        request = Request(
            system=self._grade.fill("system"),
            context=self._grade.fill("context", sources="\n\n".join(blocks) or "It cites nothing."),
            task=self._grade.fill(
                "task", statement=set_apart(_line(statement.text)), grades="; ".join(allowed), most=_MOST
            ),
            schema=GivenGrade,
            plain=self._grade.fill("plain"),
            label=f"Statement {place}",
        )
        return _Asked(statement, request, shown, allowed, whole)

    def once_more(self, request: Request, answer: CheckedGrade) -> Request:
        """Ask again, naming the faults of the first answer."""
        return repeated_request(self._again, request, answer.faults)


def _numbered(passage: Passage, shown: dict[int, str]) -> list[str]:
    """The sentences of a passage, numbered on through all works."""
    lines = [passage.section] if passage.section else []
    for text in passage.sentences:
        shown[len(shown) + 1] = text
        lines.append(f"[{len(shown)}] {_line(text)}")
    return lines


def _line(text: str) -> str:
    return " ".join(text.split())


def grade_by_model(
    statements: Sequence[GradedStatement], asker: Asker, library: Library, *, progress: Progress = silent
) -> ModelGrades:
    """The grades of a model, which is asked about each statement by itself, all at once."""
    wording = GradingPrompts()
    grades: dict[str, Grade] = {}
    asked: list[_Asked] = []
    for statement, one in _questions(wording, statements, library):
        if one is None:
            grades[statement.id] = Grade.NOT_APPLICABLE
        else:
            asked.append(one)
    exchanges = [
        ask(one.request, partial(_held, one), partial(wording.once_more, one.request), asker.cost_of) for one in asked
    ]
    results = run_plan(run_together(exchanges), asker, progress)
    for one, result in zip(asked, results, strict=True):
        if result.answer is None or result.answer.grade is None or result.answer.faults:
            continue
        grade = result.answer.grade
        # What else it cites might say it: nobody here can tell.
        grades[one.statement.id] = Grade.NOT_APPLICABLE if grade is Grade.UNSUPPORTED and not one.whole else grade
    return ModelGrades(grades, ModelRun(asker.name, "", wording.hashes, tuple(result.step for result in results)))


def estimate_grading(model: ModelName, statements: Sequence[GradedStatement], library: Library) -> CostEstimate:
    """What that will use if nothing has to be asked again and none is in the cache. Nothing is sent."""
    asked = [one.request for _, one in _questions(GradingPrompts(), statements, library) if one is not None]
    return estimate(asked, f"{model.provider}:{model.model}")


def _questions(
    wording: GradingPrompts, statements: Sequence[GradedStatement], library: Library
) -> list[tuple[GradedStatement, _Asked | None]]:
    papers = library.papers()
    return [(one, wording.asked(place, one, papers, library)) for place, one in enumerate(statements, 1)]


def _held(asked: _Asked, reply: Reply) -> CheckedGrade | None:
    said = reply.data
    if not isinstance(said, GivenGrade):
        return None
    checked = check_picks(said.sentences, asked.shown, _MOST, quoted=reply.form is Form.SCHEMA)
    return CheckedGrade(said, asked.allowed, checked)
