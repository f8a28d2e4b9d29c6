"""A key is nowhere but in memory and in the header of a call."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.llm.access import Access
from core.llm.compatible import CompatibleModel
from core.llm.demo import DemoServer
from core.llm.names import ModelName, Provider
from run import ROOT

KEY = "sk-test-4f9d0c7e2b81a6535f70"
RUN = """
import logging, sys, traceback
logging.basicConfig(level=logging.DEBUG, filename=sys.argv[1])
from core.llm import ModelName, Provider, open_runner
from core.llm.demo import Fault
from tests.core.llm.questions import question
for provider in Provider:
    for model in ["demo", *(f"demo-{fault}" for fault in Fault if fault not in ("hang", "500", "529", "429", "drop"))]:
        try:
            reply = open_runner(ModelName(provider, model)).ask(question())
            print(repr(reply), reply.problem)
            if reply.problem:
                raise reply.problem
        except Exception:
            traceback.print_exc()
"""


def test_a_run_leaves_no_trace_of_the_key(demo: DemoServer, tmp_path: Path) -> None:
    """With every log of the clients on, whether calls succeed or fail, a grep finds no part of the key."""
    keys = dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "VOUCH_COMPATIBLE_KEY"), KEY)
    environment = os.environ | demo.environment | keys
    environment |= {"VOUCH_HOME": str(tmp_path / "home"), "OPENAI_LOG": "debug", "ANTHROPIC_LOG": "debug"}
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(tmp_path / "log.txt")],
        cwd=ROOT, env=environment, capture_output=True, check=True, timeout=120,
    )  # fmt: skip
    (tmp_path / "stdout.txt").write_bytes(done.stdout)
    (tmp_path / "stderr.txt").write_bytes(done.stderr)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > 10, "logs, output and the cache"
    assert (tmp_path / "log.txt").stat().st_size > 10_000
    for path in written:
        content = path.read_text(encoding="utf-8") + path.name
        found = [KEY[start : start + 8] for start in range(len(KEY) - 7) if KEY[start : start + 8] in content]
        assert not found, f"{path.name} holds {found}"


def test_a_compatible_server_is_not_told_of_an_account_at_openai(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "ours-alone")
    model = CompatibleModel(ModelName(Provider.COMPATIBLE, "demo"), Access("http://127.0.0.1:1/v1"))
    client = model._open(model._access)
    assert "ours-alone" not in str({**client.default_headers, **client.auth_headers})
