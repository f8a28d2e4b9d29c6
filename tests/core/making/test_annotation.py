"""Two annotators blind to each other, what they settle, and the figures that follow."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.__main__ import main
from core.benchmarks.samples import SAMPLE_DATA
from core.errors import DatasetError, QueryError
from core.llm import model_named
from core.llm.demo.inline import InlineDemo
from core.making.agreement_report import as_table, read_labels
from core.making.annotation import PIPELINE, Annotations
from core.making.carrying_out import Making
from core.making.evidencebench import EvidenceBenchPipeline
from core.making.output import written_anew
from core.making.robbr import RobbrPipeline
from core.making.shelf import Shelf

SAMPLES = SAMPLE_DATA / "making"


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A benchmark from the sample reviews."""
    model = model_named("openai:demo")
    assert model is not None
    shelf = Shelf(SAMPLES / "papers")
    Making(EvidenceBenchPipeline(SAMPLES / "reviews", shelf), model, tmp_path / "eb", 0.0).asking(InlineDemo())
    Making(RobbrPipeline(SAMPLES / "judgements.csv", shelf), model, tmp_path / "robbr", 0.0).asking(InlineDemo())
    return tmp_path


def test_marks_are_blind_until_both_are_in_and_then_settled(made: Path) -> None:
    found = Annotations(made / "eb")
    task = found.tasks[0]
    assert found.view(task, "ann").blind
    found.mark(task, "ann", [3])
    assert found.view(task, "bob").blind
    assert found.standing(task, "bob") == "one is in"
    with pytest.raises(QueryError, match="once both have"):
        found.settle(task, "ann", [3])
    found.mark(task, "bob", [4])
    view = found.view(task, "ann")
    assert view.others == {"ann": {3}, "bob": {4}, PIPELINE: task.pipeline}
    assert found.view(task, "carl").blind
    with pytest.raises(QueryError, match="Settle it instead"):
        found.mark(task, "ann", [4])
    with pytest.raises(QueryError, match="have marked this aspect"):
        found.mark(task, "carl", [4])
    with pytest.raises(QueryError, match="Who are you"):
        found.mark(found.tasks[1], " ", [4])
    found.settle(task, "bob", [3, 4])
    again = Annotations(made / "eb")  # as another window finds it
    assert again.view(again.tasks[0], "ann").settled == {3, 4}
    assert again.standing(again.tasks[0], "bob") == "settled"


@pytest.mark.parametrize(("kind", "file", "figures"), [
    ("eb", "evidencebench_train_set.json", "evidence_retrieval_at_optimal_evaluation"),
    ("robbr", "SSR_train.json", "bias_retrieval_at_optimal_evaluation"),
])  # fmt: skip
def test_one_aspect_changes_and_the_figures_follow(made: Path, kind: str, file: str, figures: str) -> None:
    found = Annotations(made / kind)
    first = [task for task in found.tasks if task.record == found.tasks[-1].record]
    before = json.loads((made / kind / file).read_bytes())[first[0].record]
    other = next(index for index in range(len(first[0].sentences)) if all(index not in task.pipeline for task in first))
    for who in ("ann", "bob"):
        found.mark(first[0], who, [other])
    found.settle(first[0], "ann", [other])
    written_anew(made / kind)
    after = json.loads((made / kind / file).read_bytes())[first[0].record]
    assert (
        after["aspect2sentence_indices"][first[0].aspect]
        == [other]
        != before["aspect2sentence_indices"][first[0].aspect]
    )
    assert after["sentence_index2aspects"][str(other)] == [first[0].aspect]
    assert other in after[figures]["one_selection_of_sentences"]
    assert {key: after[key] for key in ("paper_as_candidate_pool",)} == {
        "paper_as_candidate_pool": before["paper_as_candidate_pool"]
    }
    # Settled on nothing, an aspect is gone; the last one takes the record with it.
    for task in first[1:]:
        for who in ("ann", "bob"):
            found.mark(task, who, [])
        found.settle(task, "bob", [])
    found.settle(first[0], "bob", [])
    written_anew(made / kind)
    path = made / kind / file
    assert not path.exists() or first[0].record not in json.loads(path.read_bytes())


def test_labels_go_to_the_test_of_agreement(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = Annotations(made / "eb")
    for task in found.tasks:
        found.mark(task, "ann", task.pipeline)
        found.mark(task, "bob", sorted(task.pipeline)[:1])
    table = as_table(found.labels())
    assert set(read_labels(table.encode(), name="t").labels) == {"ann", "bob", PIPELINE}
    file = made / "labels.csv"
    file.write_text(table, encoding="utf-8")
    assert main(["make", "agreement", str(file), "--model", PIPELINE, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["items"] == sum(len(task.sentences) for task in found.tasks)


def test_what_a_kill_left_of_a_line_is_gone_and_a_broken_line_is_told(made: Path) -> None:
    found = Annotations(made / "eb")
    task, file = found.tasks[0], made / "eb" / "annotations.jsonl"
    file.write_text('{"record": "to', encoding="utf-8")
    found.mark(task, "ann", [3])
    with file.open("a", encoding="utf-8") as stream:
        stream.write('{"record": "to')
    found.mark(task, "bob", [4])
    again = Annotations(made / "eb")
    assert again.view(again.tasks[0], "ann").others == {"ann": {3}, "bob": {4}, PIPELINE: task.pipeline}
    with file.open("a", encoding="utf-8") as stream:
        stream.write("broken\n")
    with pytest.raises(DatasetError, match="broken line"):
        Annotations(made / "eb")


def test_more_records_than_are_judged_are_told(made: Path) -> None:
    assert not Annotations(made / "eb").more
    few = Annotations(made / "eb", most=1)
    assert few.more
    assert len({task.record for task in few.tasks}) == 1


def test_a_table_of_labels_carries_no_formula() -> None:
    table = as_table([("=1+1", "1", "ann", True)])
    assert "'=1+1" in table
    assert read_labels(table.encode(), name="t").labels == {"ann": (True,)}


def test_a_folder_that_holds_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(DatasetError):
        Annotations(tmp_path)
    with pytest.raises(DatasetError, match="no finished benchmark"):
        written_anew(tmp_path)
