"""What stands in the boxes of the flow diagram, step by step."""

from __future__ import annotations

from dataclasses import dataclass

from core.export.prisma.counts import FlowCounts, Stream


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph of a box. `note`: what is still open, in smaller letters."""

    text: str
    indent: bool = False
    note: bool = False


Box = tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A box of the way down, and the box of what left it there."""

    main: Box
    side: Box | None = None


IDENTIFIED, SCREENED, SOUGHT, ASSESSED = range(4)  # the rows of the diagram above the last one


def steps_of(stream: Stream, *, search: bool) -> dict[int, Step]:
    """A stream's boxes by row.

    Other methods have no box for what nothing went through: PRISMA's template leaves out removal and screening there.
    """
    steps = {IDENTIFIED: Step(_identified(stream), _removed(stream) if search or stream.removed else None)}
    if search or stream.excluded or stream.waiting_screening:
        steps[SCREENED] = Step(
            _box("Records screened", stream.screened, stream.waiting_screening, "to screen"),
            _box("Records excluded", stream.excluded),
        )
    steps[SOUGHT] = Step(
        _box("Reports sought for retrieval", stream.sought, stream.waiting_retrieval, "to retrieve"),
        _box("Reports not retrieved", stream.not_retrieved),
    )
    steps[ASSESSED] = Step(
        _box("Reports assessed for eligibility", stream.assessed, stream.waiting_assessment, "to assess"),
        _reasons(stream),
    )
    return steps


def included(counts: FlowCounts) -> Box:
    """The last box."""
    return (
        Words(counted("Studies included in review", counts.studies)),
        Words(counted("Reports of included studies", counts.reports_included)),
    )


def counted(words: str, number: int) -> str:
    """Words with their number, as PRISMA writes it."""
    return f"{words} (n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{number:,})"


def _box(words: str, number: int, waiting: int = 0, what: str = "") -> Box:
    note = (Words(f"{waiting:,} still {what}", note=True),) if waiting else ()
    return (Words(counted(words, number)), *note)


def _identified(stream: Stream) -> Box:
    head = counted("Records identified", stream.identified)
    if not stream.sources:
        return (Words(head),)
    named = (Words(counted(source.name, source.records), indent=True) for source in stream.sources)
    return (Words(f"{head} from:"), *named)


def _removed(stream: Stream) -> Box:
    return (
        Words("Records removed before screening:"),
        Words(counted("Duplicate records", stream.duplicates), indent=True),
        Words(counted("Records marked as ineligible by automation tools", stream.by_automation), indent=True),
        Words(counted("Records removed for other reasons", stream.removed_otherwise), indent=True),
    )


def _reasons(stream: Stream) -> Box:
    head = counted("Reports excluded", sum(stream.excluded_by_reason.values()))
    if not stream.excluded_by_reason:
        return (Words(head),)
    named = (Words(counted(reason, number), indent=True) for reason, number in stream.excluded_by_reason.items())
    return (Words(f"{head}:"), *named)
