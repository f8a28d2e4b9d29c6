"""`ask`: a folder of papers, a question, and the answer as text and as JSON."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
import stamina

from core.__main__ import main
from core.commands.beyond_common import FETCHED_TEXTS
from core.library import FolderLibrary
from core.llm.demo import DemoServer
from core.paper import read_paper
from core.settings import load_settings
from core.sources.model import Notice, NoticeKind
from core.sources.stand_in import StandIn
from core.store import Project, StoredNotices, open_store, record_of
from run import ROOT

QUESTION = "magnesium citrate compared with placebo: diarrhoea"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path / "home"))
    papers = tmp_path / "papers"
    papers.mkdir()
    for name in ("leg-cramps.xml", "stair-climbing.tei.xml"):
        shutil.copy(ROOT / "sample_data" / name, papers)
    return papers


def asked(folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str, str]:
    status = main(["ask", str(folder), "--question", QUESTION, *options])
    said = capsys.readouterr()
    return status, said.out, said.err


@pytest.mark.slow
def test_an_answer_as_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, said, errors = asked(folder, capsys)
    assert (status, errors) == (0, "")
    assert "2 papers searched" in said
    assert "1 paper seems to report on it" in said
    assert "iarrhoea" in said


@pytest.mark.slow
def test_a_limit_and_what_was_not_found_are_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, said, _ = asked(folder, capsys, "--design", "cohort study")
    assert status == 0
    assert "0 papers searched (cohort study)" in said
    status, said, _ = asked(folder, capsys, "--design", "randomised trial")
    assert "2 papers searched (randomised trial)" in said
    assert "1 paper was read where it comes near the question, and not found to report on it." in said


@pytest.mark.slow
def test_the_folder_is_followed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, said, _ = asked(folder, capsys, "--json")
    document = json.loads(said)
    assert status == 0
    assert {"question", "engine", "cannot_answer", "answer", "evidence", "papers", "seconds", "cost_usd"} <= set(
        document
    )
    assert document["papers"][0]["file"] == "leg-cramps.xml"
    assert document["searched"] == 2
    (folder / "leg-cramps.xml").unlink()
    (folder / "broken.xml").write_text("<article><body>", encoding="utf-8")
    status, said, errors = asked(folder, capsys, "--json")
    document = json.loads(said)
    assert status == 2, "a file that cannot be read is told"
    assert "broken.xml" in errors
    assert document["searched"] == 1
    assert document["cannot_answer"]


@pytest.mark.slow
def test_a_paper_is_read_once(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = asked(folder, capsys, "--json")
    monkeypatch.setattr("core.library.folder.read_paper", None)  # nothing is left to read
    after = asked(folder, capsys, "--json")
    papers = [json.loads(said)["papers"] for _, said, _ in (before, after)]
    assert papers[0] == papers[1]


@pytest.mark.parametrize(
    "options", [
        ("--engine", "guess"), ("-k", "0"), ("--engine", "openai:some"), ("--design", "a good one"),
        ("--max-steps", "3"), ("--engine", "openai:some", "--max-steps", "0"), ("--workers", "0"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]) -> None:
    status, said, errors = asked(folder, capsys, *options)
    assert (status, said) == (2, "")
    assert errors.startswith("vouch: ")
    assert errors.count("\n") == 1


def test_no_papers_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        status, _, errors = asked(folder, capsys)
        assert status == 2
        assert errors.count("\n") == 1


@pytest.mark.slow
def test_a_project_and_all_that_is_kept_are_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        for number, name in enumerate(("leg-cramps.xml", "stair-climbing.tei.xml")):
            change.save(Project(f"p{number}", f"Project {number}", ("Ann",)))
            data = (folder / name).read_bytes()
            change.keep_file(change.save(record_of(read_paper(data, name=name), project=f"p{number}")), data)
        retracted = Notice(NoticeKind.RETRACTED, "Crossref", "2024-05-01")
        (cramps,) = change.paper_ids("p0")
        change.put(StoredNotices("p0", cramps, (retracted,), datetime.now(UTC), ("Crossref", "PubMed")))
    store.close()
    out = folder.parent / "answer.md"
    for options, searched in ((["--project", "Project 1"], 1), (["--project", "Project 0"], 1), (["--kept"], 2)):
        assert main(["ask", *options, "--question", QUESTION, "--json", "--out", str(out)]) == 0
        assert json.loads(capsys.readouterr().out)["searched"] == searched
        assert ("Retracted 2024-05-01 (Crossref)" in out.read_text()) == ("Project 1" not in options)
    assert main(["ask", "--project", "Nobody's", "--question", QUESTION]) == 2
    assert "0 projects are called “Nobody's”" in capsys.readouterr().err


@pytest.mark.parametrize("papers", [[], ["folder", "--kept"], ["--kept", "--project", "x"]])
def test_which_papers_are_asked_is_said_once(papers: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", *papers, "--question", QUESTION]) == 2
    assert "Which papers are asked?" in capsys.readouterr().err


@pytest.mark.slow
def test_services_are_searched_where_they_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with StandIn(6) as stand_in, DemoServer() as demo, stamina.set_testing(True, attempts=4, cap=True):
        for name, value in demo.environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("VOUCH_SOURCES_URL", stand_in.address)
        monkeypatch.setenv("VOUCH_MAIL", "ann@example.org")
        walking = ["ask", str(folder), "--question", "Does walking improve sleep?", "--engine", "openai:demo"]
        assert main([*walking, "--services", "europepmc, pubmed", "--json"]) == 0
        said = capsys.readouterr()
        document = json.loads(said.out)
        assert "Europe PMC (www.ebi.ac.uk), PubMed (eutils.ncbi.nlm.nih.gov)" in said.err
        assert "api.unpaywall.org" in said.err
        assert "Your mail address ann@example.org" in said.err
        (step,) = [one for one in document["steps"] if one["action"] == "search services"]
        assert "4 fetched, 2 not available" in step["came"]
        assert any("Not open access" in detail for detail in step["details"])
        fetched = {path.name for path in (folder / FETCHED_TEXTS).iterdir()}
        assert fetched == {"PMC9000000.xml", "PMC9000001.xml", "PMC9000004.xml", "10.5555-town.2.pdf"}
        asked_before = sum(stand_in.asked.values())
        assert main([*walking, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["searched"] == 6, "they are papers of the folder now"
        assert sum(stand_in.asked.values()) == asked_before, "nobody is asked who was not named"


@pytest.mark.parametrize(
    ("options", "said"), [
        (("--services", "pubmed"), "Only an agent searches"),
        (("--engine", "openai:demo@fixed", "--services", "pubmed"), "Only an agent searches"),
        (("--engine", "openai:demo", "--services", "pubmed,elsewhere"), "“elsewhere” is no service"),
        (("--engine", "openai:demo", "--services", ""), "No service is named"),
        (("--engine", "openai:demo", "--services", "pubmed", "--calls", "0"), "--calls is 0"),
    ],
)  # fmt: skip
def test_services_that_cannot_be_searched(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")

    def index(folder: Path, **options: object) -> FolderLibrary:
        pytest.fail("It was indexed before the services were checked.")

    monkeypatch.setattr("core.commands.ask.library_of_folder", index)
    status, out, errors = asked(folder, capsys, *options)
    assert (status, out) == (2, "")
    assert said in errors
