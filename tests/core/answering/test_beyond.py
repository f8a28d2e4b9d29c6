"""An agent that searches literature services, too: what it fetches, what cannot be had, and that nobody else is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import stamina

from core.answering import Action, Answer, Question, TrailStep, answer_engines_named
from core.answering.beyond import CANDIDATES, Beyond, FetchedPaper, Wanted, require_agreement_fits, where_it_goes
from core.answering.citations import work_of
from core.answering.llm import ModelAnswerEngine
from core.errors import EngineError, QueryError
from core.library import Library, Years, open_library
from core.library.model import LibraryPaper
from core.llm.demo import DemoServer
from core.paper import read_paper
from core.progress import Progress, silent
from core.references import Reference
from core.settings import Settings
from core.sources.candidates import searched_services
from core.sources.model import Notice, NoticeKind
from core.sources.stand_in import SourceFault, StandIn
from core.text.similarity import Embedder
from run import ROOT

ASKED = "Does walking improve sleep in adults with insomnia?"
ALL = ("europepmc", "pubmed", "openalex", "semanticscholar", "crossref")
pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def no_waiting() -> Iterator[None]:
    with stamina.set_testing(True, attempts=4, cap=True):
        yield


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    with StandIn(16) as server:
        yield server


@pytest.fixture
def settings(stand_in: StandIn, tmp_path: Path) -> Settings:
    return Settings(tmp_path, None, sources_url=stand_in.address, mail="ann@example.org")


@pytest.fixture
def library(settings: Settings) -> Library:
    """A library of one paper on something else."""
    opened = open_library("towns", Embedder.installed(settings.embeddings), settings)
    opened.add([read_paper((ROOT / "sample_data" / "leg-cramps.xml").read_bytes(), name="leg-cramps.xml")])
    return opened


@dataclass
class Shelf:
    """Takes papers in without an index, which takes its time."""

    papers: list[LibraryPaper] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)

    def __call__(self, fetched: Sequence[FetchedPaper], progress: Progress) -> Mapping[str, str]:
        self.papers += [LibraryPaper.of(one.paper, passages=0, made_by="") for one in fetched]
        self.references += [one.reference for one in fetched]
        return {}


Ask = Callable[..., Answer]


@pytest.fixture
def ask(demo: DemoServer, settings: Settings, library: Library) -> Ask:
    """An answer by the demo's agent."""

    def asked(beyond: Beyond | None, tell: Callable[[TrailStep], None] | None = None) -> Answer:
        engine = answer_engines_named("openai:demo", settings=settings)
        assert isinstance(engine, ModelAnswerEngine)
        engine.beyond = beyond
        return engine.answer(Question(ASKED), library, tell=tell or (lambda step: None))

    return asked


def test_it_fetches_what_is_open_and_tells_what_cannot_be_had(
    ask: Ask, settings: Settings, library: Library, stand_in: StandIn
) -> None:
    def take(fetched: Sequence[FetchedPaper], progress: Progress) -> Mapping[str, str]:
        library.add([one.paper for one in fetched], progress=progress)
        return {}

    told: list[TrailStep] = []
    with Beyond.of(["europepmc", "pubmed"], settings, take) as beyond:
        answer = ask(beyond, tell=told.append)
    assert answer.statements
    assert [step.action for step in answer.steps][:3] == [Action.SEARCH, Action.SEARCH_SERVICES, Action.GATHER]
    assert answer.steps == tuple(told)
    step = answer.steps[1]
    assert step.came.startswith(
        "12 candidates of Europe PMC and PubMed: 0 in the library already, 9 fetched, 3 not available"
    )
    said = "\n".join(step.details)
    assert "town 3: a randomised trial of 43 adults with insomnia”: Not open access: ask your library" in said
    assert "a web page, perhaps a login" in said
    assert "town" not in step.came, "titles are words of others: they never go into a request to a model"
    assert "Retracted 2024" in said
    assert sum(paper.retracted for paper in library.papers()) == 1
    assert all("Walking and sleep" in (one.paper.title or "") for one in answer.papers), "by what was fetched"
    assert set(stand_in.asked.values()) == {1}, "nothing is asked twice"
    assert {address.partition("/")[0] for address in stand_in.asked} <= {"europepmc", "pubmed", "unpaywall", "files"}
    (followed,) = [one for one in answer.steps if one.action is Action.FOLLOW]
    assert any(detail.startswith("Fetched: ") for detail in followed.details)
    assert len(library.papers()) > 1 + 9, "more than the search brought"


def test_what_is_outside_the_years_is_not_fetched_only_to_be_refused(
    demo: DemoServer, settings: Settings, library: Library
) -> None:
    shelf = Shelf()

    def take(fetched: Sequence[FetchedPaper], progress: Progress) -> Mapping[str, str]:
        library.add([one.paper for one in fetched], progress=progress)
        return shelf(fetched, progress)

    engine = answer_engines_named("openai:demo", settings=settings)
    assert isinstance(engine, ModelAnswerEngine)
    with Beyond.of(["europepmc"], settings, take) as engine.beyond:
        answer = engine.answer(Question(ASKED, years=Years(2010, 2016)), library)
    followed = next(step for step in answer.steps if step.action is Action.FOLLOW)
    assert "of them outside the question's years" in followed.came
    assert {one.year for one in shelf.references if one.year} <= set(range(2010, 2017))


def test_without_an_agreement_no_service_is_asked(ask: Ask, stand_in: StandIn) -> None:
    answer = ask(None)
    assert Action.SEARCH_SERVICES not in {step.action for step in answer.steps}
    assert not stand_in.asked


def test_it_knows_what_it_has(settings: Settings, stand_in: StandIn) -> None:
    shelf = Shelf()
    with Beyond.of(["europepmc", "pubmed"], settings, shelf) as beyond:
        first = beyond.search("walking sleep", Years(), shelf.papers, silent)
        asked = sum(stand_in.asked.values())
        again = beyond.search("walking insomnia", Years(), shelf.papers, silent)
    assert (first.candidates, again.candidates) == (CANDIDATES, CANDIDATES)
    assert len(again.held) == len(first.fetched) == 9
    assert (again.fetched, again.refused) == ((), 3)
    assert sum(stand_in.asked.values()) - asked == 2, "two searches; no record and no text is sought again"


def test_a_retraction_that_only_the_second_service_knows_of_is_kept(settings: Settings) -> None:
    shelf = Shelf()
    with Beyond.of(["europepmc"], settings, shelf) as beyond:
        beyond.search("walking sleep", Years(), (), silent)
        known = next(
            reference for reference, paper in zip(shelf.references, shelf.papers, strict=True) if not paper.retracted
        )
        told = Notice(NoticeKind.RETRACTED, "Crossref", "2025")
        again = Shelf()
        beyond.intake = again
        beyond.bring([Wanted(known), Wanted(known, (told,))], (), silent, most=1)
    assert [paper.retracted for paper in again.papers] == [True]


@pytest.mark.parametrize("service", ALL)
def test_years_limit_what_is_asked_for(settings: Settings, service: str) -> None:
    shelf = Shelf()
    with Beyond.of([service], settings, shelf) as beyond:
        found = beyond.search("walking sleep", Years(2012, 2016), (), silent)
    assert found.candidates == (3 if service == "pubmed" else 5)
    assert {one.year for one in shelf.references} <= set(range(2012, 2017))


@pytest.mark.parametrize("fault", [SourceFault.BUSY, SourceFault.CUT_OFF, SourceFault.LOGIN])
def test_a_service_that_fails_keeps_no_other_from_it(settings: Settings, stand_in: StandIn, fault: SourceFault) -> None:
    stand_in.fault("pubmed", fault)
    with Beyond.of(["pubmed", "europepmc"], settings, Shelf()) as beyond:
        found = beyond.search("walking sleep", Years(), (), silent)
    assert (found.failed, len(found.fetched)) == (1, 8)
    assert found.details[0].startswith("PubMed")
    assert "\n" not in found.details[0]


def test_no_text_is_sought_where_the_next_would_fare_no_better(settings: Settings, stand_in: StandIn) -> None:
    with Beyond.of(["openalex"], settings, Shelf(), most_calls=3) as beyond:
        found = beyond.search("walking sleep", Years(), (), silent)
    assert sum(stand_in.asked.values()) == 3
    assert len(found.fetched) == 1
    assert sum("limit of 3 calls" in detail for detail in found.details) == 11


def test_where_it_goes_is_said_and_what_it_may_not_do() -> None:
    said = where_it_goes(searched_services(["pubmed", "crossref"]), "ann@example.org")
    hosts = ("eutils.ncbi.nlm.nih.gov", "api.crossref.org", "www.ebi.ac.uk", "api.unpaywall.org", "a PDF comes")
    assert all(place in said for place in (*hosts, "ann@example.org"))
    without = where_it_goes(searched_services(["pubmed"]), None)
    assert "api.unpaywall.org" not in without
    assert "Unpaywall is not asked" in without
    with pytest.raises(QueryError, match="“clinicaltrials” is no service that finds papers"):
        searched_services(["clinicaltrials"])
    with pytest.raises(EngineError, match="Only an agent"):
        require_agreement_fits(Question(ASKED), has_agent=False)
    with pytest.raises(QueryError, match="have not been screened"):
        require_agreement_fits(replace(Question(ASKED), only=frozenset({"a"})), has_agent=True)


def test_names_are_those_of_papers() -> None:
    work = work_of(Reference("T", ("Sørensen, Åse", "Trial Group"), 2020, "J", "10.1/x", "7"))
    assert work.authors == ("Åse Sørensen", "Trial Group")
