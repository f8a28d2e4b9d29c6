"""Asking literature services in the background: one job at a time in a window, whose result the page takes once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from core.errors import VouchError
from pages._ui.escape import plain
from pages._ui.jobs import BackgroundJob
from pages._ui.state import Session


def begin(session: Session, do: Callable[[BackgroundJob[Any]], Any], keep: Callable[[Any], None]) -> None:
    """Ask services in a thread of its own, and take the result when it is there."""
    work = session.review.sources
    session.problem, work.said = None, ""
    work.job, work.keep = BackgroundJob(do), keep


def take_result(session: Session) -> None:
    """Take the result of a job that has ended, or say why there is none."""
    work = session.review.sources
    job, keep = work.job, work.keep
    if job is None or not job.ended:
        return
    work.job = work.keep = None
    if isinstance(job.error, VouchError):
        st.error(plain(str(job.error)), icon=":material/error:")
    elif job.error is not None:
        raise job.error
    elif job.result is not None and keep is not None:
        try:
            keep(job.result)
        except VouchError as error:
            st.error(plain(str(error)), icon=":material/error:")
