"""What became of a candidate, as a line of the file in which what is done is kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.grounding.model import Step
from core.llm import Usage, cost


@dataclass(frozen=True, slots=True)
class Outcome:
    """A candidate that was made into records of the published layouts, or why it was not."""

    key: str
    review: str
    dropped: str = ""  # why; "" where there is a record
    paper: str = ""
    paper_key: str = ""  # the same by whichever of its identifiers the paper was asked for
    licence: str | None = None
    told: Mapping[str, Any] = field(
        default_factory=dict
    )  # what the records do not hold: the summary, what was left out
    records: Mapping[str, Any] = field(default_factory=dict)  # by layout
    steps: tuple[Step, ...] = ()

    def line(self, model: str, *, batch: bool) -> str:
        """As JSON on one line, without what differs from run to run: answers from the cache count at their price, too."""
        usage = [step.usage for step in self.steps if step.usage is not None]
        prices = [cost(model, used, batch=batch) for used in usage]
        return json.dumps(
            {
                "key": self.key,
                "review": self.review,
                "dropped": self.dropped,
                "paper": self.paper,
                "paper_key": self.paper_key,
                "licence": self.licence,
                "told": dict(self.told),
                "calls": len(self.steps),
                "faulty": sum(bool(step.faults) for step in self.steps),
                "tokens": _tokens(usage),
                "cost_usd": None if None in prices else sum(price for price in prices if price is not None),
                "records": dict(self.records),
            },
            ensure_ascii=False,
        )


def _tokens(usages: list[Usage]) -> int | None:
    counts = [count for usage in usages for count in (usage.input_tokens, usage.output_tokens)]
    return None if None in counts else sum(count for count in counts if count is not None)
