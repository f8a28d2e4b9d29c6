"""An article written: its sections one by one, each an answer, and an overview from nothing but their sentences.

A section is kept as soon as it is there, so that an article that was stopped goes on where it was. An overview is written by
the rules of an answer (`core.answering.writing`): its sources are the sections' cited sentences, and what it cites is held against
the passages that these rest on.
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

if TYPE_CHECKING:  # whoever has a library has loaded it
    from core.library.index import Library

UNSPREAD = 1.0
_REFERRED = 5  # sentences of a section that a later one's question refers to
SPREAD = 0.9  # over papers (PaperQA2, section 8.1.1: the setting for articles)


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
    """The article. Raises `VouchError` where the library or the engine fails before there is an answer.

    `settings`: a question, as each section is asked; None: as usual (`section_question`). `kept_in`: a folder in which
    sections that are done are kept until the article is whole. The same article of the same library, begun again, goes
    on with them.
    """
    wanted = template.sections(topic)
    journal = _Journal(None)
    if kept_in is not None:  # another library, engine or template is another article
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
            if answer.problem is None:  # what failed is asked again
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
    """What a section says first, for the question of a later one; what its passages were found to deny is left out."""
    stands = [
        one.text
        for one in section.answer.statements
        if any(each.status is not CitationStatus.CONTRADICTED for each in one.citations)
    ]
    quoted = [one.sentence for one in section.answer.papers] if section.answer.answered and not stands else []
    return f"{section.heading}: {' '.join((stands or quoted)[:_REFERRED]) or 'nothing was found.'}"


def section_question(section: SectionQuestion, settings: Question | None = None) -> Question:
    """A section's question, limited as another is. Passages are spread over papers, unless that one says how."""
    asked = settings or Question(section.question)
    return replace(asked, text=section.question, spread=SPREAD if asked.spread == UNSPREAD else asked.spread)


def _part_of(progress: Progress, place: int, parts: int, heading: str) -> Progress:
    """The progress of one of so many parts."""

    def share(done: float, step: str) -> None:
        progress((place + done) / parts, f"{heading}: {step}")

    return share


def _overview(
    article: Article, question: str, engine: ModelAnswerEngine, library: Library, progress: Progress
) -> Overview:
    """What the model makes of the sections' sentences that a passage stands behind, as far as code and reader can tell."""
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
    """The passages that sentences rest on, each once."""
    for id in dict.fromkeys(citation.passage for one in statements for citation in one.citations):
        yield passages[id]


def estimate_article(
    model: ModelName, template: ArticleTemplate, topic: str, library: Library, settings: Question | None = None
) -> CostEstimate:
    """What its sections will use if nothing is asked again (`estimate_answer`); the overview is about as long as one passage more."""
    questions = [section_question(one, settings) for one in template.sections(topic)]
    return estimate_answer(model, questions, library)


class _Journal:
    """The sections of an article that are done, a line each; without a file, none is kept."""

    def __init__(self, file: Path | None) -> None:
        self._file = file

    @classmethod
    def under(cls, folder: Path, key: object) -> _Journal:
        """That of one article, by all that decides what its sections say."""
        return cls(folder / f"{sha256(json.dumps(key).encode()).hexdigest()[:24]}.jsonl")

    def answers(self) -> dict[Question, Answer]:
        """The answers by their questions. A line that was cut off by a kill counts for nothing."""
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
        """Add a section that is done."""
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            mend_tail(self._file)
            with self._file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(answer_record(answer), ensure_ascii=False) + "\n")

    def close(self) -> None:
        """The article is whole."""
        if self._file is not None:
            self._file.unlink(missing_ok=True)
