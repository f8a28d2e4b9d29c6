"""The desk on the page of risk of bias: the same paper, with the domains and the panel to judge them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from core.bias import Tool
from pages._ui import paper_view, serving
from pages._ui.paper_view.judging import judging_payload, own_from
from pages._ui.state import OpenPaper, session, widget


@st.fragment
def show(opened: OpenPaper) -> None:
    """Draw the desk. A change draws this part of the page again and nothing else."""
    now = session()
    tool = now.bias.tool
    key = f"bias-desk-{opened.paper.id}"
    paper_view.show(
        key=key,
        data={"opening": opened.opening, "view": _view(opened, tool), **serving.supply(opened)},
        on_decided=partial(_keep, key, opened),
        on_asked=partial(serving.keep_question, key, opened),
    )


def _view(opened: OpenPaper, tool: Tool) -> dict[str, object]:
    now = session()
    judged = opened.bias.with_tool(tool)
    return {
        "question": f"{opened.opening}:{tool.id}",
        "open": [other.opening for other in now.papers.values()],
        "number": judged.number,
        "noun": "Support",
        "canDecide": True,
        "empty": "No sentence is suggested. Click any sentence of the paper to add it as support.",
        "judging": judging_payload(judged.assessment, blind=now.bias.blind),
    }


def _keep(key: str, opened: OpenPaper) -> None:
    """Store what the browser sent, if it is what the desk sends and its paper is still open."""
    sent = widget(key).get("decided")
    if not isinstance(sent, dict) or not isinstance(number := sent.get("number"), int):
        return
    opening, _, tool_id = str(sent.get("question")).partition(":")
    judged = opened.bias.by_tool.get(tool_id)
    if opening != opened.opening or judged is None:
        return
    believed = own_from(sent.get("value"), judged.assessment.tool, sentences=len(opened.paper.sentences))
    if believed is not None:
        own, raised = believed
        judged.assessment = replace(judged.assessment, own=own, raised=raised)
        judged.number = number
