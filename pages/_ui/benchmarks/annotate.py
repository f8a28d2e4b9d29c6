"""People judge a made benchmark: an aspect, or a sentence of a summary, beside its paper; first blind, then settled."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.errors import VouchError
from core.making.agreement import Judged, MeasureAgreement, agreements
from core.making.agreement_report import as_table, in_words, read_labels
from core.making.annotation import PIPELINE, Annotations, Piece, PieceView
from core.making.marks import LABELS, Mark, alike
from core.making.output import written_anew
from core.summary.model import Label
from core.text.words import counted
from pages._ui.benchmarks.state import BenchmarkWork
from pages._ui.escape import plain
from pages._ui.state import Session, prime

_RESAMPLES = 1_000  # for figures redrawn at every run of the page; the command takes 10,000
_IN_WORDS = {
    Label.SUPPORTED: "Supported",
    Label.CONTRADICTS: "Contradicts the paper",
    Label.NOT_IN_PAPER: "Not in the paper, though it may be true",
    Label.NOT_JUDGED: "Not judged: no claim of the paper's",
}
_ASKED_OF_ASPECTS = (
    "Mark every sentence that by itself conveys most of this; what it leaves unsaid may be taken from its neighbours."
)
_ASKED_OF_SUMMARIES = "Give a label, mark the sentences that it rests on, and type the words that are wrong, if any."


def page_wanted(folder: str) -> int:
    """The page of records chosen in the field."""
    return int(st.session_state.get(f"make-page-{folder}", 1))


def draw(session: Session, found: Annotations) -> None:
    """Draw the list of pieces, the one to judge, and how far people agree."""
    bench = session.part(BenchmarkWork)
    annotator = bench.annotator
    if not annotator:
        st.info("Type your name: marks are kept by it.")
        return
    piece = _choice(found, bench.made, annotator)
    if piece is not None:
        _judge(session, found, found.view(piece, annotator))
    try:
        _figures(found)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")


def _choice(found: Annotations, folder: str, annotator: str) -> Piece | None:
    """Draw the field for a piece, the page of records if there are several, and the button to the next open piece."""
    labels = {
        place: f"{found.standing(piece, annotator)} · {piece.text}"[:140] for place, piece in enumerate(found.pieces)
    }
    key = f"make-aspect-{folder}-{found.page}"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if found.pages > 1:
            prime(**{f"make-page-{folder}": 1})
            st.number_input(
                f"Page of {found.pages:,}", 1, found.pages, key=f"make-page-{folder}", width=150,
                help=f"{found.records:,} records in all",
            )  # fmt: skip
        if not found.pieces:
            st.caption("No record of this page has anything to be judged.")
            return None
        prime(**{key: 0})
        name = "Sentence" if found.pieces[0].labelled else "Aspect"
        place = st.selectbox(f"{name} ({len(labels):,})", list(labels), key=key, format_func=labels.__getitem__)
        piece = found.pieces[place or 0]
        following = found.next_open(piece, annotator)
        st.button(
            "Next",
            key="make-next",
            icon=":material/arrow_forward:",
            shortcut="Alt+N",
            disabled=following is None,
            help="The next that you have not marked, or that is to be settled",
            on_click=_go_to,
            args=(key, found.pieces.index(following) if following else 0),
        )
    return piece


def _go_to(key: str, place: int) -> None:
    st.session_state[key] = place


def _judge(session: Session, found: Annotations, view: PieceView) -> None:
    """Draw the piece beside its paper, with a box per sentence: Tab and Space mark, Ctrl and Enter save."""
    piece, settling = view.piece, not view.blind
    annotator = session.part(BenchmarkWork).annotator
    stem = f"make-{'settle' if settling else 'mark'}-{piece.record}-{piece.layout}-{piece.id}-{annotator}"
    given = (view.settled or _agreed(view)) if settling else view.own or Mark()
    with st.form(stem, border=False):
        left, right = st.columns([2, 3], gap="medium")
        with left:
            st.caption(plain(piece.about))
            st.markdown(f"**{plain(piece.text)}**")
            st.caption(_ASKED_OF_SUMMARIES if piece.labelled else _ASKED_OF_ASPECTS)
            if settling:
                for who, mark in view.others.items():
                    st.caption(plain(f"{who}: {_in_words(mark, labelled=piece.labelled)}"))
            elif view.own is not None:
                st.caption("Yours is in. What others marked is shown once both are in.")
            said = _fields(stem, given) if piece.labelled else Mark()
            pressed = st.form_submit_button(
                "Settle" if settling else "Save my marks", type="primary", icon=":material/done:", key=f"{stem}-save",
                shortcut="Mod+Enter",
            )  # fmt: skip
        with right, st.container(height=520):
            boxes = {
                index: st.checkbox(_label(index, text, view), value=index in given.sentences, key=f"{stem}-{index}")
                for index, text in enumerate(piece.sentences)
            }
    if pressed:
        chosen = frozenset(index for index, on in boxes.items() if on)
        _keep(session, found, view, Mark(chosen, said.label, said.part, said.reason))


def _fields(stem: str, given: Mark) -> Mark:
    """Draw the fields for a summary's sentence: its label, its wrong words and the reason."""
    label = st.radio(
        "Label",
        LABELS,
        index=LABELS.index(given.label) if given.label in LABELS else None,
        format_func=_IN_WORDS.__getitem__,
        key=f"{stem}-label",
    )
    part = st.text_input("Wrong words", given.part, key=f"{stem}-part", help="As the sentence has them")
    reason = st.text_input("Reason", given.reason, key=f"{stem}-reason")
    return Mark(label=label, part=part, reason=reason)


def _agreed(view: PieceView) -> Mark:
    """What both people marked alike: the starting point for settling."""
    return alike(mark for who, mark in view.others.items() if who != PIPELINE)


def _in_words(mark: Mark, *, labelled: bool) -> str:
    sentences = ", ".join(map(str, sorted(mark.sentences))) or "none"
    if not labelled:
        return sentences
    wrong = f"; wrong: “{mark.part}”" if mark.part else ""
    return f"{mark.label or 'no label'}; sentences: {sentences}{wrong}{f'; {mark.reason}' if mark.reason else ''}"


def _label(index: int, text: str, view: PieceView) -> str:
    """A sentence with its number and, once both people have judged, the names of those who marked it."""
    who = [name for name, mark in view.others.items() if index in mark.sentences]
    differ = bool(who) and len(who) < len(view.others)
    signs = f" ({'≠ ' if differ else '= '}{', '.join(who)})" if who else ""
    return plain(f"[{index}] {text}{signs}")


def _keep(session: Session, found: Annotations, view: PieceView, mark: Mark) -> None:
    bench = session.part(BenchmarkWork)
    try:
        if view.blind:
            found.mark(view.piece, bench.annotator, mark)
        else:
            found.settle(view.piece, bench.annotator, mark)
            written_anew(found.folder)
    except VouchError as error:
        session.problem = str(error)
    else:
        session.problem = None
    st.rerun()


# ---- figures ----


def _figures(found: Annotations) -> None:
    """Draw the agreement of two people, and of both with the pipeline, on the pieces that both have judged."""
    table = as_table(found.labels())
    parts = {**_of_aspects(table, found), **found.judged_summaries()}
    if not parts:
        st.caption("Figures follow once two people have marked the same.")
        return
    for title, judged in parts.items():
        _agreement(title, judged)
    st.download_button(
        "Labels", table, file_name="labels.csv", mime="text/csv", icon=":material/download:", key="make-labels"
    )


def _of_aspects(table: str, found: Annotations) -> Mapping[str, Judged]:
    if table.count("\n") < 2 or (found.pieces and found.pieces[0].labelled):
        return {}
    labels = read_labels(table.encode(), name="labels")
    people = [name for name in labels.labels if name != PIPELINE][:2]
    judged, _ = labels.judged(people, PIPELINE)
    return {f"Sentences marked by {' and '.join(people)}: ": judged}


def _agreement(title: str, judged: Judged) -> None:
    size = {"items": len(judged.papers), "papers": len(set(judged.papers))}
    st.caption(plain(f"{title}{size['items']:,} of {counted(size['papers'], 'paper')}"))
    measures = agreements(judged, resamples=_RESAMPLES)
    st.dataframe([_row(one) for one in measures], hide_index=True, key=f"make-figures-{title}")
    with st.expander("In words", key=f"make-words-{title}"):
        for one in measures:
            st.markdown("  \n".join(plain(said) for said in in_words(one, **size)))


def _row(one: MeasureAgreement) -> Mapping[str, str]:
    told = one.surest
    shown = {"Measure": one.measure, "People": f"{100 * told.people.value:.1f}"}
    if told.with_model is not None and told.difference is not None:
        shown |= {"People and pipeline": f"{100 * told.with_model.value:.1f}", "p": f"{told.difference.p:.2f}"}
    return shown
