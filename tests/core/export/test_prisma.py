"""The PRISMA flow: every record at one place, every number in the diagram, and no name breaks out of it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as some
from PIL import Image

from core.export.drawing import Arrow, Drawing, Frame, Group, Text, measured, png_of, svg_of, wrapped
from core.export.prisma import (
    FlowCounts,
    FlowItem,
    FlowStream,
    RecordSource,
    Removal,
    SourceKind,
    flow_diagram,
    flow_of,
)
from core.screening.model import ScreeningVerdict
from tests.core.export.reviews import HOSTILE

# ---- The counts of the PRISMA flow: every record at one place, and every step what the one before left ----

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
    assert search.sources == (RecordSource("a.ris", 11), RecordSource("b.nbib", 3))
    assert (search.identified, search.duplicates, search.by_automation, search.removed_otherwise) == (14, 1, 1, 1)
    assert (search.waiting_screening, search.screened, search.excluded, search.sought) == (2, 9, 1, 8)
    assert (search.waiting_retrieval, search.not_retrieved, search.waiting_assessment) == (1, 1, 2)
    assert (search.assessed, search.reports_included, counts.studies) == (4, 1, 1)
    assert list(search.excluded_by_reason.items()) == [("Wrong design", 2), ("No reason given", 1)]
    assert counts.waiting == 5
    assert counts.other == FlowStream()


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
    assert counts.other.sources == (RecordSource("a", 1),)


def test_no_record_is_no_error() -> None:
    assert flow_of([]) == FlowCounts()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"screened": 5}, "identified = removed"),
        ({"sources": (RecordSource("a", 6),)}, "identified = removed"),
        ({"not_retrieved": 0}, "sought = not retrieved"),
        ({"excluded_by_reason": {}}, "assessed = excluded"),
        ({"not_retrieved": -1, "assessed": 4, "excluded_by_reason": {"x": 3}}, "below zero"),
    ],
)
def test_counts_that_do_not_add_up_are_refused(change: dict[str, object], said: str) -> None:
    right = FlowStream((RecordSource("a", 5),), 1, 0, 0, 4, 1, 1, 2, {"x": 1}, 1)
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


# ---- The flow diagram: every number is in it, its words fit into their boxes, and no name can break out of it ----

SVG = "{http://www.w3.org/2000/svg}"
INCLUDED, EXCLUDED = ScreeningVerdict.INCLUDE, ScreeningVerdict.EXCLUDE
DONE = FlowCounts(
    FlowStream((RecordSource("medline.ris", 1200), RecordSource("embase.nbib", 34)), 200, 0, 4, 1030, 900, 30, 100, {"Design": 60, "Age": 15}, 25),
    studies=23,
)  # fmt: skip
LONG = FlowCounts(
    FlowStream(
        (RecordSource("a", 325),),
        screened=325,
        assessed=325,
        excluded_by_reason={f"{number} {'comparator ' * 12}": number for number in range(1, 26)},
    ),
    FlowStream((RecordSource("W" * 200, 1),), screened=1, waiting_assessment=1),
)


def boxes(drawing: Drawing) -> Iterator[tuple[str, Frame, list[Text]]]:
    """Every frame with its label and its words."""
    for shape in drawing.shapes:
        if isinstance(shape, Group):
            frame = next(part for part in shape.shapes if isinstance(part, Frame))
            yield shape.label, frame, [part for part in shape.shapes if isinstance(part, Text)]


def labels(drawing: Drawing) -> list[str]:
    return [label.replace("\N{NO-BREAK SPACE}", " ") for label, _, _ in boxes(drawing)]


def test_every_number_stands_in_its_box() -> None:
    assert labels(flow_diagram(DONE)) == [
        "Identification of studies via databases and registers",
        "Records identified (n = 1,234) from:; medline.ris (n = 1,200); embase.nbib (n = 34)",
        "Records removed before screening:; Duplicate records (n = 200); "
        "Records marked as ineligible by automation tools (n = 0); Records removed for other reasons (n = 4)",
        "Records screened (n = 1,030)",
        "Records excluded (n = 900)",
        "Reports sought for retrieval (n = 130)",
        "Reports not retrieved (n = 30)",
        "Reports assessed for eligibility (n = 100)",
        "Reports excluded (n = 75):; Design (n = 60); Age (n = 15)",
        "Studies included in review (n = 23); Reports of included studies (n = 25)",
        "Identification",
        "Screening",
        "Included",
    ]


def test_the_description_says_all_that_the_boxes_say() -> None:
    said = flow_diagram(DONE).description.replace("\N{NO-BREAK SPACE}", " ")
    assert "Reports excluded (n = 75): Design (n = 60); Age (n = 15)." in said
    assert "Studies included in review (n = 23); Reports of included studies (n = 25)." in said
    assert "Draft" not in said


def test_a_review_under_way_says_what_is_open() -> None:
    items = [
        FlowItem("a"),
        FlowItem("a"),
        FlowItem("a", abstract=INCLUDED),
        FlowItem("a", abstract=INCLUDED, has_full_text=True),
    ]
    drawing = flow_diagram(flow_of(items))
    assert "Records screened (n = 2); 2 still to screen" in labels(drawing)
    assert "Reports sought for retrieval (n = 2); 1 still to retrieve" in labels(drawing)
    assert "Reports assessed for eligibility (n = 0); 1 still to assess" in labels(drawing)
    words = [shape.words for shape in drawing.shapes if isinstance(shape, Text)]
    assert words[0].startswith("Draft: 4 records and reports still wait")
    assert drawing.description.startswith("Draft: 4 records")


def test_other_methods_have_a_way_of_their_own_without_the_boxes_that_nothing_went_through() -> None:
    file = FlowItem("files", SourceKind.OTHER, full_text=INCLUDED)
    drawing = flow_diagram(flow_of([FlowItem("a", abstract=EXCLUDED), file]))
    assert labels(drawing).count("Identification of studies via other methods") == 1
    assert sum(label.startswith("Records screened") for label in labels(drawing)) == 1
    assert sum(label.startswith("Reports sought") for label in labels(drawing)) == 2
    bent = [shape for shape in drawing.shapes if isinstance(shape, Arrow) and len(shape.points) == 3]
    assert len(bent) == 1  # into the last box
    excluded = FlowItem("files", SourceKind.OTHER, abstract=EXCLUDED)
    drawing = flow_diagram(flow_of([file, excluded]))
    assert sum(label.startswith("Records screened") for label in labels(drawing)) == 2


@pytest.mark.parametrize("counts", [FlowCounts(), DONE, LONG])
def test_words_fit_into_their_boxes_and_boxes_into_the_drawing(counts: FlowCounts) -> None:
    drawing = flow_diagram(counts)
    found = list(boxes(drawing))
    for label, frame, words in found:
        assert words, label
        assert frame.x >= 0
        assert frame.x + frame.width <= drawing.width
        assert frame.y + frame.height <= drawing.height
        for text in (text for text in words if not text.turned and text.anchor == "start"):
            assert frame.x < text.x
            assert text.x + measured(text.words, text.size) <= frame.x + frame.width
            assert frame.y <= text.y - text.size / 2
            assert text.y + text.size / 2 <= frame.y + frame.height
    frames = [frame for _, frame, _ in found]
    for place, one in enumerate(frames):
        for other in frames[place + 1 :]:
            beside = one.x + one.width <= other.x or other.x + other.width <= one.x
            assert beside or one.y + one.height <= other.y or other.y + other.height <= one.y


def test_many_long_reasons_are_all_there_on_a_page_that_can_be_read() -> None:
    drawing = flow_diagram(LONG)
    assert sum("comparator" in text.words for _, _, words in boxes(drawing) for text in words) >= 25
    assert min(170 / drawing.width, 240 / drawing.height) > 0.1  # millimetres to the pixel: 4 points


def test_hostile_names_are_text() -> None:
    items = [FlowItem(HOSTILE), FlowItem("a", full_text=EXCLUDED, reason=HOSTILE), FlowItem("\ud800", SourceKind.OTHER)]
    drawing = flow_diagram(flow_of(items), title=HOSTILE)
    for inline in (False, True):
        text = svg_of(drawing, inline=inline)
        assert "<script" not in text
        assert "\u202e" not in text
    root = ElementTree.fromstring(svg_of(drawing))
    known = {"svg", "title", "desc", "g", "rect", "polyline", "polygon", "text"}
    assert {element.tag for element in root.iter()} <= {f"{SVG}{name}" for name in known}
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on") or "href" in name]


def test_the_picture_takes_the_colour_of_its_page_and_is_the_same_as_png() -> None:
    drawing = flow_diagram(DONE)
    root = ElementTree.fromstring(svg_of(drawing, inline=True))
    drawn = [*root.iter("rect"), *root.iter("polyline")]
    assert {shape.attrib["stroke"] for shape in drawn} == {"currentColor"}
    assert {text.attrib["fill"] for text in root.iter("text")} == {"currentColor", "#000000"}
    assert sum(shape.attrib["fill"] == "none" for shape in root.iter("rect")) == len(list(boxes(drawing))) - 4
    image = Image.open(io.BytesIO(png_of(drawing))).convert("RGB")
    assert image.size == (int(drawing.width * 3), int(drawing.height * 3))
    _, frame, _ = next(box for box in boxes(drawing) if box[0].startswith("Records screened"))
    edge = round(frame.x * 3), round((frame.y + frame.height / 2) * 3)
    assert max(image.getpixel(edge)) < 128  # type: ignore[arg-type, operator]
    turned = [text for _, _, words in boxes(drawing) for text in words if text.turned]
    assert [text.words for text in turned] == ["Identification", "Screening", "Included"]
    assert svg_of(drawing).count('transform="rotate(-90 ') == 3


def test_counts_that_do_not_add_up_are_not_drawn() -> None:
    with pytest.raises(ValueError, match="do not add up"):
        flow_diagram(FlowCounts(FlowStream(screened=1)))


def test_the_head_of_an_arrow_points_where_it_goes() -> None:
    assert Arrow(((0, 0), (0, 50))).head == ((0, 50), (-4, 41), (4, 41))
    assert Arrow(((0, 0), (0, 9), (-50, 9))).head == ((-50, 9), (-41, 5), (-41, 13))


def test_words_are_wrapped_and_nothing_is_left_out() -> None:
    lines = wrapped("Reports  of\nincluded studies (n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}12)", 14, 100)
    assert " ".join(lines) == "Reports of included studies (n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}12)"
    assert len(lines) > 1
    assert all(measured(line, 14) <= 100 for line in lines)
    assert "".join(wrapped("W" * 50, 14, 100)) == "W" * 50
    assert wrapped("", 14, 100) == []
    assert wrapped("中", 14, 1) == ["中"]
