"""What decides results: which files, what of them, and which settings."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from core.benchmarks.tasks import TASKS
from core.engines import TaskKind
from core.work import identity
from core.work.identity import FILES, ROOMS, ROOT, SHARED, code_sha256, fingerprint
from tests.test_architecture import imports_of, product, room_of

CODE = '''"""A module."""

class Reply:
    """Sent to models."""

def half(n: int) -> float:
    """Half of it."""
    return n / 2  # by two
'''
EVERY = set(ROOMS)
NOT_FOLLOWED = {"core.benchmarks.tasks", "core.benchmarks.runner"}  # they know the tasks of every kind


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small Vouch with one module a room."""
    rooms = {*SHARED, *(room for rooms in ROOMS.values() for room in rooms)}
    for name in (*FILES, *(f"{room}/code.py" for room in rooms), "evidence/model.bin", "store/code.py"):
        file = tmp_path / "core" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(CODE)
    (tmp_path / "prompts").mkdir()
    for room in ("evidence", "bias"):
        (tmp_path / "prompts" / f"{room}-frame.md").write_text("Read this.")
    return tmp_path


def sums(root: Path) -> dict[str, str]:
    code_sha256.cache_clear()
    return {kind: code_sha256(kind, root=root) for kind in ROOMS}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"""A module."""', '"""Another word."""'),
        ('"""Half of it."""', ""),
        ("  # by two", ""),
        ('"""Sent to models."""', "'Sent to models.'"),
        ("\n\n", "\n\n\n\n"),
        ("n / 2", "(n / 2)"),
    ],
)
def test_comments_docstrings_and_looks_do_not_count(tree: Path, old: str, new: str) -> None:
    before = sums(tree)
    (tree / "core" / "evidence" / "code.py").write_text(CODE.replace(old, new))
    assert sums(tree) == before


@pytest.mark.parametrize(
    ("file", "text", "kinds"),
    [
        ("core/evidence/code.py", CODE.replace("/ 2", "/ 3"), EVERY),
        ("core/evidence/code.py", CODE.replace("Sent", "Told"), EVERY),
        ("core/evidence/code.py", CODE.replace("n: int", "n: str"), EVERY),
        ("core/evidence/model.bin", f"{CODE}# trained anew", EVERY),
        ("core/errors.py", "", EVERY),
        ("core/bias/code.py", "", {"bias", "screening"}),
        ("core/bias/new.py", "", {"bias", "screening"}),
        ("prompts/bias-frame.md", "Read it.", {"bias", "screening"}),
        ("prompts/evidence-frame.md", "Read it.", EVERY),
        ("core/summary/code.py", "", {"summary", "answers", "articles", "claims", "contradictions"}),
        ("core/store/code.py", "", set()),
    ],
)
def test_what_decides_results_of_a_kind_counts_for_that_kind(tree: Path, file: str, text: str, kinds: set[str]) -> None:
    before = sums(tree)
    (tree / file).write_text(text)
    after = sums(tree)
    assert {kind for kind in ROOMS if after[kind] != before[kind]} == kinds


@pytest.mark.parametrize("kind", ROOMS)
def test_a_room_that_others_import_counts_where_they_do(kind: str) -> None:
    sources = product()
    counted = {f"core.{room}" for room in (*SHARED, *ROOMS[kind])}
    files = {f"core.{name.removesuffix('.py').replace('/', '.')}" for name in FILES}
    modules = [name for name in sources if name in files or room_of(name) in counted - {"core.benchmarks"}]
    tasks = [task for task in TASKS.values() if task.kind == kind]
    modules += {_module(part) for task in tasks for part in (task.open, task.items, task.ask, task.score, task.metrics)}
    seen, waiting = set(NOT_FOLLOWED), modules
    while waiting:
        name = waiting.pop()
        if name not in seen and name in sources:
            seen.add(name)
            waiting += imports_of(name, sources)
    assert {name for name in seen - NOT_FOLLOWED - files if room_of(name) not in counted} <= {"core"}


def _module(part: Any) -> str:
    return str(getattr(part, "func", part).__module__)


def test_every_kind_of_task_has_its_rooms() -> None:
    assert set(ROOMS) == {"articles", *(kind.value for kind in TaskKind)}


def test_every_prompt_belongs_to_a_room() -> None:
    # What is made of reviews is no task: `core.making.carrying_out` holds its own prompts against those of its workers.
    # Nor is the grading of articles, which no run keeps.
    rooms = {*SHARED, "making", "grading", *(room for rooms in ROOMS.values() for room in rooms)}
    assert {file.name.partition("-")[0] for file in (ROOT / "prompts").iterdir()} <= rooms
    assert all((ROOT / "core" / room).is_dir() for room in rooms)


@pytest.mark.slow
def test_no_code_reads_docstrings_that_do_not_count() -> None:
    for name, source in product().items():
        if name.startswith("core.") and not name.startswith("core.training"):
            read = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)]
            assert not {node.attr for node in read} & {"__doc__", "getdoc"}, name


@pytest.mark.slow
def test_a_fingerprint_tells_code_settings_and_engines_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = [fingerprint(()), fingerprint(["bias"]), fingerprint((), "bm25"), fingerprint((), "bm25", "openai:one")]
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    seen.append(fingerprint((), "bm25", "openai:one"))
    monkeypatch.setenv("VOUCH_RANKER", "trials")
    seen.append(fingerprint((), "bm25"))
    monkeypatch.setattr(identity, "code_sha256", lambda *kinds: "another")
    seen.append(fingerprint((), "bm25"))
    assert len(set(seen)) == len(seen)
    assert fingerprint((), "bm25") == seen[-1]
