"""Waits for background jobs of a page that runs without a browser."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from pages._ui.state import Session


def settle(app: AppTest, seconds: float = 300) -> None:
    """Wait for the jobs of the session, and let the page take their results."""
    now: Session = app.session_state["vouch"]
    for slot in now.job_slots:
        while (running := slot.running) is not None:
            assert running.job.wait(seconds)
            app.run()
