"""The session of a page that runs without a browser, and how to wait for its jobs."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from pages._ui.state import Session


def session_of(app: AppTest) -> Session:
    """The page's session."""
    now: Session = app.session_state["vouch"]
    return now


def settle(app: AppTest, seconds: float = 300) -> None:
    """Wait for the jobs of the session, and let the page take their results."""
    for slot in session_of(app).job_slots:
        while (running := slot.running) is not None:
            assert running.job.wait(seconds)
            app.run()
