"""The log of decisions: a line a change, in words, with what was in view."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from core.bias.model import HIGH, LOW, Answer
from core.evidence.model import Decision
from core.export.decision_log import BY_MACHINES, COLUMNS, RECORD_KINDS, decision_log
from core.references.model import Reference
from core.screening.model import Criterion, CriterionKind, Fit, ScreeningVerdict
from core.settings import Settings
from core.sources.model import SearchRun
from core.store import open_store
from core.store.model import Action, Project, RecordChange, ReviewerJudgement, SentenceDecisions, StoredPaper
from core.store.review_model import Pairing, ScreeningConsensus, ScreeningDecision, StoredReference
from core.store.source_model import StoredNotices, StoredSearch
from core.store.tables import TABLES

AT = datetime(2026, 11, 20, 9, 30, 15, 999, tzinfo=UTC)
ADULTS = Criterion(CriterionKind.POPULATION, "Adults")


def change(kind: str, key: tuple[str, ...], after: Mapping[str, Any] | None, **rest: Any) -> RecordChange:
    given = {"who": "Ann", "at": AT, "action": Action.SAVED, "version": 1, "before": None} | rest
    return RecordChange(kind=kind, key=key, after=after, **given)


def read(changes: Iterable[RecordChange], **rest: Any) -> list[dict[str, str]]:
    text = decision_log(changes, **rest)
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def of(lines: list[dict[str, str]], *names: str) -> list[tuple[str, ...]]:
    return [tuple(line[name] for name in names) for line in lines]


def test_every_table_of_records_is_known_with_its_fields() -> None:
    kinds = {table.name: record for record, table in TABLES.items()}
    assert kinds.keys() == RECORD_KINDS.keys() | BY_MACHINES
    assert not RECORD_KINDS.keys() & BY_MACHINES
    for name, kind in RECORD_KINDS.items():
        of_record = {field.name for field in fields(kinds[name])}
        about = {kind.about} if isinstance(kind.about, str) else set()
        assert {kind.main, *kind.others, *kind.why} | about <= of_record
        places = [place for place in (kind.item, kind.about) if isinstance(place, int)]
        assert max(places, default=0) < len(TABLES[kinds[name]].primary_key)


def test_the_history_of_a_store_in_words(tmp_path: Path) -> None:
    store = open_store(Settings(home=tmp_path, data=None, database_url=None))
    try:
        with store.writing("Ann") as writing:
            writing.save(Project("p", "Tea", ("Ann", "Ben"), blind=False, criteria=(ADULTS,)))
            writing.save(StoredPaper("p", "x", "x.pdf", "Tea and sleep", study="Ito 2019"))
            writing.save(
                StoredReference("p", "r", "a.ris", 7, Reference("Pain", ("Rossi, A", "Ito, B"), 2020, doi="10.1000/x"))
            )
            first = writing.save(ReviewerJudgement("p", "x", "rob2", "D1", "Ann", LOW, {"1.1": Answer.YES}, (3,)))
            answers = {"1.1": Answer.YES, "1.2": Answer.NO}
            writing.save(
                ReviewerJudgement(
                    "p", "x", "rob2", "D1", "Ann", HIGH, answers, (3, 8), "No  list\n", ("bm25", "offline")
                ),
                seen=first.version,
            )
            kept = writing.save(
                SentenceDecisions("p", "x", "Ann", "Tea helps", {1: Decision.ACCEPTED, 2: Decision.ADDED})
            )
            writing.save(
                SentenceDecisions("p", "x", "Ann", "Tea helps", {1: Decision.ACCEPTED, 2: Decision.REJECTED}),
                seen=kept.version,
            )
            out = ScreeningDecision(
                "p",
                "r",
                "Ann",
                ScreeningVerdict.EXCLUDE,
                "Wrong design",
                "a letter",
                {ADULTS.id: Fit.MET},
                ("offline",),
            )
            saved = writing.save(out)
            writing.remove(saved)
            writing.save(Pairing("p", "r", "x", same=False))
            run = SearchRun(AT, "Ann", {"pubmed": 12}, {"pubmed": 3})
            writing.save(StoredSearch("p", "s", "tea AND sleep", {"pubmed": ("tea[tiab] AND sleep",)}, (run,)))
            writing.save(StoredNotices("p", "x", (), AT, ("crossref",)))
        with store.reading() as reading:
            history = reading.whole("p").history
    finally:
        store.close()
    lines = read(history, names={"D1": "Randomisation process", ADULTS.id: "Adults"})
    assert [line["what"] for line in lines] == [
        *("project", "paper", "reference", "risk of bias", "risk of bias", "sentences", "sentences"),
        *("screening", "screening", "duplicate", "search"),
    ]
    assert lines[-1]["about"] == "tea AND sleep"
    assert lines[-1]["after"].startswith("pubmed: tea[tiab] AND sleep; runs: at: 2026-11-20")
    assert "found: pubmed: 12, taken: pubmed: 3" in lines[-1]["after"]
    assert of(lines[3:5], "study", "title", "item_id", "about", "before", "after", "reason", "suggestions_seen", "version") == [
        ("Ito 2019", "Tea and sleep", "x", "Randomisation process", "", "low; answers: 1.1: Y; support: 3", "", "", "1"),
        (
            *("Ito 2019", "Tea and sleep", "x", "Randomisation process", "low; support: 3"),
            *("high; answers: 1.2: N; support: 3, 8", "No list", "bm25; offline", "2"),
        ),
    ]  # fmt: skip
    assert of(lines[5:7], "about", "before", "after") == [
        ("Tea helps", "", "1: accepted, 2: added"),
        ("Tea helps", "2: added", "2: rejected"),
    ]
    assert of(lines[7:9], "study", "title", "action", "before", "after", "reason", "suggestions_seen") == [
        ("Rossi 2020", "Pain", "saved", "", "exclude; fits: Adults: met; note: a letter", "Wrong design", "offline"),
        ("Rossi 2020", "Pain", "removed", "exclude; fits: Adults: met; note: a letter", "", "Wrong design", "offline"),
    ]
    assert of(lines[9:10], "study", "about", "after") == [("Rossi 2020", "Ito 2019", "no")]
    assert lines[0]["after"].startswith("Tea; reviewers: Ann, Ben; tool: rob2; ")
    assert "criteria: kind: population, text: Adults" in lines[0]["after"]


def test_times_are_utc_whatever_the_clock() -> None:
    there = AT.astimezone(timezone(timedelta(hours=-5)))
    assert of(read([change("papers", ("p", "x"), {"name": "x.pdf"}, at=there)]), "time") == [
        ("2026-11-20T09:30:15+00:00",)
    ]


def test_what_was_settled_has_its_reasons() -> None:
    settled = ScreeningConsensus("p", "x", ScreeningVerdict.EXCLUDE, "Wrong design", "We read it.", ("Ann", "Ben"))
    body = {field.name: getattr(settled, field.name) for field in fields(settled)}
    line = read([change("screening_consensus", ("p", "x"), body)])[0]
    assert (line["after"], line["reason"]) == ("exclude; between: Ann, Ben", "Wrong design; We read it.")


def test_of_the_rest_only_what_changed_is_said() -> None:
    before = {"verdict": "unsure", "note": "a letter", "fits": {"c": "met", "d": "unclear"}}
    after = {"verdict": "exclude", "note": "a letter", "fits": {"c": "met", "d": "not met"}}
    line = read([change("screenings", ("p", "x", "Ann"), after, before=before)])[0]
    assert (line["before"], line["after"]) == ("unsure; fits: d: unclear", "exclude; fits: d: not met")


def test_a_decision_that_is_open_is_blank() -> None:
    line = read([change("screenings", ("p", "x", "Ann"), {"verdict": None, "reason": "", "note": ""})])[0]
    assert (line["before"], line["after"], line["reason"], line["study"], line["item_id"]) == ("", "", "", "", "x")


def test_what_engines_made_is_left_out_and_an_unknown_kind_is_said_as_it_is() -> None:
    changes = [change(kind, ("p", "x", "D1", "offline"), {}) for kind in BY_MACHINES]
    assert read([*changes, change("votes", ("p", "x"), {"b": 1, "a": "ä"})]) == [
        dict.fromkeys(COLUMNS, "")
        | {"time": "2026-11-20T09:30:15+00:00", "who": "Ann", "what": "votes", "action": "saved", "item_id": "x"}
        | {"after": '{"a": "ä", "b": 1}', "version": "1"}
    ]


def test_no_text_is_a_formula() -> None:
    body = {"name": "=1+1", "title": "@x", "study": "+x"}
    line = read([change("papers", ("p", "x"), body, who="-Ann")])[0]
    assert (line["who"], line["study"], line["title"]) == ("'-Ann", "'+x", "'@x")
    assert line["after"].startswith("'=1+1")
