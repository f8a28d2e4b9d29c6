"""`bias` over a folder: a project that the app opens, and the files that are made of it."""

from __future__ import annotations

import csv
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from core.__main__ import main
from core.bias import tool_named
from core.bias.assessment import Suggestion
from core.bias.model import HIGH
from core.bias.offline import OfflineBiasEngine
from core.export.robvis import robvis_problems
from core.settings import Settings
from core.store import ProjectState, ReviewerJudgement, Scope, open_store, project_from_json, project_to_json
from run import ROOT

SAMPLES = ("leg-cramps.xml", "stair-climbing.tei.xml")
ROB1 = tool_named("rob1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two papers, one of them in a folder within and there twice, and a file that is none."""
    folder = tmp_path / "Tea & sleep"
    (folder / "more").mkdir(parents=True)
    shutil.copy(ROOT / "sample_data" / SAMPLES[0], folder)
    shutil.copy(ROOT / "sample_data" / SAMPLES[1], folder / "more")
    shutil.copy(ROOT / "sample_data" / SAMPLES[1], folder / "more" / "zz-again.xml")
    (folder / "broken.docx").write_bytes(b"PK\x03\x04 and more")
    (folder / ".hidden").write_text("not looked at")
    return folder


def opened(file: Path) -> ProjectState:
    return project_from_json(file.read_bytes())


@pytest.mark.slow
def test_all_files_of_a_project(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    words = [
        *("bias", str(folder), "--tool", "rob1", "--objective", "Tea for sleep", "--reviewer", "Ann"),
        *("--project-out", str(out / "project.json"), "--report", str(out / "report.html")),
        *("--robvis", str(out / "robvis.csv"), "--table", str(out / "all.csv"), "--plots", str(out / "plots")),
    ]
    assert main(words) == 2  # one file could not be read, and the rest went on
    captured = capsys.readouterr()
    assert "broken.docx: “broken.docx” is a ZIP archive" in captured.err
    assert "zz-again.xml: the same file as" in captured.err
    assert ".hidden" not in captured.err
    assert captured.out.startswith("Not judged by a person: suggested by the engine offline.\n")
    assert captured.out.count("sequence ") == 2
    state = opened(out / "project.json")
    assert (state.project.record.name, state.project.record.reviewers) == ("Tea & sleep", ("Ann",))
    assert state.project.record.study.objective == "Tea for sleep"
    assert [saved.record.name for saved in state.papers] == ["leg-cramps.xml", "stair-climbing.tei.xml"]
    assert len(state.suggestions) == 2 * 7
    assert len(state.files) == 2
    assert "<mark" in (out / "report.html").read_text(encoding="utf-8")
    assert "no file for robvis yet: it needs a suggested level in every domain" in captured.err
    assert not (out / "robvis.csv").exists()
    assert len(list(csv.reader((out / "all.csv").open(encoding="utf-8-sig", newline="")))) == 1 + 2 * 7
    for name in ("traffic-light", "summary"):
        assert ElementTree.parse(out / "plots" / f"{name}.svg").getroot().tag.endswith("svg")
        assert Image.open(out / "plots" / f"{name}.png").format == "PNG"


def test_a_project_of_two_outcomes_has_a_row_for_each(tmp_path: Path) -> None:
    file, table = tmp_path / "project.json", tmp_path / "all.csv"
    paper = str(ROOT / "sample_data" / SAMPLES[1])
    words = ["bias", paper, "--tool", "rob2", "--engine", "bm25", "--project-out", str(file), "--table", str(table)]
    assert main([*words, "--outcome", "pain"]) == 0
    assert main([*words, "--outcome", "sleep"]) == 0, "it is added to the project"
    assert opened(file).project.record.outcomes == ("pain", "sleep")
    rows = csv.DictReader(table.open(encoding="utf-8-sig", newline=""))
    assert {row["outcome"] for row in rows} == {"pain", "sleep"}
    places = {(saved.record.outcome, saved.record.domain) for saved in opened(file).suggestions}
    assert len(places) == 2 * 5


@pytest.mark.slow
def test_the_project_opens_in_a_store_and_comes_out_the_same(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "project.json"
    main(["bias", str(folder), "--tool", "rob2", "--project-out", str(file)])
    state = opened(file)
    assert project_to_json(state) == file.read_text(encoding="utf-8")
    store = open_store(Settings(home=tmp_path / "home", data=None))
    with store.writing("Ann") as change:
        change.import_project(state)
    with store.reading() as now:
        assert now.whole(state.project.record.id, with_files=True) == state
        assert len(now.papers(state.project.record.id, Scope("rob2", ("D1",)))) == 2
    store.close()


def test_a_later_run_goes_on_and_keeps_what_people_did(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "project.json"
    words = ["bias", str(folder), "--project-out", str(file)]
    late = folder / "more" / SAMPLES[1]
    parked = shutil.move(late, tmp_path / "late.xml")
    (folder / "more" / "zz-again.xml").unlink()
    main(words)
    first = opened(file)
    who, paper = first.project.record.reviewers[0], first.papers[0].record.id
    store = open_store(Settings(home=tmp_path / "home", data=None))
    with store.writing(who) as change:
        change.import_project(first)
        change.save(ReviewerJudgement(first.project.record.id, paper, "rob1", "sequence", who, HIGH))
    with store.reading() as now:
        file.write_text(project_to_json(now.whole(first.project.record.id, with_files=True)), encoding="utf-8")
    store.close()
    shutil.move(parked, late)

    judged: list[str] = []
    suggest = OfflineBiasEngine.suggest

    def counted(self: OfflineBiasEngine, domain: object, paper: object, *rest: object, **named: object) -> object:
        judged.append(paper.name)  # type: ignore[attr-defined]
        return suggest(self, domain, paper, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(OfflineBiasEngine, "suggest", counted)
    capsys.readouterr()
    main([*words, "--json"])
    assert judged == [SAMPLES[1]] * 7
    second = opened(file)
    assert (len(second.papers), len(second.suggestions)) == (2, 14)
    assert second.judgements[0].record.level == HIGH
    assert all(one in second.suggestions for one in first.suggestions)
    document = json.loads(capsys.readouterr().out)
    assert [Path(one["file"]).name for one in document["papers"]] == list(SAMPLES)
    assert [Path(one["file"]).name for one in document["failed"]] == ["broken.docx"]
    assert len(document["papers"][0]["domains"]) == 7


def test_what_was_done_is_saved_if_it_is_stopped(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "project.json"
    suggest = OfflineBiasEngine.suggest

    def stopped(self: OfflineBiasEngine, domain: object, paper: object, *rest: object, **named: object) -> object:
        if (paper.name, domain.id) == (SAMPLES[1], "attrition"):  # type: ignore[attr-defined]
            raise KeyboardInterrupt
        return suggest(self, domain, paper, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(OfflineBiasEngine, "suggest", stopped)
    assert main(["bias", str(folder), "--project-out", str(file)]) == 130
    assert len(opened(file).suggestions) == 7 + 4
    monkeypatch.undo()
    main(["bias", str(folder), "--project-out", str(file)])
    assert len(opened(file).suggestions) == 14


def test_one_paper_can_be_a_project_too(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    assert main(["bias", str(ROOT / "sample_data" / SAMPLES[0]), "--report", str(report)]) == 0
    assert report.read_text(encoding="utf-8").count("<article") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--domain", "sequence"], "whole tool"),
        (["--project-out", "{folder}/broken.docx/x.json"], "cannot be written"),
        (["--project-out", "{folder}/broken.docx"], "not a project that Vouch saved"),
    ],
)
def test_mistakes_are_one_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(["bias", str(folder), *(word.format(folder=folder) for word in words)]) == 2
    assert message in capsys.readouterr().err


def test_a_folder_without_papers_and_another_tool(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert main(["bias", str(empty)]) == 2
    assert "There is no file in" in capsys.readouterr().err
    (empty / "x.docx").write_bytes(b"PK\x03\x04")
    assert main(["bias", str(empty)]) == 2
    assert "could be read as a paper" in capsys.readouterr().err
    file = tmp_path / "project.json"
    main(["bias", str(folder), "--project-out", str(file)])
    assert main(["bias", str(folder), "--project-out", str(file), "--tool", "rob2"]) == 2
    assert "with another tool, RoB 1" in capsys.readouterr().err


@pytest.mark.slow
def test_our_own_outputs_are_no_papers(folder: Path) -> None:
    (folder / "broken.docx").unlink()
    words = ["bias", str(folder), "--project-out", str(folder / "project.json"), "--plots", str(folder / "plots")]
    assert (main(words), main(words)) == (0, 0)


def test_a_replaced_project_is_never_half_written(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "project.json"
    file.write_text("kept", encoding="utf-8")
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    from core.commands.common import write_whole
    from core.errors import QueryError

    with pytest.raises(QueryError, match="No space left"):
        write_whole(file, "new")
    assert file.read_text(encoding="utf-8") == "kept"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.slow
def test_weights_are_for_the_summary_and_robvis(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    suggest = OfflineBiasEngine.suggest

    def everywhere(self: OfflineBiasEngine, *rest: Any, **named: Any) -> Suggestion:
        made = suggest(self, *rest, **named)
        return replace(made, judgement=replace(made.judgement, level=HIGH))

    monkeypatch.setattr(OfflineBiasEngine, "suggest", everywhere)
    (folder / "broken.docx").unlink()
    weights = tmp_path / "weights.csv"
    words = ["bias", str(folder), "--weights", str(weights), "--robvis", str(tmp_path / "robvis.csv")]
    words += ["--plots", str(tmp_path / "plots")]
    weights.write_text("\ufeffStudy,Weight\nleg-cramps.xml,3\nSpecimen 2026,1\n", encoding="utf-8")
    assert main(words) == 0
    rows = list(csv.reader((tmp_path / "robvis.csv").open(encoding="utf-8", newline="")))
    assert [row[-1] for row in rows] == ["Weight", "75.000", "25.000"]
    assert robvis_problems(ROB1, (tmp_path / "robvis.csv").read_text(encoding="utf-8"), weighted=True) == []
    assert "2 studies, weighted" in (tmp_path / "plots" / "summary.svg").read_text(encoding="utf-8")
    for text, message in (
        ("Study,Weight\nleg-cramps.xml,3\n", "no weight"),
        ("Study,Weight\nAnother,3\n", "line 2: expected a study of the project"),
        ("Study,Weight\nleg-cramps.xml,much\n", "line 2"),
        ("Weight\n3\n", "first line must be Study,Weight"),
    ):
        weights.write_text(text, encoding="utf-8")
        capsys.readouterr()
        assert main(words) == 2
        assert message in capsys.readouterr().err
