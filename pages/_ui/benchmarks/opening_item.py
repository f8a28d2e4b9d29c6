"""From an item to its paper on the desk, on the page of its task, with its question and gold."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.benchmarks.contents import case_of, gold_of, paper_of
from core.benchmarks.farebio import read_farebio
from core.benchmarks.model import CompleteRun, Item
from core.benchmarks.summary_tasks import SUMMARY_TASKS
from core.benchmarks.task import Kind
from core.benchmarks.tasks import task_named
from core.bias import tool_named
from core.errors import VouchError
from core.llm import model_named
from core.paper import Paper
from pages._ui import frame
from pages._ui.benchmarks import finding
from pages._ui.benchmarks.form import ENGINES
from pages._ui.open_paper import one_line
from pages._ui.state import Session

_PAGES = {
    Kind.EVIDENCE: (frame.EVIDENCE, "Open the paper, with this question and its gold"),
    Kind.BIAS: (frame.BIAS, "Open the paper at this domain"),
    Kind.SUMMARY: (frame.SUMMARY, "Open the paper, with this sentence and its gold"),
}


def offer(now: Session, run: CompleteRun, item: Item[Any, Any]) -> None:
    """A button that opens the item's paper, if it has one."""
    paper = paper_of(item)
    if paper is None:
        st.caption("This task asks about sentences alone: there is no paper to open.")
        return
    kind = task_named(run.setup.task).kind
    page, label = _PAGES[kind]
    if st.button(label, key="open-item", type="primary", icon=":material/open_in_new:"):
        try:
            OPEN[kind](now, run, item, paper)
        except VouchError as error:
            now.problem = str(error)
            st.rerun()
        st.switch_page(page)


def _evidence(now: Session, run: CompleteRun, item: Item[Any, Any], paper: Paper) -> None:
    """With its hypothesis, and its gold shown. An engine of this machine answers at once; a model only when asked."""
    query, gold = item.question.query, gold_of(item)
    opened = now.put_on_desk(paper)
    if gold is not None:
        opened.golds[one_line(query.hypothesis)] = gold
        opened.show_gold = True
    if opened.question != one_line(query.hypothesis):
        opened.evidence = None
    opened.ask(query.hypothesis)
    now.k, now.tables = query.k, query.tables
    opened.say_results_first(query.results_only or query.results_first, query.hypothesis)
    engine = run.setup.engine
    if model_named(engine) is None and engine in ENGINES[Kind.EVIDENCE]:
        now.engine = engine
        now.search(opened, query)


def _bias(now: Session, run: CompleteRun, item: Item[Any, Any], paper: Paper) -> None:
    """At the domain of the item, with the review's question where the data tell it."""
    case, tool = case_of(item), tool_named("rob1")
    now.put_on_desk(paper)
    if case is not None:
        now.bias.use(tool, case.study)
    domain = case.domain.id if case is not None else str(item.question.domain)
    if domain in {one.id for one in tool.domains}:
        now.review.jump_to(domain)


def _summary(now: Session, run: CompleteRun, item: Item[Any, Any], paper: Paper) -> None:
    """With the summary sentence in its field, and all that people have labelled of this paper."""
    task = task_named(run.setup.task)
    source = task.source(finding.data_of(run.setup, now.bench))
    opened = now.put_on_desk(paper)
    if task in SUMMARY_TASKS:  # the others' files are not of whole summaries
        labelled = read_farebio(source.read_bytes(), name=source.name).summaries
        opened.summary.golds = tuple(one for one in labelled if one.paper_id == item.group)
    opened.summary.draft = item.question.text
    st.session_state[f"summary-{paper.id}"] = item.question.text


OPEN = {Kind.EVIDENCE: _evidence, Kind.BIAS: _bias, Kind.SUMMARY: _summary}
