"""Summaries that people have labelled: their file, a choice among them, and their labels beside the engine's."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import PurePath

import streamlit as st

from core.benchmarks.farebio import FarebioFile, GoldSummary, read_farebio
from core.benchmarks.samples import SUMMARIES
from core.benchmarks.summary_gold import GoldOverlay, gold_for_paper, overlay
from core.errors import VouchError
from pages._ui.escape import plain, short
from pages._ui.open_paper import OpenPaper
from pages._ui.opening import open_file
from pages._ui.state import Session
from pages._ui.summary.work import Version
from pages._ui.uploads import LARGEST_MB

Check = Callable[[Session, OpenPaper], None]


def loader(now: Session) -> None:
    """A field for their file, folded, and apart from where a paper is opened."""
    key = f"summary-gold-{now.uploads}"
    with st.expander("Open summaries that people have labelled", icon=":material/verified:"):
        st.file_uploader(
            "Summaries with gold: CSV or JSON in FaReBio's layout",
            key=key,
            on_change=_open,
            args=(now, key),
            max_upload_size=LARGEST_MB,
            help="One row for each sentence of a summary, with the label that people gave it; docs/summary.md tells the columns",
        )


def offer(now: Session, opened: OpenPaper, check: Check) -> None:
    """A button for each labelled summary of the paper on the desk, to `check` it."""
    golds = opened.summary.golds = opened.summary.golds or gold_for_paper(_samples(), opened.paper)
    if not golds:
        return
    with st.container(key="summary-golds", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("With gold:", width="content")
        for number, gold in enumerate(golds):
            label = short(f"{gold.id.rpartition('/')[2]} · {len(gold.sentences)} sentences", 60)
            st.button(
                plain(label),
                key=f"gold-summary-{number}",
                on_click=_check,
                args=(now, opened, gold, check),
                help="Check this summary",
            )


@cache
def _samples() -> FarebioFile:
    """Summaries of a sample paper, labelled by us."""
    return read_farebio(SUMMARIES.read_bytes(), name=SUMMARIES.name)


def _open(now: Session, key: str) -> None:
    """Lay the file's labels beside the paper on the desk, or open the first paper that it holds."""
    file = st.session_state[key]
    now.uploads += 1  # with a new key the field is empty again
    if PurePath(file.name).suffix.lower() not in {".csv", ".json", ".jsonl"}:
        open_file(now, file.getvalue(), name=file.name)  # a paper, put into the wrong field
        return
    try:
        found = read_farebio(file.getvalue(), name=file.name)
    except VouchError as error:
        now.problem = str(error)
        return
    broken = f"{len(found.broken)} rows cannot be used. {found.broken[0]}" if found.broken else None
    here = now.open
    golds = gold_for_paper(found, here.paper) if here else ()
    if here is None or not golds:
        if not found.summaries:
            now.problem = broken
            return
        here = now.put_on_desk(found.summaries[0].paper)
        golds = tuple(one for one in found.summaries if one.paper_id == found.summaries[0].paper_id)
    now.problem = broken
    here.summary.golds = golds


def _check(now: Session, opened: OpenPaper, gold: GoldSummary, check: Check) -> None:
    text = "\n".join(sentence.text for sentence in gold.sentences)
    opened.summary.draft = text
    st.session_state[f"summary-{opened.paper.id}"] = text
    check(now, opened)


def overlay_of(opened: OpenPaper, version: Version) -> GoldOverlay | None:
    """The gold of a version: that of the labelled summary which has most of its sentences; None if none has any."""
    laid = [overlay(version.report, gold) for gold in opened.summary.golds]
    best = max(laid, key=_found, default=None)
    return best if best is not None and _found(best) else None


def _found(laid: GoldOverlay) -> int:
    return sum(one is not None for one in laid.gold)


def in_words(laid: GoldOverlay) -> str:
    """How the engine's labels compare with gold."""
    parts = []
    if laid.agreement is not None:
        parts.append(f"agreement {laid.agreement:.0%}")
    if laid.kappa is not None:
        parts.append(f"kappa {laid.kappa:.2f}")
    parts += [f"{len(laid.missed)} missed", _count(len(laid.false_alarms), "false alarm")]
    if laid.unmatched:
        parts.append(f"{_count(len(laid.unmatched), 'sentence')} with gold not in this summary")
    return "Gold: " + ", ".join(parts)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
