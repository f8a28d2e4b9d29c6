"""Statements of articles, graded without knowing where they are from (PaperQA2, section 8.3).

Every sentence of an article, and of another text that it is compared with, is a statement with its sources. People get them in
an order that is drawn, without their origin, and grade each; the figures tell origins apart again by the ids.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from statsmodels.stats.proportion import proportion_confint

from core.articles.model import Article
from core.errors import QueryError
from core.paper.sentences import split_sentences

_LEAST_WORDS = 4  # of a sentence of another text: fewer are headings
_CITED = re.compile(r"\[[^\]]{1,80}\]|\((?:[^()]*\b(?:19|20)\d\d[a-z]?[^()]*)\)")  # “[3]”, “(Rossi, 2020)”


class Grade(StrEnum):
    """What a grader says of a statement."""

    SUPPORTED = "cited and supported"
    UNCITED = "missing citation"
    UNSUPPORTED = "cited and unsupported"


@dataclass(frozen=True, slots=True)
class GradedStatement:
    """A statement for graders."""

    id: str  # tells nothing of its origin
    origin: str  # "article", or "other"
    text: str
    sources: tuple[str, ...]  # what it cites, with the words there, as far as they are known


@dataclass(frozen=True, slots=True)
class GradeShare:
    """How many statements of an origin have a grade; in per cent, with Wilson's 95% interval."""

    count: int
    of: int
    share: float
    low: float
    high: float

    @classmethod
    def among(cls, count: int, of: int) -> GradeShare:
        """Of one statement at least."""
        low, high = proportion_confint(count, of, method="wilson")
        return cls(count, of, *(round(100 * float(one), 1) for one in (count / of, low, high)))


def statements_of(article: Article) -> Iterator[GradedStatement]:
    """Every sentence that a model wrote; of a section by quotations, every quotation."""
    answers = [section.answer for section in article.sections]
    titles = {paper.id: paper.title or paper.name for answer in answers for paper in answer.sources}
    passages = {one.passage.id: one.passage for answer in answers for one in answer.evidence}
    written = [
        *(article.overview.statements if article.overview else ()),
        *(s for one in answers for s in one.statements),
    ]
    for statement in written:
        sources = []
        for citation in statement.citations:
            passage = passages[citation.passage]
            words = " … ".join(passage.sentences[index - passage.first] for index in citation.sentences)
            sources.append(f"{titles.get(passage.paper, passage.paper)}: “{words}”")
        yield _statement("article", statement.text, sources)
    for answer in answers:
        for one in answer.papers if answer.answered and not answer.statements else ():
            yield _statement("article", one.sentence, [f"{one.paper.title or one.paper.name}: “{one.sentence}”"])


def statements_of_text(text: str) -> Iterator[GradedStatement]:
    """Every sentence of another article, with the citations that stand in it."""
    for line in text.splitlines():
        for start, end in split_sentences(line):
            sentence = line[start:end].strip()
            if len(sentence.split()) >= _LEAST_WORDS:
                yield _statement("other", sentence, _CITED.findall(sentence))


def _statement(origin: str, text: str, sources: Sequence[str]) -> GradedStatement:
    return GradedStatement(sha256(f"{origin}: {text}".encode()).hexdigest()[:10], origin, text, tuple(sources))


def drawn(statements: Sequence[GradedStatement], seed: int) -> list[GradedStatement]:
    """Each once, in an order that is drawn."""
    each = list({one.id: one for one in statements}.values())
    random.Random(seed).shuffle(each)  # noqa: S311 - an order, no secret
    return each


def grade_from(text: str) -> Grade | None:
    """A grade as people write it; None for an empty cell. Raises `QueryError` for any other word."""
    word = " ".join(text.split()).lower()
    if not word:
        return None
    if word not in set(Grade):
        raise QueryError(f"“{text}” is no grade. Write one of: {', '.join(Grade)}; or leave the cell empty.")
    return Grade(word)


def figures(statements: Sequence[GradedStatement], grades: Mapping[str, Grade]) -> dict[str, dict[str, GradeShare]]:
    """By origin: the share of each grade among those graded, and of the supported among the cited (`precision`).

    Statements without a grade count nowhere. Raises `QueryError` where nothing is graded.
    """
    found: dict[str, dict[str, GradeShare]] = {}
    for origin in dict.fromkeys(one.origin for one in statements):
        counts = Counter(grades[one.id] for one in statements if one.origin == origin and one.id in grades)
        if not (total := counts.total()):
            continue
        found[origin] = {grade.value: GradeShare.among(counts[grade], total) for grade in Grade}
        if cited := total - counts[Grade.UNCITED]:
            found[origin]["precision"] = GradeShare.among(counts[Grade.SUPPORTED], cited)
    if not found:
        raise QueryError("No statement is graded yet. Write grades into the column “grade”.")
    return found
