"""GROBID's TEI."""

from __future__ import annotations

from core.paper import Format, Kind, Paper, SectionKind, read_paper

DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Naps in bees</title></titleStmt>
<sourceDesc><biblStruct><idno type="DOI">10.1000/made.up</idno></biblStruct></sourceDesc></fileDesc>
<profileDesc><abstract><div><p>Bees nap. It helps.</p></div></abstract></profileDesc></teiHeader>
<text><body>{body}</body><back><div type="acknowledgement"><div><head>Thanks</head><p>To bees.</p></div></div>
<div type="annex"><div><head>Appendix</head><p>More bees.</p></div></div>
<div type="references"><listBibl/></div></back></text></TEI>"""


def read(body: str) -> Paper:
    paper = read_paper(DOCUMENT.format(body=body).encode(), name="bees.tei.xml")
    assert all(paper.text[s.start : s.end] == s.text for s in paper.sentences)
    return paper


def body_of(paper: Paper) -> list[str]:
    return [s.text for s in paper.sentences if s.kind is Kind.BODY and s.text != "More bees."]


def test_sections() -> None:
    paper = read(
        "<div><p>Bees are busy.</p></div><div><head>Methods</head><p>Forty bees.</p></div>"
        "<div><head>Hives</head><p>Two.</p></div><div><head n='3'>Results</head><p>They nap.</p></div>"
        "<div><head>Funding</head><p>Honey.</p></div>"
    )
    assert paper.format is Format.TEI
    assert (paper.title, paper.doi) == ("Naps in bees", "10.1000/made.up")
    assert [(s.title, s.kind, s.level) for s in paper.sections] == [
        ("Title", SectionKind.OTHER, 1),
        ("Abstract", SectionKind.ABSTRACT, 1),
        ("Introduction", SectionKind.INTRODUCTION, 1),
        ("Methods", SectionKind.METHODS, 1),
        ("Hives", SectionKind.METHODS, 2),
        ("Results", SectionKind.RESULTS, 1),
        ("Appendix", SectionKind.OTHER, 1),
    ]
    assert paper.sections_left_out == ("Funding", "Thanks", "References")


def test_citations_are_as_they_were_printed() -> None:
    reference = '<ref type="bibr" target="#b{0}">{1}</ref>'
    superscripts = "".join(reference.format(n, text) for n, text in ((2, "3,"), (3, "4")))
    spelt_out = "".join(reference.format(n, f"[{n}]") for n in (2, 3, 4))
    paper = read(f"<div><p>Bees nap. {superscripts} Often {spelt_out}. Seldom (1)(2)(3).</p></div>")
    assert body_of(paper) == ["Bees nap. [3,4]", "Often [2–4].", "Seldom (1–3)."]


def test_misfiled_symbols_and_split_ligatures() -> None:
    paper = read("<div><p>It was effi cient (P Ͻ 0.05) below o0.8 mmol/l (P 5 0.03), type o 3.</p></div>")
    assert body_of(paper) == ["It was efficient (P < 0.05) below <0.8 mmol/l (P = 0.03), type o 3."]


def test_a_caption_in_the_middle_of_a_sentence_is_set_apart() -> None:
    paper = read("<div><p>Bees were over 18 days old, Figure 1. The hive.</p><p>and healthy. They slept.</p></div>")
    assert body_of(paper) == ["Bees were over 18 days old, and healthy.", "They slept."]
    assert [s.text for s in paper.sentences if s.kind is Kind.CAPTION] == ["Figure 1. The hive."]


def test_tables_follow_the_paragraph_that_mentions_them() -> None:
    paper = read(
        '<div><p>See <ref type="table" target="#tab_0">Table 1</ref>.</p><p>Last.</p></div>'
        '<figure xmlns:xml="http://www.w3.org/XML/1998/namespace" type="table" xml:id="tab_0"><head>Table 1</head>'
        "<figDesc>Naps</figDesc><table><row><cell>A</cell><cell>3</cell></row></table></figure>"
    )
    order = [s.text for s in paper.sentences]
    assert order.index("See Table 1.") < order.index("A | 3") < order.index("Last.")


def test_a_table_without_rows_keeps_its_text() -> None:
    paper = read('<div><p>Last.</p></div><figure type="table"><head>Table 1</head><table>A 3 B 4</table></figure>')
    assert [s.text for s in paper.sentences if s.kind is Kind.TABLE] == ["A 3 B 4"]


SOURCE = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Naps in bees</title></titleStmt>
<publicationStmt><date type="published" when="2019-02-01"/></publicationStmt><sourceDesc><biblStruct><analytic>
<author><persName><forename type="first">Ada</forename><forename type="middle">J</forename></persName></author>
<author><persName><forename type="first">K</forename><surname>van der Bie</surname></persName><email>a@b.example</email></author>
<author><persName><forename>Acta</forename><surname>Apium</surname></persName></author>
<author><affiliation><orgName>Hive</orgName></affiliation></author></analytic>
<monogr><title level="j" type="main">Hive Notes</title><imprint><date type="published" when="2020-05">2020</date></imprint></monogr>
<note>Registered: NCT01234567</note></biblStruct></sourceDesc></fileDesc></teiHeader>
<text><body><div><p>Bees nap.</p></div></body></text></TEI>"""


def test_authors_cut_in_two_are_joined_and_other_words_are_no_authors() -> None:
    paper = read_paper(SOURCE.encode(), name="bees.tei.xml")
    assert paper.authors == ("Ada J K van der Bie",)
    assert (paper.journal, paper.year, paper.registrations) == ("Hive Notes", 2020, ("NCT01234567",))
