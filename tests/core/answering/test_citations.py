"""Citations that are followed, on graphs made up here; every result is worked out by hand beside it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answering.citations import (
    FollowedWork,
    LibraryCitations,
    Way,
    Works,
    fewest_shared,
    filter_overlap,
    key_of,
    sources_of,
    traverse,
)
from core.answering.model import Gathered
from core.library import LibraryPaper, Passage, open_library
from core.paper import CitedWork, read_paper
from core.settings import Settings
from core.text.similarity import Embedder


def paper(id: str, *, title: str | None = None, doi: str | None = None, pmid: str | None = None) -> LibraryPaper:
    return LibraryPaper(id, f"{id}.xml", title, (), None, None, doi, pmid, 1)


def work(name: str) -> CitedWork:
    return CitedWork(f"Of {name}", doi=f"10.1000/{name}")


class MadeUp:
    """A graph as two tables of names; `times` says how often each is cited."""

    def __init__(self, past: dict[str, str], future: dict[str, str], times: dict[str, int]) -> None:
        self.past, self.future, self.times = past, future, times

    def references_of(self, paper: LibraryPaper) -> Sequence[CitedWork]:
        return [work(name) for name in self.past.get(paper.id, "").split()]

    def citers_of(self, paper: LibraryPaper) -> Sequence[CitedWork]:
        return [work(name) for name in self.future.get(paper.id, "").split()]

    def times_cited(self, work: CitedWork) -> int:
        return self.times.get((work.doi or "").removeprefix("10.1000/"), 0)


def named(ids: str) -> list[LibraryPaper]:
    return [paper(id, title=f"Of {id}", doi=f"10.1000/{id}") for id in ids.split()]


def dois(found: list[FollowedWork]) -> str:
    return " ".join((one.work.doi or "").removeprefix("10.1000/") for one in found)


# ---- Algorithm 1 ----


def test_overlap_decides_the_sources_are_left_out_and_directions_take_turns() -> None:
    # Four sources: the threshold is ceil(4/3) = 2. Past: x is cited by a, b and c (3); y by a and d (2); z by b alone,
    # which is too few; a is cited by b and c, but is a source itself. Future: p cites a and b (2), x cites c and d (2).
    # By turns: x (past), p (future), y (past), then x again, which is there already.
    graph = MadeUp({"a": "x y", "b": "z x a", "c": "a x", "d": "y"}, {"a": "p", "b": "p q", "c": "x", "d": "x"}, {})
    found = traverse(named("a b c d"), graph, named("y z"))
    assert dois(found) == "x p y"
    assert [one.way for one in found] == [Way.REFERENCE, Way.CITER, Way.REFERENCE]
    assert [one.sources for one in found] == [("a", "b", "c"), ("a", "b"), ("a", "d")]
    assert [one.shared for one in found] == [3, 2, 2]
    assert [one.paper for one in found] == [None, None, "y"]
    assert found[0].work.title == "Of x", "a person may fetch it by its title and DOI"


def test_of_a_bin_that_does_not_fit_the_most_cited_are_kept() -> None:
    # One source: everything has overlap 1. Of five works, three fit: c is cited 9 times, e 4 times; a, b and d twice each,
    # so that the first by its key is kept, a.
    graph = MadeUp({"s": "e d c b a"}, {}, {"c": 9, "e": 4, "a": 2, "b": 2, "d": 2})
    assert dois(traverse(named("s"), graph, (), limit=3)) == "c e a"
    # All five fit: nobody is asked how often they are cited, and they come by their keys.
    assert dois(traverse(named("s"), graph, (), limit=5)) == "a b c d e"
    assert traverse(named("s"), graph, (), limit=0) == []
    assert traverse((), graph, ()) == []


def of_the_article() -> dict[str, list[int]]:
    """Six sources as in section 8.1.1: one work cited by four, five by three, 29 by two, 428 by one. Works are numbers."""
    cited: dict[str, list[int]] = {f"s{number}": [] for number in range(6)}
    number = 0
    for overlap, works in ((4, 1), (3, 5), (2, 29), (1, 428)):
        for _ in range(works):
            for step in range(overlap):
                cited[f"s{(number + step) % 6}"].append(number)
            number += 1
    return cited


def test_the_example_of_the_article() -> None:
    # alpha 2/5: ceil(12/5) = 3, so that those cited by four and three stay: 1 + 5 = 6 works.
    assert fewest_shared(6, Fraction(2, 5)) == 3
    assert fewest_shared(6, 0.4) == 3

    def kept(fewest: int, limit: int) -> list[tuple[int, tuple[str, ...]]]:
        return filter_overlap(
            of_the_article(), (), fewest=fewest, limit=limit, times_cited=lambda one: one, key=lambda one: f"{one:03}"
        )

    assert [work for work, _ in kept(3, 12)] == [0, 1, 2, 3, 4, 5]
    # alpha 1/3: ceil(6/3) = 2. The limit of 12 leaves 12 - 6 = 6 places for the 29 works (6 to 34) that two cite: the six
    # most cited of these, which are here those of the greatest numbers.
    assert fewest_shared(6) == 2
    twelve = kept(2, 12)
    assert [work for work, _ in twelve] == [0, 1, 2, 3, 4, 5, 34, 33, 32, 31, 30, 29]
    assert [len(by) for _, by in twelve] == [4, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2]
    assert len(kept(1, 1000)) == 1 + 5 + 29 + 428


@pytest.mark.parametrize(
    ("sources", "share", "fewest"),
    # 0.1 · 30 is more than 3 in binary fractions, and must not become 4.
    [(1, Fraction(1, 3), 1), (3, 1 / 3, 1), (4, 1 / 3, 2), (6, 1 / 3, 2), (7, 1 / 3, 3), (30, 0.1, 3), (5, 1.0, 5)],
)
def test_the_threshold(sources: int, share: Fraction | float, fewest: int) -> None:
    assert fewest_shared(sources, share) == fewest


def test_two_files_of_one_paper_are_one_source() -> None:
    # a and A are one: of three sources (a, b, c), one has to share, and x is shared by two, not three.
    files = [*named("a"), paper("A", title="Other", doi="https://doi.org/10.1000/A"), *named("b c")]
    graph = MadeUp({"a": "x", "A": "x", "b": "x", "c": "A"}, {}, {})
    [found] = traverse(files, graph, ())
    assert (dois([found]), found.sources) == ("x", ("a", "b"))


def test_sources_are_papers_with_evidence_of_eight_or_more() -> None:
    def gathered(id: str, score: float, first: int = 0) -> Gathered:
        return Gathered(Passage(id, first, "Results", "results", None, ("It helps.",), (0.5,)), score, first)

    papers = named("a b c")
    evidence = [gathered("a", 8), gathered("b", 7.99), gathered("c", 10), gathered("a", 9, 4), gathered("gone", 10)]
    assert [one.id for one in sources_of(evidence, papers)] == ["c", "a"]
    assert [one.id for one in sources_of(evidence, papers, least=7)] == ["c", "a", "b"]


@given(
    st.lists(st.lists(st.integers(0, 12), max_size=10), max_size=7),
    st.integers(0, 8),
    st.integers(1, 3),
)
def test_whatever_is_cited_the_rules_hold(lists: list[list[int]], limit: int, fewest: int) -> None:
    cited = {str(number): works for number, works in enumerate(lists)}
    own = {0, 1}
    kept = filter_overlap(cited, own, fewest=fewest, limit=limit, times_cited=lambda one: one % 4, key=str)
    works = [work for work, _ in kept]
    overlaps = [len(by) for _, by in kept]
    assert len(set(works)) == len(works) <= limit
    assert not own & set(works)
    assert overlaps == sorted(overlaps, reverse=True)
    for work, by in kept:
        assert set(by) == {source for source, several in cited.items() if work in several}
        assert len(by) >= fewest
    others = {one for several in lists for one in several} - own - set(works)
    shared = {one: sum(one in several for several in lists) for one in others}
    if len(kept) < limit:
        assert all(overlap < fewest for overlap in shared.values()), "nothing that fits is left out"
    elif kept:
        assert all(overlap <= overlaps[-1] for overlap in shared.values()), "and nothing better"


# ---- Which records are of one work ----


def test_records_are_joined_by_doi_or_else_pmid_or_else_title() -> None:
    # One work in four records: DOI; DOI and PMID; PMID and title; title in other letters.
    one = [
        CitedWork(title="Naps in Bees"),
        CitedWork(doi="10.1000/A", authors=("Ada Rossi",)),
        CitedWork("Naps in bees.", pmid="7"),
        CitedWork(doi="10.1000/a", pmid="7", year=2001),
    ]
    # Others: the same title with another DOI, the same title with another PMID.
    others = [CitedWork("Naps in bees", doi="10.1000/b"), CitedWork("Naps in bees", pmid="9", doi="10.1000/c")]
    # Worked out: those with DOI and PMID come first, 10.1000/a with 7 and 10.1000/c with 9; then those with a DOI alone. By
    # its PMID, 7 brings 10.1000/a its title. The record with a title only could be any of three; it goes to the work that
    # had the title first, 10.1000/c.
    works = Works([*one, *others])
    assert works.works == [
        CitedWork("Naps in bees.", ("Ada Rossi",), None, 2001, "10.1000/a", "7"),
        CitedWork("Naps in bees", doi="10.1000/c", pmid="9"),
        CitedWork("Naps in bees", doi="10.1000/b"),
    ]
    assert [works.find(each) for each in one] == [1, 0, 0, 0]
    assert works.find(CitedWork("naps in BEES", pmid="9")) == 1
    assert works.find(CitedWork("Naps in bees", pmid="9", doi="10.1000/new")) is None
    assert works.find(CitedWork(authors=("Ada Rossi",), year=2001)) is None
    assert Works([CitedWork(year=2001)]).works == []


def test_the_order_of_records_decides_nothing_where_names_are_sure() -> None:
    records = [CitedWork("T", pmid="1"), CitedWork(doi="10.1000/a", pmid="1"), CitedWork("T"), CitedWork("U", pmid="2")]
    for order in (records, records[::-1]):
        works = Works(order)
        assert {key_of(one) for one in works.works} == {"doi:10.1000/a", "pmid:2"}
        assert works.find(records[2]) == works.find(records[1])


def test_keys() -> None:
    assert key_of(CitedWork("T", doi="10.1000/A", pmid="1")) == "doi:10.1000/a"
    assert key_of(CitedWork("T", pmid="1")) == "pmid:1"
    assert key_of(CitedWork("Naps, in BEES?")) == "title:naps in bees"
    assert key_of(CitedWork(" … ")) == ""


# ---- The citations of a library ----


def test_a_library_tells_references_citers_and_how_often() -> None:
    # a cites b (by its PMID), x, and itself; b cites x (by its title) and y; c, which goes by nothing, cites x and a.
    papers = [
        paper("a", title="Of a", doi="10.1000/a"),
        paper("b", title="Of b", pmid="2"),
        paper("c"),
    ]
    references = {
        "a": [CitedWork(pmid="2"), work("x"), work("a")],
        "b": [CitedWork("OF X"), work("y")],
        "c": [work("x"), work("x"), CitedWork("of A")],
    }
    graph = LibraryCitations(papers, references)
    assert graph.references_of(papers[0]) == [CitedWork("Of b", pmid="2"), work("x")]
    assert graph.references_of(papers[1]) == [work("x"), work("y")]
    assert [one.title for one in graph.citers_of(papers[1])] == ["Of a"]
    assert graph.citers_of(papers[2]) == []
    assert graph.times_cited(work("x")) == 3
    assert graph.times_cited(CitedWork("of y!")) == 1
    assert graph.times_cited(work("unknown")) == 0
    # From a and b, with ceil(2/3) = 1: past x (2), y (1), while a and b are sources. Future: c cites a, but goes by nothing.
    found = traverse(papers[:2], graph, papers)
    assert (dois(found), [one.shared for one in found]) == ("x y", [2, 1])


CITING = """<article><front><article-meta><article-id pub-id-type="doi">10.1000/{own}</article-id><title-group>
<article-title>Of {own}</article-title></title-group></article-meta></front><body><p>Bees nap at night.</p></body>
<back><ref-list>{refs}</ref-list></back></article>"""
ENTRY = '<ref><mixed-citation><pub-id pub-id-type="doi">10.1000/{}</pub-id></mixed-citation></ref>'


def test_files_in_a_library_are_followed(tmp_path: Path) -> None:
    cites = {"a": "b x", "b": "x", "c": "a b"}
    files = [
        read_paper(CITING.format(own=own, refs="".join(map(ENTRY.format, refs.split()))).encode(), name=f"{own}.xml")
        for own, refs in cites.items()
    ]
    library = open_library("papers", Embedder.installed(tmp_path), Settings(tmp_path, None))
    library.add(files)
    a, b, c = library.papers()
    # From a and b: both cite x, which is outside; c, which is in the library, cites both.
    past, future = traverse([a, b], LibraryCitations.of(library), library.papers())
    assert (past.work.doi, past.way, past.paper, past.shared) == ("10.1000/x", Way.REFERENCE, None, 2)
    assert (future.paper, future.way, future.shared) == (c.id, Way.CITER, 2)
