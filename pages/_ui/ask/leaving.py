"""Going from an answer to a paper: the paper opens at the sentences that count, with a way back."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._ui import frame
from pages._ui.ask.state import AskChoices
from pages._ui.review import navigation
from pages._ui.state import Session
from pages._ui.stored import the_store


def open_at(session: Session, project: str, paper: str, sentences: Sequence[int]) -> None:
    """Put the paper on the desk. The page switches to it in its next run."""
    session.part(AskChoices).leaves = navigation.go_to_cited(
        session, _project_of(paper, asked=project), paper, sentences
    )


def _project_of(paper: str, *, asked: str) -> str:
    """The project that holds a paper: the one that was asked, else any other (if all were asked)."""
    with the_store().reading() as store:
        others = (saved.record.id for saved in store.projects())
        return next((id for id in (asked, *others) if paper in store.paper_ids(id)), asked)


def follow(session: Session) -> None:
    """Switch to the paper that was pressed, if one was."""
    choices = session.part(AskChoices)
    if choices.leaves:
        choices.leaves = False
        st.switch_page(frame.EVIDENCE)
