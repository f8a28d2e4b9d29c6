"""`library/answer`: questions whose trial is there or kept out, and how answers count."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.benchmarks.library_tasks import INSUFFICIENT, LIBRARY_TASKS, LibraryItem, is_missing, metrics, score
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response
from core.benchmarks.samples import SAMPLE_DATA
from core.benchmarks.task import EngineChoice, respond
from core.progress import silent

FILE = SAMPLE_DATA / "evidence_inference" / "items.json"


@pytest.fixture(scope="module")
def items() -> list[LibraryItem]:
    return [item for item in LIBRARY_TASKS[0].items(FILE) if isinstance(item, Item)]


def result(item: LibraryItem, response: Response) -> ItemResult:
    return ItemResult(item.id, item.group, response, score(item, response), labels=item.labels)


def test_questions_tell_neither_the_paper_nor_the_answer(items: list[LibraryItem]) -> None:
    records = json.loads(FILE.read_text(encoding="utf-8"))
    assert [item.id for item in items] == [str(record["prompt_id"]) for record in records]
    for item, record in zip(items, records, strict=True):
        asked = item.question.question
        assert asked.text == f"{record['intervention']} compared with {record['comparator']}: {record['outcome']}"
        assert record["pmcid"] not in repr(item.question)
        assert "significant" not in repr(item.question)
        assert item.gold.missing == is_missing(item.id) == bool(asked.without)
        assert (item.labels == (INSUFFICIENT,)) == item.gold.missing


def test_a_fifth_of_the_questions_is_without_its_trial() -> None:
    assert 0.17 < sum(is_missing(str(id)) for id in range(2000)) / 2000 < 0.23


@pytest.mark.slow
def test_annotators_who_do_not_agree_are_no_gold(tmp_path: Path) -> None:
    records = json.loads(FILE.read_text(encoding="utf-8"))[:1]
    for label in ("significantly decreased", "no such label"):
        records[0]["annotations"] = [*records[0]["annotations"][:1], {"evidence": "Nothing.", "label": label}]
        (tmp_path / "items.json").write_text(json.dumps(records), encoding="utf-8")
        (tmp_path / "xml").mkdir(exist_ok=True)
        article = FILE.parent / "xml" / f"{records[0]['pmcid']}.nxml"
        (tmp_path / "xml" / article.name).write_bytes(article.read_bytes())
        [broken] = LIBRARY_TASKS[0].items(tmp_path / "items.json")
        assert isinstance(broken, BrokenRecord)
        assert broken.key == "annotations"


def test_scores_by_hand(items: list[LibraryItem]) -> None:
    item = replace(
        items[0], labels=("increased",), gold=replace(items[0].gold, paper="a", sentences=frozenset({7}), missing=False)
    )
    found = Response(labels=("increased",), passages=("b/0-3", "a/0-6", "c/6-8", "a/7-9"))
    assert score(item, found) == {"accuracy": 1, "paper@1": 0, "paper@5": 1, "span@5": 1, "span@30": 1}
    late = replace(found, passages=(*(f"b/{place}-{place}" for place in range(5)), "a/5-7"), labels=("decreased",))
    assert score(item, late) == {"accuracy": 0, "paper@1": 0, "paper@5": 1, "span@5": 0, "span@30": 1}
    assert score(item, replace(found, error="No answer.")) == dict.fromkeys(score(item, found), 0.0)
    missing = replace(item, labels=(INSUFFICIENT,), gold=replace(item.gold, missing=True))
    assert score(missing, Response(labels=(INSUFFICIENT,))) == {"accuracy": 1, "insufficient right": 1}
    assert score(missing, found) == {"accuracy": 0, "insufficient right": 0}


def test_precision_is_of_those_that_were_answered(items: list[LibraryItem]) -> None:
    item = replace(items[0], labels=("increased",), gold=replace(items[0].gold, missing=False))
    missing = replace(item, labels=(INSUFFICIENT,), gold=replace(item.gold, missing=True))
    told = [
        (item, "increased"), (item, "decreased"), (item, INSUFFICIENT), (missing, INSUFFICIENT), (missing, "increased"),
    ]  # fmt: skip
    results = [replace(result(one, Response(labels=(label,))), group=str(n)) for n, (one, label) in enumerate(told)]
    figures = metrics([*results, result(item, Response(error="No answer."))])
    assert figures["precision"].value == pytest.approx(1 / 3)
    assert figures["accuracy"].value == pytest.approx(2 / 6)
    assert figures["insufficient right"].value == pytest.approx(1 / 2)


@pytest.mark.slow
def test_the_sample_is_answered(items: list[LibraryItem]) -> None:

    engine = LIBRARY_TASKS[0].open(EngineChoice("offline"))
    for item in items:
        response = respond(LIBRARY_TASKS[0], engine, item.question, silent)
        assert response.error is None
        if item.gold.missing:
            assert response.labels == (INSUFFICIENT,)
        else:
            assert score(item, response)["span@30"] == 1


def test_fewer_passages_are_asked_for_by_the_tasks_name() -> None:
    asked = {}
    for task in LIBRARY_TASKS:
        [question, *_] = [item.question.question for item in task.items(FILE) if isinstance(item, Item)]
        asked[task.name.removeprefix("library/answer")] = (question.k, question.sources)
    assert asked == {"": (30, 15), "@k1": (1, 15), "@k10": (10, 15), "@5-sources": (30, 5)}
