"""The paper on the left, its claims marked by how contested they are; and filtering, adding and downloading claims."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from core.claims.model import Claim, why_not_compared
from core.claims.scale import note
from core.errors import VouchError
from core.export.claims import ContestedPaper, contradiction_csv, contradiction_document, contradiction_report
from core.paper import Kind, Paper, Sentence
from core.review.contested import stored_claim
from core.review.marks import marks
from core.store import Saved, StoredClaim
from core.text.words import counted
from pages._ui import standing_checks
from pages._ui.contradictions.state import ContradictionChoices
from pages._ui.contradictions.view import ContestedView, sign_of
from pages._ui.downloads import download, now_here
from pages._ui.escape import plain, short
from pages._ui.state import Session, prime
from pages._ui.stored import the_store

_HEIGHT = 640
_TEXT, _SENTENCE = "add-claim-text", "add-claim-sentence"


def show(session: Session, view: ContestedView) -> None:
    """Draw the filter, the paper with its claims, the form to add a claim, and the downloads."""
    claims = view.own_claims
    if not claims:
        st.caption(
            "No claims. “Check its claims” looks for sentences that make sense as claims by themselves, which not every paper "
            "has, and compares them with the other papers. You can add one of your own below."
        )
    else:
        _filter(session)
    shown = _filtered(session, claims)
    if claims:
        contested = sum(
            (one.record.contest.place if one.record.contest else 0) >= session.part(ContradictionChoices).threshold
            for one in claims
        )
        st.caption(f"{counted(len(claims), 'claim')}, {contested} contradicted; {len(shown)} shown.")
        if said := note():
            st.caption(said)
    with st.container(height=_HEIGHT if claims else "content", border=bool(claims), key="contested-paper-text"):
        _paper(session, view, shown)
    _add(session, view)
    if claims or view.dropped:
        _files(session, view)


def _filter(session: Session) -> None:
    choices = session.part(ContradictionChoices)
    prime(
        **{
            "contested-places": choices.places,
            "contested-threshold": choices.threshold,
            "contested-whole": choices.whole,
        }
    )
    keep = partial(_keep, session)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.slider(
            "Places shown",
            0,
            10,
            key="contested-places",
            width=210,
            on_change=keep,
            help="0: explicit agreement, 5: lack of evidence, 10: explicit contradiction",
        )
        st.number_input(
            "Contradicted from",
            min_value=6,
            max_value=10,
            step=1,
            key="contested-threshold",
            width=150,
            on_change=keep,
            help="A claim at this place or above counts as contradicted",
        )
        st.toggle("All of the paper", key="contested-whole", on_change=keep)


def _keep(session: Session) -> None:
    fields, choices = st.session_state, session.part(ContradictionChoices)
    choices.places = fields["contested-places"]
    choices.threshold = fields["contested-threshold"]
    choices.whole = fields["contested-whole"]


def _filtered(session: Session, claims: tuple[Saved[StoredClaim], ...]) -> list[Saved[StoredClaim]]:
    first, last = session.part(ContradictionChoices).places
    return [one for one in claims if one.record.contest is None or first <= one.record.contest.place <= last]


# ---- the paper ----


def _paper(session: Session, view: ContestedView, shown: list[Saved[StoredClaim]]) -> None:
    """Draw the paper by paragraph. A sentence with a claim is a button."""
    by_sentence: dict[int, list[Saved[StoredClaim]]] = {}
    for one in shown:
        by_sentence.setdefault(one.record.sentence, []).append(one)
    if view.paper is None:
        for one in shown:
            _button(session, one, one.record.text)
        return
    for section in view.paper.sections:
        paragraphs = [
            part
            for part in view.paper.paragraphs_of(section)
            if (session.part(ContradictionChoices).whole or any(one.index in by_sentence for one in part))
            and _is_prose(part)
        ]
        if paragraphs and section.title:
            st.markdown(f"**{plain(section.title, limit=120)}**")
        for paragraph in paragraphs:
            for text, claims in _runs(paragraph, by_sentence):
                if not claims:
                    st.caption(plain(text))
                for one in claims:
                    _button(session, one, text if len(claims) == 1 else one.record.text)


def _is_prose(paragraph: tuple[Sentence, ...]) -> bool:
    return paragraph[0].kind not in (Kind.HEADING, Kind.TITLE)


def _runs(
    paragraph: tuple[Sentence, ...], by_sentence: Mapping[int, list[Saved[StoredClaim]]]
) -> Iterator[tuple[str, list[Saved[StoredClaim]]]]:
    """Split a paragraph: adjacent sentences without claims are joined, and a sentence with claims stands alone."""
    waiting: list[str] = []
    for sentence in paragraph:
        if claims := by_sentence.get(sentence.index):
            if waiting:
                yield " ".join(waiting), []
                waiting = []
            yield sentence.text, claims
        else:
            waiting.append(sentence.text)
    if waiting:
        yield " ".join(waiting), []


def _button(session: Session, one: Saved[StoredClaim], text: str) -> None:
    choices = session.part(ContradictionChoices)
    chosen = choices.claim == one.record.claim
    st.button(
        f"{sign_of(one.record, choices.threshold)} {plain(text)}",
        key=f"claim-{one.record.claim}",
        type="secondary" if chosen else "tertiary",
        on_click=_choose,
        args=(session, one.record.claim),
    )


def _choose(session: Session, claim: str) -> None:
    session.part(ContradictionChoices).claim = claim


# ---- adding, taking away ----


def _add(session: Session, view: ContestedView) -> None:
    if view.paper is None:
        return
    with st.expander("Add a claim"), st.form("add-claim", border=False):
        st.text_area("Claim", key=_TEXT, placeholder="One sentence that makes sense by itself")
        texts = _sentences(view.paper)
        st.selectbox(
            "Its sentence",
            list(texts),
            key=_SENTENCE,
            format_func=lambda one: short(f"{one} · {texts[one]}", 140),
        )
        st.form_submit_button("Add", on_click=_added, args=(session, view))


def _added(session: Session, view: ContestedView) -> None:
    """Save the claim in the form. If that fails, its text stays in the field."""
    text, number = " ".join(st.session_state[_TEXT].split()), st.session_state[_SENTENCE]
    session.problem = why_not_compared(text) or None
    if session.problem or number is None:
        return
    kept = stored_claim(view.project.id, view.chosen, Claim(text, int(number), 10.0), made="")
    try:
        with the_store().writing(view.reviewer) as change:
            change.put(kept)
    except VouchError as error:
        session.problem = str(error)
    else:
        session.part(ContradictionChoices).claim = kept.claim
        st.session_state[_TEXT] = ""


def _sentences(paper: Paper) -> dict[int, str]:
    """The sentences that a claim can be in, by number: all those that the page shows."""
    return {
        one.index: one.text
        for section in paper.sections
        for part in paper.paragraphs_of(section)
        if _is_prose(part)
        for one in part
        if one.index < len(paper.pool)
    }


def _files(session: Session, view: ContestedView) -> None:
    threshold = session.part(ContradictionChoices).threshold
    with st.popover("Download", icon=":material/download:"), st.container(gap="xsmall"):
        download(
            "Report",
            lambda: contradiction_report(_marked(view, [view.chosen], threshold)[0], date=now_here()).encode(),
            name="contradictions.html",
            mime="text/html",
            about="The claims with both sides and your decisions, as one page",
            keeps=False,
        )
        download(
            "JSON",
            lambda: json.dumps(
                contradiction_document(_marked(view, [view.chosen], threshold)[0]), ensure_ascii=False, indent=1
            ).encode(),
            name="contradictions.json",
            mime="application/json",
            about="The same, for programs",
            keeps=False,
        )
        download(
            "CSV",
            lambda: contradiction_csv(_marked(view, list(view.papers), threshold)).encode(),
            name="contradictions.csv",
            mime="text/csv",
            about="All papers of the project: a line for each claim, paper and decision",
            keeps=False,
        )


def _marked(view: ContestedView, papers: Sequence[str], threshold: int) -> list[ContestedPaper]:
    """The papers as their files contain them, with the retractions known now. Raises `VouchError`."""
    standing_checks.before_export(view.project.id)
    with the_store().reading() as now:
        notices = {item: one.in_words for item, one in marks(now, view.project.id).items()}
    return [replace(view.contested(one, threshold), notices=notices) for one in papers]
