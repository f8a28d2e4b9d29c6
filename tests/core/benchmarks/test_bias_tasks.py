"""`bias/from-sentences`: macro-F1, the labelled sentences, and files with another layout."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.benchmarks.bias_tasks import FROM_SENTENCES, JudgedSentences, SentencesItem, read_sentence_items, summary
from core.benchmarks.model import BrokenRecord, Item, Run
from core.benchmarks.records import all_whole
from core.benchmarks.runner import here, run_task
from core.bias import bias_engine_named
from core.bias.model import HIGH, LOW, Level
from core.bias.tools.rob1 import UNCLEAR
from run import ROOT

FILES = [ROOT / "sample_data" / "bias" / f"sentences.{half}.json" for half in ("known", "unseen")]


def run(engine: str, items: Sequence[SentencesItem]) -> Run:
    return run_task(FROM_SENTENCES, items, here(FROM_SENTENCES, bias_engine_named(engine)))


def test_macro_f1_by_hand() -> None:
    judged = [
        JudgedSentences("a", LOW, LOW),
        JudgedSentences("a", LOW, HIGH),
        JudgedSentences("a", HIGH, HIGH),
        JudgedSentences("a", UNCLEAR, None),
    ]
    # low: right 1, labelled 2, given 1; high: right 1, labelled 1, given 2; unclear: never given
    assert summary(judged)["macro-F1"].value == pytest.approx((2 / 3 + 2 / 3 + 0) / 3)
    assert summary([JudgedSentences("a", LOW, LOW)])["macro-F1 a"].value == 1.0  # levels that do not occur have no F1


def test_a_level_that_is_not_given_is_not_shown() -> None:
    read = Level("".join(LOW))  # as from a file: the same word, another object
    judged = [
        JudgedSentences("a", read, LOW),
        JudgedSentences("a", LOW, HIGH),
        JudgedSentences("b", HIGH, HIGH),
        JudgedSentences("b", UNCLEAR, None),
    ]
    found = {name: figure.value for name, figure in summary(judged).items()}
    assert (found["shown"], found["shown a"], found["shown b"]) == (0.75, 1.0, 0.5)
    assert found["shown right"] == pytest.approx(2 / 3)
    assert (found["shown right low"], found["shown right high"], found["shown right b"]) == (1.0, 0.5, 1.0)
    assert "shown right unclear" not in found  # none was given


def test_the_likeliest_level_counts_for_macro_f1_and_is_not_shown() -> None:
    found = {name: figure.value for name, figure in summary([JudgedSentences("a", LOW, None, LOW)]).items()}
    assert (found["macro-F1"], found["shown"]) == (1.0, 0.0)
    assert "shown right" not in found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_labelled_sentences_are_judged(path: Path) -> None:
    result = run("offline", read_sentence_items(path))
    assert result.failed == 0
    assert result.metrics["macro-F1"].value >= 0.6


def test_there_are_forty_sentences_a_domain_and_every_level_in_each_half() -> None:
    halves = [all_whole(read_sentence_items(path)) for path in FILES]
    items = [item for half in halves for item in half]
    assert min(Counter(item.category for item in items).values()) >= 40
    assert (
        len({item.id for item in items})
        == len({(item.category, *item.question.sentences) for item in items})
        == len(items)
    )
    for half in halves:
        counts = Counter((item.category, item.gold) for item in half)
        assert len(counts) == 21
        assert min(counts.values()) >= 5


def test_an_engine_that_gives_no_level_is_always_wrong(tmp_path: Path) -> None:
    path = tmp_path / "sentences.json"
    path.write_text(json.dumps([{"id": "1", "domain": "sequence", "sentences": ["Random."], "label": "unclear"}]))
    assert run("bm25", read_sentence_items(path)).metrics["macro-F1"].value == 0.0


@pytest.mark.parametrize(
    ("record", "key"),
    [
        ({"id": "1", "domain": "sequence", "sentences": [], "label": "low"}, "sentences"),
        ({"id": "1", "domain": "sequence", "sentences": ["x"], "label": "some concerns"}, "label"),
        ({"id": "1", "domain": "D1", "sentences": ["x"], "label": "low"}, "domain"),
        ({"id": "1", "domain": "sequence", "label": "low"}, "sentences"),
    ],
)
def test_a_broken_record_is_named_and_the_rest_goes_on(tmp_path: Path, record: dict[str, object], key: str) -> None:
    path = tmp_path / "sentences.json"
    whole = {"id": "2", "domain": "sequence", "sentences": ["x"], "label": "low"}
    path.write_text(json.dumps([record, whole]))
    broken, item = read_sentence_items(path)
    assert isinstance(broken, BrokenRecord)
    assert (broken.file, broken.id, broken.key) == ("sentences.json", "1", key)
    assert isinstance(item, Item)
    assert item.id == "2"
