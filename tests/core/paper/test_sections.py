"""What section titles say, and what was written about a paper: beside it, and never among the candidates."""

from __future__ import annotations

import json

import pytest

from core.bias.ranker.features import sentence_features
from core.evidence import EvidenceQuery
from core.evidence.model import candidates
from core.grounding.checking import Part
from core.paper import Paper, SectionKind, read_paper
from core.paper.sections import is_left_out, kind_of_title, main_kind
from core.summary import SummarySource
from core.summary.model import source_sentences

# ---- What section titles say ----


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Abstract", SectionKind.ABSTRACT),
        ("1. Introduction", SectionKind.INTRODUCTION),
        ("BACKGROUND", SectionKind.INTRODUCTION),
        ("Materials & Methods", SectionKind.METHODS),
        ("2 Patients, materials and methods", SectionKind.METHODS),
        ("Subjects and Methods.", SectionKind.METHODS),
        ("Research Design and Methods", SectionKind.METHODS),
        ("Methods/Design", SectionKind.METHODS),
        ("Study participants and methods", SectionKind.METHODS),
        ("Results and discussion", SectionKind.RESULTS),
        ("IV. Discussion", SectionKind.DISCUSSION),
        ("Conclusions and future perspectives", SectionKind.DISCUSSION),
    ],
)
def test_usual_names(title: str, kind: SectionKind) -> None:
    assert main_kind(title) is kind
    assert kind_of_title(title) is kind


def test_a_telling_word_decides_where_the_name_is_unusual() -> None:
    assert main_kind("Statistical analysis plan") is None
    assert kind_of_title("Statistical analysis plan") is SectionKind.METHODS
    assert kind_of_title("Key messages") is SectionKind.OTHER


@pytest.mark.parametrize(
    "title",
    [
        "References",
        "5. REFERENCES",
        "Acknowledgements",
        "Acknowledgment",
        "Funding",
        "Role of the funding source",
        "Competing interests",
        "Conflict of Interest Statement",
        "Declaration of competing interests",
        "Authors’ contributions",
        "Author contributions:",
        "Abbreviations",
        "Availability of data and materials",
        "Supplementary material",
        "Pre-publication history",
        "Publisher’s Note",
        "Additional file 1",
    ],
)
def test_left_out(title: str) -> None:
    assert is_left_out(title)
    assert is_left_out(title, inside=True)


@pytest.mark.parametrize("title", ["Methods", "Funding gaps in primary care", "Reference values", "Trial registration"])
def test_kept(title: str) -> None:
    assert not is_left_out(title)


def test_ethics_belong_to_the_methods_but_not_to_the_end() -> None:
    assert is_left_out("Ethics approval")
    assert is_left_out("Ethics Approval and Informed Consent")
    assert is_left_out("Patient consent for publication")
    assert not is_left_out("Ethics approval", inside=True)


# ---- What the journal or the authors wrote about a paper: beside it, and never among the candidates ----

RETOLD = "Bees that nap make more honey, say the people who watched them."
ABSTRACT = "<abstract><p>Forty bees took part.</p></abstract>"
BODY = "<sec><title>Results</title><p>Honey rose by 3 g.</p></sec>"


def article(front: str, body: str = BODY, floats: str = "") -> Paper:
    data = (
        "<article><front><article-meta><title-group><article-title>Naps in bees</article-title></title-group>"
        f"{front}</article-meta></front><body>{body}</body>{floats}</article>"
    )
    paper = read_paper(data.encode(), name="bees.xml")
    assert all(paper.text[s.start : s.end] == s.text for s in paper.sentences)
    return paper


def about(paper: Paper) -> list[str]:
    """The titles of what was written about the paper; all of it stands behind the pool."""
    behind = paper.sentences[len(paper.pool) :]
    own = [section for section in paper.sections if section.kind is SectionKind.ABOUT]
    assert {sentence.section for sentence in behind} == {section.index for section in own}
    assert RETOLD not in {sentence.text for sentence in paper.pool}
    return [section.title for section in own if any(s.text == RETOLD for s in paper.sentences_of(section))]


@pytest.mark.parametrize(
    ("abstract", "title"),
    [
        (f'<abstract abstract-type="editor"><title>Editors\' Summary</title><p>{RETOLD}</p></abstract>', "Editors' Summary"),
        (f'<abstract abstract-type="executive-summary"><title>eLife digest</title><p>{RETOLD}</p></abstract>', "eLife digest"),
        (f'<abstract abstract-type="plain-language-summary"><p>{RETOLD}</p></abstract>', "Plain language summary"),
        (f'<abstract abstract-type="summary"><title>Author summary</title><p>{RETOLD}</p></abstract>', "Author summary"),
        (f'<abstract abstract-type="teaser"><p>{RETOLD}</p></abstract>', "Teaser"),
        (f"<abstract><title>Key Points</title><p>{RETOLD}</p></abstract>", "Key Points"),
        (f"<abstract><title>Significance</title><p>{RETOLD}</p></abstract>", "Significance"),
        (f"<abstract><title>Graphical abstract</title><p>{RETOLD}</p></abstract>", "Graphical abstract"),
        (f"<abstract><sec><title>Plain English summary</title><p>{RETOLD}</p></sec></abstract>", "Plain English summary"),
    ],
)  # fmt: skip
def test_accounts_among_the_abstracts(abstract: str, title: str) -> None:
    for front in (ABSTRACT + abstract, abstract + ABSTRACT):
        paper = article(front)
        assert about(paper) == [title]
        assert "Forty bees took part." in {sentence.text for sentence in paper.pool}


def test_the_only_abstract_is_one_whatever_it_is_called() -> None:
    paper = article(f'<abstract abstract-type="executive-summary"><p>{RETOLD}</p></abstract>')
    assert paper.pool == paper.sentences
    assert paper.section_of(paper.pool[1]).kind is SectionKind.ABSTRACT


def test_parts_of_a_structured_abstract_are_no_account() -> None:
    paper = article(f"<abstract><sec><title>What is known already</title><p>{RETOLD}</p></sec></abstract>")
    assert paper.pool == paper.sentences


@pytest.mark.parametrize(
    "body",
    [
        f"<sec><title>Key messages</title><list><list-item><p>{RETOLD}</p></list-item></list></sec>",
        f"<boxed-text><caption><title>Strengths and limitations of this study</title></caption><p>{RETOLD}</p></boxed-text>",
        f"<p>Text. <boxed-text><sec><title>What this study adds</title><p>{RETOLD}</p></sec></boxed-text> More.</p>",
    ],
)
def test_accounts_in_the_body(body: str) -> None:
    paper = article(ABSTRACT, BODY + body)
    assert len(about(paper)) == 1
    assert "Honey rose by 3 g." in {sentence.text for sentence in paper.pool}


def test_a_part_of_the_discussion_is_no_account() -> None:
    body = f"<sec><title>Discussion</title><sec><title>Strengths and limitations</title><p>{RETOLD}</p></sec></sec>"
    paper = article(ABSTRACT, body)
    assert paper.pool == paper.sentences


def test_parts_of_an_account_are_told_apart_and_figures_stay_with_the_text() -> None:
    editors = (
        '<abstract abstract-type="editor"><sec><title>Why was this done?</title><p>See <xref rid="f1">1</xref>.</p></sec>'
        f"<sec><title>What was found?</title><p>{RETOLD}</p></sec></abstract>"
    )
    figure = '<floats-group><fig id="f1"><caption><p>A bee.</p></caption></fig></floats-group>'
    paper = article(ABSTRACT + editors, '<p>They nap <xref rid="f1">1</xref>.</p>', figure)
    assert about(paper) == ["What was found?"]
    assert paper.pool[-1].text == "A bee."
    assert [section.title for section in paper.sections if section.kind is SectionKind.ABOUT] == [
        "Editors' summary",
        "Why was this done?",
        "What was found?",
    ]
    assert paper.sections[2].title == "Text"  # the paper itself has no heading


def test_a_picture_alone_is_nothing_to_read() -> None:
    paper = article(ABSTRACT + '<abstract abstract-type="graphical"><p><graphic/></p></abstract>')
    assert paper.pool == paper.sentences


def test_a_trial_that_the_editors_name_is_not_the_papers_own() -> None:
    paper = article(ABSTRACT + '<abstract abstract-type="editor"><p>Registered: NCT01234567.</p></abstract>')
    assert paper.registrations == ()


def test_markdown() -> None:
    text = f"# Naps\n\n## Abstract\n\nForty bees.\n\n## Key points\n\n{RETOLD}\n\n### More\n\nEven more.\n\n## Results\n\nHoney rose."
    paper = read_paper(text.encode(), name="bees.md")
    assert about(paper) == ["Key points"]
    assert [sentence.text for sentence in paper.pool] == ["Naps", "Abstract", "Forty bees.", "Results", "Honey rose."]
    assert paper.sentences[-1].text == "Even more."


def test_bioc() -> None:
    passages = [
        {"infons": {"type": "front", "section_type": "TITLE"}, "text": "Naps in bees"},
        {"infons": {"type": "abstract", "section_type": "ABSTRACT"}, "text": "Forty bees took part."},
        {"infons": {"type": "abstract_title_1", "section_type": "ABSTRACT"}, "text": "Editors' Summary"},
        {"infons": {"type": "abstract_title_1", "section_type": "ABSTRACT"}, "text": "Background"},
        {"infons": {"type": "abstract", "section_type": "ABSTRACT"}, "text": RETOLD},
        {"infons": {"type": "paragraph", "section_type": "INTRO"}, "text": "Bees are busy."},
    ]
    paper = read_paper(json.dumps({"documents": [{"passages": passages}]}).encode(), name="bees.json")
    assert about(paper) == ["Background"]
    assert [sentence.text for sentence in paper.pool] == ["Naps in bees", "Forty bees took part.", "Bees are busy."]


def test_tei() -> None:
    body = f"<div><head>Key points</head><p>{RETOLD}</p></div><div><head>Results</head><p>Honey rose.</p></div>"
    data = f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body>{body}</body></text></TEI>'
    paper = read_paper(data.encode(), name="bees.tei.xml")
    assert about(paper) == ["Key points"]
    assert [sentence.text for sentence in paper.pool] == ["Results", "Honey rose."]


def test_an_account_in_the_abstract_of_tei() -> None:
    parts = f"<div><head>Aim</head><p>Forty bees.</p></div><div><head>Highlights</head><p>{RETOLD}</p></div>"
    data = (
        f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><profileDesc><abstract>{parts}</abstract></profileDesc>'
        "</teiHeader><text><body><div><head>Results</head><p>Honey rose.</p></div></body></text></TEI>"
    )
    paper = read_paper(data.encode(), name="bees.tei.xml")
    assert about(paper) == ["Highlights"]
    assert [sentence.text for sentence in paper.pool] == ["Aim", "Forty bees.", "Results", "Honey rose."]


def test_nothing_that_searches_or_asks_sees_it() -> None:
    paper = article(ABSTRACT + f'<abstract abstract-type="editor"><p>{RETOLD}</p></abstract>')
    query = EvidenceQuery("Naps make more honey.")
    chosen = query.candidates(paper)
    assert RETOLD not in {sentence.text for sentence in chosen}
    shown = [Part.whole(paper, candidates(paper)), *Part.sections(paper, chosen)]
    assert not any(RETOLD in part.listing or "Editors" in part.listing for part in shown)
    for source in SummarySource:
        assert RETOLD not in {sentence.text for sentence in source_sentences(paper, source)}
    assert len(sentence_features(paper).words) == len(paper.pool) < len(paper.sentences)
