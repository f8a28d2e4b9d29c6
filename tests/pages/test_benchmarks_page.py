"""The page of benchmarks, run without a browser, on the samples."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui.state import Session
from run import ROOT

LONG = 60.0  # seconds in which any run on the samples must have ended


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path))


def opened_page() -> AppTest:
    return AppTest.from_file(ROOT / "app.py", default_timeout=LONG).run().switch_page("pages/benchmarks.py").run()


def choose(app: AppTest, task: str, *engines: str) -> None:
    app.selectbox(key="bench-task").set_value(task).run()
    app.multiselect[0].set_value(list(engines)).run()


def carry_out(app: AppTest) -> None:
    app.button(key="bench-run").click().run()
    last = time.monotonic() + LONG
    while work(app).underway is not None:
        assert time.monotonic() < last
        time.sleep(0.1)
        app.run()
    assert not app.exception


def work(app: AppTest):
    now: Session = app.session_state["vouch"]
    return now.bench


def table(app: AppTest):
    return next(frame.value for frame in app.dataframe if "system" in frame.value)


def test_two_engines_are_run_and_shown_beside_published_figures() -> None:
    app = opened_page()
    choose(app, "robbr/ssr", "bm25", "embedding")
    carry_out(app)
    shown = table(app)
    assert list(shown["system"])[:2] == ["bm25", "embedding"]
    assert all("–" in cell for cell in shown["aspect_recall (%)"][:2])
    assert "RoBBR, table 3 and 13" in set(shown["source"])
    assert any("other models" in caption.value for caption in app.caption)


def test_an_engine_that_cannot_do_the_task_keeps_no_other_from_it() -> None:
    app = opened_page()
    choose(app, "robbr/main", "bm25", "offline")
    carry_out(app)
    assert "gives no level of risk" in app.error[0].value
    assert "offline" in set(table(app)["system"])
    assert "bm25" not in set(table(app)["system"])


def test_a_mistake_is_told_and_nothing_begun() -> None:
    app = opened_page()
    choose(app, "robbr/ssr")
    app.button(key="bench-run").click().run()
    assert "No engine is chosen" in app.error[0].value
    choose(app, "robbr/ssr", "openai:")
    app.button(key="bench-run").click().run()
    assert "names no model" in app.error[0].value
    assert work(app).underway is None
