"""The evidence page: a paper, a hypothesis, and the sentences that bear on it where they stand in the paper."""

import streamlit as st

from pages._ui import evidence, frame, opening, paper_bar, question
from pages._ui.review import evidence_tab, navigation
from pages._ui.state import session

frame.draw(frame.EVIDENCE)
now = session()
navigation.restore_paper(now)
navigation.write_paper(now)
mistake = evidence.SEARCHING.go_on(now)
frame.show_problem()
scan = opening.offer_ocr(now)
opened = now.open
navigation.link_back(now)
evidence_tab.offer_verdict(now)
if opened is None:
    opening.show_welcome(now)
else:
    question.pick_record(now, opened)
    question.show_paper(now, opened)
    paper_bar.show_set_aside(now, opened)
    question.ask(now, opened)
    with st.container():  # always there, so that the desk keeps its place in the page and is not built anew
        evidence.SEARCHING.show(now)
    evidence.show_desk(opened)
opening.run_ocr(now, scan)
if mistake is not None:
    raise mistake
