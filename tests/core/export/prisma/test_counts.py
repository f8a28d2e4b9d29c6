"""The counts of the PRISMA flow: every record at one place, and every step what the one before left."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from core.export.prisma import FlowCounts, FlowItem, Removal, Source, SourceKind, Stream, flow_of
from core.screening.model import ScreeningVerdict

IN, OUT, UNSURE = ScreeningVerdict.INCLUDE, ScreeningVerdict.EXCLUDE, ScreeningVerdict.UNSURE


def test_every_kind_of_record_is_counted_once() -> None:
    counts = flow_of(
        [
            FlowItem("a.ris", removal=Removal.DUPLICATE, abstract=IN, full_text=IN),
            FlowItem("a.ris", removal=Removal.AUTOMATION),
            FlowItem("b.nbib", removal=Removal.OTHER),
            FlowItem("b.nbib"),
            FlowItem("b.nbib", abstract=UNSURE, has_full_text=True),
            FlowItem("a.ris", abstract=OUT, full_text=IN),
            FlowItem("a.ris", abstract=IN),
            FlowItem("a.ris", abstract=IN, unobtainable=True),
            FlowItem("a.ris", abstract=IN, has_full_text=True),
            FlowItem("a.ris", abstract=IN, has_full_text=True, full_text=UNSURE),
            FlowItem("a.ris", abstract=IN, has_full_text=True, full_text=OUT, reason="Wrong design"),
            FlowItem("a.ris", abstract=IN, has_full_text=True, full_text=OUT, reason=" Wrong  design\n"),
            FlowItem("a.ris", abstract=IN, has_full_text=True, full_text=OUT),
            FlowItem("a.ris", abstract=IN, has_full_text=True, full_text=IN),
        ]
    )
    search = counts.search
    assert search.sources == (Source("a.ris", 11), Source("b.nbib", 3))
    assert (search.identified, search.duplicates, search.by_automation, search.removed_otherwise) == (14, 1, 1, 1)
    assert (search.waiting_screening, search.screened, search.excluded, search.sought) == (2, 9, 1, 8)
    assert (search.waiting_retrieval, search.not_retrieved, search.waiting_assessment) == (1, 1, 2)
    assert (search.assessed, search.reports_included, counts.studies) == (4, 1, 1)
    assert list(search.excluded_by_reason.items()) == [("Wrong design", 2), ("No reason given", 1)]
    assert counts.waiting == 5
    assert counts.other == Stream()


def test_a_verdict_on_the_full_text_says_that_it_was_left_in_and_had() -> None:
    counts = flow_of([FlowItem("a", full_text=IN), FlowItem("a", abstract=UNSURE, full_text=OUT, unobtainable=True)])
    assert (counts.search.screened, counts.search.sought, counts.search.assessed) == (2, 2, 2)
    assert counts.waiting == 0


def test_a_file_without_a_reference_is_not_screened_by_its_abstract() -> None:
    file = FlowItem("files", SourceKind.OTHER, has_full_text=True)
    counts = flow_of([file, replace(file, abstract=UNSURE), replace(file, has_full_text=False)])
    assert (counts.other.waiting_assessment, counts.other.waiting_screening) == (1, 2)
    assert flow_of([replace(file, kind=SourceKind.SEARCH)]).search.waiting_screening == 1


def test_reports_of_one_study_are_one_study_across_the_streams() -> None:
    done = FlowItem("a", abstract=IN, full_text=IN, has_full_text=True)
    counts = flow_of([done, replace(done, study="x"), replace(done, study="x", kind=SourceKind.OTHER), done])
    assert (counts.reports_included, counts.studies) == (4, 3)
    assert counts.other.sources == (Source("a", 1),)


def test_no_record_is_no_error() -> None:
    assert flow_of([]) == FlowCounts()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"screened": 5}, "identified = removed"),
        ({"sources": (Source("a", 6),)}, "identified = removed"),
        ({"not_retrieved": 0}, "sought = not retrieved"),
        ({"excluded_by_reason": {}}, "assessed = excluded"),
        ({"not_retrieved": -1, "assessed": 4, "excluded_by_reason": {"x": 3}}, "below zero"),
    ],
)
def test_counts_that_do_not_add_up_are_refused(change: dict[str, object], said: str) -> None:
    right = Stream((Source("a", 5),), 1, 0, 0, 4, 1, 1, 2, {"x": 1}, 1)
    FlowCounts(right, studies=1).check()
    with pytest.raises(ValueError, match=said):
        FlowCounts(replace(right, **change), studies=1).check()  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="0 studies"):
        FlowCounts(right, studies=0).check()
    with pytest.raises(ValueError, match="2 studies"):
        FlowCounts(right, studies=2).check()


ITEMS = some.builds(
    FlowItem,
    source=some.sampled_from(["a", "b"]),
    kind=some.sampled_from(SourceKind),
    removal=some.none() | some.sampled_from(Removal),
    abstract=some.none() | some.sampled_from(ScreeningVerdict),
    full_text=some.none() | some.sampled_from(ScreeningVerdict),
    reason=some.sampled_from(["", "x"]),
    has_full_text=some.booleans(),
    unobtainable=some.booleans(),
    study=some.sampled_from(["", "s"]),
)


@given(some.lists(ITEMS, max_size=40))
def test_whatever_is_said_of_records_adds_up(items: list[FlowItem]) -> None:
    counts = flow_of(items)  # which checks
    ends = (counts.search, counts.other)
    out = sum(s.removed + s.excluded + s.not_retrieved + sum(s.excluded_by_reason.values()) for s in ends)
    assert len(items) == out + counts.reports_included + counts.waiting
