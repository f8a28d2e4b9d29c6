"""The Evidence page: a paper, a hypothesis, and the sentences of the paper that bear on it."""

import streamlit as st

from pages._ui import evidence, frame, opening, paper_bar
from pages._ui.review import evidence_tab, navigation
from pages._ui.state import current_session

frame.draw(frame.EVIDENCE)
session = current_session()
navigation.restore_paper(session)
navigation.write_paper(session)
mistake = evidence.SEARCHING.go_on(session)
frame.show_problem()
scan = opening.offer_ocr(session)
opened = session.open
navigation.link_back(session)
evidence_tab.offer_verdict(session)
if opened is None:
    opening.show_welcome(session)
else:
    paper_bar.pick_record(session, opened)
    paper_bar.show_paper(session, opened)
    paper_bar.show_set_aside(session, opened)
    evidence.ask(session, opened)
    with st.container():  # always there, so that the desk keeps its place in the page and is not built anew
        evidence.SEARCHING.show(session)
    evidence.show_desk(opened)
opening.run_ocr(session, scan)
if mistake is not None:
    raise mistake
