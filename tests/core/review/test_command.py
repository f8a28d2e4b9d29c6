"""`review FOLDER ...` from the folder to the table: what goes in, what is reported, and what comes again."""

from __future__ import annotations

import csv
import json
from functools import partial
from pathlib import Path

import pytest

from core.__main__ import main
from core.grounding.model import PaperVerdict
from core.review.queue import run_queue
from core.settings import Settings
from core.store import open_store, project_from_file, project_to_file
from core.store.project_file import FileLimits
from core.work.pools import ThreadWorkers
from tests.core.review.papers import HYPOTHESIS, trial, write_trials

RIS = b"""TY  - JOUR
TI  - Walking and sleep in town 1: a randomised trial
AU  - Rossi, A.
PY  - 2020
ER  -

TY  - JOUR
AU  - Nobody, N.
PY  - 2019
ER  -

TY  - JOUR
TI  - A trial of warm milk that nobody has sent us
AU  - Milk, M.
PY  - 2018
AB  - Adults with insomnia were assigned at random to warm milk.
ER  -
"""
CHEAP = ("--engine", "bm25", "--bias-engine", "none")


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """New processes take seconds to start; other tests have them."""
    monkeypatch.setattr("core.review.queue.ProcessWorkers", lambda do, workers, **_: ThreadWorkers(do, at_once=workers))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Papers, references with a wrong entry, and three files that are broken."""
    place = tmp_path / "papers"
    write_trials(place, 3)
    (place / "more").mkdir()
    (place / "more" / "trial-00 again.md").write_bytes(trial(0) + b"\nPrinted again.\n")
    (place / "library.ris").write_bytes(RIS)
    (place / "cut off.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<<")
    (place / "empty.txt").write_bytes(b"")
    (place / "noise.pdf").write_bytes(bytes(range(256)) * 8)
    return place


def review(folder: Path, *words: str) -> int:
    return main(["review", str(folder), "--hypothesis", HYPOTHESIS, *CHEAP, *words])


@pytest.mark.slow
def test_all_of_a_folder_comes_into_one_table(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "out" / "table.csv"
    assert review(folder, "--out", str(table), "--json") == 2, "something is to be looked at"
    said = capsys.readouterr()
    document = json.loads(said.out)
    assert {one["file"] for one in document["unreadable"]} == {"cut off.pdf", "empty.txt", "noise.pdf"}
    assert [one["file"] for one in document["wrong_references"]] == ["library.ris"]
    assert len(document["papers"]) == 4
    assert all(paper["findings"][0]["verdict"] in list(PaperVerdict) for paper in document["papers"])
    keys = "hypothesis verdict missing probability reported reason check for against nearest effect engine reviewers settled"
    assert all(list(paper["findings"][0]) == keys.split() for paper in document["papers"])
    pairs = [{one["first"], one["second"]} for one in document["alike"]]
    assert {"trial-00.md", "trial-00 again.md"} in pairs
    assert "library.ris" in said.err
    assert "look alike" in said.err
    assert said.err.splitlines()[-1] == (
        f"vouch: 4 papers, 2 references, 4 findings, 4 failures; the table is in {table}"
    ), "three files and an entry failed"
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4
    assert {row["hypothesis"] for row in rows} == {HYPOTHESIS}


@pytest.mark.slow
def test_a_saved_project_goes_on_and_does_nothing_twice(
    folder: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert review(folder, "--save") == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.endswith("no table was written: --out names one; the project “papers” is in the app")
    assert review(folder, "--save", "--hypothesis", "Walking is easy to do") == 2
    store = open_store(Settings(home=home, data=None))
    with store.reading() as now:
        (project,) = now.projects()
        found = now.findings(project.record.id)
        assert len(now.queue.runs(project.record.id)) == 2
        assert len(now.references(project.record.id)) == 2
    assert project.record.hypotheses == (HYPOTHESIS, "Walking is easy to do")
    assert len(found) == 8
    assert {saved.version for saved in found} == {1}
    store.close()


@pytest.mark.slow
def test_a_project_goes_out_and_in_again(folder: Path, tmp_path: Path) -> None:
    out, again = tmp_path / "a.vouch", tmp_path / "b.vouch"
    review(folder, "--project-out", str(out))
    state = project_from_file(out.read_bytes())
    assert len(state.papers) == 4
    assert len(state.files) == 7, "those that cannot be read, too: nothing is lost"
    main(["review", str(folder), *CHEAP, "--project", str(out), "--project-out", str(again)])
    assert {saved.version for saved in project_from_file(again.read_bytes()).findings} == {1}


@pytest.mark.slow
def test_what_is_not_named_again_stays_as_it_is(folder: Path, home: Path) -> None:
    review(folder, "--save", "--reviewer", "Ann", "--reviewer", "Ben", "--tool", "rob1")
    main(["review", str(folder), "--save", "--reviewer", "Cleo"])
    store = open_store(Settings(home=home, data=None))
    with store.reading() as now:
        (project,) = [saved.record for saved in now.projects()]
    assert (project.reviewers, project.tool) == (("Ann", "Ben", "Cleo"), "rob1")
    assert (project.plan.evidence, project.plan.bias) == ("bm25", None)
    assert main(["review", str(folder), "--save", "--tool", "rob2"]) == 2
    store.close()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--criterion", "adults"], "no criterion"),
        (["--engine", "nonsense"], "nonsense"),
        (["--workers", "0"], "at least 1"),
        (["--out", "table.doc"], "must end in"),
        (["--hypothesis", " "], "empty"),
        (["--ris", "."], "is a folder"),
        (["--project-out", f"{__file__}/review.vouch"], "cannot be written"),
        (["--flow", f"{'long' * 100}.svg"], "cannot be written"),
    ],
)
def test_a_mistake_is_one_line_before_the_work(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str], told: str
) -> None:
    monkeypatch.setattr("core.commands.review.run_queue", lambda *_, **__: pytest.fail("work has begun"))
    assert main(["review", str(folder), *words]) == 2
    said = capsys.readouterr().err.strip()
    assert told in said
    assert "\n" not in said


@pytest.mark.slow
def test_an_output_that_is_refused_loses_no_other(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folders that become unwritable during the work, and a project that is larger than its file can be."""
    table, ris = tmp_path / "out" / "table.csv", tmp_path / "out" / "decided.ris"

    def work(*given: object, **named: object) -> None:
        run_queue(*given, **named)
        table.mkdir(parents=True)

    monkeypatch.setattr("core.commands.review.run_queue", work)
    small = partial(project_to_file, limits=FileLimits(document=10))
    monkeypatch.setattr("core.commands.review.project_to_file", small)
    outputs = ("--out", str(table), "--ris", str(ris), "--project-out", str(tmp_path / "a.vouch"))
    assert review(folder, *outputs, "--json") == 2
    said = capsys.readouterr()
    assert len(json.loads(said.out)["papers"]) == 4
    assert "TY  - JOUR" in ris.read_text(encoding="utf-8")
    last = said.err.splitlines()[-1]
    assert last.startswith(f"vouch: “{table}” is a folder. Name a file. This project is larger"), last
    assert [path.name for path in tmp_path.rglob(".*")] == [], "no drafts are left"


def test_a_folder_without_papers_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(tmp_path / "nowhere"), "--hypothesis", "H"]) == 2
    assert "is no folder" in capsys.readouterr().err
    empty = tmp_path / "empty"
    empty.mkdir()
    assert main(["review", str(empty), "--hypothesis", "H"]) == 2
    assert "no file" in capsys.readouterr().err


def test_names_that_are_no_text_keep_no_folder_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As Linux keeps names in Latin-1: of the folder, a paper, and files of references."""
    folder = tmp_path / "\udce9t\udce9"
    try:
        folder.mkdir()
        (folder / "caf\udce9.md").write_bytes(trial(0))
    except OSError:
        pytest.skip("this file system takes no such names")
    (folder / "caf\udce9.ris").write_bytes(RIS)
    (folder / "caf\udce9.csv").write_bytes(b"colour,weight\nred,3\n")
    assert review(folder, "--json") == 2, "a wrong entry, and a file without references"
    document = json.loads(capsys.readouterr().out)
    assert (document["project"], [one["file"] for one in document["papers"]]) == ("?t?", ["caf?.md"])
    assert [one["file"] for one in document["refused"]] == ["caf?.csv"]
    assert [one["file"] for one in document["wrong_references"]] == ["caf?.ris"]


def test_a_review_is_judged_by_a_definition_from_a_file(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine, saved = tmp_path / "mine.txt", tmp_path / "review.vouch"
    mine.write_text("Diary bias: Whether people kept the diary of sleep.\nHigh risk: few of them did.\n")
    words = ["review", str(folder), "--tool", str(mine), "--engine", "bm25", "--bias-engine", "bm25"]
    main([*words, "--project-out", str(saved)])
    state = project_from_file(saved.read_bytes())
    (own,) = state.project.record.own_tools
    assert (state.project.record.tool, own.title) == (own.id, "Diary bias")
    made = {(one.record.tool, one.record.domain) for one in state.suggestions}
    assert made == {(own.id, "D1")}
    capsys.readouterr()
    assert main([*words[:2], "--project", str(saved), "--tool", "rob1", *CHEAP]) == 2
    assert "another tool, Diary bias" in capsys.readouterr().err
