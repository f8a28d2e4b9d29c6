"""Asking literature services in the background: one job at a time per project, whose result is taken once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from core.errors import VouchError
from pages._ui.escape import plain
from pages._ui.jobs import BackgroundJob, window_is_open
from pages._ui.page_jobs import show_job
from pages._ui.state import Session


def begin(session: Session, part: str, do: Callable[[BackgroundJob[Any]], Any], keep: Callable[[Any], None]) -> None:
    """Start a job in a thread of its own; `keep` takes its result. `part` is the part of the tab that asks."""
    work = session.review.sources
    session.problem = None
    work.tell(part)
    work.job, work.keep, work.job_part = BackgroundJob(do, watched=window_is_open()), keep, part


def show(session: Session, part: str) -> None:
    """Draw the job that this part of the tab has started, or the message of its last one."""
    work = session.review.sources
    with st.container(key=f"source-job-{part}"):  # always there, so that what follows keeps its place
        if work.job is not None and work.job_part == part:
            show_job(work.job, key="asking-services", stop=work.job.stop, tells_time=False)
        if work.part != part:
            return
        if work.problem:
            st.error(plain(work.problem), icon=":material/error:")
        elif work.said:
            st.success(plain(work.said), icon=":material/check:")


def take_result(session: Session) -> None:
    """Take the result or error of a job that has ended. Must be called before the tab is drawn."""
    work = session.review.sources
    job, keep = work.job, work.keep
    if job is None or not job.ended:
        return
    work.job = work.keep = None
    if isinstance(job.error, VouchError):
        work.tell(work.job_part, problem=str(job.error))
    elif job.error is not None:
        raise job.error
    elif job.result is not None and keep is not None:
        try:
            keep(job.result)
        except VouchError as error:
            work.tell(work.job_part, problem=str(error))
