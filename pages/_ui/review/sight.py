"""All that a reviewer may see of a project at one moment, and what is drawn from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import streamlit as st

from core.bias import Tool
from core.export.plots.drawing import Drawing
from core.export.plots.summary_bars import summary_bars
from core.export.plots.traffic_light import traffic_light
from core.export.project.disclosure import HISTORY
from core.export.project.levels import LevelTable, settled_levels, suggested_levels
from core.export.project.papers import read_papers
from core.paper import Paper
from core.store import ProjectState, Reading
from core.store.blindness import seen_by
from pages._ui.review.board import Board
from pages._ui.review.stored import the_store

REVIEWERS = ""  # whose levels: the reviewers', or the engine's of this name


@dataclass(frozen=True)
class Sight:
    """A project as one reviewer may see it; `hidden` counts the domains of papers where something is left out.

    What is drawn from it is drawn once.
    """

    state: ProjectState
    hidden: int
    tool: Tool
    source: str = REVIEWERS

    @cached_property
    def engines(self) -> list[str]:
        """Those with a suggestion that may be seen."""
        return sorted({saved.record.engine for saved in self.state.suggestions if not saved.removed})

    @cached_property
    def table(self) -> LevelTable:
        """The levels of the reviewers, or those that an engine suggests. Raises `QueryError`."""
        if self.source == REVIEWERS:
            return settled_levels(self.state, self.tool)
        return suggested_levels(self.state, self.tool, self.source)

    @property
    def left_out(self) -> str:
        """One sentence on what is hidden; empty if nothing is."""
        if not self.hidden:
            return ""
        domains = "1 domain of a paper" if self.hidden == 1 else f"{self.hidden} domains of papers"
        return f"Blind: suggestions and others' work on {domains} are left out until this reviewer has judged them."

    @cached_property
    def traffic_light(self) -> Drawing:
        """The plot of every judgement."""
        return traffic_light(self.table, title=self.state.project.record.name)

    @cached_property
    def summary(self) -> Drawing:
        """The plot of the shares."""
        return summary_bars(self.table)

    @property
    def papers(self) -> dict[str, Paper]:
        """The text of the papers whose files are at hand."""
        return read_papers(self.state)


def look(board: Board, source: str = REVIEWERS, *, with_files: bool = False) -> Sight:
    """What the reviewer may see now, of the history only what the disclosure needs. Raises `StoreError`."""
    with the_store().reading() as store:
        if with_files:
            return _seen(store, board, source, with_files=True)
        stamp = f"{the_store().name}|{store.stamp(board.project.id)}"
        return _kept(board.project.id, board.reviewer, source, stamp, store, board)


@st.cache_resource(max_entries=4, show_spinner=False)
def _kept(project: str, reviewer: str | None, source: str, stamp: str, _store: Reading, _board: Board) -> Sight:
    """Made once after each change of the project."""
    return _seen(_store, _board, source)


def _seen(store: Reading, board: Board, source: str, *, with_files: bool = False) -> Sight:
    state = store.whole(board.project.id, with_files=True) if with_files else store.present(board.project.id)
    state = replace(state, history=store.changes(board.project.id, HISTORY))
    seen, hidden = seen_by(state, board.reviewer or "", [domain.id for domain in board.tool.domains])
    return Sight(seen, hidden, board.tool, source)
