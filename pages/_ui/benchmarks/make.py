"""A benchmark that was made from a group's own reviews, judged by people: an aspect beside its paper, blind, then settled."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from core.errors import VouchError
from core.making.agreement import MeasureAgreement, agreements
from core.making.agreement_report import as_table, in_words, read_labels
from core.making.annotation import MOST_RECORDS, PIPELINE, Annotations, AspectTask, AspectView
from core.making.output import written_anew
from pages._ui.escape import plain
from pages._ui.state import Session, prime

_RESAMPLES = 1_000  # of figures that are drawn with every run of the page; the command takes 10,000


def draw(session: Session) -> None:
    """Draw the folder, the aspects, and the one that is to be judged."""
    bench = session.benchmarks
    with st.expander("Make", expanded=bool(bench.made), icon=":material/construction:"):
        st.caption(
            "A benchmark from your own reviews: the command `make` writes it into a folder (docs/making.md). Here two "
            "people judge it, each without seeing what the other or the pipeline marked until both are in."
        )
        prime(**{"make-folder": bench.made, "make-annotator": bench.annotator})
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            bench.made = st.text_input("Folder of a made benchmark", key="make-folder", placeholder="made", width=420)
            bench.annotator = st.text_input("Your name", key="make-annotator", width=220).strip()
        if not bench.made.strip():
            return
        try:
            found = Annotations(Path(bench.made.strip()).expanduser())
        except RuntimeError:  # "~somebody/..." of nobody whom this machine knows
            st.error("The folder begins with “~” and no known user. Type its whole path.", icon=":material/error:")
            return
        except VouchError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        if not found.tasks:
            st.info(
                "Nothing in this benchmark has aspects to be judged: its summaries are judged on the page Plain summary."
            )
            return
        if not bench.annotator:
            st.info("Type your name: marks are kept by it.")
            return
        task = _choice(found, bench.annotator, key=f"make-aspect-{bench.made}")
        if found.more:
            st.caption(
                f"Here are the aspects of the first {MOST_RECORDS:,} records; those behind them are not judged here."
            )
        _judge(session, found, found.view(task, bench.annotator))
        try:
            _figures(found)
        except VouchError as error:
            st.error(plain(str(error)), icon=":material/error:")


def _choice(found: Annotations, annotator: str, *, key: str) -> AspectTask:
    labels = {place: f"{found.standing(task, annotator)} · {task.text}"[:140] for place, task in enumerate(found.tasks)}
    prime(**{key: 0})
    place = st.selectbox(f"Aspect ({len(labels):,})", list(labels), key=key, format_func=labels.__getitem__)
    return found.tasks[place or 0]


def _judge(session: Session, found: Annotations, view: AspectView) -> None:
    """The aspect beside its paper, with a box for each sentence: Tab and Space mark, Enter saves."""
    task = view.task
    settling = not view.blind
    stem = f"make-{'settle' if settling else 'mark'}-{task.record}-{task.layout}-{task.aspect}-{session.benchmarks.annotator}"
    chosen = (view.settled if view.settled is not None else _agreed(view)) if settling else view.own or frozenset()
    with st.form(stem, border=False):
        left, right = st.columns([2, 3], gap="medium")
        with left:
            st.caption(plain(task.about))
            st.markdown(f"**{plain(task.text)}**")
            st.caption(
                "Mark every sentence that by itself conveys most of this; what it leaves unsaid may be taken from its neighbours."
            )
            if settling:
                for who, marked in view.others.items():
                    st.caption(f"{plain(who)}: {', '.join(map(str, sorted(marked))) or 'none'}")
            elif view.own is not None:
                st.caption("Yours is in. What others marked is shown once both are in.")
            pressed = st.form_submit_button(
                "Settle" if settling else "Save my marks", type="primary", icon=":material/done:", key=f"{stem}-save"
            )
        with right, st.container(height=520):
            boxes = {
                index: st.checkbox(_label(index, text, view), value=index in chosen, key=f"{stem}-{index}")
                for index, text in enumerate(task.sentences)
            }
    if pressed:
        _keep(session, found, view, [index for index, on in boxes.items() if on])


def _agreed(view: AspectView) -> frozenset[int]:
    """What both people marked: where settling begins."""
    people = [marked for who, marked in view.others.items() if who != PIPELINE]
    return people[0].intersection(*people[1:])


def _label(index: int, text: str, view: AspectView) -> str:
    """A sentence with its number, and once both are in, who marked it, by name."""
    who = [name for name, marked in view.others.items() if index in marked]
    differ = bool(who) and len(who) < len(view.others)
    signs = f" ({'≠ ' if differ else '= '}{', '.join(who)})" if who else ""
    return plain(f"[{index}] {text}{signs}")


def _keep(session: Session, found: Annotations, view: AspectView, chosen: list[int]) -> None:
    try:
        if view.blind:
            found.mark(view.task, session.benchmarks.annotator, chosen)
        else:
            found.settle(view.task, session.benchmarks.annotator, chosen)
            written_anew(found.folder)
    except VouchError as error:
        session.problem = str(error)
    else:
        session.problem = None
    st.rerun()


def _figures(found: Annotations) -> None:
    """How far the two agree, with each other and with the pipeline, on what both have marked."""
    table = as_table(found.labels())
    labels = read_labels(table.encode(), name="labels").labels if table.count("\n") > 1 else {}
    people = [name for name in labels if name != PIPELINE]
    if len(people) < 2:
        st.caption("Figures follow once two people have marked an aspect.")
        return
    judged, _ = read_labels(table.encode(), name="labels").judged(people[:2], PIPELINE)
    size = {"items": len(judged.papers), "papers": len(set(judged.papers))}
    st.caption(
        f"{size['items']:,} sentences of {size['papers']:,} papers, marked by {plain(people[0])} and {plain(people[1])}"
    )
    measures = agreements(judged, resamples=_RESAMPLES)
    st.dataframe([_row(one) for one in measures], hide_index=True, key="make-figures")
    with st.expander("In words"):
        for one in measures:
            st.markdown("  \n".join(plain(said) for said in in_words(one, **size)))
    st.download_button(
        "Labels", table, file_name="labels.csv", mime="text/csv", icon=":material/download:", key="make-labels"
    )


def _row(one: MeasureAgreement) -> Mapping[str, str]:
    told = one.surest
    shown = {"Measure": one.measure, "People": f"{100 * told.people.value:.1f}"}
    if told.with_model is not None and told.difference is not None:
        shown |= {"People and pipeline": f"{100 * told.with_model.value:.1f}", "p": f"{told.difference.p:.2f}"}
    return shown
