"""A comparison on the page: figures, files, topics with their filters, and the paper with every engine's choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Protocol

import streamlit as st

from core.benchmarks.gold import Gold
from core.benchmarks.side_by_side.figures import author_figures, engine_figures
from core.benchmarks.side_by_side.groups import Labels, all_wrong, grouped, label_overlay
from core.benchmarks.side_by_side.model import Comparison, Side, TopicAnswer
from core.engines import TaskKind
from core.export.side_by_side import (
    ComparisonTable,
    comparison_page,
    figures_table,
    pairs_table,
    sentences_table,
    topics_table,
)
from core.llm import model_named
from core.paper import Paper
from pages._ui.compare.state import CompareChoices, CompareWork, ShownComparison
from pages._ui.downloads import download, now_here, paper_stem
from pages._ui.escape import plain, short
from pages._ui.model_choice import dollars
from pages._ui.open_paper import OpenPaper
from pages._ui.paper_view import component
from pages._ui.state import Session, current_session

# ---- filters ----

EVERYTHING = "Everything"


class FilteredRow(Protocol):
    """What a filter needs to know about a row."""

    @property
    def disputed(self) -> bool: ...
    @property
    def all_wrong(self) -> bool: ...
    @property
    def only_wrong(self) -> int | None: ...


Filter = Callable[[FilteredRow], bool]


def filters_of(letters: str, *, judged: bool) -> Mapping[str, Filter]:
    """The filters by name. `judged` says whether it is known which engines are wrong."""
    found: dict[str, Filter] = {EVERYTHING: lambda row: True, "Disagreements": lambda row: row.disputed}
    if judged:
        found[all_wrong(letters)] = lambda row: row.all_wrong
        found |= {f"Only {letter} wrong": _only_wrong(place) for place, letter in enumerate(letters)}
    return found


def _only_wrong(place: int) -> Filter:
    return lambda row: row.only_wrong == place


# ---- files ----

_FORMATS = {"CSV": ("csv", "text/csv"), "Markdown": ("md", "text/markdown"), "LaTeX": ("tex", "text/x-tex")}


def show_files(comparison: Comparison, paper: Paper | None) -> None:
    """Draw the download buttons for each table. A file is made when it is requested. Without a paper: saved runs."""
    name = f"{paper_stem(paper)}-compared" if paper else "runs-compared"
    tables: dict[str, Callable[[], ComparisonTable]] = {
        "Figures": partial(figures_table, comparison),
        "Agreement": partial(pairs_table, comparison),
    }
    if paper is not None:
        tables["Sentences"] = partial(sentences_table, comparison, paper)
    if comparison.scale:
        tables["Labels"] = partial(topics_table, comparison)
    for title, table in tables.items():
        st.caption(title)
        with st.container(horizontal=True, gap="small"):
            for label, (ending, mime) in _FORMATS.items():
                download(
                    f"{title} ({label})",
                    partial(_written, table, label),
                    name=f"{name}-{title.lower()}.{ending}",
                    mime=mime,
                    about="",
                    keeps=False,
                )
    if paper is None:
        return
    st.caption("To share")
    download(
        "Page (HTML)",
        lambda: comparison_page(comparison, paper, date=now_here()).encode(),
        name=f"{name}.html",
        mime="text/html",
        about="Figures and sentences in one file that needs no Vouch and no network",
        keeps=False,
    )


def _written(table: Callable[[], ComparisonTable], format: str) -> bytes:
    made = table()
    return {"CSV": made.csv, "Markdown": made.markdown, "LaTeX": made.latex}[format]().encode()


# ---- figures ----

_COST = "cost in $"  # shown even if it is unknown for every engine
_ABOUT = (
    "Jaccard: shared sentences over all that either chose. Overlap@k: the share of the first k that both have. Kappa and "
    "AC1 go over all sentences that could be chosen; AC1 stays meaningful where most are chosen by nobody."
)


def show_figures(comparison: Comparison, paper: Paper | None) -> None:
    """Draw the engines' figures and errors, with the agreement folded. Without a paper: saved runs."""
    for side in comparison.sides:
        if side.error:
            st.caption(f":material/error: {side.letter} ({plain(side.engine)}) failed: {plain(side.error)}")
    for note in comparison.notes:
        st.caption(f":material/error: {plain(note)}")
    if whose := author_figures(comparison):
        st.dataframe(
            [
                {
                    "Written by": one.author,
                    "Checked by": f"{one.side.letter} · {one.side.engine}",
                    "Called supported": f"{one.supported} of {one.of}",
                    "": "its own" if one.own else "",
                }
                for one in whose
            ],
            hide_index=True,
            height="content",
        )
    asked = any(side.again for side in comparison.sides)
    _draw(figures_table(comparison), leave_out=("failed",) if asked else ("failed", "asked"))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(plain(_on_stability(comparison)) if paper else "", width="stretch")
        if len(comparison.answered) > 1:
            with st.popover("Agreement", icon=":material/handshake:", width=150):
                _draw(pairs_table(comparison))
                st.caption(plain(_ABOUT))
        with st.popover("Files", icon=":material/download:", width=110):
            show_files(comparison, paper)


def _draw(table: ComparisonTable, *, leave_out: Sequence[str] = ()) -> None:
    """Draw a table. Columns without any value are left out, except the cost, which then says “unknown”."""
    wanted = [name for name in table.columns if name not in leave_out and name in {*table.filled, _COST}]
    st.dataframe(
        [
            {name.capitalize() if name.islower() else name: _cell(name, row[name]) for name in wanted}
            for row in table.rows
        ],
        hide_index=True,
        height="content",
        column_config={"": st.column_config.TextColumn(width=60)},
    )


def _cell(name: str, value: object) -> str:
    if name == _COST:
        return dollars(value) if isinstance(value, float | int) else "unknown"
    if value is None:
        return "–"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _on_stability(comparison: Comparison) -> str:
    """How stable the engines' answers are, in words."""
    local = [side.letter for side in comparison.answered if not model_named(side.engine)]
    parts = []
    if local:
        says = "computes" if len(local) == 1 else "compute"
        names = " and ".join(filter(None, (", ".join(local[:-1]), local[-1])))
        parts.append(f"{names} {says} on this machine, and would say the same again.")
    again = [figures for figures in engine_figures(comparison) if figures.stability]
    for figures in again:
        always = sum(len(one.always) for one in figures.stability)
        sometimes = sum(len(one.sometimes) for one in figures.stability)
        times = figures.stability[0].times
        parts.append(
            f"{figures.side.letter}, asked {times} times: {always} sentences every time, {sometimes} not always."
        )
    if not again and len(local) < len(comparison.answered):
        parts.append("Ask models several times to see how stable they are.")
    return " ".join(parts)


# ---- topics ----

_WHAT = {TaskKind.BIAS: "Domain", TaskKind.SUMMARY: "Sentence of the summary"}
_GOLD = {TaskKind.BIAS: "You", TaskKind.SUMMARY: "Gold"}


def show_topics(opened: OpenPaper, done: ShownComparison) -> None:
    """Draw the table of topics, if there are labels."""
    work = opened.part(CompareWork)
    comparison = done.comparison
    if not comparison.scale:
        return
    rows = [label_overlay(comparison.labels(place), topic.gold_label) for place, topic in enumerate(comparison.topics)]
    letters = "".join(side.letter for side in comparison.answered)
    known = filters_of(letters, judged=any(row.wrong for row in rows))
    counts = {name: sum(map(wanted, rows)) for name, wanted in known.items()}
    way = st.segmented_control(
        "Which", list(known), key=f"topics-{done.id}", default=EVERYTHING, required=True, label_visibility="collapsed",
        format_func=lambda name: f"{name} {counts[name]}",
    )  # fmt: skip
    places = [place for place, row in enumerate(rows) if known[way or EVERYTHING](row)]
    if not places:
        st.caption("There is none of this kind.")
        return
    st.dataframe(
        [_row(comparison, place, rows[place]) for place in places],
        hide_index=True,
        height="content",
        column_config={"": st.column_config.TextColumn(width=30)},
    )
    if work.topic not in places:
        work.topic = places[0]
    work.topic = st.selectbox(
        "Its support in the paper",
        places,
        index=places.index(work.topic),
        key=f"topic-{done.id}-{way}",
        format_func=lambda place: f"{place + 1}. {short(comparison.topics[place].title, 140)}",
    )


def _row(comparison: Comparison, place: int, labels: Labels) -> dict[str, object]:
    topic, wrong = comparison.topics[place], labels.wrong or (None,) * len(labels.given)
    row: dict[str, object] = {"": "≠" if labels.disputed else "=", _WHAT[comparison.task]: topic.title}
    for side, label, mistaken in zip(comparison.answered, labels.given, wrong, strict=True):
        sign = {None: "", True: "✕ ", False: "✓ "}[mistaken]
        row[f"{side.letter} · {side.engine}"] = f"{sign}{label or 'cannot tell'}"
    if any(topic.gold_label for topic in comparison.topics):
        row[_GOLD[comparison.task]] = topic.gold_label or ""
    return row


# ---- desk data ----


def comparing_payload(answers: Sequence[tuple[Side, TopicAnswer]], gold: Gold | None) -> dict[str, object]:
    """The data of the desk: each sentence with who chose it, the groups of the list, and the filters."""
    found = grouped(answers, gold)
    return {
        "items": [
            {
                "index": entry.mark.index,
                "group": entry.group,
                "letters": entry.letters,
                "notes": entry.ranks,
                "gold": entry.gold,
                "goldWord": entry.gold_word,
            }
            for entry in found.entries
        ],
        "groups": found.titles,
        "filters": [
            {"id": each.id, "label": each.label, "title": each.about, "indices": each.indices} for each in found.filters
        ],
    }


# ---- desk ----


def show(session: Session, opened: OpenPaper) -> None:
    """Draw the figures of the last comparison of this kind, the choice of a topic, and the desk."""
    done = opened.part(CompareWork).by_task.get(session.part(CompareChoices).task)
    with st.container():
        if done is not None:
            st.caption(f"Answers to: {plain(done.comparison.question, limit=240)}")
            show_figures(done.comparison, opened.paper)
            show_topics(opened, done)
    _desk(opened, done)


def _desk(opened: OpenPaper, done: ShownComparison | None) -> None:
    key = f"compare-desk-{opened.paper.id}"
    component.show(
        key=key,
        data={"opening": opened.opening, "view": _view(opened, done), **component.supply(opened)},
        on_decided=lambda: None,
        on_asked=partial(component.keep_question, key, opened),
    )


def _view(opened: OpenPaper, done: ShownComparison | None) -> dict[str, object]:
    work = opened.part(CompareWork)
    topic = work.topic
    comparison = done.comparison if done else None
    return {
        "question": f"{opened.opening}:{done.id if done else ''}:{topic}",
        "open": [other.opening for other in current_session().papers.values()],
        "answer": work.answers,
        "number": 0,
        "noun": "Sentences",
        "canDecide": False,
        "empty": "No sentence to show." if done else "Choose two to four engines above and press Compare.",
        "note": "The letters say which engines chose a sentence; the ranks are their own.",
        "comparing": _comparing(comparison, topic),
    }


def _comparing(comparison: Comparison | None, topic: int) -> dict[str, object]:
    if comparison is None:
        return comparing_payload((), None)
    return comparing_payload(comparison.on(topic), comparison.topics[topic].gold)
