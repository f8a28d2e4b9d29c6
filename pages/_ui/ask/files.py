"""Downloads of an answer in one menu."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.export.answer_files import ANSWER_FILES, AnswerFile
from core.review.marks import marks
from pages._ui import standing_checks
from pages._ui.ask.state import ProjectAnswer
from pages._ui.downloads import download
from pages._ui.stored import the_store


def show(found: ProjectAnswer) -> None:
    """Draw the menu. A file is made only when it is requested."""
    with st.popover("Download", icon=":material/download:"), st.container(gap="xsmall"):
        for ending, file in ANSWER_FILES.items():
            download(
                file.name,
                partial(content, file, found),
                name=f"answer{ending}",
                mime=file.mime,
                about=file.about,
                keeps=False,
            )


def content(file: AnswerFile, found: ProjectAnswer) -> bytes:
    """The file's content, with the retractions and corrections known now. Raises `VouchError`."""
    with the_store().reading() as store:
        everywhere = found.answer.question.everywhere
        projects = [saved.record.id for saved in store.projects()] if everywhere else [found.request.project]
    standing_checks.before_export(*projects)
    with the_store().reading() as store:
        notices = {item: one.in_words for project in projects for item, one in marks(store, project).items()}
    return file.content(found.answer, found.asked, notices)
