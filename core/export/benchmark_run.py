"""A run of a benchmark as one JSON document, with all that is needed to repeat it."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from typing import Any

from core.benchmarks.model import CompleteRun, ItemResult, RunSetup


def run_document(complete: CompleteRun) -> dict[str, Any]:
    """The document: what was run and how to run it again, what it came to, and every item."""
    setup, origin, run = complete.setup, complete.origin, complete.run
    usage = run.usage
    return {
        "run": setup.id,
        "task": setup.task,
        "engine": setup.engine,
        "seed": setup.seed,
        "limit": setup.limit,
        "n": len(run.items),
        "papers": len({item.group for item in run.items}),
        "failed": run.failed,
        "broken": list(run.broken),
        "seconds": round(run.seconds, 3),
        "cost_usd": run.cost_usd,
        "tokens": usage and {"input": usage.input_tokens, "output": usage.output_tokens},
        "metrics": {name: asdict(found) for name, found in run.metrics.items()},
        "notes": list(origin.notes),
        "repeat": {
            "command": command(setup),
            "started": origin.started.isoformat(timespec="seconds"),
            "data": {"name": origin.data, "sha256": origin.file_sha256, "all_files_sha256": setup.data_sha256},
            "commit": origin.commit,
            "changed_since_commit": origin.changed,
            "code_sha256": setup.code_sha256,
            "versions": dict(origin.versions),
            "options": dict(setup.options),
            "prompts": dict(run.prompts),
        },
        "items": [_item(result) for result in run.items],
    }


def command(setup: RunSetup) -> str:
    """The command that repeats a run; PATH stands for the data, wherever they are there."""
    words = ["bench", setup.task, "--data", "PATH", "--engine", setup.engine]
    words += ["--seed", str(setup.seed)] if setup.seed else []
    words += ["--limit", str(setup.limit)] if setup.limit is not None else []
    return f"python -m core {shlex.join(words)}"


def _item(result: ItemResult) -> dict[str, Any]:
    response = result.response
    usage = response.usage
    return {
        "id": result.id,
        "paper": result.group,
        "category": result.category,
        "labels": list(result.labels),
        "sentences": list(response.sentences),
        "answers": list(response.labels),
        "probability": response.probability,
        "reported": response.reported,
        "score": response.score,
        "scores": dict(result.scores),
        "seconds": round(response.seconds, 4),
        "cost_usd": response.cost_usd,
        "tokens": usage and {"input": usage.input_tokens, "output": usage.output_tokens},
        "error": response.error,
    }
