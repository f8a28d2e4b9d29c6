"""An article that is killed between two sections goes on, and asks a model nothing twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from core.llm.demo import DemoServer, Fault
from core.llm.demo.service import NoReply, Served
from core.llm.provider import Json
from run import ROOT
from tests.core.review.papers import write_trials

TEMPLATE = """For people.

[variables]
topic

[title]
$topic

[overview]
What does walking do for $topic?

[sleep]
Sleep
Does walking improve sleep in adults with $topic?

[weeks]
Weeks
In how many weeks does walking improve sleep in adults with $topic?
"""
OF_A_SECTION = 3  # two passages are read, and the section is written


class Turnstile:
    """Lets so many calls through to the demo server, and holds those that follow; remembers what was answered."""

    def __init__(self, demo: DemoServer, lets: int) -> None:
        self._serve, self._lets, self._lock = demo.desk.serve, lets, threading.Lock()
        self.answered: list[str] = []
        self.holds, self.gone = threading.Event(), threading.Event()
        demo.desk.serve = self.serve  # type: ignore[method-assign]

    def serve(self, wire: object, body: Json, *rest: object) -> Served:
        with self._lock:
            through = self.gone.is_set() or len(self.answered) < self._lets
            if through:
                self.answered.append(json.dumps(body, sort_keys=True))
        if not through:
            self.holds.set()
            self.gone.wait()
            raise NoReply(Fault.DROP)
        return self._serve(wire, body, *rest)  # type: ignore[arg-type]


@pytest.mark.slow
def test_an_article_that_is_killed_between_sections_goes_on_and_asks_nothing_twice(
    tmp_path: Path, demo: DemoServer
) -> None:
    write_trials(tmp_path / "trials", 3)
    (tmp_path / "mine.md").write_text(TEMPLATE, encoding="utf-8")
    home = tmp_path / "home"
    command = [sys.executable, "-m", "core", "article", str(tmp_path / "mine.md"), "--topic", "insomnia", "--json"]
    command += ["--library", str(tmp_path / "trials"), "--engine", "openai:demo@fixed", "-k", "2"]
    environment = os.environ | {"VOUCH_HOME": str(home)}
    gate = Turnstile(demo, OF_A_SECTION)

    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE) as process:
        assert gate.holds.wait(120), "the second section is asked for"
        process.kill()
    gate.gone.set()
    [kept] = (home / "articles").iterdir()
    [first] = kept.read_text(encoding="utf-8").splitlines()
    assert len(gate.answered) == OF_A_SECTION

    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True, timeout=120)
    article = json.loads(done.stdout)
    assert [one["heading"] for one in article["sections"]] == ["Sleep", "Weeks"]
    assert article["sections"][0]["seconds"] == round(json.loads(first)["seconds"], 4), "it is the one that was kept"
    assert len(gate.answered) == len(set(gate.answered)) == 2 * OF_A_SECTION + 1, "and the overview"
    assert not list((home / "articles").iterdir())
