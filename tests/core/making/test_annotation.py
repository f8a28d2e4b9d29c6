"""Two annotators blind to each other, what they settle, and the figures that follow."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.__main__ import main
from core.benchmarks.farebio import read_farebio
from core.benchmarks.samples import SAMPLE_DATA
from core.errors import DatasetError, QueryError
from core.llm import model_named
from core.llm.demo.inline import InlineDemo
from core.making.agreement_report import as_table, read_labels
from core.making.annotation import PIPELINE, Annotations
from core.making.carrying_out import Making
from core.making.evidencebench import EvidenceBenchPipeline
from core.making.farebio import FarebioPipeline
from core.making.marks import Mark, alike
from core.making.output import written_anew
from core.making.robbr import RobbrPipeline
from core.making.shelf import Shelf
from core.summary.model import Label

SAMPLES = SAMPLE_DATA / "making"


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A benchmark from the sample reviews."""
    model = model_named("openai:demo")
    assert model is not None
    shelf = Shelf(SAMPLES / "papers")
    Making(EvidenceBenchPipeline(SAMPLES / "reviews", shelf), model, tmp_path / "eb", 0.0).asking(InlineDemo())
    Making(RobbrPipeline(SAMPLES / "judgements.csv", shelf), model, tmp_path / "robbr", 0.0).asking(InlineDemo())
    Making(FarebioPipeline(SAMPLES / "summaries.csv", shelf), model, tmp_path / "farebio", 0.0).asking(InlineDemo())
    return tmp_path


def test_marks_are_blind_until_both_are_in_and_then_settled(made: Path) -> None:
    found = Annotations(made / "eb")
    task = found.pieces[0]
    assert found.view(task, "ann").blind
    found.mark(task, "ann", Mark(frozenset([3])))
    assert found.view(task, "bob").blind
    assert found.standing(task, "bob") == "one is in"
    with pytest.raises(QueryError, match="once both have"):
        found.settle(task, "ann", Mark(frozenset([3])))
    found.mark(task, "bob", Mark(frozenset([4])))
    view = found.view(task, "ann")
    assert view.others == {"ann": Mark(frozenset({3})), "bob": Mark(frozenset({4})), PIPELINE: task.pipeline}
    assert found.view(task, "carl").blind
    with pytest.raises(QueryError, match="Settle it instead"):
        found.mark(task, "ann", Mark(frozenset([4])))
    with pytest.raises(QueryError, match="have marked this already"):
        found.mark(task, "carl", Mark(frozenset([4])))
    with pytest.raises(QueryError, match="Who are you"):
        found.mark(found.pieces[1], " ", Mark(frozenset([4])))
    found.settle(task, "bob", Mark(frozenset([3, 4])))
    again = Annotations(made / "eb")  # as another window finds it
    assert again.view(again.pieces[0], "ann").settled == Mark(frozenset({3, 4}))
    assert again.standing(again.pieces[0], "bob") == "settled"


@pytest.mark.parametrize(("kind", "file", "figures"), [
    ("eb", "evidencebench_train_set.json", "evidence_retrieval_at_optimal_evaluation"),
    ("robbr", "SSR_train.json", "bias_retrieval_at_optimal_evaluation"),
])  # fmt: skip
def test_one_aspect_changes_and_the_figures_follow(made: Path, kind: str, file: str, figures: str) -> None:
    found = Annotations(made / kind)
    first = [task for task in found.pieces if task.record == found.pieces[-1].record]
    before = json.loads((made / kind / file).read_bytes())[first[0].record]
    other = next(
        index for index in range(len(first[0].sentences)) if all(index not in task.pipeline.sentences for task in first)
    )
    for who in ("ann", "bob"):
        found.mark(first[0], who, Mark(frozenset([other])))
    found.settle(first[0], "ann", Mark(frozenset([other])))
    written_anew(made / kind)
    after = json.loads((made / kind / file).read_bytes())[first[0].record]
    assert after["aspect2sentence_indices"][first[0].id] == [other] != before["aspect2sentence_indices"][first[0].id]
    assert after["sentence_index2aspects"][str(other)] == [first[0].id]
    assert other in after[figures]["one_selection_of_sentences"]
    assert {key: after[key] for key in ("paper_as_candidate_pool",)} == {
        "paper_as_candidate_pool": before["paper_as_candidate_pool"]
    }
    # Settled on nothing, an aspect is gone; the last one takes the record with it.
    for task in first[1:]:
        for who in ("ann", "bob"):
            found.mark(task, who, Mark(frozenset([])))
        found.settle(task, "bob", Mark(frozenset([])))
    found.settle(first[0], "bob", Mark(frozenset([])))
    written_anew(made / kind)
    path = made / kind / file
    assert not path.exists() or first[0].record not in json.loads(path.read_bytes())


def test_labels_go_to_the_test_of_agreement(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = Annotations(made / "eb")
    for task in found.pieces:
        found.mark(task, "ann", task.pipeline)
        found.mark(task, "bob", Mark(frozenset(sorted(task.pipeline.sentences)[:1])))
    table = as_table(found.labels())
    assert set(read_labels(table.encode(), name="t").labels) == {"ann", "bob", PIPELINE}
    file = made / "labels.csv"
    file.write_text(table, encoding="utf-8")
    assert main(["make", "agreement", str(file), "--model", PIPELINE, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["items"] == sum(len(task.sentences) for task in found.pieces)


def test_what_a_kill_left_of_a_line_is_gone_and_a_broken_line_is_told(made: Path) -> None:
    found = Annotations(made / "eb")
    task, file = found.pieces[0], made / "eb" / "annotations.jsonl"
    file.write_text('{"record": "to', encoding="utf-8")
    found.mark(task, "ann", Mark(frozenset([3])))
    with file.open("a", encoding="utf-8") as stream:
        stream.write('{"record": "to')
    found.mark(task, "bob", Mark(frozenset([4])))
    again = Annotations(made / "eb")
    assert again.view(again.pieces[0], "ann").others == {
        "ann": Mark(frozenset({3})),
        "bob": Mark(frozenset({4})),
        PIPELINE: task.pipeline,
    }
    with file.open("a", encoding="utf-8") as stream:
        stream.write("broken\n")
    with pytest.raises(DatasetError, match="broken line"):
        Annotations(made / "eb")


def test_every_record_is_on_a_page(made: Path) -> None:
    whole = Annotations(made / "eb")
    assert (whole.pages, whole.records) == (1, len({piece.record for piece in whole.pieces}))
    pages = [Annotations(made / "eb", page=number + 1, size=1) for number in range(whole.records)]
    assert {page.pages for page in pages} == {whole.records}
    assert [piece for page in pages for piece in page.pieces] == list(whole.pieces)
    last = pages[-1].pieces[0]
    for who in ("ann", "bob"):
        pages[-1].mark(last, who, Mark(frozenset({3})))
    first = Annotations(made / "eb", size=1)
    assert first.view(last, "ann").others
    assert {item.split()[0] for _, item, *_ in first.labels()} == {last.record.split()[0]}  # figures are of all pages
    assert first.next_open(first.pieces[0], "ann") == (first.pieces[1] if len(first.pieces) > 1 else None)


def test_a_sentence_of_a_summary_gets_a_label_its_support_the_wrong_words_and_a_reason(made: Path) -> None:
    folder = made / "farebio"
    file = folder / "farebio_train.json"
    before = json.loads(file.read_bytes())
    found = Annotations(folder)
    piece = next(piece for piece in found.pieces if piece.text.startswith("Falling asleep"))
    with pytest.raises(QueryError, match="Give the sentence a label"):
        found.mark(piece, "ann", Mark())
    wrong = Mark(frozenset({3}), Label.CONTRADICTS, "19 minutes", "It was nine.")
    with pytest.raises(QueryError, match="wrong words"):
        found.mark(piece, "ann", replace(wrong, part="20 minutes"))
    found.mark(piece, "ann", wrong)
    assert found.view(piece, "bob").blind
    assert not found.judged_summaries()
    found.mark(piece, "bob", Mark(frozenset({3}), Label.SUPPORTED, "19 minutes"))
    view = Annotations(folder).view(piece, "bob")
    assert view.others == {"ann": wrong, "bob": Mark(frozenset({3}), Label.SUPPORTED), PIPELINE: piece.pipeline}
    assert alike(view.others[who] for who in ("ann", "bob")) == Mark(frozenset({3}))
    judged = next(iter(found.judged_summaries().values()))
    assert (judged.one, judged.other) == ([True], [False])
    assert {(who, label) for _, _, who, label in found.labels() if who != PIPELINE} == {("ann", True), ("bob", False)}
    found.settle(piece, "bob", replace(wrong, part=" 19  minutes"))
    written_anew(folder)
    after = json.loads(file.read_bytes())
    row = next(row for row in after if row["text"] == piece.text)
    told = (row["label"], row["part"], row["support"], row["rationale"])
    assert told == (Label.CONTRADICTS, "19 minutes", [piece.sentences[3]], "It was nine.")
    assert [row for row in after if row["text"] != piece.text] == [row for row in before if row["text"] != piece.text]
    (gold,) = (
        s
        for s in read_farebio(file.read_bytes(), name="f").summaries
        if any(one.text == piece.text for one in s.sentences)
    )
    assert next(one for one in gold.sentences if one.text == piece.text).support[0].index == 3


def test_a_table_of_labels_carries_no_formula() -> None:
    table = as_table([("=1+1", "1", "ann", True)])
    assert "'=1+1" in table
    assert read_labels(table.encode(), name="t").labels == {"ann": (True,)}


def test_a_folder_that_holds_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(DatasetError):
        Annotations(tmp_path)
    with pytest.raises(DatasetError, match="no finished benchmark"):
        written_anew(tmp_path)
