"""The report: whole, harmless, and true to the papers."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from core.bias import Answer, Tool, bias_engine_named, judge, tool_named
from core.bias.model import HIGH, LOW, StudyContext, Support
from core.export.levels import LevelTable, settled_levels, suggested_levels
from core.export.report import project_report
from core.paper import Paper, read_paper
from core.store.model import ProjectState, StoredSuggestion
from run import ROOT
from tests.core.export.reviews import (
    DATE,
    HOSTILE,
    both,
    judged,
    paper,
    settled,
    small_review,
    state,
    suggested,
)

ROB1, ROB2 = tool_named("rob1"), tool_named("rob2")
VOID = {"meta", "rect", "circle", "line", "br", "path"}


@dataclass
class Page(HTMLParser):
    """A report as a browser takes it: elements with attributes, and texts by the innermost element."""

    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    texts: dict[str, list[str]] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts[self.open[-1]][-1] += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def parsed(text: str) -> Page:
    page = Page()
    page.feed(text)
    page.close()
    assert page.open == []
    return page


def report(review: ProjectState, papers: dict[str, Paper] | None = None, *, table: LevelTable | None = None) -> str:
    return project_report(review, table or settled_levels(review, ROB2), papers or {}, date=DATE)


@pytest.fixture(scope="module")
def sample() -> Paper:
    file = ROOT / "sample_data" / "leg-cramps.xml"
    return read_paper(file.read_bytes(), name=file.name)


@pytest.fixture(scope="module")
def suggestions(sample: Paper) -> list[StoredSuggestion]:
    engine = bias_engine_named("offline")
    return [
        StoredSuggestion(
            "p", sample.id, "rob1", "offline", judge(domain, sample, StudyContext(), engine=engine), (), 0.0
        )
        for domain in ROB1.domains
    ]


def test_every_quoted_sentence_is_the_papers_own_and_every_support_sentence_is_quoted(
    sample: Paper, suggestions: list[StoredSuggestion]
) -> None:
    review = state(paper(sample.id), *suggestions, tool="rob1")
    page = parsed(report(review, {sample.id: sample}, table=settled_levels(review, ROB1)))
    marked = page.texts["mark"]
    wanted = [sample.sentences[support.index].text for one in suggestions for support in one.judgement.support]
    assert sorted(marked) == sorted(wanted)
    assert len(marked) > 10
    beside = {line.strip(" …") for quote in page.texts["blockquote"] for line in quote.splitlines()} - {""}
    assert beside
    assert beside <= {" ".join(sentence.text.split()) for sentence in sample.sentences}
    assert {"class": "suggested"} in page.all("mark")


def test_a_passage_names_its_section_and_page() -> None:
    file = ROOT / "sample_data" / "sleep-app.pdf"
    found = read_paper(file.read_bytes(), name=file.name)
    index = next(sentence.index for sentence in found.sentences if sentence.page == 2)
    page = parsed(
        report(state(paper(found.id), judged("Ann", found.id, "D1", LOW, support=(index,))), {found.id: found})
    )
    title = found.section_of(found.sentences[index]).title
    assert f"{title}, p. 2" in page.texts["footer"]
    assert {} in page.all("mark")  # a person chose it
    assert page.texts["mark"] == [found.sentences[index].text]


def everywhere_hostile() -> ProjectState:
    made = suggested("x", "D1", HIGH, rationale=HOSTILE, support=(Support(0, 1, HOSTILE),), searched=(HOSTILE,))
    return state(
        paper("x", HOSTILE, title=HOSTILE),
        *both("x", "D2", LOW),
        judged(HOSTILE, "x", "D1", LOW, comment=HOSTILE, suggestions_seen=(HOSTILE,)),
        settled("x", "D1", LOW, HOSTILE),
        made,
        suggested("x", "D1", HIGH, engine=HOSTILE),
        name=HOSTILE,
        reviewers=("Ann", HOSTILE),
        study=StudyContext(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE),
    )


def test_hostile_text_stays_text() -> None:
    hostile = read_paper(f"# T\n\n{HOSTILE.replace(chr(0), '')} was used.\n".encode(), name="x.md", keep_set_aside=True)
    text = report(everywhere_hostile(), {"x": hostile})
    page = parsed(text)
    assert page.all("script") == []
    assert "<script" not in text
    assert not [name for _, attributes in page.elements for name in attributes if name.startswith("on")]
    assert "\u202e" not in text
    assert "\x00" not in text
    assert "49" not in " ".join(page.texts["h1"])  # a template in a name is not run
    assert page.texts["h1"][0].startswith('<script>alert(1)</script> & "Co"')


def test_it_needs_nothing_beside_it_and_forbids_all_else() -> None:
    for review in (small_review(), everywhere_hostile()):
        text = report(review)
        page = parsed(text)
        assert not re.search(r"https?:|//[a-z]|url\(|@import|data:[a-z]+/", text, re.IGNORECASE)
        links = [str(one.get("href")) for one in page.all("a")]
        ids = {attributes.get("id") for _, attributes in page.elements}
        assert {link.removeprefix("#") for link in links} <= ids
        assert not [
            name for _, attributes in page.elements for name in ("src", "style", "action") if name in attributes
        ]
        (policy,) = [one["content"] for one in page.all("meta") if one.get("http-equiv") == "Content-Security-Policy"]
        (style,) = page.texts["style"]
        digest = base64.b64encode(sha256(style.encode()).digest()).decode()
        assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def test_all_parts_are_there() -> None:
    page = parsed(report(small_review()))
    words = " ".join(" ".join(texts) for texts in page.texts.values())
    assert page.texts["h2"] == ["Question", "Plots", "Judgements", "Papers", "Agreement", "Methods", "Disclosure"]
    for part in (
        "Does tea help?",
        "We looked again.",
        "Drawn by lot",
        "Ann: low, Ben: some concerns",
        "2 papers have no settled level in some domains",
        "Was the sequence",
        "Risk of bias was assessed with RoB 2",
    ):
        assert part in words
    assert len(page.all("article")) == 3
    assert len(page.all("svg")) == 2
    assert len(page.texts["table"]) == 2
    assert words.count("Cohen") == 2


def test_answers_that_do_not_apply_are_not_shown() -> None:
    answers = dict.fromkeys(("2.1", "2.2", "2.5"), Answer.NO)
    page = parsed(report(state(paper("x"), judged("Ann", "x", "D2", LOW, answers=answers))))
    assert [word for word in page.texts["b"] if word[0] == "2"] == ["2.1 N", "2.2 N"]


def test_what_an_engine_invented_is_told_and_never_marked() -> None:
    page = parsed(report(state(paper("x"), suggested("x", "D1", LOW, not_in_paper=("Dice were thrown.",)))))
    assert any("Not in the paper" in text and "Dice were thrown." in text for text in page.texts["p"])
    assert "mark" not in page.texts


def test_many_papers_are_plotted_in_parts_that_fit_a_page() -> None:
    page = parsed(report(state(*(paper(f"{n:064x}", f"Study {n}") for n in range(60)))))
    assert len(page.all("svg")) == 1 + 3
    assert "Risk of bias (3 of 3)" in " ".join(page.texts["title"])


def test_sentences_that_are_not_there_are_counted_and_not_made_up(sample: Paper) -> None:
    review = state(paper(sample.id), judged("Ann", sample.id, "D1", LOW, support=(1, 100_000)))
    assert "1 chosen sentence is not in the paper" in report(review, {sample.id: sample})
    assert "file is not at hand" in report(review)


@pytest.mark.parametrize("tool", [ROB1, ROB2])
def test_an_engines_levels_are_no_persons(tool: Tool) -> None:
    review = state(paper("x"), suggested("x", tool.domains[0].id, LOW), tool=tool.id, reviewers=())
    text = report(review, table=suggested_levels(review, tool, "offline"))
    assert "Not judged by a person: suggested by the engine offline" in text
    assert "No person has judged a domain yet" in text
    assert "Agreement needs two reviewers" in text
