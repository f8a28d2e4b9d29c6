"""The parts of run.py that need no environment of their own."""

from __future__ import annotations

import ast
import json
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
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


@pytest.fixture
def pip(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that `install` gives to pip; the first that names another index may be made to fail."""
    commands: list[list[str]] = []

    class Done:
        stdout = iter(())

        def wait(self) -> int:
            return 0

    @contextmanager
    def started(command: list[str], **options: object) -> Iterator[Done]:
        commands.append(command)
        yield Done()

    monkeypatch.setattr(run, "started", started)
    return commands


@pytest.mark.parametrize(
    ("machine", "there", "cpu", "said"),
    [
        ("linux", True, True, "CPU build is taken, about 2 GB"),
        ("linux", False, False, "does not answer: pip takes the build that it has"),
        ("linux with a card", True, False, "has an NVIDIA card"),
        ("linux with a card", False, False, "has an NVIDIA card"),
        ("darwin", True, False, "about 2 GB"),
        ("darwin", False, False, "about 2 GB"),
        ("win32 with a card", True, False, "about 2 GB"),
        ("win32", False, False, "about 2 GB"),
    ],
)
def test_what_pip_is_told(machine: str, there: bool, cpu: bool, said: str, request: pytest.FixtureRequest) -> None:
    requirements, pip, patch, output = map(request.getfixturevalue, ("requirements", "pip", "monkeypatch", "capsys"))
    platform, _, card = machine.partition(" with ")
    main = requirements.parent / "requirements.txt"
    main.write_text("first==1.0\ntorch==2.13.0\n", encoding="utf-8")
    decide = run.cpu_torch
    patch.setattr(run, "cpu_torch", lambda file: decide(file, platform, lambda: bool(card), lambda: there))
    run.install("python", requirements)  # the file that includes the other
    begin = ["python", "-m", "pip", "install", "--no-input", "--disable-pip-version-check"]
    first = [[*begin, "--no-deps", *run.CPU_BUILDS, "torch==2.13.0+cpu"]] if cpu else []
    assert pip == [*first, [*begin, "-r", str(requirements)]]
    assert said in output.readouterr().out


def test_an_index_without_a_fitting_build_is_no_end(
    requirements: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands: list[tuple[str, ...]] = []

    def run_pip(python: str, *words: str) -> tuple[int, list[str]]:
        commands.append(words)
        return (1 if "--no-deps" in words else 0), []

    monkeypatch.setattr(run, "run_pip", run_pip)
    monkeypatch.setattr(run, "cpu_torch", lambda _: "torch==2.13.0+cpu")
    run.install("python", requirements)
    assert commands[-1] == ("-r", str(requirements))
    assert "no build for this machine" in capsys.readouterr().out


def test_the_index_must_answer_in_time() -> None:
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/late"):
                time.sleep(1)
            self.send_response(404 if self.path.startswith("/not") else 200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        assert run.cpu_builds_answer(f"{address}/torch/")
        assert not run.cpu_builds_answer(f"{address}/not/")
        assert not run.cpu_builds_answer(f"{address}/late/", seconds=0.2)
        server.shutdown()
    assert not run.cpu_builds_answer(address)


def test_a_card_is_known_by_its_driver_or_its_device(tmp_path: Path) -> None:
    def found(root: Path) -> bool:
        return run.has_nvidia_card(root, lambda _: None)

    device = tmp_path / "sys/bus/pci/devices/0000:01:00.0"
    device.mkdir(parents=True)
    (device / "vendor").write_text("0x10de\n", encoding="ascii")
    (device / "class").write_text("0x040300\n", encoding="ascii")  # the sound of a monitor
    assert not found(tmp_path)
    (device / "class").write_text("0x030000\n", encoding="ascii")
    assert found(tmp_path)
    assert not found(tmp_path / "empty")
    driver = tmp_path / "other/proc/driver/nvidia"
    driver.mkdir(parents=True)
    (driver / "version").touch()
    assert found(tmp_path / "other")
    assert run.has_nvidia_card(tmp_path / "empty", lambda name: f"/usr/bin/{name}")


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
    assert calls == [f"pytest -n {run.worker_count()} --cache-clear VOUCH_REQUIRE_BROWSER VOUCH_TURN"]
    said = capsys.readouterr().out
    assert "No module named no_such_module" in said
    assert said.splitlines()[-1] == "Failed: lint."


@pytest.mark.parametrize(
    ("statuses", "failing", "repeated"),
    [((1, 0), 1, True), ((1, 0), 3, True), ((1, 1), 3, True), ((1,), 4, False), ((1,), 0, False), ((5,), 1, False)],
)
def test_few_failed_tests_are_run_once_more(
    statuses: tuple[int, ...], failing: int, repeated: bool, calls: list[str], request: pytest.FixtureRequest
) -> None:
    """Many are not, nor is a run that broke off or lacks its browser tests; what else is required still is."""
    monkeypatch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
    cache, left = request.getfixturevalue("tmp_path") / "lastfailed", iter(statuses)
    names = [f"tests/test_one.py::test_{number}" for number in range(failing)]
    cache.write_text(json.dumps(dict.fromkeys(names, True)))

    def call(command: list[str], environment: dict[str, str]) -> int:
        wants = [name for name in ("VOUCH_REQUIRE_BROWSER", "VOUCH_REQUIRE_NODE") if name in environment]
        calls.append(" ".join(command[3:] + wants))
        return next(left)

    monkeypatch.setenv("VOUCH_REQUIRE_NODE", "1")
    monkeypatch.setattr(run, "call", call)
    monkeypatch.setattr(run, "CHECKS", {})
    monkeypatch.setattr(run, "FAILED_TESTS", cache)
    assert run.run_tests([]) == (statuses[-1] != 0)
    assert calls[1:] == ([" ".join([*names, "VOUCH_REQUIRE_NODE"])] if repeated else [])


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
