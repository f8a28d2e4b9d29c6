"""Report a review's searches as PRISMA-S requires (Rethlefsen ML et al., Syst Rev 2021;10:39)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.export.table import table_csv
from core.sources.services import Kind, service_named
from core.store.model import ProjectState
from core.store.source_model import Retrieval, RetrievalState, StoredSearch

_COLUMNS = ("date", "by", "source", "kind", "address", "string", "records found", "taken into the review", "problem")


@dataclass(frozen=True, slots=True)
class SearchLine:
    """One run of a search in one service: PRISMA-S items 1 (name), 8 (full strategy), 13 (date) and 15 (records)."""

    at: datetime  # UTC
    by: str
    source: str
    kind: str  # database or register
    address: str
    strings: tuple[str, ...]  # as they were sent
    found: int | None
    taken: int
    problem: str = ""


def search_lines(searches: Sequence[StoredSearch]) -> tuple[SearchLine, ...]:
    """Every run of a search in every service, oldest first."""
    lines = [line for search in searches for line in _lines(search)]
    return tuple(sorted(lines, key=lambda line: line.at))


def searches_of(state: ProjectState) -> tuple[StoredSearch, ...]:
    """The searches of a project that are not deleted."""
    return tuple(saved.record for saved in state.searches if not saved.removed)


def searches_csv(searches: Sequence[StoredSearch]) -> str:
    """One line per run in each service."""
    return table_csv(
        _COLUMNS,
        (
            dict(
                zip(
                    _COLUMNS,
                    (
                        f"{line.at:%Y-%m-%d %H:%M} UTC",
                        line.by,
                        line.source,
                        line.kind,
                        line.address,
                        "\n".join(line.strings),
                        "" if line.found is None else line.found,
                        line.taken,
                        line.problem,
                    ),
                    strict=True,
                )
            )
            for line in search_lines(searches)
        ),
    )


def searched_in_words(searches: Sequence[StoredSearch], retrievals: Sequence[Retrieval] = ()) -> str:
    """A paragraph for the methods section; empty if there is no search."""
    lines = search_lines(searches)
    if not lines:
        return ""
    answered = [line for line in lines if line.found is not None]
    sentences = []
    for kind in (Kind.DATABASE, Kind.REGISTER):
        of_kind = [line for line in answered if line.kind == kind.value]
        names = list(dict.fromkeys(line.source for line in of_kind))
        if names:
            word = f"{kind.value}{'s' if len(names) > 1 else ''}"
            sentences.append(f"We searched the {word} {_listed(names)} ({_dates([line.at for line in of_kind])}).")
    last = {(line.source, line.strings): line for line in answered}
    found = [f"{line.source}: {line.found:,}" for line in last.values()]
    sentences.append(
        f"The last run of each search found {'; '.join(found)} records." if found else "No search was answered."
    )
    silent = dict.fromkeys(line.source for line in lines if (line.source, line.strings) not in last)
    if silent:
        sentences.append(f"At least one search was not answered by {_listed(list(silent))}.")
    sentences.append(
        "The full strings, as they were sent through the services' programming interfaces, without limits or filters beyond "
        "those in the strings, are in the appendix."
    )
    reruns = sum(len(search.runs) > 1 for search in searches)
    if reruns:
        sentences.append(
            f"{reruns} {'search was' if reruns == 1 else 'searches were'} run again to find newer records."
        )
    fetched = [one for one in retrievals if one.state is RetrievalState.FETCHED]
    if fetched:
        services = _listed(sorted({one.service for one in fetched}))
        sentences.append(
            f"{len(fetched):,} open full {'text was' if len(fetched) == 1 else 'texts were'} fetched through {services}."
        )
    return " ".join(sentences)


def _lines(search: StoredSearch) -> Iterator[SearchLine]:
    for run in search.runs:
        for id, strings in search.strings.items():
            if id in run.found or id in run.problems:
                service = service_named(id)
                yield SearchLine(
                    run.at,
                    run.by,
                    service.name,
                    service.kind.value,
                    service.host,
                    strings,
                    run.found.get(id),
                    run.taken.get(id, 0),
                    run.problems.get(id, ""),
                )


def _dates(moments: Sequence[datetime]) -> str:
    days = sorted({f"{moment:%Y-%m-%d}" for moment in moments})
    return days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
