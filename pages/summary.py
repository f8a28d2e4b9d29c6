"""The Plain summary page: a paper, a summary of it, and the sentences that each summary sentence rests on."""

import streamlit as st

from pages._ui import frame, opening, paper_bar
from pages._ui.state import current_session
from pages._ui.summary import desk, form

frame.draw(frame.SUMMARY)
session = current_session()
mistake = form.CHECKING.go_on(session)
frame.show_problem()
scan = opening.offer_ocr(session)
opened = session.open
if opened is None:
    opening.show_welcome(
        session,
        title="Check a plain summary",
        lead="Vouch holds each sentence of a summary against the paper, and says what is not there.",
    )
    _, middle, _ = st.columns([1, 5, 1])
    with middle:
        form.gold_loader(session)
else:
    paper_bar.pick_record(session, opened)
    paper_bar.show_paper(session, opened)
    paper_bar.show_set_aside(session, opened)
    form.show(session, opened)
    form.gold_loader(session)
    with st.container():  # always there, so that the desk keeps its place in the page and is not built anew
        form.CHECKING.show(session)
    desk.show(opened)
opening.run_ocr(session, scan)
if mistake is not None:
    raise mistake
