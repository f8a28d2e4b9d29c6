"""Every task by its name."""

from __future__ import annotations

from core.benchmarks.bias_tasks import BIAS_TASKS
from core.benchmarks.evidence_tasks import EVIDENCE_INFERENCE
from core.benchmarks.evidencebench_tasks import EVIDENCEBENCH_TASKS
from core.benchmarks.findings_tasks import MATRIX
from core.benchmarks.plain_summaries import PLAIN_SUMMARY_TASKS
from core.benchmarks.robbr_stages import TWO_STAGES
from core.benchmarks.robbr_tasks import ROBBR_TASKS
from core.benchmarks.summary_tasks import SUMMARY_TASKS
from core.benchmarks.task import AnyTask
from core.errors import DatasetError

_ALL: tuple[AnyTask, ...] = (
    *EVIDENCEBENCH_TASKS,
    EVIDENCE_INFERENCE,
    MATRIX,
    *BIAS_TASKS,
    *ROBBR_TASKS,
    TWO_STAGES,
    *SUMMARY_TASKS,
    *PLAIN_SUMMARY_TASKS,
)
TASKS = {task.name: task for task in _ALL}


def task_named(name: str) -> AnyTask:
    """The task of this name. Raises `DatasetError` if there is none."""
    if name not in TASKS:
        raise DatasetError(f"There is no task called “{name}”. Choose one of: {', '.join(TASKS)}.")
    return TASKS[name]
