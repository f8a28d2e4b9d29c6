"""Composed results tell what their label says."""

from __future__ import annotations

import random
import re

import pytest

from core.entailment import Direction
from core.training.composed import ComposedResult, compose
from core.training.reader_pairs import Sources, pool_of

_THAN = re.compile(
    r"^(?:[^,]+, )?outcome was (?:\w+ )*?(more|less|higher|lower|greater|smaller) in (.+?) than in (.+?)(?: at| after| on| post| \(|,| \[|\.|$)"
)


def many(count: int) -> list[ComposedResult]:
    draw = random.Random(1)
    return [compose(draw, [("alphamab", "betaxin")], ["outcome", "another thing"]) for _ in range(count)]


def test_more_in_one_arm_than_in_the_other_is_up_for_the_first_and_down_for_the_second() -> None:
    seen = set()
    for one in many(4000):
        found = _THAN.match(one.sentence[0].lower() + one.sentence[1:])
        if (
            found is None
            or "outcome" in one.sentence[found.end() :]
            or "another thing" in one.sentence.lower()
            or one.told in (Direction.SAME, Direction.NOT_ON_THIS)
            or "but" in one.sentence
        ):
            continue
        word, first, second = found.groups()
        arms = [name for name in (one.intervention, one.comparator) if name in first or name in second]
        if len(arms) != 2:
            continue
        more = first if word in ("more", "higher", "greater") else second
        assert one.told is (Direction.UP if one.intervention in more else Direction.DOWN), one
        seen.add((one.intervention, one.told))
    assert len(seen) == 4  # either arm asked for, either way


def test_half_of_the_questions_ask_for_the_arm_that_a_trial_would_call_its_comparator() -> None:
    told = [one for one in many(2000) if one.told is not Direction.NOT_ON_THIS]
    assert 0.4 < sum(one.intervention == "alphamab" for one in told) / len(told) < 0.6


@pytest.mark.slow
def test_a_pool_is_the_same_for_the_same_seed() -> None:
    sources = Sources([], [("alphamab", "betaxin")], ["outcome"])
    one, again = (pool_of(sources, 4000, composed=1.0, seed=3, processes=2) for _ in range(2))
    assert len(one.lengths) == 4000
    assert one.pieces.sum() == again.pieces.sum()
    assert one.pieces.size == one.lengths.sum()
    assert (one.labels > 0).all()
