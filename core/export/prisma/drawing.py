"""The PRISMA 2020 flow diagram, drawn from the counts: every box as tall as its words need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from core.export.plots.drawing import Arrow, Drawing, Frame, Group, Part, Shape, Text
from core.export.plots.wrapping import measured, wrapped
from core.export.prisma.boxes import ASSESSED, IDENTIFIED, SCREENED, SOUGHT, Box, Step, included, steps_of
from core.export.prisma.counts import FlowCounts, SourceKind

SOURCE = "Layout after the PRISMA 2020 flow diagram (Page MJ et al., BMJ 2021;372:n71)."
_MARGIN, _STAGE, _GAP, _ROW_GAP = 16.0, 26.0, 40.0, 30.0
_WIDTH, _NARROW = 290.0, 210.0  # of a box: with one stream, with two
_SIZE, _NOTE, _LEADING, _PADDING, _INDENT = 14.0, 12.0, 1.35, 10.0, 14.0
_TIMES = (1, 1.4, 1.8, 2.2, 2.6)  # as wide may a box at the side be
_PAGE = 170.0, 240.0  # of a journal between its margins, in millimetres
_TOP, _BAR = 16.0, 28.0  # the streams' heads
_LAST = ASSESSED + 1
_BEYOND = 8.0  # its boxes is where a stage's bar begins and ends: room for its name
_STAGES = {"Identification": (IDENTIFIED,), "Screening": (SCREENED, SOUGHT, ASSESSED), "Included": (_LAST,)}
_STAGE_FILL, _HEAD_FILL, _ON_FILL = "#CFE0F3", "#F7DD8B", "#000000"


@dataclass(frozen=True, slots=True)
class _Column:
    """A stream's boxes, and where they stand."""

    kind: SourceKind
    steps: Mapping[int, Step]
    x: float
    width: float  # of the boxes on the way down
    side_width: float

    @property
    def side(self) -> float:
        """Where the boxes of what left begin."""
        return self.x + self.width + _GAP

    @property
    def end(self) -> float:
        """Where they end."""
        return self.side + self.side_width

    @property
    def middle(self) -> float:
        """Of the way down."""
        return self.x + self.width / 2


def flow_diagram(counts: FlowCounts, *, title: str = "PRISMA 2020 flow diagram") -> Drawing:
    """The diagram: one stream, or two where records came by other methods too. It says so while decisions are open.

    Raises `ValueError` if the counts do not add up.
    """
    counts.check()
    last = included(counts)
    columns = max(_layouts(counts), key=lambda layout: _size_in_print(layout, last))
    tops, heights = _rows(columns, last)
    left, right = columns[0].x, columns[-1].end
    shapes = [shape for column in columns for shape in _stream(column, tops)]
    shapes += _ending(columns, last, tops)
    shapes += (_stage(name, tops[rows[0]], tops[rows[-1]] + heights[rows[-1]]) for name, rows in _STAGES.items())
    y = tops[_LAST] + heights[_LAST] + 24
    for note, bold in ((_draft(counts), True), (SOURCE, False)):
        for line in wrapped(note, _NOTE, right - left, bold=bold):
            shapes.append(Text(left, y, line, _NOTE, bold=bold))
            y += _NOTE * _LEADING
    return Drawing(right + _MARGIN, y + _MARGIN / 2, title, " ".join(_in_words(counts, columns)), tuple(shapes))


def _layouts(counts: FlowCounts) -> Iterator[list[_Column]]:
    """Where the boxes may stand: those at the side wider and wider, for long reasons."""
    x = _MARGIN + _STAGE + 14
    steps = steps_of(counts.search, search=True)
    if not counts.other.sources:
        yield from ([_Column(SourceKind.SEARCH, steps, x, _WIDTH, _WIDTH * times)] for times in _TIMES)
        return
    others = steps_of(counts.other, search=False)
    for times, other_times in product(_TIMES, _TIMES):
        first = _Column(SourceKind.SEARCH, steps, x, _NARROW, _NARROW * times)
        start = first.end + _GAP
        yield [first, _Column(SourceKind.OTHER, others, start, _NARROW, _NARROW * other_times)]


def _size_in_print(columns: Sequence[_Column], last: Box) -> float:
    """How large the diagram is on a page that it fills, in millimetres to the pixel."""
    tops, heights = _rows(columns, last)
    return min(_PAGE[0] / (columns[-1].end + _MARGIN), _PAGE[1] / (tops[_LAST] + heights[_LAST] + 60))


def _rows(columns: Sequence[_Column], last: Box) -> tuple[list[float], list[float]]:
    """Where each row begins, and how tall it is."""
    heights = [
        max(
            _height(box, width)
            for column in columns
            if row in column.steps
            for box, width in ((column.steps[row].main, column.width), (column.steps[row].side, column.side_width))
            if box
        )
        for row in range(_LAST)
    ]
    heights.append(_height(last, columns[0].width))
    tops = [_TOP + _BAR + 16]
    for height in heights[:-1]:
        tops.append(tops[-1] + height + _ROW_GAP)
    return tops, heights


def _stream(column: _Column, tops: Sequence[float]) -> Iterator[Shape]:
    head = Frame(column.x, _TOP, column.end - column.x, _BAR, _HEAD_FILL)
    words = f"Identification of studies via {column.kind}"
    at = (column.x + column.end) / 2, _TOP + _BAR / 2
    yield Group(words, (head, Text(*at, words, _SIZE, "middle", bold=True, ink=_ON_FILL)))
    rows = sorted(column.steps)
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        step, top = column.steps[row], tops[row]
        bottom = top + _height(step.main, column.width)
        yield _drawn(step.main, column.x, top, column.width)
        if step.side:
            yield _drawn(step.side, column.side, top, column.side_width)
            y = top + min(bottom - top, _height(step.side, column.side_width)) / 2
            yield Arrow(((column.x + column.width, y), (column.side, y)))
        if following is not None:
            yield Arrow(((column.middle, bottom), (column.middle, tops[following])))


def _ending(columns: Sequence[_Column], last: Box, tops: Sequence[float]) -> Iterator[Shape]:
    """The last box, and the arrows into it: from above, and from the right for the second stream."""
    first, top = columns[0], tops[_LAST]
    yield _drawn(last, first.x, top, first.width)
    for column in columns:
        start = column.middle, tops[ASSESSED] + _height(column.steps[ASSESSED].main, column.width)
        if column is first:
            yield Arrow((start, (first.middle, top)))
        else:
            y = top + _height(last, first.width) / 2
            yield Arrow((start, (column.middle, y), (first.x + first.width, y)))


def _stage(name: str, top: float, bottom: float) -> Group:
    top, bottom = top - _BEYOND, bottom + _BEYOND
    bar = Frame(_MARGIN, top, _STAGE, bottom - top, _STAGE_FILL)
    middle = _MARGIN + _STAGE / 2, (top + bottom) / 2
    size = min(_SIZE, _SIZE * (bottom - top - 4) / measured(name, _SIZE, bold=True))
    return Group(name, (bar, Text(*middle, name, size, bold=True, ink=_ON_FILL, turned=True)))


def _drawn(box: Box, x: float, y: float, width: float) -> Group:
    shapes: list[Part] = [Frame(x, y, width, _height(box, width))]
    y += _PADDING
    for indent, size, line in _lines(box, width):
        y += size * _LEADING
        shapes.append(Text(x + _PADDING + indent, y - size * _LEADING / 2, line, size))
    return Group("; ".join(words.text for words in box), tuple(shapes))


def _height(box: Box, width: float) -> float:
    return 2 * _PADDING + sum(size * _LEADING for _, size, _ in _lines(box, width))


def _lines(box: Box, width: float) -> Iterator[tuple[float, float, str]]:
    """Indent, size and words of every line; the further lines of an indented paragraph stand in a little more."""
    for words in box:
        size, indent = (_NOTE if words.note else _SIZE), (_INDENT if words.indent else 0)
        for number, line in enumerate(wrapped(words.text, size, width - 2 * _PADDING - 1.5 * indent)):
            yield indent * (1.5 if number else 1), size, line


def _draft(counts: FlowCounts) -> str:
    open_ = counts.waiting
    if not open_:
        return ""
    waits = "1 record or report still waits" if open_ == 1 else f"{open_:,} records and reports still wait"
    return f"Draft: {waits} for a decision or a full text, so these numbers will change."


def _in_words(counts: FlowCounts, columns: Sequence[_Column]) -> Iterator[str]:
    """All that the diagram says, for who cannot see it."""
    if counts.waiting:
        yield _draft(counts)
    for column in columns:
        yield f"Identification of studies via {column.kind}."
        for _, step in sorted(column.steps.items()):
            for box in filter(None, (step.main, step.side)):
                yield _sentence(box)
    yield _sentence(included(counts))


def _sentence(box: Box) -> str:
    return "; ".join(words.text for words in box).replace(":;", ":") + "."
