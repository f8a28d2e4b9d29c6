"""Every task by name, and access to the contents of items of any task."""

from __future__ import annotations

from typing import Any

from core.benchmarks.alignment_task import ALIGNMENT
from core.benchmarks.bias_papers import PaperGold
from core.benchmarks.bias_tasks import BIAS_TASKS
from core.benchmarks.contradetect import CONTRADETECT_TASKS
from core.benchmarks.evidence_tasks import EVIDENCE_INFERENCE
from core.benchmarks.evidencebench_tasks import EVIDENCEBENCH_TASKS
from core.benchmarks.findings_tasks import MATRIX
from core.benchmarks.gold import Gold
from core.benchmarks.library_tasks import LIBRARY_TASKS
from core.benchmarks.litqa2 import LITQA2_TASKS
from core.benchmarks.model import Item
from core.benchmarks.plain_summaries import PLAIN_SUMMARY_TASKS
from core.benchmarks.robbr import Case, SupportGold
from core.benchmarks.robbr_tasks import ROBBR_TASKS, TWO_STAGES
from core.benchmarks.screening_tasks import SCREENING
from core.benchmarks.summary_tasks import SUMMARY_TASKS
from core.benchmarks.task import AnyTask
from core.errors import DatasetError
from core.paper import Paper

# ---- tasks ----
# Every task by name.

_ALL: tuple[AnyTask, ...] = (
    *EVIDENCEBENCH_TASKS,
    EVIDENCE_INFERENCE,
    ALIGNMENT,
    MATRIX,
    SCREENING,
    *BIAS_TASKS,
    *ROBBR_TASKS,
    TWO_STAGES,
    *SUMMARY_TASKS,
    *PLAIN_SUMMARY_TASKS,
    *LIBRARY_TASKS,
    *LITQA2_TASKS,
    *CONTRADETECT_TASKS,
)
TASKS = {task.name: task for task in _ALL}


def task_named(name: str) -> AnyTask:
    """The task with this name. Raises `DatasetError` if there is none."""
    if name not in TASKS:
        raise DatasetError(f"There is no task called “{name}”. Choose one of: {', '.join(TASKS)}.")
    return TASKS[name]


# ---- contents ----
# The contents of an item of any task: the paper that it asks about, and the sentences that its gold names.


def paper_of(item: Item[Any, Any]) -> Paper | None:
    """The paper that an item asks about; None if it has none, such as for given sentences."""
    question = item.question
    for holder in (question, getattr(question, "case", None)):
        paper = getattr(holder, "paper", None)
        if isinstance(paper, Paper):
            return paper
    return None


def case_of(item: Item[Any, Any]) -> Case | None:
    """The bias and study that an item of RoBBR asks about; None for items of other data."""
    found = getattr(item.question, "case", item.question)
    return found if isinstance(found, Case) else None


def gold_of(item: Item[Any, Any]) -> Gold | None:
    """The gold as aspects and their sentences; a set of sentences is one aspect. None if it names no sentence."""
    match item.gold:
        case Gold() as gold:
            return gold
        case SupportGold(gold=gold):
            return gold
        case (frozenset() as sentences) | PaperGold(support=frozenset() as sentences) if sentences:
            return Gold({"gold": sentences}, labels={"gold": "Sentences that are gold"})
        case _:
            return None


def gold_sentences(item: Item[Any, Any]) -> frozenset[int] | None:
    """The indices of the gold sentences; None if the gold names no sentence."""
    gold = gold_of(item)
    return None if gold is None else frozenset(index for covering in gold.aspects.values() for index in covering)
