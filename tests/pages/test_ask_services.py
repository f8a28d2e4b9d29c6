"""The Ask page with literature services: agreed to per question, announced before, and stored in the project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
import stamina
from streamlit.testing.v1 import AppTest

from core.answering import Action
from core.answering.beyond import Beyond, FetchedPaper
from core.export.prisma import flow_of
from core.library import Years
from core.llm.demo import DemoServer
from core.progress import Progress, silent
from core.review.asked_papers import SOURCE, TAKEN_OUT, take_fetched
from core.review.marks import marks
from core.review.outputs import flow_items
from core.settings import load_settings
from core.sources.stand_in import StandIn
from core.store import Origin, open_store
from pages._ui.ask.state import AskChoices
from tests.pages.test_ask_page import WALKING, ask, page, session_of, shown


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    with StandIn(6) as server, DemoServer() as demo, stamina.set_testing(True, attempts=4, cap=True):
        for name, value in (demo.environment | {"VOUCH_HOME": str(tmp_path)}).items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("VOUCH_SOURCES_URL", server.address)
        monkeypatch.setenv("VOUCH_MAIL", "ann@example.org")
        yield server


def test_services_are_agreed_to_once_a_question(stand_in: StandIn) -> None:
    app: AppTest = page(papers=1)
    assert not app.button_group, "nobody else can be asked where no agent plans"
    app.selectbox(key="ask-engine").set_value("openai").run()
    app.text_input(key="model-openai").set_value("demo").run()
    app.button_group(key="ask-services").set_value(["europepmc"]).run()
    said = shown(app).replace("\u2060", "")  # the character that keeps addresses from becoming links
    assert "go to Europe PMC (www.ebi.ac.uk)" in said
    assert "Unpaywall (api.unpaywall.org); a PDF comes from the site that Unpaywall names" in said
    assert "Your mail address ann@example.org goes to these services too" in said
    assert not stand_in.asked, "nothing is sent before"
    ask(app, WALKING)
    found = session_of(app).part(AskChoices).answers["walks"]
    (step,) = [one for one in found.answer.steps if one.action is Action.SEARCH_SERVICES]
    assert "4 fetched, 2 not available" in step.came
    assert "Not open access: ask your library" in shown(app)
    assert (app.button_group(key="ask-services").value, found.request.services) == ([], ()), (
        "the next is agreed to anew"
    )
    asked = sum(stand_in.asked.values())
    store = open_store(load_settings())
    with store.reading() as now:
        papers = now.stored_papers("walks")
        references = [saved.record for saved in now.references("walks")]
        flow = flow_of(flow_items(now, "walks", reader="Ann"))
        marked = marks(now, "walks")
        assert all(now.text("walks", one.paper or "") for one in references)
    store.close()
    assert (len(papers), len(references)) == (5, 4)
    assert {(one.origin, one.source) for one in references} == {(Origin.ASKED, SOURCE)}
    assert {one.records for one in flow.other.sources if one.name == SOURCE} == {4}
    assert [one.in_words for one in marked.values()] == ["Retracted 2024 (Europe PMC)"]

    ask(app, "Does walking help sleep in adults with insomnia?")
    again = session_of(app).part(AskChoices).answers["walks"].answer
    assert Action.SEARCH_SERVICES not in {one.action for one in again.steps}
    assert again.searched == 5, "what was fetched stays in the library"
    assert sum(stand_in.asked.values()) == asked


def test_what_a_reviewer_took_out_stays_out(stand_in: StandIn) -> None:
    page(papers=1)
    store = open_store(load_settings())

    def take(fetched: Sequence[FetchedPaper], progress: Progress) -> Mapping[str, str]:
        return take_fetched(store, "walks", fetched, who="Ann")

    with Beyond.of(["europepmc"], load_settings(), take) as beyond:
        first = beyond.search("walking sleep", Years(), (), silent)
    with store.writing("Ann") as change:
        change.remove(next(saved for saved in change.stored_papers("walks") if saved.record.id == first.fetched[0]))
    with Beyond.of(["europepmc"], load_settings(), take) as beyond:
        again = beyond.search("walking sleep", Years(), (), silent)
    with store.reading() as now:
        here = {saved.record.id for saved in now.stored_papers("walks")}
    store.close()
    assert first.fetched[0] not in {*here, *again.fetched}
    assert (len(again.fetched), again.refused) == (len(first.fetched) - 1, first.refused + 1)
    assert sum(TAKEN_OUT in detail for detail in again.details) == 1
