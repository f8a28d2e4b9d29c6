"""Language models on the Evidence page, without a browser: the key, the row, the run, and failures."""

from __future__ import annotations

import pickle
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.engines import TaskKind, names
from core.errors import ModelError
from core.evidence.sensitivity import Rewording
from core.llm import CostEstimate, Provider, ServedModel, Speed
from core.llm.demo import DemoServer
from pages._ui import served_row
from pages._ui.jobs import BackgroundJob
from pages._ui.served_row import context_in_words, speed_in_words
from tests.pages.test_evidence_page import HYPOTHESIS, app, desk, session_of, upload
from tests.pages.waiting import settle

__all__ = ["app"]
PAPER = b"""# Tea for headache

## Methods

Adults with headache drank green tea or water.

## Results

Green tea reduced headache pain. Sleep did not change. Two people felt restless.
"""
KEY = "sk-test-9b1c44f07ad2e8356a10"
OTHER_KEY = "sk-test-77e0d1c2b3a495867f68"


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[DemoServer]:
    """A demo server with its address set but no key, and a home without cached replies."""
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path))
    with DemoServer() as server:
        for name, value in server.environment.items():
            if not name.endswith("_KEY"):
                monkeypatch.setenv(name, value)
        yield server


def choose(at: AppTest, model: str, provider: str = "openai") -> None:
    if not at.text_area:
        upload(at, PAPER)
        at.text_area[0].set_value(HYPOTHESIS)
    at.selectbox(key="engine").set_value(provider).run()
    at.text_input(key=f"model-{provider}").set_value(model).run()
    assert not at.exception


def give_key(at: AppTest, key: str = KEY, provider: str = "openai") -> None:
    at.text_input(key=f"typed-key-{provider}").set_value(key)
    next(button for button in at.button if button.label == "Use this key").click().run()
    assert not at.exception


def find(at: AppTest) -> None:
    at.button(key="find").click().run()
    settle(at)
    assert not at.exception


def shown(at: AppTest) -> str:
    return "\n".join(re.sub(r"\\(.)", r"\1", part.value) for part in [*at.caption, *at.markdown, *at.error])


def test_engines_of_this_machine_have_no_such_row(app: AppTest) -> None:
    upload(app, PAPER)
    assert "model-openai" not in app.session_state
    labels = app.selectbox(key="engine").options
    chosen = ["Encoder of your own", "Reranker of your own", "OpenAI model", "Anthropic model", "Compatible server"]
    assert labels == [*names(TaskKind.EVIDENCE), *chosen]


def test_without_a_key_the_page_says_how_to_add_one(app: AppTest, demo: DemoServer) -> None:
    choose(app, "demo")
    assert "Set OPENAI_API_KEY, or type in a key for this session." in shown(app)
    find(app)
    assert "No key for OpenAI is set" in app.error[0].value
    assert desk(app).evidence is None
    assert demo.desk.statistics()["calls"] == 0


def test_without_a_model_the_page_asks_for_one(app: AppTest, demo: DemoServer) -> None:
    upload(app, PAPER)
    app.text_area[0].set_value(HYPOTHESIS)
    app.selectbox(key="engine").set_value("openai").run()
    find(app)
    assert "No model is named" in app.error[0].value


def test_a_run_shows_its_estimate_its_cost_and_its_verdict(app: AppTest, demo: DemoServer) -> None:
    choose(app, "demo")
    give_key(app)
    assert (
        re.search(r"About 3 calls with [\d,]+ tokens of input, output not counted · cost unknown", shown(app))
        is not None
    )
    find(app)
    evidence = desk(app).evidence
    assert evidence is not None
    assert evidence.engine == "openai:demo@digest"
    assert evidence.run is not None
    assert evidence.run.verdict is not None
    assert "cost unknown" in shown(app)
    assert "settings have changed" not in shown(app)
    calls = demo.desk.statistics()["calls"]
    assert session_of(app).tally.calls == calls == len(evidence.run.steps)
    find(app)
    assert demo.desk.statistics()["calls"] == session_of(app).tally.calls == calls
    assert "this one cost nothing" in shown(app)


def test_a_key_is_nowhere_but_in_the_sessions_keys(
    app: AppTest, demo: DemoServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    choose(app, "demo-401")  # its error message contains parts of the key
    give_key(app)
    find(app)
    assert "refused" in app.error[0].value
    remembered = repr(app.session_state._state)  # including widgets
    assert "typed-key" not in remembered
    assert KEY not in remembered
    assert session_of(app).keys.of(Provider.OPENAI) == KEY
    drawn = repr(app.main) + shown(app) + caplog.text
    assert KEY not in drawn
    assert KEY[-8:] not in drawn
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    opened = desk(app)
    assert KEY.encode() not in pickle.dumps((opened.search, opened.unanswered, opened.evidence))


def test_a_key_can_be_forgotten(app: AppTest, demo: DemoServer) -> None:
    choose(app, "demo")
    give_key(app)
    assert "A key is set for this session." in shown(app)
    app.button(key="forget-openai").click().run()
    assert not session_of(app).keys.has(Provider.OPENAI)
    find(app)
    assert "No key for OpenAI is set" in app.error[0].value


def test_a_key_that_no_server_would_take_is_not_kept(app: AppTest, demo: DemoServer) -> None:
    choose(app, "demo")
    give_key(app, "two words")
    assert "spaces or characters that no key has" in app.error[0].value
    assert "two words" not in app.error[0].value
    assert not session_of(app).keys.has(Provider.OPENAI)


def test_two_sessions_have_keys_of_their_own(demo: DemoServer, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).resolve().parents[2]
    seen: list[str] = []
    serve = demo.desk.serve

    def note(wire, body, key, order=None):
        seen.append(key)
        return serve(wire, body, key, order)

    monkeypatch.setattr(demo.desk, "serve", note)
    for key, hypothesis in ((KEY, HYPOTHESIS), (OTHER_KEY, "Tea makes people restless"), (None, "Tea changes sleep")):
        at = AppTest.from_file(root / "app.py", default_timeout=60).run()
        choose(at, "demo")
        at.text_area[0].set_value(hypothesis).run()
        if key:
            give_key(at, key)
        find(at)
        assert set(seen) == ({key} if key else set())
        seen.clear()


def test_what_failed_is_shown_and_tried_again(app: AppTest, demo: DemoServer) -> None:
    choose(app, "demo-refusalx2")
    give_key(app)
    find(app)
    opened = desk(app)
    assert opened.evidence is None
    assert opened.unanswered is not None
    assert [step.text for step in opened.unanswered.run.steps] == ["I can't help with that."] * 2
    assert "declined" in app.error[0].value
    app.button(key="again").click().run()
    settle(app)
    assert not app.exception
    assert opened.unanswered is None
    assert opened.evidence is not None
    assert not app.error


def test_only_what_failed_is_asked_again(app: AppTest, demo: DemoServer) -> None:
    choose(app, "demo-emptyx1")
    give_key(app)
    find(app)
    evidence = desk(app).evidence
    assert evidence is not None
    assert evidence.run is not None
    assert len(evidence.run.failed) == 1
    assert "Not read" in shown(app)
    before = demo.desk.statistics()["calls"]
    app.button(key="again").click().run()
    settle(app)
    after = desk(app).evidence
    assert after is not None
    assert after.run is not None
    assert not after.run.failed
    assert demo.desk.statistics()["calls"] == before + 2  # what had failed, and the choice among the present sentences
    assert not [button for button in app.button if button.key == "again"]


def test_a_budget_stops_a_run_and_is_checked(app: AppTest, demo: DemoServer) -> None:
    choose(app, "demo")
    give_key(app)
    app.number_input(key="tokens").set_value(0).run()
    find(app)
    assert "The budget is 0" in app.error[0].value
    app.number_input(key="tokens").set_value(100).run()
    find(app)
    assert "The budget is used up" in app.error[0].value
    assert demo.desk.statistics()["calls"] == 0
    app.number_input(key="tokens").set_value(None)
    app.number_input(key="usd").set_value(1.0).run()
    find(app)
    assert "a budget in money cannot be kept" in app.error[0].value


def test_the_row_is_there_again_after_a_visit_to_another_page(app: AppTest, demo: DemoServer) -> None:
    choose(app, "my-own-model")
    give_key(app)
    app.selectbox(key="strategy").set_value("whole")
    app.number_input(key="tokens").set_value(5000).run()
    app.switch_page("pages/engines.py").run()
    assert not app.exception
    assert "A key is set for this session." in shown(app)
    app.switch_page("pages/evidence.py").run()
    assert app.text_input(key="model-openai").value == "my-own-model"
    assert app.selectbox(key="strategy").value == "whole"
    assert app.number_input(key="tokens").value == 5000
    assert session_of(app).engine_name == "openai:my-own-model@whole"


@pytest.mark.parametrize("provider", ["anthropic", "compatible"])
def test_other_providers(provider: str, app: AppTest, demo: DemoServer) -> None:
    choose(app, "demo", provider)
    give_key(app, provider=provider)
    find(app)
    evidence = desk(app).evidence
    assert evidence is not None
    assert evidence.engine == f"{provider}:demo@digest"


@pytest.mark.parametrize("engine", ["openai", "bm25"])
def test_other_wordings_are_compared_with_the_answer(engine: str, app: AppTest, demo: DemoServer) -> None:
    if engine == "openai":
        choose(app, "demo")
        give_key(app)
    else:
        upload(app, PAPER)
        app.text_area[0].set_value(HYPOTHESIS)
        app.selectbox(key="engine").set_value(engine)
    app.number_input(key="k").set_value(1)
    find(app)
    opened = desk(app)
    answer = opened.evidence
    assert opened.search is not None
    session_of(app).search_again(opened.search, {Rewording.PARAPHRASE: "Two people were restless"})
    app.run()
    settle(app)
    assert not app.exception
    [change] = opened.changes
    assert change.evidence.query.hypothesis == "Two people were restless"
    assert len(change.lost) == len(change.gained) == 1
    assert opened.evidence is answer
    assert opened.newest == "wordings"
    find(app)
    assert opened.changes == ()


def test_the_engines_page_says_how_to_add_a_key_and_clears_replies(app: AppTest, demo: DemoServer) -> None:
    choose(app, "demo")
    give_key(app)
    find(app)
    app.switch_page("pages/engines.py").run()
    assert "Set ANTHROPIC_API_KEY, or type in a key for this session." in shown(app)
    assert "Prices are those of 20" in shown(app)
    clear = next(button for button in app.button if button.label.startswith("Clear the replies"))
    assert not clear.disabled
    clear.click().run()
    assert next(button for button in app.button if button.label.startswith("Clear the replies")).disabled


def test_an_answer_stays_when_the_next_search_fails_and_its_wordings_are_its_own(
    app: AppTest, demo: DemoServer
) -> None:
    choose(app, "demo")
    give_key(app)
    find(app)
    answer = desk(app).evidence
    choose(app, "demo-refusal")
    find(app)
    opened = desk(app)
    assert opened.evidence is answer
    assert opened.search is not None
    assert opened.to_retry is not None
    assert opened.search.engine == "openai:demo@digest"  # other wordings can be checked with it
    assert opened.to_retry.engine == "openai:demo-refusal@digest"
    assert "Below stands the answer before." in shown(app)


def test_a_server_of_ones_own_tells_how_much_it_reads_and_is_measured(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path))
    with DemoServer(context=1500) as server:
        monkeypatch.setenv("VOUCH_COMPATIBLE_URL", server.environment["VOUCH_COMPATIBLE_URL"])
        give = b"# Tea\n\n## Results\n\n" + b"Green tea reduced headache pain in the evening. " * 120
        upload(app, give)
        app.text_area[0].set_value(HYPOTHESIS)
        app.selectbox(key="engine").set_value("compatible").run()
        give_key(app, KEY, "compatible")  # the demo server requires one
        app.text_input(key="model-compatible").set_value("demo").run()
        seen(app, "Reads 1,500 tokens at once: too few for the longest question")
        app.button(key="measure-speed").click().run()
        seen(app, "tokens a second read")
        assert not app.exception

        def fails(name: object, *, key: object) -> Speed:
            raise ModelError("The server broke off.")

        monkeypatch.setattr(served_row, "measured_speed", fails)
        app.button(key="measure-speed").click().run()
        seen(app, "The server broke off.")
        assert "tokens a second read" not in shown(app), "what was measured before is of no use now"
        assert not app.exception


def test_a_server_that_told_nothing_is_asked_again(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path))
    told = [ServedModel(), ServedModel(2000, 2000)]
    monkeypatch.setattr(served_row, "served_model", lambda access, model: told.pop(0) if len(told) > 1 else told[0])
    monkeypatch.setattr(BackgroundJob, "elapsed", 60.0)  # simulates a minute later
    with DemoServer() as server:
        monkeypatch.setenv("VOUCH_COMPATIBLE_URL", server.environment["VOUCH_COMPATIBLE_URL"])
        upload(app, b"# Tea\n\n## Results\n\nGreen tea reduced headache pain in the evening. " * 20)
        app.text_area[0].set_value(HYPOTHESIS)
        app.selectbox(key="engine").set_value("compatible").run()
        give_key(app, KEY, "compatible")
        app.text_input(key="model-compatible").set_value("demo").run()
        seen(app, "Reads 2,000 tokens at once")
        assert not app.exception


def seen(at: AppTest, words: str) -> None:
    """Rerun the page until it shows this."""
    for _ in range(100):
        if words in shown(at):
            return
        time.sleep(0.05)
        at.run()
    pytest.fail(f"“{words}” was never said, but: {shown(at)}")


def test_what_a_server_tells_is_put_into_words() -> None:
    used = CostEstimate(8, 13_000, 0, 0, None, None, longest_input_tokens=5_000)
    assert context_in_words(ServedModel(), used) == ""
    assert context_in_words(ServedModel(32768, 32768), used) == "Reads 32,768 tokens at once."
    words = context_in_words(ServedModel(4096, 131072), used)
    assert "could read 131,072: too few for the longest question, of about 5,000" in words
    assert speed_in_words(Speed(100.0, 10.0), used).startswith("About 6 min at 100 tokens a second read")
