"""The PRISMA 2020 flow of a review's records: its counts and its diagram."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product

from core.export.drawing import Arrow, Drawing, Frame, Group, Shape, SimpleShape, Text, measured, wrapped
from core.screening.model import ScreeningVerdict

# ---- Counts ----
# Page MJ et al., "The PRISMA 2020 statement", BMJ 2021;372:n71: figure 1, and its version with other methods. Numbers
# count decided records only. Undecided ones are counted as `waiting`, so that the numbers of an unfinished review add
# up too.

NO_REASON = "No reason given"
_DECIDED = (ScreeningVerdict.INCLUDE, ScreeningVerdict.EXCLUDE)


class SourceKind(StrEnum):
    """How records were identified."""

    SEARCH = "databases and registers"
    OTHER = "other methods"  # websites, organisations, citations, and files that were added without a reference


class Removal(StrEnum):
    """Why a record was removed before screening."""

    DUPLICATE = "duplicate"
    AUTOMATION = "automation"  # marked as ineligible by an automation tool, and not seen by a person
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class FlowItem:
    """One record of a review, with the decisions on it. With a verdict of None or unsure, it is still waiting.

    If two people screen, a verdict is what they agree on or settled; an open conflict is None.
    """

    source: str  # the name of the database, the register or the file of references
    kind: SourceKind = SourceKind.SEARCH
    removal: Removal | None = None
    abstract: ScreeningVerdict | None = None  # by title and abstract
    full_text: ScreeningVerdict | None = None
    reason: str = ""  # for an exclusion by full text
    has_full_text: bool = False
    unobtainable: bool = False  # a person marked the report as not obtainable
    study: str = ""  # the same for all reports of a study; empty: the only report of its study


@dataclass(frozen=True, slots=True)
class RecordSource:
    """A source of records, and how many came from it."""

    name: str
    records: int


@dataclass(frozen=True, slots=True)
class FlowStream:
    """The counts of the records from one kind of source."""

    sources: tuple[RecordSource, ...] = ()
    duplicates: int = 0
    by_automation: int = 0
    removed_otherwise: int = 0
    screened: int = 0  # by title and abstract
    excluded: int = 0  # of these
    not_retrieved: int = 0
    assessed: int = 0  # by full text
    excluded_by_reason: Mapping[str, int] = field(default_factory=dict)  # most first
    reports_included: int = 0
    waiting_screening: int = 0
    waiting_retrieval: int = 0
    waiting_assessment: int = 0

    @property
    def identified(self) -> int:
        """All records, including removed ones."""
        return sum(source.records for source in self.sources)

    @property
    def removed(self) -> int:
        """Records removed before screening."""
        return self.duplicates + self.by_automation + self.removed_otherwise

    @property
    def sought(self) -> int:
        """Reports sought for retrieval: those that screening did not exclude."""
        return self.screened - self.excluded

    @property
    def waiting(self) -> int:
        """Records and reports that are waiting for a decision at any step."""
        return self.waiting_screening + self.waiting_retrieval + self.waiting_assessment

    def check(self) -> None:
        """Raise `ValueError` if the counts of a step do not add up to those of the one before."""
        reasons = sum(self.excluded_by_reason.values())
        found = self.not_retrieved + self.waiting_retrieval + self.waiting_assessment + self.assessed
        steps = {
            "identified = removed + screened + waiting": (
                self.identified,
                self.removed + self.screened + self.waiting_screening,
            ),
            "sought = not retrieved + assessed + waiting": (self.sought, found),
            "assessed = excluded by reason + included": (self.assessed, reasons + self.reports_included),
        }
        for step, (before, after) in steps.items():
            if before != after:
                raise ValueError(f"the counts do not add up: {step} is {before} = {after}")
        if min(self.sought, *(getattr(self, name) for name in _NUMBERS), *self.excluded_by_reason.values()) < 0:
            raise ValueError("a count is below zero")


_NUMBERS = (
    *("duplicates", "by_automation", "removed_otherwise", "screened", "excluded", "not_retrieved", "assessed"),
    *("reports_included", "waiting_screening", "waiting_retrieval", "waiting_assessment"),
)


@dataclass(frozen=True, slots=True)
class FlowCounts:
    """Both streams, and the number of included studies. A study may have several reports."""

    search: FlowStream = FlowStream()
    other: FlowStream = FlowStream()
    studies: int = 0

    @property
    def reports_included(self) -> int:
        """Reports of included studies."""
        return self.search.reports_included + self.other.reports_included

    @property
    def waiting(self) -> int:
        """Records and reports without a decision; 0 if the review is complete."""
        return self.search.waiting + self.other.waiting

    def check(self) -> None:
        """Raise `ValueError` if the counts do not add up, which is a bug."""
        self.search.check()
        self.other.check()
        if not min(1, self.reports_included) <= self.studies <= self.reports_included:
            raise ValueError(f"{self.studies} studies cannot have {self.reports_included} reports")


def flow_of(items: Iterable[FlowItem]) -> FlowCounts:
    """Count the records, and check the counts.

    A record that is excluded by its abstract ends there. A record with a verdict on its full text counts as included by
    its abstract and retrieved, whatever its other fields say. A record from other methods that has its full text needs
    no verdict on its abstract, as in PRISMA's template.
    """
    all_items = list(items)
    search, other = (_counted_stream([item for item in all_items if item.kind is kind]) for kind in SourceKind)
    included = [item for item in all_items if _end(item) == "included"]
    named = {item.study for item in included if item.study}
    counts = FlowCounts(search, other, studies=len(named) + sum(not item.study for item in included))
    counts.check()
    return counts


def _counted_stream(items: Sequence[FlowItem]) -> FlowStream:
    ends = Counter(_end(item) for item in items)
    removed = ends["duplicate"] + ends["automation"] + ends["other"]
    assessed = ends["excluded by full text"] + ends["included"]
    reasons = Counter(
        " ".join(item.reason.split()) or NO_REASON for item in items if _end(item) == "excluded by full text"
    )
    sources = Counter(item.source for item in items)
    return FlowStream(
        sources=tuple(RecordSource(name, records) for name, records in sources.items()),
        duplicates=ends["duplicate"],
        by_automation=ends["automation"],
        removed_otherwise=ends["other"],
        screened=len(items) - removed - ends["waits for screening"],
        excluded=ends["excluded"],
        not_retrieved=ends["not retrieved"],
        assessed=assessed,
        excluded_by_reason=dict(sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0].casefold()))),
        reports_included=ends["included"],
        waiting_screening=ends["waits for screening"],
        waiting_retrieval=ends["waits for retrieval"],
        waiting_assessment=ends["waits for assessment"],
    )


def _end(item: FlowItem) -> str:
    """The step at which a record ended or is waiting."""
    if item.removal is not None:
        return item.removal.value
    if item.abstract is ScreeningVerdict.EXCLUDE:
        return "excluded"
    if item.full_text in _DECIDED:
        return "included" if item.full_text is ScreeningVerdict.INCLUDE else "excluded by full text"
    unscreened = item.kind is SourceKind.OTHER and item.abstract is None and item.has_full_text
    if item.abstract is not ScreeningVerdict.INCLUDE and not unscreened:
        return "waits for screening"
    if item.has_full_text:
        return "waits for assessment"
    return "not retrieved" if item.unobtainable else "waits for retrieval"


# ---- The texts in the boxes, step by step ----


@dataclass(frozen=True, slots=True)
class BoxText:
    """A paragraph of a box. A `note` says what is still undecided, in smaller letters."""

    text: str
    indent: bool = False
    note: bool = False


Box = tuple[BoxText, ...]


@dataclass(frozen=True, slots=True)
class FlowStep:
    """The main box of a step, and the side box of the records that left there."""

    main: Box
    side: Box | None = None


IDENTIFIED, SCREENED, SOUGHT, ASSESSED = range(4)  # the rows of the diagram, except the last one


def steps_of(stream: FlowStream, *, search: bool) -> dict[int, FlowStep]:
    """A stream's boxes by row.

    For other methods, there are no boxes for removal and screening if these are empty, as in PRISMA's template.
    """
    steps = {IDENTIFIED: FlowStep(_identified(stream), _removed(stream) if search or stream.removed else None)}
    if search or stream.excluded or stream.waiting_screening:
        steps[SCREENED] = FlowStep(
            _box("Records screened", stream.screened, stream.waiting_screening, "to screen"),
            _box("Records excluded", stream.excluded),
        )
    steps[SOUGHT] = FlowStep(
        _box("Reports sought for retrieval", stream.sought, stream.waiting_retrieval, "to retrieve"),
        _box("Reports not retrieved", stream.not_retrieved),
    )
    steps[ASSESSED] = FlowStep(
        _box("Reports assessed for eligibility", stream.assessed, stream.waiting_assessment, "to assess"),
        _reasons(stream),
    )
    return steps


def included(counts: FlowCounts) -> Box:
    """The last box."""
    return (
        BoxText(counted("Studies included in review", counts.studies)),
        BoxText(counted("Reports of included studies", counts.reports_included)),
    )


def counted(words: str, number: int) -> str:
    """A text with its number in PRISMA's style."""
    return f"{words} (n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{number:,})"


def _box(words: str, number: int, waiting: int = 0, what: str = "") -> Box:
    note = (BoxText(f"{waiting:,} still {what}", note=True),) if waiting else ()
    return (BoxText(counted(words, number)), *note)


def _identified(stream: FlowStream) -> Box:
    head = counted("Records identified", stream.identified)
    if not stream.sources:
        return (BoxText(head),)
    named = (BoxText(counted(source.name, source.records), indent=True) for source in stream.sources)
    return (BoxText(f"{head} from:"), *named)


def _removed(stream: FlowStream) -> Box:
    return (
        BoxText("Records removed before screening:"),
        BoxText(counted("Duplicate records", stream.duplicates), indent=True),
        BoxText(counted("Records marked as ineligible by automation tools", stream.by_automation), indent=True),
        BoxText(counted("Records removed for other reasons", stream.removed_otherwise), indent=True),
    )


def _reasons(stream: FlowStream) -> Box:
    head = counted("Reports excluded", sum(stream.excluded_by_reason.values()))
    if not stream.excluded_by_reason:
        return (BoxText(head),)
    named = (BoxText(counted(reason, number), indent=True) for reason, number in stream.excluded_by_reason.items())
    return (BoxText(f"{head}:"), *named)


# ---- Drawing, in which the height of every box depends on its text ----

SOURCE = "Layout after the PRISMA 2020 flow diagram (Page MJ et al., BMJ 2021;372:n71)."
_MARGIN, _STAGE, _GAP, _ROW_GAP = 16.0, 26.0, 40.0, 30.0
_WIDTH, _NARROW = 290.0, 210.0  # widths of a box with one stream, and with two
_SIZE, _NOTE, _LEADING, _PADDING, _INDENT = 14.0, 12.0, 1.35, 10.0, 14.0
_TIMES = (1, 1.4, 1.8, 2.2, 2.6)  # factors for the width of the side boxes
_PAGE = 170.0, 240.0  # the type area of a journal's page, in millimetres
_TOP, _BAR = 16.0, 28.0  # top and height of the streams' headers
_LAST = ASSESSED + 1
_BEYOND = 8.0  # a stage's bar is longer than its boxes by this at both ends, to have room for its name
_STAGES = {"Identification": (IDENTIFIED,), "Screening": (SCREENED, SOUGHT, ASSESSED), "Included": (_LAST,)}
_STAGE_FILL, _HEAD_FILL, _ON_FILL = "#CFE0F3", "#F7DD8B", "#000000"


@dataclass(frozen=True, slots=True)
class _Column:
    """A stream's boxes and their positions."""

    kind: SourceKind
    steps: Mapping[int, FlowStep]
    x: float
    width: float  # of the main boxes
    side_width: float

    @property
    def side(self) -> float:
        """The left edge of the side boxes."""
        return self.x + self.width + _GAP

    @property
    def end(self) -> float:
        """The right edge of the side boxes."""
        return self.side + self.side_width

    @property
    def middle(self) -> float:
        """The horizontal middle of the main boxes."""
        return self.x + self.width / 2


def flow_diagram(counts: FlowCounts, *, title: str = "PRISMA 2020 flow diagram") -> Drawing:
    """The diagram, with a second stream if there are records from other methods. It says if decisions are open.

    Raises `ValueError` if the counts do not add up.
    """
    counts.check()
    last = included(counts)
    columns = max(_layouts(counts), key=lambda layout: _size_in_print(layout, last))
    tops, heights = _rows(columns, last)
    left, right = columns[0].x, columns[-1].end
    shapes = [shape for column in columns for shape in _drawn_stream(column, tops)]
    shapes += _ending(columns, last, tops)
    shapes += (_stage(name, tops[rows[0]], tops[rows[-1]] + heights[rows[-1]]) for name, rows in _STAGES.items())
    y = tops[_LAST] + heights[_LAST] + 24
    for note, bold in ((_draft(counts), True), (SOURCE, False)):
        for line in wrapped(note, _NOTE, right - left, bold=bold):
            shapes.append(Text(left, y, line, _NOTE, bold=bold))
            y += _NOTE * _LEADING
    return Drawing(right + _MARGIN, y + _MARGIN / 2, title, " ".join(_in_words(counts, columns)), tuple(shapes))


def _layouts(counts: FlowCounts) -> Iterator[list[_Column]]:
    """Possible layouts, with different widths of the side boxes for long reasons."""
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
    """The scale at which the diagram fits a page, in millimetres per pixel."""
    tops, heights = _rows(columns, last)
    return min(_PAGE[0] / (columns[-1].end + _MARGIN), _PAGE[1] / (tops[_LAST] + heights[_LAST] + 60))


def _rows(columns: Sequence[_Column], last: Box) -> tuple[list[float], list[float]]:
    """The top and the height of each row."""
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


def _drawn_stream(column: _Column, tops: Sequence[float]) -> Iterator[Shape]:
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
    """The last box, and the arrows to it: from above, and from the right for the second stream."""
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
    shapes: list[SimpleShape] = [Frame(x, y, width, _height(box, width))]
    y += _PADDING
    for indent, size, line in _lines(box, width):
        y += size * _LEADING
        shapes.append(Text(x + _PADDING + indent, y - size * _LEADING / 2, line, size))
    return Group("; ".join(words.text for words in box), tuple(shapes))


def _height(box: Box, width: float) -> float:
    return 2 * _PADDING + sum(size * _LEADING for _, size, _ in _lines(box, width))


def _lines(box: Box, width: float) -> Iterator[tuple[float, float, str]]:
    """(indent, size, text) of every line. Later lines of an indented paragraph are indented a little more."""
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
    """The content of the diagram in sentences, for people who cannot see it."""
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
