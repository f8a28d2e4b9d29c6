"""The page on plain summaries: a paper, a summary of it, and what each of its sentences stands on."""

import streamlit as st

from pages._ui import frame, question, recognising, set_aside, welcome
from pages._ui.state import session
from pages._ui.summary import ask, checking, desk, gold

frame.draw("pages/summary.py")
now = session()
mistake = checking.go_on(now)
frame.show_problem()
scan = recognising.offer(now)
opened = now.open
if opened is None:
    welcome.show(
        now,
        title="Check a plain summary",
        lead="Vouch holds each sentence of a summary against the paper, and says what is not there.",
    )
    _, middle, _ = st.columns([1, 5, 1])
    with middle:
        gold.loader(now)
else:
    question.pick_record(now, opened)
    question.show_paper(now, opened)
    set_aside.show(now, opened)
    ask.show(now, opened)
    gold.loader(now)
    with st.container():  # always there, so that the desk keeps its place in the page and is not built anew
        checking.show(now)
    desk.show(opened)
recognising.run_pending(now, scan)
if mistake is not None:
    raise mistake
