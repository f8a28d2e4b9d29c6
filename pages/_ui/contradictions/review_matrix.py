"""Which papers of a review contradict each other, and on which claims."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.review.contested import Contradiction, contradictions_among, matrix
from core.text.words import counted
from pages._ui.contradictions.state import ContradictionChoices
from pages._ui.contradictions.view import ContestedView
from pages._ui.escape import plain, short
from pages._ui.state import Session


def show(session: Session, view: ContestedView) -> None:
    """Draw the table of papers that contradict each other, and below it the claims."""
    found = contradictions_among((saved.record for saved in view.claims), session.part(ContradictionChoices).threshold)
    found = [one for one in found if one.claim.paper in view.papers and one.side.paper in view.papers]
    if not found:
        return
    cells = matrix(found)
    rows = list(dict.fromkeys(paper for paper, _ in cells))
    columns = list(dict.fromkeys(other for _, other in cells))
    names = _names(view, list(dict.fromkeys((*rows, *columns))))
    with st.expander(f"Who contradicts whom in this review ({len(found)})", key="contested-matrix"):
        st.caption("A row is the paper with the claims, a column the paper against them; a number counts its claims.")
        st.dataframe(
            [
                {"Claims of": names[row]}
                | {names[column]: len(cells.get((row, column), ())) or None for column in columns}
                for row in rows
            ],
            hide_index=True,
        )
        for (row, column), ones in cells.items():
            st.markdown(f"**{plain(names[row])}** against **{plain(names[column])}**: {counted(len(ones), 'claim')}")
            for number, one in enumerate(ones):
                st.button(
                    plain(one.claim.text, limit=200),
                    key=f"matrix-{one.claim.claim}-{column}-{number}",
                    type="tertiary",
                    on_click=_go,
                    args=(session, one),
                )


def _names(view: ContestedView, papers: Sequence[str]) -> dict[str, str]:
    """A name for each paper by its id. Its number keeps names unique, as equal columns would hide each other."""
    names = {}
    for number, paper in enumerate(papers, 1):
        record = view.papers[paper]
        names[paper] = f"{number} · {short(record.study or record.title or record.name, 48)}"
    return names


def _go(session: Session, one: Contradiction) -> None:
    choices = session.part(ContradictionChoices)
    choices.paper, choices.claim = one.claim.paper, one.claim.claim
    st.session_state["contested-paper"] = one.claim.paper
