"""What is taken away from a review, read back."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest

from core.bias.model import Level
from core.errors import QueryError
from core.references import read_references
from core.references.model import Reference
from core.review.hypotheses import add_hypothesis
from core.review.outputs import decisions_file, flow_file, references_file, table_file
from core.screening.model import ScreeningVerdict
from core.store import (
    Project,
    ScreeningConsensus,
    ScreeningDecision,
    Store,
    StoredPaper,
    StoredReference,
)
from core.store.model import ReviewerJudgement

NOW = datetime(2026, 11, 22, 8, tzinfo=UTC)
INCLUDE, EXCLUDE = ScreeningVerdict.INCLUDE, ScreeningVerdict.EXCLUDE


@pytest.fixture
def review(store: Store) -> Store:
    """A record with a paper, one without, and a paper without a record; Ann and Ben are blind."""
    with store.writing("Ann") as change:
        change.save(Project("p", "Towns", ("Ann", "Ben"), "rob2", hypotheses=("Walking improves sleep",)))
        for id in ("x1", "x2"):
            change.save(StoredPaper("p", id, f"{id}.pdf", title=f"Trial {id}", authors=("Ito, M.",), year=2019))
        for number, paper in ((1, "x1"), (2, None)):
            kept = Reference(f"Record {number}", fields={"TY": ("JOUR",), "TI": (f"Record {number}",)})
            change.save(StoredReference("p", f"r{number}", "a.ris", number, kept, paper))
    for record in (
        ScreeningDecision("p", "x1", "Ann", INCLUDE, note="A fine trial."),
        ScreeningDecision("p", "x1", "Ben", EXCLUDE, "Wrong design", suggestions_seen=("offline",)),
        ScreeningConsensus("p", "x1", EXCLUDE, "Wrong design", "No control group.", ("Ann", "Ben")),
        ScreeningDecision("p", "r2", "Ben", EXCLUDE, "Wrong outcome"),
        ReviewerJudgement("p", "x2", "D1", "Ben", Level.HIGH, comment="By birthday."),
    ):
        with store.writing(getattr(record, "reviewer", "Ann")) as change:
            change.save(record)
    return store


def notes(store: Store, reader: str) -> dict[str, list[str]]:
    with store.reading() as now:
        text = references_file(now, "p", reader=reader)
    found = read_references(text.encode(), name="out.ris")
    assert not found.broken
    return {reference.title: list(reference.fields.get("N1", ())) for _, reference in found.references}


def test_decisions_are_in_the_notes_of_the_references(review: Store) -> None:
    found = notes(review, "Ann")
    assert list(found) == ["Record 1", "Record 2", "Trial x2"]
    said = "\n".join(found["Record 1"])
    for words in (
        "Vouch: include by Ann: A fine trial.",
        "Vouch: exclude by Ben: Wrong design",
        "Vouch: settled as exclude by Ann: Wrong design: No control group.",
        "ASReview_irrelevant",
        '"Ann"=>"Included","Ben"=>"Excluded"',
        "RAYYAN-EXCLUSION-REASONS: Wrong design",
    ):
        assert words in said
    assert found["Trial x2"] == []


def test_what_is_hidden_is_in_no_note(review: Store) -> None:
    assert notes(review, "Ann")["Record 2"] == []
    assert any("exclude by Ben" in note for note in notes(review, "Ben")["Record 2"])


def log(store: Store, reader: str) -> list[dict[str, str]]:
    with store.reading() as now:
        return list(csv.DictReader(io.StringIO(decisions_file(now, "p", reader=reader).removeprefix("\ufeff"))))


def test_the_log_says_who_decided_what_beside_which_suggestion(review: Store) -> None:
    lines = [line for line in log(review, "Ben") if line["what"] == "screening" and line["who"] == "Ben"]
    assert [(one["item_id"], one["after"], one["reason"], one["suggestions_seen"]) for one in lines] == [
        ("x1", "exclude", "Wrong design", "offline"),
        ("r2", "exclude", "Wrong outcome", ""),
    ]
    (judged,) = [line for line in log(review, "Ben") if line["what"] == "risk of bias"]
    assert (judged["after"].split(";")[0], judged["reason"]) == ("high", "By birthday.")
    assert "randomi" in judged["about"].lower(), "the domain goes by its name"


def test_a_blind_readers_log_leaves_out_what_is_hidden(review: Store) -> None:
    lines = log(review, "Ann")
    assert {line["item_id"] for line in lines if line["what"].startswith("screening")} == {"x1"}
    assert not [line for line in lines if line["what"] == "risk of bias"]


def test_the_table_has_the_papers_that_are_shown_in_their_order(review: Store) -> None:
    with review.reading() as now:
        for papers, wanted in ((None, ["x1", "x2"]), (["x2", "gone", "x1", "x2"], ["x2", "x1"]), ([], [])):
            text = table_file(now, "p", ".csv", reader="Ann", made=NOW, papers=papers)
            assert isinstance(text, str)
            rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
            assert [row["paper_id"] for row in rows] == wanted


def test_every_form_of_table_and_diagram_is_made(review: Store) -> None:
    with review.reading() as now:
        made = {ending: table_file(now, "p", ending, reader="Ann", made=NOW) for ending in (".xlsx", ".html")}
        svg, png = (flow_file(now, "p", ending, reader="Ann") for ending in (".svg", ".png"))
    assert bytes(made[".xlsx"])[:2] == b"PK" if isinstance(made[".xlsx"], bytes) else False
    assert "Walking improves sleep" in made[".html"]  # type: ignore[operator]
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert isinstance(png, bytes)
    assert png.startswith(b"\x89PNG")


@pytest.mark.parametrize(("text", "wrong"), [("  ", "empty"), ("WALKING improves  sleep", "already")])
def test_what_is_no_new_hypothesis_is_refused(review: Store, text: str, wrong: str) -> None:
    with pytest.raises(QueryError, match=wrong):
        add_hypothesis(review, "p", text, who="Ann")
