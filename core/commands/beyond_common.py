"""Shared by the commands that may ask literature services: the options, and adding open texts to a folder of papers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from core.answering.beyond import MOST_CALLS, Beyond, FetchedPaper, where_it_goes
from core.commands.common import say_where, write_whole
from core.errors import QueryError
from core.library import Library
from core.progress import Progress
from core.settings import load_settings
from core.sources.candidates import SEARCHED, searched_services

FETCHED_TEXTS = "fetched"  # subfolder of the papers for open texts from services


def add_services(parser: argparse.ArgumentParser, who: str, where: str) -> None:
    """Declare the options. In the help, `who` says who searches and `where` where open texts go."""
    parser.add_argument(
        "--services",
        metavar="S,S",
        help=f"{who} these, too, and fetch open texts into {where}: " + ",".join(service.id for service in SEARCHED),
    )
    parser.add_argument("--mail", metavar="ADDRESS", help="yours, to identify with to services (default: VOUCH_MAIL)")
    parser.add_argument(
        "--calls", type=int, default=MOST_CALLS, metavar="N", help="ask services no more often (default: %(default)s)"
    )


def services_of(arguments: argparse.Namespace) -> list[str]:
    """The services that the user agreed to. Raises `QueryError` for one that cannot be searched."""
    if arguments.services is None:
        return []
    if arguments.calls < 1:
        raise QueryError(f"--calls is {arguments.calls}: it must be at least 1.")
    services = [id.strip() for id in arguments.services.split(",") if id.strip()]
    searched_services(services)
    return services


@contextmanager
def agreed(
    arguments: argparse.Namespace,
    services: Sequence[str],
    folder: Path | None,
    library: Library,
    what: str | None = None,
) -> Iterator[Beyond | None]:
    """The services, which add papers to the folder and its library; None if none were agreed to.

    First prints what is sent where. `what` says what is sent if no agent searches.
    """
    if not services or folder is None:
        yield None
        return
    settings = load_settings()
    settings = replace(settings, mail=arguments.mail or settings.mail)

    def take(fetched: Sequence[FetchedPaper], progress: Progress) -> Mapping[str, str]:
        for one in fetched:
            write_whole(folder / FETCHED_TEXTS / one.text.name, one.text.data)
        library.add(
            (replace(one.paper, name=f"{FETCHED_TEXTS}/{one.text.name}") for one in fetched),
            progress=progress,
            count=len(fetched),
        )
        return {}

    with Beyond.of(services, settings, take, most_calls=arguments.calls) as opened:
        where = (opened.services, settings.mail)
        say_where(where_it_goes(*where, what) if what else where_it_goes(*where), settings)
        yield opened
