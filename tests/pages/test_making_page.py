"""Making a benchmark, without a browser: two people mark an aspect, one settles it, and the figures follow."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.benchmarks.samples import SAMPLE_DATA
from core.llm import model_named
from core.llm.demo import DemoServer
from core.llm.demo.inline import InlineDemo
from core.making.annotation import Annotations
from core.making.carrying_out import Making
from core.making.evidencebench import EvidenceBenchPipeline
from core.making.marks import Mark
from core.making.shelf import Shelf
from core.summary.model import Label
from run import ROOT

SAMPLES = SAMPLE_DATA / "making"


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A benchmark from the sample reviews."""
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path / "home"))
    model = model_named("openai:demo")
    assert model is not None
    pipeline = EvidenceBenchPipeline(SAMPLES / "reviews", Shelf(SAMPLES / "papers"))
    Making(pipeline, model, tmp_path / "made", 0.0).asking(InlineDemo())
    return tmp_path / "made"


def opened(folder: Path, annotator: str) -> AppTest:
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60).run().switch_page("pages/benchmarks.py").run()
    app.text_input(key="make-folder").set_value(str(folder)).run()
    return app.text_input(key="make-annotator").set_value(annotator).run()


def mark(app: AppTest, *numbers: int) -> AppTest:
    for box in app.checkbox:
        if "-mark-" in box.key or "-settle-" in box.key:
            box.set_value(int(box.key.rpartition("-")[2]) in numbers)
    return next(button for button in app.button if button.key.endswith("-save")).click().run()


def test_two_mark_one_settles_and_the_gold_follows(made: Path) -> None:
    task = Annotations(made).pieces[0]
    ann = mark(opened(made, "ann"), 1)
    assert not ann.exception
    assert any("Yours is in" in caption.value for caption in ann.caption)
    bob = opened(made, "bob")
    assert not any("ann" in box.label for box in bob.checkbox)  # blind
    bob = mark(bob, 1, 2)
    assert any("≠ bob" in box.label for box in bob.checkbox)
    assert any("≠ ann, bob" in box.label for box in bob.checkbox)  # the pipeline did not mark it
    assert bob.dataframe[-1].value["Measure"].tolist()[0] == "accuracy"
    bob = mark(bob, 2)
    assert not bob.exception
    record = json.loads((made / "evidencebench_train_set.json").read_bytes())[task.record]
    assert record["aspect2sentence_indices"][task.id] == [2]
    assert 2 in record["evidence_retrieval_at_optimal_evaluation"]["one_selection_of_sentences"]


def test_a_folder_that_holds_none_is_told(made: Path) -> None:
    app = opened(made.parent / "nowhere", "ann")
    assert "Name another folder" in app.error[0].value


def test_a_home_of_nobody_is_told(made: Path) -> None:
    app = opened(Path("~nobody-of-this-name/made"), "ann")
    assert not app.exception
    assert "no known user" in app.error[0].value


def test_a_pipeline_runs_from_the_page_and_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, demo: DemoServer
) -> None:
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path / "home"))
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60).run().switch_page("pages/benchmarks.py").run()
    app.button(key="making-run").click().run()
    assert "Where are the reviews" in app.error[0].value
    app.text_input(key="making-engine").set_value("openai:").run()
    assert not app.exception, "no model is named yet"
    out = tmp_path / "made"
    fields = {"source": SAMPLES / "summaries.csv", "papers": SAMPLES / "papers", "out": out, "engine": "openai:demo"}
    app.session_state["making-kind"] = "farebio"
    for name, value in fields.items():
        app.text_input(key=f"making-{name}").set_value(str(value))
    app.run()
    app.button(key="making-told").click().run()
    wait_for(app, lambda: any("questions with" in one.value for one in app.caption))
    assert not out.exists()
    app.button(key="making-run").click().run()
    wait_for(app, lambda: any(one.value.startswith("Made in") for one in app.caption))
    app.text_input(key="make-annotator").set_value("ann").run()
    assert not app.exception
    label = next(radio for radio in app.radio if radio.key.endswith("-label"))
    label.set_value(label.options[0])
    mark(app, 1)
    assert Annotations(out).view(Annotations(out).pieces[0], "ann").own == Mark(frozenset({1}), Label.SUPPORTED)
    app.button(key="make-bench").click().run()
    assert app.text_input(key="bench-path").value == str(out)


def wait_for(app: AppTest, condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not condition():
        assert not app.exception
        assert time.monotonic() < until, [one.value for one in (*app.error, *app.caption)]
        time.sleep(0.2)
        app.run()
