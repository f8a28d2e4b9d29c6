"""Where the records of a small review stand, counted by hand."""

from __future__ import annotations

import pytest

from core.export.prisma import FlowCounts, flow_of
from core.references.model import Reference
from core.review.outputs import FILES, flow_items
from core.screening.model import ScreeningVerdict
from core.store import (
    NOT_RETRIEVED,
    Pairing,
    Project,
    ScreeningConsensus,
    ScreeningDecision,
    Store,
    StoredPaper,
    StoredReference,
)

INCLUDE, EXCLUDE, UNSURE = ScreeningVerdict.INCLUDE, ScreeningVerdict.EXCLUDE, ScreeningVerdict.UNSURE
ANN, BEN = "Ann", "Ben"


def entry(number: int, *, source: str = "medline.ris", paper: str | None = None) -> StoredReference:
    name = f"{source[0]}{number}"
    return StoredReference("p", name, source, number, Reference(f"Record {name}"), paper, "DOI" if paper else "")


def both(item: str, verdict: ScreeningVerdict, reason: str = "") -> list[ScreeningDecision]:
    return [ScreeningDecision("p", item, who, verdict, reason) for who in (ANN, BEN)]


def one(item: str, who: str, verdict: ScreeningVerdict, reason: str = "") -> ScreeningDecision:
    return ScreeningDecision("p", item, who, verdict, reason)


@pytest.fixture
def review(store: Store) -> Store:
    """Eight records of MEDLINE and three of Embase; six papers, one of which came without a record."""
    with store.writing(ANN) as change:
        change.save(Project("p", "Towns", (ANN, BEN), blind=True))
        for id in ("x1", "x2", "x3", "x4", "x5", "file"):
            change.save(StoredPaper("p", id, f"{id}.pdf"))
        for number in (1, 2, 3, 4, 5):
            change.save(entry(number, paper=f"x{number}"))
        for number in (6, 7, 8):
            change.save(entry(number))
        change.save(entry(1, source="embase.nbib", paper="x1"))  # the same paper again: a duplicate
        change.save(entry(2, source="embase.nbib"))
        change.save(entry(3, source="embase.nbib"))
        change.save(Pairing("p", "m6", "e2", same=True))  # a reviewer says so: the other duplicate
        change.save(Pairing("p", "m7", "e3", same=False))
    records: list[ScreeningDecision | ScreeningConsensus] = [
        *both("x1", INCLUDE),
        *both("x2", EXCLUDE, "Wrong outcome"),
        *both("x3", EXCLUDE, "Wrong design"),
        one("x4", ANN, INCLUDE),
        one("x4", BEN, EXCLUDE, "Wrong design"),  # a conflict that is open
        one("x5", BEN, INCLUDE),  # Ann has not decided
        *both("m6", EXCLUDE, "Wrong population"),
        *both("m7", EXCLUDE, NOT_RETRIEVED),
        *both("m8", INCLUDE),  # its report is sought
        one("e3", ANN, EXCLUDE, "Wrong design"),
        one("e3", BEN, UNSURE),
        ScreeningConsensus("p", "e3", EXCLUDE, "Wrong design", "A protocol.", (ANN, BEN)),
        *both("file", INCLUDE),
    ]
    for record in records:
        with store.writing(getattr(record, "reviewer", ANN)) as change:
            change.save(record)
    return store


def counts(store: Store, reader: str = ANN) -> FlowCounts:
    with store.reading() as now:
        return flow_of(flow_items(now, "p", reader=reader))


def test_every_record_is_where_the_decisions_put_it(review: Store) -> None:
    found = counts(review)
    search, other = found.search, found.other
    assert {source.name: source.records for source in search.sources} == {"medline.ris": 8, "embase.nbib": 3}
    assert (search.identified, search.duplicates) == (11, 2)
    assert (search.screened, search.excluded) == (9, 2)  # m6 and e3
    assert (search.sought, search.not_retrieved, search.waiting_retrieval) == (7, 1, 1)  # m7; m8
    assert (search.assessed, search.waiting_assessment) == (3, 2)  # x4 and x5 wait
    assert dict(search.excluded_by_reason) == {"Wrong design": 1, "Wrong outcome": 1}
    assert search.reports_included == 1
    assert {source.name: source.records for source in other.sources} == {FILES: 1}
    assert (other.assessed, other.reports_included) == (1, 1)
    assert (found.studies, found.waiting) == (2, 3)


def test_what_is_hidden_counts_as_not_decided(review: Store) -> None:
    with review.writing(BEN) as change:
        change.save(ScreeningConsensus("p", "x5", INCLUDE, "", "Settled without Ann.", (BEN,)))
    assert counts(review, BEN).search.waiting_assessment == 1
    assert counts(review, ANN).search.waiting_assessment == 2, "her own decision must come first"


def test_a_removed_paper_leaves_its_record_to_its_abstract(review: Store) -> None:
    with review.writing(ANN) as change:
        change.remove(change.paper("p", "x1"))
        change.remove(change.paper("p", "file"))
    found = counts(review)
    assert found.other.identified == 0
    assert (found.search.identified, found.search.waiting_screening) == (11, 2), (
        "both entries stand for themselves again"
    )


def included(store: Store, papers: dict[str, tuple[str, ...]], references: dict[str, tuple[str, ...]]) -> FlowCounts:
    """A review of one reviewer that includes papers of these registration numbers, some with a reference that has some."""
    with store.writing(ANN) as change:
        change.save(Project("p", "Towns", (ANN,)))
        for id, numbers in papers.items():
            change.save(StoredPaper("p", id, f"{id}.pdf", registrations=numbers))
        for number, (id, numbers) in enumerate(references.items()):
            said = Reference(f"Record {number}", registrations=numbers)
            change.save(StoredReference("p", f"r{number}", "a.ris", number, said, id, "DOI"))
        for id in papers:
            change.save(one(id, ANN, INCLUDE))
    return counts(store)


NCT, ISRCTN = "NCT01234567", "ISRCTN12345678"


@pytest.mark.parametrize(
    ("papers", "references", "studies"),
    [
        ({"a": (NCT,), "b": (NCT,), "c": (ISRCTN,)}, {}, 2),
        ({"a": (NCT,), "b": (NCT, ISRCTN), "c": (ISRCTN,)}, {}, 3),  # b may be of either, or of both
        ({"a": (), "b": (), "c": ()}, {}, 3),
        ({"a": (NCT,), "b": (), "c": ()}, {"b": (NCT,)}, 2),  # b's reference says it
        ({"a": (NCT,), "b": (ISRCTN,)}, {"b": (NCT,)}, 2),  # what b itself says counts
        ({"a": (NCT,), "b": ()}, {"b": (NCT, ISRCTN)}, 2),
    ],
)
def test_reports_that_share_one_registration_number_are_one_study(
    store: Store, papers: dict[str, tuple[str, ...]], references: dict[str, tuple[str, ...]], studies: int
) -> None:
    found = included(store, papers, references)
    assert (found.studies, found.reports_included) == (studies, len(papers))


def test_a_report_that_is_excluded_makes_no_study_and_takes_none_away(store: Store) -> None:
    included(store, {"a": (NCT,), "b": (NCT,), "c": (NCT,)}, {})
    with store.writing(ANN) as change:
        change.save(one("b", ANN, EXCLUDE, "Wrong outcome"), seen=1)
    found = counts(store)
    assert (found.studies, found.reports_included, dict(found.search.excluded_by_reason)) == (1, 2, {})
    assert dict(found.other.excluded_by_reason) == {"Wrong outcome": 1}


def test_an_empty_review_has_counts_too(store: Store) -> None:
    with store.writing(ANN) as change:
        change.save(Project("p", "Towns", (ANN,)))
    assert (counts(store).search.identified, counts(store).studies) == (0, 0)
