"""Runs the app in its own process, and opens it in a real Chromium.

`page`, `small_page` and `touch_page` are browser windows (a laptop, a narrow one, a telephone) at the app's first
screen, with nothing left of earlier tests. A test that uses one fails on any JavaScript error and on any request to another
machine. If a test fails, its windows are saved in tests/artifacts/ and the report includes the app's log.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Request, ViewportSize, expect, sync_playwright

from core.llm.demo import DemoServer
from run import NO_BROWSER, ROOT, find_browser

ARTIFACTS = ROOT / "tests" / "artifacts"
LAPTOP: ViewportSize = {"width": 1440, "height": 1000}
TELEPHONE: ViewportSize = {"width": 390, "height": 844}
# Processes that Chromium starts for its address bar and for future pages, which no test sees.
_UNSEEN = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess")
# The flag replaces Playwright's own list, so these repeat from it what avoids requests and delays.
_OF_PLAYWRIGHT = (
    *("AimEnabled", "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PreconnectToSearch"),
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay"),
    *("HttpsFirstBalancedModeAutoEnable", "PaintHolding", "ThirdPartyStoragePartitioning"),
)
CHROMIUM_FLAGS = [
    f"--disable-features={','.join(_UNSEEN + _OF_PLAYWRIGHT)}",
    "--no-sandbox",  # Chromium refuses to start as root, as in a container; it only opens our own app
    "--disable-gpu",
    "--in-process-gpu",  # drawing in a process of its own costs a tenth more
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
START_SECONDS = 60
BLANK = "about:blank"  # what a window shows between tests
Windows = Callable[..., Page]  # of a size, with or without touch
LOG_LINES = 40
expect.set_options(timeout=30_000)  # long enough for a slow machine; a check ends as soon as it passes


@dataclass(frozen=True, slots=True)
class App:
    """A running app: where it is served and where it writes its log."""

    url: str
    log: Path
    kill: Callable[[], None] = lambda: None  # ends it at once, as a power failure would


_homes: set[Path] = set()  # the homes of the running apps

WATCHED = pytest.StashKey[list[tuple[Page, App]]]()


@pytest.fixture(scope="package")
def app(tmp_path_factory: pytest.TempPathFactory, own_environment: None) -> Iterator[App]:
    """The app, served on a free loopback port until the last browser test."""
    with serve(tmp_path_factory.mktemp("app"), {}) as running:
        yield running


@dataclass(frozen=True, slots=True)
class Asking:
    """An app whose language models are a demo server's. Its environment holds no key."""

    app: App
    home: Path
    demo: DemoServer


@pytest.fixture(scope="package")
def models_app(tmp_path_factory: pytest.TempPathFactory, own_environment: None) -> Iterator[Asking]:
    """Such an app, served until the last browser test. It keeps models' answers: tests name models of their own."""
    with serve_with_models(tmp_path_factory.mktemp("models-app")) as served:
        yield served


@pytest.fixture
def asking(models_app: Asking) -> Asking:
    """The same, answering in half a second. A test may set another latency."""
    models_app.demo.latency = 0.5
    return models_app


@contextmanager
def serve_with_models(folder: Path, *, latency: float = 0.0) -> Iterator[Asking]:
    """Serve an app and a demo server, which takes `latency` seconds per answer."""
    home = folder / "home"
    with DemoServer(latency=latency) as demo:
        leads_there = {name: value for name, value in demo.environment.items() if not name.endswith("_KEY")}
        with serve(folder, leads_there | {"VOUCH_HOME": str(home)}) as app:
            yield Asking(app, home, demo)


@contextmanager
def serve(folder: Path, environment: Mapping[str, str]) -> Iterator[App]:
    """Run an app that logs into `folder`, with these additional environment variables."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    url, log_file = f"http://localhost:{port}", folder / "app.log"
    options = [
        f"--server.port={port}",
        "--server.headless=true",
        "--server.fileWatcherType=none",
        "--logger.enableRich=false",
    ]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *options]
    with log_file.open("ab") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT, env=os.environ | environment
        )
    running, home = App(url, log_file, process.kill), Path((os.environ | environment)["VOUCH_HOME"])
    _homes.add(home)
    try:
        _wait_until_healthy(running, process)
        yield running
    finally:
        _homes.discard(home)
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture(autouse=True)
def somebody_new_in_every_app() -> None:
    """Like `somebody_new`, for apps that serve several tests from their own home."""
    for home in _homes:
        (home / "person").unlink(missing_ok=True)


@pytest.fixture(scope="package")
def app_url(app: App) -> str:
    """The address of the app's first screen."""
    return app.url


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """A system Chromium or Chrome, or else Playwright's. Without one the tests are skipped, with what to install."""
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=find_browser(), args=CHROMIUM_FLAGS)
        except Error as error:
            if find_browser() is None:
                pytest.skip(NO_BROWSER)
            raise error
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def windows(chromium: Browser) -> Windows:
    """Returns a window that no test is using. A used window shows the app in a third of the time of a new one."""
    made: defaultdict[tuple[int, int, bool], list[BrowserContext]] = defaultdict(list)

    def window(size: ViewportSize, *, touch: bool = False) -> Page:
        known = made[size["width"], size["height"], touch]
        for context in known:
            if not context.pages:  # the test before closed it
                return context.new_page()
            used = context.pages[0]
            if used.url == BLANK:
                used.set_viewport_size(size)
                used.emulate_media(media="null", color_scheme="light")
                return used
        context = chromium.new_context(
            viewport=size, has_touch=touch, is_mobile=touch, accept_downloads=True, service_workers="block"
        )
        known.append(context)
        return context.new_page()

    return window


@pytest.fixture
def page(windows: Windows, app: App, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The app's first screen in a laptop-sized window."""
    with _showing(app, windows(LAPTOP)) as window:
        request.node.stash.setdefault(WATCHED, []).append((window, app))
        yield window


@pytest.fixture
def small_page(windows: Windows, app: App, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The app's first screen in a telephone-sized window."""
    with _showing(app, windows(TELEPHONE)) as window:
        request.node.stash.setdefault(WATCHED, []).append((window, app))
        yield window


@pytest.fixture
def touch_page(windows: Windows, app: App, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The app's first screen on a telephone, with touch and without a keyboard."""
    with _showing(app, windows(TELEPHONE, touch=True)) as window:
        request.node.stash.setdefault(WATCHED, []).append((window, app))
        yield window


@pytest.fixture
def open_window(windows: Windows, request: pytest.FixtureRequest) -> Iterator[Callable[..., Page]]:
    """`open_window(app)` opens a window, laptop-sized by default, on another app than the one most tests share."""
    with ExitStack() as opened:

        def open_one(app: App, size: ViewportSize = LAPTOP) -> Page:
            window = opened.enter_context(_showing(app, windows(size)))
            request.node.stash.setdefault(WATCHED, []).append((window, app))
            return window

        yield open_one


@pytest.fixture
def screenshot() -> Callable[[Page, str], Path]:
    """`screenshot(page, "evidence")` saves the window as tests/artifacts/evidence.png."""
    return _save_screenshot


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Add a failed test's windows and the app's log to its report."""
    report = yield
    if report.failed and WATCHED in item.stash:
        watched = item.stash[WATCHED]
        for number, (window, _) in enumerate(watched, start=1):
            if not window.is_closed():
                path = _save_screenshot(window, f"failed-{item.name}" + (f"-{number}" if len(watched) > 1 else ""))
                report.sections.append(("window", str(path.relative_to(ROOT))))
        for app in {app for _, app in watched}:
            report.sections.append(("the app's log", _end_of(app.log)))
    return report


@contextmanager
def _showing(app: App, window: Page) -> Iterator[Page]:
    """The window at the app's first screen, as if it were new. It fails on stray errors.

    It goes to the next test, so whoever adds a listener to it removes that again.
    """
    errors: list[str] = []
    strays: list[str] = []

    def note_error(error: Error) -> None:
        errors.append(str(error))

    def note_request(request: Request) -> None:
        if urlsplit(request.url).hostname not in ("localhost", "127.0.0.1", None):
            strays.append(request.url)

    session = window.context.new_cdp_session(window)
    session.send("Storage.clearDataForOrigin", {"origin": app.url, "storageTypes": "cookies,local_storage,indexeddb"})
    session.detach()
    window.on("pageerror", note_error)
    window.on("request", note_request)
    try:
        window.goto(app.url)
        yield window
    finally:
        for one in window.context.pages:  # the test may have opened another
            if one is not window:
                one.close()
        window.remove_listener("pageerror", note_error)
        window.remove_listener("request", note_request)
        if not window.is_closed():
            window.evaluate("sessionStorage.clear()")
            window.mouse.move(0, 0)
            window.goto(BLANK)
    assert not errors, f"JavaScript errors in the page: {errors}"
    assert not strays, f"the page asked other machines for {strays}"


def _wait_until_healthy(app: App, process: subprocess.Popen[bytes]) -> None:
    last = time.monotonic() + START_SECONDS
    while time.monotonic() < last and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{app.url}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"the app did not start within {START_SECONDS} s:\n{_end_of(app.log)}", pytrace=False)


def _save_screenshot(window: Page, name: str) -> Path:
    ARTIFACTS.mkdir(exist_ok=True)
    path = ARTIFACTS / (re.sub(r"[^\w.-]+", "-", name).strip("-") + ".png")
    window.screenshot(path=path)
    return path


def _end_of(log: Path) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_LINES:])
