"""A project as one file: there and back on an empty store, the same bytes; what is damaged is refused in one sentence."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from dataclasses import replace

import pytest

from core.errors import DamagedProject, NewerStore, NotStorable
from core.store import ProjectState, Store, project_from_file, project_to_file, project_to_json
from core.store.model import FORMAT
from core.store.project_file import FILE_LIMITS, FileLimits
from core.untrusted_json import ValueLimits
from tests.core.store.review import PROJECT, SCOPE
from tests.core.store.screened import one_of_everything


@pytest.fixture
def state(store: Store) -> ProjectState:
    """A project with one of everything that is kept."""
    one_of_everything(store)
    with store.writing("Vouch") as change:
        first, second = (one.paper for one in change.papers(PROJECT.id, SCOPE))
        change.keep_file(first, b"%PDF \x00\xff")
        change.remove(second)
    return whole(store)


def whole(store: Store, *, with_files: bool = True) -> ProjectState:
    with store.reading() as now:
        return now.whole(PROJECT.id, with_files=with_files)


@pytest.mark.parametrize("with_files", [True, False])
def test_there_and_back_gives_the_same_bytes(
    state: ProjectState, store: Store, elsewhere: Store, with_files: bool
) -> None:
    first = whole(store, with_files=with_files)
    data = project_to_file(first)
    assert project_from_file(data) == first
    with elsewhere.writing("Cleo") as change:
        change.import_project(project_from_file(data))
    assert project_to_file(whole(elsewhere)) == data
    assert bool(first.files) is with_files


def test_every_kind_of_record_is_in_the_file(state: ProjectState) -> None:
    back = project_from_file(project_to_file(state))
    kinds = (
        "papers", "judgements", "suggestions", "consensus", "decisions", "references", "pairings", "screenings",
        "screening_consensus", "criteria", "findings", "sittings", "verdicts", "verdict_consensus",
        "incoming", "failures", "history", "files", "answers",
    )  # fmt: skip
    assert [name for name in kinds if not getattr(back, name)] == []


def test_a_json_document_opens_too(state: ProjectState) -> None:
    assert project_from_file(project_to_json(state).encode()) == state


def archive(**entries: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in entries.items():
            out.writestr(name.replace("__", "/").replace("_json", ".json"), data)
    return made.getvalue()


def document(state: ProjectState) -> bytes:
    with zipfile.ZipFile(io.BytesIO(project_to_file(state))) as file:
        return file.read("project.json")


def refused(data: bytes, limits: FileLimits = FILE_LIMITS) -> str:
    """The sentence that refuses a file."""
    with pytest.raises(DamagedProject) as caught:
        project_from_file(data, limits)
    said = str(caught.value)
    assert "\n" not in said
    assert "Traceback" not in said
    return said


@pytest.mark.repetition("settings")
def test_a_damaged_file_is_refused_in_one_sentence(state: ProjectState) -> None:
    data = project_to_file(state)
    middle = len(data) // 2
    changed, no_project, wrong_file = (
        "it was changed (",
        "not a project that Vouch saved",
        "not the one that was put in",
    )
    for damaged, said in (
        (b"PK and no more", changed),
        (data[:middle], changed),
        (data[:40] + bytes(8) + data[48:], changed),
        (archive(), changed),
        (archive(project_json=b"{"), no_project),
        (archive(project_json=b"\xff\xfe"), no_project),
        (archive(files__ab=b"no document"), changed),
        (archive(project_json=document(state), notes=b"of another program"), "no project of Vouch does"),
        (archive(project_json=document(state), files__ab=b"its name is not its hash"), wrong_file),
    ):
        assert said in refused(damaged)


@pytest.mark.repetition("settings")
@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_another_way_of_packing_is_refused(state: ProjectState, method: int) -> None:
    """Of these, Python unpacks as much at once as there is."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as out:
        out.writestr("project.json", document(state))
    assert "packed in a way" in refused(made.getvalue())


@pytest.mark.repetition("settings")
def test_a_byte_that_was_changed_anywhere_is_refused_or_changes_nothing(state: ProjectState) -> None:
    data = project_to_file(state)
    directory = range(data.index(b"PK\x01\x02"), len(data))  # says where everything else is
    for place in (*range(0, len(data), max(1, len(data) // 150)), *directory):
        changed = data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :]
        try:
            assert project_from_file(changed) == state
        except DamagedProject as error:
            assert "\n" not in str(error)  # noqa: PT017


@pytest.mark.repetition("settings")
@pytest.mark.parametrize(
    "changed",
    [{"total": 1_000_000}, {"entry": 1_000_000}, {"ratio": 10}, {"document": 100}],
    ids=lambda one: next(iter(one)),
)
def test_a_file_that_would_unpack_to_too_much_is_refused_unread(state: ProjectState, changed: dict[str, int]) -> None:
    text = document(state)
    bomb = archive(project_json=text, files__zeros=bytes(2_000_000))
    assert len(bomb) < 100_000
    assert "more than a review can hold" in refused(bomb, FileLimits(free=500_000, **changed))


@pytest.mark.repetition("settings")
def test_a_bomb_takes_little_memory(state: ProjectState) -> None:
    bomb = archive(project_json=document(state), files__zeros=bytes(60_000_000))
    tracemalloc.start()
    assert "more than a review can hold" in refused(bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 15_000_000


@pytest.mark.repetition("settings")
def test_entries_that_are_small_each_are_counted_together(state: ProjectState) -> None:
    text = document(state)
    limits = FileLimits(total=len(text) + 100_000)
    many = {f"files__{number}": bytes([number]) * 60_000 for number in range(2)}
    assert "more than a review can hold" in refused(archive(project_json=text, **many), limits)


@pytest.mark.repetition("settings")
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_entries_of_one_name_are_refused(state: ProjectState) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as out:
        for _ in range(2):
            out.writestr("project.json", document(state))
    assert "no project of Vouch does" in refused(made.getvalue())


@pytest.mark.repetition("settings")
def test_a_bomb_that_lies_about_its_size_is_refused(state: ProjectState) -> None:
    honest = archive(project_json=document(state), files__zeros=bytes(2_000_000))
    lying = honest.replace((2_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    assert lying != honest
    assert "it was changed" in refused(lying)


@pytest.mark.repetition("settings")
def test_a_file_of_a_newer_vouch_says_so(state: ProjectState) -> None:
    newer = document(state).replace(f'"format": {FORMAT}'.encode(), b'"format": 999')
    newer = newer.replace(f'"format":{FORMAT}'.encode(), b'"format":999')
    with pytest.raises(NewerStore):
        project_from_file(archive(project_json=newer))


@pytest.mark.repetition("settings")
def test_a_project_beyond_what_is_opened_is_not_written(state: ProjectState) -> None:
    """What is written opens again: its document, each file and all of them are held to the limits of opening."""
    size = len(document(state))
    files = sum(len(body) for body in state.files.values())
    for name, fits, said in (
        ("document", size, "copy its database"),
        ("entry", max(len(body) for body in state.files.values()), "without them"),
        ("total", size + files, "without them"),
    ):
        limits = FileLimits(**{name: fits})
        assert project_from_file(project_to_file(state, limits), limits) == state
        with pytest.raises(NotStorable, match=said):
            project_to_file(state, FileLimits(**{name: fits - 1}))


@pytest.mark.repetition("settings")
def test_a_document_of_more_values_than_are_read_is_not_written(state: ProjectState) -> None:
    limits = FileLimits(values=ValueLimits(few=10, bytes_each=100))
    with pytest.raises(NotStorable, match="copy its database"):
        project_to_file(state, limits)
    assert "holds more than a review can" in refused(archive(project_json=project_to_json(state).encode()), limits)


@pytest.mark.repetition("settings")
def test_what_is_written_holds_at_most_half_the_values_that_are_read(state: ProjectState) -> None:
    """So that no project of any size is refused for them."""
    half = ValueLimits(few=0, bytes_each=2 * ValueLimits().bytes_each)
    assert half.allow(project_to_json(replace(state, files={})).encode())


def test_a_document_of_twenty_thousand_references_is_within_the_limit() -> None:
    assert FILE_LIMITS.document >= 4 * 20_000 * 10_300


def test_what_repeats_itself_is_written_so_that_it_opens(state: ProjectState, store: Store) -> None:
    """Deflate packs it up to a thousand times; by its size alone it would be taken for a bomb."""
    limits = FileLimits(free=1_000, piece=100_000)
    with store.writing("Ann") as change:
        change.queue.add_file(PROJECT.id, "same.txt", b"a" * 2_000_000)
        change.save(replace(state.project.record, hypotheses=("Tea " * 500_000,)), seen=state.project.version)
    repeated = whole(store)
    data = project_to_file(repeated, limits)
    assert project_from_file(data, limits) == repeated
