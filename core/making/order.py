"""What commands and pages share to start making a benchmark: the pipelines by name, and a text on the cost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.making.carrying_out import RunEstimate
from core.making.evidencebench import EvidenceBenchPipeline
from core.making.farebio import FarebioPipeline
from core.making.robbr import RobbrPipeline
from core.making.shelf import Shelf

KINDS = ("evidencebench", "robbr", "farebio")


def pipeline_named(
    kind: str, source: Path, shelf: Shelf, *, any_licence: bool = False, writers: Sequence[str] = ()
) -> Any:
    """The `Pipeline` of this kind on reviews, judgements or summaries.

    `writers` are the models that wrote the summaries.
    """
    match kind:
        case "robbr":
            return RobbrPipeline(source, shelf, any_licence=any_licence)
        case "farebio":
            return FarebioPipeline(source, shelf, any_licence=any_licence, writers=writers)
        case _:
            return EvidenceBenchPipeline(source, shelf, any_licence)


def estimate_in_words(run: RunEstimate, half: RunEstimate | None = None) -> str:
    """A text on what a run will use. `half` is the estimate for batches, to show their price as well."""
    begun = f"{run.candidates:,} candidates"
    if run.estimate is None:
        return f"{begun}; none of the first {run.sampled:,} can be used, so that the cost cannot be reckoned"
    tokens = f"about {run.estimate.calls:,} questions with {run.estimate.input_tokens:,} tokens"
    if run.estimate.least_usd is None or run.estimate.most_usd is None:
        return f"{begun}: {tokens}, at a price that is not known (reckoned from the first {run.sampled:,})"
    batches = ""
    if (
        half is not None
        and half.estimate
        and half.estimate.least_usd is not None
        and half.estimate.most_usd is not None
    ):
        batches = f", or ${half.estimate.least_usd:,.2f} to ${half.estimate.most_usd:,.2f} in batches"
    return (
        f"{begun}: {tokens}, ${run.estimate.least_usd:,.2f} to ${run.estimate.most_usd:,.2f}{batches} "
        f"(reckoned from the first {run.sampled:,}; what was answered before costs nothing)"
    )
