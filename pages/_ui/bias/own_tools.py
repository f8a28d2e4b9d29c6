"""Saves changes to reviewers' own definitions in the store as they are made, and takes them into the session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.bias.own import OwnTool, as_tool
from core.errors import VouchError
from core.store import Project
from core.store.own_tools import add_own_tool, change_own_tool, remove_own_tool
from core.store.private import OWNER, create_own_project
from pages._ui.open_paper import Home
from pages._ui.state import Session
from pages._ui.stored import the_store


def own_home(session: Session) -> Home:
    """The home of definitions that belong to no project: the person's own project, with the person's own papers."""
    return Home(session.person or "", OWNER, own=True)


def add(session: Session, home: Home, own: OwnTool) -> None:
    """Add a definition and use it. An error becomes the session's problem."""
    session.problem = None
    try:
        with the_store().writing(home.reviewer) as change:
            if home.own:
                create_own_project(change, home.project)
            added = add_own_tool(change, home.project, own, judge_with=home.own)
            project = change.project(home.project).record
    except VouchError as error:
        session.problem = str(error)
        return
    took(session, project)
    if home.own:
        session.bias.tool_id = added.id


def edit(session: Session, home: Home, id: str, change_it: Callable[[OwnTool], OwnTool]) -> bool:
    """Change a definition. Returns whether that worked."""
    session.problem = None
    try:
        with the_store().writing(home.reviewer) as change:
            took(session, change_own_tool(change, home.project, id, change_it))
    except VouchError as error:
        session.problem = str(error)
    return session.problem is None


def remove(session: Session, home: Home, id: str) -> None:
    """Remove a definition, unless something was judged with it."""
    session.problem = None
    try:
        with the_store().writing(home.reviewer) as change:
            project = remove_own_tool(change, home.project, id)
    except VouchError as error:
        session.problem = str(error)
        return
    if home.own:
        session.bias.tool_id = project.own_tools[-1].id if project.own_tools else project.tool
    took(session, project)


def took(session: Session, project: Project) -> None:
    """Update the session from the person's own project as stored now. Review projects are read anew at every run."""
    if not project.private:
        return
    before = session.own_project or project  # other choices made in another window are not taken over
    session.own_project, session.bias.own_tools = replace(before, own_tools=project.own_tools), project.own_tools
    for opened in session.papers.values():
        for own in project.own_tools:
            opened.bias.follow(as_tool(own))
