"""The part *Make* of the page of benchmarks, run without a browser: two people mark an aspect, one settles it, the figures follow."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.benchmarks.samples import SAMPLE_DATA
from core.llm import model_named
from core.llm.demo.inline import InlineDemo
from core.making.annotation import Annotations
from core.making.carrying_out import Making
from core.making.evidencebench import EvidenceBenchPipeline
from core.making.shelf import Shelf
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
    assert any("≠ ann, bob" in box.label for box in bob.checkbox)  # not the pipeline
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
