"""The command `sources` against the stand-in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import stamina

from core.__main__ import main
from core.references import read_references
from core.review.marks import last_checked
from core.settings import load_settings
from core.sources.stand_in import SourceFault, StandIn
from core.sources.stand_in.literature import invented, jats
from core.store import Plan, Project, open_store
from core.work.pools import ThreadWorkers


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    with StandIn(12) as server, stamina.set_testing(True, attempts=4, cap=True):
        monkeypatch.setenv("VOUCH_HOME", str(tmp_path / "home"))
        monkeypatch.setenv("VOUCH_SOURCES_URL", server.address)
        monkeypatch.setenv("VOUCH_MAIL", "ann@example.org")
        yield server


def test_check_says_what_works(stand_in: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    stand_in.fault("pubmed", SourceFault.REFUSED)
    assert main(["sources", "--check"]) == 2
    said = capsys.readouterr()
    assert "works   Europe PMC" in said.out
    assert "failed  PubMed               PubMed does not let Vouch in (403)." in said.out
    assert "eutils.ncbi.nlm.nih.gov" in said.err, "where it goes is said before"


def test_search_counts_and_writes_what_review_reads(
    stand_in: StandIn, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "refs.ris"
    assert main(["sources", "search", "walking AND sleep", "--out", str(out)]) == 0
    said = capsys.readouterr()
    assert "12  Europe PMC" in said.out
    assert "8  PubMed" in said.out
    read = read_references(out.read_bytes(), name="refs.ris")
    assert len(read.references) == 20
    assert not read.broken


def test_fetch_puts_open_texts_into_a_folder(
    stand_in: StandIn, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "texts"
    command = ["sources", "fetch", "10.5555/town.1", "10.5555/town.2", "10.5555/town.3", "--out", str(folder)]
    assert main(command) == 2
    assert {one.name for one in folder.iterdir()} == {"PMC9000001.xml", "10.5555-town.2.pdf"}
    assert "10.5555/town.3: Not open access: ask your library" in capsys.readouterr().err


def test_a_search_goes_into_a_project_of_the_app(stand_in: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        change.save(Project("towns", "Towns", ("Ann",)))
    store.close()
    for taken in (20, 0):
        assert main(["sources", "search", "walking", "--project", "Towns"]) == 0
        said = capsys.readouterr()
        assert f"Europe PMC: {12 if taken else 0} new" in said.out
    assert "8 pairs have the same number" in said.err


def test_a_limit_of_calls_holds_for_a_project_too(stand_in: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        change.save(Project("towns", "Towns", ("Ann",)))
    store.close()
    search = ["sources", "search", "walking", "--project", "Towns", "--in", "europepmc", "pubmed", "--calls", "3"]
    assert main(search) == 2
    assert sum(stand_in.asked.values()) == 3
    said = capsys.readouterr().out
    assert "Europe PMC: 12 new" in said
    assert "PubMed: 0 new  The limit of 1 calls is reached" in said


def test_notices_and_mistakes(stand_in: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sources", "notices", "10.5555/town.4", "90000002"]) == 0
    said = capsys.readouterr().out
    assert "10.5555/town.4: Retracted 2024-05-01 (Crossref)" in said
    assert "PMID 90000002: nothing is known against it" in said
    for command in (
        ["sources"],
        ["sources", "search"],
        ["sources", "fetch", "10.5555/town.1"],
        ["sources", "notices", "10.5555/town.4", "--by-itself", "on"],
    ):
        assert main(command) == 2
    assert stand_in.asked


def test_a_project_is_checked_by_itself_once_that_was_agreed_to(
    stand_in: StandIn, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        change.save(Project("towns", "Towns", ("Ann",), plan=Plan(None, None, None)))
    search = ["sources", "search", "walking", "--project", "Towns", "--in", "europepmc"]
    assert main([*search, "--calls", "20"]) == 0
    assert not any("crossref" in asked for asked in stand_in.asked), "nobody has agreed yet"
    assert main(["sources", "notices", "--project", "Towns", "--by-itself", "on"]) == 0
    said = capsys.readouterr().out
    assert "Crossref (api.crossref.org) and PubMed (eutils.ncbi.nlm.nih.gov) when papers come in" in said
    stand_in.publish(1)
    assert main(search) == 0
    assert "13 numbers go to Crossref (api.crossref.org)" in capsys.readouterr().err, "said before"
    assert any("crossref" in asked for asked in stand_in.asked)
    with store.reading() as now:
        assert last_checked(now, "towns").unasked == 0
    assert main(["sources", "notices", "--project", "Towns"]) == 0
    said = capsys.readouterr().out
    assert "Checked for retractions" in said
    assert "Retracted 2024-05-01 (Crossref): Walking and sleep in town 4" in said
    assert main(["sources", "notices", "--project", "Towns", "--by-itself", "off"]) == 0
    with store.reading() as now:
        assert now.standing.of("towns") is None
    store.close()
    assert main(["sources", "notices", "--project", "Hills"]) == 2
    assert "0 projects are called “Hills”" in capsys.readouterr().err


def test_a_review_checks_what_comes_in_and_before_its_files_are_written(
    stand_in: StandIn, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.review.queue.ProcessWorkers", lambda do, workers, **_: ThreadWorkers(do, at_once=workers))
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "town.xml").write_bytes(jats(invented(4), {}))
    table = tmp_path / "table.html"
    engines = ["--engine", "bm25", "--criteria-engine", "none", "--bias-engine", "none"]
    review = ["review", str(folder), "--save", "--name", "Towns", "--reviewer", "Ann", *engines, "--out", str(table)]
    assert main(review) == 0
    assert not stand_in.asked
    assert "Nobody has looked yet" in table.read_text()
    assert main(["sources", "notices", "--project", "Towns", "--by-itself", "on"]) == 0
    stand_in.fault("crossref", SourceFault.DOWN)
    capsys.readouterr()
    assert main(review) == 0, "a check that fails stops nothing"
    said = capsys.readouterr().err
    assert "go to Crossref (api.crossref.org)" in said
    assert "Papers could not be checked for retractions: Crossref has a fault" in said
    assert "Nobody has looked yet" in table.read_text()
    stand_in.behave()
    assert main(review) == 0
    assert "Retracted 2024-05-01 (Crossref)" in table.read_text()
