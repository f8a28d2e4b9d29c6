"""The page of questions to many papers: each answers in its own words, or they cannot answer."""

import streamlit as st

from core.errors import VouchError
from pages._ui import frame
from pages._ui.ask import answer, form
from pages._ui.escape import plain
from pages._ui.state import session

frame.draw(frame.ASK)
now = session()
answer.follow(now)
mistake = form.ASKING.go_on(now)
frame.show_problem()
st.subheader("Ask", anchor=False)
try:
    project = form.draw(now)
except VouchError as error:
    st.error(plain(str(error)), icon=":material/error:")
    st.stop()
with st.container():  # always there, so that what follows keeps its place in the page
    form.ASKING.show(now)
if project is not None:
    answer.show(now, project)
if mistake is not None:
    raise mistake
