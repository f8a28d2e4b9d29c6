"""For every test: no network, a home and an environment of its own, and the real data if it is there."""

from __future__ import annotations

import gc
import ipaddress
import os
import pickle
import shutil
import socket
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

try:
    import fcntl
except ImportError:  # on Windows, where `alone` has no effect
    fcntl = None

if TYPE_CHECKING:
    from core.llm.demo import DemoServer
    from core.paper import Paper
    from core.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
BROWSER_TESTS = ROOT / "tests" / "browser"
NO_DATA = "no real data: put the data folder at ../shared/data beside the repository, or name it in VOUCH_DATA"
# The settings of the person who runs the tests must not reach a test, nor be changed by one.
PRIVATE = (
    *("OPENAI_", "ANTHROPIC_", "VOUCH_COMPATIBLE_", "VOUCH_DATABASE_URL", "VOUCH_SOURCES_URL", "VOUCH_MAIL"),
    *("NCBI_API_KEY", "OPENALEX_API_KEY", "SEMANTIC_SCHOLAR_API_KEY"),
)
gc.disable()  # until all tests are collected
TURN = os.environ.get("VOUCH_TURN", "all")  # which repetitions run: all, none, or those of a turn, such as 2/4


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests by what they need, deselect unwanted repetitions, and sort the rest.

    Browser tests come last, because Playwright keeps an event loop running in the thread, where other tests may need
    theirs. With pytest-xdist's `load`, tests are handed to the processes in this order, too.
    """
    for item in items:
        if "shared_data" in getattr(item, "fixturenames", ()):
            item.add_marker("data")
        if item.path.is_relative_to(BROWSER_TESTS):
            item.add_marker("browser")
        if hasattr(getattr(item, "module", None), "AppTest"):  # it runs pages of the app
            item.add_marker("slow")
    left_out = {item for item in repetitions(items) if not is_in_turn(item.nodeid, TURN)}
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]
    items.sort(key=lambda item: [item.get_closest_marker(name) is not None for name in ("browser", "alone")])


def pytest_collection_finish() -> None:
    """Freeze what is loaded so far, so that the collector does not scan it, which takes half a second each time."""
    gc.freeze()
    gc.enable()


def repetitions(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """Cases of a test without a new value of any parameter, apart from the parameters named in its mark."""
    seen: dict[str, set[tuple[str, str]]] = {}
    for item in items:
        if mark := item.get_closest_marker("repetition"):
            parameters = item.callspec.params  # type: ignore[attr-defined]
            if wrong := set(mark.args) - parameters.keys():
                raise pytest.UsageError(f"{item.nodeid} has no parameter {', '.join(wrong)}, which its mark names")
            values = {(name, repr(value)) for name, value in parameters.items() if name not in mark.args}
            test = item.nodeid.partition("[")[0]
            if test in seen and values <= seen[test]:
                yield item
            seen.setdefault(test, set()).update(values)


def is_in_turn(name: str, turn: str) -> bool:
    """Whether a repetition runs. Each is in the same turn on every machine."""
    if turn in ("all", "none"):
        return turn == "all"
    number, count = map(int, turn.split("/"))
    return zlib.crc32(name.encode()) % count == number % count


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Run a test marked `alone` after those of other processes have ended, and let these wait for it."""
    if fcntl is None or not hasattr(item.config, "workerinput"):
        return (yield)
    alone = item.get_closest_marker("alone") is not None
    with ExitStack() as inside:
        with _locked(ROOT / "run.py"):  # no other test starts while one waits to be alone
            inside.enter_context(_locked(ROOT / "pyproject.toml", shared=not alone))
        return (yield)


@contextmanager
def _locked(file: Path, *, shared: bool = False) -> Iterator[None]:
    """Hold a lock on an existing file."""
    with file.open("rb") as opened:
        fcntl.flock(opened, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(opened, fcntl.LOCK_UN)  # even if a process that a test started still has the file open


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """With VOUCH_REQUIRE_BROWSER, a run that lacks any browser test fails."""
    if complaint := _missing_browser_tests(session.config):
        session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED  # not TESTS_FAILED, on which run.py may repeat tests
        session.config.stash[COMPLAINT] = complaint


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say why a run without failed tests has failed."""
    if complaint := config.stash.get(COMPLAINT, None):
        terminalreporter.section("Browser tests", red=True)
        terminalreporter.line(complaint, red=True)


COMPLAINT = pytest.StashKey[str]()


def _missing_browser_tests(config: pytest.Config) -> str | None:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if not os.environ.get("VOUCH_REQUIRE_BROWSER") or reporter is None or hasattr(config, "workerinput"):
        return None
    counts = {
        outcome: sum("browser" in getattr(report, "keywords", {}) for report in reporter.stats.get(outcome, ()))
        for outcome in ("passed", "skipped")
    }
    if counts["skipped"]:
        return f"{counts['skipped']} browser tests were skipped, and VOUCH_REQUIRE_BROWSER asks for all of them."
    if not counts["passed"]:
        return "No browser test passed, and VOUCH_REQUIRE_BROWSER asks for all of them."
    return None


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real papers and benchmarks, which is never part of the repository."""
    named = os.environ.get("VOUCH_DATA")
    if named:
        folder = Path(named).expanduser()
        if not folder.is_dir():
            pytest.fail(f"VOUCH_DATA names “{named}”, which is not a folder")
        return folder
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(NO_DATA)
    return folder


@pytest.fixture(scope="session")
def read_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Paper]:
    """Reads a paper's file, or returns what another test, in this process or another one, has read from it.

    For tests that use papers of `shared_data` but do not test reading: a few hundred papers take a minute to read.
    """
    from core.paper import read_paper  # loaded by the first test that reads a paper

    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "papers-read"
    folder.mkdir(exist_ok=True)

    def read(file: Path) -> Paper:
        kept = folder / f"{file.parent.name}-{file.name}"
        with suppress(FileNotFoundError):
            paper: Paper = pickle.loads(kept.read_bytes())
            return paper
        paper = read_paper(file.read_bytes(), name=file.name)
        part = kept.with_name(f"{kept.name}.{os.getpid()}")
        part.write_bytes(pickle.dumps(paper))
        part.replace(kept)  # atomic: other tests may be looking for it
        return paper

    return read


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty SQLite database with all migrations, to copy: migrating would take most of a short test's time."""
    from core.settings import Settings
    from core.store import open_store  # loaded by the first test that needs a store

    settings = Settings(home=tmp_path_factory.mktemp("migrated"), data=None)
    open_store(settings).close()
    return settings.database


def copy_database(migrated: Path, settings: Settings) -> None:
    """Make a new home with a copy of the migrated database."""
    settings.home.mkdir(parents=True)
    shutil.copyfile(migrated, settings.database)


@pytest.fixture(scope="session", autouse=True)
def own_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A temporary home (one per session, so that models encode a text only once) and no API keys."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(PRIVATE):
                patch.delenv(name)
        patch.setenv("VOUCH_HOME", str(tmp_path_factory.mktemp("vouch-home")))
        yield


@pytest.fixture(autouse=True)
def somebody_new(own_environment: None) -> None:
    """Make every test a new person, who has no papers of their own open yet."""
    Path(os.environ["VOUCH_HOME"], "person").unlink(missing_ok=True)


class NetworkBlockedError(RuntimeError):
    """A test tried to reach another machine."""


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Block connections and look-ups beyond loopback, and fail a test that tried one, even if it caught the error.

    Yields the list of blocked attempts; the guard's own tests empty it.
    """
    attempts: list[str] = []

    def check(host: object) -> None:
        if not _is_loopback(host):
            attempts.append(str(host))
            raise NetworkBlockedError(f"tests have no network, and something wanted to reach {host}")

    def guard_address(name: str) -> None:
        allowed = getattr(socket.socket, name)

        def guarded(self: socket.socket, *arguments: Any) -> Any:
            # The address is the last argument of connect(address) and sendto(data[, flags], address).
            if self.family in (socket.AF_INET, socket.AF_INET6):
                check(arguments[-1][0])
            return allowed(self, *arguments)

        monkeypatch.setattr(socket.socket, name, guarded)

    look_up = socket.getaddrinfo

    def guarded_look_up(host: Any, *arguments: Any, **options: Any) -> Any:
        check(host)
        return look_up(host, *arguments, **options)

    for name in ("connect", "connect_ex", "sendto"):
        guard_address(name)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_look_up)
    yield attempts
    if attempts:
        pytest.fail(f"the test tried to reach {', '.join(sorted(set(attempts)))}; tests have no network")


def _is_loopback(host: object) -> bool:
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if host in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(str(host).split("%")[0]).is_loopback
    except ValueError:
        return False


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> Iterator[DemoServer]:
    """A model server on loopback that answers at once, with the environment set to use it."""
    from core.llm.demo import DemoServer  # loaded by the first test that asks a model

    with DemoServer() as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        yield server
