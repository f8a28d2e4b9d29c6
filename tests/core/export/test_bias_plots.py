"""Plots: every mark is there, says what it means, and no name can break out of it."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from PIL import Image

from core.bias import Level, Tool, tool_named
from core.bias.model import LOW
from core.bias.tools.rob1 import UNCLEAR
from core.errors import QueryError
from core.export.bias_plots import NO_INFORMATION, heading, legend, shares_of, summary_bars, traffic_light
from core.export.drawing import Drawing, Group, Text, fitted, png_of, svg_of, width_of
from core.export.levels import Basis, LevelCell, LevelTable, Study, settled_levels, suggested_levels
from tests.core.export.reviews import HOSTILE, both, paper, small_review, state

SVG = "{http://www.w3.org/2000/svg}"
ROB1, ROB2 = tool_named("rob1"), tool_named("rob2")
ALLOWED = {f"{SVG}{name}" for name in ("svg", "title", "desc", "g", "rect", "circle", "line", "text")}


def table(review: object = None, tool: Tool = ROB2) -> LevelTable:
    return settled_levels(review or small_review(), tool)  # type: ignore[arg-type]


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def marks(root: ElementTree.Element) -> list[ElementTree.Element]:
    """The groups that hold a circle: one a judgement."""
    return [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}circle") is not None]


def words(root: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def test_every_judgement_is_a_mark_with_its_colour_sign_and_words() -> None:
    root = parsed(svg_of(traffic_light(table())))
    found = marks(root)
    assert len(found) == 3 * 6  # papers x (domains and the whole)
    fills = Counter(mark.find(f"{SVG}circle").attrib["fill"] for mark in found)  # type: ignore[union-attr]
    assert fills == {"#02C100": 1, "#E2DF07": 4, "#BF0000": 2, "none": 11}
    for mark in found:
        said, sign = mark.findtext(f"{SVG}title"), mark.findtext(f"{SVG}text")
        fill = mark.find(f"{SVG}circle").attrib["fill"]  # type: ignore[union-attr]
        words_of = {"#02C100": ("Low", "+"), "#E2DF07": ("Some concerns", "!"), "#BF0000": ("High", "×")}
        word, expected = words_of.get(fill, ("No judgement yet", None))
        assert word in str(said)
        assert (sign or None) == expected
    assert {"Low", "Some concerns", "High", "No judgement yet"} <= set(words(root))
    assert not {"Unclear", "No information"} & set(words(root))


def test_the_alternative_in_text_says_every_judgement() -> None:
    root = parsed(svg_of(traffic_light(table(), title="Tea")))
    assert root.findtext(f"{SVG}title") == "Tea"
    said = root.findtext(f"{SVG}desc") or ""
    assert "Müller 2020a: Randomisation process no judgement yet, Deviations from intended interventions high" in said


def test_no_information_is_neither_blank_nor_a_level() -> None:
    root = parsed(svg_of(traffic_light(suggested_levels(small_review(), ROB2, "offline"))))
    fills = Counter(mark.find(f"{SVG}circle").attrib["fill"] for mark in marks(root))  # type: ignore[union-attr]
    assert fills == {"#E2DF07": 1, "#4EA1F7": 1, "none": 16}
    assert {"NI", "No information", "No judgement yet"} <= set(words(root))


def test_words_of_two_tools_never_mix() -> None:
    one = words(parsed(svg_of(traffic_light(table(state(paper("x"), *both("x", "sequence", UNCLEAR)), ROB1)))))
    assert "Unclear" in one
    assert "Some concerns" not in one
    styles = {*ROB1.levels.values(), *ROB2.levels.values(), NO_INFORMATION}
    assert len({style.sign for style in styles}) == len(styles) == 5


def test_a_hundred_papers_stay_readable() -> None:
    def height(count: int) -> float:
        papers = [paper(f"{number:064x}", f"Study {number}") for number in range(count)]
        root = parsed(svg_of(traffic_light(table(state(*papers)))))
        assert len(marks(root)) == count * 6
        return float(root.attrib["height"])

    assert (height(100) - height(1)) / 99 >= 28  # pixels a row


def test_hostile_names_are_text() -> None:
    drawing = traffic_light(table(state(paper("x", HOSTILE), paper("y", "\ud800"))), title=HOSTILE)
    for text in (svg_of(drawing), svg_of(drawing, inline=True)):
        assert "<script" not in text
        assert "\x00" not in text
        assert "\u202e" not in text
    root = parsed(svg_of(drawing))
    assert {element.tag for element in root.iter()} <= ALLOWED
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on") or "href" in name]
    assert Image.open(io.BytesIO(png_of(drawing))).size[0] > 1000


def test_the_writers_trust_no_text() -> None:
    odd = Text(5, 10, "$\\frac{$ \x01\ufffe <b>")
    drawing = Drawing(200, 20, HOSTILE, "\ud800", (Group("\x02", (odd,)),))
    assert words(parsed(svg_of(drawing))) == ["$\\frac{$    <b>"]
    assert Image.open(io.BytesIO(png_of(drawing))).size == (600, 60)


def test_inline_takes_the_colour_of_its_page_and_names_no_address() -> None:
    text = svg_of(traffic_light(table()), inline=True)
    assert "http" not in text
    assert 'fill="currentColor"' in text
    assert text.startswith("<svg ")


def test_shares_are_of_all_papers_and_add_up() -> None:
    shares = shares_of(table(), "D2", None)
    assert {style.word: round(share, 3) for style, share in shares.items()} == {
        "Some concerns": 0.333,
        "High": 0.333,
        "No judgement yet": 0.333,
    }
    weighted = shares_of(table(), "D2", {"a" * 64: 2, "b" * 64: 1, "c" * 64: 1})
    assert [round(share, 2) for share in weighted.values()] == [0.5, 0.25, 0.25]


def test_bars_are_as_wide_as_their_shares() -> None:
    root = parsed(svg_of(summary_bars(table())))
    bars = [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}rect") is not None]
    widths: dict[str, float] = {}
    for bar in bars:
        name = str(bar.findtext(f"{SVG}title")).rsplit(":", 1)[0]
        widths[name] = widths.get(name, 0) + float(bar.find(f"{SVG}rect").attrib["width"])  # type: ignore[union-attr]
    assert list(widths) == list(table().columns.values())
    assert {round(width) for width in widths.values()} == {460}
    assert "3 studies, each counted alike. Judged by people: consensus, or the level that all reviewers gave" in words(
        root
    )


@pytest.mark.parametrize("weights", [{}, {"x": 0}, {"x": -1}, {"x": float("nan")}])
def test_a_weight_that_is_none_is_refused(weights: dict[str, float]) -> None:
    with pytest.raises(QueryError, match="has no weight above zero"):
        summary_bars(table(state(paper("x", "Ito"))), weights=weights)


def test_nothing_to_plot_is_said() -> None:
    with pytest.raises(QueryError, match="no paper to plot"):
        summary_bars(table(state()))


def colours(data: bytes) -> set[tuple[int, ...]]:
    image = Image.open(io.BytesIO(data)).convert("RGB")
    assert image.format is None or image.format == "PNG"
    found: Iterable[tuple[int, tuple[int, ...]]] = image.getcolors(1 << 24) or ()
    return {colour for count, colour in found if count > 200}


@pytest.mark.slow
def test_the_png_is_the_same_picture() -> None:
    drawing = traffic_light(table())
    image = Image.open(io.BytesIO(png_of(drawing)))
    assert (image.format, image.size) == ("PNG", (round(drawing.width * 3), round(drawing.height * 3)))
    assert {(0x02, 0xC1, 0x00), (0xE2, 0xDF, 0x07), (0xBF, 0x00, 0x00), (255, 255, 255)} <= colours(png_of(drawing))
    only_low = table(state(paper("x"), *both("x", "D1", LOW)))
    assert (0x02, 0xC1, 0x00) in colours(png_of(summary_bars(only_low)))


def test_long_names_are_cut_to_fit() -> None:
    cut = fitted("W" * 200, 14, 300)
    assert cut.endswith("…")
    assert width_of(cut, 14) <= 300
    assert fitted("Ito 2019", 14, 300) == "Ito 2019"
    assert width_of("王伟", 10) > width_of("ab", 10)


@pytest.mark.parametrize("draw", [traffic_light, summary_bars])
def test_whose_levels_these_are_is_told_whole_also_on_a_narrow_plot(draw: Callable[[LevelTable], Drawing]) -> None:
    few = replace(ROB2, domains=ROB2.domains[:1])
    review = small_review()
    suggested = suggested_levels(review, few, "a model with a long name, asked section by section " * 3)
    for found in (table(review, few), suggested):
        drawing = draw(found)
        lines = [shape for shape in drawing.shapes if isinstance(shape, Text) and shape.y >= 54 and shape.size == 13]
        assert found.basis_in_words in " ".join(line.words for line in lines)
        assert all(width_of(line.words, line.size) <= drawing.width for line in lines)
    assert draw(suggested).height > draw(table(review, few)).height


def test_concerns_about_applicability_stand_apart_under_names_of_their_own() -> None:
    quadas = tool_named("quadas-2")
    cells = {domain.id: LevelCell(LOW, Basis.JUDGED) for domain in quadas.domains}
    with_them = parsed(svg_of(traffic_light(LevelTable(quadas, (Study("x", "Ito 2019", cells),)))))
    assert {"D1", "D4", "A1", "A3", "A1 Applicability: patient selection"} <= set(words(with_them))
    assert "Overall" not in words(with_them)
    upright = [line for line in with_them.iter(f"{SVG}line") if line.get("x1") == line.get("x2")]
    assert len(upright) == 1, "between the domains of bias and these"
    place = float(upright[0].get("x1") or 0)
    heads = {text.text: float(text.get("x") or 0) for text in with_them.iter(f"{SVG}text") if text.text in ("D4", "A1")}
    assert heads["D4"] < place < heads["A1"]
    rob1 = parsed(svg_of(traffic_light(table(state(paper("x"), *both("x", "sequence", UNCLEAR)), ROB1))))
    assert not [line for line in rob1.iter(f"{SVG}line") if line.get("x1") == line.get("x2")]


def test_no_information_as_a_level_is_told_once() -> None:
    robins = tool_named("robins-i")
    cells = {domain.id: LevelCell(None, Basis.OPEN, no_information=True) for domain in robins.domains}
    cells["result"] = LevelCell(Level("no information"), Basis.JUDGED)
    found = legend(LevelTable(robins, (Study("x", "Ito 2019", cells),)))
    assert [style.word for style in found] == ["Low", "Moderate", "No information", "Serious", "Critical"]


@pytest.mark.parametrize(
    ("id", "heads"), [("rob2-cluster", "D1 D1b D2 D3 D4 D5"), ("rob2-crossover", "D1 DS D2 D3 D4 D5")]
)
def test_domains_keep_the_names_of_their_tool(id: str, heads: str) -> None:
    tool = tool_named(id)
    drawn = LevelTable(tool, ())
    assert " ".join(heading(drawn, domain.id) for domain in tool.domains) == heads
