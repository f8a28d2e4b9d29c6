"""Edits the reviewers' own tools in a project, one field at a time, so that two windows do not undo each other's edits.

What judgements depend on stays: a level that was given and a domain that was judged cannot be removed. When the wording
of a domain changes, its suggestions are removed, so that the engine is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

from core.bias.model import Level
from core.bias.own import OwnTool, added_to, as_tool
from core.bias.tools import FOR_A_PAPER
from core.errors import NotStorable, NotStored
from core.store.model import Project
from core.store.reader import StoreReader
from core.store.writer import StoreWriter


def add_own_tool(change: StoreWriter, project: str, own: OwnTool, *, judge_with: bool = False) -> OwnTool:
    """Add a tool to a project's own; with `judge_with`, use it from now on. Returns it as added: its id may differ."""
    saved = change.project(project)
    tools, added = added_to(saved.record.own_tools, own)
    after = replace(saved.record, own_tools=tools, tool=added.id if judge_with else saved.record.tool)
    if after != saved.record:
        change.save(after, seen=saved.version)
    return added


def change_own_tool(change: StoreWriter, project: str, id: str, edit: Callable[[OwnTool], OwnTool]) -> Project:
    """Edit the present state of a tool. Returns the project after the change.

    Raises `NotStored` if the tool does not exist any more, and `NotStorable` if the result is not a valid tool or would
    remove what judgements depend on.
    """
    saved = change.project(project)
    before = next((one for one in saved.record.own_tools if one.id == id), None)
    if before is None:
        raise NotStored("This definition was removed in another window.")
    try:
        after = edit(before)
    except ValueError as wrong:
        raise NotStorable(f"This cannot be a tool: {wrong}") from None
    if after == before:
        return saved.record
    judged, given = _in_use(change, project, id)
    left = {domain.id for domain in after.domains}
    name = next((one.name for one in before.domains if one.id in judged - left), None)
    if name is not None:
        raise NotStorable(
            f"“{name}” cannot be removed, because papers have been judged by it. Make another definition instead."
        )
    if lost := given - set(as_tool(after).levels):
        raise NotStorable(
            f"The level “{min(lost)}” has been given: it stays. Make another definition for other levels."
        )
    tools = tuple(after if one.id == id else one for one in saved.record.own_tools)
    record = replace(saved.record, own_tools=tools)
    change.save(record, seen=saved.version)
    _take_back_suggestions(change, project, id, changed_domains(before, after))
    return record


def remove_own_tool(change: StoreWriter, project: str, id: str) -> Project:
    """Remove a tool with its suggestions. Raises `NotStorable` if anything was judged with it."""
    saved = change.project(project)
    if _in_use(change, project, id)[0]:
        raise NotStorable("Papers have been judged by this definition: it stays, so that they keep their meaning.")
    left = tuple(one for one in saved.record.own_tools if one.id != id)
    tool = FOR_A_PAPER if saved.record.tool == id else saved.record.tool
    record = replace(saved.record, own_tools=left, tool=tool)
    if record != saved.record:
        change.save(record, seen=saved.version)
        removed = saved.record.tools[id]
        _take_back_suggestions(change, project, id, frozenset(domain.id for domain in removed.domains))
    return record


def changed_domains(before: OwnTool, after: OwnTool) -> frozenset[str]:
    """The domains whose wording changed; all of them, if the scale did."""
    if [level.lower() for level in before.levels] != [level.lower() for level in after.levels]:
        return frozenset(domain.id for domain in (*before.domains, *after.domains))
    same = set(before.domains) & set(after.domains)
    return frozenset(domain.id for domain in {*before.domains, *after.domains} - same)


def known_own_tools(now: StoreReader, person: str | None = None) -> Iterator[tuple[str, OwnTool]]:
    """Every finished own tool of all projects and of the `person`'s own papers, each once, with where it comes from."""
    projects = [saved.record for saved in now.projects()]
    if person is not None:
        with suppress(NotStored):  # the person has no own papers yet
            projects.insert(0, now.project(person).record)
    seen: set[OwnTool] = set()
    for project in projects:
        for own in project.own_tools:
            if own not in seen and not own.missing:
                seen.add(own)
                yield ("your own" if project.private else project.name), own


def _in_use(now: StoreReader, project: str, tool: str) -> tuple[set[str], set[Level]]:
    """The domains that anybody has begun to judge, and the levels that anybody has given."""
    state = now.present(project)
    judged = [saved.record for saved in state.judgements if not saved.removed and saved.record.tool == tool]
    settled = [saved.record for saved in state.consensus if not saved.removed and saved.record.tool == tool]
    begun = {one.domain for one in judged if one.level or one.comment or one.decisions}
    levels = {level for one in judged for level in (one.level, one.set_level) if level is not None}
    return begun | {one.domain for one in settled}, levels | {one.level for one in settled}


def _take_back_suggestions(change: StoreWriter, project: str, tool: str, domains: frozenset[str]) -> None:
    for saved in change.present(project).suggestions:
        if not saved.removed and saved.record.tool == tool and saved.record.domain in domains:
            change.remove(saved)
