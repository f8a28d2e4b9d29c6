"""Screening on the project's page: how far it is, what was decided on each item, and how far two reviewers agree."""

from __future__ import annotations

from itertools import combinations

import streamlit as st

from core.bias.agreement import Agreement
from core.errors import VouchError
from core.screening.agreement import Screened, screening_agreement
from pages._ui import frame
from pages._ui.escape import plain
from pages._ui.paper_view.screening import letter_of
from pages._ui.review import agreement, screening_list
from pages._ui.review.board import Board
from pages._ui.review.screening_list.rows import Counts, counts_of, list_payload
from pages._ui.review.stored import the_store
from pages._ui.screening import place
from pages._ui.screening.seen import Seen, look
from pages._ui.screening.stopping import stop_hint
from pages._ui.state import Session


def show(now: Session, board: Board) -> None:
    """Draw the tab."""
    try:
        with the_store().reading() as store:
            seen = look(store, board.project.id, board.reviewer or "")
            verdicts = store.own_verdicts(board.project.id, board.reviewer or "")
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    counts = counts_of(seen)
    with st.container(key="screening-row", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(words(counts), width="content")
        st.space("stretch")
        label = f"Settle screening conflicts ({counts.conflicts})"
        if (
            board.reviewer is not None
            and counts.conflicts
            and st.button(label, key="settle-screening", icon=":material/handshake:")
        ):
            go(now, seen, seen.conflicts[0], settling=True)
    st.caption(plain(_by_reviewer(counts)))
    if now.screening.by_promise and (hint := stop_hint(verdicts, left=len(seen.undecided))):
        st.caption(f":material/flag: {hint}")
    if not seen.project.criteria and board.reviewer is not None:
        st.caption("No criteria yet: add them under Settings, and each is looked for in every paper.")
    _agreement(seen)
    chosen = screening_list.show(key=f"screening-{board.project.id}", data=list_payload(seen))
    if chosen is not None and chosen[1] in seen.items and board.reviewer is not None:
        go(now, seen, chosen[1], settling=chosen[0] == "settle")


def go(now: Session, seen: Seen, item: str, *, settling: bool = False) -> None:
    """To the desk of screening, with this item on it."""
    work = now.screening
    work.sit_down(seen.project.id, seen.reviewer)
    work.settling = settling
    work.go_to(item)
    st.switch_page(frame.SCREENING, query_params=place.address(now))


def words(counts: Counts) -> str:
    """The counts of items; those of the flow diagram's last box are included by their full text."""
    apart = f" ({counts.by_abstract} by title and abstract)" if counts.by_abstract else ""
    parts = [f"**{counts.included}** included{apart}", f"**{counts.excluded}** excluded", f"**{counts.open}** open"]
    return " · ".join(parts)


def _by_reviewer(counts: Counts) -> str:
    """How far each reviewer is."""
    return " · ".join(f"{name}: {done} of {counts.items} decided" for name, done in counts.decided.items())


def _agreement(seen: Seen) -> None:
    """The table of each two reviewers, once it is asked for."""
    pairs = list(combinations(seen.project.reviewers, 2))
    if not pairs or not any(len(view.verdicts) > 1 for view in seen.views.values()):
        return
    with st.expander("Agreement", icon=":material/handshake:", on_change="rerun") as unfolded:
        if not unfolded.open:
            return
        pair = pairs[0]
        if len(pairs) > 1:
            pair = st.selectbox("Reviewers", pairs, format_func=" and ".join, key="screening-agreement-of", width=300)
        found = agreements(seen, *pair)
        st.table(
            {
                "": [plain(name, limit=80) for name in found],
                "Both": [one.pairs for one in found.values()],
                "Only one": [one.unpaired for one in found.values()],
                "Agreed": [agreement.per_cent(one.agreed) for one in found.values()],
                "Kappa": [agreement.in_words(one.kappa) for one in found.values()],
                "AC1": [agreement.in_words(one.ac1) for one in found.values()],
            },
            border="horizontal",
            hide_index=True,
        )
        st.caption(
            "What only one of the two has judged is left out, and counted. In brackets: 95% intervals, papers "
            "resampled. What you may not see yet is in no figure."
        )


def agreements(seen: Seen, one: str, other: str) -> dict[str, Agreement]:
    """The agreement of two reviewers on verdicts and criteria, by what it is on, as far as the reader may see them."""
    judged: dict[str, dict[str, Screened]] = {one: {}, other: {}}
    for item, view in seen.views.items():
        for given in (view.own, *view.others):
            if given is not None and given.reviewer in judged and item in seen.items:
                judged[given.reviewer][item] = Screened(given.verdict, given.fits)
    (found,) = screening_agreement(judged, seen.project.criteria)
    names = {
        criterion.id: f"{letter_of(place)} · {criterion.text}" for place, criterion in enumerate(seen.project.criteria)
    }
    by_criterion = {names[id]: one for id, one in found.criteria.items()}
    return {"Verdict": found.verdicts} | ({"All criteria": found.all_criteria} if names else {}) | by_criterion
