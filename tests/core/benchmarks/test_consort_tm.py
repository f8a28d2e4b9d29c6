"""CONSORT-TM, `consort/support` and `consort/unseen`."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from core.benchmarks.bias_tasks import SUPPORT, UNSEEN
from core.benchmarks.consort_tm import (
    DEFINITIONS,
    ITEMS_OF,
    ConsortItem,
    LabelledPaper,
    definitions_file,
    hits,
    read_consort_tm,
    read_support_items,
    read_unseen_items,
    summary,
)
from core.benchmarks.model import BrokenRecord, Response, Run
from core.benchmarks.records import all_whole
from core.benchmarks.runner import here, run_task
from core.bias import Domain, StudyContext, bias_engine_named
from core.bias.model import Retrieved, Support
from core.errors import DatasetError, EngineUnavailable
from core.paper import Kind, Paper, SectionKind
from core.progress import Progress, silent
from run import ROOT
from tests.core.benchmarks.trial_file import trial_file

# ---- consort tm ----
# Reading CONSORT-TM.

FIRST = [
    {"sentence_id": "S1", "section": "Title", "text": "Title", "start": 0, "end": 5, "consort_items": []},
    {"sentence_id": "S2", "section": "Title", "text": "A trial of tea", "start": 6, "end": 20, "consort_items": ["1a"]},
    {"sentence_id": "S3", "section": "", "text": "Abstract", "start": 21, "end": 29, "consort_items": []},
    {"sentence_id": "S4", "section": "Background", "text": "Background", "start": 30, "end": 40, "consort_items": []},
    {"sentence_id": "S5", "section": "Background", "text": "Tea is hot.", "start": 41, "end": 52, "consort_items": []},
    {"sentence_id": "S6", "section": "Background", "text": "Background", "start": 60, "end": 70, "consort_items": []},
    {"sentence_id": "S7", "section": "Background", "text": "Tea is old.", "start": 71, "end": 82, "consort_items": []},
    {"sentence_id": "S8", "section": "", "text": "Methods", "start": 90, "end": 97, "consort_items": []},
    {"sentence_id": "S9", "section": "Masking", "text": "Masking", "start": 98, "end": 105, "consort_items": []},
    {"sentence_id": "S10", "section": "Masking", "text": "All knew.", "start": 106, "end": 115, "consort_items": ["11a"]},
    {"sentence_id": "S11", "section": "Masking", "text": "By coin.", "start": 120, "end": 128, "consort_items": ["8a", "9"]},
]  # fmt: skip


def test_a_paper_keeps_its_sentences_their_order_and_their_labels() -> None:
    (labelled,) = all_whole(read_consort_tm(json.dumps({"PMC1": FIRST}).encode(), name="x.json"))
    paper = labelled.paper
    assert [sentence.text for sentence in paper.sentences] == [row["text"] for row in FIRST]
    assert all(paper.text[s.start : s.end] == s.text for s in paper.sentences)
    assert labelled.gold("blinding") == {9}
    assert labelled.gold("sequence") == labelled.gold("concealment") == {10}
    assert labelled.gold("attrition") == frozenset()


def test_the_abstracts_own_headings_open_no_section() -> None:
    (labelled,) = all_whole(read_consort_tm(json.dumps({"PMC1": FIRST}).encode(), name="x.json"))
    paper = labelled.paper
    assert [(s.title, s.kind) for s in paper.sections] == [
        ("Title", SectionKind.OTHER),
        ("Abstract", SectionKind.ABSTRACT),
        ("Background", SectionKind.INTRODUCTION),
        ("Methods", SectionKind.METHODS),
        ("Masking", SectionKind.METHODS),
    ]
    assert paper.title == "A trial of tea"
    assert [s.kind for s in paper.sentences[2:7]] == [
        Kind.HEADING, Kind.HEADING, Kind.ABSTRACT, Kind.HEADING, Kind.BODY]  # fmt: skip


def test_a_gap_begins_a_paragraph() -> None:
    (labelled,) = all_whole(read_consort_tm(json.dumps({"PMC1": FIRST}).encode(), name="x.json"))
    masking = labelled.paper.sections[-1]
    assert [len(paragraph) for paragraph in labelled.paper.paragraphs_of(masking)] == [1, 1, 1]


def test_the_papers_id_does_not_know_the_labels() -> None:
    without = [{**row, "consort_items": []} for row in FIRST]
    (one,) = all_whole(read_consort_tm(json.dumps({"PMC1": FIRST}).encode(), name="x.json"))
    (other,) = all_whole(read_consort_tm(json.dumps({"PMC1": without}).encode(), name="x.json"))
    assert one.paper == other.paper


@pytest.mark.parametrize("data", [b"[]", b"{}", b'{"PMC1": ["cut of', b"3"])
def test_another_file_is_refused(data: bytes) -> None:
    with pytest.raises(DatasetError, match=r"x\.json"):
        list(read_consort_tm(data, name="x.json"))


@pytest.mark.parametrize(
    ("rows", "key"),
    [
        ([], "record"),
        ([FIRST[0], {"text": "no section"}], "1.section"),
        ([FIRST[0] | {"consort_items": None}], "0.consort_items"),
        ([FIRST[0] | {"text": "\ud800"}], "0.text"),
        ("no list", "record"),
    ],
)
def test_a_broken_paper_is_named_and_the_rest_goes_on(rows: object, key: str) -> None:
    data = json.dumps({"PMC1": rows, "PMC2": FIRST}).encode()
    broken, whole = read_consort_tm(data, name="x.json")
    assert isinstance(broken, BrokenRecord)
    assert (broken.file, broken.id, broken.key) == ("x.json", "PMC1", key)
    assert isinstance(whole, LabelledPaper)
    with pytest.raises(DatasetError, match="PMC1"):
        all_whole(read_consort_tm(data, name="x.json"))


def test_the_real_file(shared_data: Path) -> None:
    data = (shared_data / "consort_tm" / "train30.json").read_bytes()
    papers = all_whole(read_consort_tm(data, name="train30.json"))
    raw = json.loads(data)
    assert len(papers) == 30
    assert {domain: sum(bool(p.gold(domain)) for p in papers) for domain in ITEMS_OF} == {
        "sequence": 25,
        "concealment": 12,
        "blinding": 24,
        "attrition": 30,
        "reporting": 28,
    }
    for paper in papers:
        assert [s.text for s in paper.paper.sentences] == [row["text"] for row in raw[paper.id]]
        assert paper.paper.sections[1].kind is SectionKind.ABSTRACT
    letters = re.sub(r"\W", "", papers[0].paper.sentences[-1].text).lower()
    assert hashlib.sha256(letters.encode()).hexdigest()[:12] == "8e27e6cc04df"


# ---- support ----
# `consort/support`: which sentences count, how they are averaged, and what becomes of failures.


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "train.json"
    path.write_bytes(trial_file())
    return path


def run(engine: Any, items: Sequence[ConsortItem], limit: int | None = None) -> Run:
    return run_task(SUPPORT, items, here(SUPPORT, engine), limit=limit)


class Oracle:
    """Finds the gold, but fails on one domain."""

    name = "oracle"

    def __init__(self, path: Path) -> None:
        self._gold = {
            (item.question.paper.id, item.category): item.gold for item in all_whole(read_support_items(path))
        }

    def support(
        self, domain: Domain, paper: Paper, study: StudyContext, *, k: int, progress: Progress = silent
    ) -> Retrieved:
        if domain.id == "concealment":
            raise EngineUnavailable("not today")
        wrong = [Support(0), Support(1)] if domain.id == "blinding" else []
        return Retrieved((*wrong, *(Support(index) for index in self._gold[paper.id, domain.id]))[:k])


def test_each_domain_counts_alike_and_a_failure_counts_as_a_failure(file: Path) -> None:
    result = run(Oracle(file), read_support_items(file))
    assert result.failed == 3
    values = {name: found.value for name, found in result.metrics.items()}
    assert values == {
        "sequence hit@1": 1.0,
        "concealment hit@1": 0.0,
        "blinding hit@1": 0.0,
        "attrition hit@1": 1.0,
        "reporting hit@1": 1.0,
        "average hit@1": pytest.approx(0.6),
        "sequence hit@3": 1.0,
        "concealment hit@3": 0.0,
        "blinding hit@3": 1.0,
        "attrition hit@3": 1.0,
        "reporting hit@3": 1.0,
        "average hit@3": pytest.approx(0.8),
    }


def test_a_domain_without_a_sentence_is_no_item(file: Path) -> None:
    file.write_bytes(trial_file(1).replace(b'"8a"', b'"8b"'))
    items = all_whole(read_support_items(file))
    assert [item.category for item in items] == ["concealment", "blinding", "attrition", "reporting"]
    found = summary([("PMC0", hits(item, Response())) for item in items])
    assert "sequence hit@1" not in found
    with pytest.raises(DatasetError, match="no item"):
        run(Oracle(file), [])


@pytest.mark.parametrize("name", ["offline", "bm25"])
def test_the_engines_that_need_no_encoder_run_it(file: Path, name: str) -> None:
    result = run(bias_engine_named(name), read_support_items(file), limit=10)
    assert (result.engine, len(result.items), result.failed) == (name, 10, 0)
    assert all(len(item.response.sentences) == 3 for item in result.items)
    if name == "offline":
        assert result.metrics["average hit@3"].value == 1.0


def test_the_shipped_model_on_the_real_papers(shared_data: Path) -> None:
    """Of papers that it was trained on: this shows that the shipped file is the trained one, no more."""
    items = read_support_items(shared_data / "consort_tm" / "train30.json")
    result = run(bias_engine_named("offline"), items, limit=30)
    assert result.metrics["average hit@1"].value > 0.9


# ---- unseen ----
# `consort/unseen`: the definitions beside the papers, and engines asked as if they had not learned of a domain.


@pytest.fixture
def with_definitions(file: Path) -> Path:
    (file.parent / DEFINITIONS).write_bytes((ROOT / "sample_data" / "consort_tm" / DEFINITIONS).read_bytes())
    return file


class Forgetful:
    """Remembers what it was asked to forget, and finds nothing."""

    name = "forgetful"

    def __init__(self, forgotten: list[str]) -> None:
        self.forgotten = forgotten
        self.asked: list[Domain] = []

    def without(self, domain: str) -> Forgetful:
        self.forgotten.append(domain)
        return self

    def support(
        self, domain: Domain, paper: Paper, study: StudyContext, *, k: int, progress: Progress = silent
    ) -> Retrieved:
        self.asked.append(domain)
        return Retrieved(())

    suggest = suggest_from_sentences = support


def test_a_definition_is_all_that_is_known_of_a_domain(with_definitions: Path) -> None:
    items = all_whole(read_unseen_items(with_definitions))
    assert [item.id for item in items] == [item.id for item in all_whole(read_support_items(with_definitions))]
    engine = Forgetful([])
    run_task(UNSEEN, items, here(UNSEEN, engine), limit=5)
    assert engine.forgotten == list(ITEMS_OF)
    assert [domain.name for domain in engine.asked][:2] == ["Random order", "Hidden allocation"]
    assert not any(domain.topics or domain.criteria or domain.level_model for domain in engine.asked)


def test_definitions_that_are_missing_are_asked_for(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VOUCH_DATA", raising=False)
    with pytest.raises(DatasetError, match=r"no definitions\.json beside"):
        read_unseen_items(file)
    (file.parent / DEFINITIONS).write_text('{"sequence": {"name": "Order", "definition": "By chance?"}}')
    with pytest.raises(DatasetError, match="no definition of concealment, blinding, attrition, reporting"):
        read_unseen_items(file)
    (file.parent / DEFINITIONS).write_text('{"sequence": {"name": "Order"}}')
    with pytest.raises(DatasetError, match=r"another layout \(sequence\.definition"):
        read_unseen_items(file)


def test_definitions_are_read_from_the_data_folder_otherwise(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOUCH_DATA", str(ROOT / "sample_data"))
    assert definitions_file(file) == ROOT / "sample_data" / "consort_tm" / DEFINITIONS
    assert UNSEEN.files(file) == [file, definitions_file(file)]
