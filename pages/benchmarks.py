"""The Benchmarks page: how good each engine is, on what, and at what price."""

import streamlit as st

from pages._ui import frame
from pages._ui.benchmarks import form, make, making, report, saved
from pages._ui.state import current_session

frame.draw(frame.BENCHMARKS)
session = current_session()
mistakes = [job.go_on(session) for job in (form.RUNNING, making.RUNNING)]
frame.show_problem()
st.subheader("Benchmarks", anchor=False)
st.caption("How well each engine does where people have said what is right, how sure that is, and what it costs.")
form.draw(session)
with st.container():  # always there, so that what follows keeps its place in the page
    form.RUNNING.show(session)
saved.show(session)
make.draw(session)
report.show(session)
for mistake in filter(None, mistakes):
    raise mistake
