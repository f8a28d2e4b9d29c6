"""The outcome of a candidate, as a line of the journal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.grounding.model import Step
from core.llm import Usage, cost


@dataclass(frozen=True, slots=True)
class Outcome:
    """The records that were made from a candidate, in the published layouts, or why there are none."""

    key: str
    review: str
    dropped: str = ""  # why there is no record; "" if there is one
    paper: str = ""
    paper_key: str = ""  # identifies the paper, whichever of its identifiers was used to find it
    licence: str | None = None
    told: Mapping[str, Any] = field(
        default_factory=dict
    )  # what the records lack, such as the summary and what was left out
    records: Mapping[str, Any] = field(default_factory=dict)  # by layout
    steps: tuple[Step, ...] = ()

    def line(self, model: str, *, batch: bool) -> str:
        """The outcome as one line of JSON that is the same in every run: cached replies are counted at their price."""
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
