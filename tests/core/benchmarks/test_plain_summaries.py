"""Plain sentences on trials, each checked by itself: what is read, and the figures by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.benchmarks.articles import article_file
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response
from core.benchmarks.plain_summaries import EDITORS, SENTENCES
from core.benchmarks.runner import here, run_task
from core.benchmarks.task import EngineChoice
from core.errors import DatasetError
from core.llm.demo import DemoServer
from core.summary import Label

TRIAL = (
    "<article><front><article-meta><title-group><article-title>Naps</article-title></title-group>"
    "<abstract><p>Forty bees took part. Honey rose by 3 g.</p></abstract>"
    '<abstract abstract-type="editor"><p>The editors say that bees love naps.</p></abstract>'
    "</article-meta></front><body><p>Naps were taken at noon.</p></body></article>"
)
RIGHT = {
    "paper": "PMC1",
    "n": 1,
    "sentence": "There was more honey.",
    "label": "supported",
    "support": ["Honey rose by 3 g."],
}
WRONG = {
    **RIGHT,
    "n": 2,
    "sentence": "Fifty bees took part.",
    "label": "not supported",
    "kind": "contradicts",
    "error": "number",
    "support": ["Nobody wrote this sentence anywhere in it.", "Forty bees took part."],
}


def data(folder: Path, *rows: dict[str, object]) -> Path:
    """A file of these rows, in the layout of the data folder."""
    (folder / "evidence_inference" / "xml").mkdir(parents=True)
    (folder / "evidence_inference" / "xml" / "PMC1.nxml").write_text(TRIAL)
    path = folder / "plain_summaries" / "dev.jsonl"
    path.parent.mkdir()
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_the_sentences_with_their_gold(tmp_path: Path) -> None:
    untold = {**WRONG, "n": 3, "kind": None}
    path = data(tmp_path, RIGHT, WRONG, untold)
    assert SENTENCES.source(tmp_path) == SENTENCES.source(path.parent) == SENTENCES.source(path) == path
    items = [item for item in SENTENCES.items(path) if isinstance(item, Item)]
    assert [(item.id, item.group, item.category, item.labels) for item in items] == [
        ("PMC1/1", "PMC1", "", ("supported",)),
        ("PMC1/2", "PMC1", "number", ("contradicts the paper",)),
        ("PMC1/3", "PMC1", "number", ("contradicts the paper", "not in the paper")),
    ]
    paper = items[0].question.paper
    found = [index for item in items[:2] for index in sorted(item.gold) if index < len(paper.sentences)]
    assert len(items[1].gold) == 2, "what is nowhere in the paper stays gold, for nobody to find"
    assert [paper.sentences[index].text for index in found] == [
        "Honey rose by 3 g.",
        "Forty bees took part.",
    ]
    assert SENTENCES.files(path) == [path, tmp_path / "evidence_inference" / "xml" / "PMC1.nxml"]


def test_what_is_no_item_is_named(tmp_path: Path) -> None:
    path = data(tmp_path, {**RIGHT, "label": "maybe"}, {**RIGHT, "paper": "PMC2"}, {**RIGHT, "paper": "../PMC1"}, RIGHT)
    broken = [str(item) for item in SENTENCES.items(path) if isinstance(item, BrokenRecord)]
    assert ["label" in broken[0], "“PMC2” is missing" in broken[1], "“../PMC1” is missing" in broken[2]] == [True] * 3
    assert len(broken) == 3
    assert article_file(path, "../PMC1") is None


def test_data_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="editors"):
        EDITORS.source(tmp_path)


def test_the_editors_are_not_held_against_themselves(tmp_path: Path) -> None:
    path = data(tmp_path, {"paper": "PMC1", "n": 1, "sentence": "The editors say that bees love naps."})
    engine = EDITORS.open(EngineChoice("bm25@3"))
    run = run_task(EDITORS, EDITORS.items(path), here(EDITORS, engine))
    [item] = [item for item in EDITORS.items(path) if isinstance(item, Item)]
    paper = item.question.paper
    assert any("love naps" in sentence.text for sentence in paper.sentences)
    assert all("love naps" not in paper.sentences[index].text for index in run.items[0].response.sentences)
    assert {name: figure.value for name, figure in run.metrics.items()} == {
        "flagged": 0,
        "flagged as contradictions": 0,
    }


def result(
    gold: Label, given: Label | None, score: float | None = None, *, error: str = "", failed: bool = False
) -> ItemResult:
    """What became of a sentence of one paper, whose support is sentence 1."""
    response = Response((1,), (given and given.value,), score=score, error="no answer" if failed else None)
    item: Item[object, frozenset[int]] = Item("", "p", None, frozenset({1}), error, (gold.value,))
    scores = SENTENCES.score(item, response.answer)  # type: ignore[arg-type]
    return ItemResult("", "p", response, scores, error, item.labels)


def values(results: list[ItemResult]) -> dict[str, float]:
    return {name: round(figure.value, 4) for name, figure in SENTENCES.metrics(results).items()}


def test_the_figures_by_hand() -> None:
    yes, against, absent, untold = Label.SUPPORTED, Label.CONTRADICTS, Label.NOT_IN_PAPER, Label.CANNOT_TELL
    found = values(
        [
            result(yes, yes, 0.9),
            result(yes, untold, 0.5),
            result(yes, absent, 0.2),
            result(yes, yes, failed=True),
            result(against, against, 0.1, error="number"),
            result(against, absent, 0.3, error="number"),
            result(absent, untold, None, error="added"),
        ]
    )
    assert found["right flagged"] == 0.5  # one flagged, one failed, of four
    assert found["wrong flagged"] == round(2 / 3, 4)
    assert found["right kind"] == round(1 / 3, 4)
    assert found["support found"] == round(6 / 7, 4)
    # Pairs of a right one (0.9, 0.5, 0.2, failed) with a wrong one: 0.1: 3 of 4; 0.3: 2 of 4; none: 1.5 of 4.
    assert found["AUROC"] == round(6.5 / 12, 4)
    assert found["AUROC number"] == round(5 / 8, 4)
    assert found["AUROC added"] == 0.375


def test_without_a_score_the_label_ranks() -> None:
    supported, wrong, untold = Label.SUPPORTED, Label.CONTRADICTS, Label.CANNOT_TELL
    assert values([result(supported, supported), result(wrong, wrong, error="other")])["AUROC"] == 1.0
    assert values([result(supported, wrong), result(wrong, supported, error="other")])["AUROC"] == 0.0
    assert values([result(supported, untold), result(wrong, untold, error="other")])["AUROC"] == 0.5


def test_a_failed_item_counts_as_failed(demo: DemoServer, tmp_path: Path) -> None:
    path = data(tmp_path, RIGHT, WRONG)
    engine = SENTENCES.open(EngineChoice("openai:demo-cutjson"))
    run = run_task(SENTENCES, SENTENCES.items(path), here(SENTENCES, engine))
    assert run.failed == 2
    found = {name: figure.value for name, figure in run.metrics.items()}
    assert (found["right flagged"], found["wrong flagged"], found["AUROC"], found["support found"]) == (1, 0, 0, 0)
    editors = run_task(EDITORS, EDITORS.items(path), here(EDITORS, engine))
    assert {figure.value for figure in editors.metrics.values()} == {1.0}
