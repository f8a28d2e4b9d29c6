"""An answer as JSON, Markdown, HTML, DOCX, RIS and BibTeX: each is read back, and hostile text stays text in each."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest
import rispy
from docx import Document
from markdown_it import MarkdownIt

from core.answering.model import (
    Action,
    Answer,
    Citation,
    CitationStatus,
    Gathered,
    PaperAnswer,
    Question,
    ReportedChange,
    Statement,
    TrailStep,
)
from core.export.answer import answer_bibtex, answer_document, answer_markdown, answer_ris
from core.export.answer_docx import answer_docx
from core.export.answer_files import ANSWER_FILES, AnswerFile
from core.export.answer_page import answer_page
from core.export.answer_view import NO_SOURCE, STATUS_IN_WORDS, family_first
from core.grounding.model import ModelRun
from core.library import LibraryPaper, Passage

DATE = datetime(2026, 11, 24, 9, 30, tzinfo=UTC)
HOSTILE = (
    "<script>alert(1)</script> [click](https://bad.example) ![x](https://bad.example/i.png) `code` **b** &lt;i&gt; "
    "# h | =1+1 $x^2$ \\input{/etc/x} 50% a_b~{c} @book{k, @x \u202eevil\x00\x07\ufffe\ud800 ]]> {{ 7*7 }}"
)
# The same as people should see it: what steers is gone, every other letter stands.
SEEN = " ".join(re.sub("[\u202e\x00\x07\ufffe\ud800]", " ", HOSTILE).split())

BEES = LibraryPaper(
    "bees", "bees.xml", "Naps in bees", ("Ada van der Berg", "Bo Li"), "Hive", 2020, "10.1000/a_b", "7", 2
)
MITES = LibraryPaper("mites", "mites.pdf", None, ("Mite Study Group",), None, None, None, None, 1)
ANTS = LibraryPaper("ants", "ants.xml", "Naps in ants", ("Ada van der Berg",), "Hive", 2020, None, None, 1)
SLEPT = Passage("bees", 10, "Results", "results", 3, ("Bees slept more.", "It was warm."), (0.9, 0.1))
FELL = Passage("mites", 4, "Discussion", "discussion", None, ("Mites slept less.",), (0.8,))
DUG = Passage("ants", 0, "", "abstract", None, ("Ants dug.",), (0.5,))
QUOTED = Answer(
    "offline",
    Question("Do insects nap?"),
    (
        PaperAnswer(BEES, 0.9, ReportedChange.INCREASED, 0.8, Gathered(SLEPT, 0.9, 10)),
        PaperAnswer(MITES, 0.7, ReportedChange.DECREASED, 0.6, Gathered(FELL, 0.7, 4)),
    ),
    cannot_answer=False,
    evidence=(Gathered(SLEPT, 0.9, 10), Gathered(DUG, 0.2, 0)),  # what is quoted of the mites is not among them
    sources=(BEES, ANTS),
    searched=3,
    seconds=0.25,
    steps=(TrailStep(Action.SEARCH, "insects nap", "3 passages of 3 papers", seconds=0.1),),
)
WRITTEN = replace(
    QUOTED,
    engine="openai:some@fixed",
    papers=(),
    evidence=(
        Gathered(DUG, 9, 0, "Ants dig.", (("dose", "2 mg"),)),
        Gathered(SLEPT, 8, 10, "Bees nap."),
        Gathered(FELL, 3, 4),
    ),
    sources=(ANTS, BEES, MITES),
    statements=(
        Statement("Bees nap.", (Citation(SLEPT.id, (10,), CitationStatus.SUPPORTED),), begins_paragraph=True),
        Statement(
            "Ants and mites do too.",
            (Citation(DUG.id, (0,), CitationStatus.CANNOT_TELL), Citation(FELL.id, (4,), CitationStatus.CONTRADICTED)),
        ),
        Statement("Everybody knows.", (), begins_paragraph=True),
        Statement("It was warm.", (Citation(SLEPT.id, (11, 10), CitationStatus.QUOTED),)),
    ),
    run=ModelRun("openai:some", "fixed", (("answer-write", "abc123"), ("answer-summary", "def456")), ()),
    notes=("One reply could not be read.",),
    cost_usd=0.0123,
)
NOTHING = replace(QUOTED, papers=(), evidence=(), sources=(), cannot_answer=True)


def hostile() -> Answer:
    """Every text of a paper, a model or a person is hostile."""
    paper = replace(BEES, title=HOSTILE, authors=(HOSTILE, "A and B"), journal=HOSTILE, name=HOSTILE, doi=HOSTILE)
    passage = replace(SLEPT, section=HOSTILE, sentences=(HOSTILE, "Fine."))
    gathered = Gathered(passage, 9, 10, HOSTILE, ((HOSTILE, HOSTILE),))
    return replace(
        WRITTEN,
        question=Question(HOSTILE, options=(HOSTILE, "none of it")),
        option=0,
        engine=HOSTILE,
        evidence=(gathered,),
        sources=(paper,),
        statements=(
            Statement(HOSTILE, (Citation(passage.id, (10,), CitationStatus.SUPPORTED),)),
            Statement(HOSTILE, (), begins_paragraph=True),
        ),
        steps=(TrailStep(Action.SEARCH, HOSTILE, HOSTILE, HOSTILE),),
        notes=(HOSTILE,),
        run=ModelRun(HOSTILE, HOSTILE, ((HOSTILE, HOSTILE),), ()),
    )


def hostile_quotation() -> Answer:
    written = hostile()
    [gathered], [paper] = written.evidence, written.sources
    return replace(
        written, statements=(), papers=(PaperAnswer(paper, 0.9, ReportedChange.INCREASED, 0.8, gathered),), option=None
    )


HOSTILE_ANSWERS = pytest.mark.parametrize("answer", [hostile(), hostile_quotation()], ids=["written", "quoted"])


# ---- retractions ----


@pytest.mark.parametrize("file", ANSWER_FILES.values(), ids=ANSWER_FILES)
@pytest.mark.parametrize("answer", [QUOTED, WRITTEN], ids=["quoted", "written"])
def test_every_file_marks_what_was_retracted(file: AnswerFile, answer: Answer) -> None:
    content = file.content(answer, DATE, {BEES.id: "Retracted 2024-05-01 (Crossref)"})
    if file.name == "Word":
        content = "\n".join(one.text for one in Document(io.BytesIO(content)).paragraphs).encode()
    assert b"Retracted 2024-05-01 (Crossref" in content.replace(b"\\", b"")
    assert b"Retracted" not in file.content(answer, DATE, {})


# ---- JSON ----


def test_json_of_a_written_answer() -> None:
    document = json.loads(json.dumps(answer_document(WRITTEN, date=DATE)))
    keys = "question engine cannot_answer answer evidence papers steps seconds cost_usd".split()
    assert set(keys) <= set(document)
    assert document["answer"][1] == {
        "text": "Ants and mites do too.",
        "citations": [
            {"paper": "ants", "passage": "ants/0", "sentences": [0], "status": "cannot tell"},
            {"paper": "mites", "passage": "mites/4", "sentences": [4], "status": "contradicted"},
        ],
        "begins_paragraph": False,
    }
    assert document["answer"][2]["citations"] == []
    first = document["evidence"][0]
    assert (first["summary"], first["fields"], first["passage"]) == ("Ants dig.", {"dose": "2 mg"}, "ants/0")
    assert document["steps"][0]["action"] == "search"
    assert document["run"]["prompts"] == {"answer-write": "abc123", "answer-summary": "def456"}
    assert (document["cost_usd"], document["date"]) == (0.0123, "2026-11-24T09:30:00+00:00")


def test_json_of_quotations_and_of_no_answer() -> None:
    assert [one["text"] for one in answer_document(QUOTED)["answer"]] == ["Bees slept more.", "Mites slept less."]
    assert [one["verdict"] for one in answer_document(QUOTED)["papers"]] == ["increased", "decreased"]
    assert answer_document(replace(QUOTED, cannot_answer=True))["answer"] == []
    assert answer_document(QUOTED)["run"] is None
    chosen = replace(WRITTEN, question=Question("Which?", options=("bees", "ants")), option=1)
    assert answer_document(chosen)["option"] == "ants"


# ---- What every readable file says ----


def docx_text(answer: Answer) -> str:
    return "\n".join(one.text for one in Document(io.BytesIO(answer_docx(answer, date=DATE))).paragraphs)


class Page(HTMLParser):
    """The text of a page, and its tags."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.text, self.tags, self._inside = "", [], ""
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""
        if tag in {"p", "li", "dd", "h1", "h2", "h3", "dt", "footer"}:
            self.text += "\n"

    def handle_data(self, data: str) -> None:
        if self._inside not in {"style", "title"}:
            self.text += data


def page_text(answer: Answer) -> str:
    return Page(answer_page(answer, date=DATE)).text


def markdown_text(answer: Answer) -> str:
    """The letters that a reader of the rendered file sees."""
    return Page(MarkdownIt("commonmark").render(answer_markdown(answer, date=DATE))).text


READABLE = pytest.mark.parametrize("text_of", [docx_text, page_text, markdown_text])


@READABLE
def test_a_written_answer_has_numbers_statuses_and_marks(text_of: Callable[[Answer], str]) -> None:
    text = " ".join(text_of(WRITTEN).split())
    cannot, contradicted = STATUS_IN_WORDS[CitationStatus.CANNOT_TELL], STATUS_IN_WORDS[CitationStatus.CONTRADICTED]
    # Works are numbered as they are first cited: bees, ants, mites.
    assert "Bees nap. [1] " in text
    assert f"Ants and mites do too. [2: {cannot}] [3: {contradicted}]" in text
    assert f"Everybody knows. [{NO_SOURCE}]" in text
    assert text.count(NO_SOURCE) == 2, "in the text, and in the list of what sentences rest on"
    assert STATUS_IN_WORDS[CitationStatus.SUPPORTED] in text
    assert "Results, p. 3" in text
    assert "Ada van der Berg and Bo Li. Naps in bees. Hive 2020. doi:10.1000/a_b." in text
    assert "Mite Study Group. mites.pdf." in text
    assert "Ants dig." in text
    assert "2 mg" in text
    for made in ("openai:some@fixed", "2026-11-24 09:30 UTC", "answer-write abc123", "$0.0123", "One reply could not"):
        assert made in text
    assert "seem to report" not in text
    assert f"[2] {cannot}" in text, "no section is told"
    assert "insects nap → 3 passages of 3 papers" in text


@READABLE
def test_quotations_disagree_and_are_numbered(text_of: Callable[[Answer], str]) -> None:
    text = " ".join(text_of(QUOTED).split())
    assert "They do not agree." in text
    assert text.index("Bees slept more.") < text.index("Mites slept less.")
    assert "increased (0.80)" in text
    assert "none: no language model was asked" in text
    assert "[2] Discussion" in text
    nearest = " ".join(text_of(replace(QUOTED, cannot_answer=True)).split())
    assert "These papers do not seem to answer it." in nearest
    assert "The nearest sentences:" in nearest
    assert "increased" not in nearest


@READABLE
def test_no_answer_and_an_unknown_cost(text_of: Callable[[Answer], str]) -> None:
    assert "do not seem to answer it" in text_of(NOTHING)
    assert "Works cited" not in text_of(NOTHING)
    assert "unknown" in text_of(replace(WRITTEN, cost_usd=None))


@READABLE
def test_a_refused_answer_is_no_answer_in_any_file(text_of: Callable[[Answer], str]) -> None:
    refused = replace(QUOTED, problem="It was refused.")
    document = answer_document(refused)
    assert (document["problem"], document["answer"], document["cannot_answer"]) == ("It was refused.", [], False)
    text = text_of(refused)
    assert "There is no answer. It was refused." in text
    assert "The nearest sentences:" in text
    assert "seem to report" not in text
    assert ReportedChange.INCREASED.value not in text


@HOSTILE_ANSWERS
@READABLE
def test_hostile_text_is_shown_letter_by_letter(text_of: Callable[[Answer], str], answer: Answer) -> None:
    text = " ".join(text_of(answer).split())
    assert text.count(SEEN) >= 6
    assert not re.search("[\u202e\x00\x07\ufffe\ud800]", text)


# ---- What hostile text must not become ----


@HOSTILE_ANSWERS
def test_hostile_markdown_becomes_no_markup(answer: Answer) -> None:
    source = answer_markdown(answer, date=DATE)
    page = Page(MarkdownIt("commonmark").enable("table").render(source))
    ours = {"h1", "h2", "p", "ul", "ol", "li", "strong", "blockquote"}
    assert {tag for tag, _ in page.tags} <= ours
    assert sum(tag == "h1" for tag, _ in page.tags) == 1


@pytest.mark.parametrize(
    "start", ["1. One", "2) Two", "- a", "+ a", "= a", "===", "---", "# h", "> q", "    code", "\tcode"]
)
def test_a_sentence_that_begins_like_markup_is_a_sentence(start: str) -> None:
    statement = replace(WRITTEN.statements[0], text=f"{start} and more")
    page = Page(MarkdownIt("commonmark").render(answer_markdown(replace(WRITTEN, statements=(statement,)))))
    assert f"{' '.join(start.split())} and more [1]" in page.text
    assert [tag for tag, _ in page.tags[:3]] == ["h1", "p", "p"]
    assert "code" not in {tag for tag, _ in page.tags}


@HOSTILE_ANSWERS
def test_a_hostile_page_has_no_script_and_no_address_of_others(answer: Answer) -> None:
    source = answer_page(answer, date=DATE)
    page = Page(source)
    tags = {tag for tag, _ in page.tags}
    assert not tags & {"script", "img", "i", "book", "iframe"}
    assert all((attrs.get("href") or "#").startswith("#") for _, attrs in page.tags)
    assert "default-src 'none'" in source


def test_every_number_on_the_page_leads_to_its_work() -> None:
    page = Page(answer_page(WRITTEN, date=DATE))
    targets = {attrs["href"] for tag, attrs in page.tags if tag == "a"}
    assert targets == {f"#{attrs['id']}" for tag, attrs in page.tags if tag == "li"} == {"#w1", "#w2", "#w3"}


def test_a_word_document_has_headings_and_properties() -> None:
    long = Question("word " * 90)
    word = Document(io.BytesIO(answer_docx(replace(WRITTEN, question=long), date=DATE)))
    assert word.core_properties.author == "Vouch"
    assert len(word.core_properties.title) <= 255
    assert word.core_properties.created.replace(tzinfo=UTC) == DATE
    headings = [one.text for one in word.paragraphs if one.style is not None and one.style.name == "Heading 2"]
    assert headings == ["What each sentence rests on", "Works cited", "Evidence gathered", "How it was made"]


# ---- Reference managers ----


def test_ris_of_the_works_cited() -> None:
    entries = rispy.loads(answer_ris(WRITTEN, date=DATE))
    assert [one["title"] for one in entries] == ["Naps in bees", "Naps in ants", "mites.pdf"]
    assert entries[0]["authors"] == ["van der Berg, Ada", "Li, Bo"]
    assert (entries[0]["doi"], entries[0]["year"]) == ("10.1000/a_b", "2020")
    assert entries[2]["authors"] == ["Mite Study Group"]
    for entry in entries:
        [note] = entry["notes"]
        for made in ("Do insects nap?", "openai:some@fixed", "2026-11-24", "answer-write abc123", "$0.0123"):
            assert made in note
    assert [one["title"] for one in rispy.loads(answer_ris(QUOTED, date=DATE))] == ["Naps in bees", "mites.pdf"]
    assert answer_ris(NOTHING, date=DATE).strip() == ""


@HOSTILE_ANSWERS
def test_hostile_ris_is_one_record(answer: Answer) -> None:
    [entry] = rispy.loads(answer_ris(answer, date=DATE))
    assert entry["title"] == SEEN
    assert "doi" not in entry, "no DOI is better than a wrong one"


def test_bibtex_of_the_works_cited() -> None:
    text = answer_bibtex(WRITTEN, date=DATE)
    assert re.findall(r"^@(\w+)\{([^,]+),$", text, re.MULTILINE) == [
        ("article", "vanderBerg2020"),
        ("article", "vanderBerg2020b"),
        ("misc", "MiteStudyGroup"),
    ]
    assert "  author = {van der Berg, Ada and Li, Bo},\n  title = {{Naps in bees}},\n  journal = {Hive},\n" in text
    assert "  doi = {10.1000/a_b},\n" in text
    assert "  author = {{Mite Study Group}},\n" in text
    assert text.count("answer-write abc123") == 3
    assert answer_bibtex(NOTHING, date=DATE) == ""


@HOSTILE_ANSWERS
def test_hostile_bibtex_is_one_entry_with_braces_in_pairs(answer: Answer) -> None:
    text = answer_bibtex(answer, date=DATE)
    depth, entries = 0, 0
    for letter in text:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        assert depth >= 0
        entries += letter == "@" and depth == 0
    assert (depth, entries) == (0, 1)
    assert r"\textbackslash{}input\textbraceleft{}/etc/x\textbraceright{} 50\% a\_b\textasciitilde{}" in text
    assert "{A and B}" in text


@pytest.mark.parametrize("title", ["a } b", "{ a", "\\", "}}@misc{x,"])
def test_braces_without_a_partner_cannot_end_a_field(title: str) -> None:
    answer = replace(QUOTED, papers=(replace(QUOTED.papers[0], paper=replace(BEES, title=title)),))
    text = answer_bibtex(answer, date=DATE)
    assert text.count("{") == text.count("}")
    depth, ends = 0, 0
    for letter in text:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        ends += letter == "}" and depth == 0
    assert (depth, ends) == (0, 1)


@pytest.mark.parametrize(
    ("author", "written"),
    [
        ("Ada van der Berg", "van der Berg, Ada"),
        ("Berg, Ada", "Berg, Ada"),
        ("NAP Study Group", "NAP Study Group"),
        ("Ada Berg Jr", "Ada Berg Jr"),
        ("Plato", "Plato"),
        ("", ""),
    ],
)
def test_family_names_first(author: str, written: str) -> None:
    assert family_first(author) == written


def test_what_directions_are_of_is_said_where_the_question_names_it() -> None:
    answer = replace(QUOTED, question=Question("Do naps worsen memory compared with coffee?"))
    said = "Directions are of “memory” with “naps” compared with “coffee”: more of it, or less."
    assert said in answer_markdown(answer)
    same = replace(answer, papers=tuple(replace(one, told=ReportedChange.NO_DIFFERENCE) for one in answer.papers))
    assert "Directions" not in answer_markdown(QUOTED) + answer_markdown(same)
