"""The page of benchmarks: how good each engine is, on what, and at what price."""

import streamlit as st

from pages._ui import frame
from pages._ui.benchmarks import form, report, saved
from pages._ui.state import session

frame.draw(frame.BENCHMARKS)
now = session()
mistake = form.RUNNING.go_on(now)
frame.show_problem()
st.subheader("Benchmarks", anchor=False)
st.caption("How well each engine does where people have said what is right, how sure that is, and what it costs.")
form.draw(now)
with st.container():  # always there, so that what follows keeps its place in the page
    form.RUNNING.show(now)
saved.show(now)
report.show(now)
if mistake is not None:
    raise mistake
