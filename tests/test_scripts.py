"""The scripts of the browser: how they are put into one, and what the tools of npm say of them.

Node and npm are for these checks alone; without them they are skipped, unless VOUCH_REQUIRE_NODE is set.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from graphlib import CycleError
from pathlib import Path

import pytest

from pages._ui import assets
from run import ROOT

ENTRIES = ("desk", "papers_table", "items_table", "evidence_table", "written_answer")
SCRIPTS = {path.stem: path.read_text(encoding="utf-8") for path in assets.FOLDER.glob("*.js")}
LONGEST_FILE = 600


def imported_from(*entries: str) -> set[str]:
    """The scripts that these import, and theirs."""
    found: set[str] = set()
    waiting = [*entries]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += assets.imports(SCRIPTS[name])
    return found


def test_every_import_names_what_its_module_exports() -> None:
    missing = [
        f"{name}.js imports {one} from {module}.js"
        for name, source in SCRIPTS.items()
        for module, names in assets.imports(source).items()
        for one in names
        if one not in assets.exports(SCRIPTS.get(module, ""))
    ]
    assert missing == []


def test_every_file_of_the_browser_is_used() -> None:
    python = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "pages").rglob("*.py"))
    assert imported_from(*ENTRIES) == SCRIPTS.keys()
    for sheet in assets.FOLDER.glob("*.css"):
        assert f'"{sheet.stem}"' in python or f"{sheet.name}" in python, sheet.name


def test_scripts_are_short() -> None:
    assert {name for name, source in SCRIPTS.items() if len(source.splitlines()) > LONGEST_FILE} == set()


# How modules become one script.


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of modules in the place of ours: one that is imported by two ways, with a name that stands in each."""
    monkeypatch.setattr(assets, "FOLDER", tmp_path)
    write(
        tmp_path,
        {
            "words": 'const own = "words";\nexport const plural = (word) => `${word}s of ${own}`;\n',
            "items": 'import { plural } from "./words.js";\n\nconst own = "item";\nexport class Item {\n  name = plural(own);\n}\n',
            "main": 'import { Item } from "./items.js";\nimport { plural } from "./words.js";\n\n'
            'const own = "main";\nexport class Main {}\nexport default function () {\n  return [new Item().name, plural(own)];\n}\n',
        },
    )
    return tmp_path


def write(folder: Path, sources: Mapping[str, str]) -> None:
    for name, source in sources.items():
        (folder / f"{name}.js").write_text(source, encoding="utf-8")


def test_a_module_comes_behind_what_it_imports_once(modules: Path) -> None:
    script = assets.script("main")
    assert re.findall(r"^const \$(\w+) = ", script, re.MULTILINE) == ["words", "items"]
    assert "export class" not in script


def test_what_is_not_exported_stays_in_its_module(modules: Path, tmp_path: Path) -> None:
    (tmp_path / "one.mjs").write_text(assets.script("main"), encoding="utf-8")
    (tmp_path / "try.mjs").write_text('import main from "./one.mjs";\nconsole.log(main().join());\n', encoding="utf-8")
    assert run(node(), str(tmp_path / "try.mjs")) == "items of words,mains of words\n"


@pytest.mark.parametrize(
    "line",
    [
        'import * as words from "./words.js";',
        'import "./words.js";',
        'import words from "./words.js";',
        "export let count = 0;",
        "export { plural };",
    ],
)
def test_other_forms_are_refused_in_words(modules: Path, line: str) -> None:
    write(modules, {"other": f"{line}\n", "main": 'import { plural } from "./other.js";\n'})
    with pytest.raises(ValueError, match=r"other\.js: “.* is no form of import or export"):
        assets.script("main")


def test_imports_in_circles_are_an_error(modules: Path) -> None:
    write(modules, {"words": 'import { Item } from "./items.js";\nexport const plural = Item;\n'})
    with pytest.raises(CycleError):
        assets.script("main")


# The tools of npm.


def node() -> str:
    """Node, or no such test."""
    found = shutil.which("node")
    if found is None:
        without("node is not on this machine")
    return found


def tool(name: str) -> str:
    """A tool that package.json names, or no such test."""
    found = ROOT / "node_modules" / name
    if not found.is_file():
        without("the tools of package.json are not installed: npm ci --ignore-scripts")
    return str(found)


def without(why: str) -> None:
    if os.environ.get("VOUCH_REQUIRE_NODE"):
        pytest.fail(f"{why}, and VOUCH_REQUIRE_NODE asks for it")
    pytest.skip(why)


def run(*command: str) -> str:
    """What a program prints; a failed test with all it said where it fails."""
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{result.stdout}\n{result.stderr}"
    return result.stdout


@pytest.mark.slow
def test_the_scripts_of_every_component_are_one_module(tmp_path: Path) -> None:
    for entry in ENTRIES:
        file = tmp_path / f"{entry}.mjs"
        file.write_text(assets.script(entry), encoding="utf-8")
        run(node(), "--check", str(file))


@pytest.mark.slow
def test_types() -> None:
    run(node(), tool("typescript/bin/tsc"))


@pytest.mark.slow
def test_lint() -> None:
    run(node(), tool("eslint/bin/eslint.js"), "pages", "core", "tests")


@pytest.mark.slow
def test_units() -> None:
    tool("jsdom/package.json")
    run(node(), "--test", *sorted(str(path) for path in (ROOT / "tests" / "js").glob("*.test.js")))


def test_the_lock_file_names_no_registry() -> None:
    lock = (ROOT / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock
    assert "registry" not in lock
