"""The reviewers' own definitions in a project: changed in place, kept where judgements rest on them, and in its file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from core.bias.own import OwnDomain, OwnTool
from core.errors import NotStorable, NotStored
from core.store import Project, Store, StoreWriter, project_from_json, project_to_json, tool_of
from core.store.own_tools import add_own_tool, change_own_tool, known_own_tools, remove_own_tool
from tests.core.store.review import FIRST, PROJECT, judgement, suggestion

RECALL = OwnDomain("D2", "Recall", "Whether people were asked late.")
OWN = OwnTool("own-walk", "Walks", ("Good", "Fair", "Bad"), (OwnDomain("D1", "Weather", "Whether it rained."), RECALL))


def begin(store: Store) -> None:
    with store.writing("Ann") as change:
        change.save(replace(PROJECT, tool=OWN.id, own_tools=(OWN,)))
        change.save(FIRST)
        for domain in ("D1", "D2"):
            made = suggestion(domain)
            change.put(replace(made, tool=OWN.id, judgement=replace(made.judgement, level="bad", answers={})))
        change.save(judgement("Ann", "fair", tool=OWN.id, answers={}))


def with_words(tool: OwnTool, definition: str) -> OwnTool:
    return replace(tool, domains=(replace(tool.domains[0], definition=definition), *tool.domains[1:]))


def test_other_words_keep_judgements_and_take_the_suggestion_of_that_domain_back(store: Store) -> None:
    begin(store)
    with store.writing("Ben") as change:
        project = change_own_tool(change, "walking", OWN.id, lambda tool: with_words(tool, "Whether it snowed."))
    assert tool_of(project).domains[0].definition == "Whether it snowed."
    with store.reading() as now:
        state = now.whole("walking")
    assert {saved.record.domain: saved.removed for saved in state.suggestions} == {"D1": True, "D2": False}
    assert [saved.record.level for saved in state.judgements if not saved.removed] == ["fair"]
    again = project_from_json(project_to_json(state))
    assert again.project.record.own_tools == project.own_tools


def test_what_judgements_rest_on_is_not_taken_away(store: Store) -> None:
    begin(store)
    for edit, said in (
        (lambda tool: tool.with_levels(("Good", "Bad")), "“fair” has been given"),
        (lambda tool: replace(tool, domains=(RECALL,)), "“Weather” cannot be removed"),
        (lambda tool: replace(tool, domains=()), "has 0 domains"),
    ):
        with store.writing("Ann") as change, pytest.raises(NotStorable, match=said):
            change_own_tool(change, "walking", OWN.id, edit)
    with store.writing("Ann") as change:
        with pytest.raises(NotStorable, match="have been judged"):
            remove_own_tool(change, "walking", OWN.id)
        with pytest.raises(NotStored, match="removed in another window"):
            change_own_tool(change, "walking", "own-gone", lambda tool: tool)
        project = change_own_tool(change, "walking", OWN.id, lambda tool: replace(tool, domains=tool.domains[:1]))
    assert [domain.id for domain in project.own_tools[0].domains] == ["D1"]


@pytest.mark.parametrize(
    "edit",
    [
        lambda change: change_own_tool(change, "walking", OWN.id, lambda tool: tool.with_levels(("Low", "Middle"))),
        lambda change: change_own_tool(change, "walking", OWN.id, lambda tool: replace(tool, domains=(RECALL,))),
        lambda change: remove_own_tool(change, "walking", OWN.id),
    ],
    ids=["other levels", "a domain less", "no tool"],
)
def test_a_project_can_be_saved_and_opened_after_every_edit(
    store: Store, edit: Callable[[StoreWriter], Project]
) -> None:
    with store.writing("Ann") as change:
        change.save(replace(PROJECT, tool=OWN.id, own_tools=(OWN,)))
        change.save(FIRST)
        made = suggestion("D1")
        change.put(replace(made, tool=OWN.id, judgement=replace(made.judgement, level="bad", answers={})))
    with store.writing("Ann") as change:
        edit(change)
    with store.reading() as now:
        state = now.whole("walking")
    assert [saved.removed for saved in state.suggestions] == [True]
    assert project_from_json(project_to_json(state)) == state


def test_a_project_that_kept_the_suggestions_of_a_removed_tool_can_be_opened(store: Store) -> None:
    """Earlier versions left them."""
    begin(store)
    with store.writing("Ann") as change:
        saved = change.project("walking")
        change.save(replace(saved.record, tool="rob1", own_tools=()), seen=saved.version)
    with store.reading() as now:
        state = now.whole("walking")
    assert project_from_json(project_to_json(state)) == state


def test_one_is_copied_from_project_to_project_and_removed_unused(store: Store) -> None:
    begin(store)
    with store.writing("Cleo") as change:
        change.save(Project("tea", "Tea", ("Cleo",)))
        assert list(known_own_tools(change)) == [("Walking and sleep", OWN)]
        assert add_own_tool(change, "tea", OWN, judge_with=True) == OWN
        assert change.project("tea").record.tool == OWN.id
        other = add_own_tool(change, "tea", with_words(OWN, "Another."))
        assert other.id != OWN.id
        assert remove_own_tool(change, "tea", OWN.id).tool == "rob1"
        assert change.project("tea").record.own_tools == (other,)
