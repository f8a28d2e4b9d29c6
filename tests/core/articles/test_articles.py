"""Articles: sections are answers, the overview rests on them, what was not given is refused, and work that is done is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.__main__ import main
from core.answering import Answer, AnswerEngine, Citation, CitationStatus, Question, answer_engine_named
from core.answering.checking import CitationChecker
from core.answering.model import Tell, untold
from core.answering.record import answer_from, answer_record
from core.articles import TEMPLATES, Article, template_named, write_article
from core.articles.writing import section_question
from core.errors import PromptError, QueryError
from core.export.answer_view import NO_NOTICES
from core.export.article import ARTICLE_FILES, article_document, article_markdown
from core.library import Library, Passage, Years, open_library
from core.llm.demo import DemoServer
from core.paper import Paper, read_paper
from core.progress import Progress, silent
from core.settings import Settings
from core.text.similarity import Embedder
from run import ROOT

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
TOPIC = "magnesium citrate for leg cramps"
FEW = Question("As many passages are gathered for a section.", 8)
MINE = """For people.

[variables]
topic

[title]
$topic

[overview]
Does magnesium citrate cause diarrhoea or relieve leg cramps?

[harms]
Harms
Does magnesium citrate cause diarrhoea?

[effects]
Effects
Does magnesium citrate relieve leg cramps?
"""


@pytest.fixture(scope="module")
def papers() -> list[Paper]:
    names = ("leg-cramps.xml", "stair-climbing.tei.xml")
    return [read_paper((ROOT / "sample_data" / name).read_bytes(), name=name) for name in names]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, papers: Sequence[Paper]) -> Library:
    home = tmp_path_factory.mktemp("home")
    library = open_library("papers", Embedder.installed(home / "vectors"), Settings(home, None))
    library.add(papers)
    return library


@pytest.fixture
def mine(tmp_path: Path) -> str:
    (tmp_path / "mine.md").write_text(MINE, encoding="utf-8")
    return str(tmp_path / "mine.md")


def by_model(mine: str, library: Library, home: Path, model: str = "openai:demo@fixed") -> Article:
    engine = answer_engine_named(model, settings=Settings(home=home, data=None))
    return write_article(template_named(mine), TOPIC, library, engine, settings=FEW)


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_that_come_with_vouch_are_whole(name: str) -> None:
    sections = template_named(name).sections(TOPIC)
    assert len(sections) >= 4
    assert all(TOPIC in one.question and one.question.endswith("?") for one in sections)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (MINE[: MINE.index("[harms]")], "has no section"),
        (MINE.replace("Harms\n", ""), "needs a heading"),
        (MINE.replace("diarrhoea?\n\n[effects]", "diarrhoea? " + "So? " * 100 + "\n\n[effects]"), "too long"),
        (MINE.replace("[title]", "[name]"), r"lacks the part \[title\]"),
        (MINE.replace("[effects]", "[harms]"), "twice"),
        (MINE.replace("relieve leg cramps?\n\n", "relieve $what?\n\n"), "unknown variable “what”"),
        (MINE.replace("$topic", "$5"), "stray dollar sign"),
        (MINE.replace("Does magnesium citrate cause", "After $effects, does it cause"), "unknown variable “effects”"),
        (MINE.replace("[overview]\nDoes", "[overview]\nDoes $harms"), "unknown variable “harms”"),
    ],
)
def test_what_is_no_template_is_told_in_one_sentence(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "mine.md").write_text(text, encoding="utf-8")
    with pytest.raises(PromptError, match=message):
        template_named(str(tmp_path / "mine.md"))


def test_unknown_templates_and_topics(mine: str) -> None:
    with pytest.raises(QueryError, match="There is no template"):
        template_named("poem")
    with pytest.raises(QueryError, match="The topic has 0 words"):
        template_named(mine).sections(" ")


@pytest.mark.slow
def test_offline_an_article_holds_nothing_but_the_papers_own_words(
    mine: str, library: Library, papers: Sequence[Paper]
) -> None:
    article = write_article(template_named(mine), TOPIC, library, answer_engine_named("offline"), settings=FEW)
    assert [one.heading for one in article.sections] == ["Harms", "Effects"]
    assert article.overview is None
    own = {sentence.text for paper in papers for sentence in paper.sentences}
    quoted = [one.sentence for section in article.sections for one in section.answer.papers]
    assert quoted
    assert set(quoted) <= own


@pytest.mark.slow
def test_offline_no_sentence_stands_in_two_sections(tmp_path: Path, library: Library) -> None:
    twice = "[again]\nAgain\nDoes magnesium citrate relieve leg cramps?\n"
    (tmp_path / "twice.md").write_text(f"{MINE}\n{twice}", encoding="utf-8")
    template = template_named(str(tmp_path / "twice.md"))
    article = write_article(template, TOPIC, library, answer_engine_named("offline"), settings=FEW)
    quoted = [(one.paper.id, one.sentence) for section in article.sections for one in section.answer.papers]
    assert article.sections[1].answer.answered
    assert len(set(quoted)) == len(quoted)


@pytest.mark.slow
def test_a_models_article_cites_what_stands_in_its_sections(
    mine: str, library: Library, papers: Sequence[Paper], demo: DemoServer, tmp_path: Path
) -> None:
    article = by_model(mine, library, tmp_path)
    assert article.overview is not None
    assert article.overview.statements
    assert not article.problems
    by_id = {paper.id: paper for paper in papers}
    gathered = {one.passage.id: one.passage for section in article.sections for one in section.answer.evidence}
    for statement in (*article.overview.statements, *article.sections[0].answer.statements):
        assert statement.citations
        for citation in statement.citations:
            passage = gathered[citation.passage]
            for index in citation.sentences:
                assert by_id[passage.paper].sentences[index].text == passage.sentences[index - passage.first]
    markdown = article_markdown(article, NOW)
    numbers = set(re.findall(r"^(\d+)\. .*", markdown.split("## Works cited")[1], re.MULTILINE))
    assert numbers == {str(place) for place in range(1, len(numbers) + 1)}
    for file in ARTICLE_FILES.values():
        assert file(article, NOW, NO_NOTICES, ())
    document = article_document(article, NOW)
    assert document["overview"][0]["citations"][0]["paper"] in by_id
    assert [one["heading"] for one in document["sections"]] == ["Harms", "Effects"]


@pytest.mark.slow
def test_an_overview_that_cites_what_was_not_given_is_refused(
    mine: str, library: Library, demo: DemoServer, tmp_path: Path
) -> None:
    article = by_model(mine, library, tmp_path, "openai:demo-wrong@fixed")
    assert article.problems
    assert article.overview is None or not article.overview.statements


@pytest.mark.slow
def test_what_passages_deny_is_no_source_of_an_overview(
    mine: str, library: Library, demo: DemoServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(self: CitationChecker, text: str, passage: Passage, paper: object) -> Citation:
        return Citation(passage.id, (passage.first,), CitationStatus.CONTRADICTED)

    monkeypatch.setattr(CitationChecker, "check", denied)
    article = by_model(mine, library, tmp_path)
    assert article.sections[0].answer.statements
    assert article.overview is not None
    assert not article.overview.statements


@pytest.mark.slow
def test_a_question_refers_to_what_an_earlier_section_found(library: Library, demo: DemoServer, tmp_path: Path) -> None:
    effects = "Effects\nDoes magnesium citrate relieve leg cramps"
    text = MINE.replace(effects, f"{effects}, beside $harms")
    (tmp_path / "linked.md").write_text(text, encoding="utf-8")
    asked: list[str] = []
    serve = demo.desk.serve
    demo.desk.serve = lambda wire, body, *rest: (asked.append(json.dumps(body)), serve(wire, body, *rest))[1]  # type: ignore[method-assign]
    article = by_model(str(tmp_path / "linked.md"), library, tmp_path)
    harms, linked = (one.answer for one in article.sections)
    assert linked.question.text == "Does magnesium citrate relieve leg cramps, beside what was found under “Harms”?"
    [before] = linked.question.before
    assert before.startswith(f"Harms: {harms.statements[0].text}")
    [told] = [one for one in asked if "The question refers to what earlier questions found" in one]
    assert json.dumps(harms.statements[0].text)[1:-1] in told
    assert answer_from(answer_record(linked)) == linked

    offline = write_article(
        template_named(str(tmp_path / "linked.md")), TOPIC, library, answer_engine_named("offline"), settings=FEW
    )
    assert offline.sections[1].answer.question.before[0].startswith("Harms: ")


def test_a_section_is_asked_with_the_settings_of_a_question(mine: str) -> None:
    section = template_named(mine).sections(TOPIC)[0]
    settings = Question("Anything?", 7, years=Years(2000, None), design="randomised trial")
    asked = section_question(section, settings)
    assert (asked.text, asked.spread) == (section.question, 0.9)
    assert replace(asked, text=settings.text, spread=settings.spread) == settings
    assert section_question(section, replace(settings, spread=0.5)).spread == 0.5


class _Stopping:
    """Answers as another engine does, so many times."""

    name = "offline"

    def __init__(self, engine: AnswerEngine, times: int) -> None:
        self._engine, self._left = engine, times

    def answer(
        self, question: Question, library: Library, *, progress: Progress = silent, tell: Tell = untold
    ) -> Answer:
        if not self._left:
            raise KeyboardInterrupt
        self._left -= 1
        return self._engine.answer(question, library, progress=progress, tell=tell)


@pytest.mark.slow
def test_an_article_that_was_stopped_goes_on(mine: str, library: Library, tmp_path: Path) -> None:
    template, engine, kept = template_named(mine), answer_engine_named("offline"), tmp_path / "kept"
    with pytest.raises(KeyboardInterrupt):
        write_article(template, TOPIC, library, _Stopping(engine, 1), settings=FEW, kept_in=kept)
    [file] = kept.iterdir()
    file.write_text(file.read_text(encoding="utf-8") + '{"engine": "cut o', encoding="utf-8")
    article = write_article(template, TOPIC, library, _Stopping(engine, 1), settings=FEW, kept_in=kept)
    assert [one.answer.question.text for one in article.sections] == [one.question for one in template.sections(TOPIC)]
    assert not list(kept.iterdir())


@pytest.mark.slow
def test_the_command(
    mine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path / "home"))
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "leg-cramps.xml").write_bytes((ROOT / "sample_data" / "leg-cramps.xml").read_bytes())
    out = tmp_path / "article.html"
    command = ["article", mine, "--topic", TOPIC, "--library", str(folder), "--out", str(out), "-k", "8"]
    other, statements = tmp_path / "other.txt", tmp_path / "list.csv"
    other.write_text("Magnesium relieves cramps in most people [3].", encoding="utf-8")
    assert main([*command, "--json", "--statements", str(statements), "--beside", str(other)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["title"] == TOPIC
    assert document["sections"][0]["answer"]
    listed = statements.read_text(encoding="utf-8-sig")
    assert "Magnesium relieves cramps in most people" in listed
    assert document["sections"][0]["answer"][0]["text"].split(",")[0] in listed
    assert set(json.loads((tmp_path / "list.key.json").read_text()).values()) == {"article", "other"}
    assert "<h2>Harms</h2>" in out.read_text(encoding="utf-8")
    assert main([*command[:-4], "--out", str(tmp_path / "article.exe")]) == 2
    assert "no known ending" in capsys.readouterr().err
