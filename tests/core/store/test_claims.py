"""Claims and what reviewers make of contradictions: kept, hidden where a project is blind, and taken elsewhere."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from core.claims.scale import note
from core.errors import NotStorable
from core.export.claims import ContestedPaper, contradiction_csv, contradiction_document, contradiction_report
from core.export.decision_log import decision_log
from core.paper import read_paper
from core.review.contested import contradictions_among, matrix
from core.settings import Settings
from core.store import (
    ContradictionDecision,
    ContradictionVerdict,
    Project,
    Store,
    StoredClaim,
    StoredContest,
    StoredSide,
    open_store,
    project_from_json,
    project_to_json,
    record_of,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TEXT = b"# A trial of zinc for colds\n\n## Results\n\nZinc shortened colds by two days compared with placebo.\n"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    found = open_store(Settings(tmp_path, None))
    paper = read_paper(TEXT, name="zinc.md")
    with found.writing("Ann") as change:
        change.save(Project("p", "Colds", ("Ann", "Ben"), blind=True))
        change.save(record_of(paper, project="p"))
    return found


def claim(paper: str, place: int = 9) -> StoredClaim:
    side = StoredSide(
        "other",
        "=Other <b>paper</b>",
        "contradicts",
        0.9,
        3,
        "Zinc did nothing.",
        differences=("dose: 1 mg here, 2 mg there",),
    )
    contest = StoredContest("offline", place, "1 paper reports the other way.", 7, (side,), NOW)
    return StoredClaim("p", paper, "c", "Zinc shortened colds.", 2, 8.0, made="offline", contest=contest)


def decision(paper: str, who: str) -> ContradictionDecision:
    return ContradictionDecision("p", paper, "c", "other", who, ContradictionVerdict.APPARENT, "the dose")


def test_kept_blind_and_taken_elsewhere(store: Store, tmp_path: Path) -> None:
    with store.reading() as reading:
        [paper] = reading.paper_ids("p")
    with store.writing("Ann") as change:
        change.put(claim(paper))
        change.save(decision(paper, "Ann"))
        with pytest.raises(NotStorable):
            change.save(decision(paper, "Ben"))
    with store.reading() as reading:
        assert [saved.record for saved in reading.claims("p", paper)] == [claim(paper)]
        assert len(reading.contradictions("p", reader="Ann")) == 1
        assert reading.contradictions("p", reader="Ben") == ()
        state = reading.whole("p")
    again = project_from_json(project_to_json(state))
    assert again == state
    elsewhere = open_store(Settings(tmp_path / "elsewhere", None))
    with elsewhere.writing("Ann") as change:
        change.import_project(again)
    with elsewhere.reading() as reading:
        assert [saved.record for saved in reading.all_claims("p")] == [claim(paper)]
    log = decision_log(state.history)
    assert "apparent only" in log
    assert "the dose" in log
    assert "Zinc shortened colds" not in log, "what engines find is no decision"


def test_files_tell_sides_and_decisions() -> None:
    found = ContestedPaper("paper", "Zinc", (claim("paper"),), (decision("paper", "Ann"),), threshold=8)
    [told] = contradiction_document(found)["claims"]
    assert (told["score"], told["label"], told["contradicted"]) == (9, "strong contradiction", True)
    assert told["against"][0]["decisions"] == {"Ann": "apparent only: the dose"}
    assert not contradiction_document(replace(found, threshold=10))["claims"][0]["contradicted"]
    page = contradiction_report(found, date=NOW)
    assert "&lt;b&gt;paper" in page
    assert "<b>paper" not in page
    assert "apparent only: the dose" in page
    line = contradiction_csv([found]).splitlines()[1]
    assert "'=Other" in line
    assert "Ann,apparent only,the dose" in line


def test_decisions_are_told_when_the_paper_stands_on_no_side_any_more() -> None:
    kept = claim("paper")
    assert kept.contest is not None
    gone = replace(kept, contest=replace(kept.contest, sides=()))
    for one in (gone, replace(kept, contest=None)):
        found = ContestedPaper("paper", "Zinc", (one,), (decision("paper", "Ann"),), titles={"other": "The other"})
        [said] = contradiction_document(found)["claims"][0]["decided_before"]
        assert (said["title"], said["reviewer"], said["why"]) == ("The other", "Ann", "the dose")
        assert "Ann,apparent only,the dose" in contradiction_csv([found])
        page = contradiction_report(found, date=NOW.astimezone(timezone(timedelta(hours=2))))
        assert "The other" in page
        assert "2026-01-01 00:00 UTC" in page
        assert ("Nobody" in page) == (one.contest is not None)
        assert note() in page


def test_decisions_on_a_claim_that_was_dropped_are_told(store: Store) -> None:
    with store.reading() as reading:
        [paper] = reading.paper_ids("p")
    with store.writing("Ann") as change:
        change.save(decision(paper, "Ann"))
        other = change.put(replace(claim(paper), claim="d", text="Nobody decided on this."))
        change.remove(change.put(claim(paper)))
        change.remove(other)
    with store.reading() as reading:
        assert reading.all_claims("p") == ()
        dropped = tuple(saved.record for saved in reading.dropped_claims("p"))
        decisions = tuple(saved.record for saved in reading.contradictions("p", reader="Ann"))
    found = ContestedPaper(paper, "Zinc", (), decisions, dropped=dropped)
    assert contradiction_document(found)["claims"] == []
    [told] = contradiction_document(found)["dropped"]
    assert told["against"][0]["decisions"] == {"Ann": "apparent only: the dose"}
    [head, line] = contradiction_csv([found]).splitlines()
    assert "Ann,apparent only,the dose,yes" in line
    assert head.endswith("dropped")
    page = contradiction_report(found, date=NOW)
    assert "Dropped, after they were decided on" in page
    assert "apparent only: the dose" in page
    assert "Nobody decided on this" not in page


def test_files_mark_papers_that_were_retracted() -> None:
    said = {"other": "Retracted 2024 (PubMed)", "paper": "Corrected 2023 (Crossref)"}
    found = ContestedPaper("paper", "Zinc", (claim("paper"),), notices=said)
    document = contradiction_document(found)
    assert (document["notice"], document["claims"][0]["against"][0]["notice"]) == (said["paper"], said["other"])
    page = contradiction_report(found, date=NOW)
    assert all(one in page for one in said.values())
    assert "Retracted 2024 (PubMed)" in contradiction_csv([found])


def test_why_a_long_claim_was_not_held_is_told() -> None:
    long = replace(claim("paper"), text="word " * 101, contest=None)
    [told] = contradiction_document(ContestedPaper("paper", "Zinc", (long,)))["claims"]
    assert (told["label"], told["reasons"][:31]) == ("not held", "The statement has 101 words. Gi")


def test_who_contradicts_whom() -> None:
    ones = [claim("one"), replace(claim("two", 8), claim="d"), replace(claim("three", 7), claim="e")]
    found = contradictions_among(ones, 8)
    assert [one.claim.paper for one in found] == ["one", "two"]
    assert set(matrix(found)) == {("one", "other"), ("two", "other")}
    first = ones[0].contest
    assert first is not None
    for sure, counted in ((0.26, 0), (None, 1)):
        side = replace(first.sides[0], sure=sure)
        unsure = replace(ones[0], contest=replace(first, sides=(side,)))
        assert len(contradictions_among([unsure], 8)) == counted
