"""The page on risk of bias: a paper, a tool, and the reviewer's judgement on each domain beside the paper."""

import streamlit as st

from pages._ui import frame, question, recognising, set_aside, welcome
from pages._ui.bias import desk, settings, suggesting
from pages._ui.state import session

frame.draw("pages/bias.py")
frame.show_problem()
now = session()
scan = recognising.offer(now)
opened = now.open
if opened is None:
    welcome.show(
        now,
        title="Judge a trial's risk of bias",
        lead="Vouch shows each domain's criteria beside the paper, with the sentences that bear on it. You decide.",
    )
else:
    question.pick_record(now, opened)
    question.show_paper(now, opened)
    set_aside.show(now, opened)
    settings.show(now, opened)
    progress = st.container()  # always there, so that the desk keeps its place in the page and is not built anew
    desk.show(opened)
    suggesting.run_wanted(now, progress)
recognising.run_pending(now, scan)
