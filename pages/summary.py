"""The page on plain summaries: a paper, a summary of it, and what each of its sentences stands on."""

import streamlit as st

from pages._ui import frame, opening, paper_bar, question
from pages._ui.state import session
from pages._ui.summary import desk, form

frame.draw(frame.SUMMARY)
now = session()
mistake = form.CHECKING.go_on(now)
frame.show_problem()
scan = opening.offer_ocr(now)
opened = now.open
if opened is None:
    opening.show_welcome(
        now,
        title="Check a plain summary",
        lead="Vouch holds each sentence of a summary against the paper, and says what is not there.",
    )
    _, middle, _ = st.columns([1, 5, 1])
    with middle:
        form.gold_loader(now)
else:
    question.pick_record(now, opened)
    question.show_paper(now, opened)
    paper_bar.show_set_aside(now, opened)
    form.show(now, opened)
    form.gold_loader(now)
    with st.container():  # always there, so that the desk keeps its place in the page and is not built anew
        form.CHECKING.show(now)
    desk.show(opened)
opening.run_ocr(now, scan)
if mistake is not None:
    raise mistake
