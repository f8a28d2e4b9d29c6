"""The literature services that Vouch can ask: what each is, where it is, and how often it may be asked.

An address is written here and nowhere else: no other host is asked, but for a file's location that was shown to a person.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from core.errors import ForbiddenAddress
from core.settings import Settings


class Kind(StrEnum):
    """What PRISMA calls it."""

    DATABASE = "database"
    REGISTER = "register"
    LOOK_UP = "look-up"  # it is asked about papers that are known: where an open copy is


@dataclass(frozen=True, slots=True)
class Service:
    """A service. `calls` in `seconds` is what its documentation allows; `with_mail` and `with_key` are more, for whoever
    says who they are, or has a key.
    """

    id: str
    name: str
    address: str  # all paths follow it
    kind: Kind
    calls: int
    seconds: float
    about: str  # in a few words, for people
    with_mail: int | None = None
    with_key: int | None = None
    takes_forms: bool = False  # a long question can be sent as a form (POST)

    @property
    def host(self) -> str:
        """Where it is, for people."""
        return urlsplit(self.address).hostname or self.address

    def most_calls(self, *, mail: bool, key: bool) -> int:
        """How many it allows in `seconds` of whoever names a mail address or has a key."""
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
    1,  # its limits since December 2025 for lists of works, which alone are asked for
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
    """A service by its id. Raises `ForbiddenAddress` where it is none of ours."""
    if id not in _BY_ID:
        raise ForbiddenAddress(f"“{id}” is no service that Vouch asks. Choose among {', '.join(_BY_ID)}.")
    return _BY_ID[id]


def address_of(service: Service, settings: Settings) -> str:
    """Where a service is asked: itself, or, for tests and demonstrations, the stand-in that the settings name.

    Raises `ForbiddenAddress` for a stand-in that is not on this computer.
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
