"""RoBBR's tasks: engines that are right, wrong in one way, or cannot; and its grid on the command line."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.__main__ import main
from core.benchmarks.model import BrokenRecord, Run
from core.benchmarks.robbr_tasks import MAIN, SUPPORT_JUDGEMENTS, SUPPORT_SENTENCES, TWO_STAGES, TwoStages
from core.benchmarks.runner import here, run_task
from core.benchmarks.samples import SAMPLE_DATA
from core.benchmarks.task import AnyTask, EngineChoice
from core.bias import Level
from core.bias.assessment import Suggestion
from core.bias.model import HIGH, LOW, Domain, Judgement, Picked, Retrieved, StudyContext, Support
from core.bias.tools.rob1 import UNCLEAR
from core.bias.tools.rob2 import SOME_CONCERNS
from core.errors import DatasetError, EngineError
from core.llm.demo import DemoServer
from core.paper import Paper
from core.progress import Progress, silent
from tests.core.benchmarks import robbr_records as made

# ---- robbr tasks ----
# RoBBR's tasks: engines that are right, wrong in one way, or cannot.


@dataclass
class Stubborn:
    """Always the same: a level, sentences, an option."""

    level: Level | None = LOW
    sentences: tuple[int, ...] = ()
    option: int | None = 0
    name: str = "stubborn"
    read: tuple[str, ...] = ()

    def support(
        self, domain: Domain, paper: Paper, study: StudyContext, *, k: int, progress: Progress = silent
    ) -> Retrieved:
        return Retrieved(tuple(map(Support, self.sentences)))

    def suggest(self, domain: Domain, paper: Paper, study: StudyContext, *, progress: Progress = silent) -> Suggestion:
        return Suggestion(self.name, Judgement(domain.id, self.level, ""))

    def suggest_from_sentences(
        self, domain: Domain, sentences: Sequence[str], *, progress: Progress = silent
    ) -> Suggestion:
        self.read = tuple(sentences)
        return Suggestion(self.name, Judgement(domain.id, self.level, ""))

    def pick(self, *given: Any, progress: Progress = silent) -> Picked:
        return Picked(self.option, "")


def run(task: AnyTask, engine: Any, data: Path = SAMPLE_DATA) -> Run:
    return run_task(task, task.items(task.source(data)), here(task, engine))


def test_always_low_gets_one_f1_of_three() -> None:
    """Of the samples' 17 levels 11 are low, 3 high and 3 unclear."""
    result = run(MAIN, Stubborn())
    assert len(result.items) == 17
    assert result.metrics["accuracy"].value == pytest.approx(11 / 17)
    assert result.metrics["macro-F1 of all"].value == pytest.approx(2 * 11 / (11 + 17) / 3)
    assert result.metrics["kappa"].value == 0.0
    assert result.metrics["macro-F1 deviation"].value == 0.0  # its only level is unclear
    # Selection: all six are low. Attrition: one of two, F1 2/3 and 0. Performance: 1 of 3. Detection: 2 of 3.
    # Reporting: 1 of 3. Deviation: none.
    by_hand = (1 + (2 / 3) / 2 + (2 / 4) / 2 + (4 / 5) / 2 + (2 / 4) / 2 + 0) / 6
    assert result.metrics["macro-F1"].value == pytest.approx(by_hand)


def test_a_bias_of_two_categories_counts_in_both() -> None:
    result = run(MAIN, Stubborn(HIGH))
    double = "blinding (performance bias and detection bias) all outcomes"
    assert sum(item.category == double for item in result.items) == 1
    # Performance: low, high, high (double). Detection: low, low, high (double).
    assert result.metrics["macro-F1 performance"].value == pytest.approx((0 + 2 * 2 / (2 + 3)) / 2)
    assert result.metrics["macro-F1 detection"].value == pytest.approx((0 + 2 * 1 / (1 + 3)) / 2)


def test_two_levels_on_robotreviewers_domains() -> None:
    result = run(MAIN, Stubborn(UNCLEAR))
    # Participants: low in one sample, high in another; unclear and high are one level.
    assert result.metrics["two-level macro-F1 performance"].value == pytest.approx((0 + 2 * 1 / (1 + 2)) / 2)
    assert result.metrics["two-level macro-F1 concealment"].value == 0.0


def test_no_level_is_wrong_everywhere() -> None:
    result = run(MAIN, Stubborn(level=None))
    assert result.failed == 0
    assert {result.metrics[name].value for name in ("macro-F1", "accuracy", "kappa")} == {0.0}


def test_some_concerns_is_unclear_here(tmp_path: Path) -> None:
    made.written(tmp_path / "Main_task_test.json", {"one": made.main(label="unclear")})
    assert run(MAIN, Stubborn(SOME_CONCERNS), tmp_path).metrics["accuracy"].value == 1.0


def test_support_sentences_are_scored_at_the_optimum(tmp_path: Path) -> None:
    made.written(tmp_path / "SSR_test.json", {"one": made.support()})
    for sentences, recall in (((1,), 1.0), ((2,), 0.5), ((), 0.0), ((1, 2), 0.75), ((1, 2, 3), 0.5)):
        result = run(SUPPORT_SENTENCES, Stubborn(sentences=sentences), tmp_path)
        assert result.metrics["aspect_recall"].value == pytest.approx(recall)
        assert result.metrics["aspect_recall selection"] == result.metrics["aspect_recall"]


def test_the_right_option() -> None:
    first = run(SUPPORT_JUDGEMENTS, Stubborn(option=0))
    right = [item.labels == ("0",) for item in first.items]
    assert first.metrics["accuracy of all"].value == pytest.approx(sum(right) / len(right))
    assert run(SUPPORT_JUDGEMENTS, Stubborn(option=None)).metrics["accuracy"].value == 0.0


def test_who_cannot_says_so_in_one_sentence() -> None:
    with pytest.raises(EngineError, match="bm25 finds sentences and gives no level"):
        MAIN.open(EngineChoice("bm25"))
    with pytest.raises(EngineError, match="bm25 finds sentences and gives no level"):
        TWO_STAGES.open(EngineChoice("offline+bm25"))
    with pytest.raises(EngineError, match="offline cannot choose"):
        SUPPORT_JUDGEMENTS.open(EngineChoice("offline"))


def test_the_second_stage_reads_what_the_first_found_and_nothing_else(tmp_path: Path) -> None:
    made.written(tmp_path / "SSR_test.json", {"one": made.support()})
    made.written(tmp_path / "Main_task_test.json", {"other": made.main(bias="other bias"), "one": made.main()})
    judge = Stubborn(LOW)
    result = run(TWO_STAGES, TwoStages(None, judge), tmp_path)
    assert (judge.read, result.metrics["accuracy"].value) == ((made.POOL[1],), 1.0)
    result = run(TWO_STAGES, TwoStages(Stubborn(sentences=(2, 3)), judge), tmp_path)
    assert (judge.read, result.engine) == ((made.POOL[2],), "stubborn+stubborn")  # at most the optimal number
    judge.read = ()
    result = run(TWO_STAGES, TwoStages(Stubborn(), judge), tmp_path)
    assert (judge.read, result.metrics["accuracy"].value) == ((), 0.0)  # nothing found, nothing judged


def test_the_grid_by_name() -> None:
    assert TWO_STAGES.open(EngineChoice("gold+offline")).name == "gold+offline"
    assert TWO_STAGES.open(EngineChoice("bm25+offline")).name == "bm25+offline"
    assert TWO_STAGES.open(EngineChoice("offline")).name == "offline+offline"
    assert run(TWO_STAGES, TWO_STAGES.open(EngineChoice("gold+offline"))).failed == 0


def test_two_stages_need_the_levels(tmp_path: Path) -> None:
    path = made.written(tmp_path / "SSR_test.json", {"one": made.support()})
    with pytest.raises(DatasetError, match="Main_task_test"):
        TWO_STAGES.items(path)
    made.written(tmp_path / "Main_task_test.json", {"one": made.main(bias="other bias")})
    (broken,) = TWO_STAGES.items(path)
    assert isinstance(broken, BrokenRecord)
    assert (broken.id, broken.key) == ("one", "bias")


@pytest.mark.parametrize("task", [MAIN, SUPPORT_SENTENCES, SUPPORT_JUDGEMENTS, TWO_STAGES], ids=lambda task: task.name)
def test_questions_travel(task: AnyTask) -> None:
    items = task.items(task.source(SAMPLE_DATA))
    assert len(items) == len(list(items)) > 0
    first = next(iter(items))
    assert pickle.loads(pickle.dumps(first)) == first


def test_of_several_files_the_test_set_is_taken(tmp_path: Path) -> None:
    for name in ("Main_task_dev.json", "Main_task_test.json", "Main_task_train.json"):
        made.written(tmp_path / name, {})
    assert MAIN.source(tmp_path).name == "Main_task_test.json"
    assert MAIN.source(tmp_path / "Main_task_dev.json").name == "Main_task_dev.json"


# ---- robbr command ----
# RoBBR's grid on the command line, and what engines that cannot do a task say.


def bench(task: str, engine: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    status = main(["bench", task, "--data", str(SAMPLE_DATA), "--engine", engine, "--limit", "3", "--json"])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.parametrize(
    ("task", "engine", "reason"),
    [
        ("robbr/main", "bm25", "gives no level"),
        ("robbr/two-stages", "offline+bm25", "gives no level"),
        ("robbr/sjs", "offline", "cannot choose"),
        ("robbr/ssr", "gold", "no engine called"),
    ],
)
def test_who_cannot_says_so_in_one_line(
    task: str, engine: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = bench(task, engine, capsys)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert reason in err


@pytest.mark.parametrize("engine", ["gold+offline", "bm25+offline", "gold+openai:demo", "openai:demo+offline"])
def test_the_grid(engine: str, demo: DemoServer, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = bench("robbr/two-stages", engine, capsys)
    document = json.loads(out)
    assert (status, document["n"], document["failed"], document["broken"]) == (0, 3, 0, [])
    assert document["metrics"]["macro-F1"]["value"] > 0
