"""A project as a JSON document: there and back is identity; a changed document is refused."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from core.bias.model import HIGH
from core.errors import DamagedProject, NewerStore, NotStorable, VouchError
from core.settings import Settings
from core.store import ProjectState, Store, open_store, project_from_json, project_to_json
from core.store.model import FORMAT, Project
from tests.core.store.review import PROJECT, SCOPE, begin, consensus, decisions, judgement, save, suggestion
from tests.core.store.screened import one_of_everything


@pytest.fixture
def state(store: Store) -> ProjectState:
    """A project with one of everything, changes and deletions among them."""
    begin(store)
    save(store, judgement("Ann"), judgement("Ben", HIGH), judgement("Ben", None, domain="D2"))
    save(store, suggestion(), consensus(), decisions())
    with store.writing("Ann") as change:
        first, second = (one.paper for one in change.papers(PROJECT.id, SCOPE))
        change.keep_file(first, b"%PDF \x00\xff")
        change.remove(second)
        change.save(judgement("Ann", HIGH, comment="on second thoughts: “é” 𝛽"), seen=1)
    with store.reading() as now:
        return now.whole(PROJECT.id, with_files=True)


def test_there_and_back_is_identity(state: ProjectState, elsewhere: Store) -> None:
    document = project_to_json(state)
    assert project_from_json(document) == state
    with elsewhere.writing("Cleo") as change:
        change.import_project(project_from_json(document))
    with elsewhere.reading() as now:
        again = now.whole(PROJECT.id, with_files=True)
    assert again == state
    assert project_to_json(again) == document


def test_work_goes_on_where_it_was_brought(state: ProjectState, elsewhere: Store) -> None:
    with elsewhere.writing("Cleo") as change:
        change.import_project(state)
    with elsewhere.writing("Ann") as change:
        assert change.save(judgement("Ann"), seen=2).version == 3
    with elsewhere.reading() as now:
        assert [change.version for change in now.history(judgement("Ann"), reader="Ann")] == [1, 2, 3]


def test_a_project_that_is_here_is_not_overwritten(state: ProjectState, store: Store) -> None:
    with (
        pytest.raises(NotStorable, match="“Walking and sleep” is here already, in the list"),
        store.writing("Ann") as change,
    ):
        change.import_project(state)
    with store.writing("Ann") as change:
        change.remove(state.project)
    with pytest.raises(NotStorable, match="among the deleted"), store.writing("Ann") as change:
        change.import_project(state)


def test_a_moment_is_the_same_in_every_time_zone(state: ProjectState, elsewhere: Store) -> None:
    there = timezone(timedelta(hours=5, minutes=30))
    moved = replace(state, project=replace(state.project, changed=state.project.changed.astimezone(there)))
    with elsewhere.writing("Cleo") as change:
        change.import_project(moved)
    with elsewhere.reading() as now:
        assert now.project(PROJECT.id).changed == state.project.changed


def test_without_files_the_document_only_names_them(store: Store, state: ProjectState) -> None:
    with store.reading() as now:
        light = now.whole(PROJECT.id)
    assert light.files == {}
    assert replace(light, files=state.files) == state
    assert project_from_json(project_to_json(light)) == light


def change_place(document: dict[str, Any]) -> None:
    document["judgements"][0]["record"]["paper"] = "f" * 64


def change_project(document: dict[str, Any]) -> None:
    document["papers"][0]["record"]["project"] = "another"


def change_level(document: dict[str, Any]) -> None:
    document["judgements"][0]["record"]["level"] = "medium"


def change_twice(document: dict[str, Any]) -> None:
    document["papers"].append(document["papers"][0])


def change_file(document: dict[str, Any]) -> None:
    document["files"] = dict.fromkeys(document["files"], "AAAA")


@pytest.mark.repetition("settings")
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (change_place, "none of its project's papers"),
        (change_project, "none of its project's papers"),
        (change_level, r"see judgements\.0\.record\.level"),
        (change_twice, "same record twice"),
        (change_file, "not the one that was put in"),
    ],
)
def test_a_changed_document_is_refused(state: ProjectState, damage: Any, message: str) -> None:
    document = json.loads(project_to_json(state))
    damage(document)
    with pytest.raises(DamagedProject, match=message):
        project_from_json(json.dumps(document))


@pytest.mark.repetition("settings")
def test_a_document_of_a_newer_vouch_is_refused(state: ProjectState) -> None:
    with pytest.raises(NewerStore, match="update Vouch"):
        project_from_json(project_to_json(replace(state, format=FORMAT + 1)))


@pytest.mark.parametrize("text", ["", "no JSON", "[]", "{}", b"\xff\xfe"])
def test_what_is_no_project_is_refused(text: str | bytes) -> None:
    with pytest.raises(DamagedProject, match="not a project that Vouch saved"):
        project_from_json(text)


def test_a_large_document_of_something_else_takes_memory_in_proportion() -> None:
    """What is missing in it is told seventeen times over; a copy of it all beside each would be far more."""
    text = b'{"x": [' + b'{"a": 1}, ' * 100_000 + b"1]}"
    tracemalloc.start()
    with pytest.raises(DamagedProject, match="see project"):
        project_from_json(text)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40 * len(text)


CHILD = """
import resource, sys
from core.errors import DamagedProject
from core.store import project_from_json
documents = [open(name, "rb").read() for name in sys.argv[1:]]
with open("/proc/self/statm") as now:
    here = int(now.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (here + 300_000_000,) * 2)
for document in documents:
    try:
        project_from_json(document)
    except DamagedProject as error:
        print(error)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process cannot be kept from taking more")
def test_a_document_of_mistakes_takes_little_memory(state: ProjectState, tmp_path: Path) -> None:
    """Each of 200,000 mistakes was remembered by a thousand bytes and more, which ended the whole app."""
    wrong = json.loads(project_to_json(state))
    authors = json.loads(project_to_json(state))
    wrong["papers"] = [{}] * 200_000
    authors["papers"][0]["record"]["authors"] = [0] * 200_000
    brackets = project_to_json(state)[:-1] + ', "x": [' + "[], " * 4_000_000 + "0]}"
    files = []
    for number, text in enumerate((json.dumps(wrong), json.dumps(authors), brackets)):
        files.append(tmp_path / f"{number}.json")
        files[-1].write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", CHILD, *files], stdout=subprocess.PIPE, encoding="utf-8", check=True)
    first, *others = done.stdout.splitlines()
    assert "see papers.0.record" in first
    assert others == ["This document holds more than a review can. Ask for another copy."] * 2


# Projects that somebody wrote by hand, or changed: each is refused in one sentence, on every database, and nothing is kept.

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
        change.import_project(state)


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
        (twice("answers"), "same answer twice"),
        (set_at("answers", 0, "number", to=0), "A number"),
        (set_at("answers", 0, "by", to=" "), "a name is missing"),
        (set_at("answers", 0, "id", to="x" * 201), "longer than 200"),
        (set_at("answers", 0, "asked", to="2026-11-22T08:00:00"), "no time zone"),
        (set_at("answers", 0, "record", to=5), r"see answers\.0\.record"),
        (set_at("answers", 0, "record", to={}), r"see answers\.0\.record"),
        (set_at("answers", 0, "record", "papers", 0, "told", to="sideways"), r"see answers\.0\.record"),
        (set_at("answers", 0, "record", "searched", to=2**31), r"see answers\.0\.record\.searched"),
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
        set_at("answers", 0, "by", to=NUL),
        set_at("answers", 0, "record", "question", "text", to=NUL),
        set_at("answers", 0, "record", "evidence", 0, "summary", to=NUL),
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
        change.queue.add_file(PROJECT.id, "a\0.md", b"# Late\n")
    with store.reading() as now:
        assert [one.name for one in now.queue.incoming(PROJECT.id)] == ["a.md"]
    with pytest.raises(NotStorable, match="cannot be stored"), store.writing(NUL) as change:
        change.save(Project("q", "Another", ("Ann",)))


def places(node: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    steps = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for step, value in steps:
        yield (*path, step)
        yield from places(value, (*path, step))


class Back(Exception):
    """Takes a change back."""


@pytest.mark.slow
def test_whatever_is_changed_is_refused_or_comes_in_and_goes_out(store: Store, text: str) -> None:
    odd = (NUL, "", None, -1, 2**63, 1e400, "x" * 300, [], {"a": {"a": 1}}, "0001-01-01T00:00:00+14:00", [[1]])
    draw, everywhere, came_in = random.Random(9), list(places(json.loads(text))), 0
    for _ in range(150):
        changed = json.loads(text)
        set_at(*draw.choice(everywhere), to=draw.choice(odd))(changed)
        try:
            state = parsed(changed)
            with store.writing("Cleo") as change:
                change.import_project(state)
                again = change.whole(state.project.record.id, with_files=True)
                assert project_from_json(project_to_json(again)) == again
                came_in += 1
                raise Back
        except VouchError as error:
            assert "\n" not in str(error)  # noqa: PT017
        except Back:
            pass
    assert 0 < came_in < 75
