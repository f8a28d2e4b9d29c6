"""RoBBR's figures: by category of bias, and their mean over the categories (RoBBR, section 5.2 and tables 3 to 8).

An item whose bias has several categories counts in each of them; the mean takes every category that has an item.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.benchmarks.bias_names import CATEGORIES, ROBOTREVIEWER, categories_of, robotreviewer_domain
from core.benchmarks.bootstrap import Interval, Statistic, estimate, mean, mean_of_parts, of_members
from core.benchmarks.metrics.labels import Labelled, Measure, accuracy, kappa, macro_f1

LEVELS = ("low", "unclear", "high")
_TWO_LEVELS = {"low": "low", "unclear": "high or unclear", "high": "high or unclear"}


def levels_by_category(
    gold: Sequence[str], given: Sequence[str | None], biases: Sequence[str], papers: Sequence[str]
) -> dict[str, Interval]:
    """Macro-F1 of levels of risk (table 5), accuracy and kappa; and those of RobotReviewer's subset.

    RobotReviewer knows four domains and two levels, low and high or unclear (table 8).
    """
    three = Labelled(gold, given, LEVELS)
    found = {
        **_of_groups("macro-F1", three, macro_f1, _categories(biases)),
        "macro-F1 of all": three.statistic(macro_f1),
        "accuracy": three.statistic(accuracy),
        "kappa": three.statistic(kappa),
    }
    domains = [robotreviewer_domain(bias) for bias in biases]
    groups = {name: [domain == name for domain in domains] for name in ROBOTREVIEWER if name in domains}
    two = Labelled(_two_levels(gold), [None if level is None else _TWO_LEVELS[level] for level in given], _TWO)
    found |= _of_groups("two-level macro-F1", two, macro_f1, groups)
    return _estimated(found, papers)


def means_by_category(
    name: str, scores: Sequence[float], biases: Sequence[str], papers: Sequence[str]
) -> dict[str, Interval]:
    """The mean of a score over the categories (tables 3 and 4), in each, and over all items."""
    parts = {group: of_members(mean(scores), members) for group, members in _categories(biases).items()}
    found: dict[str, Statistic] = {name: mean_of_parts(list(parts.values()))} if parts else {}
    found |= {f"{name} {group}": part for group, part in parts.items()}
    return _estimated({**found, f"{name} of all": mean(scores)}, papers)


_TWO = tuple(dict.fromkeys(_TWO_LEVELS.values()))


def _two_levels(levels: Sequence[str]) -> list[str]:
    return [_TWO_LEVELS[level] for level in levels]


def _of_groups(
    name: str, items: Labelled, measure: Measure, groups: Mapping[str, Sequence[bool]]
) -> dict[str, Statistic]:
    """The measure's mean over the groups, and in each."""
    parts = {f"{name} {group}": of_members(items.statistic(measure), members) for group, members in groups.items()}
    return {name: mean_of_parts(list(parts.values())), **parts} if parts else {}


def _categories(biases: Sequence[str]) -> dict[str, list[bool]]:
    """Which items belong to each category that has any."""
    own = [categories_of(bias) for bias in biases]
    groups = {category: [category in found for found in own] for category in CATEGORIES}
    return {category: members for category, members in groups.items() if any(members)}


def _estimated(statistics: Mapping[str, Statistic], papers: Sequence[str]) -> dict[str, Interval]:
    """Each with its interval; one that is not defined on the data is left out."""
    found = {name: estimate(statistic, papers) for name, statistic in statistics.items()}
    return {name: interval for name, interval in found.items() if interval is not None}
