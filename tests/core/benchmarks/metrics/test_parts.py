"""Figures that belong together are found by their names."""

from __future__ import annotations

from core.benchmarks.bootstrap import Interval
from core.benchmarks.metrics.parts import OVERALL, parts_of

ANY = Interval(0.5, 0.4, 0.6, 0.1)


def parts(*names: str) -> dict[str, list[str]]:
    return {measure: list(own) for measure, own in parts_of(dict.fromkeys(names, ANY)).items()}


def test_a_part_is_called_by_its_measure_first() -> None:
    assert parts("macro-F1", "macro-F1 selection", "macro-F1 of all", "kappa") == {
        "macro-F1": [OVERALL, "selection", "of all"],
        "kappa": [OVERALL],
    }
    assert parts("two-level macro-F1", "two-level macro-F1 sequence") == {"two-level macro-F1": [OVERALL, "sequence"]}


def test_at_a_depth_the_part_comes_first() -> None:
    assert parts("attrition hit@1", "average hit@1", "attrition hit@3") == {
        "hit@1": ["attrition", "average"],
        "hit@3": ["attrition"],
    }


def test_a_measure_that_is_told_by_parts_alone() -> None:
    assert parts("aspect_recall original", "aspect_recall negation", "change negation") == {
        "aspect_recall": ["original", "negation"],
        "change negation": [OVERALL],
    }


def test_measures_of_one_label_are_no_parts_of_each_other() -> None:
    names = ["recall not supported", "precision not supported", "given not supported"]
    assert parts(*names) == {name: [OVERALL] for name in names}
