"""Where a reviewer is while screening: project, name and item, in the page's address too."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages._ui.review import place
from pages._ui.state import Session

_CONFLICTS = "conflicts"


def restore(now: Session) -> None:
    """Go where the address says: in a new window, and after the browser's own back and forward."""
    place.restore(now)
    work, context = now.screening, get_script_run_ctx()
    if now.review.project is None or now.review.reviewer is None:
        return
    if work.restored and not (context is not None and context.is_history_navigation):
        return
    work.restored = True
    work.sit_down(now.review.project, now.review.reviewer)
    if item := st.query_params.get("item"):
        work.go_to(item)
        work.settling = st.query_params.get("do") == _CONFLICTS


def address(now: Session) -> dict[str, str]:
    """What the page's address says of the place."""
    work = now.screening
    values = {
        "project": now.review.project,
        "reviewer": now.review.reviewer,
        "item": work.item if work.project == now.review.project else None,
        "do": _CONFLICTS if work.settling else None,
    }
    return {name: value for name, value in values.items() if value is not None}


def write(now: Session) -> None:
    """Write the place into the page's address."""
    wanted = address(now)
    for name in ("project", "reviewer", "item", "do"):
        if name not in wanted:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != wanted[name]:
            st.query_params[name] = wanted[name]
