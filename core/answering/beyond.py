"""Let an agent search literature services and fetch papers, once a reviewer has agreed to these services.

This is PaperQA2's "Paper Search Tool" (section 8.1.1): search by words and years, then fetch, read and index the
papers' texts. Only open-access texts are fetched here. Papers without one are skipped and reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Protocol, Self

from core.answering.citations import LibraryCitations, Works, as_work, work_of
from core.answering.model import Question
from core.errors import EngineError, PaperError, QueryError, SourceError
from core.library.model import LibraryPaper, Years
from core.paper import RETRACTED, CitedWork, Paper, PaperWarning, read_paper
from core.progress import Progress
from core.references import Reference, bare_doi
from core.settings import Settings
from core.sources import full_texts
from core.sources.candidates import candidates, searched_services
from core.sources.client import SourceClient
from core.sources.linking import LINKING, Links, links_of
from core.sources.model import FoundText, Notice, NoticeKind, gravest
from core.sources.services import UNPAYWALL, Service

CANDIDATES = 12  # papers that a search returns (section 8.1.1)
_LONGEST_NAME = 160  # characters of a title
_OF_AN_AGENT = "The words of the agent's searches, and the DOIs and PMIDs of papers whose citations it follows"
MOST_CALLS = 400  # per question; a search of five services and twelve full texts take about 60


@dataclass(frozen=True, slots=True)
class FetchedPaper:
    """An open full text that was fetched and read, with the reference and notices from the service that found it."""

    paper: Paper
    reference: Reference
    notices: tuple[Notice, ...]
    text: FoundText


class Intake(Protocol):
    """Stores papers with those of the library, so that they are kept, and indexes them."""

    def __call__(self, fetched: Sequence[FetchedPaper], progress: Progress) -> Mapping[str, str]:
        """The ids of papers that were not added, with the reasons. Raises `VouchError` if papers cannot be stored."""
        ...


@dataclass(frozen=True, slots=True)
class Wanted:
    """A work that was found outside the library."""

    reference: Reference
    notices: tuple[Notice, ...] = ()

    @property
    def name(self) -> str:
        """Its title or number, for people. Others wrote it, so it never goes into a request to a model."""
        said = self.reference
        return said.title or said.doi or f"PMID {said.pmid}"


@dataclass(frozen=True, slots=True)
class Brought:
    """The result of a search outside the library."""

    candidates: int = 0
    held: tuple[str, ...] = ()  # ids of papers that the library already had
    fetched: tuple[str, ...] = ()  # ids of papers that were added
    details: tuple[str, ...] = ()  # a line each: what was fetched, what is not available, which service failed, and why
    failed: int = 0  # services
    refused: int = 0  # candidates that are not available


@dataclass(slots=True)
class Beyond:
    """The services that a reviewer agreed to for one question. Close it with `close`, or use it in a `with` statement.

    Besides these services, it asks only those that locate open texts, and the sites that these name
    (`core.sources.full_texts`).
    """

    services: tuple[Service, ...]
    client: SourceClient
    intake: Intake
    _refused: list[tuple[CitedWork, str]] = field(default_factory=list)  # what is not available, and why

    @classmethod
    def of(cls, services: Sequence[str], settings: Settings, intake: Intake, *, most_calls: int = MOST_CALLS) -> Self:
        """The services with these ids. Raises `QueryError` for one that cannot be searched by words."""
        found = searched_services(services)
        # Requests that are repeated on the same day are answered from the cache.
        today = datetime.now(UTC).date().isoformat()
        return cls(found, SourceClient(settings, most_calls=most_calls, asked_anew=today), intake)

    def close(self) -> None:
        """Close the client."""
        self.client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def names(self) -> str:
        """The services' names, for messages."""
        *others, last = (service.name for service in self.services)
        return f"{', '.join(others)} and {last}" if others else last

    def search(self, words: str, years: Years, papers: Iterable[LibraryPaper], progress: Progress) -> Brought:
        """Search for at most twelve papers. Those that the library lacks are fetched if they have an open text."""
        progress(0.0, f"Asking {self.names}")
        found, problems = candidates(self.client, self.services, words, (years.first, years.last), CANDIDATES)
        wanted = (Wanted(one.reference, one.notices) for one in found)
        brought = self.bring(wanted, papers, progress, most=CANDIDATES)
        return replace(brought, details=(*map(_failed, problems.items()), *brought.details), failed=len(problems))

    def bring(
        self, wanted: Iterable[Wanted], papers: Iterable[LibraryPaper], progress: Progress, *, most: int
    ) -> Brought:
        """Take at most `most` of these works, each once: report those that the library has, and fetch the others."""
        held = {paper.id: as_work(paper) for paper in papers}
        listed = [(one, work_of(one.reference)) for one in wanted]
        works = Works([*held.values(), *(work for work, _ in self._refused), *(work for _, work in listed)])
        place = {works.find(work): id for id, work in held.items()}
        refused = {works.find(work): why for work, why in self._refused}
        chosen: dict[int, Wanted] = {}
        for one, work in listed:
            number = works.find(work)
            if number in chosen:  # one service may report a retraction that another does not know of
                chosen[number] = replace(chosen[number], notices=_joined(chosen[number].notices, one.notices))
            elif number is not None and len(chosen) < most:
                chosen[number] = one
        there = tuple(place[number] for number in chosen if number in place)
        fetched: list[FetchedPaper] = []
        details = [
            f"Not to be had: {_quoted(chosen[number])}: {refused[number]}" for number in chosen if number in refused
        ]
        open_ = [number for number in chosen if number not in place and number not in refused]
        ends: SourceError | None = None
        for done, number in enumerate(open_):
            one = _completed(chosen[number], works.works[number])
            progress(done / len(open_), f"Fetching {done + 1} of {len(open_)}: {one.name}")
            try:
                if ends is not None:  # the remaining ones would fail too
                    raise ends
                fetched.append(self._fetched(one))
                details.append(_came(fetched[-1]))
            except full_texts.NO_OTHER_EITHER as error:
                ends = error
                details.append(f"Not fetched: {_quoted(one)}: {error}")
            except (SourceError, PaperError) as error:
                self._refused.append((work_of(one.reference), str(error)))
                details.append(f"Not to be had: {_quoted(one)}: {error}")
        fetched = list({one.paper.id: one for one in fetched}.values())  # two records may lead to the same file
        left_out = self.intake(fetched, progress) if fetched else {}
        for came in fetched:
            if (why := left_out.get(came.paper.id)) is not None:
                self._refused.append((work_of(came.reference), why))
                details[details.index(_came(came))] = f"Not taken in: {_quoted(Wanted(came.reference))}: {why}"
        fetched = [one for one in fetched if one.paper.id not in left_out]
        new = tuple(one.paper.id for one in fetched if one.paper.id not in held)
        return Brought(len(chosen), there, new, tuple(details), refused=len(chosen) - len(there) - len(fetched))

    def links(self, papers: Sequence[LibraryPaper], progress: Progress) -> tuple[Mapping[str, Links], tuple[str, ...]]:
        """What papers cite and what cites them by the services' records, by paper id; and the services' failures."""
        asked = [service for service in self.services if service in LINKING]
        found: dict[str, Links] = {}
        problems: dict[str, str] = {}
        for done, paper in enumerate(papers):
            for service in asked:
                if service.name in problems or not (paper.doi or paper.pmid):
                    continue
                progress(done / len(papers), f"Asking {service.name} who cites whom")
                try:
                    links = links_of(self.client, bare_doi(paper.doi or ""), paper.pmid, [service.id])
                except SourceError as error:
                    problems[service.name] = str(error)
                else:
                    before = found.get(paper.id, Links())
                    found[paper.id] = Links((*before.references, *links.references), (*before.citers, *links.citers))
        return found, tuple(map(_failed, problems.items()))

    def _fetched(self, one: Wanted) -> FetchedPaper:
        """Fetch and read an open text. What the file lacks about itself is taken from the service's record."""
        text = full_texts.open_text(self.client, one.reference)
        paper, said = read_paper(text.data, name=text.name), work_of(one.reference)
        warnings = paper.warnings
        if (notice := gravest(one.notices)) and notice.kind is NoticeKind.RETRACTED:
            warnings = (*warnings, PaperWarning(RETRACTED, f"This paper was retracted, says {notice.service}."))
        whole = replace(
            paper,
            warnings=warnings,
            title=paper.title or said.title,
            authors=paper.authors or said.authors,
            journal=paper.journal or said.journal,
            year=paper.year or said.year,
            doi=paper.doi or said.doi,
            pmid=paper.pmid or said.pmid,
        )
        return FetchedPaper(whole, one.reference, one.notices, text)


@dataclass(frozen=True, slots=True)
class JoinedCitations:
    """Who cites whom, by the papers of a library, and for some of them also by services."""

    library: LibraryCitations
    links: Mapping[str, Links]  # by the paper's id

    def references_of(self, paper: LibraryPaper) -> Sequence[CitedWork]:
        """What the paper cites."""
        links = self.links.get(paper.id, Links())
        return [*self.library.references_of(paper), *map(work_of, links.references)]

    def citers_of(self, paper: LibraryPaper) -> Sequence[CitedWork]:
        """What cites the paper."""
        links = self.links.get(paper.id, Links())
        return [*self.library.citers_of(paper), *map(work_of, links.citers)]

    def times_cited(self, work: CitedWork) -> int:
        """How many papers of the library cite it. The services' own counts are not comparable."""
        return self.library.times_cited(work)


def where_it_goes(services: Sequence[Service], mail: str | None, what: str = _OF_AN_AGENT) -> str:
    """A text that tells a reviewer, before anything is sent, what these services will be sent. `what`: the searches."""
    places = ", ".join(f"{one.name} ({one.host})" for one in services)
    texts = " and ".join(f"{one.name} ({one.host})" for one in full_texts.ASKED if mail or one is not UNPAYWALL)
    rest = (
        f"; a PDF comes from the site that Unpaywall names. Your mail address {mail} goes to these services too."
        if mail
        else ". Without a mail address Unpaywall is not asked: only Europe PMC's texts are found."
    )
    return f"{what}, go to {places}. Open texts of what is found are looked for at {texts}{rest}"


def require_agreement_fits(question: Question, *, has_agent: bool) -> None:
    """Raises `EngineError` if there is no agent, and `QueryError` if the question excludes newly fetched papers."""
    if not has_agent:
        raise EngineError(
            "Only an agent searches literature services: name a language model without a strategy, or no services."
        )
    if question.only is not None or question.screened:
        raise QueryError(
            "Papers that are fetched have not been screened yet: put the question to papers of any screening, or name no services."
        )


def _completed(one: Wanted, work: CitedWork) -> Wanted:
    """The work with DOI and PMID filled in from another record, because open texts are searched by them."""
    said = one.reference
    return replace(one, reference=replace(said, doi=said.doi or work.doi, pmid=said.pmid or work.pmid))


def _joined(notices: tuple[Notice, ...], others: tuple[Notice, ...]) -> tuple[Notice, ...]:
    return tuple(dict.fromkeys((*notices, *others)))


def _quoted(one: Wanted) -> str:
    return f"“{' '.join(one.name.split())[:_LONGEST_NAME]}”"


def _came(one: FetchedPaper) -> str:
    notice = gravest(one.notices)
    marked = f" {notice.in_words}." if notice is not None else ""
    return f"Fetched: {_quoted(Wanted(one.reference))}, {one.text.location}.{marked}"


def _failed(problem: tuple[str, str]) -> str:
    name, why = problem
    return why if why.startswith(name) else f"{name}: {why}"
