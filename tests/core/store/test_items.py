"""The items of a review: who stands for whom, and that none is lost or there twice."""

from __future__ import annotations

from dataclasses import replace

from core.references.model import Reference
from core.store import Pairing, Project, ReviewItem, Store, StoredPaper, StoredReference, items_of

PAPER = StoredPaper("p", "a", "a.pdf", "Walking", "Rossi · 2020", "Rossi 2020", year=2020, doi="10.1/a", abstract="It.")
OTHER = StoredPaper("p", "b", "b.pdf")


def entry(id: str, source: str = "one.ris", paper: str | None = None, **said: object) -> StoredReference:
    """A reference of the first record of a file."""
    return StoredReference("p", id, source, 1, Reference(**{"title": f"Title {id}", **said}), paper)  # type: ignore[arg-type]


def same(first: str, second: str) -> Pairing:
    """A reviewer says that these two are the same."""
    return Pairing("p", first, second, same=True)


def ids(*args: object) -> list[str]:
    """The ids of the items."""
    return [item.id for item in items_of(*args)]  # type: ignore[arg-type]


def test_a_paper_is_an_item_with_the_sources_of_its_references() -> None:
    references = [entry("r1", paper="a"), entry("r2", "two.nbib", paper="a"), entry("r3", "two.nbib", paper="a")]
    assert items_of([PAPER, OTHER], references, []) == (
        ReviewItem("a", True, "Walking", "Rossi · 2020", "Rossi 2020", 2020, "It.", "10.1/a", ("one.ris", "two.nbib")),
        ReviewItem("b", True, "b.pdf"),
    )


def test_a_paper_that_tells_no_authors_or_year_has_those_of_its_reference() -> None:
    bare = StoredPaper("p", "b", "b.pdf", title="Tea")
    silent = entry("r1", paper="b", authors=(), year=None)
    told = entry("r2", paper="b", authors=("Ito, K.",), year=2019)
    (item,) = items_of([bare], [silent, told], [])
    assert (item.study, item.year) == ("Ito 2019", 2019)
    (own,) = items_of([replace(bare, authors=("Rossi, A.",), year=2020)], [told], [])
    assert own.study == "Rossi 2020"


def test_a_reference_without_its_paper_is_an_item_of_its_own() -> None:
    said = entry(
        "r",
        title="Tea",
        authors=("Rossi, A.", "Bianchi, B.", "Verdi, C."),
        year=2019,
        journal="Hive Notes",
        doi="10.1/r",
        abstract="Tea helps.",
        registrations=("NCT01234567",),
    )
    (item,) = items_of([], [said], [])
    assert item == ReviewItem(
        "r",
        False,
        "Tea",
        "Rossi, A. et al. · Hive Notes 2019 · doi:10.1/r · NCT01234567",
        "Rossi 2019",
        2019,
        "Tea helps.",
        "10.1/r",
        ("one.ris",),
    )


def test_what_a_reference_does_not_say_is_left_out() -> None:
    alone, named = items_of(
        [], [entry("r", title=""), entry("s", authors=("Rossi, A.",), year=2019, doi=None, pmid="12")], []
    )
    assert (alone.title, alone.citation, alone.study) == ("Record 1 of one.ris", "", "")
    assert (named.citation, named.study) == ("Rossi, A. · 2019 · PMID 12", "Rossi 2019")


def test_a_reference_whose_paper_was_deleted_is_an_item_again() -> None:
    assert ids([OTHER], [entry("r", paper="a")], []) == ["b", "r"]


def test_the_second_of_two_that_are_the_same_is_left_out_and_its_sources_stay() -> None:
    references = [entry("r1"), entry("r2", "two.ris"), entry("r3", "three.ris", paper="b")]
    found = items_of([PAPER, OTHER], references, [same("a", "b"), same("r1", "r2")])
    assert [(item.id, item.sources) for item in found] == [("a", ("three.ris",)), ("r1", ("one.ris", "two.ris"))]


def test_chains_lead_to_one_item_and_rings_lose_none() -> None:
    references = [entry("r1", "1"), entry("r2", "2"), entry("r3", "3")]
    chain = [same("r2", "r3"), same("r1", "r2")]
    (item,) = items_of([], references, chain)
    assert (item.id, item.sources) == ("r1", ("1", "2", "3"))
    assert ids([], references, [*chain, same("r3", "r1")]) == ["r1"]


def test_not_the_same_or_the_first_gone_leaves_both() -> None:
    assert ids([PAPER, OTHER], [], [Pairing("p", "a", "b", same=False)]) == ["a", "b"]
    assert ids([OTHER], [], [same("a", "b")]) == ["b"]


def test_what_was_said_of_a_reference_holds_for_its_paper() -> None:
    assert ids([PAPER, OTHER], [entry("r", paper="b")], [same("a", "r")]) == ["a"]
    assert ids([PAPER], [entry("r", paper="a")], [same("a", "r")]) == ["a"], "a paper is not its own duplicate"


def test_a_paper_stands_for_a_reference_whichever_a_reviewer_kept() -> None:
    """Only the second reference is known to be the paper's: the paper, which came later, must not go."""
    references = [entry("r1"), entry("r2", "two.ris", paper="a"), entry("r3", "three.ris")]
    for said in ([same("r1", "r2"), same("r1", "r3")], [same("r3", "r1"), same("r1", "r2")]):
        found = items_of([PAPER], references, said)
        assert [(item.id, item.sources) for item in found] == [("a", ("one.ris", "two.ris", "three.ris"))]


def test_the_store_names_the_same_items_by_id_alone(store: Store) -> None:
    """A paper, a reference of a paper, one whose paper is gone, one without, its double, and a double of the paper."""
    papers = [StoredPaper("p", "x", "x.pdf"), StoredPaper("p", "y", "y.pdf"), StoredPaper("p", "z", "z.pdf")]
    references = [entry("r1", paper="x"), entry("r2", paper="z"), entry("r3"), entry("r4")]
    said = [same("r3", "r4"), same("x", "y")]
    with store.writing("Ann") as change:
        for record in (Project("p", "Tea", ("Ann",)), *papers, *references, *said):
            change.save(record)
        change.remove(change.paper("p", "z"))
    with store.reading() as now:
        assert now.item_ids("p") == ("x", "r2", "r3")
        assert list(now.item_ids("p")) == ids(papers[:2], references, said)


def test_a_paper_of_an_older_project_goes_by_its_study_too() -> None:
    old = StoredPaper("p", "x", "x.pdf", "Tea", study="Ada B. van der Berg et al. 2021", year=2021)
    (named,) = items_of([replace(old, authors=("Ada B. van der Berg", "Bo Li"))], [], [])
    (unknown,) = items_of([old], [], [])
    assert (named.study, unknown.study) == ("van der Berg 2021", "Ada B. van der Berg et al. 2021")
