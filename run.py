#!/usr/bin/env python3
"""Sets Vouch up in .venv and starts it. Needs Python 3.11 or newer and nothing else.

    python3 run.py [--port PORT] [--no-browser]     open the app on this machine
    python3 run.py test [PYTEST ARGUMENTS]          check formatting, lint and types, and run the tests
    python3 run.py test --quick                     the same without a browser and without slow tests

The first run installs the packages that requirements.txt names; later ones start in seconds.
"""

# This file keeps to the syntax of Python 3.6, so that an older Python can run it and say which version is needed.
import argparse
import errno
import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from urllib.request import urlopen

OLDEST_PYTHON = (3, 11)
if sys.version_info < OLDEST_PYTHON:
    sys.exit(
        "Vouch needs Python 3.11 or newer, and this is Python {}.{}. "
        "Install a newer one (python.org) and start run.py with it, as in: python3.12 run.py".format(*sys.version_info)
    )

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
FIRST_PORT = 8501
# PyTorch's own builds without the libraries for graphics cards. pip's settings decide where other packages come from.
CPU_BUILDS = ("--index-url", "https://download.pytorch.org/whl/cpu")

NO_BROWSER = (
    "no browser for the browser tests: install Chromium or Chrome (on Debian: apt-get install chromium), "
    "or name one in VOUCH_BROWSER, or let Playwright fetch its own: python -m playwright install chromium"
)
BROWSER_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
# Where installers put browsers without adding them to PATH, below the folders of `_browser_folders`.
BROWSER_PATHS = {
    "linux": ("google/chrome/chrome", "chromium.org/chromium/chromium", "bin/chromium"),
    "darwin": (
        "Google Chrome.app/Contents/MacOS/Google Chrome",
        "Chromium.app/Contents/MacOS/Chromium",
        "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    ),
    "win32": (
        "Google/Chrome/Application/chrome.exe",
        "Chromium/Application/chrome.exe",
        "Microsoft/Edge/Application/msedge.exe",
    ),
}


class SetupError(Exception):
    """A problem that the user can fix. The message is one clear sentence."""


def main(arguments: Sequence[str]) -> int:
    """Start the app, or run the tests if the first argument is `test`. Returns 0 if all went well."""
    try:
        if arguments and arguments[0] == "test":
            return run_tests(arguments[1:])
        return run_app(parse_app_arguments(arguments))
    except SetupError as error:
        say(f"Vouch: {error}")
        return 1
    except KeyboardInterrupt:
        say("\nStopped.")
        return 130


def parse_app_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of `python3 run.py`."""
    parser = argparse.ArgumentParser(
        prog="run.py",
        description="Open Vouch on this machine; the first run installs what it needs into .venv.",
        epilog="`run.py test [--quick] [PYTEST ARGUMENTS]` checks formatting, lint and types, and runs the tests.",
    )
    parser.add_argument("--port", type=int, help=f"serve on this port (otherwise {FIRST_PORT}, or the next free one)")
    parser.add_argument("--no-browser", action="store_true", help="do not open the browser")
    return parser.parse_args(arguments)


def run_app(options: argparse.Namespace) -> int:
    """Serve the app on localhost until Ctrl-C, which is the usual way to end it."""
    if options.port is not None and not is_free(options.port):
        raise SetupError(f"port {options.port} is in use or not allowed; choose another one, or leave --port out.")
    python = prepare(ROOT / "requirements.txt")
    port = options.port or free_port()
    say(f"Vouch opens at http://localhost:{port} (Ctrl-C ends it).")
    command = [python, "-m", "streamlit", "run", "app.py", f"--server.port={port}"]
    try:
        return call([*command, f"--server.headless={str(options.no_browser).lower()}"])
    except KeyboardInterrupt:
        say("\nStopped.")
        return 0


CHECKS = {
    "formatting": ["ruff", "format", "--check", "--quiet", "."],
    "lint": ["ruff", "check", "--quiet", "."],
    "types": ["mypy", "--no-error-summary"],
}
QUICK = ["--ignore=tests/browser", "-m", "not (browser or data or slow or alone)", "--durations=5", "--durations-min=2"]
FAILED_TESTS = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"  # where pytest lists them
FEW = 3  # up to so many failed tests are run again
# Pytest's exit status if all tests ran and some failed. Others mean an abort, or that browser tests are missing.
TESTS_FAILED = 1


def run_tests(arguments: Sequence[str]) -> int:
    """Run all checks and pytest. Without arguments, all kinds of tests run, and the browser tests must.

    With `--quick`, only fast tests run. Chosen tests run in one process, with all their cases, and without the check of
    types, which takes minutes the first time. If everything runs and few tests fail, these run once more by themselves,
    because a browser may be slow while other tests run.
    """
    python = prepare(ROOT / "requirements-dev.txt")
    environment, chosen = dict(os.environ), [argument for argument in arguments if argument != "--quick"]
    quick = len(chosen) < len(arguments)
    part = bool(arguments) and not quick  # its checks are those that take a moment
    if not part or any("test_scripts" in argument for argument in chosen):
        prepare_node()
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # compile once for the hundreds of processes that tests start
    if not arguments:
        environment["VOUCH_REQUIRE_BROWSER"] = "1"
        fetch_browser_where_none_is(python)
    if quick or not arguments:
        environment.setdefault("VOUCH_TURN", "none")  # see docs/tests.md
        environment.setdefault("OMP_NUM_THREADS", "1")  # processes that all use every processor slow each other down
        chosen = ["-n", str(worker_count()), *(QUICK if quick else ["--cache-clear"]), *chosen]
    with ExitStack() as stack:
        checks = {
            name: stack.enter_context(
                started([python, "-m", *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            )
            for name, command in CHECKS.items()
            if name != "types" or not part
        }
        status = call([python, "-m", "pytest", *chosen], environment)
        again = failed_tests() if status == TESTS_FAILED and not arguments else []
        if 0 < len(again) <= FEW:
            say(f"\nOnce more, and by themselves: {', '.join(again)}.")
            environment.pop("VOUCH_REQUIRE_BROWSER")  # all browser tests have run, and these may include none
            status = call([python, "-m", "pytest", *again], environment)
        failed = ["tests"] if status else []
        for name, check in checks.items():
            output = check.communicate()[0]
            if check.returncode:
                failed.append(name)
                say(f"\nChecking {name}:\n{output.rstrip()}")
    if failed:
        say(f"Failed: {', '.join(failed)}.")
    return 1 if failed else 0


def failed_tests() -> list[str]:
    """The ids of the tests that failed in pytest's last run."""
    return sorted(json.loads(FAILED_TESTS.read_text(encoding="utf-8"))) if FAILED_TESTS.is_file() else []


def worker_count(processors: int | None = None) -> int:
    """How many processes share the tests: one per processor, from two to four."""
    return max(2, min(4, processors or os.cpu_count() or 1))


# Packages


def prepare(requirements: Path) -> str:
    """Make `.venv` and install `requirements` if that is not done yet. Returns the path of its Python."""
    python = str(venv_python(VENV))
    if not works(python):
        make_venv()
    stamp, wanted = VENV / f"installed-{requirements.stem}", requirements_key(requirements)
    if not stamp.is_file() or stamp.read_text(encoding="ascii") != wanted:
        # An interrupted installation leaves a mix of packages, so remove the stamps until it is complete.
        for old in VENV.glob("installed-*"):
            old.unlink()
        install(python, requirements)
        for done in files_of(requirements):
            (VENV / f"installed-{done.stem}").write_text(requirements_key(done), encoding="ascii")
    return python


def venv_python(venv: Path, platform: str = sys.platform) -> Path:
    """Where a virtual environment keeps its Python."""
    return venv / "Scripts" / "python.exe" if platform == "win32" else venv / "bin" / "python"


def works(python: str) -> bool:
    """Whether this Python starts, has pip, and is of the same version as the one that runs this file."""
    try:
        check = subprocess.run(
            [python, "-c", "import sys, pip; print(*sys.version_info[:2])"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return check.returncode == 0 and check.stdout.split() == [str(number) for number in sys.version_info[:2]]


def make_venv() -> None:
    """Make `.venv` anew. Raises `SetupError` if this Python cannot."""
    say("Making .venv, which holds everything that Vouch installs.")
    result = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", str(VENV)],
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        raise SetupError(
            "Python could not make a virtual environment (on Debian and Ubuntu: apt-get install python3-venv).\n"
            + last_lines(f"{result.stdout}\n{result.stderr}")
        )


def files_of(requirements: Path) -> list[Path]:
    """The requirements file and those that it includes with `-r`."""
    files = [requirements]
    for line in requirements.read_text(encoding="utf-8").splitlines():
        if line.startswith("-r "):
            files += files_of(requirements.parent / line[3:].strip())
    return files


def requirements_key(requirements: Path) -> str:
    """A hash that changes with the requirements and the version of Python."""
    key = hashlib.sha256(repr(sys.version_info[:2]).encode())
    for file in files_of(requirements):
        key.update(file.read_bytes())
    return key.hexdigest()


def install(python: str, requirements: Path) -> None:
    """Install with pip, using the user's pip settings. Raises `SetupError` with the end of pip's output."""
    say(f"Installing what {requirements.name} names: one to ten minutes, by the speed of the network.")
    began, torch = time.monotonic(), cpu_torch(requirements)
    if torch is not None:
        # Separately and first, so that PyTorch's index is asked for this package only.
        status, _ = run_pip(python, "--no-deps", *CPU_BUILDS, torch)
        if status:
            say("It has no build for this machine: pip takes what it has, which may be gigabytes for graphics cards.")
    status, lines = run_pip(python, "-r", str(requirements))
    if status:
        raise SetupError(
            "pip could not install the packages. Check the network, the free disk space and pip's last words below, "
            "then run the same command again.\n" + last_lines("".join(lines))
        )
    say(f"Installed in {time.monotonic() - began:.0f} s.")


def cpu_torch(
    requirements: Path,
    platform: str = sys.platform,
    has_card: Callable[[], bool] | None = None,
    answers: Callable[[], bool] | None = None,
) -> str | None:
    """The requirement to take from PyTorch's CPU index first; None to leave the choice to pip. Prints which one it is.

    On Linux, the usual build includes NVIDIA's libraries. Elsewhere it does not, so pip's choice is fine.
    """
    if not platform.startswith("linux"):
        say("It takes about 2 GB in .venv.")
        return None
    if (has_card or has_nvidia_card)():
        say(
            "This machine has an NVIDIA card: PyTorch's build for it is taken, 2 GB in .venv and several more for the card."
        )
        return None
    lines = [line.strip() for file in files_of(requirements) for line in file.read_text(encoding="utf-8").splitlines()]
    wanted = [line for line in lines if line.startswith("torch==")]
    if not wanted:
        return None
    if not (answers or cpu_builds_answer)():
        say(
            "No NVIDIA card, and PyTorch's index of CPU builds does not answer: pip takes the build that it has, "
            "2 GB in .venv, and several more if that is the one for such cards."
        )
        return None
    say("No NVIDIA card: PyTorch's CPU build is taken, about 2 GB in .venv.")
    return wanted[0] + "+cpu"


def has_nvidia_card(root: Path = Path("/"), which: Callable[[str], str | None] = shutil.which) -> bool:
    """Whether this Linux machine has an NVIDIA graphics card, by its driver or among its devices."""
    drivers = ("proc/driver/nvidia/version", "dev/nvidia0", "usr/lib/wsl/lib/nvidia-smi")
    if which("nvidia-smi") or any((root / path).exists() for path in drivers):
        return True
    for device in (root / "sys/bus/pci/devices").glob("*"):
        with suppress(OSError):
            vendor, kind = ((device / name).read_text(encoding="ascii").strip() for name in ("vendor", "class"))
            if vendor == "0x10de" and kind.startswith("0x03"):  # a display controller
                return True
    return False


def cpu_builds_answer(address: str = CPU_BUILDS[1] + "/torch/", seconds: float = 3) -> bool:
    """Whether PyTorch's index of CPU builds answers within so many seconds, including the look-up of its name."""
    answered = threading.Event()

    def ask() -> None:
        with suppress(OSError, ValueError, HTTPException), urlopen(address, timeout=seconds) as reply:  # noqa: S310
            if reply.status == HTTPStatus.OK:
                answered.set()

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(seconds)
    return answered.is_set()


def run_pip(python: str, *words: str) -> tuple[int, list[str]]:
    """Run `pip install` with these arguments. Returns its exit status and its output, line by line."""
    lines = []
    command = [python, "-m", "pip", "install", "--no-input", "--disable-pip-version-check", *words]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace") as pip:
        assert pip.stdout  # noqa: S101 - stdout=PIPE
        for line in pip.stdout:
            lines.append(line)
            show_step(line.strip())
        status = pip.wait()
    show_step("")
    return status, lines


def prepare_node() -> None:
    """Install the tools that check the browser scripts, if there is npm; without it, those checks are skipped."""
    npm, lock, done = shutil.which("npm"), ROOT / "package-lock.json", ROOT / "node_modules" / "installed"
    if npm is None or (done.is_file() and done.read_bytes() == lock.read_bytes()):
        return
    say("Installing what package.json names, to check the scripts of the browser.")
    if call([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]):
        say("npm could not install it: the checks of the scripts are skipped.")
    else:
        shutil.copyfile(lock, done)


def show_step(line: str) -> None:
    """On a terminal, show pip's present step on one line, which the next step overwrites."""
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns - 1
        print(line[:width].ljust(width), end="\r", flush=True)


def last_lines(output: str, count: int = 15) -> str:
    """The end of a program's output, indented, without empty lines."""
    return "\n".join(f"    {line.rstrip()}" for line in [line for line in output.splitlines() if line.strip()][-count:])


# Browsers


def find_browser(
    environment: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
    which: Callable[[str], str | None] = shutil.which,
) -> str | None:
    """The path of Chromium or Chrome: from VOUCH_BROWSER, from PATH, or where installers put it.

    Raises `SetupError` if VOUCH_BROWSER does not name a program.
    """
    named = environment.get("VOUCH_BROWSER")
    if named:
        found = which(named)
        if not found:
            raise SetupError(f"VOUCH_BROWSER names “{named}”, which is not a program on this machine.")
        return found
    for name in BROWSER_NAMES:
        found = which(name)
        if found:
            return found
    for path in BROWSER_PATHS.get(platform, ()):
        for folder in _browser_folders(environment, platform):
            found = which(str(Path(folder) / path))
            if found:
                return found
    return None


def _browser_folders(environment: Mapping[str, str], platform: str) -> list[str]:
    if platform == "win32":
        names = ("ProgramFiles", "ProgramFiles(x86)", "LocalAppData")
        return [environment[name] for name in names if environment.get(name)]
    if platform == "darwin":
        return ["/Applications", str(Path(environment.get("HOME", "/")) / "Applications")]
    return ["/opt", "/usr/lib", "/snap", "/var/lib/flatpak/exports"]


def fetch_browser_where_none_is(python: str) -> None:
    """Without a system browser, use Playwright's, fetching it if needed. If that fails, the tests report it."""
    start = "from playwright.sync_api import sync_playwright as p\nwith p() as w: w.chromium.launch().close()"
    if find_browser() or subprocess.run([python, "-c", start], capture_output=True, check=False).returncode == 0:
        return
    say("No Chromium or Chrome on this machine: Playwright tries to fetch its own.")
    call([python, "-m", "playwright", "install", "chromium"])


# Ports and programs


def is_free(port: int) -> bool:
    """Whether a server can listen on `port` of the loopback addresses."""
    for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        try:
            with socket.socket(family, socket.SOCK_STREAM) as probe:
                if (
                    os.name == "posix"
                ):  # reuse the port of an app that has just ended; on Windows the option means something else
                    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((host, port))
        except OverflowError:
            return False
        except OSError as error:
            if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):  # a machine without IPv6
                return False
    return True


def free_port() -> int:
    """The first free port from 8501 on."""
    for port in range(FIRST_PORT, FIRST_PORT + 100):
        if is_free(port):
            return port
    raise SetupError(f"ports {FIRST_PORT} to {FIRST_PORT + 99} are all in use; choose another one with --port.")


@contextmanager
def started(command: Sequence[str], **options: object) -> Iterator[subprocess.Popen[str]]:
    """A program started in the repository's folder, which ends with the block at the latest."""
    process = subprocess.Popen(command, cwd=ROOT, **options)  # type: ignore[call-overload]
    try:
        yield process
    except KeyboardInterrupt:  # the program has got Ctrl-C too: let it end by itself
        _wait(process, seconds=10)
        raise
    finally:
        if process.poll() is None:
            process.terminate()
            _wait(process, seconds=5)
            process.kill()


def _wait(process: subprocess.Popen[str], seconds: float) -> None:
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


def call(command: Sequence[str], environment: Mapping[str, str] | None = None) -> int:
    """Run a program to its end. Returns its exit status."""
    with started(command, env=environment) as process:
        return process.wait()


def say(text: str) -> None:
    """Print at once, so that the order with the output of started programs is kept."""
    print(text, flush=True)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # exits, so that started programs are ended too
    sys.exit(main(sys.argv[1:]))
