"""Asking literature services in the background: one job at a time for a project, whose result the page takes once."""

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
    """Ask services in a thread of its own, and take the result when it is there. `part`: where it was asked for."""
    work = session.review.sources
    session.problem = None
    work.tell(part)
    work.job, work.keep, work.job_part = BackgroundJob(do, watched=window_is_open()), keep, part


def show(session: Session, part: str) -> None:
    """Draw how a job stands that this part of the tab has begun, what was done here last, or why it was not."""
    work = session.review.sources
    with st.container(key=f"source-job-{part}"):  # always there, so that what is below keeps its place
        if work.job is not None and work.job_part == part:
            show_job(work.job, key="asking-services", stop=work.job.stop, tells_time=False)
        if work.part != part:
            return
        if work.problem:
            st.error(plain(work.problem), icon=":material/error:")
        elif work.said:
            st.success(plain(work.said), icon=":material/check:")


def take_result(session: Session) -> None:
    """Take the result of a job that has ended, or keep why there is none. Call it before anything of it is drawn."""
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
