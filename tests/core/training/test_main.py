"""The table of training's commands: each is there, is told what it does, and the docs name no other."""

from __future__ import annotations

import ast
import re

import pytest

from core.training.__main__ import COMMANDS, main
from run import ROOT


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_a_function_with_its_help(command: str) -> None:
    module, function, _ = COMMANDS[command]
    tree = ast.parse((ROOT / "core" / "training" / f"{module}.py").read_text(encoding="utf-8"))
    (found,) = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == function]
    assert ast.get_docstring(found)


def test_docs_and_code_name_commands_that_are_there() -> None:
    files = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "core").rglob("*.py")]
    named = {name for file in files for name in re.findall(r"-m core\.training ([a-z][\w-]+)", file.read_text("utf-8"))}
    assert named <= set(COMMANDS)
    assert len(named) > 15


def test_an_unknown_command_lists_those_that_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nothing"]) == 2
    out, err = capsys.readouterr()
    assert (out, all(command in err for command in COMMANDS)) == ("", True)
