"""Training how a definition is followed: nothing of a family that is left out reaches its weights."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.benchmarks.consort_tm import ITEMS_OF
from core.bias.definitions.features import Definition
from core.paper import read_paper
from core.training.definitions import ConductTopic, Example, fit, telling_of, topics, trial_words

MASKING = ConductTopic("masking", "masking", frozenset({"11a"}), (Definition("Masking", "Who knew."),))
DOSE = ConductTopic("dose", "dose", frozenset({"5"}), (Definition("Dose", "How much."),))
NAMES = ("like", "long")


def example(topic: ConductTopic, seed: int, told_by: int) -> Example:
    """Twenty sentences; the one with the most of a feature answers."""
    values = np.random.default_rng(seed).normal(size=(20, 2))
    told = np.zeros(20, dtype=bool)
    told[values[:, told_by].argmax()] = True
    return Example(f"paper {seed}", topic, values, told)


FOUND = [example(MASKING, seed, 0) for seed in range(8)] + [example(DOSE, seed, 1) for seed in range(8, 16)]


def weights(found: list[Example], *without: str) -> np.ndarray:
    return fit(NAMES, found, np.zeros(2), np.ones(2), without)


def test_what_tells_the_labelled_sentence_gets_the_weight() -> None:
    like, long = weights(FOUND, "dose")
    assert like > 1 > abs(long)
    like, long = weights(FOUND, "masking")
    assert long > 1 > abs(like)


def test_no_label_of_a_topic_that_is_left_out_reaches_the_weights() -> None:
    turned = [one if one.topic is DOSE else replace(one, told=~one.told) for one in FOUND]
    assert np.array_equal(weights(FOUND, "masking"), weights(turned, "masking"))
    assert not np.allclose(weights(FOUND), weights(turned))


def test_topics_are_told_apart_by_family() -> None:
    known = topics()
    assert len({topic.id for topic in known}) == len(known) > 25
    assert all(topic.items and len(topic.wordings) > 1 for topic in known)
    assert len({wording for topic in known for wording in topic.wordings}) == sum(len(t.wordings) for t in known)
    for domain, items in ITEMS_OF.items():
        kept = [topic for topic in known if topic.id not in telling_of(domain, known)]
        assert not any(topic.items & items for topic in kept)
        assert len(kept) > 20


def test_words_beside_the_same_words_lie_together() -> None:
    lines = [f"The {drug} was given daily by mouth. Nurses {verb} the ward at night." for drug, verb in
             [("aspirin", "left"), ("ibuprofen", "left"), ("aspirin", "watched"), ("ibuprofen", "watched")] * 3]  # fmt: skip
    papers = [read_paper(f"Trial {n}\n\nMethods\n\n{line}\n".encode(), name=f"{n}.txt") for n, line in enumerate(lines)]
    found = trial_words(papers)
    aspirin, ibuprofen, night = (found.vector(word) for word in ("aspirin", "ibuprofen", "night"))
    assert aspirin @ ibuprofen > aspirin @ night
