"""The Benchmarks page without a browser, on the samples."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.benchmarks.model import Response
from core.benchmarks.samples import SAMPLE_DATA
from core.benchmarks.tasks import TASKS, paper_of
from core.bias.offline import RetrievalBiasEngine
from core.engines import TaskKind
from core.errors import DatasetError
from core.runs import RunOrder, save_run, saved_run
from core.runs import carry_out as carry_out_order
from pages._ui.benchmarks import items, report, saved
from pages._ui.benchmarks.state import BenchmarkWork
from pages._ui.state import Session
from pages._ui.stored import the_store
from run import ROOT
from tests.pages.waiting import session_of, settle

pytestmark = pytest.mark.usefixtures("own_home")

FEW = 3  # items; enough for a table and a plot
LONG = 60.0  # seconds within which any run on the samples ends


def opened_page() -> AppTest:
    return AppTest.from_file(ROOT / "app.py", default_timeout=LONG).run().switch_page("pages/benchmarks.py").run()


def choose(app: AppTest, task: str, *engines: str) -> None:
    app.selectbox(key="bench-task").set_value(task).run()
    app.multiselect[0].set_value(list(engines)).run()


def carry_out(app: AppTest) -> None:
    app.button(key="bench-run").click().run()
    settle(app)
    assert not app.exception


def work(app: AppTest) -> BenchmarkWork:
    return session_of(app).part(BenchmarkWork)


def table(app: AppTest):
    return next(frame.value for frame in app.dataframe if "system" in frame.value)


def test_two_engines_are_run_and_shown_beside_published_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened_page()
    choose(app, "robbr/ssr", "bm25", "embedding")
    carry_out(app)
    shown = table(app)
    assert list(shown["system"]) == ["bm25", "embedding"]  # no published figures beside runs on invented samples
    assert any("invented by us" in caption.value for caption in app.caption)
    monkeypatch.setattr(report, "is_sample", lambda _: False)
    shown = table(app.run())
    assert list(shown["system"])[:2] == ["bm25", "embedding"]
    assert all(" to " in cell for cell in shown["aspect_recall (%)"][:2])
    assert all(cell.endswith(" (few)") for cell in shown["items"][:2])
    assert "RoBBR, table 3 and 13" in set(shown["source"])
    assert any("other models" in caption.value for caption in app.caption)
    assert any("fewer than 100 items" in caption.value for caption in app.caption)


def test_a_run_that_was_cancelled_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened_page()
    choose(app, "robbr/ssr", "bm25")
    support, asked = RetrievalBiasEngine.support, []

    def cancelling(self, *given, **others):
        asked.append(given)
        if len(asked) == 5:
            session_of(app).part(BenchmarkWork).series.cancel()
        return support(self, *given, **others)

    monkeypatch.setattr(RetrievalBiasEngine, "support", cancelling)
    carry_out(app)
    (stopped,) = the_store().runs.all()
    assert stopped.finished is None
    assert 0 < stopped.done < 17
    assert work(app).shown == ()
    before = len(asked)
    carry_out(app)
    assert len(asked) - before == 17 - stopped.done
    assert "17" in set(table(app)["items"])


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
    assert session_of(app).part(BenchmarkWork).series.running is None


def on_show(*engines: str, task: str = "evidencebench/er@10", limit: int | None = None) -> AppTest:
    """The page, showing these engines' runs on the samples."""
    app = opened_page()
    runs = the_store().runs
    orders = [RunOrder(task, engine, SAMPLE_DATA, limit=limit) for engine in engines]
    ids = tuple(carry_out_order(order, runs).setup.id for order in orders)
    work(app).show(ids)
    return app.run()


def turn_to(app: AppTest, tab: str) -> AppTest:
    app.session_state["bench-tabs"] = tab
    app.run()
    assert not app.exception
    return app


@pytest.mark.repetition("task")
@pytest.mark.parametrize(("data", "task"), [(task.partition("/")[0], task) for task in TASKS])
def test_every_tab_of_every_task_can_be_looked_at(data: str, task: str) -> None:
    engine = {
        "robbr/main": "offline",
        "robbr/two-stages": "gold+offline",
        "robbr/sjs": None,
        "screening/criteria": "offline",
    }.get(task, "bm25")
    if engine is None:
        pytest.skip("for language models alone")
    app = on_show(engine, task=task, limit=FEW)
    for tab in ("Results", "Plot", "By category", "Place in the paper", "Price", "Pairs", "Items"):
        turn_to(app, tab)


def test_pairs_are_told_in_words_with_corrected_p_values() -> None:
    app = turn_to(on_show("bm25", "embedding"), "Pairs")
    assert any(
        "is ahead of" in text and "p = 0." in text for text in (one.value.replace("\\", "") for one in app.markdown)
    )
    assert len(next(frame.value for frame in app.dataframe if "p, corrected" in frame.value)) == 1


def test_places_are_read_from_the_data_and_cancelling_is_no_error() -> None:
    app = turn_to(on_show("bm25"), "Place in the paper")
    for _ in range(100):
        if work(app).looked_up[1].ended:
            break
        time.sleep(0.1)
    app.run()
    assert any("Gold: sentences" in text.value.replace("\\", "") for text in app.markdown)


def test_the_data_of_a_run_that_is_elsewhere_are_asked_for() -> None:
    app = on_show("bm25")
    run = the_store().runs.one(work(app).shown[0])
    with pytest.raises(DatasetError, match="not where the fields say"):
        items.find_item(replace(run.setup, data_sha256="0" * 64), "leg-cramps_1", work(app))


def test_an_item_opens_with_its_question_and_gold() -> None:
    app = on_show("bm25")
    now: Session = app.session_state["vouch"]
    run = saved_run(now.part(BenchmarkWork).shown[0], the_store().runs)
    item = items.find_item(run.setup, run.run.items[0].id, now.part(BenchmarkWork))
    items.OPEN[TaskKind.EVIDENCE](now, run, item, paper_of(item))
    opened = now.open
    assert opened.hypothesis == item.question.query.hypothesis
    assert opened.gold_here == item.gold
    assert opened.show_gold
    assert (now.searches.request.engine, now.searches.request.query) == ("bm25", item.question.query)


def test_an_item_of_bias_opens_at_its_domain() -> None:
    app = on_show("bm25", task="robbr/ssr")
    now: Session = app.session_state["vouch"]
    run = saved_run(now.part(BenchmarkWork).shown[0], the_store().runs)
    item = items.find_item(run.setup, run.run.items[0].id, now.part(BenchmarkWork))
    items.OPEN[TaskKind.BIAS](now, run, item, paper_of(item))
    assert now.bias.study == item.question.case.study
    assert now.review.begin_at[1] == item.question.case.domain.id


def test_an_item_of_summaries_opens_with_its_sentence_and_gold() -> None:
    app = on_show("bm25", task="farebio/support")
    now: Session = app.session_state["vouch"]
    run = saved_run(now.part(BenchmarkWork).shown[0], the_store().runs)
    item = items.find_item(run.setup, run.run.items[0].id, now.part(BenchmarkWork))
    items.OPEN[TaskKind.SUMMARY](now, run, item, paper_of(item))
    assert now.open.summary.draft == item.question.text
    assert any(item.question.text in [s.text for s in gold.sentences] for gold in now.open.summary.golds)


def test_a_broken_record_and_a_failed_item_are_named(tmp_path: Path) -> None:
    app = on_show("bm25")
    runs = the_store().runs
    whole = saved_run(work(app).shown[0], runs)
    first = replace(whole.run.items[0], response=Response(error="The model declined."))
    broken = replace(
        whole.run, items=(first, *whole.run.items[1:]), broken=("“a.json”, record 7, aspects: is missing.",)
    )
    save_run(replace(whole, run=broken), runs)
    app.run()
    shown = [frame.value for frame in app.dataframe]
    assert any("The model declined." in set(frame.get("Reason", ())) for frame in shown)
    assert any("record 7" in str(list(frame.get("Record", ()))) for frame in shown)
    assert "count as 0" in " ".join(caption.value for caption in app.caption)


def test_a_removed_run_is_off_the_page() -> None:
    app = on_show("bm25", "embedding")
    now: Session = app.session_state["vouch"]
    saved.remove(now, [now.part(BenchmarkWork).shown[0]])
    app.run()
    assert next(iter(table(app)["system"])) == "embedding"
    assert [run.setup.engine for run in the_store().runs.all()] == ["embedding"]


def test_a_run_that_was_stopped_is_set_up_again() -> None:
    app = on_show("bm25", "embedding")
    runs = the_store().runs
    setup = replace(runs.all()[0].setup, engine="offline", seed=4, limit=2)
    stopped = runs.begin(setup, runs.all()[0].origin)
    with pytest.MonkeyPatch.context() as patch:
        fields: dict[str, object] = {}
        patch.setattr(saved.st, "session_state", fields)
        saved.fill(work(app), stopped)
    assert (fields["bench-task"], fields["bench-seed"], fields["bench-limit"]) == ("evidencebench/er@10", 4, 2)
    assert work(app).engines[TaskKind.EVIDENCE] == ["offline"]
    assert work(app).setting_up
