"""JATS, the XML of PubMed Central."""

from __future__ import annotations

import pytest

from core.paper import Format, Kind, Paper, SectionKind, read_paper

ARTICLE = """<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD Journal Archiving DTD v2.3 20070202//EN" "archivearticle.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta>
<article-id pub-id-type="doi">10.1000/made.up</article-id><article-id pub-id-type="pmid"> 77 </article-id>
<title-group><article-title>Naps in <italic>Apis mellifera</italic></article-title><subtitle>a trial</subtitle></title-group>
<abstract><sec><title>Aim</title><p>To see whether bees nap.</p></sec><sec><title>Results</title><p>They do. It helps.</p></sec></abstract>
</article-meta></front>
<body>{body}</body>
<back><ack><p>We thank the bees.</p></ack><sec><title>Funding</title><p>Honey.</p></sec>
<ref-list><title>References</title><ref><mixed-citation>Bee A. 2001.</mixed-citation></ref></ref-list></back>
{floats}</article>"""


def read(body: str, floats: str = "") -> Paper:
    paper = read_paper(ARTICLE.format(body=body, floats=floats).encode(), name="bees.xml")
    assert all(paper.text[s.start : s.end] == s.text for s in paper.sentences)
    return paper


def texts(paper: Paper, kind: Kind) -> list[str]:
    return [sentence.text for sentence in paper.sentences if sentence.kind is kind]


def test_front_matter_and_what_is_left_out() -> None:
    paper = read("<p>Bees are busy.</p>")
    assert paper.format is Format.JATS
    assert paper.title == "Naps in Apis mellifera: a trial"
    assert paper.doi == "10.1000/made.up"
    assert paper.pmid == "77"
    assert texts(paper, Kind.TITLE) == [paper.title]
    assert texts(paper, Kind.HEADING) == ["Aim", "Results"]
    assert texts(paper, Kind.ABSTRACT) == ["To see whether bees nap.", "They do.", "It helps."]
    assert [(s.title, s.kind) for s in paper.sections] == [
        ("Title", SectionKind.OTHER),
        ("Abstract", SectionKind.ABSTRACT),
        ("Text", SectionKind.OTHER),  # no heading follows: this is not an introduction, but everything
    ]
    assert paper.sections_left_out == ("Acknowledgements", "Funding", "References")
    assert "honey" not in paper.text.lower()
    assert "thank" not in paper.text


def test_sections_inherit_the_kind_of_the_section_they_stand_in() -> None:
    paper = read(
        '<sec sec-type="methods"><title>How we did it</title><sec><title>Bees</title><p>Forty.</p></sec>'
        "<sec><title>Ethics</title><p>Approved.</p></sec><sec><title>Funding</title><p>None.</p></sec></sec>"
        "<sec><title>Results</title><sec><title>Methods of waking</title><p>A bell.</p></sec></sec>"
    )
    assert [(s.title, s.kind, s.level) for s in paper.sections[2:]] == [
        ("How we did it", SectionKind.METHODS, 1),
        ("Bees", SectionKind.METHODS, 2),
        ("Ethics", SectionKind.METHODS, 2),
        ("Results", SectionKind.RESULTS, 1),
        ("Methods of waking", SectionKind.RESULTS, 2),
    ]


@pytest.mark.parametrize(
    ("xml", "text"),
    [
        ("Bees nap.<sup><xref ref-type='bibr'>3</xref>,<xref ref-type='bibr'>4</xref></sup>", "Bees nap.[3,4]"),
        (
            "Bees nap<xref ref-type='bibr'><sup>3</sup></xref>–<xref ref-type='bibr'><sup>5</sup></xref>.",
            "Bees nap[3–5].",
        ),
        ("Bees nap [<xref ref-type='bibr'>3</xref>,<xref ref-type='bibr'>4</xref>].", "Bees nap [3,4]."),
        ("Bees nap (<xref ref-type='bibr'>3</xref>).", "Bees nap (3)."),
        ("Counts were 10<sup>9</sup>/L.", "Counts were 10^9/L."),
        ("Doses were 40 mg/m<sup>2</sup> a day.", "Doses were 40 mg/m2 a day."),
        ("At CO<sub>2</sub> &#177; 1 &lt; 5.", "At CO2 ± 1 < 5."),
        ("As <inline-formula><tex-math>\\alpha^2</tex-math><mml>α</mml></inline-formula> grows.", "As α grows."),
        ("See <xref ref-type='fig' rid='f1'>Fig. 1</xref> .", "See Fig. 1."),
    ],
)
def test_inline_markup(xml: str, text: str) -> None:
    assert texts(read(f"<p>{xml}</p>"), Kind.BODY) == [text]


TABLE = """<table-wrap id="t1"><label>Table 1</label><caption><title>Naps</title><p>By hive.</p></caption>
<table><thead><tr><th>Hive</th><th>Naps</th></tr></thead><tbody><tr><td>A</td><td>3 (1)</td></tr><tr><td/><td>4</td></tr></tbody></table>
<table-wrap-foot><fn><p>Mean (SD).</p></fn></table-wrap-foot></table-wrap>"""


def test_tables_are_rows_that_keep_their_cells_apart() -> None:
    paper = read(f"<p>First.</p>{TABLE}<p>Last.</p>")
    assert texts(paper, Kind.CAPTION) == ["Table 1. Naps.", "By hive."]
    assert texts(paper, Kind.TABLE) == ["Hive | Naps", "A | 3 (1)", "| 4", "Mean (SD)."]
    assert [s.text for s in paper.sentences][-1] == "Last."


def test_a_float_kept_at_the_end_comes_after_the_paragraph_that_mentions_it() -> None:
    mention = '<p>See <xref ref-type="table" rid="t1">Table 1</xref>.</p><p>Last.</p>'
    paper = read(mention, floats=f"<floats-group>{TABLE}</floats-group>")
    order = [s.text for s in paper.sentences]
    assert order.index("See Table 1.") < order.index("A | 3 (1)") < order.index("Last.")


def test_lists_and_floats_inside_a_paragraph_are_blocks_of_their_own() -> None:
    paper = read(
        f"<p>We asked two things.<list><list-item><label>1.</label><p>Do bees nap?</p></list-item></list>{TABLE}</p>"
    )
    assert texts(paper, Kind.BODY) == ["We asked two things.", "1. Do bees nap?"]
    assert "A | 3 (1)" in texts(paper, Kind.TABLE)


def test_a_table_in_a_cell_is_given_once() -> None:
    inner = "<table><tr><td>inner</td></tr></table>"
    paper = read(f"<table-wrap><table><tbody><tr><td>outer {inner}</td><td>b</td></tr></tbody></table></table-wrap>")
    assert texts(paper, Kind.TABLE) == ["outer | b", "inner"]


def test_a_heading_called_title_is_a_heading() -> None:
    paper = read("<sec><title>Title</title><p>Bees nap.</p></sec>")
    assert [section.title for section in paper.sections] == ["Title", "Abstract", "Title"]


PUBLISHED = """<article><front><journal-meta><journal-title-group><journal-title>Hive Notes (Oslo)</journal-title></journal-title-group>
</journal-meta><article-meta><title-group><article-title>Naps</article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>van der Bie</surname><given-names>Ada J</given-names>
<suffix>Jr</suffix></name><degrees>MD</degrees><xref ref-type="aff"><sup>1</sup></xref></contrib>
<contrib contrib-type="editor"><name><surname>Red</surname><given-names>Ed</given-names></name></contrib>
<contrib contrib-type="author"><collab>The Nap Group<xref>*</xref>
<contrib-group><contrib contrib-type="author"><name><surname>Member</surname><given-names>One</given-names></name></contrib>
</contrib-group></collab></contrib></contrib-group>
<author-notes><fn><p>Registered as NCT 0123 4567.</p></fn></author-notes>{dates}</article-meta></front>
<body><p>Bees nap.</p></body></article>"""


@pytest.mark.parametrize(
    ("dates", "year"),
    [
        ('<pub-date pub-type="epub"><year>2019</year></pub-date><pub-date pub-type="ppub"><year>2020</year></pub-date>', 2020),
        ('<pub-date pub-type="collection"><year>2020</year></pub-date><pub-date pub-type="epub"><year>2019</year></pub-date>', 2020),
        ('<pub-date date-type="pub" publication-format="electronic"><year>2018</year></pub-date>', 2018),
        ('<pub-date pub-type="pmc-release"><year>2021</year></pub-date>', None),
        ('<pub-date pub-type="epub"><year>MMXX</year></pub-date>', None),
    ],
)  # fmt: skip
def test_the_year_of_the_issue_comes_before_that_online(dates: str, year: int | None) -> None:
    assert read_paper(PUBLISHED.format(dates=dates).encode(), name="bees.xml").year == year


def test_authors_and_groups_that_sign_but_no_editors_and_no_members() -> None:
    paper = read_paper(PUBLISHED.format(dates="").encode(), name="bees.xml")
    assert paper.authors == ("Ada J van der Bie Jr", "The Nap Group")
    assert paper.journal == "Hive Notes"
    assert paper.registrations == ("NCT01234567",)
