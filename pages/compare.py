"""The compare page: engines on one paper, their choices laid over each other in its text, or over saved runs."""

import streamlit as st

from pages._ui import frame, opening, paper_bar, question
from pages._ui.compare import asking, desk, form, runs
from pages._ui.state import session

frame.draw(frame.COMPARE)
now = session()
mistake = asking.COMPARING.go_on(now)
form.choose_place(now)
frame.show_problem()
scan = opening.offer_ocr(now)
opened = now.open
if now.compare.over_runs:
    runs.show(now)
elif opened is None:
    opening.show_welcome(
        now,
        title="Compare engines side by side",
        lead="Ask two to four engines the same question, and see in the paper's text what only one of them found.",
    )
else:
    question.pick_record(now, opened)
    question.show_paper(now, opened)
    paper_bar.show_set_aside(now, opened)
    form.show(now, opened)
    with st.container():  # always there, so that the desk keeps its place in the page and is not built anew
        asking.COMPARING.show(now)
    desk.show(now, opened)
opening.run_ocr(now, scan)
if mistake is not None:
    raise mistake
