"""Conflicts first: how many are left, and the way to the next one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from core.bias import Tool
from core.errors import VouchError
from core.store import DomainLevels
from pages._ui import frame
from pages._ui.escape import plain
from pages._ui.review import place
from pages._ui.review.sheet import Sheet
from pages._ui.review.stored import the_store
from pages._ui.state import Session


def in_order(levels: Iterable[DomainLevels], papers: Sequence[str], tool: Tool) -> tuple[DomainLevels, ...]:
    """The domains that differ and are not settled, in the order of papers and domains."""
    domains = [domain.id for domain in tool.domains]
    found = [one for one in levels if one.final is None and one.differ]
    return tuple(sorted(found, key=lambda one: (papers.index(one.paper), domains.index(one.domain))))


def go_to(now: Session, conflict: DomainLevels) -> None:
    """Put a conflict on the desk, the reviewers side by side."""
    now.review.settle()
    if place.open_paper(now, conflict.paper, conflict.domain):
        st.switch_page(frame.BIAS, query_params=place.address(now, conflict.paper))


def show(now: Session, sheet: Sheet) -> None:
    """Draw the line above the desk: what is left in this paper, and in the others."""
    ids = [domain.id for domain in sheet.tool.domains]
    try:
        with the_store().reading() as store:
            papers = [state.paper.record.id for state in store.papers(sheet.project, ids)]
            left = in_order(store.levels(sheet.project, ids, reader=sheet.reviewer), papers, sheet.tool)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    here = [one for one in left if one.paper == sheet.paper]
    elsewhere = [one for one in left if one.paper != sheet.paper]
    with st.container(key="conflicts-line", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{_count(len(here))} left in this paper**, {len(elsewhere)} in others", width="content")
        st.space("stretch")
        if elsewhere and st.button(
            "Next paper with conflicts", key="next-conflict", type="secondary" if here else "primary"
        ):
            go_to(now, elsewhere[0])


def _count(number: int) -> str:
    return f"{number} conflict{'s' * (number != 1)}" if number else "No conflict"
