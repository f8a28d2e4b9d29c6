"""What each service's wire format becomes: records with their numbers, names in any letters, notices, citations."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import QueryError, SourceRefused
from core.references import Reference
from core.settings import Settings
from core.sources import clinicaltrials, crossref, europepmc, openalex, pubmed, semanticscholar
from core.sources.asked import asked
from core.sources.client import SourceClient
from core.sources.model import Notice, NoticeKind, PlannedOutcome, gravest
from core.sources.notices import notices_on
from core.sources.searching import SOURCES, count_all, records_of, strings_of
from core.sources.stand_in import StandIn, invented
from core.sources.stand_in.wires import WIRES

NAMES = ("Sørensen, Åse", "Nguyễn, Văn An", "Müller-Lüdenscheidt, Jörg", "O’Brien, Siân", "Žižková, Eliška", "李, 明")


@pytest.mark.parametrize(
    ("id", "number"),
    [("europepmc", 24), ("pubmed", 16), ("openalex", 24), ("semanticscholar", 24), ("clinicaltrials", 6)],
)
def test_counts_and_records_agree_over_many_pages(client: SourceClient, id: str, number: int) -> None:
    strings = strings_of("walking AND sleep", [id])
    assert [one.count for one in count_all(client, strings)] == [number]
    found = list(records_of(client, id, strings[id]))
    assert len({record.id for record in found}) == len(found) == number
    assert all(record.reference.title for record in found)


@pytest.mark.parametrize("id", ["europepmc", "pubmed", "openalex", "crossref"])
def test_a_record_says_the_same_in_every_service(client: SourceClient, stand_in: StandIn, id: str) -> None:
    work = stand_in.shelf.works[4]
    strings = strings_of(work.doi, [id])
    (record,) = records_of(client, id, strings[id])
    assert record.reference.doi == "10.5555/town.4", "whatever letters the service writes it in"
    assert record.reference.title == work.title
    assert record.reference.year == work.year
    assert record.reference.abstract == work.abstract
    assert {name for author in record.reference.authors for name in author.replace(",", "").split()} == {
        name for author in work.authors for name in author.replace(",", "").split()
    }
    assert gravest(record.notices) is not None
    assert gravest(record.notices).kind is NoticeKind.RETRACTED


def test_names_are_family_name_first_in_any_letters(client: SourceClient) -> None:
    found = {name for record in records_of(client, "pubmed", ["walking"]) for name in record.reference.authors}
    assert found == set(NAMES)


def test_titles_and_abstracts_have_no_markup(client: SourceClient, stand_in: StandIn) -> None:
    """The stand-in writes its works into the services' JSON as they are."""
    title = "Effect of <i>Lactobacillus</i> on H<sub>2</sub>O &amp; sleep"
    abstract = "<h4>Background</h4>Sleep is short (p<0.05 and n>3).<h4 class='x'>Results</h4>It doubled."
    stand_in.shelf.add(replace(invented(41), title=title, abstract=abstract))
    number = invented(41).doi
    asked_for = (
        *europepmc.records(client, f'DOI:"{number}"', 5),
        *crossref.works(client, [number]),
        *openalex.records(client, f"doi: {number}", 5),
        *semanticscholar.records(client, '"Lactobacillus"', 5),
    )
    assert [one.service for one in asked_for] == ["europepmc", "crossref", "openalex", "semanticscholar"]
    assert {one.reference.title for one in asked_for} == {"Effect of Lactobacillus on H2O & sleep"}
    assert {one.reference.abstract for one in asked_for} == {
        "Background Sleep is short (p<0.05 and n>3). Results It doubled."
    }


def test_what_is_pasted_is_a_query_or_a_list() -> None:
    listed = asked(
        "https://doi.org/10.5555/Town.3\nPMID: 90000004\nNCT90000001, NCT90000005\nPMC9000001\nWalking and sleep"
    )
    assert listed.dois == ("10.5555/town.3",)
    assert listed.pmids == ("90000004",)
    assert listed.trials == ("NCT90000001", "NCT90000005")
    assert listed.pmcids == ("PMC9000001",)
    assert listed.titles == ("Walking and sleep",)
    assert listed.in_words == "1 DOI, 1 PMID, 1 PMCID, 2 NCT numbers, 1 title"
    for query in ("(walking OR exercise)\nAND insomnia[tiab]", "walking sleep", "TITLE:walking\nAUTH:ito"):
        assert not asked(query).is_list
    shared = asked("10.1000/a,10.1000/(b)1,2; 10.1000/c 90000004\n90000001,90000002")
    assert shared.dois == ("10.1000/a", "10.1000/(b)1,2", "10.1000/c")
    assert shared.pmids == ("90000004", "90000001", "90000002")
    with pytest.raises(QueryError, match="Nothing is asked for"):
        asked(" \n ")


def test_a_list_goes_to_each_in_its_own_language(client: SourceClient, stand_in: StandIn) -> None:
    text = f"10.5555/town.3\n90000004\nNCT90000001\n{stand_in.shelf.works[5].title}"
    strings = strings_of(text, list(SOURCES))
    assert '"10.5555/town.3"[doi] OR 90000004[uid]' in strings["pubmed"][0]
    assert {one.service: one.count for one in count_all(client, strings)} == {
        "europepmc": 4, "pubmed": 3, "crossref": 2, "openalex": 3, "semanticscholar": 1, "clinicaltrials": 1,
    }  # fmt: skip


def test_long_lists_are_asked_in_parts() -> None:
    text = "\n".join(f"10.5555/town.{number}" for number in range(100))
    assert [len(strings_of(text, [id])[id]) for id in ("europepmc", "pubmed", "crossref", "openalex")] == [3, 3, 3, 2]
    with pytest.raises(QueryError, match="2,000"):
        asked("\n".join(f"10.5555/town.{number}" for number in range(2001)))


def test_a_service_that_cannot_be_asked_this_is_left_out() -> None:
    assert list(strings_of("walking AND sleep", ["crossref", "pubmed"])) == ["pubmed"]
    with pytest.raises(QueryError, match="Crossref cannot be asked this"):
        strings_of("walking AND sleep", ["crossref"])
    own = strings_of("walking", ["pubmed", "europepmc"], {"pubmed": "walking[tiab]"})
    assert own == {"europepmc": ("walking",), "pubmed": ("walking[tiab]",)}


def test_pubmed_gives_all_records_though_its_list_is_too_short(settings: Settings) -> None:
    with StandIn(24, longest_list=9) as short, SourceClient(replace(settings, sources_url=short.address)) as client:
        found = [record.accession for record in pubmed.records(client, "walking AND sleep", 10_000)]
        assert len(found) == len(set(found)) == pubmed.count(client, "walking AND sleep") == 16
        assert len(list(pubmed.records(client, "walking AND sleep", 5))) == 5


_BOOKS = b"""<?xml version="1.0"?><PubmedArticleSet>
<PubmedBookArticle><BookDocument><PMID>28613451</PMID>
  <ArticleIdList><ArticleId IdType="bookaccession">NBK430901</ArticleId></ArticleIdList>
  <Book><BookTitle book="statpearls">StatPearls</BookTitle><PubDate><Year>2024</Year><Month>Jan</Month></PubDate></Book>
  <ArticleTitle>Asthma</ArticleTitle>
  <AuthorList Type="authors"><Author><LastName>Hashmi</LastName><ForeName>Muhammad F.</ForeName></Author></AuthorList>
  <Abstract><AbstractText>Asthma is common.</AbstractText></Abstract>
</BookDocument></PubmedBookArticle>
<PubmedBookArticle><BookDocument><PMID>7</PMID>
  <Book><BookTitle>Asthma in Towns.</BookTitle><PubDate><Year>2020</Year></PubDate>
  <AuthorList Type="editors"><Author><CollectiveName>Town Group</CollectiveName></Author></AuthorList></Book>
</BookDocument></PubmedBookArticle>
<PubmedArticle><MedlineCitation><PMID>5</PMID>
  <Article><ArticleTitle>Air.</ArticleTitle></Article></MedlineCitation></PubmedArticle>
</PubmedArticleSet>"""


def test_pubmed_gives_books_and_their_chapters(client: SourceClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(WIRES, "pubmed", (lambda shelf, path, params: _BOOKS, "application/json"))
    chapter, book, article = (record.reference for record in pubmed.fetched(client, ["28613451", "7", "5"]))
    assert chapter == Reference(
        "Asthma", ("Hashmi, Muhammad F.",), 2024, "StatPearls", pmid="28613451", abstract="Asthma is common."
    )
    assert book == Reference("Asthma in Towns", ("Town Group",), 2020, pmid="7")
    assert article.title == "Air"


@pytest.mark.parametrize("id", ["openalex", "crossref"])
def test_a_doi_that_holds_a_comma(client: SourceClient, stand_in: StandIn, id: str) -> None:
    stand_in.shelf.add(replace(invented(30), doi="10.5555/(SICI)1,2"))
    strings = strings_of("10.5555/(sici)1,2\n10.5555/town.3\n10.5555/not,there", [id])
    found = {record.reference.doi for record in records_of(client, id, strings[id])}
    assert found == {"10.5555/(sici)1,2", "10.5555/town.3"}
    assert [one.count for one in count_all(client, strings)] == [2]


def test_a_query_that_pubmed_cannot_read(client: SourceClient) -> None:
    with pytest.raises(SourceRefused, match="cannot read this query"):
        pubmed.count(client, "(walking")


def test_citations_in_both_directions(client: SourceClient, stand_in: StandIn) -> None:
    cited = {stand_in.shelf.works[one].doi.lower() for one in stand_in.shelf.works[9].cites}
    citing = {work.doi.lower() for work in stand_in.shelf.works.values() if 9 in work.cites}
    doi, pmid = "10.5555/town.9", "90000009"
    for found in (
        europepmc.references(client, pmid),
        crossref.references(client, doi),
        openalex.references(client, doi, 50),
        semanticscholar.references(client, doi, 50),
    ):
        assert {one.doi for one in found} == cited
    for found in (
        europepmc.citations(client, pmid),
        openalex.citations(client, doi, 50),
        semanticscholar.citations(client, doi, 50),
    ):
        assert {one.doi for one in found} == citing
    assert len(europepmc.citations(client, "90000002")) == 21, "over several pages"
    assert (
        openalex.citations(client, "10.5555/unknown", 50)
        == semanticscholar.citations(client, "10.5555/unknown", 50)
        == ()
    )


def test_notices_on_many(client: SourceClient) -> None:
    found = notices_on(client, {"a": "10.5555/town.4", "b": "10.5555/town.5"}, {"a": "90000004", "c": "90000002"})
    assert found["a"] == (
        Notice(NoticeKind.RETRACTED, "Crossref", "2024-05-01", "10.5555/retraction.1"),
        Notice(NoticeKind.RETRACTED, "PubMed", "2024", "90999999"),
    )
    assert found["b"] == found["c"] == ()
    assert gravest((Notice(NoticeKind.CORRECTED, "x"), Notice(NoticeKind.CONCERN, "x"))).kind is NoticeKind.CONCERN


def test_openalex_gives_all_records_with_a_key_and_without(
    client: SourceClient, settings: Settings, stand_in: StandIn
) -> None:
    keyed = replace(settings, source_keys={"openalex": "a-key"})
    with SourceClient(keyed) as with_key:
        by_cursor = {one.accession for one in openalex.records(with_key, "walking", 100)}
    assert any("cursor=" in asked for asked in stand_in.asked)
    stand_in.asked.clear()
    by_number = [one.accession for one in openalex.records(client, "walking", 100)]
    assert sorted(by_number) == sorted(by_cursor)
    assert len(by_number) == 24
    assert len(stand_in.asked) == 4, "of seven each"
    assert not any("cursor=" in asked for asked in stand_in.asked)


@pytest.mark.parametrize(
    ("asked_for", "sent"),
    [
        ("(walking OR exercise) AND insomnia NOT cats", "(walking | exercise) + insomnia -cats"),
        ('"rock AND roll" AND NOT "heavy OR metal"', '"rock AND roll" -"heavy OR metal"'),
        ("walking sleep", "walking sleep"),
        ("ANDEAN NOTES ORAL", "ANDEAN NOTES ORAL"),
    ],
)
def test_semantic_scholar_gets_signs_for_operators(client: SourceClient, asked_for: str, sent: str) -> None:
    assert strings_of(asked_for, ["semanticscholar"]) == {"semanticscholar": (sent,)}


def test_references_that_a_publisher_hides_are_none(client: SourceClient, monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = b'{"offset": 0, "data": null, "citingPaperInfo": {"openAccessPdf": {"disclaimer": "elided"}}}'
    monkeypatch.setitem(WIRES, "semanticscholar", (lambda shelf, path, params: hidden, "application/json"))
    assert semanticscholar.references(client, "10.5555/town.9", 50) == ()


def test_what_was_retracted_and_published_again_is_marked(client: SourceClient, stand_in: StandIn) -> None:
    stand_in.shelf.add(replace(invented(31), retracted="2024-05-01", republished=True))
    (by_pubmed,) = pubmed.fetched(client, ["90000031"])
    (by_europe_pmc,) = europepmc.records(client, "EXT_ID:90000031 AND SRC:MED", 5)
    for record in (by_pubmed, by_europe_pmc):
        assert [one.kind for one in record.notices] == [NoticeKind.RETRACTED]


def test_a_registration(client: SourceClient) -> None:
    found = clinicaltrials.registration(client, "NCT90000001")
    assert found is not None
    assert found.registered == "2009-02-11"
    assert found.outcomes[0] == PlannedOutcome("primary", "Daytime tiredness", "8 weeks")
    assert clinicaltrials.registration(client, "NCT00000000") is None
