"""The Risk of bias page: a paper, a tool, and the reviewer's judgement on each domain beside the paper."""

import streamlit as st

from pages._ui import frame, opening, paper_bar
from pages._ui.bias import desk, settings
from pages._ui.bias.cutting import CUTTING
from pages._ui.review import board, navigation, registrations_part
from pages._ui.state import current_session

frame.draw(frame.BIAS)
session = current_session()
navigation.restore_project(session)
mistake = settings.SUGGESTING.go_on(session) or CUTTING.go_on(session)
project = navigation.open_project(session)
opened = session.open
sheet = navigation.sheet_of(session, opened, project.record) if opened and project else None
navigation.write_project(session, paper=sheet.paper if sheet else None)
frame.show_problem()
scan = opening.offer_ocr(session)
if opened is None:
    opening.show_welcome(
        session,
        title="Judge a trial's risk of bias",
        lead="Vouch shows each domain's criteria beside the paper, with the sentences that bear on it. You decide.",
    )
else:
    if project is not None:
        board.show_header(session, project.record, sheet)
    paper_bar.pick_record(session, opened)
    paper_bar.show_paper(session, opened, fixed=sheet is not None)
    registrations_part.show_beside(session.review.project if sheet is not None else None, opened.paper)
    if sheet is None:
        paper_bar.show_set_aside(session, opened)  # read differently, it would be another paper than the project's
    # This container and the next are always there, so that the desk keeps its place in the page and is not built anew.
    with st.container():
        if sheet is None or not session.review.settling:
            settings.show(session, opened, sheet, project.record if project else None)
    with st.container():
        settings.SUGGESTING.show(session)
        CUTTING.show(session)
    desk.show(opened, sheet)
    desk.watch(opened, sheet)
opening.run_ocr(session, scan)
if mistake is not None:
    raise mistake
