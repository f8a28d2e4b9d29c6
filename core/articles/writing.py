"""Write an article: its sections one by one, each of which is an answer, and an overview from their sentences only.

A section is saved as soon as it is done, so that an article that was stopped can be continued. An overview follows the
rules of an answer (`core.answering.writing`): its sources are the sections' cited sentences, and its citations are
checked against the passages that these cite.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from core.answering.checking import CitationChecker
from core.answering.llm import ModelAnswerEngine, estimate_answer
from core.answering.model import Answer, AnswerEngine, CitationStatus, Question, Statement, Tell, untold
from core.answering.record import answer_from, answer_record
from core.answering.writing import NOT_GIVEN, WritingPrompts, held, without_numbers
from core.articles.model import Article, Overview, Section
from core.articles.quoting import quoted_once
from core.articles.template import ArticleTemplate, SectionQuestion
from core.entailment import installed_reader
from core.errors import AnswerError
from core.grounding.model import ModelRun
from core.grounding.questions import ask, run_plan, run_together
from core.library.model import Passage
from core.llm import CostEstimate, ModelName
from core.progress import Progress, silent
from core.work.identity import code_sha256
from core.work.lines import mend_tail

if TYPE_CHECKING:  # a caller that has a library has imported it
    from core.library.index import Library

UNSPREAD = 1.0
_REFERRED = 5  # sentences of a section that are given to a later section's question
SPREAD = 0.9  # `Question.spread` for articles (PaperQA2, section 8.1.1)


def write_article(
    template: ArticleTemplate,
    topic: str,
    library: Library,
    engine: AnswerEngine,
    *,
    settings: Question | None = None,
    kept_in: Path | None = None,
    progress: Progress = silent,
    tell: Tell = untold,
) -> Article:
    """Write the article. Raises `VouchError` if the library or the engine fails before there is an answer.

    `settings` is a question whose limits apply to each section; None: the defaults (`section_question`). `kept_in` is a
    folder in which finished sections are saved until the article is complete. If the same article is started again on
    the same library, it continues from them.
    """
    wanted = template.sections(topic)
    journal = _Journal(None)
    if kept_in is not None:  # with another library, engine or template, it is another article
        papers = sorted(paper.id for paper in library.papers())
        journal = _Journal.under(
            kept_in, [code_sha256("articles"), template.hash, topic, library.name, engine.name, papers]
        )
    done = journal.answers()
    sections: dict[str, Section] = {}
    for place, one in enumerate(wanted):
        before = tuple(_found(sections[part]) for part in one.uses)
        question = replace(section_question(one, settings), before=before)
        answer = done.get(question)
        if answer is None:
            share = _part_of(progress, place, len(wanted) + 1, one.heading)
            answer = engine.answer(question, library, progress=share, tell=tell)
            if answer.problem is None:  # failed sections are asked again
                journal.keep(answer)
        sections[one.part] = Section(one.heading, answer)
    told = tuple(sections.values())
    if not isinstance(engine, ModelAnswerEngine):
        told = quoted_once(told)
    article = Article(template.title(topic), topic, template.name, template.hash, engine.name, told)
    if isinstance(engine, ModelAnswerEngine):
        share = _part_of(progress, len(wanted), len(wanted) + 1, "Overview")
        article = replace(article, overview=_overview(article, template.overview(topic), engine, library, share))
    if not article.problems:
        journal.close()
    progress(1.0, "Done")
    return article


def _found(section: Section) -> str:
    """A section's first sentences, for a later section's question, without those that their passages contradict."""
    stands = [
        one.text
        for one in section.answer.statements
        if any(each.status is not CitationStatus.CONTRADICTED for each in one.citations)
    ]
    quoted = [one.sentence for one in section.answer.papers] if section.answer.answered and not stands else []
    return f"{section.heading}: {' '.join((stands or quoted)[:_REFERRED]) or 'nothing was found.'}"


def section_question(section: SectionQuestion, settings: Question | None = None) -> Question:
    """A section's question, with the limits of `settings`.

    Its spread over papers is `SPREAD`, unless `settings` sets one.
    """
    asked = settings or Question(section.question)
    return replace(asked, text=section.question, spread=SPREAD if asked.spread == UNSPREAD else asked.spread)


def _part_of(progress: Progress, place: int, parts: int, heading: str) -> Progress:
    """The progress of one of several parts."""

    def share(done: float, step: str) -> None:
        progress((place + done) / parts, f"{heading}: {step}")

    return share


def _overview(
    article: Article, question: str, engine: ModelAnswerEngine, library: Library, progress: Progress
) -> Overview:
    """An overview by the model, from the sections' sentences with a citation that does not contradict them."""
    cited = [
        (section, replace(one, citations=behind))
        for section in article.sections
        for one in section.answer.statements
        if (behind := tuple(each for each in one.citations if each.status is not CitationStatus.CONTRADICTED))
    ]
    if not cited:
        return Overview(())
    wording = WritingPrompts(Question(question))
    request = wording.request_from(
        [f"[{number}] {section.heading}\n{one.text}" for number, (section, one) in enumerate(cited, 1)]
    )
    exchange = ask(
        replace(request, label="The overview"),
        partial(held, len(cited), 0),
        partial(wording.once_more, request),
        engine.runner.cost_of,
    )
    [result] = run_plan(run_together([exchange]), engine.runner, progress)
    run = ModelRun(engine.runner.name, engine.strategy, wording.hashes, (result.step,))
    if result.answer is None:
        return Overview((), run, str(result.error))
    if result.answer.not_in_paper:
        return Overview((), run, NOT_GIVEN)
    checker = CitationChecker(installed_reader(), library)
    passages = {one.passage.id: one.passage for section in article.sections for one in section.answer.evidence}
    papers = {paper.id: paper for section in article.sections for paper in section.answer.sources}
    statements: list[Statement] = []
    for sentence in result.answer.said.sentences if not result.answer.said.cannot_answer else ():
        text = without_numbers(sentence)
        rests_on = _passages([cited[number - 1][1] for number in sentence.sources], passages)
        citations = tuple(checker.check(text, passage, papers.get(passage.paper)) for passage in rests_on)
        if text:
            statements.append(Statement(text, citations, sentence.new_paragraph or not statements))
    return Overview(tuple(statements), run)


def _passages(statements: Sequence[Statement], passages: Mapping[str, Passage]) -> Iterator[Passage]:
    """The passages that statements cite, without duplicates."""
    for id in dict.fromkeys(citation.passage for one in statements for citation in one.citations):
        yield passages[id]


def estimate_article(
    model: ModelName, template: ArticleTemplate, topic: str, library: Library, settings: Question | None = None
) -> CostEstimate:
    """What its sections will use if no question is repeated (`estimate_answer`).

    The overview adds about one passage.
    """
    questions = [section_question(one, settings) for one in template.sections(topic)]
    return estimate_answer(model, questions, library)


class _Journal:
    """The finished sections of an article, one per line of a file; without a file, none is saved."""

    def __init__(self, file: Path | None) -> None:
        self._file = file

    @classmethod
    def under(cls, folder: Path, key: object) -> _Journal:
        """The journal of one article; `key` holds everything that affects its sections."""
        return cls(folder / f"{sha256(json.dumps(key).encode()).hexdigest()[:24]}.jsonl")

    def answers(self) -> dict[Question, Answer]:
        """The answers by their questions. A line that was cut off by a kill is ignored."""
        found: dict[Question, Answer] = {}
        if self._file is not None and self._file.is_file():
            for line in self._file.read_text(encoding="utf-8").splitlines():
                try:
                    answer = answer_from(json.loads(line))
                except (ValueError, AnswerError):
                    continue
                found[answer.question] = answer
        return found

    def keep(self, answer: Answer) -> None:
        """Add a finished section."""
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            mend_tail(self._file)
            with self._file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(answer_record(answer), ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Delete the file, because the article is complete."""
        if self._file is not None:
            self._file.unlink(missing_ok=True)
