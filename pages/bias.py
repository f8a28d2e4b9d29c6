"""The page on risk of bias: a paper, a tool, and the reviewer's judgement on each domain beside the paper."""

import streamlit as st

from pages._ui import frame, question, recognising, set_aside, welcome
from pages._ui.bias import desk, settings, suggesting
from pages._ui.review import header, place
from pages._ui.state import session

frame.draw("pages/bias.py")
now = session()
place.restore(now)
mistake = suggesting.go_on(now)
project = place.open_project(now)
opened = now.open
sheet = place.sheet_of(now, opened, project.record) if opened and project else None
place.write(now, paper=sheet.paper if sheet else None)
frame.show_problem()
scan = recognising.offer(now)
if opened is None:
    welcome.show(
        now,
        title="Judge a trial's risk of bias",
        lead="Vouch shows each domain's criteria beside the paper, with the sentences that bear on it. You decide.",
    )
else:
    if project is not None:
        header.show(now, opened, project.record, sheet)
    question.pick_record(now, opened)
    question.show_paper(now, opened, fixed=sheet is not None)
    if sheet is None:
        set_aside.show(now, opened)  # read otherwise, a paper of a project would be another one
    # This container and the next are always there, so that the desk keeps its place in the page and is not built anew.
    with st.container():
        if sheet is None or not now.review.settling:
            settings.show(now, opened, sheet)
    with st.container():
        suggesting.show(now)
    desk.show(opened, sheet)
    if sheet is not None:
        desk.hear(sheet)
recognising.run_pending(now, scan)
if mistake is not None:
    raise mistake
