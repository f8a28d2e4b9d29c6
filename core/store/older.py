"""Converts what earlier versions stored to the present format. Used by the migrations and for old project files.

Before format 7 a judgement, a suggestion and a consensus named no tool, and an overall judgement said whether to raise
the level. Format 8 added answers, format 9 searches and what belongs to them; an older project has none of these.
Format 10 added claims and decisions on their contradictions; format 11 articles, their statements and grades.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.bias.model import RAISED_BECAUSE

JUDGED = ("judgements", "suggestions", "consensus")  # tables whose keys have a tool and an outcome since format 7
_FIRST_WITH_TOOLS, _FIRST_WITH_GRADES = 7, 11
_ROB2 = dict.fromkeys(("D1", "D2", "D3", "D4", "D5"), "rob2")
_ROB1 = dict.fromkeys(
    ("sequence", "concealment", "performance", "detection", "attrition", "reporting", "other"), "rob1"
)
_WHOLE = "overall"


def tool_judged_with(domain: str, project: Mapping[str, Any]) -> str:
    """The tool that a domain of a project was judged with, by the project's body.

    A person's own papers could be judged with any tool, but only RoB 2 had an overall judgement.
    """
    known = _ROB1 | _ROB2 | ({_WHOLE: "rob2"} if project.get("private") else {})
    return known.get(domain) or str(project.get("tool", "rob2"))


def key_with_tool(key: Sequence[str], project: Mapping[str, Any]) -> list[str]:
    """The key of a record in `JUDGED`, with its tool and an empty outcome: only the study as a whole was judged."""
    above, (domain, *rest) = list(key[:2]), key[2:]
    return [*above, tool_judged_with(domain, project), "", domain, *rest]


def body_with_tool(body: Mapping[str, Any], project: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a record in `JUDGED`, with its tool and an empty outcome."""
    domain = body["domain"] if "domain" in body else body["judgement"]["domain"]
    made = {**body, "tool": tool_judged_with(domain, project), "outcome": ""}
    if domain != _WHOLE or "reviewer" not in body:
        return made
    raised = body["level"] == "high"
    return {**made, "level": "high" if raised else None, "comment": RAISED_BECAUSE if raised else ""}


def task_with_tool(task: str, project: Mapping[str, Any]) -> str:
    """The name of a task of the queue: a task on a domain now names its tool."""
    engine, _, domain = task.rpartition(":")
    return f"{engine}:{tool_judged_with(domain, project)}:{domain}" if task.startswith("bias:") else task


def brought_up_to_date(document: dict[str, Any]) -> None:
    """Convert an older project's JSON document in place. Raises `LookupError` or `TypeError` if it is not a project."""
    written = document.get("format", _FIRST_WITH_GRADES)
    if written < _FIRST_WITH_GRADES:
        document["format"] = _FIRST_WITH_GRADES
    if written >= _FIRST_WITH_TOOLS:
        return
    project = document["project"]["record"]
    for name in JUDGED:
        for saved in document[name]:
            saved["record"] = body_with_tool(saved["record"], project)
    for change in document["history"]:
        if change["kind"] in JUDGED:
            change["key"] = key_with_tool(change["key"], project)
            for state in ("before", "after"):
                if change[state] is not None:
                    change[state] = body_with_tool(change[state], project)
    for failure in document.get("failures", ()):
        failure["task"] = task_with_tool(failure["task"], project)
