"""The literature services that Vouch can ask: what each is, where it is, and how often it may be asked.

Addresses are written here and nowhere else. No other host is asked, except for a file at a location that was shown to a
person.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from core.errors import ForbiddenAddress
from core.settings import Settings


class Kind(StrEnum):
    """What PRISMA calls a service."""

    DATABASE = "database"
    REGISTER = "register"
    LOOK_UP = "look-up"  # is asked where an open copy of a known paper is


@dataclass(frozen=True, slots=True)
class Service:
    """A literature service.

    `calls` in `seconds` is what its documentation allows; `with_mail` and `with_key` are the higher numbers of calls
    for those who give a mail address or have a key.
    """

    id: str
    name: str
    address: str  # paths are appended to it
    kind: Kind
    calls: int
    seconds: float
    about: str  # in a few words, for people
    with_mail: int | None = None
    with_key: int | None = None
    takes_forms: bool = False  # a long question can be sent as a form (POST)

    @property
    def host(self) -> str:
        """The host, for people."""
        return urlsplit(self.address).hostname or self.address

    def most_calls(self, *, mail: bool, key: bool) -> int:
        """How many calls it allows in `seconds`, given whether the caller gives a mail address and has a key."""
        return max(self.calls, self.with_mail or 0 if mail else 0, self.with_key or 0 if key else 0)


EUROPE_PMC = Service(
    "europepmc",
    "Europe PMC",
    "https://www.ebi.ac.uk/europepmc/webservices/rest",
    Kind.DATABASE,
    10,
    1,
    "articles and preprints of the life sciences, with open full texts",
)
PUBMED = Service(
    "pubmed",
    "PubMed",
    "https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
    Kind.DATABASE,
    3,
    1,
    "MEDLINE and more, in the query language that reviewers write",
    with_key=10,
    takes_forms=True,
)
CROSSREF = Service(
    "crossref",
    "Crossref",
    "https://api.crossref.org",
    Kind.DATABASE,
    1,  # its limits for lists of works since December 2025, used for all calls
    1,
    "what publishers deposit: titles, references, retractions and corrections",
    with_mail=3,
)
OPENALEX = Service(
    "openalex",
    "OpenAlex",
    "https://api.openalex.org",
    Kind.DATABASE,
    10,
    1,
    "works of all fields, and who cites them",
)
SEMANTIC_SCHOLAR = Service(
    "semanticscholar",
    "Semantic Scholar",
    "https://api.semanticscholar.org/graph/v1",
    Kind.DATABASE,
    1,
    1,
    "works of all fields, and citations in both directions",
)
CLINICAL_TRIALS = Service(
    "clinicaltrials",
    "ClinicalTrials.gov",
    "https://clinicaltrials.gov/api/v2",
    Kind.REGISTER,
    5,
    6,
    "registrations of trials, with planned outcomes",
)
UNPAYWALL = Service(
    "unpaywall",
    "Unpaywall",
    "https://api.unpaywall.org/v2",
    Kind.LOOK_UP,
    10,
    1,
    "where an open copy of a paper is",
)

SERVICES = (EUROPE_PMC, PUBMED, CROSSREF, OPENALEX, SEMANTIC_SCHOLAR, CLINICAL_TRIALS, UNPAYWALL)
_BY_ID = {service.id: service for service in SERVICES}


def service_named(id: str) -> Service:
    """A service by its id. Raises `ForbiddenAddress` if Vouch does not know it."""
    if id not in _BY_ID:
        raise ForbiddenAddress(f"“{id}” is no service that Vouch asks. Choose among {', '.join(_BY_ID)}.")
    return _BY_ID[id]


def address_of(service: Service, settings: Settings) -> str:
    """The address at which a service is asked: its own, or that of the stand-in that the settings name.

    A stand-in serves tests and demonstrations. Raises `ForbiddenAddress` if it is not on this computer.
    """
    if settings.sources_url is None:
        return service.address
    return f"{stand_in_of(settings)}/{service.id}"


def stand_in_of(settings: Settings) -> str:
    """The stand-in's address. Raises `ForbiddenAddress` unless it is on this computer."""
    url = (settings.sources_url or "").rstrip("/")
    parts = urlsplit(url)
    try:
        is_here = ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:
        is_here = parts.hostname == "localhost"
    if parts.scheme != "http" or not is_here:
        raise ForbiddenAddress("VOUCH_SOURCES_URL must be a stand-in on this computer, such as http://127.0.0.1:8770.")
    return url
