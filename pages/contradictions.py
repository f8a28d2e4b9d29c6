"""The Contradictions page: a paper's claims beside the other papers of a project, with the reviewers' decisions."""

import streamlit as st

from core.errors import VouchError
from pages._ui import frame
from pages._ui.ask.leaving import follow
from pages._ui.contradictions import claims, form, review_matrix, sides
from pages._ui.contradictions.work import HOLDING
from pages._ui.escape import plain
from pages._ui.state import current_session

frame.draw(frame.CONTRADICTIONS)
session = current_session()
follow(session)
mistake = HOLDING.go_on(session)
frame.show_problem()
st.subheader("Contradictions", anchor=False)
try:
    view = form.draw(session)
    with st.container():  # always there, so that what follows keeps its place in the page
        HOLDING.show(session)
    if view is not None:
        left, right = st.columns([5, 6], gap="medium")
        with left:
            claims.show(session, view)
        with right:
            sides.show(session, view)
        review_matrix.show(session, view)
except VouchError as error:
    st.error(plain(str(error)), icon=":material/error:")
if mistake is not None:
    raise mistake
