"""The gold of a domain of risk of bias: its level and its sentences."""

from __future__ import annotations

from dataclasses import dataclass

from core.benchmarks.gold import Gold
from core.bias.model import HIGH, LOW, Level
from core.bias.tools.rob1 import UNCLEAR

ROBBR_LEVELS = (LOW, UNCLEAR, HIGH)  # the levels of RoBBR's layout


def level_in_robbr(level: Level, scale: tuple[Level, ...]) -> Level:
    """The level in RoBBR's layout: a tool's best and worst levels become low and high, those in between unclear."""
    return LOW if level == scale[0] else HIGH if level == scale[-1] else UNCLEAR


@dataclass(frozen=True, slots=True)
class DomainGold:
    """The gold for a domain of a tool."""

    levels: tuple[Level, ...] = ()  # any of these is right, if RoBBR's level stands for several; (): unknown
    gold: Gold | None = None  # None: unknown

    def is_right(self, level: Level | None) -> bool | None:
        """Whether a level is right; None if there is no level, or the gold has none."""
        return level in self.levels if level is not None and self.levels else None
