"""The Review page: the papers of a project, its reviewers, their progress, and their agreement."""

import streamlit as st

from core.errors import VouchError
from pages._ui import frame
from pages._ui.escape import plain
from pages._ui.review import (
    arrivals,
    board,
    evidence_tab,
    form,
    navigation,
    outputs,
    papers_tab,
    queue_board,
    screening_tab,
    search_tab,
)
from pages._ui.state import current_session

frame.draw(frame.REVIEW)
session = current_session()
navigation.restore_project(session)
navigation.write_project(session)
saved = navigation.open_project(session)
with st.container():  # always there, so that what is below keeps its place in the page and is not built anew
    frame.show_problem()
    form.show_notice(session)
    board.offer_undo(session)
if saved is None:
    form.show_start(session)
else:
    try:
        found = board.read_project(saved, session.review.reviewer)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        st.stop()
    board.show(session, found)
    queue_board.show(session, found)
    papers, searched, screened, table, agreed, flown, out = st.tabs(
        [arrivals.PAPERS, search_tab.SEARCH, "Screening", navigation.EVIDENCE_TAB, "Agreement", "Flow", "Outputs"],
        key=arrivals.TABS,
        default=session.review.tab,
        on_change="rerun",
    )
    if papers.open:
        with papers:
            papers_tab.show(session, found)
    if searched.open:
        with searched:
            search_tab.show(session, found)
    if screened.open:
        with screened:
            screening_tab.show(session, found)
    if table.open:
        with table:
            evidence_tab.show(session, found)
    if agreed.open:
        with agreed:
            screening_tab.show_agreement(found)
    if flown.open:
        with flown:
            outputs.show_flow(found)
    if out.open:
        with out:
            outputs.show(session, found)
    queue_board.remember_dialog(session)
