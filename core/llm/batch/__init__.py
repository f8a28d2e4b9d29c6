"""Batches: a stage's requests as the provider's file, answered at leisure and at half the price, by anybody.

`lines` reads and writes the files, `folder` keeps the files of a run, `jobs` hands them to the provider, and `runner`
answers a plan from what has come back.
"""

from core.llm.batch.folder import BatchFolder
from core.llm.batch.jobs import POLL, submit
from core.llm.batch.runner import BatchRunner, Waiting

__all__ = ["POLL", "BatchFolder", "BatchRunner", "Waiting", "submit"]
