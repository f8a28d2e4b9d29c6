"""The evidence page: a paper, a hypothesis, and the sentences that bear on it where they stand in the paper."""

import streamlit as st

from pages._ui import desk, frame, question, recognising, searching, set_aside, welcome
from pages._ui.review import passage, verdict_dialog
from pages._ui.state import session

frame.draw("pages/evidence.py")
now = session()
passage.restore(now)
passage.write(now)
mistake = searching.go_on(now)
frame.show_problem()
scan = recognising.offer(now)
opened = now.open
passage.way_back(now)
verdict_dialog.offer(now)
if opened is None:
    welcome.show(now)
else:
    question.pick_record(now, opened)
    question.show_paper(now, opened)
    set_aside.show(now, opened)
    question.ask(now, opened)
    with st.container():  # always there, so that the desk keeps its place in the page and is not built anew
        searching.show(now)
    desk.show(opened)
recognising.run_pending(now, scan)
if mistake is not None:
    raise mistake
