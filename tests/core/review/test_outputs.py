"""The rows of the evidence table: what one reader sees, whose finding counts, and why a cell is blank."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest

from core.bias import tool_named
from core.bias.model import HIGH, LOW, Judgement, Level
from core.bias.tools.rob2 import SOME_CONCERNS
from core.errors import QueryError
from core.export.evidence_table import NOT_RUN, TableRow
from core.findings.model import Finding
from core.grounding.model import PaperVerdict
from core.references import Reference, read_references
from core.review.intake import add_hypothesis, remove_hypothesis
from core.review.outputs import decisions_file, flow_file, references_apart, references_file, table_file, table_rows
from core.review.planning import READ, finding_task
from core.screening.model import ScreeningVerdict
from core.store import (
    Consensus,
    Pairing,
    Plan,
    Project,
    ReviewerJudgement,
    ScreeningConsensus,
    ScreeningDecision,
    Store,
    StoredFinding,
    StoredPaper,
    StoredReference,
    StoredSuggestion,
    question_key,
)

SLEEP, PAIN = "Walking improves sleep", "Walking lowers pain"
DOMAINS = [domain.id for domain in tool_named("rob2").domains]
INCLUDE, EXCLUDE = ScreeningVerdict.INCLUDE, ScreeningVerdict.EXCLUDE


def begin(store: Store, *, papers: int = 1, blind: bool = False, **rest: object) -> None:
    values = {"hypotheses": (SLEEP, PAIN), "plan": Plan(evidence="offline")} | rest
    with store.writing("Ann") as change:
        change.save(Project("p", "Towns", ("Ann", "Ben"), "rob2", blind=blind, **values))
        for number in range(papers):
            change.save(StoredPaper("p", f"x{number}", f"{number}.pdf", title=f"Trial {number}", study=f"Ito {number}"))


def find(
    store: Store, verdict: PaperVerdict | None, *, engine: str = "offline", paper: str = "x0", words: str = SLEEP
) -> None:
    with store.writing("Vouch") as change:
        change.put(StoredFinding("p", paper, Finding(engine, words, verdict, f"{engine} says so.")))


def save(store: Store, *records: object) -> None:
    for record in records:
        with store.writing(getattr(record, "reviewer", "Ann")) as change:
            change.save(record)


def rows(store: Store, reader: str = "Ann") -> tuple[TableRow, ...]:
    with store.reading() as now:
        return table_rows(now, "p", reader=reader)


def test_a_cell_without_a_finding_says_why(store: Store) -> None:
    begin(store, papers=3)
    find(store, None)
    with store.writing("Vouch") as change:
        change.queue.note_failure("p", "x0", finding_task("offline", question_key(PAIN)), "The engine gave up.")
        change.queue.note_failure("p", "x1", READ, "The file is damaged.")
    first, second, third = rows(store)
    assert (first.cell(SLEEP).verdict, first.cell(SLEEP).missing) == (None, "offline says so.")
    assert first.cell(PAIN).missing == "The engine gave up."
    assert {second.cell(words).missing for words in (SLEEP, PAIN)} == {"The file is damaged."}
    assert third.cell(SLEEP).missing == NOT_RUN


def test_the_plans_engine_counts_and_otherwise_the_newest(store: Store) -> None:
    begin(store)
    find(store, PaperVerdict.REFUTES, engine="bm25")
    find(store, PaperVerdict.MIXED, engine="embedding")
    assert rows(store)[0].cell(SLEEP).verdict is PaperVerdict.MIXED
    find(store, PaperVerdict.SUPPORTS)
    find(store, PaperVerdict.UNCLEAR, engine="embedding")
    assert rows(store)[0].cell(SLEEP).verdict is PaperVerdict.SUPPORTS


def test_a_plan_may_name_a_model_without_its_strategy(store: Store) -> None:
    begin(store, plan=Plan(evidence="openai:m"))
    find(store, PaperVerdict.SUPPORTS, engine="openai:m@sections")
    find(store, PaperVerdict.REFUTES, engine="bm25")
    with store.writing("Vouch") as change:
        change.queue.note_failure(
            "p", "x0", finding_task("openai:m@sections", question_key(PAIN)), "The server is down."
        )
    (row,) = rows(store)
    assert (row.cell(SLEEP).verdict, row.cell(PAIN).missing) == (PaperVerdict.SUPPORTS, "The server is down.")


def test_removed_papers_and_duplicates_have_no_row(store: Store) -> None:
    begin(store, papers=4)
    with store.writing("Ann") as change:
        change.remove(change.paper("p", "x0"))
    save(store, Pairing("p", "x1", "x2", same=True), Pairing("p", "x1", "x3", same=False))
    assert [row.study for row in rows(store)] == ["Ito 1", "Ito 3"]


def test_references_whose_papers_are_not_here_are_counted(store: Store) -> None:
    begin(store, papers=1)
    entries = {"r1": "x0", "r2": None, "r3": "x9", "r4": None}
    for number, (id, paper) in enumerate(entries.items()):
        save(store, StoredReference("p", id, "a.ris", number, Reference(f"Title {number}"), paper))
    save(store, Pairing("p", "r2", "r4", same=True))
    with store.reading() as now:
        assert references_apart(now, "p") == 2, "r2, and r3 whose paper is gone"


def test_risk_of_bias_is_the_reviewers_or_else_suggested(store: Store) -> None:
    begin(store)
    assert rows(store)[0].bias.level is None
    for domain in DOMAINS:
        save(store, StoredSuggestion("p", "x0", "rob2", "offline", Judgement(domain, HIGH, "")))
    (row,) = rows(store)
    assert (row.bias.level, row.bias.whose) == (HIGH, "suggested by offline")
    for domain in DOMAINS:
        save(store, *(ReviewerJudgement("p", "x0", "rob2", domain, who, LOW) for who in ("Ann", "Ben")))
    (row,) = rows(store)
    assert (row.bias.level, row.bias.whose) == (LOW, "reviewers")


def judge(store: Store, who: str, level: Level, domains: list[str] = DOMAINS) -> None:
    save(store, *(ReviewerJudgement("p", "x0", "rob2", domain, who, level) for domain in domains))


def test_a_persons_level_goes_before_an_engines_and_ones_own_before_the_others(store: Store) -> None:
    begin(store)
    save(store, *(StoredSuggestion("p", "x0", "rob2", "offline", Judgement(domain, HIGH, "")) for domain in DOMAINS))
    judge(store, "Ben", LOW)
    by_ben = (LOW, "judged by Ben, not settled")
    assert {(row.bias.level, row.bias.whose) for reader in ("Ann", "Ben", "") for row in rows(store, reader)} == {
        by_ben
    }
    judge(store, "Ann", SOME_CONCERNS)
    (ann,), (ben,), (nobody,) = (rows(store, reader) for reader in ("Ann", "Ben", ""))
    assert (ann.bias.level, ann.bias.whose) == (SOME_CONCERNS, "judged by Ann, not settled")
    assert (ben.bias.level, ben.bias.whose) == by_ben
    assert nobody.bias.missing.startswith("No overall level. D1: reviewers differ, D2: reviewers differ")
    save(store, *(Consensus("p", "x0", "rob2", domain, HIGH, "Read again.", ("Ann", "Ben")) for domain in DOMAINS))
    assert {(row.bias.level, row.bias.whose) for who in ("Ann", "Ben", "") for row in rows(store, who)} == {
        (HIGH, "reviewers")
    }


def test_domains_that_people_judged_go_before_those_that_an_engine_suggests(store: Store) -> None:
    """With a tool that has no overall level, or while some domains wait. A whole suggestion says more than a part."""
    begin(store)
    save(store, StoredSuggestion("p", "x0", "rob2", "offline", Judgement("D1", HIGH, "")))
    judge(store, "Ann", LOW, ["D1", "D3"])
    judge(store, "Ben", LOW, ["D3"])
    said = "No overall level. D1: low, D2: –, D3: low, D4: –, D5: – (judged by Ann, not settled)"
    assert rows(store)[0].bias.missing == said
    rest = [StoredSuggestion("p", "x0", "rob2", "offline", Judgement(domain, HIGH, "")) for domain in DOMAINS[1:]]
    save(store, *rest)
    assert rows(store)[0].bias.whose == "suggested by offline"


def test_a_blind_reader_sees_no_suggested_level_and_no_other_decision(store: Store) -> None:
    begin(store, blind=True)
    for domain in DOMAINS:
        save(store, StoredSuggestion("p", "x0", "rob2", "offline", Judgement(domain, HIGH, "")))
        save(store, ReviewerJudgement("p", "x0", "rob2", domain, "Ben", HIGH))
    save(store, ScreeningDecision("p", "x0", "Ben", EXCLUDE, "Wrong design"))
    (ann,), (ben,) = rows(store, "Ann"), rows(store, "Ben")
    assert (ann.bias.level, ann.bias.whose) == (None, "")
    assert (ann.screening, ann.screening_note) == (None, "Hidden until your own decision is in.")
    assert ben.bias.whose == "judged by Ben, not settled", "his own judgements are in, hers are missing"
    assert ben.screening_note == "Not decided yet by Ann."


def test_screening_says_what_was_settled_or_what_is_missing(store: Store) -> None:
    begin(store, papers=5)
    both = [ScreeningDecision("p", "x1", who, EXCLUDE, "Wrong design") for who in ("Ann", "Ben")]
    differ = [ScreeningDecision("p", item, "Ann", INCLUDE) for item in ("x2", "x3")]
    differ += [ScreeningDecision("p", item, "Ben", EXCLUDE, "Wrong outcome") for item in ("x2", "x3")]
    unsure = [ScreeningDecision("p", "x4", who, ScreeningVerdict.UNSURE) for who in ("Ann", "Ben")]
    settled = ScreeningConsensus("p", "x3", EXCLUDE, "Wrong population", "Read again.", ("Ann", "Ben"))
    save(store, *both, *differ, *unsure, settled)
    assert [(row.screening, row.screening_note) for row in rows(store)] == [
        (None, "Nobody has screened it yet."),
        (EXCLUDE, "Wrong design"),
        (None, "The reviewers differ, and have settled nothing yet."),
        (EXCLUDE, "Wrong population"),
        (None, "The reviewers are unsure."),
    ]


def test_a_hypothesis_that_is_taken_out_and_put_back_has_its_findings(store: Store) -> None:
    begin(store)
    find(store, PaperVerdict.SUPPORTS)
    remove_hypothesis(store, "p", SLEEP, who="Ann")
    assert rows(store)[0].cells.keys() == {PAIN}
    assert add_hypothesis(store, "p", f"  {SLEEP.replace(' ', '  ')} ", who="Ben") == SLEEP
    assert rows(store)[0].cell(SLEEP).verdict is PaperVerdict.SUPPORTS
    with store.reading() as now:
        assert now.project("p").record.hypotheses == (PAIN, SLEEP)


def test_a_change_gives_another_stamp(store: Store) -> None:
    begin(store)

    def stamp() -> tuple[object, ...]:
        with store.reading() as now:
            return now.stamp("p")

    before = stamp()
    assert stamp() == before
    find(store, PaperVerdict.SUPPORTS)
    found = stamp()
    with store.writing("Vouch") as change:
        change.queue.note_failure("p", "x0", "some task", "It failed.")
    failed = stamp()
    with store.writing("Vouch") as change:
        change.save(replace(change.project("p").record, id="other"))
    assert stamp() == failed, "another project's changes are not its own"
    assert len({before, found, failed}) == 3


def test_without_an_overall_level_the_domains_are_told(store: Store) -> None:
    begin(store, papers=2)
    save(store, StoredSuggestion("p", "x0", "rob2", "offline", Judgement("D1", LOW, "")))
    bias = rows(store)[0].bias
    assert bias.level is None
    assert bias.missing == "No overall level. D1: low, D2: –, D3: –, D4: –, D5: – (suggested by offline)"
    assert rows(store)[1].bias.missing == "No domain has a level yet."


# What is taken away from a review, read back.

NOW = datetime(2026, 11, 22, 8, tzinfo=UTC)


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
        ReviewerJudgement("p", "x2", "rob2", "D1", "Ben", HIGH, comment="By birthday."),
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
