"""What could not be stored, above the desk: another window was faster, or the store does not answer."""

from __future__ import annotations

import streamlit as st

from core.bias import Domain, Level
from core.bias.assessment import OwnJudgement
from core.errors import VouchError
from core.store.judging import OVERALL
from pages._ui.escape import plain
from pages._ui.review.levels import in_words
from pages._ui.review.sheet import Entry, Sheet
from pages._ui.review.stored import the_store


def show(sheet: Sheet) -> None:
    """Read what is there now, and draw what the reviewer has to know of it or to choose."""
    try:
        sheet.refresh(the_store())
    except VouchError as error:
        sheet.problem = str(error)
    if sheet.problem:
        kept = "" if sheet.all_stored else " What you set is kept in this window, and is saved with your next change."
        st.error(plain(sheet.problem) + kept, icon=":material/cloud_off:")
        st.button("Try again", key="save-again", on_click=_again, args=(sheet,))
    for id, entry in sheet.clashes.items():
        _clash(sheet, id, entry)


def _clash(sheet: Sheet, id: str, entry: Entry) -> None:
    domain = None if id == OVERALL else sheet.tool.domain(id)
    other = entry.saved
    if other is None:
        return
    with st.container(border=True, key=f"clash-{id}"):
        st.markdown(
            f":material/warning: **{plain(domain.name if domain else 'Overall')}** was changed in another window as "
            f"{plain(other.by)}, on {other.changed.astimezone():%d %B at %H:%M}, after you read it here. Nothing was "
            "overwritten: choose."
        )
        mine, theirs = st.columns(2)
        with mine:
            st.caption("In this window")
            st.markdown(_in_words(domain, entry.own))
            st.button("Keep this one", key=f"keep-{id}", on_click=_keep, args=(sheet, id))
        with theirs:
            st.caption("Saved from the other window")
            st.markdown(_in_words(domain, sheet.own_of(id, other)))
            st.button("Take that one", key=f"take-{id}", on_click=sheet.take_other, args=(id,))


def _again(sheet: Sheet) -> None:
    try:
        sheet.store_waiting(the_store())
    except VouchError as error:
        sheet.problem = str(error)


def _keep(sheet: Sheet, id: str) -> None:
    try:
        sheet.keep_mine(the_store(), id)
    except VouchError as error:
        sheet.problem = str(error)


def _in_words(domain: Domain | None, own: OwnJudgement) -> str:
    if domain is None:
        return "Raised to high" if own.level is Level.HIGH else "As the domains give it"
    answers = ", ".join(f"{id} {answer}" for id, answer in sorted(own.answers.items()))
    sentences = len(own.decisions)
    parts = [
        in_words(own.level_in(domain)),
        plain(answers),
        f"{sentences} decision{'s' * (sentences != 1)} on sentences" if sentences else "",
        f"“{plain(own.comment, limit=300)}”" if own.comment.strip() else "",
    ]
    return " · ".join(filter(None, parts))
