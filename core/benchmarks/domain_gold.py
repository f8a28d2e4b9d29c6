"""What is right in a domain of risk of bias: its level and its sentences."""

from __future__ import annotations

from dataclasses import dataclass

from core.benchmarks.gold import Gold
from core.bias.model import HIGH, LOW, Level
from core.bias.tools.rob1 import UNCLEAR

ROBBR_LEVELS = (LOW, UNCLEAR, HIGH)  # that RoBBR's layout knows


def level_in_robbr(level: Level, scale: tuple[Level, ...]) -> Level:
    """The best and the worst level of any tool are low and high; what lies between is unclear."""
    return LOW if level == scale[0] else HIGH if level == scale[-1] else UNCLEAR


@dataclass(frozen=True, slots=True)
class DomainGold:
    """What is right for a domain of a tool."""

    levels: tuple[Level, ...] = ()  # any of these, where the layout's word stands for several; (): not known
    gold: Gold | None = None  # None: not known

    def is_right(self, level: Level | None) -> bool | None:
        """Whether a level is; None where there is none, or gold has none."""
        return level in self.levels if level is not None and self.levels else None
