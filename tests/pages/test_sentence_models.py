"""An encoder or a reranker of the reviewer's choice, on the Evidence page."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.core.tiny_models import save_encoder, save_reranker
from tests.pages.test_evidence_page import HYPOTHESIS, PAPER, desk, session_of, upload
from tests.pages.waiting import settle

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def app() -> AppTest:
    at = AppTest.from_file(ROOT / "app.py", default_timeout=120).run()
    assert not at.exception
    upload(at, PAPER)
    at.text_area[0].set_value(HYPOTHESIS)
    return at


@pytest.mark.parametrize("kind", ["embedding", "reranker"])
def test_a_model_in_a_folder_finds_evidence(app: AppTest, kind: str, tmp_path: Path) -> None:
    app.selectbox(key="engine").set_value(f"{kind}:MODEL").run()
    app.button(key="find").click().run()
    assert "No model is named" in app.error[0].value
    folder = save_encoder(tmp_path) if kind == "embedding" else save_reranker(tmp_path)
    app.text_input(key=f"sentence-model-{kind}").set_value(folder).run()
    app.button(key="find").click().run()
    settle(app)
    evidence = desk(app).evidence
    assert evidence is not None
    assert evidence.engine == f"{kind}:{folder}" == session_of(app).engine_name
    assert "settings have changed" not in "".join(one.value for one in app.caption)


def test_what_is_wrong_with_a_model_is_said(app: AppTest, tmp_path: Path) -> None:
    app.selectbox(key="engine").set_value("reranker:MODEL").run()
    app.text_input(key="sentence-model-reranker").set_value(save_encoder(tmp_path)).run()
    app.button(key="find").click().run()
    settle(app)
    assert "is an encoder, not a reranker" in app.error[0].value
    assert not app.exception


def test_an_encoder_may_be_told_what_to_look_for(app: AppTest) -> None:
    app.selectbox(key="engine").set_value("embedding:MODEL").run()
    app.text_input(key="sentence-model-embedding").set_value("some/model").run()
    app.toggle(key="sentence-model-told").set_value(True).run()
    assert session_of(app).engine_name == "embedding:some/model@instructed"
