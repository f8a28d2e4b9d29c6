"""An answer as files, in one menu."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.export.answer_files import ANSWER_FILES
from pages._ui.ask.state import ProjectAnswer
from pages._ui.downloads import download


def show(found: ProjectAnswer) -> None:
    """Draw the menu. A file is made when it is asked for."""
    with st.popover("Download", icon=":material/download:"), st.container(gap="xsmall"):
        for ending, file in ANSWER_FILES.items():
            download(
                file.name,
                partial(file.content, found.answer, found.asked),
                name=f"answer{ending}",
                mime=file.mime,
                about=file.about,
                keeps=False,
            )
