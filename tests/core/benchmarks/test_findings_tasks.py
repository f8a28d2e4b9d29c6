"""Cells of a review matrix: which sentences are gold, and figures by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.benchmarks.findings_tasks import (
    MATRIX,
    MatrixCell,
    ask,
    count_cells,
    matrix_files,
    metrics,
    read_review_matrix,
    score,
)
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response
from core.benchmarks.task import data_file, respond
from core.evidence.baselines import Bm25Engine
from core.evidence.model import Evidence, EvidenceQuery, EvidenceSentence
from core.findings import find
from core.grounding.model import ModelRun, PaperVerdict, Step, Verdict
from core.paper import Paper
from core.progress import Progress, silent

ARTICLE = """<article><front><article-meta><title-group><article-title>Tea</article-title></title-group>
</article-meta></front><body><sec><title>Results</title><p>Sixty adults drank. Sleep was longer with tea than with
water (34&#160;min; P = 0.01). Pain did not differ. Mood was not asked about.</p></sec></body></article>"""
SLEEP = {
    "cluster": "tea",
    "paper": "T1",
    "hypothesis": "Tea lengthens sleep.",
    "intervention": "named",
    "label": "supports",
    "evidence": ["Sleep was longer with tea than with water (34 min; P = 0.01)."],
    "effect": "34 min",
    "near": None,
    "sure": True,
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "evidence_inference" / "xml").mkdir(parents=True)
    (tmp_path / "evidence_inference" / "xml" / "T1.nxml").write_text(ARTICLE)
    (tmp_path / "review_matrix").mkdir()
    return tmp_path


def write(data: Path, *cells: dict[str, Any]) -> Path:
    file = data / "review_matrix" / "dev.jsonl"
    file.write_text("".join(f"{json.dumps(cell)}\n" for cell in cells))
    return file


def gold_texts(data: Path, *evidence: str) -> list[str]:
    (cell,) = read_review_matrix(write(data, SLEEP | {"evidence": evidence}))
    assert isinstance(cell, MatrixCell)
    texts = [sentence.text for sentence in cell.paper.sentences]
    return [texts[index] if index < len(texts) else "nowhere" for index in sorted(cell.gold)]


def test_a_cell(data: Path) -> None:
    (cell,) = read_review_matrix(write(data, SLEEP))
    assert isinstance(cell, MatrixCell)
    assert (cell.id, cell.name, cell.verdict, cell.intervention) == ("T1/1", "T1", PaperVerdict.SUPPORTS, "named")
    assert [cell.paper.sentences[index].text[:16] for index in cell.gold] == ["Sleep was longer"]


def test_gold_may_be_a_part_of_a_sentence_or_span_several_and_what_is_nowhere_stays(data: Path) -> None:
    assert [text[:5] for text in gold_texts(data, "longer with\n tea than")] == ["Sleep"]
    assert [text[:5] for text in gold_texts(data, "P = 0.01). Pain did not differ.")] == ["Sleep", "Pain "]
    assert [text[:7] for text in gold_texts(data, "Nobody wrote this.", "Pain did not differ.")] == [
        "Pain di",
        "nowhere",
    ]


def test_a_file_or_the_folder_of_data_may_be_named(data: Path) -> None:
    file = write(data, SLEEP)
    assert MATRIX.source(data) == MATRIX.source(file) == file
    assert matrix_files(file) == [file, data / "evidence_inference" / "xml" / "T1.nxml"]
    assert data_file("review_matrix", "dev.jsonl", data / "review_matrix") == file
    assert count_cells(write(data, SLEEP, SLEEP)) == 2


@pytest.mark.parametrize(
    ("change", "key", "reason"),
    [
        ({"label": "unclear"}, "label", "supports"),
        ({"paper": "T2"}, "paper", "missing or cannot be read"),
        ({"paper": "../T1"}, "paper", "is missing or cannot be read"),
        ({"hypothesis": " "}, "hypothesis", "is empty"),
        ({"hypothesis": "word " * 401}, "hypothesis", "401 words"),
    ],
)
def test_what_is_wrong_with_a_record_is_told(data: Path, change: dict[str, str], key: str, reason: str) -> None:
    broken, cell = read_review_matrix(write(data, SLEEP | change, SLEEP))
    assert isinstance(broken, BrokenRecord)
    assert (broken.id, broken.key) == ("1", key)
    assert reason in broken.reason
    assert isinstance(cell, MatrixCell)


class Canned:
    """A language model's answer to every question."""

    name = "canned"

    def __init__(self, run: ModelRun) -> None:
        self._run = run

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        sentences = tuple(EvidenceSentence(index, 1.0) for index in range(4, 0, -1))
        return Evidence(self.name, query, sentences, 0.0, 0.5, run=self._run)


def item_of(data: Path, **change: Any) -> Item[Any, Any]:
    (item,) = MATRIX.items(write(data, SLEEP | change))
    assert isinstance(item, Item)
    return item


def test_the_response_is_the_findings(data: Path) -> None:
    item = item_of(data)
    response = respond(MATRIX, Bm25Engine(), item.question, silent)
    finding = find(item.question.paper, str(SLEEP["hypothesis"]), engine=Bm25Engine())
    assert response.labels == (finding.verdict,)
    assert response.sentences == tuple(one.index for one in finding.sentences[:3])
    assert (response.probability, response.reported) == (finding.probability, finding.reported)
    assert score(item, response)["right"] == float(finding.verdict is PaperVerdict.SUPPORTS)


def test_a_language_models_verdict_stands_and_a_part_left_unread_is_a_failure(data: Path) -> None:
    question = item_of(data).question
    run = ModelRun("m", "sections", (("p", "1"),), (), Verdict(PaperVerdict.NOT_REPORTED, None, None))
    answered = ask(Canned(run), question, silent)
    assert (answered.labels, answered.sentences, answered.error) == (("not reported",), (4, 3, 2), None)
    assert answered.prompts == (("p", "1"),)
    unread = ModelRun("m", "sections", (), (Step("Results", "", (), error="Too slow."),), run.verdict)
    assert ask(Canned(unread), question, silent).error == "“Results” was not read: Too slow."


def result(gold: str, given: str | None, *, kind: str = "", paper: str = "a", **rest: Any) -> ItemResult:
    hits = {} if gold == "not reported" else {"sentence in three": rest.pop("hit", 0.0)}
    return ItemResult(f"{gold}{given}", paper, Response(labels=(given,), **rest), hits, kind, (gold,))


RESULTS = [
    result("supports", "supports", kind="named", probability=0.9, reported=0.8, hit=1.0),
    result("supports", "refutes", kind="class", probability=0.7, reported=0.3, hit=1.0),
    result("refutes", "unclear", kind="class", probability=0.5, reported=0.6),
    result("mixed", "mixed", kind="named", paper="b", reported=0.4),
    result("mixed", "supports", kind="named", paper="b", probability=0.8, reported=0.6),
    result("not reported", "not reported", kind="class", paper="b", reported=0.1),
    result("not reported", "supports", kind="class", paper="b", probability=0.6, reported=0.6),
    result("not reported", "unclear", kind="named", reported=0.2),
]


def test_figures_by_hand() -> None:
    found = {name: figure.value for name, figure in metrics(RESULTS).items()}
    assert found["firm right"] == pytest.approx(1 / 4)
    assert found["firm expected"] == pytest.approx((0.9 + 0.7 + 0.8 + 0.6) / 4)
    assert found["decided"] == pytest.approx(3 / 5)
    assert found["decided rightly"] == pytest.approx(2 / 5)
    assert found["not reported left"] == pytest.approx(2 / 3)
    assert found["not reported told"] == pytest.approx(1 / 3)
    assert found["sentence in three"] == pytest.approx(2 / 5)
    # Above 0.1, 0.6, 0.2: 0.8 three, 0.3 two, 0.6 two and a half (twice), 0.4 two.
    assert found["reported AUROC"] == pytest.approx((3 + 2 + 2.5 + 2.5 + 2) / 15)
    assert found["firm right, named"] == pytest.approx(1 / 2)
    assert found["not reported left, class"] == pytest.approx(1 / 2)
    assert found["decided, class"] == pytest.approx(1 / 2)


def test_a_failed_cell_is_neither_decided_nor_left_nor_right() -> None:
    failed = [
        result("supports", "supports", error="No server.", reported=0.9),
        result("not reported", None, error="No server."),
    ]
    found = {name: figure.value for name, figure in metrics([*RESULTS, *failed]).items()}
    assert found["decided"] == pytest.approx(3 / 6)
    assert found["decided rightly"] == pytest.approx(2 / 6)
    assert found["not reported left"] == pytest.approx(2 / 4)
    assert found["reported AUROC"] == pytest.approx((3 + 2 + 2.5 + 2.5 + 2 + 0) / (6 * 4))


def test_what_is_not_defined_is_missing() -> None:
    found = metrics([result("supports", "unclear")])
    assert not {"firm right", "firm expected", "not reported left", "reported AUROC", "decided, named"} & found.keys()
    assert found["decided"].value == 0.0
