"""The page on risk of bias: a paper, a tool, and the reviewer's judgement on each domain beside the paper."""

import streamlit as st

from pages._ui import frame, opening, paper_bar, question
from pages._ui.bias import desk, settings
from pages._ui.bias.cutting import CUTTING
from pages._ui.review import board, navigation, registrations_part
from pages._ui.state import session

frame.draw(frame.BIAS)
now = session()
navigation.restore_project(now)
mistake = settings.SUGGESTING.go_on(now) or CUTTING.go_on(now)
project = navigation.open_project(now)
opened = now.open
sheet = navigation.sheet_of(now, opened, project.record) if opened and project else None
navigation.write_project(now, paper=sheet.paper if sheet else None)
frame.show_problem()
scan = opening.offer_ocr(now)
if opened is None:
    opening.show_welcome(
        now,
        title="Judge a trial's risk of bias",
        lead="Vouch shows each domain's criteria beside the paper, with the sentences that bear on it. You decide.",
    )
else:
    if project is not None:
        board.show_header(now, opened, project.record, sheet)
    question.pick_record(now, opened)
    question.show_paper(now, opened, fixed=sheet is not None)
    registrations_part.show_beside(now.review.project if sheet is not None else None, opened.paper)
    if sheet is None:
        paper_bar.show_set_aside(now, opened)  # read otherwise, a paper of a project would be another one
    # This container and the next are always there, so that the desk keeps its place in the page and is not built anew.
    with st.container():
        if sheet is None or not now.review.settling:
            settings.show(now, opened, sheet, project.record if project else None)
    with st.container():
        settings.SUGGESTING.show(now)
        CUTTING.show(now)
    desk.show(opened, sheet)
    if sheet is not None:
        desk.watch_others(sheet)
opening.run_ocr(now, scan)
if mistake is not None:
    raise mistake
