"""Both sides of the chosen claim, with links to the sentences in their papers, and the reviewers' decisions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from core.claims.model import ClaimVerdict, Place, why_not_compared
from core.errors import VouchError
from core.store import ContradictionDecision, ContradictionVerdict, Saved, StoredClaim, StoredSide
from core.text.words import counted
from pages._ui.ask.leaving import open_at
from pages._ui.contradictions.state import ContradictionChoices
from pages._ui.contradictions.view import ContestedView, sign_of
from pages._ui.escape import plain
from pages._ui.escape import short as short_name
from pages._ui.review.marks import mark_of
from pages._ui.state import Session, prime
from pages._ui.stored import the_store


def show(session: Session, view: ContestedView) -> None:
    """Draw the chosen claim, or the most contested one if none is chosen."""
    saved = _chosen(session, view)
    if saved is None:
        return
    claim = saved.record
    st.markdown(f"#### {plain(claim.text)}")
    for short, long in claim.terms:
        st.caption(f"{plain(short)}: {plain(long)}")
    _head(session, view, saved)
    contest = claim.contest
    if contest is None:
        why_not = why_not_compared(claim.text)
        not_yet = "This claim has not been held against the other papers yet."
        st.info(plain(f"{why_not} This claim is not held: drop it, or add it in fewer words." if why_not else not_yet))
        _decided_before(view, claim)
        return
    st.markdown(f"{sign_of(claim, session.part(ContradictionChoices).threshold)} **{Place(contest.place).in_words}**")
    st.markdown(plain(contest.reason))
    st.caption(plain(f"{contest.engine} · {counted(contest.searched, 'paper')} searched"))
    for note in contest.notes:
        st.caption(plain(note))
    if contest.outside:
        with st.expander(f"Literature services: {counted(len(contest.outside), 'note')}"):
            for line in contest.outside:
                st.caption(plain(line))
    against, agreeing = st.columns(2, gap="small")
    for column, way, title in ((against, "contradicts", "Against"), (agreeing, "agrees", "For")):
        with column:
            st.markdown(f"**{title}**")
            # Keys contain the paper. If a project's file has two sides of one paper, only the surer one is shown.
            own = list({side.paper: side for side in reversed(contest.sides) if side.way == way}.values())[::-1]
            if not own:
                st.caption("Nobody")
            for number, side in enumerate(own):
                with st.container(border=True, gap="xxsmall", key=f"side-{way}-{number}"):
                    _side(session, view, claim, side)
                    if way == "contradicts":
                        _decide(session, view, claim, side)
    _decided_before(view, claim)


def _decided_before(view: ContestedView, claim: StoredClaim) -> None:
    """Draw decisions on papers that no longer contradict the claim."""
    against = {side.paper for side in claim.contest.sides if side.way == "contradicts"} if claim.contest else set[str]()
    before = [
        one
        for one in (saved.record for saved in view.decisions)
        if (one.paper, one.claim) == (claim.paper, claim.claim) and one.other not in against
    ]
    if before:
        st.markdown("**Decided before, of papers that are not against it now**")
    for one in before:
        other = view.papers.get(one.other)
        title = short_name(other.title or other.name, 100) if other else one.other
        st.caption(plain(f"{title} · {one.reviewer}: {one.verdict.value}{f', {one.why}' if one.why else ''}"))


def _chosen(session: Session, view: ContestedView) -> Saved[StoredClaim] | None:
    own = view.own_claims
    wanted = next((one for one in own if one.record.claim == session.part(ContradictionChoices).claim), None)
    held = [one for one in own if one.record.contest is not None]
    most = max(held, key=lambda one: one.record.contest.place if one.record.contest else 0, default=None)
    return wanted or most or next(iter(own), None)


def _head(session: Session, view: ContestedView, saved: Saved[StoredClaim]) -> None:
    """Draw the claim's sentence, the reviewer's verdict on it as a claim, and the button to drop it."""
    claim = saved.record
    key = f"claim-verdict-{claim.claim}"
    prime(**{key: claim.verdict})
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            f"Sentence {claim.sentence}",
            key="claim-open",
            type="tertiary",
            icon=":material/open_in_new:",
            help="Open the paper at this sentence",
            on_click=open_at,
            args=(session, view.project.id, view.chosen, [claim.sentence, *claim.also]),
        )
        st.selectbox(
            "As a claim it is",
            [None, *map(str, ClaimVerdict)],
            key=key,
            width=190,
            label_visibility="collapsed",
            format_func=lambda one: one or "As a claim: not said",
            on_change=partial(_judge, session, view, saved, key),
        )
        st.button("Drop", key="claim-drop", icon=":material/close:", on_click=_drop, args=(session, view, saved))


def _judge(session: Session, view: ContestedView, saved: Saved[StoredClaim], key: str) -> None:
    try:
        with the_store().writing(view.reviewer) as change:
            change.save(replace(saved.record, verdict=st.session_state[key]), seen=saved.version)
    except VouchError as error:
        session.problem = str(error)


def _drop(session: Session, view: ContestedView, saved: Saved[StoredClaim]) -> None:
    try:
        with the_store().writing(view.reviewer) as change:
            change.remove(saved)
    except VouchError as error:
        session.problem = str(error)


def _side(session: Session, view: ContestedView, claim: StoredClaim, side: StoredSide) -> None:
    title = plain(side.title, limit=160)
    st.button(
        f"**{title}**",
        key=f"open-{side.way}-{claim.claim}-{side.paper}",
        type="tertiary",
        help="Open the paper at this sentence",
        on_click=open_at,
        args=(session, view.project.id, side.paper, [side.sentence]),
    )
    place = filter(None, (str(side.year or ""), side.section, f"page {side.page}" if side.page else ""))
    st.caption(plain(" · ".join(place)))
    if mark := mark_of(view.project.id, side.paper):
        st.markdown(f":material/report: **{mark}**")
    st.markdown(f"“{plain(side.text)}”")
    told = f"**{plain(side.told)}**" if side.told else ""
    sure = "" if side.sure is None else f"sureness {side.sure:.2f}"
    if told or sure:
        st.caption(" · ".join(filter(None, (told, sure))))
    for line in (side.reason, *side.differences):
        if line:
            st.caption(plain(line))


def _decide(session: Session, view: ContestedView, claim: StoredClaim, side: StoredSide) -> None:
    """Draw the reviewer's decision on this contradiction, and those of others."""
    given = [saved for saved in view.decisions if (saved.record.claim, saved.record.other) == (claim.claim, side.paper)]
    own = next((saved for saved in given if saved.record.reviewer == view.reviewer), None)
    suffix = f"{claim.claim}-{side.paper}-{view.reviewer}"
    verdict, why = f"decide-{suffix}", f"why-{suffix}"
    prime(**{verdict: own.record.verdict.value if own else None, why: own.record.why if own else ""})
    keep = partial(_keep, session, view, claim, side)
    st.selectbox(
        "Your decision",
        [None, *map(str, ContradictionVerdict)],
        key=verdict,
        format_func=lambda one: one or "Not decided",
        on_change=keep,
    )
    if st.session_state[verdict] is not None:
        apparent = st.session_state[verdict] == ContradictionVerdict.APPARENT
        st.text_input("Only because" if apparent else "Why", key=why, on_change=keep)
    for saved in given:
        if saved.record.reviewer != view.reviewer:
            said = saved.record
            st.caption(plain(f"{said.reviewer}: {said.verdict.value}{f', {said.why}' if said.why else ''}"))


def _fields(view: ContestedView, claim: StoredClaim, side: StoredSide) -> tuple[str, str]:
    suffix = f"{claim.claim}-{side.paper}-{view.reviewer}"
    return f"decide-{suffix}", f"why-{suffix}"


def _keep(session: Session, view: ContestedView, claim: StoredClaim, side: StoredSide) -> None:
    verdict, why = _fields(view, claim, side)
    own = next((one for one in view.decided(claim, side) if one.record.reviewer == view.reviewer), None)
    chosen = st.session_state[verdict]
    try:
        with the_store().writing(view.reviewer) as change:
            if chosen is None:
                if own is not None:
                    change.remove(own)
                return
            record = ContradictionDecision(
                view.project.id,
                view.chosen,
                claim.claim,
                side.paper,
                view.reviewer,
                ContradictionVerdict(chosen),
                " ".join(str(st.session_state.get(why) or "").split()),
            )
            change.save(record, seen=own.version if own else 0)
    except VouchError as error:
        session.problem = str(error)
