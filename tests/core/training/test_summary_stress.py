"""The stress set: rules on invented sentences, and what holds for the whole set on the real papers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from core.paper import Paper
from core.training.summary_stress import (
    HELD_BACK,
    WORDS,
    StressItem,
    StressWording,
    Surroundings,
    Wrong,
    compressed,
    corrupted,
    make_items,
    plain,
    read_trials,
    write_items,
)

AROUND = Surroundings(
    numbers=["17", "36"], own_terms=["metformin"], foreign_terms=["warfarin"], arms=("walking", "rest")
)


def broken(text: str, wrong: Wrong, *, test: bool = False) -> str | None:
    return corrupted(text, wrong, AROUND, Random(1), test=test)


def test_asides_and_openings_are_left_out() -> None:
    text = "However, we found that pain (by the score) fell in the 24 patients [3,4] who walked each day."
    assert compressed(text, Random(0)) == "Pain fell in the 24 patients who walked each day."


def test_a_plain_rewording_takes_two_rules() -> None:
    text = "Pain was significantly lower in 50% of the 12 patients prior to surgery."
    reworded = plain(text, None, Random(3), test=False)
    assert reworded is not None
    assert "half" in reworded
    assert plain("Pain fell in those who had walked in the park.", None, Random(0), test=False) is None


@pytest.mark.parametrize(
    ("wrong", "text", "expected"),
    [
        (Wrong.DIRECTION, "Pain was higher on Monday.", "Pain was lower on Monday."),
        (Wrong.CERTAINTY, "Walking may be good.", "Walking is good."),
        (Wrong.ABSOLUTE, "Most slept well.", "All slept well."),
        (Wrong.ROLE, "Walking was better than rest.", "rest was better than Walking."),
    ],
)
def test_one_thing_is_made_wrong(wrong: Wrong, text: str, expected: str) -> None:
    found = {corrupted(text, wrong, AROUND, Random(seed), test=False) for seed in range(9)}
    assert expected in found


def test_a_number_is_changed_but_no_reference() -> None:
    for seed in range(9):
        after = corrupted("We saw 24 women [17].", Wrong.NUMBER, AROUND, Random(seed), test=False)
        assert after is not None
        assert after.endswith("women [17].")
        assert "24" not in after


def test_a_name_comes_from_another_paper() -> None:
    after = broken("They took metformin daily.", Wrong.ENTITY)
    assert after is not None
    assert "warfarin" in after


def test_what_offers_no_hold_is_left_out() -> None:
    assert broken("They walked.", Wrong.NUMBER) is None


def test_words_of_the_test_are_not_those_of_tuning() -> None:
    pairs = (
        (WORDS.plain, HELD_BACK.plain),
        (WORDS.opposites, HELD_BACK.opposites),
        (WORDS.roles, HELD_BACK.roles),
        (WORDS.surer, HELD_BACK.surer),
    )
    for common, held in pairs:
        assert not set(common) & set(held)


def test_a_set_has_a_line_for_each_item(tmp_path: Path) -> None:
    items = [
        StressItem("PMC1", "Pain fell.", StressWording.PLAIN, None, test=True),
        StressItem("PMC1", "x", StressWording.CLAIM, Wrong.CLAIM, test=False),
    ]
    write_items(items, tmp_path / "set.jsonl")
    lines = (tmp_path / "set.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [
        {"paper": "PMC1", "text": "Pain fell.", "wording": "plain", "wrong": None, "test": True},
        {"paper": "PMC1", "text": "x", "wording": "claim", "wrong": "claim", "test": False},
    ]


def test_the_set_on_real_papers(
    shared_data: Path, read_once: Callable[[Path], Paper], monkeypatch: pytest.MonkeyPatch
) -> None:
    xml = shared_data / "evidence_inference" / "xml"
    monkeypatch.setattr("core.training.summary_stress.read_paper", lambda data, name: read_once(xml / name))
    trials = read_trials(shared_data / "evidence_inference", most=40)
    items = list(make_items(trials))
    assert items == list(make_items(trials))
    assert len(items) > 800
    assert {item.wrong for item in items} == {None, *Wrong}
    assert not {item.paper for item in items if item.test} & {item.paper for item in items if not item.test}
    text = {trial.name: trial.paper.text for trial in trials}
    assert all(
        item.text in text[item.paper] for item in items if item.wording is StressWording.VERBATIM and item.wrong is None
    )
    assert not any(item.text in text[item.paper] for item in items if item.wrong)
