"""The flow diagram: every number is in it, its words fit into their boxes, and no name can break out of it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from PIL import Image

from core.export.plots.drawing import Arrow, Drawing, Frame, Group, Text
from core.export.plots.png import png_of
from core.export.plots.svg import svg_of
from core.export.plots.wrapping import measured, wrapped
from core.export.prisma import FlowCounts, FlowItem, Source, SourceKind, Stream, flow_diagram, flow_of
from core.screening.model import ScreeningVerdict
from tests.core.export.reviews import HOSTILE

SVG = "{http://www.w3.org/2000/svg}"
IN, OUT = ScreeningVerdict.INCLUDE, ScreeningVerdict.EXCLUDE
DONE = FlowCounts(
    Stream((Source("medline.ris", 1200), Source("embase.nbib", 34)), 200, 0, 4, 1030, 900, 30, 100, {"Design": 60, "Age": 15}, 25),
    studies=23,
)  # fmt: skip
LONG = FlowCounts(
    Stream((Source("a", 325),), screened=325, assessed=325, excluded_by_reason={f"{number} {'comparator ' * 12}": number for number in range(1, 26)}),
    Stream((Source("W" * 200, 1),), screened=1, waiting_assessment=1),
)  # fmt: skip


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
        FlowItem("a", abstract=IN),
        FlowItem("a", abstract=IN, has_full_text=True),
    ]
    drawing = flow_diagram(flow_of(items))
    assert "Records screened (n = 2); 2 still to screen" in labels(drawing)
    assert "Reports sought for retrieval (n = 2); 1 still to retrieve" in labels(drawing)
    assert "Reports assessed for eligibility (n = 0); 1 still to assess" in labels(drawing)
    words = [shape.words for shape in drawing.shapes if isinstance(shape, Text)]
    assert words[0].startswith("Draft: 4 records and reports still wait")
    assert drawing.description.startswith("Draft: 4 records")


def test_other_methods_have_a_way_of_their_own_without_the_boxes_that_nothing_went_through() -> None:
    file = FlowItem("files", SourceKind.OTHER, full_text=IN)
    drawing = flow_diagram(flow_of([FlowItem("a", abstract=OUT), file]))
    assert labels(drawing).count("Identification of studies via other methods") == 1
    assert sum(label.startswith("Records screened") for label in labels(drawing)) == 1
    assert sum(label.startswith("Reports sought") for label in labels(drawing)) == 2
    bent = [shape for shape in drawing.shapes if isinstance(shape, Arrow) and len(shape.points) == 3]
    assert len(bent) == 1  # into the last box
    excluded = FlowItem("files", SourceKind.OTHER, abstract=OUT)
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
    items = [FlowItem(HOSTILE), FlowItem("a", full_text=OUT, reason=HOSTILE), FlowItem("\ud800", SourceKind.OTHER)]
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
        flow_diagram(FlowCounts(Stream(screened=1)))


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
