"""The Compare page without a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.benchmarks.samples import SAMPLE_DATA, samples
from core.benchmarks.side_by_side.comparisons import item_comparisons
from core.benchmarks.side_by_side.model import Comparison
from core.engines import TaskKind
from core.errors import ModelError
from core.llm.demo import DemoServer
from core.runs import RunOrder, carry_out, saved_run
from pages._ui.compare import presets
from pages._ui.compare import runs as runs_page
from pages._ui.compare.presets import PRESETS, Preset
from pages._ui.compare.state import CompareChoices, CompareWork, NamedModels
from pages._ui.stored import the_store
from run import ROOT
from tests.core.tiny_models import save_encoder
from tests.pages.waiting import session_of, settle

pytestmark = pytest.mark.usefixtures("own_home")

LONG = 60.0  # seconds within which any comparison on a sample ends
SUMMARY = "Magnesium was no better than placebo. It was taken for eight weeks."


def opened_page(task: TaskKind) -> AppTest:
    """The page with the first sample on the desk."""
    app = AppTest.from_file(ROOT / "app.py", default_timeout=LONG).run()
    session = session_of(app)
    sample = samples()[0]
    opened = session.put_on_desk(sample.read())
    opened.hypothesis = sample.hypotheses[0]
    gold = sample.gold(opened.paper, sample.hypotheses[0])
    assert gold is not None
    opened.golds[sample.hypotheses[0]] = gold
    session.part(CompareChoices).task = task
    return app.switch_page("pages/compare.py").run()


def compare(app: AppTest, *engines: str) -> Comparison:
    app.multiselect[0].set_value(list(engines)).run()
    app.button(key="compare").click().run()
    settle(app)
    assert not app.exception
    opened = session_of(app).open
    assert opened is not None
    return opened.part(CompareWork).by_task[session_of(app).part(CompareChoices).task].comparison


def table(app: AppTest, column: str) -> pd.DataFrame:
    """The first table with this column."""
    return next(frame.value for frame in app.dataframe if column in frame.value)


def shown(app: AppTest) -> str:
    return "\n".join(re.sub(r"\\(.)", r"\1", part.value) for part in [*app.caption, *app.markdown, *app.error])


def test_three_engines_with_gold() -> None:
    app = opened_page(TaskKind.EVIDENCE)
    found = compare(app, "bm25", "embedding", "offline")
    assert [side.letter for side in found.answered] == ["A", "B", "C"]
    assert found.topics[0].gold is not None
    figures = table(app, "Engine")
    assert list(figures["Engine"]) == ["bm25", "embedding", "offline"]
    assert "Aspect recall" in figures
    assert "A, B and C compute on this machine, and would say the same again." in shown(app)


def test_judgements_domain_by_domain_beside_one_s_own() -> None:
    app = opened_page(TaskKind.BIAS)
    found = compare(app, "bm25", "offline")
    assert len(found.topics) == 7
    domains = table(app, "Domain")
    assert set(domains["A · bm25"]) == {"cannot tell"}
    assert set(domains[""]) <= {"≠", "="}
    app.selectbox(key=next(box.key for box in app.selectbox if box.label == "Its support in the paper")).set_value(
        2
    ).run()
    opened = session_of(app).open
    assert opened is not None
    assert opened.part(CompareWork).topic == 2


def test_labels_of_a_summary_sentence_by_sentence() -> None:
    app = opened_page(TaskKind.SUMMARY)
    next(area for area in app.text_area if area.label == "Summary").set_value(SUMMARY).run()
    found = compare(app, "bm25", "offline")
    assert [topic.title for topic in found.topics] == SUMMARY.replace(". ", ".\n").split("\n")


def test_an_engine_that_fails_is_told_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    app = opened_page(TaskKind.EVIDENCE)
    found = compare(app, "bm25", "openai:some-model")
    assert [side.letter for side in found.answered] == ["A"]
    assert "B (openai:some-model) failed: No key for OpenAI is set" in shown(app)
    assert list(table(app, "Engine")["Sentences"]) == ["10", "–"]


def test_a_model_asked_several_times_shows_how_stable_it_is(demo: DemoServer) -> None:
    app = opened_page(TaskKind.EVIDENCE)
    app.multiselect[0].set_value(["bm25", "compatible:demo@whole"]).run()
    app.number_input(key="compare-times").set_value(3).run()
    found = compare(app, "bm25", "compatible:demo@whole")
    assert "3 times: About 1 call with" in shown(app)
    assert len(found.sides[0].again) == 0
    assert len(found.sides[1].again) == 2
    assert demo.desk.statistics()["calls"] >= 3  # each seed is asked separately
    assert "B, asked 3 times" in shown(app)
    assert session_of(app).tally.calls >= 3


def test_one_engine_and_names_of_none_are_told_in_a_sentence() -> None:
    app = opened_page(TaskKind.EVIDENCE)
    app.multiselect[0].set_value(["bm25"]).run()
    app.button(key="compare").click().run()
    assert "Choose two engines at least" in app.error[0].value
    app.multiselect[0].set_value(["bm25", "nonsense"]).run()
    app.button(key="compare").click().run()
    assert "There is no engine called" in app.error[0].value


def test_saved_runs_and_an_item_laid_over_its_paper() -> None:
    runs = [carry_out(RunOrder("robbr/ssr", engine, SAMPLE_DATA), the_store().runs) for engine in ("embedding", "bm25")]
    app = opened_page(TaskKind.EVIDENCE)
    app.segmented_control(key="compare-over-runs").set_value(True).run()
    assert not app.exception
    items = table(app, "Item")
    assert {"A · bm25", "B · embedding"} <= set(items)  # newest first
    apart = next(one.id for one in item_comparisons([run.run for run in runs]) if one.disputed)

    session = session_of(app)
    complete = [saved_run(id, the_store().runs) for id in session.part(CompareChoices).runs]
    runs_page.open_item(session, complete, apart, TaskKind.BIAS)
    assert session.open is not None
    found = session.open.part(CompareWork).by_task[TaskKind.BIAS].comparison
    assert [side.engine for side in found.sides] == ["bm25", "embedding"]
    assert found.topics[0].gold is not None
    assert not session.part(CompareChoices).over_runs


# ---- ready comparisons ----


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> Iterator[DemoServer]:
    with DemoServer() as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        yield server


@pytest.mark.parametrize("preset", [one for one in PRESETS if "encoder" not in one.wants], ids=lambda one: one.title)
def test_a_ready_comparison_fills_the_page_and_runs(preset: Preset, demo: DemoServer) -> None:
    app = opened_page(TaskKind.EVIDENCE)
    session = session_of(app)
    assert session.open is not None
    session.open.part(CompareWork).summary = SUMMARY
    app.text_input(key="ready-model").set_value("openai:demo@whole")
    app.text_input(key="ready-other").set_value("anthropic:demo").run()
    app.button(key=f"ready-preset-{PRESETS.index(preset)}").click().run()
    assert not app.exception
    assert (session.problem, session.part(CompareChoices).task, session.part(CompareChoices).times) == (
        None,
        preset.task,
        preset.times,
    )
    filled = tuple(one.replace("MODEL", "openai:demo").replace("OTHER", "anthropic:demo") for one in preset.engines)
    assert tuple(app.multiselect[0].value) == filled
    app.button(key="compare").click().run()
    settle(app)
    assert not app.exception
    found = session.open.part(CompareWork).by_task[preset.task].comparison
    assert [side.error for side in found.sides] == [None] * len(filled)
    assert all(side.given for side in found.sides)
    authors = {topic.author for topic in found.topics}
    assert authors == ({"openai:demo", "anthropic:demo"} if preset.writes else {""})
    if preset.writes:
        assert list(table(app, "Called supported")["Written by"]).count("openai:demo") == 3
    if preset.times > 1:
        assert all(len(side.again) == 2 for side in found.sides)


def test_a_writer_that_fails_is_told_and_the_other_goes_on(demo: DemoServer, monkeypatch: pytest.MonkeyPatch) -> None:
    written = iter(["One sentence. And\nanother one"])

    def write(*_: object, **__: object) -> str:
        if (text := next(written, None)) is None:
            raise ModelError("It fell asleep.")
        return text

    monkeypatch.setattr("pages._ui.compare.asking.written_summary", write)
    preset = next(one for one in PRESETS if one.writes)
    app = opened_page(TaskKind.SUMMARY)
    session = session_of(app)
    app.text_input(key="ready-model").set_value("openai:demo")
    app.text_input(key="ready-other").set_value("anthropic:demo").run()
    app.button(key=f"ready-preset-{PRESETS.index(preset)}").click().run()
    app.button(key="compare").click().run()
    settle(app)
    assert not app.exception
    assert session.open is not None
    assert session.open.done_elsewhere == ["compared engines"], "the paper is not closed by itself"
    found = session.open.part(CompareWork).by_task[TaskKind.SUMMARY].comparison
    assert {topic.author for topic in found.topics} == {"openai:demo"}
    assert found.notes == ("anthropic:demo wrote no summary: It fell asleep.",)
    assert any("It fell asleep" in one.value for one in app.caption)
    app.multiselect(key=f"compare-engines-{TaskKind.SUMMARY}").set_value(["offline", "openai:demo@support"]).run()
    assert session.part(CompareChoices).writers == (), "it is another comparison now"


def test_encoders_are_compared_with_and_without_instructions(tmp_path: Path) -> None:
    folder = save_encoder(tmp_path / "tiny")
    app = opened_page(TaskKind.EVIDENCE)
    app.text_input(key="ready-encoder").set_value(folder).run()
    app.button(key=f"ready-preset-{len(PRESETS) - 1}").click().run()
    app.button(key="compare").click().run()
    settle(app)
    session = session_of(app)
    assert session.open is not None
    found = session.open.part(CompareWork).by_task[TaskKind.EVIDENCE].comparison
    assert [side.engine for side in found.answered] == [f"embedding:{folder}", f"embedding:{folder}@instructed", "bm25"]


def test_what_a_ready_comparison_lacks_is_told() -> None:
    named = NamedModels(model="openai:demo", other="openai:demo@label")
    said = {one.title: presets.why_not(one, named) for one in PRESETS}
    assert said["Regeneration"] is None
    assert "“Encoder”" in (said["Instructions to encoders"] or "")
    assert "two different models" in (said["Self-preference"] or "")
    assert "no language model" in (presets.why_not(PRESETS[0], NamedModels(model="bm25")) or "")
