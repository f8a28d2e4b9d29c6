"""The tab of the evidence table: hypotheses, the table, and its files."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.bias import Tool, tool_named
from core.errors import VouchError
from core.review.outputs import TABLES, table_file
from core.review.table import references_apart, table_rows
from core.store import Project, QueueMode, Reading
from pages._ui import frame
from pages._ui.downloads import download, now_here
from pages._ui.escape import plain
from pages._ui.review import arrivals, evidence_table, hypotheses, passage, verdict_dialog
from pages._ui.review.board import Board
from pages._ui.review.evidence_table.rows import table_payload
from pages._ui.review.names import file_stem
from pages._ui.review.stored import the_store
from pages._ui.state import Session

_LOOK = 5.0  # seconds between two looks at the store while the queue fills the table
_MIMES = {
    ".csv": "text/csv",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".html": "text/html",
}
_ABOUT = {
    ".csv": "A line for each paper and hypothesis",
    ".xlsx": "A workbook: a line for each paper and hypothesis, and a sheet that says what the columns are",
    ".html": "One page that needs nothing beside it, to sort and to filter",
}


def show(now: Session, board: Board) -> None:
    """Draw the tab. While the queue is at work the table is drawn again by itself."""
    hypotheses.show(now, board)
    to_judge, now.review.to_judge = now.review.to_judge, None
    if to_judge is not None and board.reviewer is not None:
        verdict_dialog.ask(board.project.id, board.reviewer, *to_judge)
    try:
        with the_store().reading() as store:
            at_work = store.queue(board.project.id).mode is QueueMode.RUNNING
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.fragment(_table, run_every=_LOOK if at_work else None)(now, board.project.id, board.reviewer or "")


def _table(now: Session, project: str, reader: str) -> None:
    """The table as it is now: this part of the page is drawn again without the rest."""
    try:
        with the_store().reading() as store:
            rules = store.project(project).record
            at_work = store.queue(project).mode is QueueMode.RUNNING
            data = _payload(store, rules, reader)
            apart = references_apart(store, project)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if not rules.hypotheses:
        st.caption(
            "The table has a row for each paper and says what it makes of a hypothesis. Add the first one above."
        )
        return
    if at_work:
        st.caption("The queue is at work: the table fills as answers come.")
    said = evidence_table.show(
        key=f"evidence-table-{project}", data=data | {"begin": now.review.to_hypothesis, "judges": bool(reader)}
    )
    _apart(now, apart)
    _files(rules, reader, said.shown)
    if said.opened is not None and said.opened.hypothesis < len(rules.hypotheses):
        hypothesis = rules.hypotheses[said.opened.hypothesis]
        if passage.go_to(now, said.opened.paper, hypothesis, said.opened.sentence):
            st.switch_page(frame.EVIDENCE, query_params=passage.address(now))
        st.rerun()
    if said.judged is not None and said.judged[1] < len(rules.hypotheses):
        now.review.to_judge = said.judged[0], rules.hypotheses[said.judged[1]]
        st.rerun()  # the whole page: a dialog of this part would end with it


def _apart(now: Session, references: int) -> None:
    """What is in the review and not in the table, with the way to it."""
    if not references:
        return
    said = "1 reference is" if references == 1 else f"{references:,} references are"
    with st.container(key="references-apart", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"{said} not in the table: without the paper there is nothing to read.", width="content")
        if st.button("Show under Papers", key="show-apart", type="tertiary", on_click=_to_references, args=(now,)):
            st.rerun()  # the whole page, for another tab


def _to_references(now: Session) -> None:
    st.session_state[arrivals.TABS] = arrivals.PAPERS
    now.review.to_references += 1


def _payload(store: Reading, rules: Project, reader: str) -> dict[str, object]:
    stamp = f"{the_store().name}|{reader}|{store.stamp(rules.id)}"
    return _made(rules.id, reader, stamp, store, tool_named(rules.tool))


@st.cache_data(max_entries=16, show_spinner=False)
def _made(project: str, reader: str, stamp: str, _store: Reading, _tool: Tool) -> dict[str, object]:
    """The payload, made once after each change of the project."""
    rows = table_rows(_store, project, reader=reader)
    hypotheses = _store.project(project).record.hypotheses
    return table_payload(rows, hypotheses, _tool, project=project, stamp=stamp)


def _files(rules: Project, reader: str, shown: tuple[str, ...] | None) -> None:
    with st.container(key="table-files", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("The whole table:", width="content")
        _downloads(rules, reader, None)
        if shown:
            papers = "1 paper" if len(shown) == 1 else f"{len(shown)} papers"
            st.caption(f"As it is shown ({papers}):", width="content")
            _downloads(rules, reader, shown)


def _downloads(rules: Project, reader: str, shown: tuple[str, ...] | None) -> None:
    for ending in TABLES:
        kind = ending.removeprefix(".").upper()
        download(
            kind if shown is None else f"{kind} as shown",
            partial(_file, rules.id, reader, ending, shown),
            name=f"{file_stem(rules.name)}-evidence{'' if shown is None else '-part'}{ending}",
            mime=_MIMES[ending],
            about=_ABOUT[ending],
            keeps=False,
        )


def _file(project: str, reader: str, ending: str, shown: tuple[str, ...] | None) -> bytes:
    with the_store().reading() as store:
        made = table_file(store, project, ending, reader=reader, made=now_here(), papers=shown)
    return made.encode() if isinstance(made, str) else made
