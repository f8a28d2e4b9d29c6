"""Projects that somebody wrote by hand, or changed: each is refused in one sentence, on every database, and nothing is kept."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from core.errors import DamagedProject, NotStorable, VouchError
from core.settings import Settings
from core.store import ProjectState, Store, open_store, project_from_json, project_to_json
from core.store.model import Project
from tests.core.store.review import PROJECT, begin
from tests.core.store.screened import one_of_everything

Document = dict[str, Any]
NUL = "a\0b"


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A project with one of everything, as its document."""
    store = open_store(Settings(home=tmp_path_factory.mktemp("elsewhere"), data=None))
    one_of_everything(store)
    with store.reading() as now:
        made = project_to_json(now.whole(PROJECT.id, with_files=True))
    store.close()
    return made


@pytest.fixture
def document(text: str) -> Document:
    """The same, to be changed."""
    made: Document = json.loads(text)
    return made


def parsed(document: Document) -> ProjectState:
    return project_from_json(json.dumps(document))


def bring(store: Store, state: ProjectState) -> None:
    with store.writing("Cleo") as change:
        change.bring_in(state)


def set_at(*path: str | int, to: object) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        node: Any = document
        for step in path[:-1]:
            node = node[step]
        node[path[-1]] = to

    return change


def twice(kind: str) -> Callable[[Document], None]:
    return lambda document: document[kind].append(document[kind][0])


def test_the_project_itself_comes_in(store: Store, document: Document) -> None:
    state = parsed(document)
    bring(store, state)
    with store.reading() as now:
        assert now.whole(PROJECT.id, with_files=True) == state


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (twice("incoming"), "a file that waits twice"),
        (twice("failures"), "same failure twice"),
        (twice("history"), "same change twice"),
        (set_at("incoming", 0, "sha256", to="late"), "by no hash"),
        (set_at("failures", 0, "item", to="x" * 1001), "too long"),
        (set_at("failures", 0, "tries", to=2**31), "A number"),
        (set_at("papers", 0, "version", to=0), "A number"),
        (set_at("history", 0, "version", to=2**63), "A number"),
        (set_at("papers", 0, "by", to=" "), "a name is missing"),
        (set_at("history", 0, "who", to="x" * 201), "longer than 200"),
        (set_at("history", 0, "kind", to="wishes"), "not in it"),
        (set_at("history", 1, "key", to=[PROJECT.id, "f" * 64]), "not in it"),
        (set_at("history", 1, "key", to=[]), "not in it"),
        (set_at("history", 0, "after", to={"name": "no such record"}), "not as it was"),
        (set_at("history", 3, "after", "domain", to="D9"), "not as it was"),
        (set_at("references", 0, "record", "paper", to="f" * 64), "none of its project's papers"),
        (set_at("findings", 0, "record", "paper", to="f" * 64), "none of its project's papers"),
        (set_at("criteria", 0, "record", "item", to="f" * 64), "none of its project's papers"),
        (set_at("pairings", 0, "record", "second", to="f" * 64), "none of its project's papers"),
        (set_at("incoming", 0, "added", to="2026-11-22T08:00:00"), "no time zone"),
        (set_at("sittings", 0, "record", "ended", to="2026-11-22T08:00:00"), "no time zone"),
        (set_at("history", 0, "at", to="0001-01-01T00:00:00+14:00"), "A moment"),
    ],
)
def test_what_no_store_could_have_given_is_refused(
    document: Document, damage: Callable[[Document], None], message: str
) -> None:
    damage(document)
    with pytest.raises(DamagedProject, match=message):
        parsed(document)


def test_what_no_database_can_keep_is_refused_and_nothing_of_it_stays(store: Store, text: str) -> None:
    for damage in (
        set_at("incoming", 0, "name", to=NUL),
        set_at("incoming", 0, "error", to=NUL),
        set_at("failures", 0, "error", to=NUL),
        set_at("failures", 0, "task", to=NUL),
        set_at("history", 0, "who", to=NUL),
        set_at("history", 0, "after", "name", to=NUL),
        set_at("papers", 0, "by", to=NUL),
        set_at("papers", 0, "record", "title", to=NUL),
        set_at("project", "record", "reviewers", to=[]),
        set_at("project", "record", "name", to=" "),
    ):
        document = json.loads(text)
        damage(document)
        state = parsed(document)
        with pytest.raises(NotStorable) as caught:
            bring(store, state)
        assert "\n" not in str(caught.value)
    with store.reading() as now:
        assert now.projects() == ()


def test_a_name_without_characters_that_no_database_keeps(store: Store) -> None:
    begin(store)
    with store.writing("Ann") as change:
        change.put_in(PROJECT.id, "a\0.md", b"# Late\n")
    with store.reading() as now:
        assert [one.name for one in now.incoming(PROJECT.id)] == ["a.md"]
    with pytest.raises(NotStorable, match="cannot be stored"), store.writing(NUL) as change:
        change.save(Project("q", "Another", ("Ann",)))


def places(node: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    steps = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for step, value in steps:
        yield (*path, step)
        yield from places(value, (*path, step))


class Back(Exception):
    """Takes a change back."""


def test_whatever_is_changed_is_refused_or_comes_in_and_goes_out(store: Store, text: str) -> None:
    odd = (NUL, "", None, -1, 2**63, 1e400, "x" * 300, [], {"a": {"a": 1}}, "0001-01-01T00:00:00+14:00", [[1]])
    draw, everywhere, came_in = random.Random(9), list(places(json.loads(text))), 0
    for _ in range(150):
        changed = json.loads(text)
        set_at(*draw.choice(everywhere), to=draw.choice(odd))(changed)
        try:
            state = parsed(changed)
            with store.writing("Cleo") as change:
                change.bring_in(state)
                again = change.whole(state.project.record.id, with_files=True)
                assert project_from_json(project_to_json(again)) == again
                came_in += 1
                raise Back
        except VouchError as error:
            assert "\n" not in str(error)  # noqa: PT017
        except Back:
            pass
    assert 0 < came_in < 75
