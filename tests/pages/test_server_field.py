"""A compatible server on the page “Engines & data”: typed in, or found on this machine."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from core.llm import Provider, Server
from core.llm.demo import DemoServer
from pages._ui import server_field
from pages._ui.state import Session
from run import ROOT


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[DemoServer]:
    monkeypatch.delenv("VOUCH_COMPATIBLE_URL", raising=False)
    with DemoServer() as running:
        found = Server("Ollama", f"{running.address}/v1", ("a", "b"))
        monkeypatch.setattr(server_field, "servers_here", lambda: (found,))
        yield running


def opened() -> AppTest:
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    return settled(app.switch_page("pages/engines.py").run())


def session(app: AppTest) -> Session:
    now: Session = app.session_state["vouch"]
    return now


def settled(app: AppTest) -> AppTest:
    now = session(app)
    for _ in range(100):
        if now.here is not None and now.here.ended and (now.asked is None or now.asked[1].ended):
            break
        time.sleep(0.05)
    app.run()
    assert not app.exception
    return app


def test_a_typed_address_is_used_and_one_of_its_models_chosen(server: DemoServer) -> None:
    app = opened()
    app.text_input(key="server-address").set_value("localhost")
    app.button(key="FormSubmitter:server-Use this address").click().run()
    assert "The field holds no web address" in app.error[0].value
    app.text_input(key="server-address").set_value(f"{server.address}/v1")
    settled(app.button(key="FormSubmitter:server-Use this address").click().run())
    now = session(app)
    assert now.keys.of(Provider.COMPATIBLE) is not None
    model = now.choice.known[0]
    app.selectbox(key=f"server-model-{server.address}/v1").set_value(model).run()
    assert now.choice.models[Provider.COMPATIBLE] == model
    app.button(key="forget-address").click().run()
    assert (now.keys.address, now.keys.of(Provider.COMPATIBLE), now.choice.known) == (None, None, ())


def test_a_server_on_this_machine_is_offered(server: DemoServer) -> None:
    app = opened()
    (offered,) = [one for one in app.button if one.key == "server-0"]
    assert "Ollama" in offered.label
    assert "2 models" in offered.label
    settled(offered.click().run())
    assert session(app).keys.address == f"{server.address}/v1"
    assert not [one for one in app.button if one.key == "server-0"]


def test_one_that_does_not_answer_is_told_and_blocks_nothing(server: DemoServer) -> None:
    app = opened()
    app.text_input(key="server-address").set_value("http://127.0.0.1:9/v1")
    settled(app.button(key="FormSubmitter:server-Use this address").click().run())
    assert any("No server answers" in caption.value for caption in app.caption)
