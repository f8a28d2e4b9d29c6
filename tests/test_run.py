"""The parts of run.py that need no environment of their own."""

from __future__ import annotations

import ast
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import run

OLD_PYTHON = "import runpy, sys; sys.version_info = (3, 9, 2); runpy.run_path('run.py', run_name='__main__')"


def test_an_old_python_can_read_the_file() -> None:
    ast.parse((run.ROOT / "run.py").read_text(encoding="utf-8"), feature_version=(3, 7))


def test_the_file_starts_as_a_program() -> None:
    assert (run.ROOT / "run.py").read_text(encoding="utf-8").startswith("#!/usr/bin/env python3\n")


def test_an_old_python_is_told_what_is_needed() -> None:
    result = subprocess.run(
        [sys.executable, "-c", OLD_PYTHON], cwd=run.ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    assert result.stderr.startswith("Vouch needs Python 3.11 or newer, and this is Python 3.9.")
    assert "Traceback" not in result.stderr


def test_it_needs_the_standard_library_alone() -> None:
    tree = ast.parse((run.ROOT / "run.py").read_text(encoding="utf-8"))
    imports = [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    imports += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert {name.split(".")[0] for name in imports} <= sys.stdlib_module_names


@pytest.fixture
def requirements(tmp_path: Path) -> Path:
    (tmp_path / "requirements.txt").write_text("first==1.0\n", encoding="utf-8")
    tools = tmp_path / "requirements-dev.txt"
    tools.write_text("# tools\n-r requirements.txt\nsecond==2.0\n", encoding="utf-8")
    return tools


def test_the_key_changes_with_a_requirement_of_an_included_file(requirements: Path) -> None:
    before = run.requirements_key(requirements)
    assert run.requirements_key(requirements) == before
    (requirements.parent / "requirements.txt").write_text("first==1.1\n", encoding="utf-8")
    assert run.requirements_key(requirements) != before


def test_the_key_changes_with_the_python(requirements: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = run.requirements_key(requirements)
    monkeypatch.setattr(sys, "version_info", (3, 99, 0))
    assert run.requirements_key(requirements) != before


@pytest.fixture
def installations(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Names of the files that `prepare` installs, with a `.venv` that works and a pip that always succeeds."""
    installed: list[str] = []
    monkeypatch.setattr(run, "VENV", tmp_path / ".venv")
    (tmp_path / ".venv").mkdir()
    monkeypatch.setattr(run, "works", lambda _: True)
    monkeypatch.setattr(run, "install", lambda _, file: installed.append(file.name))
    return installed


def test_packages_are_installed_once(requirements: Path, installations: list[str]) -> None:
    run.prepare(requirements)
    run.prepare(requirements)
    run.prepare(requirements.parent / "requirements.txt")  # what the test tools include
    assert installations == ["requirements-dev.txt"]


def test_packages_are_installed_again_when_the_requirements_change(
    requirements: Path, installations: list[str]
) -> None:
    run.prepare(requirements)
    requirements.write_text("third==3.0\n", encoding="utf-8")
    run.prepare(requirements)
    assert len(installations) == 2


def test_a_broken_off_installation_is_done_again(
    requirements: Path, installations: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run.prepare(requirements)

    def fail(python: str, file: Path) -> None:
        raise run.SetupError("no network")

    text = requirements.read_text(encoding="utf-8")
    requirements.write_text("third==3.0\n", encoding="utf-8")
    with monkeypatch.context() as broken:
        broken.setattr(run, "install", fail)
        with pytest.raises(run.SetupError):
            run.prepare(requirements)
    requirements.write_text(text, encoding="utf-8")  # the first contents again, but not the first packages
    run.prepare(requirements)
    assert len(installations) == 2


def test_a_missing_python_does_not_work(tmp_path: Path) -> None:
    assert not run.works(str(tmp_path / "python"))


def test_the_environments_python_by_platform() -> None:
    assert run.venv_python(Path("v"), "linux") == Path("v/bin/python")
    assert run.venv_python(Path("v"), "darwin") == Path("v/bin/python")
    assert run.venv_python(Path("v"), "win32") == Path("v/Scripts/python.exe")


def only(*present: str) -> Callable[[str], str | None]:
    """A machine on which these programs and no others can be started."""
    return lambda name: name if name in present else None


CHROME_OF_WINDOWS = "C:/Program Files/Google/Chrome/Application/chrome.exe"
CHROME_OF_MACOS = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"


@pytest.mark.parametrize(
    ("platform", "environment", "present", "found"),
    [
        ("linux", {"VOUCH_BROWSER": "/my/chrome"}, ["/my/chrome", "chromium"], "/my/chrome"),
        ("linux", {}, ["google-chrome", "chromium"], "chromium"),
        ("linux", {}, ["google-chrome"], "google-chrome"),
        ("linux", {}, ["/opt/google/chrome/chrome"], "/opt/google/chrome/chrome"),
        ("linux", {}, ["/snap/bin/chromium"], "/snap/bin/chromium"),
        ("linux", {}, [CHROME_OF_MACOS], None),
        ("darwin", {"HOME": "/home-of-a"}, [CHROME_OF_MACOS, f"/home-of-a{CHROME_OF_MACOS}"], CHROME_OF_MACOS),
        ("darwin", {"HOME": "/home-of-a"}, [f"/home-of-a{CHROME_OF_MACOS}"], f"/home-of-a{CHROME_OF_MACOS}"),
        ("win32", {"ProgramFiles": "C:/Program Files"}, [CHROME_OF_WINDOWS], CHROME_OF_WINDOWS),
        ("win32", {}, [CHROME_OF_WINDOWS], None),
        ("linux", {}, [], None),
    ],
)
def test_browsers_are_looked_for_in_order(
    platform: str, environment: dict[str, str], present: list[str], found: str | None
) -> None:
    assert run.find_browser(environment, platform, only(*present)) == found


def test_a_named_browser_that_is_not_there_is_a_mistake() -> None:
    with pytest.raises(run.SetupError, match="my-chrome"):
        run.find_browser({"VOUCH_BROWSER": "my-chrome"}, "linux", only("chromium"))


def test_a_port_in_use_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = server.getsockname()[1]
        assert not run.is_free(taken)
        monkeypatch.setattr(run, "FIRST_PORT", taken)
        assert taken < run.free_port() < taken + 100
    assert run.is_free(taken)


def test_a_port_that_was_asked_for_and_is_in_use_is_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert run.main(["--port", str(server.getsockname()[1])]) == 1
    assert re.match(r"Vouch: port \d+ is in use", capsys.readouterr().out)


def test_the_end_of_a_long_output_is_shown() -> None:
    assert run.last_lines("\n".join(f"{n}\n" for n in range(100)), count=2) == "    98\n    99"


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What pytest is started with, where lint fails and everything else is well."""
    started: list[str] = []

    def call(command: list[str], environment: dict[str, str]) -> int:
        wants = [name for name in ("VOUCH_REQUIRE_BROWSER", "VOUCH_TURN") if name in environment]
        started.append(" ".join([*command[2:], *wants]))
        return 0

    monkeypatch.setattr(run, "call", call)
    monkeypatch.setattr(run, "CHECKS", {"types": ["platform"], "lint": ["no_such_module"]})
    monkeypatch.setattr(run, "prepare", lambda _: sys.executable)
    monkeypatch.setattr(run, "prepare_node", lambda: None)
    monkeypatch.setattr(run, "fetch_browser_where_none_is", lambda _: None)
    monkeypatch.delenv("VOUCH_REQUIRE_BROWSER", raising=False)
    monkeypatch.delenv("VOUCH_TURN", raising=False)
    return started


def test_a_failed_check_fails_the_run_but_not_the_tests_beside_it(
    calls: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.run_tests([]) == 1
    assert calls == [f"pytest -n {run.worker_count()} VOUCH_REQUIRE_BROWSER VOUCH_TURN"]
    said = capsys.readouterr().out
    assert "No module named no_such_module" in said
    assert said.splitlines()[-1] == "Failed: lint."


def test_a_chosen_test_needs_no_browser_and_has_all_its_cases(calls: list[str]) -> None:
    run.run_tests(["-k", "something"])
    assert calls == ["pytest -k something"]


def test_a_quick_run_has_no_browser_and_may_be_of_a_part(calls: list[str]) -> None:
    run.run_tests(["--quick", "tests/core"])
    (started,) = calls
    assert started.endswith("tests/core VOUCH_TURN")
    assert "not (browser or" in started


def test_tests_are_shared_out_among_the_processors() -> None:
    assert [run.worker_count(processors) for processors in (1, 2, 3, 64)] == [2, 2, 3, 4]
