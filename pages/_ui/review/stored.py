"""The store of this machine or team, and the queues at work on it, opened once for all windows."""

from __future__ import annotations

import streamlit as st

from core.settings import load_settings
from core.store import Store, open_store
from pages._ui.review.queue_runner import Runner


def the_store() -> Store:
    """The store that the settings name. Raises `StoreError` where it cannot be opened."""
    settings = load_settings()
    return _opened(str(settings.home), settings.database_url)


@st.cache_resource(show_spinner=False)
def _opened(home: str, address: str | None) -> Store:
    return open_store(load_settings())


def the_runner() -> Runner:
    """The queues that this server works on. Its first call goes on with those that an earlier server left."""
    settings = load_settings()
    return _runner(str(settings.home), settings.database_url)


@st.cache_resource(show_spinner=False)
def _runner(home: str, address: str | None) -> Runner:
    runner = Runner(the_store())
    runner.take_up()
    return runner
