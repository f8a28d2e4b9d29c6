"""The store of this machine or team, opened once for all windows."""

from __future__ import annotations

import streamlit as st

from core.settings import load_settings
from core.store import Store, open_store


def the_store() -> Store:
    """The store that the settings name. Raises `StoreError` where it cannot be opened."""
    settings = load_settings()
    return _opened(str(settings.home), settings.database_url)


@st.cache_resource(show_spinner=False)
def _opened(home: str, address: str | None) -> Store:
    return open_store(load_settings())
