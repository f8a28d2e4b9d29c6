"""The Ask page: a question to many papers, answered with quotations or by a model's text with sources."""

import streamlit as st

from core.errors import VouchError
from pages._ui import frame
from pages._ui.ask import answer, article, earlier, form, grading, indexing, trail
from pages._ui.ask.leaving import follow
from pages._ui.ask.work import ASKING
from pages._ui.escape import plain
from pages._ui.state import current_session

frame.draw(frame.ASK)
session = current_session()
follow(session)
mistake = ASKING.go_on(session) or article.WRITING.go_on(session) or grading.GRADING.go_on(session)
frame.show_problem()
st.subheader("Ask", anchor=False)
try:
    project = form.draw(session)
except VouchError as error:
    st.error(plain(str(error)), icon=":material/error:")
    st.stop()
with st.container():  # always there, so that what follows keeps its place in the page
    ASKING.show(session)
    if project is not None:
        indexing.show(session, project)
        trail.show_live(session, project)
if project is not None:
    answer.show(session, project)
    try:
        article.draw(session, project)
        grading.draw(session, project)
        earlier.show(session, project)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
if mistake is not None:
    raise mistake
