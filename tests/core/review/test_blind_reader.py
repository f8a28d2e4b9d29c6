"""Nothing that a blind reviewer can see or download has another reviewer's words in it, until their own are in."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime

import pytest

from core.bias import tool_named
from core.bias.model import HIGH, LOW, OVERALL, Judgement
from core.errors import StillBlind
from core.evidence.model import Decision
from core.export.disclosure import disclosure
from core.export.gold import gold_files
from core.export.levels import settled_levels
from core.export.project_table import project_csv
from core.export.report import project_report
from core.grounding.model import PaperVerdict
from core.paper import read_paper
from core.review.outputs import FLOWS, TABLES, decisions_file, flow_drawing, flow_file, references_file, table_file
from core.screening.model import ScreeningVerdict
from core.store import (
    Consensus,
    Project,
    Record,
    ReviewerJudgement,
    ReviewerVerdict,
    Scope,
    ScreeningConsensus,
    ScreeningDecision,
    SentenceDecisions,
    Store,
    StoredPaper,
    StoredSuggestion,
    StoreReader,
    VerdictConsensus,
)
from core.store.blindness import seen_by

SECRET = "zanzibar"  # in every word of Ben's
TOOL = tool_named("rob2")
IDS = tuple(domain.id for domain in TOOL.domains)
SCOPE = Scope(TOOL.id, IDS)
NOW = datetime(2026, 11, 22, 8, tzinfo=UTC)
PAPER = read_paper(b"# Walking at night\n\n## Results\n\nSleep was better. It lasted longer.\n", name="a.md")
WORDS, SENTENCES = f"Because {SECRET} says so.", SentenceDecisions("p", PAPER.id, "Ben", SECRET, {1: Decision.ACCEPTED})
BENS: tuple[Record, ...] = (
    *(ReviewerJudgement("p", PAPER.id, "rob2", one, "Ben", HIGH, comment=WORDS) for one in (*IDS, OVERALL)),
    ScreeningDecision("p", PAPER.id, "Ben", ScreeningVerdict.EXCLUDE, "Wrong design", WORDS),
    ReviewerVerdict("p", PAPER.id, "Walking helps", "Ben", PaperVerdict.REFUTES, comment=WORDS),
    SENTENCES,
)
SETTLED: tuple[Record, ...] = (
    Consensus("p", PAPER.id, "rob2", "D1", HIGH, WORDS, ("Ann", "Ben")),
    ScreeningConsensus("p", PAPER.id, ScreeningVerdict.EXCLUDE, "Wrong design", WORDS, ("Ann", "Ben")),
    VerdictConsensus("p", PAPER.id, "Walking helps", PaperVerdict.MIXED, WORDS, ("Ann", "Ben")),
)


@pytest.fixture
def review(store: Store) -> Store:
    """One paper, on which Ben has said all that he can, has taken some of it back, and has said it again."""
    with store.writing("Ann") as change:
        change.save(Project("p", "Towns", ("Ann", "Ben"), hypotheses=("Walking helps",)))
        change.save(StoredPaper("p", PAPER.id, "a.md", PAPER.title or ""))
    with store.writing("Ben") as change:
        for record in BENS:
            change.save(change.remove(change.save(record)).record)
        change.put(StoredSuggestion("p", PAPER.id, "rob2", "offline", Judgement("D1", HIGH, WORDS)))
        for record in SETTLED:
            change.save(record)
    return store


def files(now: StoreReader, reader: str) -> Iterator[tuple[str, str | bytes]]:
    """Every file that is made for one reader, by name."""
    for ending in TABLES:
        yield f"table{ending}", table_file(now, "p", ending, reader=reader, made=NOW)
    for ending in FLOWS:
        yield f"flow{ending}", flow_file(now, "p", ending, reader=reader)
    yield "references", references_file(now, "p", reader=reader)
    yield "decisions", decisions_file(now, "p", reader=reader)
    state, _ = seen_by(now.whole("p"), reader, SCOPE)
    levels = settled_levels(state, TOOL)
    yield "everything", repr(state)
    yield "report", project_report(state, levels, {PAPER.id: PAPER}, date=NOW)
    yield "levels", project_csv(state, levels, {PAPER.id: PAPER}, date=NOW)
    yield "disclosure", disclosure(state, TOOL)
    yield from gold_files(state, TOOL, {PAPER.id: PAPER}).items()


def views(now: StoreReader, reader: str) -> Iterator[tuple[str, object]]:
    """Everything that a screen reads for one reader, by name."""
    yield "domains", now.domains("p", PAPER.id, SCOPE, reader=reader)
    yield "levels", [asdict(one) for one in now.levels("p", SCOPE, reader=reader)]
    yield "screenings", now.screenings("p", reader=reader)
    yield "verdicts", now.verdicts("p", reader=reader)
    yield "decisions", now.decisions("p", PAPER.id, reader=reader)


def in_plain(content: str | bytes) -> str:
    """The text of a file; of a workbook that of its parts."""
    if isinstance(content, str):
        return content
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            return "\n".join(book.read(name).decode() for name in book.namelist())
    return content.decode("latin-1")


@pytest.mark.parametrize("reader", ["Ann", "Cleo", ""])
def test_no_file_and_no_view_of_a_blind_reader_has_anothers_words(review: Store, reader: str) -> None:
    with review.reading() as now:
        told = {name for name, content in files(now, reader) if SECRET in in_plain(content).lower()}
        shown = {name for name, view in views(now, reader) if SECRET in repr(view).lower()}
        unlike = flow_drawing(now, "p", reader=reader) != flow_drawing(now, "p", reader="Ben")
        domains = now.domains("p", PAPER.id, SCOPE, reader=reader)
    assert (told, shown) == (set(), set())
    assert not any(view.others or view.suggestions or view.consensus for view in domains.values())
    assert unlike, "a paper that Ben has excluded, and both have settled, waits in the reader's diagram"


def test_the_same_files_and_views_have_the_words_for_whoever_said_them(review: Store) -> None:
    """What the test above looks for can be found at all, in the outputs on risk of bias once the paper is included."""
    with review.writing("Ben") as change:
        change.put(ScreeningConsensus("p", PAPER.id, ScreeningVerdict.INCLUDE, "", WORDS, ("Ann", "Ben")))
    with review.reading() as now:
        told = {name for name, content in files(now, "Ben") if SECRET in in_plain(content).lower()}
        shown = {name for name, view in views(now, "Ben") if SECRET in repr(view).lower()}
    assert told >= {
        "table.csv",
        "table.xlsx",
        "table.html",
        "references",
        "decisions",
        "everything",
        "levels",
        "report",
        "evidencebench_project.json",
    }
    assert shown == {"domains", "screenings", "verdicts", "decisions"}


@pytest.mark.parametrize("record", [*BENS[:1], *BENS[-3:], *SETTLED])
def test_no_history_of_what_is_hidden_is_read(review: Store, record: Record) -> None:
    with review.reading() as now, pytest.raises(StillBlind, match="hides what others"):
        now.history(record, reader="Ann")


def test_decisions_on_sentences_stay_hidden_when_all_else_is_in(review: Store) -> None:
    own = SentenceDecisions("p", PAPER.id, "Ann", SECRET, {0: Decision.REJECTED})
    with review.writing("Ann") as change:
        for domain in IDS:
            change.save(ReviewerJudgement("p", PAPER.id, "rob2", domain, "Ann", LOW))
        change.save(ScreeningDecision("p", PAPER.id, "Ann", ScreeningVerdict.INCLUDE))
        change.save(own)
    with review.reading() as now:
        seen, hidden = seen_by(now.whole("p"), "Ann", SCOPE)
        lines = list(csv.DictReader(io.StringIO(decisions_file(now, "p", reader="Ann").removeprefix("\ufeff"))))
        assert now.history(own, reader="Ann")
        with pytest.raises(StillBlind, match="decide on sentences"):
            now.history(SENTENCES, reader="Ann")
    assert hidden == 0
    assert [saved.record.reviewer for saved in seen.decisions] == ["Ann"]
    assert {line["who"] for line in lines if line["what"] == "sentences"} == {"Ann"}
    assert {line["who"] for line in lines if line["what"] == "risk of bias"} == {"Ann", "Ben"}
    assert "evidencebench_project.json" not in gold_files(seen, TOOL, {PAPER.id: PAPER}), "Ann took no sentence in"


def test_an_open_project_hides_no_decisions_on_sentences(review: Store) -> None:
    with review.writing("Ann") as change:
        there = change.project("p")
        change.save(Project("p", "Towns", ("Ann", "Ben"), blind=False), seen=there.version)
    with review.reading() as now:
        seen, _ = seen_by(now.whole("p"), "Ann", SCOPE)
        assert now.history(SENTENCES, reader="Ann")
    assert [saved.record.reviewer for saved in seen.decisions] == ["Ben"]
    assert "decisions" in {change.kind for change in seen.history}
