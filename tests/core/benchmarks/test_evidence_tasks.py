"""Reading trials' questions: spans become sentences, and the direction of the effect never comes along."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.benchmarks.evidence_tasks import TrialQuestion, article_files, count_prompts, read_evidence_inference
from core.benchmarks.model import BrokenRecord
from core.benchmarks.records import all_whole
from core.errors import DatasetError
from core.paper import Paper

ARTICLE = """<article><front><article-meta><title-group><article-title>Tea</article-title></title-group>
<abstract><p>Sleep was shorter with tea (31 min; P&#160;=&#160;0.01). Mood did not differ.</p></abstract></article-meta></front>
<body><sec><title>Results</title><p>Forty adults slept. Sleep was shorter with tea.</p></sec></body></article>"""
ITEM = {
    "pmcid": "PMC1",
    "prompt_id": 7,
    "intervention": "evening  tea",
    "comparator": "water",
    "outcome": "sleep",
    "annotations": [
        {"label": "significantly decreased", "evidence": "Sleep was shorter with tea (31 min; P = 0.01).", "start": 0}
    ],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "xml").mkdir()
    (tmp_path / "xml" / "PMC1.nxml").write_text(ARTICLE)
    return tmp_path


def write(folder: Path, *items: dict[str, Any]) -> Path:
    (folder / "items.json").write_text(json.dumps(items))
    return folder


def test_a_prompt(folder: Path) -> None:
    (prompt,) = all_whole(read_evidence_inference(write(folder, ITEM)))
    assert (prompt.id, prompt.article) == ("7", "PMC1")
    assert prompt.hypothesis == "evening tea compared with water: sleep"
    assert [prompt.paper.sentences[i].text for i in prompt.gold] == ["Sleep was shorter with tea (31 min; P = 0.01)."]


def test_the_direction_of_the_effect_leaves_no_trace(folder: Path) -> None:
    other = ITEM | {"annotations": [{**ITEM["annotations"][0], "label": "significantly increased"}]}  # type: ignore[index]
    one, two = (next(read_evidence_inference(write(folder, item))) for item in (ITEM, other))
    assert repr(one) == repr(two)
    assert "decreased" not in repr(one)


def test_a_span_over_two_sentences_and_one_too_short(folder: Path) -> None:
    spans = [
        {"evidence": "31 min; P = 0.01). Mood did"},
        {"evidence": "tea"},
        {"evidence": None},
        {"evidence": "not there at all"},
    ]
    (prompt,) = all_whole(read_evidence_inference(write(folder, ITEM | {"annotations": spans})))
    assert len(prompt.gold) == 2


def test_a_long_question_is_cut_to_what_may_be_asked(folder: Path) -> None:
    (prompt,) = all_whole(read_evidence_inference(write(folder, ITEM | {"intervention": "word " * 900})))
    assert len(prompt.hypothesis.split()) == 400


@pytest.mark.parametrize(
    ("record", "id", "key"),
    [
        ({"pmcid": "PMC1"}, "1", "prompt_id"),
        (ITEM | {"annotations": None}, str(ITEM["prompt_id"]), "annotations"),
        (ITEM | {"pmcid": "PMC2", "prompt_id": 8}, "8", "pmcid"),
        ("no record", "1", "record"),
    ],
)
def test_a_broken_record_is_named_and_the_rest_goes_on(folder: Path, record: object, id: str, key: str) -> None:
    (folder / "items.json").write_text(json.dumps([record, ITEM]))
    broken, prompt = read_evidence_inference(folder)
    assert isinstance(broken, BrokenRecord)
    assert (broken.file, broken.id, broken.key) == ("items.json", id, key)
    assert isinstance(prompt, TrialQuestion)
    assert count_prompts(folder) == 2
    assert [path.name for path in article_files(folder / "items.json")] == ["items.json", "PMC1.nxml"]


def test_an_article_that_cannot_be_read_is_named(folder: Path) -> None:
    write(folder, ITEM)
    (folder / "xml" / "PMC1.nxml").write_text("<article>")
    (broken,) = read_evidence_inference(folder)
    assert "PMC1.nxml" in str(broken)


def test_what_is_no_json_is_one_clear_error(folder: Path) -> None:
    (folder / "items.json").write_text("{")
    with pytest.raises(DatasetError, match=r"items\.json"):
        list(read_evidence_inference(folder))


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"items\.json"):
        list(read_evidence_inference(tmp_path / "nowhere"))


def test_the_published_trials(shared_data: Path) -> None:
    published = shared_data / "evidence_inference"
    assert count_prompts(published) == 871
    assert len(article_files(published / "items.json")) == 1 + 320
    [first] = all_whole(read_evidence_inference(published, "11479".__eq__))
    assert (first.id, first.article) == ("11479", "PMC529310")


PARTS = 8


@pytest.mark.repetition("part")
@pytest.mark.parametrize("part", range(PARTS))
def test_published_spans_are_found_in_their_papers(
    part: int, shared_data: Path, read_once: Callable[[Path], Paper], monkeypatch: pytest.MonkeyPatch
) -> None:
    published = shared_data / "evidence_inference"
    monkeypatch.setattr("core.benchmarks.articles.read_paper", lambda data, name: read_once(published / "xml" / name))
    articles = {file.stem for file in article_files(published / "items.json")[1 + part :: PARTS]}
    items = json.loads((published / "items.json").read_text(encoding="utf-8"))
    asked = {str(item["prompt_id"]) for item in items if item["pmcid"] in articles}
    prompts = all_whole(read_evidence_inference(published, asked.__contains__))
    assert {prompt.article for prompt in prompts} == articles
    assert sum(not prompt.gold for prompt in prompts) <= 2
