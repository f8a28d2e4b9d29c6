"""A paper's claims beside a library: who contradicts them, who agrees, and of what nothing is said."""

from __future__ import annotations

import pytest

from core.answering.model import ReportedChange
from core.claims import Place, Statement, Way, claim_engine_named, contradiction_engine_named
from core.claims.checking import compare_claims, copies_of, statement_of, with_terms
from core.claims.contradictions import PaperOnStatement
from core.claims.model import Claim
from core.claims.scale import BY_HAND, Scale, note, shipped
from core.errors import QueryError
from core.library import Library
from core.paper import Paper
from tests.core.claims.papers import is_cut_from

pytestmark = pytest.mark.slow


def test_claims_are_sentences_of_the_paper_and_each_is_said_once(own: Paper) -> None:
    found = claim_engine_named("offline").claims(own).claims
    assert found
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    for one in found:
        assert is_cut_from(one.text, own.sentences[one.sentence].text)
    first = found[0]
    assert "did not reduce nocturnal leg cramps" in first.text, "of those that say the same, one in a known form"
    assert first.also, "the abstract and the end say the same"


def test_both_sides_are_found_and_the_paper_itself_is_left_out(own: Paper, library: Library) -> None:
    claim = Claim("Diarrhoea was more frequent with magnesium than with placebo.", 9, 8.0)
    [held] = compare_claims([claim], own, contradiction_engine_named("offline"), library)
    contested = held.contested
    assert [one.paper.name for one in contested.against] == ["against.md"]
    assert [one.paper.name for one in contested.agreeing] == ["for.md"]
    assert contested.searched == 2
    assert "Diarrhoea was not more frequent" in contested.against[0].sentence
    assert any(line.startswith("population: older people here, pregnant") for line in contested.against[0].differences)


def test_the_opposite_claim_swaps_the_sides(own: Paper, library: Library) -> None:
    engine = contradiction_engine_named("offline")
    without = copies_of(own, library.papers())
    found = engine.compare(
        Statement("Diarrhoea was not more frequent with magnesium than with placebo.", without), library
    )
    ways = {one.paper.name: one.way for one in found.sides}
    assert ways == {"against.md": Way.AGREES, "for.md": Way.CONTRADICTS}


def test_what_no_paper_speaks_of_lacks_evidence(own: Paper, library: Library) -> None:
    statement = Statement("Zinc lozenges, compared with placebo, decrease the length of colds.")
    found = contradiction_engine_named("offline").compare(statement, library)
    assert found.place is Place.LACK_OF_EVIDENCE
    assert found.sides == ()


def test_copies_are_known_by_title_and_doi(own: Paper, library: Library) -> None:
    papers = library.papers()
    assert copies_of(own, papers) == {own.id}
    assert len(copies_of(own, [*papers, *(one for one in papers if one.id == own.id)])) == 1


def test_abbreviations_are_written_out_for_the_search(own: Paper) -> None:
    claim = Claim("MC did not reduce cramps.", 9, 8.0, terms=(("MC", "magnesium citrate"),))
    assert with_terms(claim) == "MC (magnesium citrate) did not reduce cramps."
    claim = Claim("ABPM readings and BP fell.", 9, 8.0, terms=(("BP", "blood pressure\\1"),))
    assert with_terms(claim) == "ABPM readings and BP (blood pressure\\1) fell."
    assert own.title in statement_of(claim, own, frozenset()).context


def test_places_follow_the_surest_paper_on_either_side() -> None:
    scale = Scale(0.5, (0.5, 0.6, 0.7, 0.8, 0.9), (0.4, 0.5, 0.6, 0.7, 0.8), 2.0, measured=True)
    assert scale.place(0.0, 0.0) is Place.LACK_OF_EVIDENCE
    assert scale.place(0.3, 0.2) is Place.LACK_OF_EVIDENCE
    assert scale.place(0.75, 0.3) is Place.CONTRADICTION
    assert scale.place(0.95, 0.9) is Place.EXPLICIT_CONTRADICTION
    assert scale.place(0.3, 0.65) is Place.AGREEMENT
    assert [int(place) for place in Place] == list(range(11))


def test_where_nothing_was_measured_no_place_is_strong() -> None:
    scale = Scale(0.5, (0.5, 0.6, 0.7, 0.8, 0.9), (0.4, 0.5, 0.6, 0.7, 0.8), 2.0, measured=False)
    assert scale.place(0.99, 0.0) is Place.CONTRADICTION
    assert scale.place(0.0, 0.99) is Place.AGREEMENT
    assert note() == ("" if shipped().measured else BY_HAND)


def test_a_paper_contradicts_by_its_likeliest_direction_alone() -> None:
    claimed = (1.0, 0.0, 0.0)

    def on(shares: tuple[float, float, float], aligned: ReportedChange | None = None) -> PaperOnStatement:
        return PaperOnStatement("a", 0.9, shares, aligned, claimed, (0, 0, 0))

    unsure = on((0.4, 0.3, 0.3)).stand(2.0)
    assert unsure is not None
    assert (unsure.way, unsure.told) == (Way.AGREES, ReportedChange.INCREASED)
    other = on((0.4, 0.1, 0.5)).stand(2.0)
    assert other is not None
    assert (other.way, other.told, round(other.sure, 2)) == (Way.CONTRADICTS, ReportedChange.NO_DIFFERENCE, 0.6)
    turned = on((0.4, 0.1, 0.5), ReportedChange.INCREASED).stand(2.0)
    assert turned is not None
    assert (turned.way, turned.told) == (Way.AGREES, ReportedChange.INCREASED)
    vague = PaperOnStatement("a", 0.9, (0.1, 0.8, 0.1), None, (0.4, 0.3, 0.3), (0, 0, 0))
    assert vague.stand(2.0) is None, "what is claimed is unsure itself"


def test_a_statement_has_words() -> None:
    with pytest.raises(QueryError):
        Statement(" ")
