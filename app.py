"""Vouch's entry point for Streamlit. It lists the pages; each page draws its own frame."""

import streamlit as st

from pages._ui import jobs
from pages._ui.frame import PAGES

jobs.shorten_thread_switches()
pages = [st.Page(path, title=page.title, default=number == 0) for number, (path, page) in enumerate(PAGES.items())]
# The frame draws the links, so that a page opened by its own address shows them too.
st.navigation(pages, position="hidden").run()
jobs.freeze_libraries()
