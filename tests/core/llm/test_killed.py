"""A process that is killed in mid-run loses at most the calls in flight; resuming pays for nothing twice."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from core.llm.demo import DemoServer
from run import ROOT
from tests.core.llm.questions import all_quiet

AT_ONCE = 4
REQUESTS = 40
RUN = f"""
from core.llm import ModelName, Provider, open_runner
from tests.core.llm.questions import question
runner = open_runner(ModelName(Provider.OPENAI, "demo"), at_once={AT_ONCE})
replies = runner.ask_all([question(number) for number in range({REQUESTS})])
assert all(reply.problem is None for reply in replies)
print(runner.spent.calls, runner.spent.from_cache)
"""


def test_killed_and_resumed(tmp_path: Path) -> None:
    with DemoServer(latency=0.1) as server:
        environment = os.environ | server.environment | {"VOUCH_HOME": str(tmp_path)}
        command = [sys.executable, "-c", RUN]
        with subprocess.Popen(command, cwd=ROOT, env=environment) as running:
            while server.desk.statistics()["answered"] < 10:
                assert running.poll() is None, "it ended before it could be killed"
                time.sleep(0.01)
            running.kill()
        all_quiet(server)  # calls in flight have come to their end
        paid = server.desk.statistics()["answered"]
        assert paid < REQUESTS

        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=60
        )
        calls, from_cache = map(int, done.stdout.split())
        assert calls + from_cache == REQUESTS
        assert from_cache >= paid - AT_ONCE, "only what was in flight is lost"
        assert server.desk.statistics()["answered"] == paid + calls

        again = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=60
        )
        assert again.stdout.split() == ["0", str(REQUESTS)]
