"""A language model grades statements from the passages that a library has of the works that they cite.

Statements of all origins are treated alike: the model sees the passages of each cited work that are nearest to the
statement. A work that is not in the library cannot be checked. A grade of supported without a supporting sentence is a
fault.
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

_PASSAGES = 3  # passages of each cited work, those nearest to the statement
_MOST = 4  # the most sentences that a grade may name
_CITED = (Grade.SUPPORTED, Grade.UNSUPPORTED, Grade.NOT_APPLICABLE)
_BARE = (Grade.UNCITED, Grade.NOT_APPLICABLE)


class GivenGrade(ReplySchema):
    """A grade, and what it rests on."""

    reason: str = Field(description="Your reason, in a sentence or two, before any decision.")
    sentences: list[Pick] = Field(description="The sentences that support the statement; empty if none does.")
    grade: str = Field(description="One of the grades, in the words of the task.")

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """Parse the plain form, which has no place for quotations."""
        reason, listed, grade = fields(text, "REASON", "SENTENCES", "GRADE")
        picks = [Pick(number=one, quote="") for one in numbers(listed, "SENTENCES")]
        return cls(reason=reason, sentences=picks, grade=grade)


@dataclass(frozen=True, slots=True)
class CheckedGrade:
    """A model's grade, checked against what it was shown (a `core.grounding.questions.VerifiedAnswer`)."""

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
        """The grade; None if it is not one of the allowed grades."""
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
    """A model's grades. A statement without a valid grade is missing, and the run says why."""

    grades: Mapping[str, Grade]  # by the statement's id
    run: ModelRun


@dataclass(frozen=True, slots=True)
class _Asked:
    """The question to a model about a statement."""

    statement: GradedStatement
    request: Request
    shown: Mapping[int, str]  # sentences by number
    allowed: tuple[Grade, ...]
    whole: bool  # whether all works that it cites are in the library


class GradingPrompts:
    """Fills the templates. Raises `PromptError` if a template is invalid."""

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
        """The question about a statement; None if it has citations but none of the works can be checked."""
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
        """The request repeated, with the faults of the first answer."""
        return repeated_request(self._again, request, answer.faults)


def _numbered(passage: Passage, shown: dict[int, str]) -> list[str]:
    """The lines of a passage. Sentence numbers continue through all works, and `shown` collects the sentences."""
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
    """A model's grades. It is asked about each statement separately, in parallel."""
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
        # Another work that it cites might support it, which cannot be checked here.
        grades[one.statement.id] = Grade.NOT_APPLICABLE if grade is Grade.UNSUPPORTED and not one.whole else grade
    return ModelGrades(grades, ModelRun(asker.name, "", wording.hashes, tuple(result.step for result in results)))


def estimate_grading(model: ModelName, statements: Sequence[GradedStatement], library: Library) -> CostEstimate:
    """What grading will use if no question is repeated and no reply is cached. Nothing is sent."""
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
    checked = check_picks(said.sentences, reply.sent(asked.shown), _MOST, quoted=reply.form is Form.SCHEMA)
    return CheckedGrade(said, asked.allowed, checked)
