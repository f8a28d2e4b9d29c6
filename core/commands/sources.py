"""`sources`: what the literature services have, from the command line. `--check` tries each; `search`, `fetch` and
`notices` ask them; `stand-in` serves an invented literature on this computer in their place.

Running the command is consent that the named services are asked; each is printed before it is asked.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from core.commands.common import bytes_of, printable, say_where, terminal_progress, write_whole
from core.commands.notices_common import PLACES, checked_by_itself
from core.errors import QueryError, SourceError
from core.export.ris import DecidedReference, ris
from core.references import Reference
from core.review.marks import last_checked, marks, to_check
from core.review.notices import agree_to_checks, check_notices, take_back_checks
from core.review.searches import begin_search, certain_pairs, new_records, take
from core.settings import Settings, load_settings
from core.sources import full_texts, notices
from core.sources.asked import Asked, asked
from core.sources.checking import check_all
from core.sources.client import SourceClient
from core.sources.model import SourceRecord
from core.sources.searching import MOST_TAKEN, SOURCES, count_all, records_of, strings_of
from core.sources.services import SERVICES, Service, service_named
from core.store import Project, Store, open_store

_USUAL = ("europepmc", "pubmed")
ACTIONS = ("search", "fetch", "notices", "stand-in")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("action", nargs="?", choices=ACTIONS, help="what to do; without one, --check")
    parser.add_argument(
        "words", nargs="*", metavar="WORDS", help="a query in quotation marks, or DOIs, PMIDs and NCT numbers"
    )
    parser.add_argument("--check", action="store_true", help="try each service and say what works")
    parser.add_argument("--list", type=Path, metavar="FILE", help="take the query or the identifiers from a file")
    parser.add_argument(
        "--in",
        dest="services",
        nargs="+",
        default=list(_USUAL),
        choices=list(SOURCES),
        metavar="SERVICE",
        help=f"whom to search: {', '.join(SOURCES)} (default: {' '.join(_USUAL)})",
    )
    parser.add_argument("--mail", metavar="ADDRESS", help="yours, to identify with (default: VOUCH_MAIL)")
    parser.add_argument(
        "--calls", type=int, default=2_000, metavar="N", help="stop after so many (default: %(default)s)"
    )
    parser.add_argument(
        "--out", type=Path, metavar="PATH", help="search: a .ris file of the records; fetch: the folder for the files"
    )
    parser.add_argument(
        "--project",
        metavar="NAME",
        help="a project of the app. search: take the new records into it; notices: check all of its papers",
    )
    parser.add_argument("--reviewer", metavar="NAME", help="who does, if the project has several reviewers")
    parser.add_argument(
        "--by-itself",
        choices=("on", "off"),
        help="notices, of a project: agree, or no longer agree, that new papers are checked by themselves, and all papers before an export",
    )
    parser.add_argument(
        "--port", type=int, default=8770, help="of the stand-in; 0: any free one (default: %(default)s)"
    )
    parser.add_argument("--works", type=int, default=24, metavar="N", help="invented papers that the stand-in knows")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Carry out the action. Status 2 if a service or a paper failed."""
    if arguments.action == "stand-in":
        return _serve(arguments)
    if arguments.calls < 1:
        raise QueryError(f"--calls is {arguments.calls}: it must be at least 1.")
    if arguments.by_itself is not None and not (arguments.action == "notices" and arguments.project):
        raise QueryError("--by-itself is said of a project: give notices and --project NAME with it.")
    settings = load_settings()
    settings = replace(settings, mail=arguments.mail or settings.mail)
    if arguments.check or arguments.action is None:
        if not arguments.check:
            raise QueryError(f"Nothing is asked for. Give --check, or one of {', '.join(ACTIONS)}.")
        return _check(settings, arguments)
    text = bytes_of(arguments.list).decode("utf-8", "replace") if arguments.list else "\n".join(arguments.words)
    match arguments.action:
        case "search" if arguments.project:
            return _into_project(settings, arguments, text)
        case "search":
            return _search(settings, arguments, text)
        case "fetch":
            return _fetch(settings, arguments, asked(text))
        case "notices" if arguments.project:
            return _notices_of_project(settings, arguments)
        case _:
            return _notices(settings, arguments, asked(text))


def _tell(services: Sequence[Service], settings: Settings, what: str) -> None:
    places = ", ".join(f"{one.name} ({one.host})" for one in services)
    say_where(f"{what} to {places}.", settings)


def _client(settings: Settings, arguments: argparse.Namespace, stamp: str = "") -> SourceClient:
    return SourceClient(settings, arguments.mail, most_calls=arguments.calls, asked_anew=stamp)


def _now() -> str:
    return datetime.now(UTC).isoformat()


def _check(settings: Settings, arguments: argparse.Namespace) -> int:
    _tell(SERVICES, settings, "one small question goes")
    failed = False
    rows = []
    with _client(settings, arguments, _now()) as client:
        for one in check_all(client):
            failed = failed or bool(one.problem)
            rows.append({"service": one.service.id, "works": not one.problem, "told": one.told or one.problem})
            if not arguments.json:
                line = f"{'failed' if one.problem else 'works':7} {one.service.name:20} {one.problem or one.told}"
                print(printable(line), flush=True)
    if arguments.json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
    return 2 if failed else 0


def _search(settings: Settings, arguments: argparse.Namespace, text: str) -> int:
    strings = strings_of(text, arguments.services)
    _tell([service_named(id) for id in strings], settings, "the search goes")
    found: dict[str, list[SourceRecord]] = {}
    with terminal_progress() as progress, _client(settings, arguments, _now()) as client:
        counted = count_all(client, strings, progress)
        if arguments.out is not None:
            for one in counted:
                if one.count is not None and one.count > MOST_TAKEN:
                    raise QueryError(
                        f"{service_named(one.service).name} has {one.count:,} records, and {MOST_TAKEN:,} are the most that "
                        "can be taken. Narrow the search; nothing was written."
                    )
                if one.count is not None:
                    found[one.service] = list(records_of(client, one.service, strings[one.service]))
    if arguments.json:
        print(
            json.dumps(
                [
                    {"service": one.service, "strings": one.strings, "count": one.count, "problem": one.problem}
                    for one in counted
                ],
                ensure_ascii=False,
                indent=1,
            )
        )
    else:
        for one in counted:
            number = f"{one.count:>9,}" if one.count is not None else f"{'failed':>9}"
            print(printable(f"{number}  {service_named(one.service).name}  {one.problem}").rstrip())
    if arguments.out is not None:
        records = [record for some in found.values() for record in some]
        notes = [
            [f"from {service_named(record.service).name}", *(one.in_words for one in record.notices)]
            for record in records
        ]
        content = ris(DecidedReference(record.reference, note) for record, note in zip(records, notes, strict=True))
        write_whole(arguments.out, content)
        print(f"vouch: {len(records):,} records are in {arguments.out}, those of all services", file=sys.stderr)
    return 2 if any(one.problem for one in counted) else 0


def _into_project(settings: Settings, arguments: argparse.Namespace, text: str) -> int:
    strings = strings_of(text, arguments.services)
    with _project(settings, arguments) as (store, project):
        who = _reviewer(project, arguments)
        _tell([service_named(id) for id in strings], settings, "the search goes")
        with terminal_progress() as progress:
            search, counted = begin_search(
                store, settings, project.id, text, strings, who=who, progress=progress, most_calls=arguments.calls
            )
            services = [one.service for one in counted if one.count is not None]
            left = max(0, arguments.calls - sum(len(one.strings) for one in counted))
            new = new_records(store, settings, search, services, progress=progress, most_calls=left)
            taken = take(store, new, who=who)
        checked_by_itself(store, project.id, settings)
        with store.reading() as now:
            pairs = len(certain_pairs(now, project.id))
    for one in counted:
        number = f"{one.count:>9,}" if one.count is not None else f"{'failed':>9}"
        name = service_named(one.service).name
        problem = one.problem or new.problems.get(one.service, "")
        print(printable(f"{number}  {name}: {taken.get(one.service, 0):,} new  {problem}").rstrip())
    if pairs:
        print(f"vouch: {pairs:,} pairs have the same number; the app's page Papers settles them", file=sys.stderr)
    return 2 if new.problems or any(one.problem for one in counted) else 0


@contextmanager
def _project(settings: Settings, arguments: argparse.Namespace) -> Iterator[tuple[Store, Project]]:
    """The store, and the named project. Raises `QueryError` if there is none of this name, or more than one."""
    store = open_store(settings)
    try:
        with store.reading() as now:
            named = [saved.record for saved in now.projects() if saved.record.name == arguments.project]
        if len(named) != 1:
            raise QueryError(f"{len(named)} projects are called “{arguments.project}”. Name one that the app lists.")
        yield store, named[0]
    finally:
        store.close()


def _reviewer(project: Project, arguments: argparse.Namespace) -> str:
    who: str = arguments.reviewer or (project.reviewers[0] if len(project.reviewers) == 1 else "")
    if who not in project.reviewers:
        raise QueryError(f"Say with --reviewer who does: {', '.join(project.reviewers)}.")
    return who


def _references(named: Asked) -> list[Reference]:
    return [
        *(Reference("", doi=doi) for doi in named.dois),
        *(Reference("", pmid=pmid) for pmid in named.pmids),
    ]


def _fetch(settings: Settings, arguments: argparse.Namespace, named: Asked) -> int:
    wanted = _references(named)
    if not wanted or arguments.out is None:
        raise QueryError("Give DOIs or PMIDs to fetch, and with --out the folder for the files.")
    _tell(full_texts.ASKED, settings, f"{len(wanted)} questions go")
    failed = 0
    with terminal_progress() as progress, _client(settings, arguments) as client:
        for place, one in enumerate(wanted):
            number = one.doi or f"PMID {one.pmid}"
            progress(place / len(wanted), f"{place + 1:,} of {len(wanted):,}: {number}")
            try:
                found = full_texts.open_text(client, one)
                write_whole(arguments.out / found.name, found.data)
                print(printable(f"{number}: {found.name}, from {found.location}"))
            except SourceError as error:
                failed += 1
                print(printable(f"{number}: {error}"), file=sys.stderr)
    return 2 if failed else 0


def _notices(settings: Settings, arguments: argparse.Namespace, named: Asked) -> int:
    if not named.dois and not named.pmids:
        raise QueryError("Give DOIs or PMIDs to look for retractions of.")
    _tell(notices.ASKED, settings, f"{len(named.dois) + len(named.pmids)} numbers go")
    with terminal_progress() as progress, _client(settings, arguments, _now()) as client:
        found = notices.notices_on(
            client, {one: one for one in named.dois}, {f"PMID {one}": one for one in named.pmids}, progress
        )
    for number, some in found.items():
        print(printable(f"{number}: {'; '.join(one.in_words for one in some) or 'nothing is known against it'}"))
    return 0


def _notices_of_project(settings: Settings, arguments: argparse.Namespace) -> int:
    """Check all papers of a project, or give or withdraw the standing consent to such checks."""
    with _project(settings, arguments) as (store, project):
        if arguments.by_itself is not None:
            who = _reviewer(project, arguments)
            if arguments.by_itself == "off":
                take_back_checks(store, project.id, who=who)
                print("From now on services are asked about retractions only when you say so.")
            else:
                agree_to_checks(store, project.id, who=who)
                print(
                    f"DOIs and PMIDs go to {PLACES} when papers come in and before an export, and with them those of papers "
                    "that were never checked, until that is taken back."
                )
            return 0
        with store.reading() as now:
            count = to_check(now, project.id).count
        _tell(notices.ASKED, settings, f"the numbers of {count:,} papers go")
        with terminal_progress() as progress:
            check_notices(store, project.id, settings, progress=progress)
        with store.reading() as now:
            print(printable(last_checked(now, project.id).in_words or "The project holds no papers."))
            said = marks(now, project.id)
            titles = {
                saved.record.id: saved.record.title or saved.record.name for saved in now.stored_papers(project.id)
            }
            titles |= {saved.record.id: saved.record.reference.title for saved in now.references(project.id)}
            for item in now.item_ids(project.id):
                if item in said:
                    print(printable(f"{said[item].in_words}: {titles[item]}"))
    return 0


def _serve(arguments: argparse.Namespace) -> int:
    from core.sources.stand_in import StandIn  # noqa: PLC0415

    try:
        server = StandIn(arguments.works, port=arguments.port)
    except (OSError, OverflowError):
        raise QueryError(f"Port {arguments.port} cannot be used. Choose another with --port, or 0 for any.") from None
    with server:
        print("An invented literature answers on this computer in place of the services. Try it with:\n")
        print(f"export VOUCH_SOURCES_URL={server.address}\n")
        print('python -m core sources search "walking AND sleep" --in europepmc pubmed clinicaltrials', flush=True)
        server.wait()
    return 0
