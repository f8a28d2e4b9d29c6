"""ClinicalTrials.gov's API (v2): registrations of trials, their planned outcomes and dates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.paper.identifiers import year_in
from core.references import Reference
from core.sources.asked import Asked, batches, page_by_page, query_of
from core.sources.client import SourceClient, quoted
from core.sources.model import PlannedOutcome, Registration, SourceRecord
from core.sources.reading import at, first, many, needed, number, words
from core.sources.services import CLINICAL_TRIALS

service = CLINICAL_TRIALS
takes_queries = True
_PAGE = 1000
_AT_ONCE = 80
_IDS = "ids: "


def strings(asked: Asked) -> tuple[str, ...]:
    """The strings to send: a query, or groups of registration numbers and titles one by one."""
    if not asked.is_list:
        return (query_of(asked.text),)
    numbers = (f"{_IDS}{' '.join(some)}" for some in batches(asked.trials, _AT_ONCE))
    return (*numbers, *(f'AREA[OfficialTitle]"{title}"' for title in asked.titles))


def count(client: SourceClient, string: str) -> int:
    """How many registrations match."""
    return _page(client, string, "", 1)[1]


def records(client: SourceClient, string: str, most: int) -> Iterator[SourceRecord]:
    """The registrations as records, page by page."""

    def page(token: str) -> tuple[list[Any], str]:
        studies, _, following = _page(client, string, token, min(_PAGE, most))
        return studies, following

    return map(_record, page_by_page(page, most))


def registration(client: SourceClient, number: str, *, keep: bool = True) -> Registration | None:
    """A registration by its number; None if the register does not have it."""
    none = Registration("", "")
    found = client.json(service, f"studies/{quoted(number)}", read=_registration, keep=keep, missing=none)
    return found if found.number else None


def _page(client: SourceClient, string: str, token: str, size: int) -> tuple[list[Any], int, str]:
    asked = (
        {"filter.ids": string.removeprefix(_IDS).replace(" ", "|")}
        if string.startswith(_IDS)
        else {"query.term": string}
    )
    params = asked | {"pageSize": str(size), "countTotal": "true", "format": "json"}
    if token:
        params["pageToken"] = token

    def read(document: Any) -> tuple[list[Any], int, str]:
        total = 0 if token else number(document, "totalCount")
        return needed(document, "studies"), total, words(document, "nextPageToken")

    return client.json(service, "studies", params, read=read, keep=False)


def _record(study: Any) -> SourceRecord:
    found = _registration(study)
    said = at(study, "protocolSection")
    sponsor = words(said, "sponsorCollaboratorsModule", "leadSponsor", "name")
    planned = "; ".join(one.measure for one in found.outcomes if one.kind == "primary")
    summary = words(said, "descriptionModule", "briefSummary")
    return SourceRecord(
        service.id,
        found.number,
        Reference(
            title=found.title,
            authors=tuple(filter(None, (sponsor,))),
            year=year_in(found.registered),
            journal=service.name,
            abstract=" ".join(filter(None, (summary, f"Primary outcomes: {planned}." if planned else ""))),
            registrations=(found.number,),
        ),
    )


def _registration(study: Any) -> Registration:
    said = at(study, "protocolSection")
    named, status = at(said, "identificationModule"), at(said, "statusModule")
    if not words(named, "nctId"):
        raise ValueError("a study without its number")
    planned = at(said, "outcomesModule")
    return Registration(
        words(named, "nctId").upper(),
        first((words(named, "officialTitle"), words(named, "briefTitle"))),
        first((words(status, "studyFirstSubmitDate"), words(status, "studyFirstPostDateStruct", "date"))),
        words(status, "startDateStruct", "date"),
        words(status, "primaryCompletionDateStruct", "date"),
        words(status, "lastUpdatePostDateStruct", "date"),
        tuple(
            PlannedOutcome(kind, words(one, "measure"), words(one, "timeFrame"))
            for kind in ("primary", "secondary", "other")
            for one in many(planned, f"{kind}Outcomes")
            if words(one, "measure")
        ),
        words(status, "overallStatus").replace("_", " ").lower(),
    )
