"""The tab of papers: references, papers that look alike, the table, and deleted papers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from core.errors import VouchError
from core.references import PossibleDuplicate, Strength
from core.review.intake import BY_HAND, match_references
from core.store import Pairing, Saved, StoredPaper, StoredReference
from pages._ui.escape import plain, short
from pages._ui.review import adding, arrivals, references
from pages._ui.review.board import ProjectSnapshot, show_papers, show_removed
from pages._ui.review.references import References
from pages._ui.review.tables import excluded_in_words
from pages._ui.state import Session
from pages._ui.stored import the_store

# ---- one reference ----

_LONGEST = 1200  # letters of an abstract


@st.dialog("Reference", width="medium")
def ask_about_reference(session: Session, snapshot: ProjectSnapshot, id: str) -> None:
    """Draw the dialog."""
    try:
        found = references.read(snapshot.project.id)
        with the_store().reading() as store:
            saved = next((one for one in store.references(snapshot.project.id) if one.record.id == id), None)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if saved is None:
        st.markdown("This reference is not in the project any more.")
        return
    _about(saved.record)
    papers = {paper.id: short(paper.title or paper.name, 120) for paper in found.papers.values()}
    paper = saved.record.paper if saved.record.paper in papers else None
    if paper is not None:
        st.markdown(
            f"Matched by **{plain(saved.record.matched)}** with “{plain(found.papers[paper].title, limit=160)}”."
        )
    else:
        excluded = excluded_in_words(snapshot.excluded, id)
        missing = found.notes.get(id, "No full text yet: none of the papers here has its DOI, PMID or title.")
        st.markdown(plain(f"{excluded}. It needs no full text." if excluded else missing))
    if snapshot.reviewer is None:
        return
    chosen = st.selectbox(
        "Its paper",
        [None, *papers],
        index=[None, *papers].index(paper),
        format_func=lambda one: "None of the papers here" if one is None else papers[one],
        key=f"paper-of-{id}",
    )
    with st.container(horizontal=True, gap="small"):
        if st.button("Save", key="save-match", type="primary", disabled=chosen == paper and not _undecided(saved)):
            _save_reference(session, snapshot.reviewer, saved, replace(saved.record, paper=chosen, matched=BY_HAND))
        if saved.record.matched == BY_HAND and st.button("Let Vouch match it again", key="match-again"):
            _save_reference(session, snapshot.reviewer, saved, replace(saved.record, paper=None, matched=""))


def _undecided(saved: Saved[StoredReference]) -> bool:
    return saved.record.paper is None and saved.record.matched != BY_HAND


def _about(record: StoredReference) -> None:
    said = record.reference
    st.markdown(f"**{plain(said.title, limit=300)}**")
    who = "; ".join(said.authors[:6]) + (" et al." if len(said.authors) > 6 else "")
    ids = (f"DOI {said.doi}" if said.doi else "", f"PMID {said.pmid}" if said.pmid else "")
    st.caption(plain(" · ".join(filter(None, (who, said.journal, str(said.year or ""), *ids)))))
    if said.abstract:
        with st.expander("Abstract"):
            st.markdown(plain(said.abstract, limit=_LONGEST))
    st.caption(plain(f"Record {record.number} of {record.source}"))


def _save_reference(session: Session, who: str, saved: Saved[StoredReference], record: StoredReference) -> None:
    """Save the reference, and draw the page again."""
    session.problem = None
    try:
        with the_store().writing(who) as change:
            change.save(record, seen=saved.version)
        if record.matched != BY_HAND:
            match_references(the_store(), record.project)
    except VouchError as error:
        session.problem = str(error)
    st.rerun()


# ---- papers and references that look alike ----

_MOST_NAMED = 4  # authors
_MOST_SHOWN = 10  # pairs; further ones follow as these are decided
_SURE = {
    Strength.CERTAIN: "Nearly certain",
    Strength.LIKELY: "Likely the same",
    Strength.POSSIBLE: "Possibly the same",
}


def show_duplicates(session: Session, snapshot: ProjectSnapshot, found: References) -> None:
    """Draw the undecided pairs, the decided ones, and reports of one trial."""
    pairs = [one for one in found.alike if one.is_duplicate]
    trials = [one for one in found.alike if not one.is_duplicate]
    if pairs:
        with st.expander(f"**Look alike ({len(pairs)})**", icon=":material/content_copy:", key="look-alike"):
            st.caption("Say of each pair whether it is one paper. The one that is not kept is left out of the review.")
            for one in pairs[:_MOST_SHOWN]:
                _pair(session, snapshot, found, one)
            if len(pairs) > _MOST_SHOWN:
                st.caption(f"{len(pairs) - _MOST_SHOWN:,} more follow.")
    _decided(session, snapshot, found)
    if trials:
        with st.expander(f"Reports of one trial ({len(trials)})", icon=":material/hub:", key="same-trial"):
            for one in trials[:50]:
                names = " and ".join(f"“{plain(_title(found, id), limit=90)}”" for id in (one.first, one.second))
                st.markdown(f"{names}: {plain(one.reason)}")


def _pair(session: Session, snapshot: ProjectSnapshot, found: References, one: PossibleDuplicate) -> None:
    with st.container(border=True, key=f"pair-{one.first}-{one.second}", gap="small"):
        st.markdown(f"**{_SURE[one.strength]}.** {plain(one.reason)}")
        left, right = st.columns(2)
        with left:
            _card(found, one.first, "Left")
        with right:
            _card(found, one.second, "Right")
        if snapshot.reviewer is None:
            return
        with st.container(horizontal=True, gap="small"):
            for label, said in _answers(snapshot.project.id, snapshot.reviewer, found, one).items():
                st.button(label, key=f"{label}-{one.first}-{one.second}", on_click=partial(_say, session, said))


def _answers(project: str, who: str, found: References, one: PossibleDuplicate) -> dict[str, Callable[[], None]]:
    """The possible decisions on a pair. A reference that is the same as a paper is matched with it, not left out."""
    two = partial(_save_pairing, who, Pairing(project, one.first, one.second, same=False))
    papers = [id for id in (one.first, one.second) if id in found.papers]
    if len(papers) == 1:
        (reference,) = {one.first, one.second} - set(papers)
        return {"The same: it is its reference": partial(_match, who, project, reference, papers[0]), "Two papers": two}
    return {
        "The same: keep the left": partial(_save_pairing, who, Pairing(project, one.first, one.second, same=True)),
        "The same: keep the right": partial(_save_pairing, who, Pairing(project, one.second, one.first, same=True)),
        "Two papers": two,
    }


def _card(found: References, id: str, side: str) -> None:
    """Draw what is known of one item of a pair. `side` is its label, as on a telephone the two are stacked."""
    st.caption(side)
    st.markdown(f"**{plain(_title(found, id), limit=240)}**")
    paper = found.papers.get(id)
    if paper is not None:
        number = _numbers(None if (paper.doi or "").lower() in paper.citation.lower() else paper.doi, paper.pmid)
        lines = [_people(paper.authors), paper.citation, number, f"File {paper.name}"]
    else:
        record = found.all[id]
        said = record.reference
        lines = [
            _people(said.authors),
            " · ".join(filter(None, (said.journal, str(said.year or "")))),
            _numbers(said.doi, said.pmid),
            f"Record {record.number} of {record.source}" + ("" if record.paper in found.papers else ", no full text"),
        ]
    st.caption("  \n".join(plain(line, limit=240) for line in lines if line))


def _people(authors: Sequence[str]) -> str:
    return ", ".join(authors[:_MOST_NAMED]) + (" et al." if len(authors) > _MOST_NAMED else "")


def _numbers(doi: str | None, pmid: str | None) -> str:
    return " · ".join(filter(None, (f"DOI {doi}" if doi else "", f"PMID {pmid}" if pmid else "")))


def _title(found: References, id: str) -> str:
    record: StoredPaper | StoredReference = found.papers[id] if id in found.papers else found.all[id]
    return record.title or record.name if isinstance(record, StoredPaper) else record.reference.title


def _decided(session: Session, snapshot: ProjectSnapshot, found: References) -> None:
    """Draw the decided pairs, each with a button to undo the decision."""
    try:
        with the_store().reading() as store:
            here = {*found.papers, *found.all}
            said = [one for one in store.pairings(snapshot.project.id) if {one.record.first, one.record.second} <= here]
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if not said:
        return
    with st.expander(f"Decided pairs ({len(said)})", icon=":material/check:", key="decided-pairs"):
        for saved in reversed(said):
            first, second = (
                f"“{plain(_title(found, id), limit=80)}”" for id in (saved.record.first, saved.record.second)
            )
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                words = f"{first} stands for {second}" if saved.record.same else f"{first} and {second} are two papers"
                st.markdown(f"{words} :gray[{plain(saved.by)}]", width="stretch")
                if snapshot.reviewer is not None:
                    st.button(
                        "Undo",
                        key=f"undo-{saved.record.first}-{saved.record.second}",
                        type="tertiary",
                        icon=":material/undo:",
                        on_click=partial(_undo, session, snapshot.reviewer, saved),
                    )


def _say(session: Session, said: Callable[[], None]) -> None:
    session.problem = None
    try:
        said()
    except VouchError as error:
        session.problem = str(error)


def _save_pairing(who: str, pairing: Pairing) -> None:
    with the_store().writing(who) as change:
        change.save(pairing)
    match_references(the_store(), pairing.project)  # of two papers with one DOI, only one is left to match


def _match(who: str, project: str, reference: str, paper: str) -> None:
    with the_store().writing(who) as change:
        change.require_item(project, reference)  # somebody may have deleted it meanwhile
        saved = next(one for one in change.references(project) if one.record.id == reference)
        change.save(replace(saved.record, paper=paper, matched=BY_HAND), seen=saved.version)


def _undo(session: Session, who: str, saved: Saved[Pairing]) -> None:
    session.problem = None
    try:
        with the_store().writing(who) as change:
            change.remove(saved)
    except VouchError as error:
        session.problem = str(error)


# ---- tab ----


def show(session: Session, snapshot: ProjectSnapshot) -> None:
    """Draw the tab."""
    try:
        found = references.read(snapshot.project.id)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if snapshot.reviewer is not None:
        adding.offer(session, snapshot)
    arrivals.show(session, snapshot)
    show_duplicates(session, snapshot, found)
    clicked = show_papers(session, snapshot, found)
    if clicked is not None:
        ask_about_reference(session, snapshot, clicked)
    show_removed(session, snapshot.removed)
