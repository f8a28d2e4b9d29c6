"""The works that a paper cites, as its list of references tells them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.paper import CitedWork, Paper, read_paper

JATS = """<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta>
<title-group><article-title>Naps in bees</article-title></title-group></article-meta></front>
<body><p>Bees nap.</p></body><back><ref-list>{refs}</ref-list></back>
<response><back><ref-list><ref><mixed-citation><article-title>Of a reply</article-title></mixed-citation></ref></ref-list></back></response>
</article>"""
TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Naps in bees</title></titleStmt>
</fileDesc></teiHeader><text><body><div><p>Bees nap.</p></div></body>
<back><div type="references"><listBibl>{refs}</listBibl></div></back></text></TEI>"""


def of_jats(refs: str) -> tuple[CitedWork, ...]:
    return read_paper(JATS.format(refs=refs).encode(), name="bees.xml").references


def of_tei(refs: str) -> tuple[CitedWork, ...]:
    return read_paper(TEI.format(refs=refs).encode(), name="bees.tei.xml").references


WHOLE = CitedWork("Sleep in hives", ("Ada B Rossi", "Hive Group"), "Bee Notes", 2001, "10.1000/abc", "77")


@pytest.mark.parametrize("tag", ["element-citation", "mixed-citation", "citation", "nlm-citation"])
def test_a_journal_article_in_each_form(tag: str) -> None:
    [work] = of_jats(
        f'<ref><label>1</label><{tag} publication-type="journal"><person-group person-group-type="author"><name>'
        "<surname>Rossi</surname><given-names>Ada B</given-names></name><collab>Hive Group</collab></person-group>"
        '<person-group person-group-type="editor"><name><surname>Queen</surname></name></person-group>'
        "<article-title>Sleep in <italic>hives</italic>.</article-title> <source>Bee Notes</source>, <year>2001a</year>"
        '<date-in-citation><year>2020</year></date-in-citation> <pub-id pub-id-type="doi">10.1000/ABC</pub-id>'
        f'<pub-id pub-id-type="pmid">77</pub-id></{tag}></ref>'
    )
    assert work == WHOLE


def test_two_forms_of_one_work_fill_each_other_and_two_works_of_one_entry_stay_two() -> None:
    works = of_jats(
        "<ref><citation-alternatives><mixed-citation>Rossi A. Sleep. doi: 10.1000/XYZ.</mixed-citation>"
        "<element-citation><article-title>Sleep</article-title></element-citation></citation-alternatives></ref>"
        "<ref><mixed-citation><article-title>One</article-title></mixed-citation>"
        "<mixed-citation><article-title>Two</article-title></mixed-citation></ref>"
    )
    assert works == (CitedWork("Sleep", doi="10.1000/xyz"), CitedWork("One"), CitedWork("Two"))


@pytest.mark.parametrize(
    "link",
    [
        '<ext-link ext-link-type="uri" xlink:href="https://doi.org/10.1000%2Fabc">here</ext-link>',
        '<ext-link ext-link-type="doi" xlink:href="10.1000/ABC">here</ext-link>',
        "<uri>http://dx.doi.org/10.1000/abc</uri>",
        "<comment>doi:10.1000/abc.</comment>",
    ],
)
def test_a_doi_in_a_link_or_in_words(link: str) -> None:
    [work] = of_jats(f"<ref><mixed-citation><article-title>Sleep</article-title>. {link}</mixed-citation></ref>")
    assert work.doi == "10.1000/abc"


@pytest.mark.parametrize(
    "address",
    [
        "https://pubmed.ncbi.nlm.nih.gov/77/",
        "http://www.ncbi.nlm.nih.gov/entrez/query.fcgi?cmd=Retrieve&amp;db=pubmed&amp;list_uids=77",
    ],
)
def test_a_pmid_in_a_link(address: str) -> None:
    [work] = of_jats(f'<ref><mixed-citation><ext-link xlink:href="{address}"/></mixed-citation></ref>')
    assert work == CitedWork(pmid="77")


def test_a_book_is_its_own_title_and_other_sources_are_no_titles() -> None:
    works = of_jats(
        '<ref><element-citation publication-type="book"><source>On hives</source><year>1990</year></element-citation></ref>'
        '<ref><element-citation publication-type="book"><chapter-title>Wax</chapter-title><source>On hives</source>'
        "</element-citation></ref><ref><element-citation><source>Bee Notes</source></element-citation></ref>"
    )
    assert works == (CitedWork("On hives", year=1990), CitedWork("Wax"), CitedWork(journal="Bee Notes"))


def test_what_tells_nothing_or_is_there_twice_is_not_made_up() -> None:
    entry = '<ref><mixed-citation><pub-id pub-id-type="doi">10.1000/a</pub-id></mixed-citation></ref>'
    plain = "<ref><mixed-citation>Bee A (2000) On naps. Notes 3: 7.</mixed-citation></ref>"
    wrong = '<ref><mixed-citation><pub-id pub-id-type="pmid">PMC7</pub-id><year>in press</year></mixed-citation></ref>'
    assert of_jats(entry + plain + wrong + entry) == (CitedWork(doi="10.1000/a"),)


def test_tei() -> None:
    person = "<author><persName><forename>{}</forename><surname>{}</surname></persName></author>"
    works = of_tei(
        f'<biblStruct><analytic><title level="a">Sleep in hives</title>{person.format("Ada", "Rossi")}'
        '<idno type="DOI">10.1000/ABC</idno><idno type="PMID">77</idno></analytic><monogr><title level="j">Bee Notes</title>'
        '<imprint><date type="published" when="2001-05"/></imprint></monogr></biblStruct>'
        f'<biblStruct><monogr><title level="m">On hives</title>{person.format("Bo", "Li")}<imprint/></monogr>'
        '<ptr target="https://doi.org/10.1000/book"/></biblStruct>'
        '<biblStruct><monogr><title level="j">Bee Notes</title><imprint><date>in press</date></imprint></monogr></biblStruct>'
        "<biblStruct><monogr><imprint/></monogr></biblStruct>"
    )
    assert works == (
        CitedWork("Sleep in hives", ("Ada Rossi",), "Bee Notes", 2001, "10.1000/abc", "77"),
        CitedWork("On hives", ("Bo Li",), doi="10.1000/book"),
        CitedWork(journal="Bee Notes"),
    )


def test_other_formats_have_none() -> None:
    assert read_paper(b"# Results\n\nBees nap.\n\n# References\n\n1. Sleep.", name="bees.md").references == ()


def test_real_papers_tell_most_titles(shared_data: Path, read_once: Callable[[Path], Paper]) -> None:
    files = {
        "jats": sorted((shared_data / "evidence_inference" / "xml").glob("*.nxml"))[::20],
        "tei": sorted((shared_data / "formats").glob("*.tei.xml")),
    }
    for kind, least in (("jats", 0.97), ("tei", 0.85)):
        papers = [read_once(file) for file in files[kind]]
        works = [work for paper in papers for work in paper.references]
        assert all(len(paper.references) >= 5 for paper in papers)
        assert sum(bool(work.title) for work in works) / len(works) >= least
        assert sum(bool(work.authors) for work in works) / len(works) >= least
        if kind == "jats":
            assert sum(bool(work.doi or work.pmid) for work in works) / len(works) >= 0.75
