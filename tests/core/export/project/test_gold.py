"""What a project's reviewers settled and accepted, as gold."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from core.__main__ import main
from core.benchmarks.evidencebench import read_evidencebench
from core.benchmarks.robbr import Judged, read_main, read_support
from core.benchmarks.samples import samples
from core.bias import Level, tool_named
from core.evidence.model import Decision
from core.export.project.gold import EVIDENCE, LEVELS, SUPPORT, gold_files
from core.paper import Paper
from core.store.document import project_to_json
from core.store.model import ProjectState, SentenceDecisions
from core.store.papers import record_of
from core.store.project_file import project_to_file
from tests.core.export.reviews import both, judged, saved, settled, state

HYPOTHESIS = "Magnesium reduces cramps."


def review(paper: Paper, data: bytes) -> ProjectState:
    """One domain settled, one agreed, one in dispute; Ann and Ben took sentences in, and refused one."""
    record = replace(record_of(paper, project="p"), file=sha256(data).hexdigest())
    begun = state(
        record,
        judged("Ann", paper.id, "D1", Level.LOW, support=(12, 14)),
        judged("Ben", paper.id, "D1", Level.HIGH, support=(14,)),
        settled(paper.id, "D1", Level.SOME_CONCERNS),
        *both(paper.id, "D2", Level.HIGH),
        judged("Ann", paper.id, "D3", Level.LOW),
        judged("Ben", paper.id, "D3", Level.HIGH),
    )
    decisions = (
        SentenceDecisions("p", paper.id, "Ann", HYPOTHESIS, {20: Decision.ACCEPTED, 21: Decision.REJECTED}),
        SentenceDecisions("p", paper.id, "Ben", HYPOTHESIS, {22: Decision.ADDED}),
        SentenceDecisions("p", paper.id, "Ben", "Nothing fits.", {3: Decision.REJECTED}),
    )
    return replace(begun, decisions=tuple(map(saved, decisions)), files={sha256(data).hexdigest(): data})


@pytest.fixture
def paper() -> Paper:
    return samples()[0].read()


def test_what_is_settled_is_gold_and_what_is_open_is_not(paper: Paper, tmp_path: Path) -> None:
    project = review(paper, samples()[0].path.read_bytes())
    files = gold_files(project, tool_named("rob2"), {paper.id: paper})
    assert list(files) == [LEVELS, SUPPORT, EVIDENCE]
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    levels = [one for one in read_main(tmp_path / LEVELS) if isinstance(one, Judged)]
    assert [(one.id.rpartition("/")[2], one.gold) for one in levels] == [("D1", Level.UNCLEAR), ("D2", Level.HIGH)]
    assert levels[0].case.study.objective == "Does tea help?"
    (support,) = read_support(tmp_path / SUPPORT)
    assert isinstance(support, Judged)
    assert list(support.gold.gold.aspects.values()) == [frozenset({12}), frozenset({14})]
    (instance,) = read_evidencebench(files[EVIDENCE].encode(), name=EVIDENCE).instances
    assert instance.hypothesis == HYPOTHESIS
    assert list(instance.gold.aspects.values()) == [frozenset({20}), frozenset({22})]


def test_the_command_writes_what_bench_reads(paper: Paper, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = tmp_path / "project.json"
    project.write_text(project_to_json(review(paper, samples()[0].path.read_bytes())), encoding="utf-8")
    whole, again = tmp_path / "project.vouch", tmp_path / "again"
    whole.write_bytes(project_to_file(review(paper, samples()[0].path.read_bytes())))
    assert main(["gold", str(whole), "--out", str(again)]) == 0
    out = tmp_path / "gold"
    assert main(["gold", str(project), "--out", str(out)]) == 0
    assert {path.name: path.read_bytes() for path in again.iterdir()} == {
        path.name: path.read_bytes() for path in out.iterdir()
    }
    assert sorted(path.name for path in out.iterdir()) == sorted([LEVELS, SUPPORT, EVIDENCE])
    assert main(["bench", "robbr/ssr", "--data", str(out), "--engine", "bm25"]) == 0
    assert main(["bench", "evidencebench/er@10", "--data", str(out), "--engine", "bm25"]) == 0
    assert "1 items on 1 papers" in capsys.readouterr().out


def test_no_gold_is_one_clear_sentence(paper: Paper, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = tmp_path / "project.json"
    project.write_text(project_to_json(state(record_of(paper, project="p"))), encoding="utf-8")
    assert main(["gold", str(project), "--out", str(tmp_path / "gold")]) == 2
    error = capsys.readouterr().err
    assert "is not kept" in error
    assert "no gold in it" in error
