"""The Compare page: the choices of several engines overlaid in one paper's text, or across saved runs."""

import streamlit as st

from pages._ui import frame, opening, paper_bar
from pages._ui.compare import asking, desk, form, runs
from pages._ui.compare.state import CompareChoices
from pages._ui.state import current_session

frame.draw(frame.COMPARE)
session = current_session()
mistake = asking.COMPARING.go_on(session)
form.choose_place(session)
frame.show_problem()
scan = opening.offer_ocr(session)
opened = session.open
if session.part(CompareChoices).over_runs:
    runs.show(session)
elif opened is None:
    opening.show_welcome(
        session,
        title="Compare engines side by side",
        lead="Ask two to four engines the same question, and see in the paper's text what only one of them found.",
    )
else:
    paper_bar.pick_record(session, opened)
    paper_bar.show_paper(session, opened)
    paper_bar.show_set_aside(session, opened)
    form.show(session, opened)
    with st.container():  # always there, so that the desk keeps its place in the page and is not built anew
        asking.COMPARING.show(session)
    desk.show(session, opened)
opening.run_ocr(session, scan)
if mistake is not None:
    raise mistake
